// Reads a callback of the service and verifies its hash over the texts as received. A genuine callback still only triggers a status
// query: the published hash has no separators, so one hash covers many payloads (FACTS.md, "A hole in the published hash").
import { timingSafeEqual } from 'node:crypto'
import { hmacSha256, type HmacSha256 } from '../hmac.ts'
import { readFlatJson, type FlatValue } from './flat-json.ts'
import type { Callback, CallbackReading, CallbackRefusal, ReadCallback } from './upstream.ts'

/** Documented hash order of a success: all ten fields (FACTS.md, "Webhook hash"). */
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

/** Documented hash order of a failure (FACTS.md, "Failed webhook"). */
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

/** Fields that the service may send as JSON numbers; their lexeme is what was hashed. */
const MAY_BE_NUMBER: ReadonlySet<string> = new Set<Field>(['channel', 'amount', 'fees', 'result_code'])

/** A single spelling for each integer: `00`, `-0`, `+0` and `0.0` are not zero, or a failure `01` could be cut to a success `0`. */
const RESULT_CODE = /^(?:0|-?[1-9][0-9]{0,8})$/
const HASH = /^[0-9a-fA-F]{64}$/
const MAX_FIELDS = 32
const DEFAULT_MAX_BYTES = 16_384

export interface CallbackReaderOptions {
  /** Keys the hash: the consumer key, unless the contract says otherwise (`HC_HASH_KEY`). */
  readonly consumerKey: string
  /** Still accepted after a rotation (`HC_HASH_KEY_PREVIOUS`). */
  readonly previousKey?: string
  /** `documented` (default): the order of FACTS.md. `received`: the order of the keys in the body (`HC_HASH_ORDER`). */
  readonly hashOrder?: 'documented' | 'received'
  /** Longer bodies are `too_large`. Default 16,384. */
  readonly maxBytes?: number
}

/**
 * Creates the callback reader. The reader never throws: it returns the callback, or why it is not believed.
 *
 * @example
 * const readCallback = createCallbackReader({ consumerKey: settings.hashKey })
 * const reading = readCallback(new Uint8Array(await request.arrayBuffer()))
 */
export function createCallbackReader(options: CallbackReaderOptions): ReadCallback {
  const { hashOrder = 'documented', maxBytes = DEFAULT_MAX_BYTES } = options
  const current = hashKey(options.consumerKey)
  const previous = options.previousKey === undefined ? undefined : hashKey(options.previousKey)

  return function readCallback(raw) {
    if (raw.byteLength > maxBytes) return refused('too_large')
    const json = readFlatJson(raw, MAX_FIELDS)
    if (!json.ok) return refused(json.reason)
    const shaped = shape(json.fields)
    if (typeof shaped === 'string') return refused(shaped)

    const claimed = Buffer.from(shaped.hash.toLowerCase(), 'latin1')
    const text = hashOrder === 'documented' ? shaped.documented : asReceived(json.fields)
    const key = isHash(current, text, claimed) ? 'current' : isHash(previous, text, claimed) ? 'previous' : undefined
    if (key === undefined) return refused('bad_hash')
    const { content } = shaped
    if (!shaped.fits) return { ok: false, reason: 'wrong_shape', reference: content.reference }
    return { ok: true, callback: { ...content, key } }
  }
}

interface Shaped {
  readonly content: Omit<Callback, 'key'>
  /** The hashed text in the documented order. */
  readonly documented: string
  readonly hash: string
  /** Whether the fields are those of its kind. */
  readonly fits: boolean
}

/**
 * `result_code` gives the kind, which the fields must match (FACTS.md): a success has all ten, none empty; a failure its five and none of the
 * success-only ones. A null counts as missing.
 */
function shape(fields: ReadonlyMap<string, FlatValue>): Shaped | CallbackRefusal {
  for (const name of NEEDED) if (!fields.has(name)) return 'missing_field'
  const extraFields: string[] = []
  let wrong = false
  let asDocumented = true
  for (const [name, value] of fields) {
    const { kind } = value
    if (!KNOWN.has(name)) extraFields.push(name)
    else if (kind === 'nested') return 'not_flat'
    else if (kind !== 'string' && !(kind === 'number' && MAY_BE_NUMBER.has(name))) {
      // Neither true nor false has a text that one would hash; a null and a number do, so that the payment they name can be asked about.
      if (NEEDED.includes(name) || (kind === 'word' && !isNull(value))) wrong = true
      asDocumented = false
    }
  }
  if (wrong) return 'wrong_type'
  const text = (name: string) => hashedText(fields.get(name))
  const hash = text('hash')
  if (!HASH.test(hash)) return 'bad_hash'
  const resultCode = text('result_code')
  if (!RESULT_CODE.test(resultCode)) return 'wrong_type'

  const common = {
    channel: text('channel'),
    reference: text('reference'),
    transactionId: text('transaction_id'),
    resultCode,
    resultDescription: text('result_description'),
    extraFields,
  }
  if (resultCode !== '0') {
    const fits =
      asDocumented && FAILED_ORDER.every((name) => fields.has(name)) && !SUCCESS_ONLY.some((name) => fields.has(name))
    return { content: { kind: 'failed', ...common }, documented: joined(FAILED_ORDER, text), hash, fits }
  }
  const fits = asDocumented && !SUCCESS_ORDER.some((name) => text(name) === '')
  const content = {
    kind: 'success' as const,
    ...common,
    thirdPartyId: text('third_party_id'),
    currency: text('currency'),
    amount: text('amount'),
    fees: text('fees'),
    payerName: text('acc_name'),
  }
  return { content, documented: joined(SUCCESS_ORDER, text), hash, fits }
}

const isNull = ({ kind, text }: FlatValue) => kind === 'word' && text === 'null'

/** PHP joins a null as nothing. */
function hashedText(value: FlatValue | undefined): string {
  return value === undefined || isNull(value) ? '' : value.text
}

function joined(order: readonly Field[], text: (name: string) => string): string {
  let all = ''
  for (const name of order) all += text(name)
  return all
}

/** The hashed text in the order of the keys received; unknown fields are not part of it. */
function asReceived(fields: ReadonlyMap<string, FlatValue>): string {
  return [...fields]
    .filter(([name]) => name !== 'hash' && KNOWN.has(name))
    .map(([, value]) => hashedText(value))
    .join('')
}

function hashKey(key: string): HmacSha256 {
  // An empty key would let anybody compute the hash.
  if (key === '')
    throw new RangeError('The key of the webhook hash is empty; HC_CONSUMER_KEY or HC_HASH_KEY must hold it.')
  return hmacSha256(Buffer.from(key))
}

function isHash(mac: HmacSha256 | undefined, text: string, claimed: Buffer): boolean {
  return mac !== undefined && timingSafeEqual(Buffer.from(mac(text, 'hex'), 'latin1'), claimed)
}

function refused(reason: CallbackRefusal): CallbackReading {
  return { ok: false, reason }
}
