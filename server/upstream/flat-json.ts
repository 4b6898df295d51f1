// A strict reader of one flat JSON object that keeps numbers as written: `1000.00` stays `1000.00`, as the service hashed it. JSON.parse can neither
// do that nor refuse duplicate keys. Scans by hand, since every callback passes through here.
import { isUtf8 } from 'node:buffer'

/** `text` is unescaped for strings, the lexeme for numbers, the word for `true`, `false`, `null`, and empty for an object or array, whose content is not kept. */
export interface FlatValue {
  readonly kind: 'string' | 'number' | 'word' | 'nested'
  readonly text: string
}

export type FlatFault = 'not_json' | 'not_flat' | 'duplicate_field' | 'too_large'

/** Fields in the order received, or why there are none. A Map, so that `__proto__` is a name like any other. */
export type FlatReading =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, FlatValue> }
  | { readonly ok: false; readonly reason: FlatFault }

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORD = /true|false|null/y
const HEX4 = /[0-9a-fA-F]{4}/y
/** Deeper nesting is `too_large`: each level is a call on the stack. */
const MAX_DEPTH = 32
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Internal: carries the reason out of the scan. */
class Fault extends Error {
  readonly reason: FlatFault
  constructor(reason: FlatFault) {
    super(reason)
    this.reason = reason
  }
}

/**
 * Reads one RFC 8259 JSON object. Objects and arrays in it are checked and skipped: the service may add a field of any type. Refuses a byte-order mark, bytes that are not UTF-8, NUL and lone surrogates in any spelling (no
 * UTF-8 hash could cover them), and names that are duplicates after unescaping.
 *
 * @param maxFields more fields than this are `too_large`.
 */
export function readFlatJson(raw: Uint8Array, maxFields: number): FlatReading {
  try {
    return { ok: true, fields: new Scanner(decode(raw)).document(maxFields) }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, reason: error.reason }
    throw error
  }
}

function decode(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if (!isUtf8(bytes)) throw new Fault('not_json')
  // A byte-order mark is kept here, and then refused as invalid JSON.
  return bytes.toString('utf8')
}

/** A cursor over the text. Each private method consumes what it is named for, and throws a `Fault` if something else comes next. */
class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The whole text: one object, and nothing but white space around it. */
  document(maxFields: number): Map<string, FlatValue> {
    this.#space()
    if (this.#text[this.#at] === '[') throw new Fault('not_flat')
    this.#take('{')
    const fields = new Map<string, FlatValue>()
    this.#space()
    while (this.#text[this.#at] !== '}') {
      if (fields.size > 0) {
        this.#take(',')
        this.#space()
      }
      if (fields.size === maxFields) throw new Fault('too_large')
      const name = this.#string()
      if (fields.has(name)) throw new Fault('duplicate_field')
      this.#space()
      this.#take(':')
      this.#space()
      fields.set(name, this.#value(0))
      this.#space()
    }
    this.#at += 1
    this.#space()
    if (this.#at !== this.#text.length) throw new Fault('not_json')
    return fields
  }

  /** @param depth of the object or array around it; that of the document is 0. */
  #value(depth: number): FlatValue {
    const first = this.#text[this.#at]
    if (first === '"') return { kind: 'string', text: this.#string() }
    if (first === '{' || first === '[') return this.#nested(depth + 1)
    const number = this.#match(NUMBER)
    if (number !== undefined) return { kind: 'number', text: number }
    const word = this.#match(WORD)
    if (word === undefined) throw new Fault('not_json')
    return { kind: 'word', text: word }
  }

  #nested(depth: number): FlatValue {
    if (depth > MAX_DEPTH) throw new Fault('too_large')
    const close = this.#text[this.#at] === '{' ? '}' : ']'
    this.#at += 1
    this.#space()
    for (let isFirst = true; this.#text[this.#at] !== close; isFirst = false) {
      if (!isFirst) {
        this.#take(',')
        this.#space()
      }
      if (close === '}') {
        this.#string()
        this.#space()
        this.#take(':')
        this.#space()
      }
      this.#value(depth)
      this.#space()
    }
    this.#at += 1
    return { kind: 'nested', text: '' }
  }

  #string(): string {
    this.#take('"')
    let read = ''
    let from = this.#at
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === 0x22) break
      // NaN is the end of the text; characters below 0x20 must be escaped.
      if (!(code >= 0x20)) throw new Fault('not_json')
      this.#at += 1
      if (code !== 0x5c) continue
      read += this.#text.slice(from, this.#at - 1) + this.#escape()
      from = this.#at
    }
    read += this.#text.slice(from, this.#at)
    this.#at += 1
    if (read.includes('\0') || !read.isWellFormed()) throw new Fault('not_json')
    return read
  }

  /** What follows a backslash. */
  #escape(): string {
    const character = this.#text[this.#at]
    this.#at += 1
    if (character !== 'u') {
      const plain = character === undefined ? undefined : ESCAPES[character]
      if (plain === undefined) throw new Fault('not_json')
      return plain
    }
    const hex = this.#match(HEX4)
    if (hex === undefined) throw new Fault('not_json')
    return String.fromCharCode(Number.parseInt(hex, 16))
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at += 1
    }
  }

  #take(character: string): void {
    if (this.#text[this.#at] !== character) throw new Fault('not_json')
    this.#at += 1
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }
}
