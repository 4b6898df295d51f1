// The companion's checks of itself: who is told, how soon, how often, and at what cost.
import { afterEach, describe, expect, it } from 'vitest'
import type { CreatedDeposit, PaymentDetail } from '../../server/contract/index.ts'
import { createTestSystem, keys, pay, SANDBOX_URL, SHOP_URL, type TestSystem } from '../helpers/create-test-system.ts'
import { creation, depositRecord, noticeRecord } from '../helpers/deposit-record.ts'
import { CompanionError } from '../../server/platform/errors.ts'
import { TROUBLES } from '../../server/operations/troubles.ts'
import type { ReadyCheck } from '../../server/http/operations.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import type { Store } from '../../server/deposits/ports/store.ts'

const FROM_THIS_MACHINE = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
const NOW = Date.UTC(2026, 10, 21, 9)
const DAY_S = 86_400
const MINUTE_S = 60

let system: TestSystem
afterEach(() => system.close())

/** A system whose store fails as told, with what a person was told. */
async function watched(prepare: (store: Store) => Promise<unknown> = async () => {}) {
  const real = sqliteStore({ path: ':memory:' })
  await prepare(real)
  const failing = new Set<keyof Store>()
  const calls: (keyof Store)[] = []
  const store = new Proxy(real, {
    get(target, name: keyof Store) {
      const method = target[name] as (...given: unknown[]) => unknown
      return (...given: unknown[]) => {
        calls.push(name)
        const full = new CompanionError('store_unavailable', { detail: 'The disk is full.' })
        return failing.has(name) ? Promise.reject(full) : method.apply(target, given)
      }
    },
  })
  const told: [kind: string, detail: string][] = []
  let clock = NOW
  system = await createTestSystem({
    store,
    start: NOW,
    companion: { now: () => clock, alerts: { raise: (kind, detail) => void told.push([kind, detail]) } },
  })
  return {
    failing,
    told,
    kinds: () => [...new Set(told.map(([kind]) => kind))].toSorted(),
    count: (name: keyof Store) => calls.filter((call) => call === name).length,
    set: (ms: number) => void (clock += ms),
    /** Rounds of background work, so many seconds apart. */
    async pass(seconds: number, step = 1) {
      for (let passed = 0; passed < seconds; passed += step) {
        clock += step * 1000
        await system.companion.tick()
      }
    },
    ready: async () => (await system.browser('/readyz')).status,
  }
}

