// A login that answers with a gateway's error page: the first customers wait a few seconds, the
// next are told at once, and nothing is lost or begun twice.
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, Problem } from '../../server/contract/index.ts'
import { createTestSystem, newKey, pay, type TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

it('costs no customer more than some seconds, and the next pay as soon as it is back', async () => {
  let isDown = true
  let logins = 0
  system = await createTestSystem({
    agent: false,
    network: async (request, next) => {
      if (!request.url.endsWith('/auth/login')) return next()
      logins += 1
      return isDown ? new Response('<h1>Bad gateway</h1>', { status: 502 }) : next()
    },
  })
  const press = (key = newKey()) => pay(system, { bankCode: undefined }, key)

  const keys = Array.from({ length: 5 }, () => newKey())
  const first = keys.map((key) => press(key))
  // One attempt for all who wait, and after four seconds they are told.
  await expect.poll(() => logins).toBe(1)
  for (const [count, seconds] of [
    [2, 1],
    [3, 1],
    [4, 2],
  ] as const) {
    await system.advance(seconds)
    await expect.poll(() => logins).toBe(count)
  }
  const ended = await Promise.all(first.map(async (answer) => (await answer).json() as Promise<CreatedDeposit>))
  expect(ended.map(({ phase, result }) => [phase, result?.code])).toEqual(
    ended.map(() => ['rejected', 'upstream_unavailable']),
  )

  for (let customer = 0; customer < 20; customer += 1) {
    const answer = await press()
    expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([503, 'upstream_unavailable'])
  }
  expect([logins, (await system.store.payments({ limit: 100 })).length]).toEqual([4, 5])

  isDown = false
  await system.advance(5)
  const [again, other] = await Promise.all([press(keys[0]), press()])
  // A repeat of a payment that was refused for good gets the same answer, and begins nothing.
  expect(((await again.json()) as CreatedDeposit).id).toBe(ended[0]?.id)
  expect((await other.json()) as CreatedDeposit).toMatchObject({ phase: 'open' })
  const { data } = (await (await system.service('/console/api/transactions')).json()) as { data: unknown[] }
  expect(data).toHaveLength(1)
})
