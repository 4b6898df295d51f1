// An endless, seeded generator of forged callbacks: invented, mutated, replayed, wrongly signed,
// and above all re-cut, the hole in the published hash (open-points.md). The forger has genuine
// callbacks, knows our data, chose the payer's name, and lacks only the key. Used for functions
// (forgeries.test.ts) and over HTTP.
import { FAILED_FIELDS, hashOf, SUCCESS_FIELDS } from './material.ts'
import type { Held } from '../../server/deposits/ports/upstream.ts'

export type Fields = Readonly<Record<string, string>>

export interface Forgery {
  readonly raw: Uint8Array
  /** The deposit to whose address it is sent. */
  readonly held: Held
  /** How it was made. */
  readonly kind: ForgeryKind
  /** What the service really said of this deposit, or undefined when it said nothing. */
  readonly truth: Fields | undefined
}

export type ForgeryKind =
  | 'invented'
  | 'other-key'
  | 'field-changed'
  | 'bytes-changed'
  | 'hash-swapped'
  | 'replayed'
  | 'digits-moved'
  | 'cut-at-random'
  | 'cut-to-fit-success'
  | 'cut-to-fit-failure'
  | 'cut-from-failure'
  | 'other-types'
  | 'other-shape'
  | 'odd-json'

export interface ForgeriesOptions {
  readonly seed: number
  readonly consumerKey: string
  /** Deposits to attack; invented unless given. */
  readonly deposits?: readonly Held[]
}

const KINDS: readonly ForgeryKind[] = [
  'invented',
  'other-key',
  'field-changed',
  'bytes-changed',
  'hash-swapped',
  'replayed',
  'digits-moved',
  'cut-at-random',
  'cut-to-fit-success',
  'cut-to-fit-failure',
  'cut-from-failure',
  'other-types',
  'other-shape',
  'odd-json',
]
const CURRENCIES = ['KES', 'TZS', 'UGX', 'ETB', 'SOS', 'RWF', 'BIF', 'NGN', 'GHS', 'XOF']
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const utf8 = new TextEncoder()

interface Genuine {
  readonly held: Held
  readonly fields: Fields
  readonly hash: string
  readonly text: string
}

