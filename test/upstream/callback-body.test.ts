// The forms in which the body of a callback is read into its fields, and where each ends.
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readCallbackBody } from '../../server/upstream/callback-body.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const limits = { maxBytes: 200, maxFields: 3 }
const read = (raw: Uint8Array) => readCallbackBody(raw, limits)
const number = '{"amount":2500}'

it('plain JSON alone is the documented form', () => {
  const amount = { kind: 'number', text: '2500' }
  expect(read(bytes(number))).toEqual({ ok: true, asDocumented: true, fields: new Map([['amount', amount]]) })
  expect(read(bytes(`\ufeff${number}`))).toMatchObject({ ok: true, asDocumented: false })
  expect(read(gzipSync(number))).toMatchObject({ ok: true, asDocumented: false, plain: Buffer.from(number) })
  expect(read(bytes('amount=2500'))).toMatchObject({ ok: true, asDocumented: false })
})

it('a form is read into texts, the last of two equal names counts', () => {
  const form = read(bytes('amount=1&acc_name=Jean+Paul&amount=2'))
  expect(form).toEqual({
    ok: true,
    asDocumented: false,
    fields: new Map([
      ['amount', { kind: 'string', text: '2' }],
      ['acc_name', { kind: 'string', text: 'Jean Paul' }],
    ]),
  })
  const packed = gzipSync('amount=2500')
  expect(read(packed)).toMatchObject({ ok: true, plain: Buffer.from('amount=2500') })
})

it('a form begins with a name of at most 40 letters', () => {
  expect(read(bytes(`${'a'.repeat(40)}=1`))).toMatchObject({ ok: true })
  for (const text of [`${'a'.repeat(41)}=1`, '=1', '1a=1', ' a=1'])
    expect(read(bytes(text)), text).toEqual({ ok: false, reason: 'not_json' })
})

it('a form has as many fields as JSON may have, and no more', () => {
  expect(read(bytes('a=1&b=2&c=3'))).toMatchObject({ ok: true })
  expect(read(bytes('a=1&b=2&c=3&d=4'))).toEqual({ ok: false, reason: 'too_large' })
  const packed = gzipSync('a=1&b=2&c=3&d=4')
  expect(read(packed)).toEqual({ ok: false, reason: 'too_large', plain: Buffer.from('a=1&b=2&c=3&d=4') })
})

it('a form of bytes that are no text, or of a NUL, is none', () => {
  for (const raw of [Buffer.from('a=\u00e9', 'latin1'), bytes('a=%FF'), bytes('a=%00'), bytes('a%00=1')])
    expect(read(raw)).toEqual({ ok: false, reason: 'not_json' })
})

it('a body is measured before and after it is unpacked', () => {
  expect(read(bytes(`a=${'1'.repeat(198)}`))).toMatchObject({ ok: true })
  expect(read(bytes(`a=${'1'.repeat(199)}`))).toEqual({ ok: false, reason: 'too_large' })
  expect(read(gzipSync(`a=${'1'.repeat(199)}`))).toEqual({ ok: false, reason: 'too_large' })
})

it('what is packed badly, or holds no fields, is refused with its bytes', () => {
  expect(read(gzipSync(number).subarray(0, -9))).toEqual({ ok: false, reason: 'not_json' })
  expect(read(gzipSync('none'))).toEqual({ ok: false, reason: 'not_json', plain: Buffer.from('none') })
})
