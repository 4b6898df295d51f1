// The bearer token: how often we log in, when it is renewed, and what a 401 causes. On a clock that
// tests move.
import { beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { createUpstreamClient, type UpstreamClientOptions } from '../../server/upstream/client.ts'
import { createLogin, type Login } from '../../server/upstream/login.ts'
import type { Answered } from '../../server/upstream/outcomes.ts'
import type { Upstream } from '../../server/deposits/ports/upstream.ts'
import { systemTimers } from '../../server/upstream/transport.ts'
import { contract, order, testKey, vectors } from './material.ts'
import { createManualTimers, createService, enveloped, fine, type Reply, type Seen } from './service.ts'

const HOUR = 3_600_000
const asked = { walletNo: order.walletNo, reference: order.reference }

let service: ReturnType<typeof createService>
let upstream: Upstream
let at: number
/** Tokens that the service takes; undefined: all that it gave out. */
let valid: Set<string> | undefined

const client = (more: Partial<UpstreamClientOptions> = {}) =>
  createUpstreamClient({
    authUrl: 'https://auth.example',
    baseUrl: 'https://api.example',
    consumerKey: vectors.consumer_key,
    consumerSecret: 'cs_test',
    privateKey: testKey,
    ...contract,
    businessId: 'BIZ-0042',
    now: () => at,
    random: (count) => new Uint8Array(count),
    timers: createManualTimers(),
    fetch: service.fetch,
    ...more,
  })
const bearer = (call: Seen | undefined) => call?.headers['authorization']
const unlessRevoked = (honest: (call: Seen) => unknown) => (call: Seen) =>
  valid === undefined || valid.has(bearer(call)?.slice(7) ?? '')
    ? (honest(call) as Reply)
    : enveloped(401, 'Unauthorized.')

beforeEach(() => {
  at = Date.UTC(2026, 10, 21, 12)
  valid = undefined
  service = createService()
  service.doors.deposit = unlessRevoked(service.doors.deposit)
  service.doors.query = unlessRevoked(service.doors.query)
  upstream = client()
})

describe('the token', () => {
  it('is fetched once for 100 requests at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => upstream.query(asked)))
    expect(outcomes.every((outcome) => outcome.kind === 'found')).toBe(true)
    expect(service.seen.login).toHaveLength(1)
    expect(service.seen.query).toHaveLength(100)
  })

  it('is used again until five sixths of its life are over, then renewed in use, once', async () => {
    await upstream.warmUp()
    at += (HOUR * 5) / 6 - 1
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(1)
    at += 1
    await Promise.all(Array.from({ length: 100 }, () => upstream.query(asked)))
    expect(service.seen.login).toHaveLength(2)
    expect(new Set(service.seen.query.slice(1).map(bearer))).toEqual(new Set(['Bearer token-2']))
  })

  it('is used while nobody waits for its renewal, and a failure in that ends no process', async () => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown) => unhandled.push(reason)
    const full = () => {
      throw new Error('no space left on device')
    }
    let warn: () => void = () => {}
    upstream = client({ logger: { debug: full, info: full, warn: () => warn(), error: full } })
    await upstream.warmUp()
    service.doors.login = () => ({ status: 502, body: '<h1>Oops</h1>' })
    at += (HOUR * 5) / 6
    await upstream.query(asked)
    at += 10_000
    warn = full
    process.on('unhandledRejection', listen)
    try {
      expect(await upstream.query(asked)).toMatchObject({ kind: 'found' })
      for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done))
    } finally {
      process.off('unhandledRejection', listen)
    }
    expect([service.seen.login.length, unhandled]).toEqual([3, []])
  })

  it('lives as long as the service says', async () => {
    service.doors.login = () => ({
      status: 200,
      body: '{"success":true,"data":{"access_token":"short","expires_in":60}}',
    })
    await upstream.warmUp()
    at += 49_999
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(1)
    at += 1
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(2)
  })

  it('serves on while it lives when its renewal fails, and is not renewed for every call', async () => {
    await upstream.warmUp()
    service.doors.login = () => ({ status: 500 })
    at += (HOUR * 5) / 6
    expect((await upstream.query(asked)).kind).toBe('found')
    expect((await upstream.query(asked)).kind).toBe('found')
    expect(service.seen.query.map(bearer)).toEqual(['Bearer token-1', 'Bearer token-1'])
    at += 4_999
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(2)
    at += 1
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(3)
    at += HOUR / 6
    expect(await upstream.query(asked)).toMatchObject({ kind: 'failed', reason: 'login_unreachable' })
    expect(await upstream.create(order)).toMatchObject({ kind: 'not_processed', reason: 'login_unreachable' })
  })

  it.each([
    '',
    '{"success":true}',
    '{"success":true,"data":{"access_token":""}}',
    '{"success":true,"data":{"access_token":"a\\r\\nx: y"}}',
    '<html>',
  ])('that cannot be read is no login: %j', async (body) => {
    service.doors.login = () => ({ status: 200, body })
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'login_unreadable' })
    expect(upstream.health().login).toBe('unreachable')
  })

  it('is fetched by warmUp, and health says so', async () => {
    expect(upstream.health()).toEqual({
      login: 'unknown',
      hasToken: false,
      breaker: 'closed',
      queryPath: 'unknown',
      addressRefused: false,
      signatureRefused: false,
      paused: false,
    })
    await upstream.warmUp()
    await upstream.warmUp()
    expect(upstream.health().login).toBe('ok')
    expect(service.seen.login).toHaveLength(1)
  })
})

