// The client: circuit breaker, Retry-After, health, unusable settings, and what never leaves it. On
// a clock that tests move.
import { generateKeyPairSync } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CreateDeposit } from '../../server/contract/index.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { createUpstreamClient, type UpstreamClientOptions } from '../../server/upstream/client.ts'
import { UpstreamSettingError } from '../../server/platform/private-key.ts'
import type { CreateOrder, Upstream } from '../../server/deposits/ports/upstream.ts'
import { contract, selfSigned, testKey, vectors } from './material.ts'
import { createManualTimers, createService, enveloped, fine } from './service.ts'

const order: CreateOrder = {
  reference: 'HC01JD7Q3V9KES',
  walletNo: '4559494901',
  amount: 2500,
  currency: 'KES',
  description: 'Order 7',
  payerName: 'Canary Payer',
  payerPhone: '254700111222',
  payerEmail: 'canary@example.com',
  resultUrl: 'https://shop.example/v1/webhook/canary-capability',
}
const asked = { walletNo: order.walletNo, reference: order.reference }
const START = Date.UTC(2026, 10, 21, 12)

let service: ReturnType<typeof createService>
let upstream: Upstream
let at: number
let chance: number
let log: unknown[][]
/** What the network does instead of passing a call on. */
let broken: string | undefined

const offline = async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
  if (broken === undefined) return service.fetch(input, init)
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(broken), { code: broken }) })
}
const write = (...line: unknown[]) => void log.push(line)
const base: Omit<UpstreamClientOptions, 'fetch'> = {
  authUrl: 'https://api.example',
  baseUrl: 'https://api.example',
  consumerKey: 'ck_canary_key',
  consumerSecret: 'cs_canary_secret',
  privateKey: testKey,
  ...contract,
  businessId: 'BIZ-canary',
  now: () => at,
  random: (count) => new Uint8Array(count).fill(chance),
  logger: { debug: write, info: write, warn: write, error: write },
}
const client = (more: Partial<UpstreamClientOptions> = {}) =>
  createUpstreamClient({ ...base, timers: createManualTimers(), fetch: offline, ...more })

beforeEach(() => {
  at = START
  chance = 0
  log = []
  broken = undefined
  service = createService()
  upstream = client()
})

