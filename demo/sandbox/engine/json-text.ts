// The JSON of requests, with each number's text as it was sent, because a signature covers `2500`,
// not its float value. JSON.parse reads, and hands each text over as `source`; of two equal keys
// the last one counts, as for every reader of the platform. Deep nesting, half surrogates and
// broken UTF-8 are refused.

/** A JSON number as written in the text. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type JsonValue = null | boolean | string | NumberText | JsonValue[] | Map<string, JsonValue>

/** Why a text is not acceptable JSON. The message never holds the content. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'
}

const MAX_DEPTH = 16

/** @throws {JsonTextError} when the bytes are not well-formed UTF-8 or not acceptable JSON. */
export function readJson(bytes: Uint8Array): JsonValue {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new JsonTextError('Broken UTF-8')
  }
  try {
    return accepted(JSON.parse(text, keepNumber), 0)
  } catch (error) {
    if (error instanceof JsonTextError) throw error
    // V8 reads with its stack.
    if (error instanceof RangeError) throw new JsonTextError('Nested too deep')
    // Its message would quote the content.
    throw new JsonTextError('Unexpected text')
  }
}

function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value
}

/** @param value what JSON.parse returned, with a NumberText for each number */
function accepted(value: unknown, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new JsonTextError('Nested too deep')
  if (typeof value === 'string') return wellFormed(value)
  if (Array.isArray(value)) return value.map((item) => accepted(item, depth + 1))
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return value as JsonValue
  // A Map, so that `__proto__` is a name like any other.
  return new Map(Object.entries(value).map(([key, member]) => [wellFormed(key), accepted(member, depth + 1)]))
}

function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw new JsonTextError('Half of a surrogate pair')
  return text
}