describe('a contract that has no status query (HC_CONFIRM=callback)', () => {
  const open = (confirm: 'query' | 'callback') =>
    createTestSystem({
      settings: { confirm },
      agent: false,
      network: async (request, next) =>
        request.url.endsWith('/status-query') ? new Response('<h1>404</h1>', { status: 404 }) : next(),
    })
  async function begin(): Promise<CreatedDeposit> {
    const answer = await pay(system)
    return (await answer.json()) as CreatedDeposit
  }
  const play = ({ reference }: CreatedDeposit, what: string) =>
    system.service(`/console/api/transactions/${reference}/${what}`, { method: 'POST' })
  const phase = async ({ id }: CreatedDeposit) =>
    ((await (await system.backend(`/v1/payments/${id}`)).json()) as PaymentDetail).phase

  it('is ready, and what is open waits for its callback, however late', async () => {
    system = await open('callback')
    const [paid, declined] = [await begin(), await begin()]
    await play(paid, 'lock')
    await play(declined, 'lock')
    await system.advance(20 * MINUTE_S)
    expect([await phase(paid), await phase(declined)]).toEqual(['open', 'open'])
    expect((await system.browser('/readyz')).status).toBe(200)
    await play(paid, 'paid')
    await play(paid, 'confirm')
    await play(declined, 'decline')
    await system.advance(2)
    expect(await phase(paid)).toBe('succeeded')
    expect(await phase(declined)).toBe('failed')
    expect(system.notices.map(({ body }) => body.type)).not.toContain('payment.review')
  })

  it('is asked in vain no longer than one that has a query: 30 days for what is open, nine times for what has failed', async () => {
    let clock = NOW
    let asked = 0
    system = await createTestSystem({
      settings: { confirm: 'callback' },
      agent: false,
      start: NOW,
      companion: { now: () => clock },
      network: async (request, next) => {
        if (!request.url.endsWith('/status-query')) return next()
        asked += 1
        return new Response('<h1>404</h1>', { status: 404 })
      },
    })
    const [open, failed] = [await begin(), await begin()]
    await play(failed, 'cancel')
    await system.sandbox.tick()
    await system.companion.idle()
    const pass = async (days: number) => {
      asked = 0
      for (let passed = 0; passed < days * 24; passed++) {
        clock += 3_600_000
        await system.companion.tick()
        await system.companion.idle()
      }
      return asked
    }
    expect([await phase(open), await phase(failed)]).toEqual(['open', 'failed'])
    await pass(1)
    expect(await system.store.deposit(open.id)).toMatchObject({ overdue: true })
    // Hourly for the one, and almost never for the other.
    expect(await pass(2)).toBeLessThan(60)
    await pass(28)
    expect([await phase(open), await phase(failed)]).toEqual(['abandoned', 'failed'])
    expect(await pass(3)).toBe(0)
    await play(open, 'lock')
    await play(open, 'paid')
    await play(open, 'confirm')
    await system.sandbox.tick()
    await system.companion.idle()
    expect(await phase(open)).toBe('succeeded')
  })

  it('is a red light and a review by default (money rule 3)', async () => {
    system = await open('query')
    const deposit = await begin()
    await system.advance(20 * MINUTE_S)
    expect(await phase(deposit)).toBe('review')
    expect((await system.browser('/readyz')).status).toBe(503)
  })
})

describe('a login that the service refuses', () => {
  it('is told of to a person', async () => {
    const told: string[] = []
    let clock = NOW
    system = await createTestSystem({
      start: NOW,
      companion: { now: () => clock, alerts: { raise: (kind) => void told.push(kind) } },
      network: async (request, next) =>
        request.url.includes('/auth/')
          ? new Response('{"success":false,"message":"Invalid credentials.","data":null}', { status: 401 })
          : next(),
    })
    await system.browser('/readyz')
    for (let passed = 0; passed < 60; passed++) {
      clock += 1000
      await system.companion.tick()
    }
    expect(told).toContain('login_refused')
  })
})

it('an alert of a companion without alerts of its own names the installation, and holds no secret', async () => {
  const sent: string[] = []
  let clock = NOW
  system = await createTestSystem({
    start: NOW,
    settings: { alerts: { silentMinutes: 0, webhookUrl: 'https://chat.example/hook' } },
    companion: { now: () => clock },
    network: async (request, next) => {
      const { pathname, host } = new URL(request.url)
      if (host === 'chat.example') {
        sent.push(((await request.json()) as { text: string }).text)
        return new Response(null, { status: 204 })
      }
      if (!pathname.includes('/auth/')) return next()
      // Not one of the secrets that the service was sent.
      const message = `No login for ${keys.merchantKey}.`
      return Response.json({ success: false, message, data: null }, { status: 401 })
    },
  })
  await system.browser('/readyz')
  clock += 1000
  await system.companion.tick()
  await expect.poll(() => sent).toHaveLength(1)
  expect(sent[0]).toMatch(
    /^\[TEST 127\.0\.0\.1:8787\] The payment service refuses the login\nNo login for \[hidden\]\./,
  )
})

