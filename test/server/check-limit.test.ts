// Limits of "Check now", each of which is a request to the service: nobody has the service asked so
// often that the payments of others wait.
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { phoneOf, SCENARIOS } from '../../demo/sandbox/engine/scenarios.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import {
  COMPANION_URL,
  createSession,
  createTestSystem,
  kenyanDeposit,
  newKey,
  SHOP_URL,
} from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

const request = async (address: string, url: string, headers: Record<string, string>, body?: string) => {
  const env = { incoming: { socket: { remoteAddress: address } } }
  return system.companion.app.request(url, { method: 'POST', headers, ...(body === undefined ? {} : { body }) }, env)
}

async function start(changes: Record<string, unknown> = {}): Promise<CreatedDeposit> {
  const headers = { 'idempotency-key': newKey() }
  const body = JSON.stringify(kenyanDeposit(changes))
  const answer = await system.browser('/v1/deposits', { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
  return (await answer.json()) as CreatedDeposit
}

async function check(address: string, { id, token }: CreatedDeposit): Promise<number> {
  const headers = { origin: SHOP_URL, authorization: `Bearer ${token}` }
  return (await request(address, `${COMPANION_URL}/v1/deposits/${id}/check`, headers)).status
}

async function checkOnPage(address: string, { payUrl }: CreatedDeposit): Promise<number> {
  const headers = { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded' }
  return (await request(address, payUrl, headers, 'action=check')).status
}

async function payments(count: number): Promise<readonly CreatedDeposit[]> {
  const started: CreatedDeposit[] = []
  for (let n = 0; n < count; n++) started.push(await start())
  return started
}

it('one address has the service asked 120 times in a minute, however many payments it has started', async () => {
  system = await createTestSystem({ agent: false })
  const own = await payments(21)
  for (const payment of own.slice(0, 20))
    for (let n = 0; n < 6; n++) expect(await check('203.0.113.9', payment)).toBe(200)
  expect(await check('203.0.113.9', own[20]!)).toBe(429)
  expect(await checkOnPage('203.0.113.9', own[20]!)).toBe(429)
  // Neither who pays from elsewhere nor the customer of a shop's session at the same operator's
  // address waits for it.
  expect(await check('203.0.113.10', own[20]!)).toBe(200)
  const { token } = await createSession(system)
  expect(await check('203.0.113.9', await start({ session: token }))).toBe(200)
  await system.advance(60)
  expect(await check('203.0.113.9', own[20]!)).toBe(200)
})

it('one home with many IPv6 networks has it asked twice as often, not once for each', async () => {
  system = await createTestSystem({ settings: { rate: 6000 }, agent: false })
  const own = await payments(41)
  for (const [at, payment] of own.slice(0, 40).entries())
    for (let n = 0; n < 6; n++) expect(await check(`2001:db8:0:${at + 1}::1`, payment)).toBe(200)
  expect(await check('2001:db8:0:ff::1', own[40]!)).toBe(429)
  expect(await check('2001:db8:0:100::1', own[40]!)).toBe(200)
})

it('one payment has it asked six times, by the widget and its page together', async () => {
  system = await createTestSystem({ agent: false })
  const payment = await start()
  for (let n = 0; n < 3; n++) {
    expect(await check('203.0.113.9', payment)).toBe(200)
    expect(await checkOnPage('203.0.113.9', payment)).toBe(303)
  }
  expect(await check('203.0.113.9', payment)).toBe(429)
  expect(await checkOnPage('203.0.113.9', payment)).toBe(429)
})

it('strangers at many addresses leave the service time for a payment of which no callback came', async () => {
  system = await createTestSystem({ settings: { rate: 120 }, agent: false })
  const theirs = await payments(36)
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await system.advance(1)
      const at = system.now() / 1000
      for (let n = 0; n < 4; n++) await check(`203.0.113.${at % 250}`, theirs[(at * 4 + n) % theirs.length]!)
    }
  }
  await pass(90)
  const phone = phoneOf(SCENARIOS.find(({ name }) => name === 'callback-never')!)
  const { id } = await start({ payer: { name: 'Achieng Otieno', phone } })
  await pass(180)
  expect((await system.store.deposit(id))?.phase).toBe('succeeded')
})
