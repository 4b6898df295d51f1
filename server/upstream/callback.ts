// Reads a callback of the service and verifies its hash over the texts as received. A genuine
// callback still only triggers a status query: the published hash has no separators, so one hash
// covers many payloads (open-points.md, "A hole in the published hash").
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isWholeAmount } from './amount.ts'
import { readCallbackBody } from './callback-body.ts'
import type { FlatValue } from './flat-json.ts'
import type { Callback, CallbackReading, CallbackRefusal, ReadCallback } from '../deposits/ports/upstream.ts'

/** Documented hash order of a success: all ten fields (open-points.md, "Webhook hash"). */
const SUCCESS_ORDER = [
  'channel',
  'reference',
  'transaction_id',
  'third_party_id',
  'currency',
  'amount',
  'fees',
  'acc_name',
  'result_code',
  'result_description',
] as const
type Field = (typeof SUCCESS_ORDER)[number]

/** Documented hash order of a failure (open-points.md, "Failed webhook"). */
const FAILED_ORDER = [
  'channel',
  'reference',
  'transaction_id',
  'result_code',
  'result_description',
] as const satisfies Field[]
/** Without these there is nothing to verify, or nobody to ask about. */
const NEEDED = ['reference', 'result_code', 'hash']
const SUCCESS_ONLY = SUCCESS_ORDER.filter((field) => !(FAILED_ORDER as readonly Field[]).includes(field))
const KNOWN: ReadonlySet<string> = new Set([...SUCCESS_ORDER, 'hash'])

/**
 * Fields that the service may send as JSON numbers; the number as it was written is what was
 * hashed.
 */
const MAY_BE_NUMBER: ReadonlySet<string> = new Set<Field>(['channel', 'amount', 'fees', 'result_code'])
/** Never a number: the hash has letters, and our reference begins with some. */
const IS_TEXT: ReadonlySet<string> = new Set(['reference', 'hash'])

/**
 * A single spelling for each integer: `00`, `-0`, `+0` and `0.0` are not zero, or a failure `01`
 * could be cut to a success `0`.
 */
const RESULT_CODE = /^(?:0|-?[1-9][0-9]{0,8})$/
const HASH = /^[0-9a-fA-F]{64}$/
const MAX_FIELDS = 32
/** Longer bodies are `too_large`. */
const MAX_BYTES = 16_384

export interface CallbackReaderOptions {
  /** Keys the hash: the consumer key, unless the contract says otherwise (`HC_HASH_KEY`). */
  readonly consumerKey: string
  /** Still accepted after a rotation (`HC_HASH_KEY_PREVIOUS`). */
  readonly previousKey?: string
  /**
   * `documented` (default): the order of open-points.md. `received`: the order of the keys in the
   * body (`HC_HASH_ORDER`).
   */
  readonly hashOrder?: 'documented' | 'received'
}

/**
 * Creates the callback reader. The reader never throws: it returns the callback, or why it is not
 * believed.
 *
 * @example const readCallback = createCallbackReader({ consumerKey: settings.hashKey }) const
 *   reading = readCallback(new Uint8Array(await request.arrayBuffer()))
 */
export function createCallbackReader(options: CallbackReaderOptions): ReadCallback {
  const { hashOrder = 'documented' } = options
  const current = hashKey(options.consumerKey)
  const previous = options.previousKey === undefined ? undefined : hashKey(options.previousKey)

  function keyOf(text: string, claimed: Uint8Array): Callback['key'] | undefined {
    if (isHash(current, text, claimed)) return 'current'
    return previous !== undefined && isHash(previous, text, claimed) ? 'previous' : undefined
  }

  return function readCallback(raw) {
    const body = readCallbackBody(raw, { maxBytes: MAX_BYTES, maxFields: MAX_FIELDS })
    const { plain } = body
    const refused = (reason: CallbackRefusal): CallbackReading => ({ ok: false, reason, ...(plain && { plain }) })
    if (!body.ok) return refused(body.reason)
    const shaped = shape(body.fields)
    if (typeof shaped === 'string') return refused(shaped)

    const claimed = Buffer.from(shaped.hash, 'hex')
    const texts = hashOrder === 'documented' ? shaped.documented : [asReceived(body.fields)]
    for (const signed of texts) {
      const key = keyOf(signed, claimed)
      if (key === undefined) continue
      const { content, fits } = shaped
      if (!fits) return { ok: false, reason: 'wrong_shape', reference: content.reference }
      const asDocumented = body.asDocumented && shaped.asDocumented
      return { ok: true, callback: { ...content, key, signed: { text: signed, order: hashOrder }, asDocumented } }
    }
    return refused('bad_hash')
  }
}

