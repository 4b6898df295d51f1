// What one session's link, or an address with many of them, cannot take from others: requests to
// the service, checks and their places.
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, CreatedSession, Language, Problem } from '../../server/contract/index.ts'
import { cardTextOf } from '../../server/pages/texts/index.ts'
import { phoneOf, SCENARIOS } from '../../demo/sandbox/engine/scenarios.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import {
  COMPANION_URL,
  createSession,
  createTestSystem,
  kenyanDeposit,
  newKey,
  SANDBOX_URL,
  SHOP_URL,
} from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

const ADDRESS = '203.0.113.9'

async function request(url: string, headers: Record<string, string>, body?: string, address = ADDRESS) {
  const env = { incoming: { socket: { remoteAddress: address } } }
  return system.companion.app.request(url, { method: 'POST', headers, ...(body === undefined ? {} : { body }) }, env)
}

type Started = Pick<CreatedDeposit, 'id' | 'token' | 'phase' | 'payUrl'> &
  Pick<Problem, 'code' | 'retryAfter'> & { readonly status: number; readonly header: string | null }

async function start(session: CreatedSession, replaces?: string): Promise<Started> {
  const headers = { origin: SHOP_URL, 'content-type': 'application/json', 'idempotency-key': newKey() }
  const body = kenyanDeposit({ session: session.token, bankCode: undefined, replaces })
  const answer = await request(`${COMPANION_URL}/v1/deposits`, headers, JSON.stringify(body))
  const header = answer.headers.get('retry-after')
  return { ...((await answer.json()) as Started), status: answer.status, header }
}

const check = async ({ id, token }: Pick<CreatedDeposit, 'id' | 'token'>, address?: string) =>
  (await request(
    `${COMPANION_URL}/v1/deposits/${id}/check`,
    { origin: SHOP_URL, authorization: `Bearer ${token}` },
    undefined,
    address,
  )).status // prettier-ignore

it('sessions that replace without pause leave others their first attempt', async () => {
  let creates = 0
  system = await createTestSystem({
    settings: { rate: 120 },
    agent: false,
    network: async ({ url, method }, next) => {
      if (method === 'POST' && url.startsWith(SANDBOX_URL) && url.includes('deposit')) creates += 1
      return next()
    },
  })
  const refusals = new Set<string>()
  const attackEnd = new AbortController()
  const attack = async (session: CreatedSession): Promise<number> => {
    let taken = 0
    for (let replaces: string | undefined; !attackEnd.signal.aborted;) {
      const answer = await start(session, replaces)
      if (answer.status === 201) {
        taken += 1
        replaces = answer.id
      } else {
        refusals.add(answer.code)
        expect(Number(answer.header)).toBeGreaterThan(0)
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    }
    return taken
  }
  const sessions: CreatedSession[] = []
  for (let n = 0; n < 26; n++) sessions.push(await createSession(system))
  const attackers = sessions.map(attack)
  await system.advance(10)
  const honest = await Promise.all(Array.from({ length: 10 }, () => createSession(system)))
  const began = system.now()
  const answers = honest.map(async (session) => ({ phase: (await start(session)).phase, tookMs: system.now() - began }))
  await system.advance(20)
  for (const { phase, tookMs } of await Promise.all(answers)) {
    expect(phase).toBe('open')
    expect(tookMs).toBeLessThanOrEqual(5000)
  }
  attackEnd.abort()
  await system.advance(40)
  for (const taken of await Promise.all(attackers)) expect(taken).toBeLessThanOrEqual(5)
  // First attempts, and a small part of the rate for all others.
  expect(creates).toBeLessThanOrEqual(36 + 2 * 6)
  expect([...refusals].filter((code) => !['rate_limited', 'too_many_attempts'].includes(code))).toEqual([])
})

it('one session takes five attempts in 15 minutes and twenty in all, and says so and when', async () => {
  system = await createTestSystem({ agent: false })
  const session = await createSession(system)
  let last: string | undefined
  const attempts = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const started = await start(session, last)
      expect([n, started.status]).toEqual([n, 201])
      last = started.id
    }
  }
  await attempts(5)
  for (let round = 1; round < 4; round++) {
    await system.advance(60)
    const refused = await start(session, last)
    expect(refused).toMatchObject({ status: 429, code: 'too_many_attempts', retryAfter: 840, header: '840' })
    // What the refused attempt would have replaced is still live.
    expect((await system.store.deposit(last!))?.replacedBy).toBeUndefined()
    await system.advance(840)
    await attempts(5)
  }
  await system.advance(901)
  expect(await start(session, last)).toMatchObject({ status: 410, code: 'attempts_used_up' })
})

const LANGUAGES = ['en', 'fr', 'sw', 'am', 'ha', 'rn', 'rw', 'so'] as const

it.each(LANGUAGES)(
  'the page in %s says how long to wait after five attempts, and when there are no more',
  async (language: Language) => {
    system = await createTestSystem({ settings: { locales: [...LANGUAGES] }, agent: false })
    const session = await createSession(system)
    let last: Started | undefined
    for (let n = 0; n < 5; n++) last = await start(session, last?.id)
    const headers = { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded' }
    const again = async () =>
      (await request(`${last!.payUrl}?lang=${language}`, headers, 'action=again&unpaid=yes')).text()
    const wait = cardTextOf('errAttempts', language, 900)
    expect(wait).toContain('15')
    expect(await again()).toContain(wait.replaceAll("'", '&#39;'))
    const { starts } = (await system.store.session(session.id))!
    for (let n = starts!; n < 20; n++) await system.store.apply({ startIn: (await system.store.session(session.id))! })
    expect(await again()).toContain(cardTextOf('errUsedUp', language).replaceAll("'", '&#39;'))
  },
)

it('a session has the service asked six times a minute, over all its attempts', async () => {
  system = await createTestSystem({ agent: false })
  const session = await createSession(system)
  const first = await start(session)
  const second = await start(session, first.id)
  for (let n = 0; n < 3; n++) expect([await check(first), await check(second)]).toEqual([200, 200])
  expect([await check(first), await check(second), await check(second, '203.0.113.10')]).toEqual([429, 429, 429])
  await system.advance(60)
  expect(await check(second)).toBe(200)
})

it('an address has it asked 120 times a minute, also for sessions', async () => {
  system = await createTestSystem({ settings: { rate: 60_000 }, agent: false })
  const own: Started[] = []
  for (let n = 0; n < 21; n++) own.push(await start(await createSession(system)))
  for (const payment of own.slice(0, 20)) for (let n = 0; n < 6; n++) expect(await check(payment)).toBe(200)
  expect(await check(own[20]!)).toBe(429)
  expect(await check(own[20]!, '203.0.113.10')).toBe(200)
})

it('sessions that check without pause leave the service time for a payment of which no callback came', async () => {
  system = await createTestSystem({ settings: { rate: 300 } })
  const theirs: Started[] = []
  for (let n = 0; n < 26; n++) theirs.push(await start(await createSession(system)))
  let asked = 0
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await system.advance(1)
      for (const payment of theirs) if ((await check(payment, `203.0.113.${second % 250}`)) === 200) asked += 1
    }
  }
  await pass(20)
  const phone = phoneOf(SCENARIOS.find(({ name }) => name === 'callback-never')!)
  const session = await createSession(system, { payer: { name: 'Achieng Otieno', phone } })
  const { id } = await start(session)
  await pass(60)
  expect((await system.store.deposit(id))?.phase).toBe('succeeded')
  // A twenty-fifth of the rate, in each minute that was begun.
  expect(asked).toBeLessThanOrEqual(2 * 12)
})