describe('a service that is not there', () => {
  async function fail(times: number) {
    broken = 'ECONNRESET'
    for (let call = 0; call < times; call += 1) await upstream.query(asked)
  }

  it('is left alone after five failures in a row', async () => {
    await upstream.warmUp()
    await fail(4)
    expect(upstream.isDown()).toBe(false)
    await fail(1)
    expect(upstream.isDown()).toBe(true)
    expect(upstream.health().breaker).toBe('open')
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'breaker_open', retryAfterMs: 750 })
    expect(await upstream.query(asked)).toEqual({ kind: 'failed', reason: 'breaker_open', retryAfterMs: 750 })
    await expect(upstream.banks('KE')).rejects.toMatchObject({ code: 'upstream_unavailable', retryAfter: 1 })
    expect(service.seen.deposit).toHaveLength(0)
  })

  it('counts failures in a row only: any answer, even a 500, shows that it lives', async () => {
    await upstream.warmUp()
    for (let round = 0; round < 5; round += 1) {
      await fail(4)
      broken = undefined
      service.doors.query = () => ({ status: 500 })
      await upstream.query(asked)
    }
    expect(upstream.health().breaker).toBe('closed')
  })

  it.each([
    ['too_large', { status: 200, body: 'x'.repeat(2_000_000) }],
    ['encoded', { status: 200, headers: { 'content-encoding': 'gzip' }, body: '{}' }],
  ])('is not one whose answers are %s: it is there, and payments go on', async (reason, answer) => {
    const address = await service.listen()
    try {
      upstream = createUpstreamClient({ ...base, authUrl: address, baseUrl: address })
      service.doors.query = () => answer
      for (let call = 0; call < 6; call += 1) expect(await upstream.query(asked)).toEqual({ kind: 'failed', reason })
      expect(upstream.health().breaker).toBe('closed')
      expect((await upstream.create(order)).kind).toBe('created')
    } finally {
      await upstream.close()
      await service.close()
    }
  })

  it('is tried by one call alone, and waited for longer each time', async () => {
    await upstream.warmUp()
    await fail(5)
    const waits: number[] = []
    for (let round = 0; round < 9; round += 1) {
      const outcome = await upstream.query(asked)
      const wait = outcome.kind === 'failed' ? (outcome.retryAfterMs ?? 0) : 0
      waits.push(wait)
      at += wait
      expect(upstream.isDown()).toBe(false)
      expect(upstream.health().breaker).toBe('half_open')
      const pair = await Promise.all([upstream.query(asked), upstream.query(asked)])
      expect(new Set(pair.map((one) => one.kind === 'failed' && one.reason))).toEqual(
        new Set(['reset', 'breaker_open']),
      )
    }
    expect(waits).toEqual([750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000])
  })

  it('serves at once when a try is answered', async () => {
    await upstream.warmUp()
    await fail(5)
    at += 750
    broken = undefined
    expect((await upstream.create(order)).kind).toBe('created')
    expect(upstream.health().breaker).toBe('closed')
    await fail(4)
    expect(upstream.isDown()).toBe(false)
  })

  it('is waited for by several instances at different times', async () => {
    chance = 255
    await upstream.warmUp()
    await fail(5)
    expect(await upstream.query(asked)).toMatchObject({ retryAfterMs: 1_250 })
  })

  it('is not waited for by a clock that was set back a day', async () => {
    await upstream.warmUp()
    await fail(5)
    at -= 86_400_000
    broken = undefined
    expect((await upstream.query(asked)).kind).toBe('found')
  })

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED', 'UND_ERR_CONNECT_TIMEOUT'])(
    'by %s is down as well, and certainly processed nothing',
    async (code) => {
      await upstream.warmUp()
      broken = code
      for (let call = 0; call < 5; call += 1) expect((await upstream.create(order)).kind).toBe('not_processed')
      expect(upstream.isDown()).toBe(true)
      expect(JSON.stringify(log)).toContain('created nothing')
    },
  )

  it.each(['EHOSTUNREACH', 'UND_ERR_SOCKET', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'SOMETHING_NEW'])(
    'by %s may have processed it',
    async (code) => {
      await upstream.warmUp()
      broken = code
      expect((await upstream.create(order)).kind).toBe('unknown')
      // Whoever reads the log must not take it for a no.
      expect(JSON.stringify(log)).toContain('is not known')
      expect(JSON.stringify(log)).not.toContain('created nothing')
    },
  )

  it('is down while it asks for a longer pause than a customer waits', async () => {
    await upstream.warmUp()
    service.doors.query = () => enveloped(429, 'Rate limit exceeded.', { 'retry-after': '60' })
    await upstream.query(asked)
    expect(upstream.isDown()).toBe(true)
    at += 40_000
    expect(upstream.isDown()).toBe(false)
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'paused', retryAfterMs: 20_000 })
  })

  it('is down while a refused login is held back, and serves those who have a token', async () => {
    await upstream.warmUp()
    service.doors.login = () => enveloped(400, 'Invalid credentials.')
    at = START + 3_000_000
    expect((await upstream.query(asked)).kind).toBe('found')
    expect(upstream.isDown()).toBe(false)
    at = START + 3_600_000
    await upstream.query(asked)
    expect(upstream.isDown()).toBe(true)
    at += 300_000
    expect(upstream.isDown()).toBe(false)
  })

  it('while only its login is down serves those who have a token', async () => {
    upstream = client({ authUrl: 'https://auth.example' })
    await upstream.warmUp()
    const pass = service.fetch
    service.fetch = async (input, init) => {
      const { url } = input as Request
      if (url.startsWith('https://auth.'))
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
      return pass(input, init)
    }
    for (let call = 0; call < 10; call += 1) {
      at = START + 3_000_000 + call * 6_000
      expect((await upstream.query(asked)).kind).toBe('found')
    }
    expect(upstream.health()).toMatchObject({ login: 'unreachable', hasToken: true, breaker: 'closed' })
    expect(upstream.isDown()).toBe(false)
    at = START + 3_600_000
    expect(upstream.health()).toMatchObject({ hasToken: false, breaker: 'half_open' })
    for (let call = 0; call < 2; call += 1) expect((await upstream.create(order)).kind).toBe('not_processed')
    // Without a token there is nothing to wait for but the login.
    expect(upstream.isDown()).toBe(true)
    expect(await upstream.create(order)).toEqual({
      kind: 'not_processed',
      reason: 'login_unreachable',
      retryAfterMs: expect.any(Number),
    })
    expect(service.seen.deposit).toHaveLength(0)
  })
})

