// Parses the bodies of the service's requests, field by field. service.md "Payment request",
// open-points.md "Maximum lengths".
import { invalid } from './envelope.ts'
import { NumberText, type JsonValue } from './json-text.ts'

/** service.md §3 rule 1. */
export const CHANNEL = '420001'

export interface PaymentRequest {
  readonly wallet_no: string
  readonly reference: string
  readonly acc_name: string
  readonly acc_no: string
  readonly email: string
  /** Digits, as sent and signed. */
  readonly amount: string
  readonly currency: string
  readonly channel: string
  readonly description: string
  readonly result_url: string
}

/** The members of a request body. */
type Fields = Map<string, JsonValue>

/** Reads one field; a fault is recorded in `errors`, and an empty text returned. */
interface FieldReader {
  /**
   * What names something that exists or not has no `max`: an overlong one is as unknown as any
   * other.
   */
  text(name: string, limits?: { min?: number; max?: number; optional?: boolean }): string
  /**
   * A JSON number (service.md: numeric). As a text it is refused, or a client that was tested here
   * would fail live.
   */
  whole(name: string): string
  readonly errors: Record<string, string[]>
}

/** Length in code points, which is close to characters as people count them. */
const characters = (text: string): number => Array.from(text).length

const HIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029]/u

function reader(body: JsonValue): FieldReader {
  const errors: Record<string, string[]> = {}
  if (!(body instanceof Map)) throw invalid({ body: ['The body must be a JSON object.'] })
  const fields: Fields = body
  const wrong = (name: string, what: string): string => {
    errors[name] = [`The ${name} ${what}`]
    return ''
  }
  return {
    errors,
    text(name, { min = 1, max = Infinity, optional = false } = {}) {
      const value = fields.get(name)
      if (value === undefined || value === null || value === '')
        return optional ? '' : wrong(name, 'field is required.')
      if (typeof value !== 'string') return wrong(name, 'must be a string.')
      if (HIDDEN.test(value)) return wrong(name, 'must not contain control characters.')
      const length = characters(value.trim())
      if (length === 0 && !optional) return wrong(name, 'field is required.')
      if (length < min && !(optional && length === 0)) return wrong(name, `must be at least ${min} characters.`)
      if (characters(value) > max) return wrong(name, `must not be longer than ${max} characters.`)
      return value
    },
    whole(name) {
      const value = fields.get(name)
      if (value === undefined || value === null || value === '') return wrong(name, 'field is required.')
      if (!(value instanceof NumberText)) return wrong(name, 'must be a number.')
      const { text } = value
      if (!/^[1-9]\d*$/.test(text)) return wrong(name, 'must be a whole number above zero, without separators.')
      if (text.length > 12) return wrong(name, 'must not have more than 12 digits.')
      return text
    },
  }
}

function finish<T>(input: FieldReader, value: T): T {
  if (Object.keys(input.errors).length > 0) throw invalid(input.errors)
  return value
}

export function readLogin(body: JsonValue): { consumer_key: string; consumer_secret: string } {
  const input = reader(body)
  return finish(input, {
    consumer_key: input.text('consumer_key'),
    consumer_secret: input.text('consumer_secret'),
  })
}

export function readBankQuestion(body: JsonValue): { country_code: string } {
  const input = reader(body)
  return finish(input, { country_code: input.text('country_code') })
}

/**
 * The published call queries by reference; service.md §4 mentions transaction_id, so both are
 * accepted.
 */
export function readStatusQuestion(body: JsonValue): {
  wallet_no: string
  by: 'reference' | 'transaction_id'
  id: string
} {
  const input = reader(body)
  const named = (body as Fields).has('transaction_id') && !(body as Fields).has('reference')
  const by = named ? 'transaction_id' : 'reference'
  return finish(input, { wallet_no: input.text('wallet_no'), by, id: input.text(by) })
}

/**
 * @throws {ServiceError} 422 with `errors` by field. Currency, wallet and signatures are checked
 *   later.
 */
export function readPayment(body: JsonValue, allowHttpResultUrl: boolean): PaymentRequest {
  const input = reader(body)
  const request: PaymentRequest = {
    wallet_no: input.text('wallet_no'),
    reference: input.text('reference', { max: 64 }),
    acc_name: input.text('acc_name', { min: 2, max: 100 }),
    acc_no: input.text('acc_no', { max: 32, optional: true }),
    email: input.text('email', { max: 254, optional: true }),
    amount: input.whole('amount'),
    currency: input.text('currency'),
    channel: input.whole('channel'),
    description: input.text('description', { max: 255 }),
    result_url: input.text('result_url', { max: 2048 }),
  }
  const { errors } = input
  if (request.channel && request.channel !== CHANNEL) errors.channel = [`The channel must be ${CHANNEL}.`]
  if (request.acc_no && !/^\d+$/.test(request.acc_no)) errors.acc_no = ['The acc_no must be digits only, without +.']
  if (request.email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(request.email))
    errors.email = ['The email must be an e-mail address.']
  if (request.result_url) {
    const fault = resultUrlFault(request.result_url, allowHttpResultUrl)
    if (fault) errors.result_url = [fault]
  }
  return finish(input, request)
}

function resultUrlFault(text: string, allowHttp: boolean): string | undefined {
  const url = URL.parse(text)
  if (!url) return 'The result_url must be an address.'
  if (url.username || url.password) return 'The result_url must not contain a user name or password.'
  if (url.protocol === 'https:') return undefined
  // Plain http never leaves the machine.
  if (url.protocol === 'http:' && allowHttp && isLoopback(url.hostname)) return undefined
  return 'The result_url must be an https address.'
}

/** True for this machine's own names and addresses, as written by `URL.hostname`. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    hostname.endsWith('.localhost') ||
    /^127(\.\d+){3}$/.test(hostname)
  )
}
