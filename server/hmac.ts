// HMAC-SHA-256 (RFC 2104) by two one-shot hashes: the objects and buffers of node:crypto's createHmac cost four times as much as the hashing
// itself. test/server/hmac.test.ts compares it with createHmac.
import { hash } from 'node:crypto'

const BLOCK = 64
const DIGEST = 32

/** The 32-byte MAC of a text in UTF-8, in the given encoding. */
export type HmacSha256 = (text: string, encoding: 'hex' | 'base64url' | 'binary') => string

let inner = Buffer.alloc(1024)

/** @param key bytes of any length */
export function hmacSha256(key: Uint8Array): HmacSha256 {
  const block = Buffer.alloc(BLOCK)
  block.set(key.byteLength > BLOCK ? hash('sha256', key, 'buffer') : key)
  const innerPad = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.alloc(BLOCK + DIGEST)
  outer.set(block.map((byte) => byte ^ 0x5c))
  return function mac(text, encoding) {
    // A UTF-16 code unit is at most three bytes in UTF-8.
    const most = BLOCK + text.length * 3
    if (inner.length < most) inner = Buffer.alloc(most)
    inner.set(innerPad)
    const length = BLOCK + inner.write(text, BLOCK, 'utf8')
    outer.write(hash('sha256', inner.subarray(0, length), 'binary'), BLOCK, 'latin1')
    return hash('sha256', outer, encoding)
  }
}
