// Reads an answer that is compressed although `identity` was asked: some gateways do that to everything that passes. The limit is of what comes out, or a
// small answer could fill the memory.
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { codeOf } from '../error-code.ts'
import type { TransportFault } from './transport.ts'

type Decompress = (bytes: Buffer, options: ZlibOptions) => Buffer

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

/** The codings of a Content-Encoding header, in the order in which they were applied; undefined when one of them is not known here. */
export function codingsOf(header: string): readonly string[] | undefined {
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  const codings = names.filter((name) => name !== '' && name !== 'identity')
  return codings.length <= MOST_CODINGS && codings.every((name) => DECOMPRESS.has(name)) ? codings : undefined
}

/** The bytes without their codings. An empty body has none: no compressor has seen it. */
export function decompress(
  bytes: Buffer,
  codings: readonly string[],
  maxBytes: number,
): Buffer | { readonly fault: TransportFault } {
  if (bytes.length === 0) return bytes
  try {
    return codings.reduceRight(
      (left, name) => DECOMPRESS.get(name)?.(left, { maxOutputLength: maxBytes }) ?? left,
      bytes,
    )
  } catch (error) {
    return { fault: codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'encoded' }
  }
}
