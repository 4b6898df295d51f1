// The whole system in one process: sandbox, companion and a shop's backend, connected by injected
// fetches and one clock that tests move. No sockets, no sleeps.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { createCompanion } from '../../server/companion.ts'
import type { Companion, CompanionOptions } from '../../server/companion.ts'
import type { CreatedSession, Notice } from '../../server/contract/index.ts'
import { createSandbox } from '../../demo/sandbox/sandbox.ts'
import type { Sandbox } from '../../demo/sandbox/sandbox.ts'
import { readSettings } from '../../server/settings/settings.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import type { Store } from '../../server/deposits/ports/store.ts'

export const SANDBOX_URL = 'http://127.0.0.1:8788'
export const COMPANION_URL = 'http://127.0.0.1:8787'
export const SHOP_URL = 'http://127.0.0.1:8080'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

export const wallets = {
  KES: '4559494901', TZS: '4559494902', UGX: '4559494903', ETB: '4559494904', SOS: '4559494905',
  RWF: '4559494906', BIF: '4559494907', NGN: '4559494908', GHS: '4559494909', XOF: '4559494910',
} as const // prettier-ignore

export const keys = {
  consumerKey: 'ck_test_5f0f2d7b9c',
  consumerSecret: 'cs_test_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  businessId: 'BIZ-0042',
  merchantKey: 'mk_test_c0ffee00c0ffee00c0ffee00c0ffee00',
  secret: 'is_test_00112233445566778899aabbccddeeff',
  notifySecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  privateKey,
  publicKey,
} as const

/** As the sandbox knows the shop. */
export const merchant = {
  businessId: keys.businessId,
  consumerKey: keys.consumerKey,
  consumerSecret: keys.consumerSecret,
  publicKey: keys.publicKey,
  wallets,
  name: 'Duka la Jua',
} as const

/** As the socket of a request from this machine. */
export const SAME_MACHINE = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }

export interface TestSystemOptions {
  readonly store?: Store
  readonly settings?: Partial<Settings>
  readonly companion?: Partial<CompanionOptions>
  readonly agent?: { afterSeconds: number } | false
  readonly start?: number
  /** Intercepts every request between the parts; may answer instead of the other side, or fail. */
  readonly network?: (request: Request, next: () => Promise<Response>) => Promise<Response>
}

export interface TestSystem {
  readonly sandbox: Sandbox
  readonly companion: Companion
  readonly store: Store
  readonly settings: Settings
  readonly now: () => number
  /** Notices that the shop's backend received and verified, in order. */
  readonly notices: { readonly id: string; readonly body: Notice }[]
  /** Moves the clock and runs sandbox and companion second by second. */
  advance(seconds: number): Promise<void>
  /** A request of the shop's page. */
  browser(path: string, init?: RequestInit): Promise<Response>
  /** A request of the shop's backend. */
  backend(path: string, init?: RequestInit): Promise<Response>
  /** A request of a person at the hosted page or console. */
  service(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** What a merchant gives a companion: environment variables. */
export function environment(folder: string): Record<string, string> {
  return {
    HC_AUTH_URL: SANDBOX_URL,
    HC_BASE_URL: SANDBOX_URL,
    HC_CONSUMER_KEY: keys.consumerKey,
    HC_CONSUMER_SECRET: keys.consumerSecret,
    HC_PRIVATE_KEY: keys.privateKey,
    HC_BUSINESS_ID: keys.businessId,
    HC_WALLETS: Object.entries(wallets)
      .map((pair) => pair.join(':'))
      .join(','),
    HC_PUBLIC_URL: COMPANION_URL,
    HC_ALLOWED_ORIGINS: SHOP_URL,
    HC_CHECKOUT_ORIGINS: SANDBOX_URL,
    HC_DATABASE_URL: `file:${join(folder, 'hc.db')}`,
    HC_SECRET: keys.secret,
    HC_MERCHANT_KEY: keys.merchantKey,
    HC_PORT: '0',
  }
}

export function testSettings(changes: Partial<Settings> = {}): Settings {
  const settings = readSettings({
    ...environment('.'),
    HC_DATABASE_URL: 'file::memory:',
    HC_NOTIFY_URL: `${SHOP_URL}/notices`,
    HC_NOTIFY_SECRET: keys.notifySecret,
    HC_DESCRIPTION: 'Duka la Jua',
  })
  return { ...settings, ...changes }
}

export async function createTestSystem(options: TestSystemOptions = {}): Promise<TestSystem> {
  let clock = options.start ?? Date.UTC(2026, 10, 21, 9, 0, 0)
  const now = () => clock
  const sleepers: { until: number; wake: () => void }[] = []
  const sleep = (ms: number) => new Promise<void>((wake) => sleepers.push({ until: clock + ms, wake }))
  const notices: { id: string; body: Notice }[] = []
  const settings = testSettings(options.settings)
  const store = options.store ?? sqliteStore({ path: ':memory:' })

  async function shopBackend(request: Request): Promise<Response> {
    const text = await request.text()
    const id = request.headers.get('webhook-id') ?? ''
    const at = new Date(Number(request.headers.get('webhook-timestamp')) * 1000)
    // The library's verification uses the machine's clock; here the clock is moved, so sign again
    // and compare.
    const expected = new Webhook(keys.notifySecret).sign(id, at, text)
    if (!(request.headers.get('webhook-signature') ?? '').split(' ').includes(expected))
      return new Response(null, { status: 401 })
    notices.push({ id, body: JSON.parse(text) as Notice })
    return new Response(null, { status: 204 })
  }

  const network: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { origin } = new URL(request.url)
    const next = async (): Promise<Response> => {
      if (origin === SANDBOX_URL) return sandbox.app.request(request)
      if (origin === COMPANION_URL) return companion.app.request(request)
      if (origin === SHOP_URL) return shopBackend(request)
      throw new TypeError(`fetch failed: no such host ${origin}`)
    }
    return options.network === undefined ? next() : options.network(request, next)
  }

  const sandbox = createSandbox({
    database: ':memory:',
    publicUrl: SANDBOX_URL,
    merchant,
    now,
    random: (bytes) => randomBytes(bytes),
    fetch: network,
    agent: options.agent ?? { afterSeconds: 4 },
    allowHttpResultUrl: true,
    rate: 1500,
  })
  const companion = createCompanion({ settings, store, now, sleep, fetch: network, ...options.companion })

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
    await companion.idle()
  }

