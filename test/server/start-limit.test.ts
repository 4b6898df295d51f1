// Who holds whom back: a stranger's tries count against the stranger, and only a payment that starts takes from what all may start.
import { afterEach, expect, it } from 'vitest'
import { networkOf } from '../../server/routes/address.ts'
import type { House } from '../helpers/create-house.ts'
import { COMPANION_URL, createHouse, kenyanDeposit, newKey, SHOP_URL } from '../helpers/create-house.ts'

let house: House
afterEach(() => house.close())

async function start(address: string, changes: Record<string, unknown> = {}, key = newKey()): Promise<number> {
  const headers = { 'content-type': 'application/json', origin: SHOP_URL, 'idempotency-key': key }
  const init = { method: 'POST', headers, body: JSON.stringify(kenyanDeposit(changes)) }
  const env = { incoming: { socket: { remoteAddress: address } } }
  return (await house.companion.app.request(`${COMPANION_URL}/v1/deposits`, init, env)).status
}

it('requests that start nothing take nothing from what other customers may start', async () => {
  // 18 starts a minute for payments without a session.
  house = await createHouse({ agent: false, settings: { rate: 30 } })
  for (let n = 0; n < 60; n++) expect(await start(`198.51.100.${n}`, { amount: 1 })).toBe(422)
  const key = newKey()
  expect(await start('203.0.113.1', {}, key)).toBe(201)
  for (let n = 0; n < 40; n++) expect(await start(`198.51.100.${n}`, {}, key)).toBe(201)
  for (let n = 2; n <= 18; n++) expect(await start(`203.0.113.${n}`)).toBe(201)
  expect(await start('203.0.113.19')).toBe(429)
})

it('the many IPv6 networks of one home are one caller more than each by itself', async () => {
  house = await createHouse({ agent: false })
  const tries: number[] = []
  for (let n = 0; n < 300; n++)
    tries.push(await start(`2001:db8:1:${(0xab00 + (n % 8)).toString(16)}::1`, { amount: 1 }))
  expect(tries.slice(0, 240).every((status) => status === 422)).toBe(true)
  expect(tries.slice(240).every((status) => status === 429)).toBe(true)
  expect(await start('2001:db8:1:ac00::1', { amount: 1 })).toBe(422)
})

it.each([
  ['2001:db8:1:ab12::9', '2001:db8:1:ab'],
  ['2001:db8:1:7::9', '2001:db8:1:00'],
  ['203.0.113.9', undefined],
  ['local', undefined],
])('the network of %s is %s', async (address, network) => {
  house = await createHouse({ agent: false })
  expect(networkOf(address)).toBe(network)
})

it('asking in vain for "Check now" is limited as other reading is', async () => {
  house = await createHouse({ agent: false })
  const env = { incoming: { socket: { remoteAddress: '203.0.113.7' } } }
  const init = { method: 'POST', headers: { origin: SHOP_URL, authorization: 'Bearer guess' } }
  const check = async () =>
    (await house.companion.app.request(`${COMPANION_URL}/v1/deposits/dep_x/check`, init, env)).status
  for (let n = 0; n < 1200; n++) expect(await check()).toBe(404)
  expect(await check()).toBe(429)
})