describe('a login that gets no usable answer', () => {
  it.each([502, 200])(
    '(%i and a page) is told of when it lasts, and its return is noticed without a customer',
    async (status) => {
      const told: string[] = []
      let clock = NOW
      let isBack = false
      system = await createTestSystem({
        start: NOW,
        companion: { now: () => clock, alerts: { raise: (kind, detail) => void told.push(`${kind}: ${detail}`) } },
        network: async (request, next) =>
          request.url.includes('/auth/') && !isBack ? new Response('<h1>Oops</h1>', { status }) : next(),
      })
      const pass = async (seconds: number) => {
        for (let passed = 0; passed < seconds; passed++) {
          clock += 1000
          await system.companion.tick()
        }
      }
      expect((await system.browser('/readyz')).status).toBe(503)
      await pass(20)
      expect(told).toEqual([])
      await pass(40)
      const why = status === 502 ? 'HTTP 502' : 'HTTP 200, but no login in it'
      expect(told[0]).toBe(`login_unanswered: ${why}`)
      const { checks } = (await (await system.browser('/readyz')).json()) as { checks: { detail?: string }[] }
      expect(checks.find(({ detail }) => detail !== undefined)?.detail).toContain(`no login (${why})`)
      isBack = true
      await pass(31)
      const { length } = told
      await pass(90)
      expect(told).toHaveLength(length)
      expect((await system.browser('/readyz')).status).toBe(200)
    },
  )
})

const LOGIN_URL = 'http://127.0.0.1:8790'

/**
 * A system whose service logs in at a host of its own, with what is told to a person. Both hosts
 * answer as the test says.
 */
async function withLoginHost(hosts: { login?: () => Response | Promise<Response>; service?: () => Response }) {
  const told: string[] = []
  let clock = NOW
  let logins = 0
  system = await createTestSystem({
    start: NOW,
    agent: false,
    settings: { authUrl: LOGIN_URL },
    companion: { now: () => clock, alerts: { raise: (kind) => void told.push(kind) } },
    network: async (request, next) => {
      const url = new URL(request.url)
      if (url.origin !== LOGIN_URL) return url.origin === SANDBOX_URL && hosts.service ? hosts.service() : next()
      logins += 1
      return (
        hosts.login?.() ?? system.sandbox.app.request(new Request(request.url.replace(LOGIN_URL, SANDBOX_URL), request))
      )
    },
  })
  const press = () => pay(system, { bankCode: undefined })
  return {
    told,
    press,
    logins: () => logins,
    async pass(seconds: number) {
      for (let passed = 0; passed < seconds; passed++) {
        clock += 1000
        await system.companion.tick()
      }
    },
    set: (seconds: number) => void (clock += seconds * 1000),
    async ready(name: string) {
      const answer = await system.browser('/readyz')
      const { checks } = (await answer.json()) as { checks: { name: string; ok: boolean; detail?: string }[] }
      return [answer.status, checks.find((check) => check.name === name)?.detail]
    },
  }
}

const breaking = (code: string) => (): Response => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) })
}
const refusing = breaking('ECONNREFUSED')

describe('a login that is lost while the token held is still good', () => {
  it.each([
    [
      'cannot be reached',
      refusing,
      /gives no login \(refused_connection\).*Payments go on until the last login ends\./,
    ],
    [
      'has a certificate that is over',
      breaking('CERT_HAS_EXPIRED'),
      /gives no login \(tls: CERT_HAS_EXPIRED\)\..*the certificate of HC_AUTH_URL and this machine's clock\..*Payments go on/,
    ],
    [
      'is answered by a gateway',
      () => new Response('<h1>Oops</h1>', { status: 502 }),
      /\(HTTP 502\).*Payments go on until the last login ends\./,
    ],
    [
      'is refused',
      () => Response.json({ success: false, message: 'Unauthorized.', data: null }, { status: 401 }),
      /refuses the login: Unauthorized\..*Payments go on until the last login ends\./,
    ],
    [
      'is refused from here',
      () => Response.json({ success: false, message: 'IP address not allowed.', data: null }, { status: 403 }),
      /IP address not allowed\..*Payments go on until the last login ends\./,
    ],
  ])('and %s: payments go on, and so does the instance, which says what is wrong', async (_, login, says) => {
    const hosts: { login?: () => Response } = {}
    const { press, pass, set, ready, told } = await withLoginHost(hosts)
    expect((await press()).status).toBe(201)
    hosts.login = login
    set(51 * MINUTE_S)
    await pass(3 * MINUTE_S)
    expect(((await (await press()).json()) as CreatedDeposit).phase).toBe('open')
    expect(await ready('login')).toEqual([200, expect.stringMatching(says)])
    expect(told).toContainEqual(expect.stringMatching(/^login_/))
    // Not a second longer than the token lives.
    set(7 * MINUTE_S)
    expect((await ready('login'))[0]).toBe(503)
  })
})

