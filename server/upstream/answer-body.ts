// The body of an answer, read up to a limit, and without a compression that nobody asked for: some
// gateways compress everything that passes. undici's `interceptors.decompress` is not used: it
// calls itself experimental, and warns so on stderr at each start; and it reads no raw deflate.
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { codeOf } from '../platform/error-code.ts'
import { OUR_CODES } from './faults.ts'

type Decompress = (bytes: Uint8Array, options: ZlibOptions) => Buffer

/** `deflate` is zlib's format (RFC 9110, 8.4.1.2); some servers send what is within it. */
const inflate: Decompress = (bytes, options) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)

const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflate],
  ['br', brotliDecompressSync],
])
/** Nobody compresses more than twice. */
const MOST_CODINGS = 2

const fault = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code })

/** All bytes, or an error if there are more than `maxBytes`. */
export async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    // Leaving the loop ends the stream.
    if (length > maxBytes) throw fault(OUR_CODES.tooLarge)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/**
 * The body without the codings of its Content-Encoding header. `maxBytes` is of what comes out, or
 * a small answer could fill the memory.
 */
export async function* plainBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase())
  const codings = names.filter((name) => name !== '' && name !== 'identity')
  if (codings.length === 0) yield* body
  else yield decompress(await readBytes(body, maxBytes), codings, maxBytes)
}

/** An empty body has no codings: no compressor has seen it. */
function decompress(bytes: Buffer, codings: readonly string[], maxBytes: number): Buffer {
  if (bytes.length === 0) return bytes
  if (codings.length > MOST_CODINGS || codings.some((name) => !DECOMPRESS.has(name))) throw fault(OUR_CODES.encoded)
  try {
    return codings.reduceRight(
      (left, name) => DECOMPRESS.get(name)?.(left, { maxOutputLength: maxBytes }) ?? left,
      bytes,
    )
  } catch (error) {
    throw fault(codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? OUR_CODES.tooLarge : OUR_CODES.encoded)
  }
}