describe('Retry-After', () => {
  it.each([
    [429, '12', 12_000],
    [429, new Date(START + 12_000).toUTCString(), 12_000],
    [503, '12', 12_000],
  ])('of a %i (%s) is obeyed by every call', async (status, header, ms) => {
    service.doors.query = () => ({ status, headers: { 'retry-after': header } })
    await upstream.query(asked)
    at += ms - 1
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'paused', retryAfterMs: 1 })
    expect(await upstream.query(asked)).toEqual({ kind: 'failed', reason: 'paused', retryAfterMs: 1 })
    await expect(upstream.banks('KE')).rejects.toMatchObject({ code: 'upstream_unavailable', retryAfter: 1 })
    expect(service.seen.deposit).toHaveLength(0)
    at += 1
    expect((await upstream.create(order)).kind).toBe('created')
  })

  it('is never shortened by a second one', async () => {
    const answers = ['60', '1']
    service.doors.query = () => ({ status: 429, headers: { 'retry-after': answers.shift() ?? '0' } })
    // Neither is answered before both were sent: the second would be held back.
    const sent = service.called('query', 2)
    upstream = client({
      fetch: async (input, init) => {
        const answer = await service.fetch(input, init)
        if (service.seen.query.length > 0) await sent
        return answer
      },
    })
    await upstream.warmUp()
    await Promise.all([upstream.query(asked), upstream.query(asked)])
    expect(answers).toEqual([])
    at += 59_999
    expect(await upstream.query(asked)).toMatchObject({ reason: 'paused' })
  })

  it.each([86_400_000, 600_000])(
    'does not hold longer when the clock is set back by %i ms, and the next is obeyed',
    async (step) => {
      service.doors.query = () => ({ status: 429, headers: { 'retry-after': '60' } })
      await upstream.query(asked)
      at -= step
      expect((await upstream.create(order)).kind).toBe('created')
      await upstream.query(asked)
      expect(await upstream.create(order)).toMatchObject({ reason: 'paused', retryAfterMs: 60_000 })
    },
  )

  it('missing in a 503 is no pause, though a 429 without one is', async () => {
    service.doors.query = () => ({ status: 503 })
    await upstream.query(asked)
    expect((await upstream.create(order)).kind).toBe('created')
    service.doors.query = () => ({ status: 429 })
    await upstream.query(asked)
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'paused', retryAfterMs: 1000 })
  })

  it('of a 500 means nothing', async () => {
    service.doors.query = () => ({ status: 500, headers: { 'retry-after': '60' } })
    await upstream.query(asked)
    expect((await upstream.create(order)).kind).toBe('created')
  })
})

