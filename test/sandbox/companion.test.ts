// Every scenario with a real companion: what the shop's backend is told, and the final state of the
// payment.
import { afterEach, expect, test } from 'vitest'
import type { DepositView } from '../../server/contract/index.ts'
import { phoneOf, SCENARIOS } from '../../demo/sandbox/engine/scenarios.ts'
import { createTestSystem, pay, type TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

/** Starts a payment of the phone, lets the time go by, and looks at it as its page does. */
async function payFor(phone: string, seconds: number): Promise<DepositView> {
  const called = Promise.withResolvers<void>()
  system = await createTestSystem({
    network: async (request, next) => {
      if (request.url.endsWith('/api/v2/payment/')) called.resolve()
      return next()
    },
  })
  const starting = pay(system, { payer: { name: 'Achieng Otieno', phone } })
  // The time that another thread needs to sign is real: no simulated second may pass in it.
  await called.promise
  for (let second = 0; second < seconds; second += 1) {
    await system.advance(1)
    // Lets go of an answer that was held back until now.
    await system.sandbox.clock.advance(0)
  }
  const { id, token } = (await (await starting).json()) as { id: string; token: string }
  const view = await system.browser(`/v1/deposits/${id}`, { headers: { authorization: `Bearer ${token}` } })
  return (await view.json()) as DepositView
}

/** Endings that are not a success at once, and told as one. */
const others: Record<string, { phase: string; late?: true; notices: string[] }> = {
  declined: { phase: 'failed', notices: ['payment.failed'] },
  cancelled: { phase: 'failed', notices: ['payment.failed'] },
  expires: { phase: 'failed', notices: ['payment.failed'] },
  'never-answered': { phase: 'open', notices: [] },
  'callback-out-of-order': { phase: 'succeeded', notices: ['payment.succeeded'] },
  'callback-forged': { phase: 'failed', notices: ['payment.failed'] },
  'success-after-expiry': { phase: 'succeeded', late: true, notices: ['payment.failed', 'payment.succeeded'] },
  // The page's address was in the answer that did not come: nobody can pay there, and if money
  // comes it counts, late.
  'create-error': { phase: 'abandoned', notices: [] },
  'create-error-processed': { phase: 'succeeded', late: true, notices: ['payment.succeeded'] },
}

test.each(SCENARIOS)('$name', async (scenario) => {
  const view = await payFor(phoneOf(scenario), 120)
  const expected = others[scenario.name] ?? { phase: 'succeeded', notices: ['payment.succeeded'] }
  expect({ phase: view.phase, late: view.late, notices: system.notices.map(({ body }) => body.type) }).toEqual({
    late: undefined,
    ...expected,
  })
})

test('a payment that nobody touches is expired after the 15 minutes, by the companion’s clock', async () => {
  const view = await payFor('254712345678', 16 * 60)
  expect([view.phase, system.notices.map(({ body }) => body.type)]).toEqual(['expired', ['payment.expired']])
})
