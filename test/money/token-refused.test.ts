// A token that the service takes no more, and the next one neither: nothing was processed, so the
// payment is sent again with a new one, once.
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, PaymentDetail } from '../../server/contract/index.ts'
import { createTestSystem, pay, type TestSystem } from '../helpers/create-test-system.ts'

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
    const answer = await pay(system, { bankCode: undefined })
    return (await answer.json()) as CreatedDeposit
  }
  return { sent: () => sent, press }
}

it('once, as where it was revoked, costs a customer nothing', async () => {
  let left = 1
  const { press, sent } = await open(() => left-- > 0)
  expect(await press()).toMatchObject({ phase: 'open' })
  expect(sent()).toBe(2)
  expect(alerts).toEqual([])
})

it('and the new one too is told at once, to customer, shop and a person', async () => {
  const { press, sent } = await open(() => true)
  const { id } = await press().then((made) => {
    expect(made).toMatchObject({ phase: 'rejected', result: { code: 'account_refused' } })
    expect(made.result?.description).toBe(
      'The payment service does not accept the login of this shop for payments; nothing was created.',
    )
    return made
  })
  expect(sent()).toBe(2)
  expect(alerts).toEqual(['create_refused It takes no login for payments, however new (401).'])
  const { timeline } = (await (await system.backend(`/v1/payments/${id}`)).json()) as PaymentDetail
  expect(timeline.at(-1)).toMatchObject({ kind: 'not_processed', detail: 'token_refused' })
  const ready = async () => (await system.browser('/readyz')).status
  expect(await ready()).toBe(503)
  await system.advance(61)
  expect(await ready()).toBe(200)
})