describe('health', () => {
  it('shows a refused address until the service lets us in again', async () => {
    const { deposit } = service.doors
    service.doors.deposit = () => enveloped(403, 'IP address not allowed.')
    await upstream.create(order)
    expect(upstream.health().addressRefused).toBe(true)
    service.doors.query = () => ({ status: 500 })
    await upstream.query(asked)
    expect(upstream.health().addressRefused).toBe(true)
    service.doors.deposit = deposit
    await upstream.create(order)
    expect(upstream.health().addressRefused).toBe(false)
  })

  it('takes no other refusal for one of our address', async () => {
    service.doors.deposit = () => enveloped(403, 'Channel 420001 is not allocated to this wallet.')
    expect(await upstream.create(order)).toMatchObject({ kind: 'refused', status: 403 })
    expect(upstream.health().addressRefused).toBe(false)
  })

  it('shows a missing query path, and that it is back', async () => {
    const { query } = service.doors
    service.doors.query = () => ({ status: 404 })
    await upstream.query(asked)
    expect(upstream.health().queryPath).toBe('missing')
    service.doors.query = query
    await upstream.query(asked)
    expect(upstream.health().queryPath).toBe('ok')
  })

  it('warns of a missing query path once, not for each payment', async () => {
    const warnings: unknown[] = []
    const warn = (...line: unknown[]) => void warnings.push(line)
    upstream = client({ logger: { debug: write, info: write, warn, error: write } })
    const ask = async (status: number) => {
      service.doors.query = () => ({ status })
      await upstream.query(asked)
    }
    for (const status of [404, 404, 501]) await ask(status)
    expect([warnings.length, log.filter((line) => line.includes('the payment service told no state')).length]).toEqual([
      1, 2,
    ])
    await ask(500)
    expect(warnings).toHaveLength(2)
  })
})

describe('the bank list', () => {
  it('leaves out what is no bank, and the second of two with one code', async () => {
    const rows = [
      { name: ' A ', code: '1' },
      { name: 'B', code: '1' },
      { name: '', code: '2' },
      null,
      'x',
      { name: 'C', code: true },
      { name: 'E', code: 3 },
      { name: 'D', code: '4' },
    ]
    service.doors.banks = () => fine(rows)
    expect(await upstream.banks('KE')).toEqual([
      { name: 'A', code: '1' },
      { name: 'E', code: '3' },
      { name: 'D', code: '4' },
    ])
  })

  it('leaves out a bank with which nobody could pay: the body of a deposit takes no such code, or PostgreSQL no such name', async () => {
    service.doors.banks = () =>
      fine([
        { name: 'A', code: '1\n2' },
        { name: 'B\0', code: '3' },
        { name: 'C', code: '4'.repeat(33) },
        { name: 'D', code: '5'.repeat(32) },
      ])
    const banks = await upstream.banks('KE')
    expect(banks.map(({ name }) => name)).toEqual(['D'])
    expect(CreateDeposit.shape.bankCode.safeParse(banks[0]?.code).success).toBe(true)
  })

  it('may be empty', async () => {
    service.doors.banks = () => fine([])
    expect(await upstream.banks('KE')).toEqual([])
  })

  it.each([fine({}), fine([null]), { status: 200, body: 'x' }])('that cannot be read is told so', async (answer) => {
    service.doors.banks = () => answer
    await expect(upstream.banks('KE')).rejects.toMatchObject({ code: 'upstream_unreadable' })
  })

  it.each([enveloped(400, 'Invalid country code.'), enveloped(500, ''), { status: 302, headers: { location: '/' } }])(
    'that is not given is told so',
    async (answer) => {
      service.doors.banks = () => answer
      await expect(upstream.banks('KE')).rejects.toMatchObject({ code: 'upstream_unavailable' })
    },
  )
})