describe('a token that the service refuses', () => {
  beforeEach(async () => {
    await upstream.warmUp()
    valid = new Set(['token-2'])
  })

  it('is renewed once, and the same deposit sent once more', async () => {
    expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
    expect(service.seen.login).toHaveLength(2)
    expect(service.seen.deposit.map(bearer)).toEqual(['Bearer token-1', 'Bearer token-2'])
    expect(service.seen.deposit[0]?.body).toBe(service.seen.deposit[1]?.body)
  })

  it('is renewed again when the new one is revoked in the same moment', async () => {
    expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
    valid = new Set(['token-3'])
    expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
    expect(service.seen.login).toHaveLength(3)
  })

  it('is renewed once for 100 requests at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => upstream.query(asked)))
    expect(outcomes.every((outcome) => outcome.kind === 'found')).toBe(true)
    expect(service.seen.login).toHaveLength(2)
  })

  it.each([
    [400, 'Duplicate reference.'],
    [409, 'Conflict.'],
  ])('and then (%i) %j means that the first sending was processed after all', async (status, message) => {
    service.doors.deposit = (call) =>
      bearer(call) === 'Bearer token-1' ? enveloped(401, 'Unauthorized.') : enveloped(status, message)
    expect(await upstream.create(order)).toEqual({ kind: 'unknown', reason: 'duplicate_after_resend' })
  })

  it.each(['Invalid signature.', 'Invalid x-hash.'])(
    'is not the fault of "%s": no login, no second sending',
    async (message) => {
      service.doors.deposit = () => enveloped(401, message)
      expect(await upstream.create(order)).toMatchObject({ kind: 'refused', status: 401, message })
      expect(service.seen.login).toHaveLength(1)
      expect(service.seen.deposit).toHaveLength(1)
    },
  )

  it('"Invalid signature." behind a renewal is a refusal too', async () => {
    service.doors.deposit = (call) =>
      bearer(call) === 'Bearer token-1' ? enveloped(401, 'Unauthorized.') : enveloped(401, 'Invalid signature.')
    expect(await upstream.create(order)).toMatchObject({ kind: 'refused', code: 'invalid_signature' })
    expect(service.seen.login).toHaveLength(2)
  })

  it('means "not processed" when there is no new one', async () => {
    service.doors.login = () => enveloped(401, 'Unauthorized.')
    for (let call = 0; call < 2; call += 1)
      expect(await upstream.create(order)).toMatchObject({ kind: 'not_processed', reason: 'login_refused' })
    // The second is not sent with a token that is known to be refused.
    expect(service.seen.deposit).toHaveLength(1)
  })

  it('by an answer that comes after its renewal is not renewed again', async () => {
    const slow = Promise.withResolvers<void>()
    const pass = service.fetch
    let calls = 0
    upstream = client({
      fetch: async (input, init) => {
        const answer = await pass(input, init)
        if ((input as Request).url.endsWith('/status-query') && (calls += 1) === 1) await slow.promise
        return answer
      },
    })
    service.doors.login = () => fine({ access_token: `token-${service.seen.login.length}`, expires_in: 3600 })
    const logins = service.seen.login.length
    valid = new Set([`token-${logins + 2}`])
    const first = upstream.query(asked)
    await service.called('query', 1)
    expect((await upstream.query(asked)).kind).toBe('found')
    slow.resolve()
    expect((await first).kind).toBe('found')
    expect(service.seen.login).toHaveLength(logins + 2)
  })

  it('after one was taken again is renewed at once, however often new ones were refused before', async () => {
    valid = new Set()
    await Promise.all(Array.from({ length: 20 }, () => upstream.query(asked)))
    at += 5_000
    await upstream.query(asked)
    // None would be asked for yet.
    at += 9_999
    valid = undefined
    expect((await upstream.query(asked)).kind).toBe('found')
    valid = new Set()
    const before = service.seen.login.length
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(before + 1)
    at += 4_999
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(before + 1)
    at += 1
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(before + 2)
  })

  it('by many at once, as the new one is, is renewed five seconds later: what they report counts once', async () => {
    valid = new Set()
    const waiting: (() => void)[] = []
    let calls = 0
    upstream = client({
      fetch: async (input, init) => {
        const answer = await service.fetch(input, init)
        // Each round of refusals comes together.
        if ((input as Request).url.endsWith('/status-query') && (calls += 1) <= 40) {
          const round = new Promise<void>((resolve) => waiting.push(resolve))
          if (waiting.length === 20) for (const go of waiting.splice(0)) go()
          await round
        }
        return answer
      },
    })
    await Promise.all(Array.from({ length: 20 }, () => upstream.query(asked)))
    expect(calls).toBe(40)
    at += 5_000
    const before = service.seen.login.length
    valid = new Set([`token-${before + 1}`])
    expect((await upstream.query(asked)).kind).toBe('found')
  })

  it('and a new one that is refused as well never make a storm of logins', async () => {
    valid = new Set()
    for (let call = 0; call < 20; call += 1)
      expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'token_refused' })
    expect(service.seen.login).toHaveLength(2)
    at += 5_000
    for (let call = 0; call < 20; call += 1) await upstream.query(asked)
    expect(service.seen.login).toHaveLength(3)
    at += 9_999
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(3)
    at += 1
    valid = undefined
    expect((await upstream.query(asked)).kind).toBe('found')
  })

  it('refused by a gateway is renewed as well, and a second refusal of a gateway is unknown', async () => {
    service.doors.deposit = () => ({ status: 401, body: '<h1>401</h1>' })
    expect(await upstream.create(order)).toEqual({ kind: 'unknown', reason: 'http_401_not_in_the_envelope' })
    expect(service.seen.deposit).toHaveLength(2)
  })
})

