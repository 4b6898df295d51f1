// A token that the service takes no more, and the next one neither: nothing was processed, so the payment is sent again and not refused for good.
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { type TestSystem, createTestSystem, kenyanDeposit, newKey } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

const alerts: string[] = []
/** @param refuses whether the payment's next call is answered 401 */
async function open(refuses: () => boolean): Promise<{ sent: () => number; press: () => Promise<CreatedDeposit> }> {
  let sent = 0
  alerts.length = 0
  system = await createTestSystem({
    agent: false,
    companion: { alerts: { raise: (kind, detail) => void alerts.push(`${kind} ${detail}`) } },
    async network(request, next) {
      if (!request.url.endsWith('/v2/payment/')) return next()
      sent += 1
      if (!refuses()) return next()
      return Response.json({ success: false, message: 'Unauthorized.' }, { status: 401 })
    },
  })
  async function press(): Promise<CreatedDeposit> {
    const answer = await system.browser('/v1/deposits', {
      method: 'POST',
      body: JSON.stringify(kenyanDeposit({ bankCode: undefined })),
      headers: { 'idempotency-key': newKey() },
    })
    return (await answer.json()) as CreatedDeposit
  }
  return { sent: () => sent, press }
}

it('twice within one call, as where a login ends those of another companion, costs a customer a moment', async () => {
  let left = 3
  const { press, sent } = await open(() => left-- > 0)
  const pressed = press()
  await expect.poll(sent).toBe(2)
  await system.advance(1)
  await expect.poll(sent).toBe(3)
  await system.advance(1)
  expect(await pressed).toMatchObject({ phase: 'open' })
  expect((await system.store.payments({ limit: 9 })).length).toBe(1)
  expect(alerts).toEqual([])
})

it('for as long as a customer waits is told to a person: the account may log in and not pay', async () => {
  const { press, sent } = await open(() => true)
  const pressed = press()
  for (const [count, seconds] of [
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 4],
    [7, 8],
  ] as const) {
    await expect.poll(sent).toBe(count)
    await system.advance(seconds)
  }
  expect(await pressed).toMatchObject({ phase: 'rejected', result: { code: 'upstream_unavailable' } })
  expect(alerts).toEqual(['create_refused It takes no login for payments, however new (401).'])
})