  return {
    sandbox,
    companion,
    store,
    settings,
    now,
    notices,
    async advance(seconds) {
      for (let second = 0; second < seconds; second++) {
        clock += 1000
        for (const sleeper of sleepers.filter(({ until }) => until <= clock)) {
          sleepers.splice(sleepers.indexOf(sleeper), 1)
          sleeper.wake()
        }
        await sandbox.tick()
        await companion.tick()
        await settle()
      }
    },
    browser: async (path, init = {}) => {
      const headers = new Headers(init.headers)
      if (!headers.has('origin')) headers.set('origin', SHOP_URL)
      if (init.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
      return companion.app.request(`${COMPANION_URL}${path}`, { ...init, headers }, SAME_MACHINE)
    },
    backend: async (path, init = {}) => {
      const headers = new Headers(init.headers)
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${keys.merchantKey}`)
      if (init.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
      return companion.app.request(`${COMPANION_URL}${path}`, { ...init, headers }, SAME_MACHINE)
    },
    service: async (path, init = {}) => sandbox.app.request(`${SANDBOX_URL}${path}`, init),
    async close() {
      await companion.close()
      await sandbox.close()
      await store.close()
    },
  }
}

/** Request body of a payment in Kenya, with changes. */
export function kenyanDeposit(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    country: 'KE',
    currency: 'KES',
    amount: 2500,
    bankCode: '01',
    payer: { name: 'Achieng Otieno', phone: '0712345678' },
    ...changes,
  }
}

/**
 * Presses Pay, as the widget does: a payment in Kenya, with changes. Each has a key of its own,
 * unless one is given.
 */
export function pay(
  { browser }: Pick<TestSystem, 'browser'>,
  changes: Record<string, unknown> = {},
  key = newKey(),
): Promise<Response> {
  const body = JSON.stringify(kenyanDeposit(changes))
  return browser('/v1/deposits', { method: 'POST', headers: { 'idempotency-key': key }, body })
}

const orders = new WeakMap<TestSystem['backend'], number>()

/**
 * A session of the shop's backend for KES 2,500, with changes; each for an order of its own, A-1,
 * A-2 and so on.
 */
export async function createSession(
  { backend }: Pick<TestSystem, 'backend'>,
  changes: Record<string, unknown> = {},
): Promise<CreatedSession> {
  const number = (orders.get(backend) ?? 0) + ('orderId' in changes ? 0 : 1)
  orders.set(backend, number)
  const body = { amount: 2500, currency: 'KES', orderId: `A-${number}`, description: 'Solar lamp', ...changes }
  const response = await backend('/v1/sessions', { method: 'POST', body: JSON.stringify(body) })
  if (response.status !== 201) throw new Error(`The session was answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as CreatedSession
}

/** Like the widget's: it begins with the time. */
export function newKey(): string {
  return `${Date.now()}-${randomBytes(18).toString('base64url')}`
}