it.each([
  ['Invalid credentials.', 'login_refused', false],
  ['IP address not allowed.', 'login_address_refused', true],
])(
  'a login refused with HTTP 200 and "%s" is a refusal, and is held back like one',
  async (message, reason, address) => {
    service.doors.login = () => ({ status: 200, body: JSON.stringify({ success: false, message }) })
    expect(await upstream.query(asked)).toMatchObject({ kind: 'failed', reason })
    expect(upstream.health()).toMatchObject({ login: 'refused', detail: message, addressRefused: address })
    expect(await upstream.query(asked)).toMatchObject({ reason, retryAfterMs: 5_000 })
    expect(service.seen.login).toHaveLength(1)
  },
)

it('a login that says something else is told with its words', async () => {
  service.doors.login = () => ({ status: 503, body: '{"message":"Closed for the night."}' })
  await upstream.warmUp()
  expect(upstream.health()).toMatchObject({ login: 'unreachable', detail: 'HTTP 503: Closed for the night.' })
})

it.each(['Unauthorized.', 'Unauthenticated', 'Token has expired.'])(
  'a token refused with HTTP 200 and "%s" is replaced, and nothing is sent again by that word',
  async (message) => {
    const no = { status: 200, body: JSON.stringify({ success: false, message }) }
    service.doors.deposit = service.doors.query = () => no
    expect(await upstream.create(order)).toMatchObject({ kind: 'unknown', message })
    expect([service.seen.deposit.length, service.seen.login.length]).toEqual([1, 2])
    await upstream.query(asked)
    // The new one is refused as well: no storm of logins comes of it.
    for (let call = 0; call < 20; call++) await upstream.query(asked)
    expect(service.seen.login).toHaveLength(3)
    at += 5_000
    for (let call = 0; call < 20; call++) await upstream.query(asked)
    expect(service.seen.login).toHaveLength(4)
    service.doors.query = () => ({
      status: 200,
      body: JSON.stringify({ success: false, message: 'Wallet is closed.' }),
    })
    at += 60_000
    await upstream.query(asked)
    expect(service.seen.login).toHaveLength(4)
  },
)