/** Endless forgeries; the same seed and deposits give the same ones. */
export function createForgeries(options: ForgeriesOptions): { next(): Forgery } {
  const { consumerKey } = options
  const random = sfc32(options.seed)
  const below = (count: number) => Math.floor(random() * count)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const chance = (share: number) => random() < share
  const letters = (count: number, alphabet = CROCKFORD) =>
    Array.from({ length: count }, () => alphabet[below(alphabet.length)]).join('')
  const digits = (count: number) => letters(count, '0123456789')

  const invent = (): Held => ({
    reference: `HC${pick(['T', 'L'])}${letters(21)}`,
    currency: pick(CURRENCIES),
    amount: pick([1, 10, 100, 2500, 25_000, 1_500_000, 1 + below(100_000)]),
    ...(chance(0.8) ? { transactionId: pick([`CP${letters(9)}`, digits(8), `${digits(3)}${letters(4)}`]) } : {}),
  })
  const deposits: readonly Held[] = options.deposits ?? Array.from({ length: 64 }, invent)

  /** A name that the forger typed into the form: digits, codes and tails where they hurt most. */
  const chosenName = (held: Held) =>
    pick([
      'Achieng Otieno',
      'Aïssata Traoré',
      '0000 Jean',
      '5',
      `${digits(3)} Jean`,
      `Jean${digits(2)}`,
      `${held.currency}${held.amount}0`,
      'Jean0',
      '0OK',
      '"}\\',
    ])
  const genuine = (held: Held, failed = chance(0.5)): Genuine => {
    const transactionId = held.transactionId ?? `CP${letters(9)}`
    const start = { channel: '420001', reference: held.reference, transaction_id: transactionId }
    const fields: Record<string, string> = failed
      ? { ...start, result_code: pick(['1032', '1037', '1', '20', '51']), result_description: chosenDescription(held) }
      : {
          ...start,
          third_party_id: pick([`SP${letters(8)}`, `${1 + below(9)}${letters(7)}`, digits(10)]),
          currency: held.currency,
          amount: `${held.amount}${pick(['', '', '.00', '.0'])}`,
          fees: pick(['0', '50', '7500', '25.00']),
          acc_name: chosenName(held),
          result_code: '0',
          result_description: pick([
            'The service request is processed successfully.',
            'Opération réussie',
            '0',
            '00 OK',
          ]),
        }
    const order = failed ? FAILED_FIELDS : SUCCESS_FIELDS
    return { held, fields, hash: hashOf(fields, order, consumerKey), text: order.map((name) => fields[name]).join('') }
  }
  /**
   * A failure's description that quotes what the payer typed, the worst of them a whole success
   * (F10).
   */
  const chosenDescription = (held: Held) =>
    pick([
      'DS timeout user cannot be reached',
      'Insufficient funds',
      '0',
      `${digits(2)} left`,
      `P1${held.currency}${held.amount}0Jean0OK`,
      `${digits(2)}P${held.currency}${held.amount}.005Jean0OK`,
      `x${held.currency}${held.amount}10A00`,
    ])
  const write = (fields: Readonly<Record<string, unknown>>) => utf8.encode(JSON.stringify(fields))
  const hashed = (fields: Fields, hash: string) => write({ ...fields, hash })
  const mutateText = (text: string): string => {
    const at = below(text.length + 1)
    return pick([
      () => text.slice(0, at) + text.slice(at + 1),
      () =>
        `${text.slice(0, at)}${pick([digits(1), letters(1), ' ', '.', '-', '\u0000', '\u0301', '０'])}${text.slice(at)}`,
      () => text.slice(0, at) + digits(1) + text.slice(at + 1),
      () => text.toLowerCase(),
      () => ` ${text}`,
      () => `${text}0`,
      () => '',
    ])()
  }
  /** Cuts a signed text into the fields of `order`, at the ends given or at random. */
  const cut = (text: string, order: readonly string[], fixed: Readonly<Record<string, string>>): Fields => {
    const fields: Record<string, string> = {}
    let at = 0
    order.forEach((name, index) => {
      const wanted = fixed[name]
      const last = index === order.length - 1
      const length = last
        ? text.length - at
        : wanted !== undefined
          ? wanted.length
          : Math.min(below(12), text.length - at)
      fields[name] = text.slice(at, at + length)
      at += length
    })
    return fields
  }
  /** Every end of `third_party_id` at which the currency and the amount that we hold follow. */
  const fitSuccess = (text: string, held: Held, transactionId: string): Fields | undefined => {
    const head = `420001${held.reference}${transactionId}`
    if (!text.startsWith(head)) return undefined
    const money = `${held.currency}${held.amount}`
    const places: number[] = []
    for (let at = text.indexOf(money, head.length + 1); at >= 0; at = text.indexOf(money, at + 1)) places.push(at)
    if (places.length === 0) return undefined
    const at = pick(places)
    const zeros = /^\.0+/.exec(text.slice(at + money.length))?.[0] ?? ''
    const rest = text.slice(at + money.length + below(zeros.length + 1))
    const codes = Array.from(rest.matchAll(/0/g), (found) => found.index).filter((index) => index >= 2)
    if (codes.length === 0) return undefined
    const code = pick(codes)
    const fees = 1 + below(code - 1)
    return {
      channel: '420001',
      reference: held.reference,
      transaction_id: transactionId,
      third_party_id: text.slice(head.length, at),
      currency: held.currency,
      amount: text.slice(at + held.currency.length, text.length - rest.length),
      fees: rest.slice(0, fees),
      acc_name: rest.slice(fees, code),
      result_code: '0',
      result_description: rest.slice(code + 1),
    }
  }
  /**
   * Every code that a success's text offers behind the transaction id, or behind a longer one while
   * none is known.
   */
  const fitFailure = (text: string, held: Held, transactionId: string): Fields | undefined => {
    const start = `420001${held.reference}`.length
    const ends: number[] = []
    const first = start + (held.transactionId === undefined ? 0 : transactionId.length)
    for (let at = first; at < text.length; at += 1) {
      if (/[1-9]/.test(text[at] ?? '')) ends.push(at)
      if (held.transactionId !== undefined) break
    }
    if (ends.length === 0) return undefined
    const at = pick(ends)
    const run = /^[0-9]{1,9}/.exec(text.slice(at))?.[0].length ?? 1
    const length = 1 + below(run)
    return {
      channel: '420001',
      reference: held.reference,
      transaction_id: text.slice(start, at),
      result_code: text.slice(at, at + length),
      result_description: text.slice(at + length),
    }
  }
  const moveDigits = (fields: Fields): Fields => {
    const order = SUCCESS_FIELDS.filter((name) => fields[name] !== undefined)
    const index = below(order.length - 1)
    const [left, right] = [order[index] as string, order[index + 1] as string]
    const both = `${fields[left]}${fields[right]}`
    const at = below(both.length + 1)
    return { ...fields, [left]: both.slice(0, at), [right]: both.slice(at) }
  }
  const spoilJson = (text: string, fields: Fields): Uint8Array => {
    const name = pick(Object.keys(fields))
    const member = `${JSON.stringify(name)}:${JSON.stringify(fields[name])}`
    return pick<() => Uint8Array>([
      () => utf8.encode(`\uFEFF${text}`),
      () => utf8.encode(`[${text}]`),
      () => utf8.encode(text + text),
      () => utf8.encode(`${text.slice(0, -1)},${member}}`),
      () =>
        utf8.encode(
          `${text.slice(0, -1)},"\\u${(name.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}${name.slice(1)}":"9"}`,
        ),
      () =>
        utf8
          .encode(`${text.slice(0, -1)},"${pick(['Amount', 'amount ', 'AMOUNT', '__proto__', 'constructor'])}":"1"}`)
          .slice(0, text.length + below(9)),
      () => utf8.encode(text.replace(member, `${JSON.stringify(name)}:{"a":${JSON.stringify(fields[name])}}`)),
      () => utf8.encode(text.replace(member, `${JSON.stringify(name)}:[${JSON.stringify(fields[name])}]`)),
      () => utf8.encode(`${text.slice(0, -1)},${Array.from({ length: 40 }, (_one, at) => `"x${at}":1`).join(',')}}`),
      () => utf8.encode(text + ' '.repeat(20_000)),
      () => utf8.encode(text.slice(0, below(text.length))),
      () => new Uint8Array(Buffer.from(text, 'utf16le')),
      () => new Uint8Array(0),
      () => utf8.encode('['.repeat(1 + below(8000))),
    ])()
  }

  function make(kind: ForgeryKind): Forgery | undefined {
    const one = genuine(pick(deposits))
    const { held, fields, hash } = one
    const forged = (raw: Uint8Array, truth: Fields | undefined = fields): Forgery => ({ raw, held, kind, truth })
    switch (kind) {
      case 'invented':
        return forged(
          hashed(fields, pick([letters(64, '0123456789abcdef'), '0'.repeat(64), '', letters(63, '0123456789abcdef')])),
          undefined,
        )
      case 'other-key': {
        const order = fields['amount'] === undefined ? FAILED_FIELDS : SUCCESS_FIELDS
        return forged(
          hashed(
            fields,
            hashOf(fields, order, pick(['other', `${consumerKey} `, consumerKey.toUpperCase(), 'null', 'undefined'])),
          ),
          undefined,
        )
      }
      case 'field-changed': {
        const name = pick(Object.keys(fields))
        const changed = mutateText(fields[name] ?? '')
        return changed === fields[name] ? undefined : forged(hashed({ ...fields, [name]: changed }, hash))
      }
      case 'bytes-changed': {
        const raw = hashed(fields, hash)
        const at = below(raw.length)
        raw[at] = (raw[at] ?? 0) ^ (1 << below(8))
        return forged(chance(0.2) ? raw.slice(0, at) : raw)
      }
      case 'hash-swapped':
        return forged(hashed(fields, genuine(pick(deposits)).hash))
      case 'replayed': {
        const other = pick(deposits)
        return other.reference === held.reference
          ? undefined
          : { raw: hashed(fields, hash), held: other, kind, truth: undefined }
      }
      case 'digits-moved': {
        const moved = moveDigits(fields)
        return moved['reference'] === undefined ? undefined : forged(hashed(moved, hash))
      }
      case 'cut-at-random': {
        const order = chance(0.5) ? SUCCESS_FIELDS : FAILED_FIELDS
        const all: Fields = {
          channel: '420001',
          reference: held.reference,
          transaction_id: fields['transaction_id'] ?? '',
          currency: held.currency,
          result_code: '0',
        }
        const fixed = Object.fromEntries(Object.entries(all).filter(() => chance(0.7)))
        return forged(hashed(cut(one.text, order, fixed), hash))
      }
      case 'cut-to-fit-success':
      case 'cut-from-failure': {
        const source = genuine(held, kind === 'cut-from-failure')
        const fitted = fitSuccess(source.text, held, source.fields['transaction_id'] ?? '')
        return fitted === undefined ? undefined : forged(hashed(fitted, source.hash), source.fields)
      }
      case 'cut-to-fit-failure': {
        const source = genuine(held)
        const fitted = fitFailure(source.text, held, source.fields['transaction_id'] ?? '')
        return fitted === undefined ? undefined : forged(hashed(fitted, source.hash), source.fields)
      }
      case 'other-types': {
        const name = pick([...Object.keys(fields), 'hash'])
        const text = JSON.stringify({ ...fields, hash })
        const member = `${JSON.stringify(name)}:${JSON.stringify(name === 'hash' ? hash : fields[name])}`
        const lexeme = pick([
          'null',
          'true',
          '1e3',
          '2500.000',
          '-0',
          '9007199254740993',
          '0',
          '""',
          `${held.amount}e0`,
          `${held.amount}.00`,
          '1032.0',
        ])
        return forged(utf8.encode(text.replace(member, `${JSON.stringify(name)}:${lexeme}`)))
      }
      case 'other-shape': {
        const shaped: Record<string, string> = { ...fields, hash }
        const name = pick(SUCCESS_FIELDS)
        if (shaped[name] === undefined || chance(0.3))
          shaped[name] = pick(['', '0', '1', held.currency, String(held.amount)])
        else delete shaped[name]
        return forged(write(shaped))
      }
      case 'odd-json':
        return forged(spoilJson(JSON.stringify({ ...fields, hash }), fields))
    }
  }

  return {
    next() {
      for (;;) {
        const forgery = make(pick(KINDS))
        // What came out as the genuine callback itself is no forgery.
        if (forgery !== undefined && !isTruth(forgery)) return forgery
      }
    },
  }
}

function isTruth(forgery: Forgery): boolean {
  const { truth } = forgery
  if (truth === undefined) return false
  const { hash: _hash, ...fields } = asReceived(forgery.raw) ?? {}
  const names = Object.keys(truth)
  return names.length === Object.keys(fields).length && names.every((name) => fields[name] === truth[name])
}

/**
 * The fields of a body with numbers as they were written, by JSON.parse: another way than the
 * product's own reader.
 */
export function asReceived(raw: Uint8Array): Readonly<Record<string, string>> | undefined {
  const keep = (_name: string, value: unknown, context?: { readonly source: string }) =>
    typeof value === 'number' ? context?.source : value
  try {
    const read: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw), keep)
    return typeof read === 'object' && read !== null ? (read as Record<string, string>) : undefined
  } catch {
    return undefined
  }
}

/** Small, quick and good enough to choose by: sfc32. */
function sfc32(seed: number): () => number {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, seed | 0]
  const next = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return (t >>> 0) / 4_294_967_296
  }
  for (let round = 0; round < 15; round += 1) next()
  return next
}
