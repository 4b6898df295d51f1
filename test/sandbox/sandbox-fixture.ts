// A sandbox for tests: in memory, on a clock that only tests move, with a merchant, a signer and a
// receiver of callbacks.
import { createHmac, createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../demo/sandbox/sandbox.ts'

const vector = (name: string): string => readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')
export const PRIVATE_KEY = vector('test-key.pem')
export const PUBLIC_KEY = vector('test-key.pub.pem')
export const VECTORS = JSON.parse(vector('vectors.json')) as {
  consumer_key: string
  signature: { string: string; base64: string }[]
  x_hash: { business_id: string; base64: string }[]
  status_query_signature: { wallet_no: string; reference: string; base64: string }[]
  webhook_hash: { payload: Record<string, string | number>; hash: string }[]
}

export const START = Date.UTC(2026, 10, 21, 9, 0, 0)

export const WALLETS: Record<string, string> = {
  KES: '4559494901',
  TZS: '4559494902',
  UGX: '4559494903',
  ETB: '4559494904',
  SOS: '4559494905',
  RWF: '4559494906',
  BIF: '4559494907',
  NGN: '4559494908',
  GHS: '4559494909',
  XOF: '4559494910',
}

export const MERCHANT = {
  businessId: 'BIZ-0042',
  consumerKey: VECTORS.consumer_key,
  consumerSecret: 'cs_test_0c7a51',
  publicKey: PUBLIC_KEY,
  wallets: WALLETS,
  name: 'Duka la Achieng',
}

const keys = new Map<string, KeyObject>()

/** The merchant's signature over a text, Base64. */
export function signed(text: string, pem: string = PRIVATE_KEY): string {
  const key = keys.get(pem) ?? createPrivateKey(pem)
  keys.set(pem, key)
  return sign('sha256', Buffer.from(text), key).toString('base64')
}

export interface Callback {
  at: number
  url: string
  raw: string
  body: Record<string, string | number>
}

export interface PaymentChanges {
  currency?: string
  [field: string]: string | number | undefined
}

export interface SandboxFixture {
  sandbox: Sandbox
  /** Genuine and forged callbacks, as they arrived. */
  callbacks: Callback[]
  /** What the receiver answers; 200 until changed. */
  receiver: { answer: (url: string) => Response | Promise<Response> }
  request(path: string, init?: RequestInit): Promise<Response>
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; json: Envelope; headers: Headers }>
  login(): Promise<string>
  create(
    changes?: Record<string, unknown>,
    token?: string,
  ): Promise<{ status: number; json: Envelope; headers: Headers }>
  query(reference: string, currency?: string): Promise<{ status: number; json: Envelope; headers: Headers }>
  console(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Envelope>
}

// oxlint-disable-next-line typescript/no-explicit-any
export type Envelope = { success: boolean; message: string; data: any; errors?: Record<string, string[]> }

export function createSandboxFixture(options: Partial<SandboxOptions> = {}): SandboxFixture {
  const callbacks: Callback[] = []
  const receiver: SandboxFixture['receiver'] = { answer: () => new Response('OK') }
  let count = 0
  const sandbox: Sandbox = createSandbox({
    publicUrl: 'http://127.0.0.1:8788',
    merchant: MERCHANT,
    now: () => START,
    rate: false,
    fetch: async (input, init) => {
      const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url
      const raw = typeof init?.body === 'string' ? init.body : ''
      callbacks.push({ at: sandbox.clock.now(), url, raw, body: JSON.parse(raw) as Callback['body'] })
      return receiver.answer(url)
    },
    ...options,
  })
  const request = async (path: string, init?: RequestInit): Promise<Response> => sandbox.app.request(path, init)
  const post: SandboxFixture['post'] = async (path, body, headers = {}) => {
    const response = await request(path, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, json: (await response.json()) as Envelope, headers: response.headers }
  }
  const login = async (): Promise<string> => {
    const { consumerKey: consumer_key, consumerSecret: consumer_secret } = MERCHANT
    return (await post('/api/v2/auth/login', { consumer_key, consumer_secret })).json.data.access_token as string
  }
  return {
    sandbox,
    callbacks,
    receiver,
    request,
    post,
    login,
    async create(changes: PaymentChanges = {}, token?: string) {
      count += 1
      const body: PaymentChanges = {
        wallet_no: WALLETS[changes.currency ?? 'KES'],
        reference: `ORD-${count}`,
        acc_name: 'Achieng Otieno',
        acc_no: '254712345678',
        email: 'achieng@example.com',
        amount: 2500,
        currency: 'KES',
        channel: 420001,
        description: 'Deposit',
        result_url: 'https://merchant.example/webhook/abc',
        ...changes,
      }
      return post('/api/v2/payment/', body, {
        Authorization: `Bearer ${token ?? (await login())}`,
        Signature: signed(`${body.channel}${body.reference}${body.currency}${body.amount}`),
        'x-hash': signed(MERCHANT.businessId),
      })
    },
    async query(reference, currency = 'KES') {
      const wallet_no = WALLETS[currency]
      return post(
        '/api/v2/payment/status-query',
        { wallet_no, reference },
        { Authorization: `Bearer ${await login()}`, Signature: signed(`${wallet_no}${reference}`) },
      )
    },
    async console(method, path, body) {
      const response = await request(`/console/api/${path}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return (await response.json()) as Envelope
    },
  }
}

/** The hash as a merchant would compute it, in the documented order. */
export function hashOf(body: Record<string, string | number>, consumerKey = MERCHANT.consumerKey): string {
  const order =
    body.result_code === 0
      ? [
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
        ]
      : ['channel', 'reference', 'transaction_id', 'result_code', 'result_description']
  return createHmac('sha256', consumerKey)
    .update(order.map((name) => body[name] ?? '').join(''))
    .digest('hex')
}
