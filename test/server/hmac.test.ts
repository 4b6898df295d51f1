// Our HMAC (RFC 2104) gives the same bytes as node:crypto's for any key and text.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hmacSha256 } from '../../server/hmac.ts'

it('gives the bytes that node:crypto gives, for keys of any length and texts in any script', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 2000 }), { maxLength: 4 }),
      (key, texts) => {
        const mac = hmacSha256(key)
        for (const text of texts) {
          const wanted = createHmac('sha256', key).update(text).digest('hex')
          expect(mac(text, 'hex')).toBe(wanted)
          expect(Buffer.from(mac(text, 'base64url'), 'base64url').toString('hex')).toBe(wanted)
          expect(Buffer.from(mac(text, 'binary'), 'latin1').toString('hex')).toBe(wanted)
        }
      },
    ),
    { numRuns: 300 },
  )
})

it.each([63, 64, 65])('with a key of %d bytes, around the size of a block', (length) => {
  const key = Buffer.alloc(length, 0xa5)
  expect(hmacSha256(key)('x', 'hex')).toBe(createHmac('sha256', key).update('x').digest('hex'))
})

it('a long text after a short one and a short one after a long one are not mixed', () => {
  const key = Buffer.from('k')
  const mac = hmacSha256(key)
  for (const text of ['a', 'b'.repeat(5000), 'c', '', 'é'.repeat(3000)])
    expect(mac(text, 'hex')).toBe(createHmac('sha256', key).update(text).digest('hex'))
})
