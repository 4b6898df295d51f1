// The sandbox's own signing and hashing against vectors made by the openssl command line, and
// callbacks in both published layouts.
import { describe, expect, test } from 'vitest'
import { callbackBody, recutBody } from '../../demo/sandbox/engine/callbacks.ts'
import { callbackHash, isSignedBy, readPublicKey } from '../../demo/sandbox/engine/signatures.ts'
import type { Transaction } from '../../demo/sandbox/engine/transaction.ts'
import { PRIVATE_KEY, PUBLIC_KEY, VECTORS } from './sandbox-fixture.ts'

const PLAIN = { extraField: false, decimalAmount: false }
const transactionOf = (payload: Record<string, string | number>): Transaction =>
  ({ ...payload, status_description: payload.result_description }) as unknown as Transaction

describe('vectors', () => {
  test.each(VECTORS.signature)('the deposit signature over $string is known', ({ string, base64 }) => {
    expect(isSignedBy(PUBLIC_KEY, string, base64)).toBe(true)
    expect(isSignedBy(PUBLIC_KEY, `${string}0`, base64)).toBe(false)
    expect(isSignedBy(PUBLIC_KEY, string, `A${base64.slice(1)}`)).toBe(false)
  })
  test.each(VECTORS.x_hash)('the x-hash of $business_id is known', ({ business_id, base64 }) => {
    expect(isSignedBy(PUBLIC_KEY, business_id, base64)).toBe(true)
  })
  test.each(VECTORS.status_query_signature)(
    'the query signature over $wallet_no and $reference is known',
    ({ wallet_no, reference, base64 }) => {
      expect(isSignedBy(PUBLIC_KEY, wallet_no + reference, base64)).toBe(true)
    },
  )
  test.each(VECTORS.webhook_hash)('a callback is written to the letter, with its hash $hash', ({ payload, hash }) => {
    expect(callbackBody(transactionOf(payload), VECTORS.consumer_key, PLAIN)).toBe(JSON.stringify({ ...payload, hash }))
  })
  test('the failed sample, cut anew as open-points.md shows, keeps its hash', () => {
    const { payload, hash } = VECTORS.webhook_hash[1]!
    expect(JSON.parse(recutBody(transactionOf(payload), VECTORS.consumer_key))).toEqual({
      channel: '420001',
      reference: 'HC01JD7Q3V9KES',
      transaction_id: 'CP7S36ULT8P',
      third_party_id: '',
      currency: '',
      amount: '',
      fees: '',
      acc_name: '1',
      result_code: 0,
      result_description: '32DS timeout user cannot be reached',
      hash,
    })
  })
  test('amounts as 2500.00 and extra fields, when switched on, are hashed as they are sent', () => {
    const { payload } = VECTORS.webhook_hash[0]!
    const body = JSON.parse(
      callbackBody(transactionOf(payload), 'key', { extraField: true, decimalAmount: true }),
    ) as Record<string, string>
    expect(body).toMatchObject({ amount: '2500.00', sandbox_extra: 'ignore me' })
    expect(body.hash).toBe(
      callbackHash('key', [
        '420001',
        'HC01JD7Q3V9KES',
        'CP7S36ULT8P',
        'SP7S36U3T8',
        'KES',
        '2500.00',
        '50',
        'Achieng Otieno',
        0,
        String(payload.result_description),
      ]),
    )
  })
})

describe('an uploaded public key', () => {
  test('is taken as PEM, also with \\n written as two characters', () => {
    expect(readPublicKey(PUBLIC_KEY)).toHaveProperty('pem')
    expect(readPublicKey(PUBLIC_KEY.replaceAll('\n', '\\n'))).toHaveProperty('pem')
  })
  test.each([
    ['a private key', PRIVATE_KEY, /private key/],
    ['nonsense', 'hello', /openssl rsa/],
    [
      'an elliptic key',
      '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9\nq9UU8I5mEovUf86QZ7kOBIjJwqnzD1omageEHWwHdBO6B+dFabmdT9POxg==\n-----END PUBLIC KEY-----',
      /RSA/,
    ],
  ])('is refused with a reason when it is %s', (_what, pem, reason) => {
    expect(readPublicKey(pem)).toEqual({ fault: expect.stringMatching(reason) })
  })
})