describe('what is sent', () => {
  it('is cut to the lengths that the service takes, whole characters at a time', async () => {
    upstream = client({ maxName: 5, maxDescription: 10 })
    await upstream.create({ ...order, payerName: 'Aï😀😀😀😀', description: 'A long description' })
    expect(service.seen.deposit[0]?.json).toMatchObject({ acc_name: 'Aï😀😀😀', description: 'A long des' })
  })

  it('carries the signature that was made before', async () => {
    const signature = await upstream.sign(order)
    await upstream.create(order)
    await upstream.create({ ...order, signature: Promise.resolve('made before') })
    expect(service.seen.deposit.map(({ headers }) => headers['signature'])).toEqual([signature, 'made before'])
  })

  it('has no phone and no address when there is none', async () => {
    const { payerPhone: _phone, payerEmail: _email, ...bare } = order
    await upstream.create(bare)
    expect(service.seen.deposit[0]?.json).not.toHaveProperty('acc_no')
    expect(service.seen.deposit[0]?.json).not.toHaveProperty('email')
  })

  it('is nothing at all for a reference that is too long', async () => {
    upstream = client({ maxReference: 13 })
    expect(await upstream.create(order)).toMatchObject({ kind: 'refused', code: 'invalid_fields' })
    expect(service.seen.login).toHaveLength(0)
    upstream = client({ maxReference: 14 })
    expect((await upstream.create(order)).kind).toBe('created')
  })

  it('goes to another query path where a contract has one', async () => {
    const paths: string[] = []
    upstream = client({
      baseUrl: 'https://api.example/gateway/',
      queryPath: '/v9/ask',
      fetch: async (input, init) => {
        paths.push(new URL((input as Request).url).pathname)
        return service.fetch(input, init)
      },
    })
    await upstream.query(asked)
    expect(paths).toEqual(['/api/v2/auth/login', '/gateway/v9/ask'])
  })

  it.each(['Duplicate reference.', 'This order has already been processed.'])(
    'and is known there already is not said to have created nothing: %s',
    async (message) => {
      service.doors.deposit = () => enveloped(400, message)
      await upstream.create(order)
      expect(JSON.stringify(log)).toContain('is not known')
      expect(JSON.stringify(log)).not.toContain('created nothing')
    },
  )

  it.each([
    ['a login', () => upstream.warmUp()],
    ['a create', () => upstream.create(order)],
    ['a status query', () => upstream.query(asked)],
    ['a bank list', () => upstream.banks('KE')],
  ] as const)('is nothing after close, which waits for %s that runs', async (_what, run) => {
    const answered = Promise.withResolvers<void>()
    upstream = client({
      fetch: async (input, init) => {
        await answered.promise
        return service.fetch(input, init)
      },
    })
    const ends: string[] = []
    const last = run().then(() => ends.push('answered'))
    const closed = upstream.close().then(() => ends.push('closed'))
    await new Promise((turn) => setImmediate(turn))
    answered.resolve()
    await Promise.all([last, closed])
    expect(ends).toEqual(['answered', 'closed'])
    const sent = structuredClone(service.seen)
    expect(await upstream.create(order)).toMatchObject({ kind: 'not_processed', reason: 'closed' })
    expect(await upstream.query(asked)).toMatchObject({ kind: 'failed', reason: 'closed' })
    await expect(upstream.banks('KE')).rejects.toMatchObject({ code: 'upstream_unavailable' })
    expect(service.seen).toEqual(sent)
  })
})

