// Reads the body of a callback into its fields, in each form in which a service may send them:
// JSON, with or without a byte order mark, or a form; compressed by gzip or not. The documented
// form is plain JSON; no other may decide anything.
import { isUtf8 } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import { readFlatJson, type FlatFault, type FlatValue } from './flat-json.ts'

/** `plain`: the body without its compression, where it had one. */
export type BodyReading = { readonly plain?: Uint8Array } & (
  | { readonly ok: true; readonly fields: ReadonlyMap<string, FlatValue>; readonly asDocumented: boolean }
  | { readonly ok: false; readonly reason: FlatFault }
)

/** @param limits `maxBytes`: of the body, and of what comes out of it */
export function readCallbackBody(
  raw: Uint8Array,
  { maxBytes, maxFields }: { readonly maxBytes: number; readonly maxFields: number },
): BodyReading {
  if (raw.byteLength > maxBytes) return { ok: false, reason: 'too_large' }
  const isPacked = raw[0] === 0x1f && raw[1] === 0x8b
  const plain = isPacked ? unpacked(raw, maxBytes) : raw
  if (typeof plain === 'string') return { ok: false, reason: plain }
  const packing = isPacked ? { plain } : {}
  const form = isForm(plain) ? readForm(plain, maxFields) : undefined
  if (typeof form === 'string') return { ok: false, reason: form, ...packing }
  if (form !== undefined) return { ok: true, fields: form, asDocumented: false, ...packing }
  const json = readFlatJson(plain, maxFields)
  if (!json.ok) return { ok: false, reason: json.reason, ...packing }
  return { ok: true, fields: json.fields, asDocumented: !isPacked && plain[0] !== 0xef, ...packing }
}

/** Never more than the limit is unpacked, whatever the body claims. */
function unpacked(raw: Uint8Array, maxBytes: number): Uint8Array | FlatFault {
  try {
    return gunzipSync(raw, { maxOutputLength: maxBytes })
  } catch (error) {
    return error instanceof RangeError ? 'too_large' : 'not_json'
  }
}

/** A name of letters and an equals sign, with which no JSON begins. */
const isForm = (plain: Uint8Array): boolean =>
  /^[a-z_]{1,40}=/i.test(Buffer.from(plain.buffer, plain.byteOffset, Math.min(plain.byteLength, 41)).toString('latin1'))

/** All values of a form are texts. Of two equal names the last one counts, as in JSON. */
function readForm(plain: Uint8Array, maxFields: number): ReadonlyMap<string, FlatValue> | FlatFault {
  if (!isUtf8(plain)) return 'not_json'
  const fields = new Map<string, FlatValue>()
  for (const [name, text] of new URLSearchParams(new TextDecoder().decode(plain))) {
    // A hash covers the bytes that were sent; a replacement character may stand for others.
    if (`${name}${text}`.includes('\0') || `${name}${text}`.includes('\ufffd')) return 'not_json'
    fields.set(name, { kind: 'string', text })
    if (fields.size > maxFields) return 'too_large'
  }
  return fields
}
