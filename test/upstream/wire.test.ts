// Answers of the service as they may arrive byte for byte.
import { expect, it } from 'vitest'
import { readCreated, readFound, readRefusal, readToken } from '../../server/upstream/wire.ts'

const MARK = '\ufeff'
const fine = (data: unknown) => JSON.stringify({ success: true, message: 'Success', data })

it.each([
  ['login', readToken, fine({ access_token: 'token-1', token_type: 'bearer', expires_in: 3600 })],
  ['deposit', readCreated, fine({ transaction_id: 'CP1', reference: 'R', redirect_url: 'https://pay.example/s' })],
  ['query', readFound, fine({ transaction_id: 'CP1', reference: 'R', status: 'SUCCESS' })],
  ['refusal', readRefusal, JSON.stringify({ success: false, message: 'Unauthorized.' })],
] as const)('an answer that begins with a byte order mark is read like any other: %s', (_what, read, text) => {
  expect(read(text)).toBeDefined()
  expect(read(MARK + text)).toEqual(read(text))
  expect(read(`${MARK}${MARK}${text}`)).toBeUndefined()
})

it('a refusal that is nested deeper than can be written is none, and throws nothing', () => {
  const nested = (depth: number) =>
    `{"success":false,"message":"No.","errors":{"amount":${'['.repeat(depth)}${']'.repeat(depth)}}}`
  expect(readRefusal(nested(20))).toMatchObject({ message: 'No.', fields: ['amount'] })
  expect(readRefusal(nested(200_000))).toBeUndefined()
})