describe('secrets and payer details', () => {
  const spoken = [
    'ck_canary_key',
    'cs_canary_secret',
    'BIZ-canary',
    'token-1',
    'Canary Payer',
    '254700111222',
    'canary@example.com',
    'canary-capability',
  ]
  const unspoken = [vectors.signature[0].base64.slice(0, 40), testKey.split('\n')[2] ?? '']

  it('reach no log line, outcome, error or health, whatever the service quotes', async () => {
    const quoting = spoken.join(' | ')
    const told: unknown[] = []
    const failure = (error: unknown) => error
    const ask = async () => {
      told.push(await upstream.create(order), await upstream.query(asked), await upstream.banks('KE').catch(failure))
      told.push(upstream.health())
    }
    const answers = [400, 401, 403, 422, 429, 500].map((status) =>
      enveloped(status, `Bad: ${quoting}`, { 'retry-after': '0' }),
    )
    for (const answer of [...answers, { status: 200, body: quoting }, { status: 404, body: quoting }]) {
      service.doors.deposit = service.doors.banks = service.doors.query = () => answer
      await ask()
    }
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'CERT_HAS_EXPIRED']) {
      broken = code
      await ask()
    }
    broken = undefined
    upstream = client()
    service.doors.login = () => enveloped(400, 'Bad: ck_canary_key cs_canary_secret')
    await ask()
    expect(told).toHaveLength(48)
    expect(log.length).toBeGreaterThan(20)
    const everything = { depth: 20, maxStringLength: Infinity, maxArrayLength: Infinity, showHidden: true }
    const all = inspect([told, log], everything)
    expect(all).toContain('[hidden]')
    for (const canary of [...spoken, ...unspoken]) expect(all).not.toContain(canary)
    // The service's own words are all that tells a person why.
    expect(inspect(told, everything)).toContain('Bad: ')
    expect(inspect(log, everything)).toContain('Bad: ')
  })

  it.each(['signature', 'x-hash', 'authorization'])(
    '%s of the call is taken out of the refusal that quotes it',
    async (name) => {
      service.doors.deposit = (call) => enveloped(400, `Wrong: ${call.headers[name]}!`)
      expect(await upstream.create(order)).toMatchObject({
        message: name === 'authorization' ? 'Wrong: Bearer [hidden]!' : 'Wrong: [hidden]!',
      })
    },
  )

  it('are taken out before long words are cut, which would leave a part of them', async () => {
    const long = 'x'.repeat(296)
    service.doors.deposit = () => enveloped(400, `${long}ck_canary_key`)
    expect(await upstream.create(order)).toMatchObject({ message: `${long}[hid` })
    service.doors.login = () => enveloped(400, `${long}cs_canary_secret`)
    upstream = client()
    await upstream.create(order)
    expect(upstream.health()).toMatchObject({ detail: `${long}[hid` })
  })

  it.each([
    'Received from Canary Payer.',
    'Received from CANARY  PAYER.',
    'Received from canary@example.com.',
    'Received from 254700111222.',
    'Received from +254 700 111 222.',
    'Received from 0700-111-222.',
    'Received from 700111222.',
  ])('the payer is taken out of what a query says of a payment: %s', async (status_description) => {
    service.doors.query = () => fine({ reference: order.reference, status: 'SUCCESS', status_description })
    const payer = { name: 'Canary Payer', phone: '254700111222', email: 'canary@example.com' }
    expect(await upstream.query({ ...asked, payer })).toMatchObject({ description: 'Received from [hidden].' })
  })

  it('what is not the payer stays', async () => {
    const status_description = 'Paid 25 KES (12547001112229) by Ann for Anna at 10:25'
    service.doors.query = () => fine({ reference: order.reference, status: 'SUCCESS', status_description })
    expect(await upstream.query({ ...asked, payer: { name: 'Ann', phone: '254700111222' } })).toMatchObject({
      description: 'Paid 25 KES (12547001112229) by [hidden] for Anna at 10:25',
    })
    expect(await upstream.query({ ...asked, payer: { name: 'Q', phone: '25' } })).toMatchObject({
      description: 'Paid [hidden] KES (12547001112229) by Ann for Anna at 10:[hidden]',
    })
    expect(await upstream.query(asked)).toMatchObject({ description: status_description })
  })
})

