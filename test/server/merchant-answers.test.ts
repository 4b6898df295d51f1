// What a merchant's developer reads who calls an endpoint for backends wrongly for the first time.
import { expect, it } from 'vitest'
import { createTestSystem, keys } from '../helpers/create-test-system.ts'

const session = { amount: 2500, currency: 'KES', orderId: 'o-1', description: 'Top-up' }

it('without a key, or in another form, the answer names the setting that holds it', async () => {
  const system = await createTestSystem({ agent: false })
  const wrong: Record<string, string>[] = [{}, { authorization: `Basic ${keys.merchantKey}` }]
  for (const headers of wrong) {
    const answer = await system.companion.app.request('/v1/sessions', { method: 'POST', headers })
    const text = await answer.text()
    expect([answer.status, text]).toEqual([401, expect.stringContaining('HC_MERCHANT_KEY')])
    expect(text).not.toContain(keys.merchantKey)
  }
  await system.close()
})

it('the empty array that PHP sends for empty metadata is refused with what to send', async () => {
  const system = await createTestSystem({ agent: false })
  const create = async (metadata: unknown) => {
    const answer = await system.companion.app.request('/v1/sessions', {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.merchantKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...session, metadata }),
    })
    return [answer.status, await answer.text()]
  }
  expect(await create([])).toEqual([422, expect.stringContaining('in PHP: (object) []')])
  expect((await create({}))[0]).toBe(201)
  await system.close()
})
