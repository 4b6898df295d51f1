// A status query that is answered about another payment: through the whole companion, a person is told, and nothing is credited (money rule 7).
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, PaymentView } from '../../server/contract/index.ts'
import { type TestSystem, createTestSystem, kenyanDeposit, newKey } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

it('a success of another reference credits nobody: the payment waits for a person, and the backend is told why', async () => {
  system = await createTestSystem({
    agent: false,
    network: async (request, next) =>
      request.url.endsWith('/status-query')
        ? Response.json({ success: true, message: '', data: { reference: 'HCTANOTHER', status: 'SUCCESS' } })
        : next(),
  })
  const created = await system.browser('/v1/deposits', {
    method: 'POST',
    body: JSON.stringify(kenyanDeposit({ bankCode: undefined })),
    headers: { 'idempotency-key': newKey() },
  })
  const { id } = (await created.json()) as CreatedDeposit
  const refresh = async () =>
    (await (await system.backend(`/v1/payments/${id}/refresh`, { method: 'POST' })).json()) as PaymentView
  expect(await refresh()).toMatchObject({ phase: 'review', status: 'PENDING', reviewReason: 'query_reference' })
  await system.advance(1)
  expect(system.notices.map(({ body }) => [body.type, body.data.reason])).toEqual([
    ['payment.review', 'query_reference'],
  ])
  expect(await refresh()).toMatchObject({ phase: 'review' })
})