interface Shaped {
  readonly content: Omit<Callback, 'key' | 'signed' | 'asDocumented'>
  /** The texts that may have been hashed, in the documented orders. */
  readonly documented: readonly string[]
  readonly hash: string
  /** Whether the fields are those of its kind. */
  readonly fits: boolean
  /**
   * Whether they also have the documented form: none is missing, empty, null or of another type.
   */
  readonly asDocumented: boolean
}

/**
 * `result_code` gives the kind, which the fields must match (open-points.md): a success has all
 * ten, none empty but perhaps its fees; a failure has its five, or all ten of service.md's table. A
 * null counts as empty.
 */
function shape(fields: ReadonlyMap<string, FlatValue>): Shaped | CallbackRefusal {
  for (const name of NEEDED) if (!fields.has(name)) return 'missing_field'
  const extraFields: string[] = []
  let asDocumented = true
  for (const [name, value] of fields) {
    const { kind } = value
    if (!KNOWN.has(name)) extraFields.push(name)
    else if (kind === 'nested') return 'not_flat'
    // Neither true nor false has a text that one would hash; a null and a number do.
    else if (kind === 'word' && (NEEDED.includes(name) || !isNull(value))) return 'wrong_type'
    else if (kind === 'number' && IS_TEXT.has(name)) return 'wrong_type'
    else if (kind === 'word' || (kind === 'number' && !MAY_BE_NUMBER.has(name))) asDocumented = false
  }
  const text = (name: string) => hashedText(fields.get(name))
  const hash = text('hash')
  if (!HASH.test(hash)) return 'bad_hash'
  const resultCode = text('result_code')
  if (!RESULT_CODE.test(resultCode)) return 'wrong_type'

  const has = (name: string) => fields.has(name) && !isNull(fields.get(name))
  const common = {
    channel: text('channel'),
    reference: text('reference'),
    transactionId: text('transaction_id'),
    resultCode,
    resultDescription: text('result_description'),
    extraFields,
  }
  const all = joined(SUCCESS_ORDER, text)
  if (resultCode === '0') {
    const isFull = SUCCESS_ORDER.every((name) => text(name) !== '' || (name === 'fees' && fields.has(name)))
    const content = {
      kind: 'success' as const,
      ...common,
      thirdPartyId: text('third_party_id'),
      currency: text('currency'),
      amount: text('amount'),
      fees: text('fees'),
      payerName: text('acc_name'),
    }
    const isPlain = isWholeAmount(content.amount) && content.fees !== ''
    return { content, documented: [all], hash, fits: isFull, asDocumented: asDocumented && isPlain }
  }
  const further = SUCCESS_ONLY.filter((name) => fields.has(name))
  const content = {
    kind: 'failed' as const,
    ...common,
    // Of a failure they may be empty, which says nothing.
    ...(text('currency') === '' ? {} : { currency: text('currency') }),
    ...(text('amount') === '' ? {} : { amount: text('amount') }),
  }
  const five = joined(FAILED_ORDER, text)
  const fits = FAILED_ORDER.every(has) && (further.length === 0 || further.length === SUCCESS_ONLY.length)
  // service.md does not say how the hash is computed: over all ten fields, or over the five that
  // are published for a failure.
  const documented = further.length === 0 ? [five] : [five, all]
  return { content, documented, hash, fits, asDocumented: asDocumented && further.length === 0 }
}

const isNull = (value: FlatValue | undefined) => value?.kind === 'word' && value.text === 'null'

/** PHP joins a null as nothing. */
function hashedText(value: FlatValue | undefined): string {
  return value === undefined || isNull(value) ? '' : value.text
}

const joined = (order: readonly Field[], text: (name: string) => string): string =>
  order.map((name) => text(name)).join('')

/** The hashed text in the order of the keys received; unknown fields are not part of it. */
function asReceived(fields: ReadonlyMap<string, FlatValue>): string {
  return [...fields]
    .filter(([name]) => name !== 'hash' && KNOWN.has(name))
    .map(([, value]) => hashedText(value))
    .join('')
}

function hashKey(key: string): string {
  // An empty key would let anybody compute the hash.
  if (key === '')
    throw new RangeError('The key of the webhook hash is empty; HC_CONSUMER_KEY or HC_HASH_KEY must hold it.')
  return key
}

function isHash(key: string, text: string, claimed: Uint8Array): boolean {
  return timingSafeEqual(createHmac('sha256', key).update(text).digest(), claimed)
}
