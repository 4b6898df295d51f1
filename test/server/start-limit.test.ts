// Rate limits of starting: a stranger's tries count against that stranger, and only a payment that
// starts uses the shared limit.
import { afterEach, expect, it } from 'vitest'
import { networkOf } from '../../server/http/address.ts'
import { createStartLimit } from '../../server/http/caller-limits.ts'
import type { CreatedDeposit, CreatedSession } from '../../server/contract/index.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import {
  COMPANION_URL,
  createSession,
  createTestSystem,
  kenyanDeposit,
  newKey,
  pay,
  SHOP_URL,
} from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

async function start(address: string, changes: Record<string, unknown> = {}, key = newKey()): Promise<number> {
  const headers = { 'content-type': 'application/json', origin: SHOP_URL, 'idempotency-key': key }
  const init = { method: 'POST', headers, body: JSON.stringify(kenyanDeposit(changes)) }
  const env = { incoming: { socket: { remoteAddress: address } } }
  return (await system.companion.app.request(`${COMPANION_URL}/v1/deposits`, init, env)).status
}

it('requests that start nothing take nothing from what other customers may start', async () => {
  // 18 starts a minute for payments without a session.
  system = await createTestSystem({ agent: false, settings: { rate: 30 } })
  for (let n = 0; n < 60; n++) expect(await start(`198.51.100.${n}`, { amount: 1 })).toBe(422)
  const key = newKey()
  expect(await start('203.0.113.1', {}, key)).toBe(201)
  for (let n = 0; n < 40; n++) expect(await start(`198.51.100.${n}`, {}, key)).toBe(201)
  for (let n = 2; n <= 18; n++) expect(await start(`203.0.113.${n}`)).toBe(201)
  expect(await start('203.0.113.19')).toBe(429)
})

it('what is started without a session takes nothing from what the shop made a session for, and is free again in the next minute', async () => {
  system = await createTestSystem({ agent: false, settings: { rate: 30 } })
  const { token } = await newSession()
  expect(system.now() % 60_000).toBe(0)
  for (let n = 1; n <= 18; n++) expect(await start(`203.0.113.${n}`)).toBe(201)
  await system.advance(59)
  expect(await start('203.0.113.19')).toBe(429)
  expect(await start('203.0.113.19', { session: token })).toBe(201)
  // Counted in whole seconds, as the budget counts: free a second later at most.
  await system.advance(2)
  expect(await start('203.0.113.19')).toBe(201)
})

it('around the turn of a minute strangers start no more than in any other, and a session of the shop has its place', async () => {
  system = await createTestSystem({ agent: false, settings: { rate: 30 } })
  const { token } = await newSession()
  await system.advance(50)
  for (let n = 1; n <= 18; n++) expect(await start(`203.0.113.${n}`)).toBe(201)
  await system.advance(15)
  // Who is refused takes nothing from those who come later.
  for (let n = 19; n <= 36; n++) expect(await start(`203.0.113.${n}`)).toBe(429)
  expect(await start('203.0.113.37', { session: token })).toBe(201)
  await system.advance(46)
  expect(await start('203.0.113.37')).toBe(201)
})

it('the many IPv6 networks of one home are one caller more than each by itself', async () => {
  system = await createTestSystem({ agent: false })
  const tries: number[] = []
  for (let n = 0; n < 300; n++)
    tries.push(await start(`2001:db8:1:${(0xab00 + (n % 8)).toString(16)}::1`, { amount: 1 }))
  expect(tries.slice(0, 240).every((status) => status === 422)).toBe(true)
  expect(tries.slice(240).every((status) => status === 429)).toBe(true)
  expect(await start('2001:db8:1:ac00::1', { amount: 1 })).toBe(422)
})

it('a made-up session is no way around the limit of the address', async () => {
  system = await createTestSystem({ agent: false })
  for (let n = 0; n < 60; n++) expect(await start('203.0.113.7', { session: `made-up-${n}` })).toBe(404)
  // With the form of a token, each of another session.
  const token = (n: number) => `ses_${String(n).padStart(26, '0')}.${'A'.repeat(43)}`
  for (let n = 60; n < 90; n++) expect(await start('203.0.113.7', { session: token(n) })).toBe(404)
  // Refused for something else, before the session is looked for.
  for (let n = 90; n < 120; n++) expect(await start('203.0.113.7', { session: token(n), currency: 'TZS' })).toBe(422)
  expect(await start('203.0.113.7', { session: token(120) })).toBe(429)
  expect(await start('203.0.113.7', { session: 'another' })).toBe(429)
})