it('an answer that is no login, or has one under another status than of success, is told as what it is', async () => {
  const lines: unknown[] = []
  upstream = client({ logger: { ...silentLogger, warn: (fields) => void lines.push(fields) } })
  const granted = service.doors.login
  service.doors.login = () => ({ status: 200, body: '<html>' })
  await upstream.warmUp()
  at += 500
  service.doors.login = (call) => ({ ...(granted(call) as Reply), status: 300 })
  await upstream.warmUp()
  expect(lines).toMatchObject([
    { reason: 'login_unreadable', status: 200, detail: 'HTTP 200, but no login in it' },
    { reason: 'login_unreachable', status: 300, detail: expect.stringMatching(/^HTTP 300/) },
  ])
  expect(upstream.health()).toMatchObject({ login: 'unreachable', hasToken: false })
})

it('a login that is withheld says why, and for how long', async () => {
  const { fetch } = service
  let isDown = true
  upstream = client({
    fetch: (input, init) =>
      isDown ? Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' })) : fetch(input, init),
  })
  for (let call = 0; call < 5; call += 1) await upstream.create(order)
  const withheld = { kind: 'not_processed', reason: 'login_unreachable', retryAfterMs: 750 }
  expect(await upstream.create(order)).toEqual(withheld)
  isDown = false
  at += 750
  service.doors.login = () => enveloped(429, 'Slowly.', { 'retry-after': '7' })
  // The pause begins after the create has begun.
  const signature = Promise.withResolvers<string>()
  const paused = upstream.create({ ...order, signature: signature.promise })
  await upstream.warmUp()
  signature.resolve('signed')
  expect(await paused).toEqual({ kind: 'not_processed', reason: 'login_paused', retryAfterMs: 7_000 })
  expect([service.seen.login.length, service.seen.deposit.length]).toEqual([1, 0])
})

it('a login that fails is told to the log, with its reason, its status and the words of the service', async () => {
  const lines: unknown[] = []
  upstream = client({ logger: { ...silentLogger, warn: (...line) => void lines.push(line) } })
  service.doors.login = () => enveloped(400, 'Invalid credentials.')
  await upstream.warmUp()
  expect(lines).toEqual([
    [
      { call: 'login', reason: 'login_refused', status: 400, detail: 'Invalid credentials.' },
      'no login at the payment service',
    ],
  ])
})

it('an account that may log in and not pay is told so for a minute after each such create', async () => {
  service.doors.deposit = () => enveloped(401, 'Unauthorized.')
  expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'token_refused' })
  expect(upstream.health()).toMatchObject({ login: 'ok', tokenRefused: true })
  at += 60_000
  expect(upstream.health().tokenRefused).toBeUndefined()
  await upstream.create(order)
  expect(upstream.health().tokenRefused).toBe(true)
  service.doors.deposit = () => enveloped(400, 'Unsupported currency.')
  await upstream.create(order)
  expect(upstream.health().tokenRefused).toBeUndefined()
})

