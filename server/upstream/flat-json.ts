// Reads one flat JSON object and keeps each number as it was written: `1000.00` stays `1000.00`, as
// the service hashed it. JSON.parse does the reading, and hands each text over as `source`; of two
// equal names the last one counts, as for JSON.parse itself.
import { isUtf8 } from 'node:buffer'

/**
 * `text` is unescaped for strings, the text as written for numbers, the word for `true`, `false`,
 * `null`, and empty for an object or array, whose content is not kept.
 */
export interface FlatValue {
  readonly kind: 'string' | 'number' | 'word' | 'nested'
  readonly text: string
}

export type FlatFault = 'not_json' | 'not_flat' | 'too_large'

/**
 * Fields in the order received, or why there are none. A Map, so that `__proto__` is a name like
 * any other.
 */
export type FlatReading =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, FlatValue> }
  | { readonly ok: false; readonly reason: FlatFault }

/** Deeper nesting is `too_large`. */
const MAX_DEPTH = 32

/** An object or array of which each member was read already. */
interface Nested {
  readonly members: object
  /** Levels of objects and arrays, with this one. */
  readonly levels: number
}
type Read = Exclude<FlatValue, { kind: 'nested' }> | Nested

/** What no UTF-8 hash could cover: NUL and half a surrogate pair, in whatever spelling. */
const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * JSON.parse calls it for each value, from the inside out; each is replaced by what was read of it.
 */
function revive(name: string, value: unknown, context?: { readonly source?: string }): Read {
  if (!isText(name)) throw new SyntaxError('A name is no text.')
  if (typeof value === 'object' && value !== null) {
    const below = (Object.values(value) as Read[]).map((one) => ('levels' in one ? one.levels : 0))
    return { members: value, levels: 1 + Math.max(0, ...below) }
  }
  if (typeof value === 'string') {
    if (!isText(value)) throw new SyntaxError('A string is no text.')
    return { kind: 'string', text: value }
  }
  if (context?.source === undefined) throw new SyntaxError('This engine does not tell how a value was written.')
  return { kind: typeof value === 'number' ? 'number' : 'word', text: context.source }
}

/**
 * Reads one RFC 8259 JSON object; objects and arrays in it are read and left out: the service may
 * add a field of any type. A byte order mark before it means nothing (RFC 8259, 8.1). Refuses bytes
 * that are not UTF-8, NUL and lone surrogates.
 *
 * @param maxFields more fields than this are `too_large`.
 */
export function readFlatJson(raw: Uint8Array, maxFields: number): FlatReading {
  if (!isUtf8(raw)) return refused('not_json')
  let read: Read
  try {
    read = JSON.parse(new TextDecoder().decode(raw), revive) as Read
  } catch (error) {
    // Nesting that overflows the stack of JSON.parse.
    return refused(error instanceof RangeError ? 'too_large' : 'not_json')
  }
  if (!('levels' in read)) return refused('not_json')
  if (Array.isArray(read.members)) return refused('not_flat')
  const members = Object.entries(read.members) as (readonly [string, Read])[]
  if (members.length > maxFields || read.levels > MAX_DEPTH + 1) return refused('too_large')
  return {
    ok: true,
    fields: new Map(members.map(([name, one]) => [name, 'levels' in one ? { kind: 'nested', text: '' } : one])),
  }
}

const refused = (reason: FlatFault): FlatReading => ({ ok: false, reason })
