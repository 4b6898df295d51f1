// Answers of the service as they may arrive byte for byte.
import { expect, it } from 'vitest'
import { readBanks, readCreated, readFound, readRefusal, readToken } from '../../server/upstream/wire.ts'

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

it('a number is read as the text of its digits wherever texts are only compared or shown', () => {
  const data = '"reference":77,"transaction_id":12345678901234567890,"amount":2500.00,"currency":"KES"'
  const numbers = { reference: '77', transactionId: '12345678901234567890', amount: '2500.00', currency: 'KES' }
  expect(readCreated(`{"success":true,"data":{${data},"redirect_url":"https://pay.example/s"}}`)).toEqual({
    ...numbers,
    checkoutUrl: 'https://pay.example/s',
  })
  expect(readFound(`{"success":true,"data":{${data},"status":"SUCCESS","status_description":4}}`)).toEqual({
    ...numbers,
    status: 'SUCCESS',
    description: '4',
  })
  expect(readFound('{"success":true,"data":{"reference":"R","status":3}}')).toEqual({
    reference: 'R',
    status: 'PENDING',
    unknownStatus: '3',
  })
  expect(readToken(fine({ access_token: 123_456, expires_in: '60' }))).toEqual({ token: '123456', lifeMs: 60_000 })
  expect(readBanks('{"success":true,"data":[{"name":360,"code":0.10}]}')?.banks).toEqual([
    { name: '360', code: '0.10' },
  ])
  expect(readRefusal('{"success":false,"message":1032}')?.message).toBe('1032')
  for (const none of [true, {}, ['CP1']])
    expect(
      readCreated(fine({ transaction_id: none, reference: 'R', redirect_url: 'https://pay.example/s' })),
    ).toBeUndefined()
})