describe('a host that accepts no connection, while nobody pays', () => {
  it('of the login: is told of as long as it lasts, and its return is noticed', async () => {
    const hosts: { login?: () => Response } = { login: refusing }
    const { pass, told, logins } = await withLoginHost(hosts)
    await system.browser('/readyz')
    await pass(10 * MINUTE_S)
    told.length = 0
    await pass(2 * MINUTE_S)
    expect(told.length).toBeGreaterThan(1)
    delete hosts.login
    await pass(2 * MINUTE_S)
    told.length = 0
    const before = logins()
    await pass(2 * MINUTE_S)
    expect([told, logins()]).toEqual([[], before])
  })

  it('of the payments: is told of once, however long the next customer is in coming', async () => {
    const hosts: { service?: () => Response } = {}
    const { pass, told } = await withLoginHost(hosts)
    await pass(1)
    hosts.service = refusing
    for (const country of ['KE', 'TZ', 'UG', 'GH', 'NG'])
      expect((await system.browser(`/v1/banks?country=${country}`)).status).toBe(503)
    await pass(3 * MINUTE_S)
    expect(told).toEqual(['upstream_down'])
  })
})

it.each([
  ['ETIMEDOUT', 'The payment service does not answer (timeout)', /does not answer \(timeout\)/],
  [
    'CERT_HAS_EXPIRED',
    'The payment service does not answer (tls: CERT_HAS_EXPIRED)',
    /does not answer \(tls: CERT_HAS_EXPIRED\).*certificate.*clock/,
  ],
])(
  'of a service without connection it is told why, also while its last login holds: %s',
  async (code, alert, ready) => {
    const told: string[] = []
    let clock = NOW
    let isBroken = false
    system = await createTestSystem({
      start: NOW,
      companion: { now: () => clock, alerts: { raise: (kind, detail) => void told.push(`${kind}: ${detail}`) } },
      network: async (_request, next) => {
        if (isBroken) throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
        return next()
      },
    })
    expect((await system.browser('/readyz')).status).toBe(200)
    isBroken = true
    clock += 1000
    for (const country of ['KE', 'TZ', 'UG', 'GH', 'NG'])
      expect((await system.browser(`/v1/banks?country=${country}`)).status).toBe(503)
    const { checks } = (await (await system.browser('/readyz')).json()) as {
      checks: { name: string; detail?: string }[]
    }
    expect(checks.find(({ name }) => name === 'upstream')?.detail).toMatch(ready)
    for (let passed = 0; passed < 31; passed++) {
      clock += 1000
      await system.companion.tick()
    }
    expect(told).toContain(`upstream_down: ${alert}.`)
  },
)

