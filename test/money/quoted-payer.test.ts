// What the service says about a payment may quote its payer: that is neither stored nor shown,
// whoever said it (money rule 12).
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import type { TestSystem, TestSystemOptions } from '../helpers/create-test-system.ts'
import { createTestSystem, keys, pay } from '../helpers/create-test-system.ts'
import { signed } from '../upstream/material.ts'

let system: TestSystem
afterEach(() => system.close())

/** The result of a payment that succeeded, as the customer's page and the row have it. */
async function paid(options: TestSystemOptions) {
  system = await createTestSystem(options)
  const answer = await pay(system, { payer: { name: 'Achieng Otieno', phone: '0700000001' } })
  const { id, token } = (await answer.json()) as CreatedDeposit
  await system.advance(20)
  const shown = await system.browser(`/v1/deposits/${id}`, { headers: { authorization: `Bearer ${token}` } })
  const { phase, result } = (await shown.json()) as { phase: string; result: { description: string } }
  expect(phase).toBe('succeeded')
  expect((await system.store.deposit(id))?.resultDescription).toBe(result.description)
  return result.description
}

it('in the answer to a status query', async () => {
  const description = await paid({
    async network(request, next) {
      if (!request.url.endsWith('/status-query')) return next()
      const { data, ...rest } = (await (await next()).json()) as { data: Record<string, string> }
      const status_description = 'Received from ACHIENG OTIENO, +254 700 000 001.'
      return Response.json({ ...rest, data: { ...data, status_description } })
    },
  })
  expect(description).toBe('Received from [hidden], [hidden].')
})

it('in a callback, where callbacks decide; nor more of it than is shown', async () => {
  const description = await paid({
    settings: { confirm: 'callback' },
    async network(request, next) {
      if (!request.url.includes('/v1/webhook/')) return next()
      const sent = (await request.json()) as Record<string, string>
      const result_description = `Received from ${sent['acc_name']}.${'x'.repeat(9000)}`
      const body = Buffer.from(signed({ ...sent, result_description }, keys.consumerKey))
      return system.companion.app.request(request.url, { method: 'POST', body, headers: request.headers })
    },
  })
  expect(description).toBe(`Received from [hidden].${'x'.repeat(277)}`)
})
