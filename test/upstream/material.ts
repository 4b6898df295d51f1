// The test vectors and the throwaway key, typed, and a few honest callbacks for the tests to spoil.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Held } from '../../server/upstream/upstream.ts'

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

/** The hash as the document tells it, written apart from the product so that agreement proves something. */
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