describe('a service that asks for a pause', () => {
  const asking = (seconds: number) => () =>
    Response.json(
      { success: false, message: 'Rate limit exceeded.', data: null },
      { status: 429, headers: { 'retry-after': String(seconds) } },
    )

  it('so long that payments are refused is told of, and those who have paid are still served', async () => {
    const hosts: { service?: () => Response } = { service: asking(60) }
    const { press, pass, ready, told } = await withLoginHost(hosts)
    expect(await ready('upstream')).toEqual([200, undefined])
    // Sent in each minute: one. All others are refused.
    for (let minute = 0; minute < 3; minute++) {
      await pass(1)
      await press()
      expect((await press()).status).toBe(503)
      expect(await ready('upstream')).toEqual([200, expect.stringMatching(/asks for a pause until 2026-11-21T09:0\d:/)])
      await pass(MINUTE_S)
    }
    expect([...new Set(told)]).toEqual(['upstream_paused'])
    delete hosts.service
    await pass(MINUTE_S)
    const { length } = told
    expect((await press()).status).toBe(201)
    await pass(3 * MINUTE_S)
    expect(told).toHaveLength(length)
    expect(await ready('upstream')).toEqual([200, undefined])
  })

  it('is told as a pause with its end, to customers and where somebody looks, also when the login is asked for it', async () => {
    const hosts: { login?: () => Response | Promise<Response> } = { login: asking(60) }
    const { press, ready, told, pass, set } = await withLoginHost(hosts)
    const end = new Date(system.now() + 60_000).toISOString().slice(0, 16)
    const [, login] = await ready('login')
    expect(login).toContain(`asks for a pause until ${end}`)
    expect(login).not.toContain('HC_AUTH_URL')
    const refused = await press()
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await refused.json()).toMatchObject({ code: 'upstream_unavailable', retryAfter: 60 })
    await pass(50)
    expect([...new Set(told)]).toEqual(['upstream_paused'])
    // The first look behind the pause, while the next login is under way.
    const { promise: held, resolve } = Promise.withResolvers<void>()
    hosts.login = () => held.then(asking(0))
    set(11)
    expect((await ready('login'))[1]).toBe(
      'The payment service asked for a pause (HTTP 429), which is over. Wait a moment: the login is tried again.',
    )
    delete hosts.login
    resolve()
    await pass(2)
    expect(await ready('login')).toEqual([200, undefined])
  })

  it('no longer than a payment waits is no news', async () => {
    const { pass, told } = await withLoginHost({ service: asking(20) })
    await pass(29)
    expect((await system.browser('/v1/banks?country=KE')).status).toBe(503)
    await pass(2 * MINUTE_S)
    expect(told).toEqual([])
  })
})

describe('a database that takes no writes', () => {
  it('is told of when it has lasted for ten seconds, and the other looks go on', async () => {
    const w = await watched()
    await w.pass(31)
    w.failing.add('ping').add('setMeta').add('apply')
    await w.pass(50)
    expect(w.kinds()).toEqual(['store_failing'])
    expect(w.told[0]?.[1]).toMatch(/^Writing to the database has failed since 2026-11-21T09:0.*Z\. The disk is full\.$/)
    const raised = w.told.length
    w.failing.clear()
    await w.pass(MINUTE_S)
    expect(w.told).toHaveLength(raised)
  })

  it('is told of as soon although the clock is set back meanwhile', async () => {
    const w = await watched()
    w.failing.add('ping')
    await w.pass(5)
    w.set(-3_600_000)
    await w.pass(40)
    expect(w.kinds()).toEqual(['store_failing'])
  })

  it('for a moment only is a hiccup', async () => {
    const w = await watched()
    w.failing.add('ping')
    await w.pass(9)
    w.failing.clear()
    await w.pass(2 * MINUTE_S)
    expect(w.told).toEqual([])
  })

  it('keeps no other alert from being raised', async () => {
    const w = await watched((store) => store.apply(creation(depositRecord({ phase: 'review', createdAt: NOW - 1 }))))
    w.failing.add('ping').add('meta')
    await w.pass(12)
    expect(w.kinds()).toEqual(['review', 'store_failing'])
  })
})

it.each([
  // The store's own says what to do: a second advice, of the same things, would be read as another.
  [
    new CompanionError('store_unavailable', { detail: 'Look whether PostgreSQL runs.' }),
    'Look whether PostgreSQL runs.',
  ],
  [new Error('no advice'), TROUBLES.store_failing.todo],
])('a database that takes no writes is not ready, with one advice: %s', async (fault, advice) => {
  const store = Object.assign(sqliteStore({ path: ':memory:' }), {
    ping: () => Promise.reject(fault),
  })
  system = await createTestSystem({ store, start: NOW })
  const { checks } = (await (await system.browser('/readyz')).json()) as { checks: unknown[] }
  expect(checks[0]).toEqual({ name: 'store', ok: false, detail: `The database does not take writes. ${advice}` })
})

