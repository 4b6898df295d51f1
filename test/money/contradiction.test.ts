// A status query that is answered about another payment, another sum or in words of its own:
// through the whole companion, a person is told, and nothing is credited (money rule 7).
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, PaymentView } from '../../server/contract/index.ts'
import type { Logger } from '../../server/platform/logging/logger.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { adviceFor } from '../../server/operations/alerts/advice.ts'
import { type TestSystem, createTestSystem, kenyanDeposit, newKey } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

/**
 * Pays KES 2500; the service's answer to the status query says SUCCESS with these fields. Returns
 * what asks again.
 */
async function paidAs(fields: object, logger: Logger = silentLogger): Promise<() => Promise<PaymentView>> {
  system = await createTestSystem({
    agent: false,
    companion: { logger },
    network: async (request, next) => {
      if (!request.url.endsWith('/status-query')) return next()
      const { reference } = (await request.clone().json()) as { reference: string }
      return Response.json({ success: true, message: '', data: { reference, status: 'SUCCESS', ...fields } })
    },
  })
  const created = await system.browser('/v1/deposits', {
    method: 'POST',
    body: JSON.stringify({ ...kenyanDeposit({ bankCode: undefined }), amount: 2500 }),
    headers: { 'idempotency-key': newKey() },
  })
  const { id } = (await created.json()) as CreatedDeposit
  return async () =>
    (await (await system.backend(`/v1/payments/${id}/refresh`, { method: 'POST' })).json()) as PaymentView
}

it.each([
  ['reference', { reference: 'HCTANOTHER' }, 'query_reference'],
  ['amount', { amount: '25' }, 'query_amount'],
  ['amount, by half a shilling', { amount: 2500.5 }, 'query_amount'],
  ['amount, in thousands', { amount: '1,250' }, 'query_amount'],
  ['amount, taken back', { amount: -2500 }, 'query_amount'],
  ['amount, too large to be written out', { amount: 25e20 }, 'query_amount'],
  ['amount, with a comma before its cents', { amount: '25,00' }, 'query_amount'],
  ['currency', { amount: 2500, currency: 'XOF' }, 'query_amount'],
])(
  'a success of another %s credits nobody: the payment waits for a person, and the backend is told why',
  async (_what, fields, reason) => {
    const refresh = await paidAs(fields)
    expect(await refresh()).toMatchObject({ phase: 'review', status: 'PENDING', reviewReason: reason })
    await system.advance(1)
    expect(system.notices.map(({ body }) => [body.type, body.data.reason])).toEqual([['payment.review', reason]])
    expect(await refresh()).toMatchObject({ phase: 'review' })
  },
)

it.each([
  { amount: '2500.00', currency: 'KES' },
  { amount: 2500 },
  { amount: '2,500', currency: '' },
  { amount: '0002500.00' },
  { amount: '2.500,00' },
  { amount: '2 500' },
  { amount: '2500,0' },
  { amount: '2.5e3' },
  { amount: 'KES 1' },
  { amount: null, currency: null },
  { amount: ['2500'], currency: 404 },
])('a success that names our sum, or nothing that can be read as another one, is believed: %j', async (fields) => {
  const refresh = await paidAs(fields)
  expect(await refresh()).toMatchObject({ phase: 'succeeded', amount: 2500, currency: 'KES' })
})

it('a failure of another amount is a failure: nothing is credited by it', async () => {
  const refresh = await paidAs({ status: 'FAILED', amount: 0 })
  expect(await refresh()).toMatchObject({ phase: 'failed' })
})

it('an unknown status is logged once, without the payer, and counts as pending', async () => {
  const warned: unknown[] = []
  const logger: Logger = { ...silentLogger, warn: (fields) => void warned.push(Reflect.get(fields, 'status')) }
  const said = { status: 'Settled to Achieng Otieno\n' }
  const refresh = await paidAs(said, logger)
  expect(await refresh()).toMatchObject({ phase: 'open', status: 'PENDING' })
  await system.advance(60)
  await refresh()
  expect(warned.filter(Boolean)).toEqual(['Settled to [hidden]'])
  for (const word of ['processing', 'Pending', 'Reversed']) {
    said.status = word
    expect(await refresh()).toMatchObject({ phase: 'open', status: 'PENDING' })
  }
  expect(warned.filter(Boolean)).toEqual(['Settled to [hidden]', 'Reversed'])
})

it('one that had ended before is not under review: the alert says so, for no decision is taken', async () => {
  const said = { status: 'FAILED', transaction_id: '' }
  const refresh = await paidAs(said)
  const { id } = await refresh()
  Object.assign(said, { status: 'SUCCESS', transaction_id: 'CPOTHER' })
  expect(await refresh()).toMatchObject({ phase: 'failed' })
  const body = JSON.stringify({ outcome: 'succeeded', reason: 'paid in the portal', by: 'Amina' })
  const decided = await system.backend(`/v1/payments/${id}/decision`, { method: 'POST', body })
  expect(await decided.json()).toMatchObject({ status: 409, code: 'decision_not_open' })
  expect(await (await system.backend('/v1/payments?phase=review')).json()).toEqual({ payments: [] })
  expect(adviceFor('review:transaction_mismatch').todo).toContain('If it is not listed there, it had ended before')
})