it('of one session the form of /pay and the JSON API count together', async () => {
  system = await createTestSystem({ agent: false })
  const { token, payUrl } = await newSession()
  for (let n = 0; n < 60; n++) expect(await start('203.0.113.7', { session: token, amount: 1 })).toBe(422)
  const { pathname } = new URL(payUrl)
  const typed = new URLSearchParams({ key: 'k'.repeat(32), country: 'KE', name: 'Achieng Otieno' })
  const form = { method: 'POST', headers: { origin: COMPANION_URL }, body: typed }
  expect((await system.companion.app.request(`${COMPANION_URL}${pathname}`, form)).status).toBe(429)
})

it('fifty who press at once for one session are all answered with the one attempt', async () => {
  system = await createTestSystem({ agent: false })
  const { token } = await newSession()
  const post = async () => {
    const init = { method: 'POST', headers: { 'idempotency-key': newKey() } }
    const body = JSON.stringify(kenyanDeposit({ session: token }))
    const answer = await system.browser('/v1/deposits', { ...init, body })
    return `${answer.status} ${((await answer.json()) as CreatedDeposit).id}`
  }
  const answers = new Set(await Promise.all(Array.from({ length: 50 }, post)))
  expect([...answers]).toEqual([expect.stringMatching(/^201 dep_/)])
})

it('a request that is sent twice at once counts as one start', async () => {
  system = await createTestSystem({ agent: false })
  for (let n = 0; n < 119; n++) expect(await start('203.0.113.7', { amount: 1 })).toBe(422)
  const key = newKey()
  const twice = [start('203.0.113.7', {}, key), start('203.0.113.7', {}, key)]
  expect(await Promise.all(twice)).toEqual([201, 201])
  expect(await start('203.0.113.7')).toBe(429)
})

it('who may start nothing keeps nobody else from starting with the same key', async () => {
  system = await createTestSystem({ agent: false })
  for (let n = 0; n < 120; n++) await start('203.0.113.7', { amount: 1 })
  const key = newKey()
  const both = [start('203.0.113.7', {}, key), start('203.0.113.8', {}, key)]
  expect(await Promise.all(both)).toEqual([429, 201])
})

it('of many who start at once as many may as fit the share', async () => {
  system = await createTestSystem({ agent: false, settings: { rate: 30 } })
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, n) => start(`203.0.113.${n}`)))
  expect(statuses.filter((status) => status === 201)).toHaveLength(18)
  expect(statuses.filter((status) => status === 429)).toHaveLength(22)
})

it('a repeat of what was started is answered with it, though nothing new may be started from there', async () => {
  system = await createTestSystem({ agent: false })
  const { token, payUrl } = await newSession()
  const { pathname } = new URL(payUrl)
  const send = (key: string) =>
    system.companion.app.request(`${COMPANION_URL}${pathname}`, {
      method: 'POST',
      headers: { origin: COMPANION_URL },
      body: new URLSearchParams({ key, country: 'KE', name: 'Achieng Otieno' }),
    })
  const form = 'f'.repeat(32)
  const first = await send(form)
  expect(first.status).toBe(303)
  const key = newKey()
  expect(await start('203.0.113.7', {}, key)).toBe(201)
  const statuses: number[] = []
  for (let n = 0; n < 120; n++) statuses.push(await start('203.0.113.7', { amount: 1 }))
  expect(statuses.indexOf(429)).toBe(119)
  for (let n = 0; n < 60; n++) await start('203.0.113.7', { session: token, amount: 1 })
  expect((await send('g'.repeat(32))).status).toBe(429)

  expect(await start('203.0.113.7', {}, key)).toBe(201)
  // A known key is no way to start something else.
  expect(await start('203.0.113.7', { amount: 2600 }, key)).toBe(422)
  const repeated = await send(form)
  expect([repeated.status, repeated.headers.get('location')]).toEqual([303, first.headers.get('location')])
  const payments = await system.store.payments({ limit: 10 })
  expect(payments).toHaveLength(2)
})

it('repeats take nothing from what others at the same address may start', async () => {
  system = await createTestSystem({ agent: false })
  const key = newKey()
  for (let n = 0; n < 300; n++) expect(await start('203.0.113.7', {}, key)).toBe(201)
  for (let n = 1; n < 120; n++) expect(await start('203.0.113.7', { amount: 1 })).toBe(422)
  expect(await start('203.0.113.7', { amount: 1 })).toBe(429)
})

const newSession = () => createSession(system)

it.each([
  ['2001:db8:1:ab12::9', '2001:db8:1:ab'],
  ['2001:db8:1:7::9', '2001:db8:1:00'],
  ['203.0.113.9', undefined],
  ['local', undefined],
])('the network of %s is %s', async (address, network) => {
  system = await createTestSystem({ agent: false })
  expect(networkOf(address)).toBe(network)
})