it('a companion whose start() was forgotten is ready, and says that notices and status queries wait', async () => {
  system = await createTestSystem({ start: NOW })
  const notices = async () => {
    const answer = await system.browser('/readyz')
    const { checks } = (await answer.json()) as { checks: ReadyCheck[] }
    return { status: answer.status, detail: checks.find(({ name }) => name === 'notices')?.detail }
  }
  expect(await notices()).toEqual({ status: 200, detail: expect.stringMatching(/companion\.start\(\).*tick\(\)/) })
  await system.advance(5)
  expect(await notices()).toEqual({ status: 200, detail: undefined })
})

describe('a database that has fallen silent', () => {
  it('makes us not ready after three seconds, by one question at a time, and ready again with its answer', async () => {
    const real = sqliteStore({ path: ':memory:' })
    const pings: PromiseWithResolvers<void>[] = []
    let isSilent = false
    const store = new Proxy(real, {
      get(target, name: keyof Store) {
        const method = target[name] as (...given: unknown[]) => Promise<unknown>
        return (...given: unknown[]) => {
          if (!isSilent || name === 'close') return method.apply(target, given)
          const question = Promise.withResolvers<void>()
          if (name === 'ping') pings.push(question)
          else question.reject(new Error(`${name} of a silent database`))
          return question.promise
        }
      },
    })
    const waits: { ms: number; pass: () => void }[] = []
    const sleep = (ms: number) => new Promise<void>((pass) => waits.push({ ms, pass }))
    let clock = NOW
    system = await createTestSystem({ store, start: NOW, companion: { now: () => clock, sleep } })
    const ask = async () => {
      clock += 1000
      const asked = waits.length
      const answer = system.browser('/readyz')
      await expect.poll(() => waits.length).toBeGreaterThan(asked)
      expect(waits.at(-1)!.ms).toBe(3000)
      return { answer, wait: waits.at(-1)! }
    }
    expect((await (await ask()).answer).status).toBe(200)
    isSilent = true
    async function inVain(says: string): Promise<void> {
      const { answer, wait } = await ask()
      wait.pass()
      const detail = `The database has not answered for 3 s. ${says}`
      expect(await (await answer).json()).toMatchObject({
        ok: false,
        checks: [{ name: 'store', ok: false, detail }, {}, {}, {}, {}, {}, {}],
      })
    }
    for (let times = 0; times < 5; times++)
      await inVain('Look whether it runs and can be reached at HC_DATABASE_URL, and at the log.')
    expect(pings).toHaveLength(1)
    // What it was told too late for that one is in the next.
    pings[0]!.reject(new CompanionError('store_unavailable', { detail: 'PostgreSQL has no connection left.' }))
    await new Promise(setImmediate)
    for (let times = 0; times < 2; times++) await inVain('PostgreSQL has no connection left.')
    expect(pings).toHaveLength(2)
    isSilent = false
    pings[1]!.resolve()
    expect((await (await ask()).answer).status).toBe(200)
  })
})

it('a restored database is not ready until its payments have been queried, also while the state of that cannot be read', async () => {
  const { failing, pass, ready, set } = await watched((store) => store.setMeta('restored_at', String(NOW)))
  await pass(1)
  expect(await ready()).toBe(503)
  failing.add('meta')
  set(2000)
  expect(await ready()).toBe(503)
  failing.delete('meta')
  await pass(3)
  expect(await ready()).toBe(200)
})