describe('a login without a usable answer', () => {
  const page: Reply = { status: 200, body: '<html>' }
  const gateway: Reply = { status: 502, body: '<h1>Bad gateway</h1>' }

  it.each([
    ['a page', page],
    ['a gateway', gateway],
  ])('but %s is tried once for all that wait, and after some seconds they are told at once', async (_, answer) => {
    service.doors.login = () => answer
    const all = () => Promise.all(Array.from({ length: 20 }, () => upstream.create(order)))
    const tries = []
    for (let ms = 0; ms < 3_000; ms += 100, at += 100) {
      expect(upstream.isDown()).toBe(false)
      const before = service.seen.login.length
      for (const outcome of await all()) expect(outcome).toMatchObject({ kind: 'not_processed' })
      if (service.seen.login.length > before) tries.push([ms, service.seen.login.length - before])
    }
    expect(tries).toEqual([0, 500, 1_500].map((ms) => [ms, 1]))
    expect(upstream.isDown()).toBe(true)
    expect(service.seen.deposit).toHaveLength(0)
  })

  it('but a compressed page is no better', async () => {
    const url = await service.listen()
    upstream = client({ authUrl: url, baseUrl: url, fetch: globalThis.fetch, timers: systemTimers })
    service.doors.login = () => ({ ...gateway, headers: { 'content-encoding': 'br' } })
    for (const ms of [500, 1_000, 1_500, 0]) {
      await upstream.warmUp()
      at += ms
    }
    expect(upstream.health()).toMatchObject({ login: 'unreachable', detail: 'encoded' })
    expect(upstream.isDown()).toBe(true)
    await upstream.close()
    await service.close()
  })

  it.each([
    ['too_large', () => Promise.resolve(new Response('x'.repeat(2_000_000)))],
    ['invalid_answer', () => Promise.reject(Object.assign(new Error('600'), { code: 'HC_INVALID_ANSWER' }))],
  ])('nor is one that is not read: %s', async (fault, answer) => {
    upstream = client({ fetch: answer })
    for (const ms of [500, 1_000, 1_500, 0]) {
      await upstream.warmUp()
      at += ms
    }
    expect(upstream.health()).toMatchObject({ login: 'unreachable', detail: fault })
    expect(upstream.isDown()).toBe(true)
  })

  it('is tried at least every 5 s, and the first good answer ends it', async () => {
    service.doors.login = () => gateway
    for (let n = 0; n < 50; n += 1, at += 5_000) await upstream.warmUp()
    expect(service.seen.login).toHaveLength(50)
    service.doors.login = createService().doors.login
    expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
    expect(upstream.isDown()).toBe(false)
    // The waits begin anew.
    service.doors.login = () => gateway
    at += HOUR
    await upstream.warmUp()
    expect(upstream.isDown()).toBe(false)
    expect(await upstream.query(asked)).toMatchObject({ reason: 'login_unreachable', retryAfterMs: 500 })
  })

  it('in time: one waits for the next, and everyone else is told at once', async () => {
    const timers = createManualTimers()
    upstream = client({ timers })
    service.doors.login = () => () => {}
    const first = upstream.create(order)
    await service.called('login', 1)
    expect(upstream.isDown()).toBe(false)
    at += 10_000
    timers.advance(10_000)
    expect(await first).toEqual({ kind: 'not_processed', reason: 'login_unreachable' })
    expect(upstream.isDown()).toBe(true)
    at += 500
    expect(upstream.isDown()).toBe(false)
    const second = upstream.create(order)
    await service.called('login', 2)
    expect(upstream.isDown()).toBe(true)
    at += 10_000
    timers.advance(10_000)
    await second
  })

  it('does not stop calls while the old token lives', async () => {
    await upstream.warmUp()
    service.doors.login = () => gateway
    for (at += (HOUR * 5) / 6; at < Date.UTC(2026, 10, 21, 13); at += 20_000) {
      expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
      expect(upstream.isDown()).toBe(false)
    }
  })

  it('makes nobody wait for it again while the old token lives', async () => {
    const timers = createManualTimers()
    upstream = client({ timers })
    await upstream.warmUp()
    service.doors.login = () => () => {}
    at += (HOUR * 5) / 6
    const first = upstream.create(order)
    await service.called('login', 2)
    at += 10_000
    timers.advance(10_000)
    expect(await first).toMatchObject({ kind: 'created' })
    at += 6_000
    expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
    await service.called('login', 3)
    expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
    expect(service.seen.login).toHaveLength(3)
    // The token has ended: now it is waited for.
    at += HOUR / 6
    const last = upstream.create(order)
    timers.advance(10_000)
    expect(await last).toMatchObject({ kind: 'not_processed', reason: 'login_unreachable' })
  })

  it('is tried again at once when the clock is set back', async () => {
    service.doors.login = () => gateway
    await upstream.warmUp()
    at -= 60_000
    await upstream.warmUp()
    expect(service.seen.login).toHaveLength(2)
  })
})

