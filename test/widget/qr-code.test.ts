// The QR code of a payment's link, compared with hashes of the output of another encoder (uqr 0.1.3, level M, the same mask), each of
// which was also read by jsQR 1.4.0.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { qrCode } from '../../widget/qr-code.ts'

const long = `https://pay.shop.example/pay/d${'k7x0Z_9-é'.repeat(100)}`

/** The longest beginning of `long` that has no more than so many bytes. */
function beginning(bytes: number): string {
  let text = long.slice(0, bytes)
  while (new TextEncoder().encode(text).length > bytes) text = text.slice(0, -1)
  return text
}

const drawn = (text: string): string => (qrCode(text) ?? []).map((row) => row.map(Number).join('')).join('\n')

// Most bytes of a version, its modules a side, and the other encoder's drawing.
const others: readonly (readonly [number, number, string])[] = [
  [14, 21, 'a7ec85fc334bc7e6'],
  [26, 25, '502b8e44f644fd74'],
  [42, 29, '4c3c21391d9f9cda'],
  [62, 33, 'd6b2a76bb65cfaf8'],
  [84, 37, '3e93764918a3091d'],
  [106, 41, 'de4b19b181f47560'],
  [122, 45, 'c6df64ef978da7d5'],
  [152, 49, '80052d094b1e5eac'],
  [180, 53, 'fe2aa576a82b5133'],
  [213, 57, 'b11b51518df83886'],
  [251, 61, '4cfc9aea2bcb4f6f'],
  [287, 65, '797618519b4b78e0'],
  [331, 69, '9cb10c9f0571b736'],
  [362, 73, '4daf63be7c3974e3'],
  [412, 77, 'aa81ac49974be90f'],
  [450, 81, '2ed6382db38ba49e'],
  [504, 85, 'cfaba626ea3e40ca'],
  [560, 89, '196821d38a380edc'],
  [624, 93, '2d5e493c353456da'],
  [666, 97, '945c009e34aa6629'],
]

describe('a QR code', () => {
  for (const [bytes, side, hash] of others)
    it(`of ${bytes} bytes is what another encoder draws, ${side} modules a side`, () => {
      const picture = drawn(beginning(bytes))
      expect(picture.indexOf('\n')).toBe(side)
      expect(createHash('sha256').update(picture).digest('hex').slice(0, 16)).toBe(hash)
    })

  it('takes the smallest symbol that holds the text', () => {
    expect(qrCode('x'.repeat(84))?.length).toBe(37)
    expect(qrCode('x'.repeat(85))?.length).toBe(41)
  })

  it('is not drawn for a text that no symbol of ours holds', () => {
    expect(qrCode('x'.repeat(667))).toBeUndefined()
  })
})