describe('what waits for a person', () => {
  async function left(store: Store): Promise<void> {
    const inReview = depositRecord({ phase: 'review', createdAt: NOW - 1 })
    await store.apply(creation(inReview))
    await store.apply({ notices: [noticeRecord(inReview.id, { createdAt: NOW - 1, state: 'dead' })] })
  }

  it('is told soon after a start, though it was raised before it, and again once a day', async () => {
    const w = await watched(left)
    await w.pass(1)
    expect(w.told.map(([kind, detail]) => [kind, /\d+/.exec(detail)?.[0]])).toEqual([
      ['review', '1'],
      ['notice_dead', '1'],
    ])
    await w.pass(DAY_S - MINUTE_S, MINUTE_S)
    expect(w.told).toHaveLength(2)
    await w.pass(2 * MINUTE_S, MINUTE_S)
    expect(w.told).toHaveLength(4)
  })

  it('is told when the backend refuses a notice for the fourth time', async () => {
    const told: [kind: string, detail: string][] = []
    system = await createTestSystem({
      companion: { alerts: { raise: (kind, detail) => void told.push([kind, detail]) } },
      network: async (request, next) =>
        request.url.startsWith(SHOP_URL) ? new Response(null, { status: 401 }) : next(),
    })
    const paid = depositRecord({ phase: 'succeeded', createdAt: system.now() })
    await system.store.apply(creation(paid))
    await system.store.apply({ notices: [noticeRecord(paid.id, { createdAt: system.now(), attempts: 3 })] })
    await system.advance(1)
    expect(told).toEqual([
      ['notice_late', expect.stringContaining(`${paid.id}: answered 401: has the receiver HC_NOTIFY_SECRET`)],
    ])
  })

  it('is told though a look failed before, and when the clock was set back', async () => {
    const w = await watched(left)
    w.failing.add('stats')
    await w.pass(1)
    expect(w.told).toEqual([])
    w.failing.clear()
    await w.pass(31)
    expect(w.told).toHaveLength(2)
    w.set(-DAY_S * 1000)
    await w.pass(1)
    expect(w.told).toHaveLength(4)
  })

  it('nothing is told when nothing waits', async () => {
    const w = await watched()
    await w.pass(2 * DAY_S, 3600)
    expect(w.told).toEqual([])
  })
})

describe('asking whether it is ready', () => {
  it('writes once for all who ask within a second', async () => {
    const w = await watched()
    expect(new Set(await Promise.all(Array.from({ length: 200 }, w.ready)))).toEqual(new Set([200]))
    expect(w.count('ping')).toBe(1)
    w.set(999)
    await w.ready()
    expect(w.count('ping')).toBe(1)
    w.set(1)
    await w.ready()
    expect(w.count('ping')).toBe(2)
  })

  it('is answered anew a second later, and when the clock was set back', async () => {
    const w = await watched()
    expect(await w.ready()).toBe(200)
    w.failing.add('ping')
    w.set(1000)
    expect(await w.ready()).toBe(503)
    w.failing.clear()
    w.set(-DAY_S * 1000)
    expect(await w.ready()).toBe(200)
  })
})