describe('addresses and keys that cannot work', () => {
  it.each([
    ['authUrl', 'http://api.example', /^HC_AUTH_URL must begin with https/],
    ['baseUrl', 'http://api.example', /^HC_BASE_URL must begin with https/],
    ['baseUrl', 'http://127.0.0.1.example', /^HC_BASE_URL must begin with https/],
    ['baseUrl', 'http://localhost.example', /^HC_BASE_URL must begin with https/],
    // Which machine that is, a resolver decides.
    ['baseUrl', 'http://api.localhost', /^HC_BASE_URL must begin with https/],
    ['baseUrl', 'http://10.0.0.1', /^HC_BASE_URL must begin with https/],
    ['baseUrl', 'http://0.0.0.0', /^HC_BASE_URL must begin with https/],
    ['baseUrl', 'ftp://localhost', /^HC_BASE_URL must begin with https/],
    ['baseUrl', 'api.example', /^HC_BASE_URL is not a web address/],
    ['baseUrl', 'https://user:canary@api.example', /^HC_BASE_URL holds a user name or password/],
    ['baseUrl', 'https://api.example/?a=1', /^HC_BASE_URL holds a \?/],
    ['privateKey', 'none', /^HC_PRIVATE_KEY is not a readable private key/],
  ] as const)('%s %s stops the start', (name, value, message) => {
    const start = () => client({ [name]: value })
    expect(start).toThrow(UpstreamSettingError)
    expect(start).toThrow(message)
    expect(start).not.toThrow(/canary/)
  })

  it.each([
    'http://localhost:8788',
    'http://127.0.0.1:8788',
    'http://127.9.9.9',
    'http://[::1]:8788/base',
    'https://api.example/base/',
  ])('%s may be called', (baseUrl) => {
    expect(() => client({ baseUrl })).not.toThrow()
  })
})

describe('our own connections', () => {
  const was = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  let server: http.Server | undefined
  afterEach(async () => {
    if (was === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = was
    await upstream.close()
    server?.closeAllConnections()
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())))
    server = undefined
  })
  const listen = async (made: http.Server) => {
    server = made
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
    return (made.address() as AddressInfo).port
  }

  it('checks certificates, even where the environment turns that off', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    let called = 0
    const port = await listen(
      https.createServer(selfSigned, (_request, response) => {
        called += 1
        response.end('{}')
      }),
    )
    const lines: unknown[] = []
    upstream = createUpstreamClient({
      ...base,
      authUrl: `https://127.0.0.1:${port}`,
      baseUrl: `https://127.0.0.1:${port}`,
      logger: { ...silentLogger, warn: (fields) => void lines.push(fields) },
    })
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'login_unreachable' })
    // What is wrong with the certificate, for whoever reads the log.
    expect(lines[0]).toMatchObject({ call: 'login', detail: 'tls: DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(upstream.health()).toMatchObject({ login: 'unreachable', detail: 'tls: DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(called).toBe(0)
  })

  it('says what is wrong with the certificate of a service whose login is elsewhere, or still holds', async () => {
    const port = await listen(https.createServer(selfSigned, (_request, response) => response.end('{}')))
    const elsewhere = await service.listen()
    upstream = createUpstreamClient({ ...base, authUrl: elsewhere, baseUrl: `https://127.0.0.1:${port}` })
    const reason = 'tls: DEPTH_ZERO_SELF_SIGNED_CERT'
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason })
    for (let call = 0; call < 4; call += 1) expect(await upstream.query(asked)).toEqual({ kind: 'failed', reason })
    expect(upstream.health()).toMatchObject({ login: 'ok', breaker: 'open', fault: reason })
    await service.close()
  })

  it('sends a deposit that is answered 421 once, where fetch would repeat it', async () => {
    const paths: string[] = []
    const port = await listen(
      http.createServer((request, response) => {
        paths.push(request.url ?? '')
        request.resume()
        request.on('end', () => {
          response.statusCode = request.url?.includes('login') === true ? 200 : 421
          response.end('{"success":true,"data":{"access_token":"t","expires_in":60}}')
        })
      }),
    )
    upstream = createUpstreamClient({
      ...base,
      fetch: globalThis.fetch,
      authUrl: `http://127.0.0.1:${port}`,
      baseUrl: `http://127.0.0.1:${port}`,
    })
    expect(await upstream.create(order)).toEqual({ kind: 'unknown', reason: 'http_421_not_in_the_envelope' })
    expect(paths).toEqual(['/api/v2/auth/login', '/api/v2/payment/'])
  })
})

it('a key that is no RSA key stops the start', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  expect(() => client({ privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string })).toThrow(
    /^HC_PRIVATE_KEY is not an RSA key/,
  )
})
