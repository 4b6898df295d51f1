// The test vectors and the throwaway key, typed, and a few genuine callbacks for the tests to
// tamper with.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CreateOrder, Held } from '../../server/deposits/ports/upstream.ts'

type Payload = Readonly<Record<string, string | number>>

interface Vectors {
  readonly consumer_key: string
  readonly signature: readonly [SignatureVector, ...SignatureVector[]]
  readonly x_hash: readonly [{ readonly business_id: string; readonly base64: string }]
  readonly status_query_signature: readonly [
    { readonly wallet_no: string; readonly reference: string; readonly string: string; readonly base64: string },
  ]
  readonly webhook_hash: readonly [WebhookVector, WebhookVector, WebhookVector]
}
interface SignatureVector {
  readonly channel: number
  readonly reference: string
  readonly currency: string
  readonly amount: number
  readonly string: string
  readonly base64: string
}
interface WebhookVector {
  readonly payload: Payload
  readonly hash: string
}

const at = (name: string) => readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')

export const vectors = JSON.parse(at('vectors.json')) as Vectors
export const testKey = at('test-key.pem')
export const consumerKey = vectors.consumer_key

/** The settings of the contract, by their defaults. */
export const contract = {
  queryPath: '/api/v2/payment/status-query',
  maxReference: 64,
  maxName: 100,
  maxDescription: 255,
}

export const SUCCESS_FIELDS = [
  'channel',
  'reference',
  'transaction_id',
  'third_party_id',
  'currency',
  'amount',
  'fees',
  'acc_name',
  'result_code',
  'result_description',
] as const
export const FAILED_FIELDS = ['channel', 'reference', 'transaction_id', 'result_code', 'result_description'] as const

/**
 * The hash as the document tells it, written apart from the product so that agreement proves
 * something.
 */
export function hashOf(payload: Payload, order: readonly string[], key = consumerKey): string {
  return createHmac('sha256', key)
    .update(order.map((name) => String(payload[name] ?? '')).join(''))
    .digest('hex')
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
export const body = (payload: Payload): Uint8Array => bytes(JSON.stringify(payload))

/** A payload with its hash, in the order of its kind. */
export function signed(payload: Payload, key = consumerKey): Uint8Array {
  const order = String(payload['result_code']) === '0' ? SUCCESS_FIELDS : FAILED_FIELDS
  return body({ ...payload, hash: hashOf(payload, order, key) })
}

export const success = vectors.webhook_hash[0].payload
export const failure = vectors.webhook_hash[1].payload

/** What the companion holds of the deposit that both are about. */
export const held: Held = { reference: 'HC01JD7Q3V9KES', currency: 'KES', amount: 2500, transactionId: 'CP7S36ULT8P' }

/** An order without phone and e-mail. */
export const order: CreateOrder = {
  reference: held.reference,
  walletNo: '4559494901',
  amount: 2500,
  currency: 'KES',
  description: 'Order 7',
  payerName: 'Achieng Otieno',
  resultUrl: 'https://shop.example/v1/webhook/capability',
}

/** A certificate that nobody vouches for, for 127.0.0.1, with its throwaway key. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmP+7QFaHBKAIHfRZ
Zam/9Ynl53/IJkgWPE03HRZcGLuhRANCAAQgfZle1s2/rDF2fDBzchDOUdzHafxc
jSy5e8e2rSVXscCaxXRoCLW8H+jJc0/+OXna++CzPibJ0KjBfm2Bequv
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUXNciHe5sGBxZoyNmj0a2nJucdz8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTA1MjIxNFoYDzIxMjYxMDI4
MDUyMjE0WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQgfZle1s2/rDF2fDBzchDOUdzHafxcjSy5e8e2rSVXscCaxXRoCLW8
H+jJc0/+OXna++CzPibJ0KjBfm2Bequvo2QwYjAdBgNVHQ4EFgQUJ914ifdTbLyw
s1AKFnxdNJVJUJowHwYDVR0jBBgwFoAUJ914ifdTbLyws1AKFnxdNJVJUJowDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
IQDFXvYzaHjSwmgxEss5sV7iTWJBq7fLA1PtiqjHHW1YvwIhAJwoWh8lVYLpBBWL
lRwfOcSnJk+aMDm45/j3zmqxDpMY
-----END CERTIFICATE-----`,
}