describe('a refused login', () => {
  it.each([
    [400, 'Invalid credentials.'],
    [401, 'Unauthorized.'],
    [422, 'The consumer_key field is required.'],
  ])('(%i %s) is told, and tried again only after a growing while', async (status, message) => {
    service.doors.login = () => enveloped(status, message)
    for (let call = 0; call < 20; call += 1) {
      expect(await upstream.create(order)).toMatchObject({ kind: 'not_processed', reason: 'login_refused' })
      await upstream.warmUp()
    }
    expect(service.seen.login).toHaveLength(1)
    expect(upstream.health()).toMatchObject({ login: 'refused', detail: message })
    expect(await upstream.query(asked)).toEqual({ kind: 'failed', reason: 'login_refused', retryAfterMs: 5_000 })
    at += 5_000
    await upstream.warmUp()
    await upstream.warmUp()
    expect(service.seen.login).toHaveLength(2)
    expect(await upstream.query(asked)).toMatchObject({ retryAfterMs: 10_000 })
    for (let round = 0; round < 20; round += 1) {
      at += 300_000
      await upstream.warmUp()
    }
    expect(service.seen.login).toHaveLength(22)
    expect(await upstream.query(asked)).toMatchObject({ retryAfterMs: 300_000 })
    // After a login that succeeds the waits begin anew.
    service.doors.login = createService().doors.login
    at += 300_000
    await upstream.warmUp()
    at += HOUR
    service.doors.login = () => enveloped(status, message)
    expect(await upstream.query(asked)).toMatchObject({ reason: 'login_refused' })
    expect(await upstream.query(asked)).toMatchObject({ retryAfterMs: 5_000 })
  })

  it('is held back as long where the service was in trouble before', async () => {
    service.doors.login = () => ({ status: 502 })
    await upstream.warmUp()
    at += 500
    service.doors.login = () => enveloped(401, 'Unauthorized.')
    await upstream.warmUp()
    at += 5_000
    await upstream.warmUp()
    expect(await upstream.query(asked)).toEqual({ kind: 'failed', reason: 'login_refused', retryAfterMs: 10_000 })
    expect(service.seen.login).toHaveLength(3)
  })

  it('of a service in trouble is no refusal, and is tried again half a second later', async () => {
    service.doors.login = () => enveloped(500, 'Internal server error.')
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'login_unreachable' })
    at += 499
    const retryAfterMs = 1
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'login_unreachable', retryAfterMs })
    expect(service.seen.login).toHaveLength(1)
    expect(upstream.isDown()).toBe(false)
    service.doors.login = createService().doors.login
    at += 1
    expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
    expect(upstream.health()).toMatchObject({ login: 'ok' })
  })

  it('for our IP address is a definitive no, shown as what it is', async () => {
    service.doors.login = () => enveloped(403, 'IP address not allowed.')
    expect(await upstream.create(order)).toEqual({
      kind: 'refused',
      code: 'address_not_allowed',
      status: 403,
      message: 'IP address not allowed.',
    })
    expect(upstream.health()).toMatchObject({ login: 'refused', addressRefused: true })
    at += 5_000
    const fresh = createService()
    service.doors.login = fresh.doors.login
    await upstream.warmUp()
    expect(upstream.health()).toMatchObject({ login: 'ok', addressRefused: false })
  })

  it('by a limit pauses everything for as long as it asks', async () => {
    service.doors.login = () => enveloped(429, 'Rate limit exceeded.', { 'retry-after': '30' })
    expect(await upstream.create(order)).toEqual({
      kind: 'not_processed',
      reason: 'login_paused',
      retryAfterMs: 30_000,
    })
    at += 29_999
    expect(await upstream.create(order)).toEqual({ kind: 'not_processed', reason: 'paused', retryAfterMs: 1 })
    expect(service.seen.login).toHaveLength(1)
  })
})

