// Tells a genuine notice of the companion from any other request, by Standard Webhooks.
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { Notice } from './contract.ts'
import { NoticeError } from './errors.ts'

/** As each framework has them. */
export type NoticeHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The notice, if one of the companion's secrets has signed it within five minutes.
 *
 * @param rawBody as it arrived: bytes or text, not parsed
 * @param secret the companion's HC_NOTIFY_SECRET (`whsec_…`); one or several with commas between,
 * any of which will do
 * @throws NoticeError for any other request; TypeError for an empty or malformed secret
 */
export function verifyNotice(rawBody: string | Uint8Array, headers: NoticeHeaders, secret: string | undefined): Notice {
  const verifiers = createVerifiers(secret)
  const text = textOf(rawBody)
  const signed = signedHeaders(headers)
  const faults = verifiers.map((verifier) => faultOf(verifier, text, signed))
  if (faults.every((fault) => fault !== undefined)) throw faults[0] ?? forged()
  return readNotice(text)
}

/**
 * @throws TypeError for a secret that is empty, so that anybody could sign, or is none of the
 * companion's
 */
function createVerifiers(secret: string | undefined): Webhook[] {
  const secrets = (secret ?? '').split(',').map((one) => one.trim())
  if (!secrets.every(isWhole))
    throw new TypeError(
      'The secret of the notices is empty or malformed. Give HC_NOTIFY_SECRET of the companion: whsec_ and ' +
        'base64 of 24 to 64 bytes.',
    )
  return secrets.map((one) => new Webhook(one))
}

/** By the rule of the companion, which starts with no other. */
function isWhole(secret: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  if (base64.length % 4 !== 0) return false
  const bytes = atob(base64).length
  return bytes >= 24 && bytes <= 64
}

function textOf(rawBody: unknown): string {
  if (typeof rawBody === 'string') return rawBody
  if (rawBody instanceof Uint8Array) return new TextDecoder().decode(rawBody)
  throw new NoticeError(
    'body_parsed',
    'The body was parsed before it was verified, and no signature fits what is left. Hand over the ' +
      'raw body: in Express this route comes before express.json().',
  )
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

function signedHeaders(headers: NoticeHeaders): Record<string, string> {
  const get = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : valueIn(headers, name)
    return typeof value === 'string' ? value : (value?.[0] ?? '')
  }
  const signed = Object.fromEntries(NAMES.map((name) => [name, get(name)]))
  const missing = NAMES.find((name) => signed[name] === '')
  if (missing !== undefined)
    throw new NoticeError('unsigned', `The header ${missing} is missing: this is no notice, or a proxy has removed it.`)
  return signed
}

function valueIn(headers: Exclude<NoticeHeaders, Headers>, name: string): string | readonly string[] | undefined {
  const found = Object.keys(headers).find((key) => key.toLowerCase() === name)
  return found === undefined ? undefined : headers[found]
}

function faultOf(verifier: Webhook, text: string, headers: Record<string, string>): NoticeError | undefined {
  try {
    verifier.verify(text, headers, { jsonParse: false })
    return undefined
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return /timestamp/i.test(error.message)
      ? new NoticeError(
          'out_of_time',
          'The notice was signed more than five minutes ago, or later than now. If it is genuine, ' +
            'the clock of this machine or of the companion is wrong.',
        )
      : forged()
  }
}

function forged(): NoticeError {
  return new NoticeError(
    'forged',
    'The signature does not fit. If the companion has sent it, give the receiver its ' +
      'HC_NOTIFY_SECRET, and the body as it arrived.',
  )
}

/**
 * Genuine, so that its fields are those of the contract; looked at are those that decide over
 * money.
 */
function readNotice(text: string): Notice {
  const unreadable = new NoticeError(
    'unreadable',
    'The notice is genuine and cannot be read: use a release of hc-checkout-client that is as new as the companion.',
  )
  let notice: Notice
  try {
    notice = JSON.parse(text) as Notice
  } catch {
    throw unreadable
  }
  const data: Partial<Notice['data']> = notice?.data ?? {}
  const hasNumbers = [data.version, data.amount].every((value) =>
    value === undefined ? false : Number.isSafeInteger(value),
  )
  const isText = [notice?.type, data.paymentId, data.currency].every(
    (value) => typeof value === 'string' && value !== '',
  )
  if (!hasNumbers || !isText) throw unreadable
  return notice
}
