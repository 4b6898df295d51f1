// A strict JSON reader for requests: refuses duplicate keys, deep nesting, lone surrogates and invalid UTF-8, and keeps each number's text as it was
// sent, because a signature covers `2500`, not its float value.

/** A JSON number as written in the text. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type JsonValue = null | boolean | string | NumberText | JsonValue[] | Map<string, JsonValue>

/** Why a text is not acceptable JSON. The message gives the position, never the content. */
export class JsonTextError extends Error {
  constructor(what: string, at: number) {
    super(`${what} at character ${at}`)
    this.name = 'JsonTextError'
  }
}

const MAX_DEPTH = 16
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** @throws {JsonTextError} when the bytes are not well-formed UTF-8 or not acceptable JSON. */
export function readJson(bytes: Uint8Array): JsonValue {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new JsonTextError('Broken UTF-8', 0)
  }
  return new Reader(text).document()
}

class Reader {
  #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): JsonValue {
    const value = this.#value(0)
    this.#space()
    if (this.#at < this.#text.length) throw this.#fault('Unexpected text')
    return value
  }

  #fault(what: string): JsonTextError {
    return new JsonTextError(what, this.#at)
  }

  #space(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? 'end')) this.#at += 1
  }

  #value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw this.#fault('Nested too deep')
    this.#space()
    const next = this.#text[this.#at]
    if (next === '{') return this.#object(depth)
    if (next === '[') return this.#array(depth)
    if (next === '"') return this.#string()
    for (const [word, value] of [
      ['null', null],
      ['true', true],
      ['false', false],
    ] as const) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length
        return value
      }
    }
    NUMBER.lastIndex = this.#at
    const number = NUMBER.exec(this.#text)
    if (!number) throw this.#fault('Unexpected text')
    this.#at += number[0].length
    return new NumberText(number[0])
  }

  #object(depth: number): Map<string, JsonValue> {
    const members = new Map<string, JsonValue>()
    this.#at += 1
    this.#space()
    if (this.#take('}')) return members
    do {
      this.#space()
      if (this.#text[this.#at] !== '"') throw this.#fault('Expected a key')
      const key = this.#string()
      // Two readers of the same text must not see different amounts.
      if (members.has(key)) throw this.#fault('Duplicate key')
      this.#space()
      if (!this.#take(':')) throw this.#fault('Expected ":"')
      members.set(key, this.#value(depth + 1))
      this.#space()
    } while (this.#take(','))
    if (!this.#take('}')) throw this.#fault('Expected "}"')
    return members
  }

  #array(depth: number): JsonValue[] {
    const items: JsonValue[] = []
    this.#at += 1
    this.#space()
    if (this.#take(']')) return items
    do {
      items.push(this.#value(depth + 1))
      this.#space()
    } while (this.#take(','))
    if (!this.#take(']')) throw this.#fault('Expected "]"')
    return items
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #string(): string {
    let out = ''
    this.#at += 1
    for (;;) {
      const character = this.#text[this.#at]
      if (character === undefined) throw this.#fault('Unfinished string')
      this.#at += 1
      if (character === '"') break
      if (character < ' ') throw this.#fault('Control character in a string')
      out += character === '\\' ? this.#escape() : character
    }
    if (!out.isWellFormed()) throw this.#fault('Half of a surrogate pair')
    return out
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? ''
    this.#at += 1
    if (letter !== 'u') {
      const character = ESCAPES[letter]
      if (character === undefined) throw this.#fault('Unknown escape')
      return character
    }
    const digits = this.#text.slice(this.#at, this.#at + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#fault('Unknown escape')
    this.#at += 4
    return String.fromCharCode(Number.parseInt(digits, 16))
  }
}