it('asking in vain for "Check now" is limited as other reading is', async () => {
  system = await createTestSystem({ agent: false })
  const env = { incoming: { socket: { remoteAddress: '203.0.113.7' } } }
  const init = { method: 'POST', headers: { origin: SHOP_URL, authorization: 'Bearer guess' } }
  const check = async () =>
    (await system.companion.app.request(`${COMPANION_URL}/v1/deposits/dep_x/check`, init, env)).status
  for (let n = 0; n < 1200; n++) expect(await check()).toBe(401)
  expect(await check()).toBe(429)
})

it('the service is asked for one payment six times a minute, by its own token and no longer text', async () => {
  system = await createTestSystem({ agent: false })
  const init = { method: 'POST', headers: { 'idempotency-key': newKey() }, body: JSON.stringify(kenyanDeposit()) }
  const { id, token } = (await (await system.browser('/v1/deposits', init)).json()) as CreatedDeposit
  const check = async (authorization: string) =>
    (await system.browser(`/v1/deposits/${id}/check`, { method: 'POST', headers: { authorization } })).status
  expect(await check(`Bearer ${token} more`)).toBe(401)
  for (let n = 0; n < 6; n++) expect(await check(`Bearer ${token}`)).toBe(200)
  expect(await check(`Bearer ${token}`)).toBe(429)
  await system.advance(60)
  expect(await check(`Bearer ${token}`)).toBe(200)
})

it('who reads without end holds up no customer behind the same address: a genuine token is counted by itself', async () => {
  system = await createTestSystem({ agent: false })
  const session = await newSession()
  const started = await pay(system)
  const deposit = (await started.json()) as CreatedDeposit
  const env = { incoming: { socket: { remoteAddress: '203.0.113.7' } } }
  const get = async (path: string, token = 'guess') => {
    const init = { headers: { origin: SHOP_URL, authorization: `Bearer ${token}` } }
    return (await system.companion.app.request(`${COMPANION_URL}${path}`, init, env)).status
  }
  const paths = ['/v1/session', `/v1/deposits/${deposit.id}`, '/v1/attempt', '/pay/guess']
  for (let n = 0; n <= 1200; n++) for (const path of paths) await get(path)
  for (const path of paths) expect(await get(path)).toBe(429)
  expect(await get('/v1/session', session.token)).toBe(200)
  expect(await get(`/v1/deposits/${deposit.id}`, deposit.token)).toBe(200)
  for (const { payUrl } of [session, deposit]) expect(await get(new URL(payUrl).pathname)).toBe(200)
  // Itself it is held to the same number.
  const own: number[] = []
  for (let n = 0; n < 1200; n++) own.push(await get(`/v1/deposits/${deposit.id}`, deposit.token))
  expect([own.at(-2), own.at(-1)]).toEqual([200, 429])
})

it.each(['session', 'deposit'])(
  'the page of a %s is shown as often as it may be read, and then not until the next minute',
  async (what) => {
    system = await createTestSystem({ agent: false })
    const init = { method: 'POST', headers: { 'idempotency-key': newKey() }, body: JSON.stringify(kenyanDeposit()) }
    const made = what === 'session' ? newSession() : (await system.browser('/v1/deposits', init)).json()
    const { payUrl } = (await made) as CreatedSession | CreatedDeposit
    const statuses: number[] = []
    for (let n = 0; n < 1201; n++) statuses.push((await system.companion.app.request(payUrl)).status)
    expect([statuses[1199], statuses[1200]]).toEqual([200, 429])
    await system.advance(60)
    expect((await system.companion.app.request(payUrl)).status).toBe(200)
  },
)

it.each(['/v1/banks?country=KE', '/pay?country=KE'])(
  '%s is read as often as any other by one address, and others read on',
  async (path) => {
    system = await createTestSystem({ agent: false })
    const get = async (address: string) => {
      const env = { incoming: { socket: { remoteAddress: address } } }
      const { status, headers } = await system.companion.app.request(`${COMPANION_URL}${path}`, {}, env)
      return `${status} ${headers.get('retry-after')}`
    }
    const answers = new Set<string>()
    for (let n = 0; n < 1200; n++) answers.add(await get('203.0.113.7'))
    expect([...answers]).toEqual(['200 null'])
    // To the end of the minute, which has just begun.
    expect(await get('203.0.113.7')).toBe('429 60')
    expect(await get('203.0.113.8')).toBe('200 null')
  },
)

it('customers with sessions of the shop do not hold each other back, however many share an address', async () => {
  system = await createTestSystem({ agent: false })
  const countStart = createStartLimit({ now: () => 0 })
  for (let n = 0; n < 500; n++) countStart('203.0.113.9', `ses_${n}`)
  for (let n = 0; n < 60; n++) countStart('203.0.113.9', 'ses_one')
  expect(() => countStart('203.0.113.9', 'ses_one')).toThrow('Nothing was charged')
})