describe('the login by itself', () => {
  const token = (name: string): Answered => ({
    kind: 'answer',
    status: 200,
    text: JSON.stringify({ success: true, data: { access_token: name, expires_in: 3600 } }),
  })
  const no = (message: string, status = 401): Answered => ({
    kind: 'answer',
    status,
    text: JSON.stringify({ success: false, message }),
  })

  function loginOf(...answers: readonly Answered[]): Login {
    const left = [...answers]
    return createLogin({
      url: 'https://auth.example/login',
      consumerKey: 'ck',
      consumerSecret: 'cs',
      now: () => at,
      logger: silentLogger,
      send: () => Promise.resolve(left.shift() ?? token('last')),
      hide: (text) => text,
    })
  }

  it('keeps the five newest tokens, which the log must not show', async () => {
    const names = ['t1', 't2', 't3', 't4', 't5', 't6', 't7']
    const login = loginOf(...names.map(token))
    expect(login.secrets()).toEqual([])
    await login.token()
    expect(login.secrets()).toEqual(['t1'])
    for (const name of names.slice(0, -1)) await login.renew(name)
    expect(login.secrets()).toEqual(['t7', 't6', 't5', 't4', 't3'])
  })

  it('says after a good one that the address is allowed again, and holds nothing back', async () => {
    const login = loginOf(no('IP address is not allowed.', 403), token('t1'), no('Unauthorized.'))
    await login.token()
    expect(login.health()).toMatchObject({ login: 'refused', addressRefused: true })
    at += 5_000
    expect(await login.token()).toEqual({ ok: true, token: 't1' })
    expect(login.health()).toEqual({ login: 'ok', addressRefused: false })
    expect(login.isDown()).toBe(false)
    // A clock that is set back does not bring the old failure back.
    at -= 2_000
    expect([login.isDown(), await login.renew('t1')]).toMatchObject([false, { ok: false, reason: 'login_refused' }])
  })

  it('tells a limit with its status, and with no time to wait where none was said', async () => {
    const login = loginOf({ kind: 'answer', status: 429, text: '' })
    const told = { reason: 'login_paused', status: 429, detail: 'HTTP 429' }
    expect(await login.token()).toEqual({ ok: false, ...told, retryAfterMs: 0 })
    expect(login.health()).toEqual({ login: 'unreachable', addressRefused: false, detail: 'HTTP 429' })
  })

  it('that reaches nobody is told as unreachable', async () => {
    const login = loginOf({ kind: 'fault', fault: 'dns', notSent: true })
    expect(await login.token()).toMatchObject({ ok: false, reason: 'login_unreachable' })
    expect(login.health()).toMatchObject({ login: 'unreachable', addressRefused: false })
  })

  it('gives the old token while it lives, where a renewal meets trouble', async () => {
    const page: Answered = { kind: 'answer', status: 502, text: '<h1>Oops</h1>' }
    const login = loginOf(token('t1'), page, page)
    await login.token()
    at += (HOUR * 5) / 6
    expect(await login.token()).toEqual({ ok: true, token: 't1' })
    at += 5_000
    // The second time nobody waits for the next answer.
    expect(await login.token()).toEqual({ ok: true, token: 't1' })
    at += HOUR / 6 - 5_001
    expect(login.hasToken()).toBe(true)
    at += 1
    expect(login.hasToken()).toBe(false)
  })

  it('does not bring back a token that was refused while its renewal failed', async () => {
    const login = loginOf(token('t1'), { kind: 'answer', status: 502, text: '<h1>Oops</h1>' })
    await login.token()
    at += (HOUR * 5) / 6
    await Promise.all([login.token(), login.renew('t1')])
    expect(login.hasToken()).toBe(false)
  })

  it('is held back twice as long after each account that may log in and not pay', async () => {
    const login = loginOf(token('t1'), token('t2'), token('t3'))
    await login.token()
    login.distrust()
    expect(await login.renew('t1')).toBeUndefined()
    at += 5_000
    expect(await login.renew('t1')).toMatchObject({ token: 't2' })
    login.distrust()
    at += 9_999
    expect(await login.renew('t2')).toBeUndefined()
    at += 1
    expect(await login.renew('t2')).toMatchObject({ token: 't3' })
  })
})