it('names, to who may look, a proxy that is not in HC_TRUSTED_PROXIES', async () => {
  system = await createTestSystem({
    start: NOW,
    settings: { opsToken: 'ops-token-0123456789', trustedProxies: ['10.0.0.0/8', 'fd00::/8'] },
  })
  const through = async (remoteAddress: string, token?: string, client = '203.0.113.9') => {
    const headers = {
      ...(client === '' ? {} : { 'x-forwarded-for': client }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const answer = await system.companion.app.request(
      '/readyz',
      { headers },
      { incoming: { socket: { remoteAddress } } },
    )
    return ((await answer.json()) as { untrustedProxy?: string }).untrustedProxy
  }
  expect(await through('172.17.0.2', 'ops-token-0123456789')).toBe('172.17.0.2')
  expect(await through('2001:db8::5', 'ops-token-0123456789')).toBe('2001:db8::5')
  expect(await through('10.0.0.5', 'ops-token-0123456789')).toBeUndefined()
  expect(await through('fd00::5', 'ops-token-0123456789')).toBeUndefined()
  expect(await through('172.17.0.2')).toBeUndefined()
  // No proxy: whoever monitors the companion asks for itself.
  expect(await through('172.17.0.2', 'ops-token-0123456789', '')).toBeUndefined()
})

it('says, to who may look, whether a proxy named the customer', async () => {
  system = await createTestSystem({ start: NOW, settings: { opsToken: 'ops-token-0123456789' } })
  const asked = async (url: string, headers: Record<string, string> = {}) => {
    const authorization = 'Bearer ops-token-0123456789'
    const answer = await system.companion.app.request(url, { headers: { authorization, ...headers } })
    return ((await answer.json()) as { forwardedFor?: boolean }).forwardedFor
  }
  expect(await asked('http://companion/readyz', { 'x-forwarded-for': '203.0.113.9' })).toBe(true)
  expect(await asked('http://companion/readyz')).toBe(false)
  // RFC 9110 allows more than one space.
  expect(await asked('http://companion/readyz', { authorization: 'Bearer  ops-token-0123456789' })).toBe(false)
  // Node ends TLS itself: there is no proxy.
  expect(await asked('https://companion/readyz')).toBeUndefined()
})

it.each([
  ['127.0.0.1:8787', true],
  ['localhost:8787', true],
  ['[::1]:8787', true],
  ['pay.shop.example', false],
  ['127.0.0.1.pay.shop.example', false],
  ['a b', false],
])('asked from this machine by the name %s, details and figures are shown: %s', async (name, shown) => {
  system = await createTestSystem({ start: NOW })
  const ask = (path: string) => system.companion.app.request(path, { headers: { host: name } }, FROM_THIS_MACHINE)
  const told = Object.keys((await (await ask('/readyz')).json()) as object)
  expect(told).toEqual(shown ? expect.arrayContaining(['ok', 'checks']) : ['ok'])
  expect((await ask('/metrics')).status).toBe(shown ? 200 : 401)
})

it('with HC_OPS_TOKEN set, details and figures are for the token alone, also on this machine', async () => {
  system = await createTestSystem({ start: NOW, settings: { opsToken: 'ops-token-0123456789' } })
  // So a proxy asks that adds no header and changes the Host, as nginx does unless told otherwise.
  const ask = async (authorization?: string) => {
    const headers = { host: '127.0.0.1:8787', ...(authorization === undefined ? {} : { authorization }) }
    const ready = await system.companion.app.request('/readyz', { headers }, FROM_THIS_MACHINE)
    const figures = await system.companion.app.request('/metrics', { headers }, FROM_THIS_MACHINE)
    return [figures.status, 'checks' in ((await ready.json()) as object)]
  }
  for (const wrong of [undefined, 'Bearer ', 'Bearer ops-token-012345678', 'Basic ops-token-0123456789'])
    expect(await ask(wrong)).toEqual([401, false])
  expect(await ask('Bearer ops-token-0123456789')).toEqual([200, true])
})

it.each([
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-by',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-cluster-client-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fly-client-ip',
])(
  'asked through a proxy on this machine that is known by %s alone, no details and figures are shown',
  async (header) => {
    system = await createTestSystem({ start: NOW })
    const ask = (path: string, headers: Record<string, string>) =>
      system.companion.app.request(path, { headers: { host: '127.0.0.1:8787', ...headers } }, FROM_THIS_MACHINE)
    const value = header === 'via' ? '1.1 proxy' : '203.0.113.9'
    expect(Object.keys((await (await ask('/readyz', { [header]: value })).json()) as object)).toEqual(['ok'])
    expect((await ask('/metrics', { [header]: value })).status).toBe(401)
    expect((await ask('/metrics', {})).status).toBe(200)
  },
)

it('warns of creates that get no usable answer, while payments go on', async () => {
  system = await createTestSystem({
    agent: false,
    network: async (request, next) =>
      request.url.endsWith('/api/v2/payment/') ? new Response('{}', { status: 200 }) : next(),
  })
  const creates = async () => {
    const { checks } = (await (await system.browser('/readyz')).json()) as { checks: ReadyCheck[] }
    return checks.find(({ name }) => name === 'creates')
  }
  for (let n = 0; n < 4; n++) await pay(system, { bankCode: undefined })
  expect(await creates()).toBeUndefined()
  await pay(system, { bankCode: undefined })
  await system.advance(2)
  expect(await creates()).toEqual({ name: 'creates', ok: true, detail: expect.stringContaining('KES: 5 in a row') })
})
