// A callback with a valid hash over another sum, and callbacks in other forms, through the whole
// companion over HTTP.
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, PaymentDetail } from '../../server/contract/index.ts'
import { type TestSystem, createTestSystem, kenyanDeposit, keys, newKey } from '../helpers/create-test-system.ts'
import { signed } from '../upstream/material.ts'

let system: TestSystem
afterEach(() => system.close())

/** KES 2500 is waiting; the query answers what `said` holds. */
async function waiting(said: { status: string; amount?: number; currency?: string }) {
  let resultUrl = ''
  system = await createTestSystem({
    agent: false,
    network: async (request, next) => {
      const sent = (await request.clone().text()) || '{}'
      if (request.url.endsWith('/payment/')) resultUrl = (JSON.parse(sent) as { result_url: string }).result_url
      if (!request.url.endsWith('/status-query')) return next()
      const { reference } = JSON.parse(sent) as { reference: string }
      return Response.json({ success: true, message: '', data: { reference, ...said } })
    },
  })
  const created = await system.browser('/v1/deposits', {
    method: 'POST',
    body: JSON.stringify({ ...kenyanDeposit({ bankCode: undefined }), amount: 2500 }),
    headers: { 'idempotency-key': newKey() },
  })
  const { id } = (await created.json()) as CreatedDeposit
  const payment = async () => (await (await system.backend(`/v1/payments/${id}`)).json()) as PaymentDetail
  const { reference, transactionId = '' } = await payment()
  const callback = (changes: Record<string, string>) =>
    signed(
      {
        channel: '420001', reference, transaction_id: transactionId, third_party_id: 'SP7S36U3T8', currency: 'KES',
        amount: '2500', fees: '50', acc_name: 'Achieng', result_code: '0', result_description: 'Done', ...changes,
      },
      keys.consumerKey,
    ) // prettier-ignore
  return {
    payment,
    callback,
    async send(raw: Uint8Array, headers: Record<string, string> = {}, slash = '') {
      const type = { 'content-type': 'application/json' }
      const body = Buffer.from(raw)
      const answer = await system.companion.app.request(`${resultUrl}${slash}`, {
        method: 'POST',
        body,
        headers: { ...type, ...headers },
      })
      return answer.status
    },
    refresh: () => system.backend(`/v1/payments/${id}/refresh`, { method: 'POST' }),
  }
}

it('a sum that the service signed, then SUCCESS without a sum, waits for a person', async () => {
  const w = await waiting({ status: 'PENDING' })
  expect(await w.send(w.callback({ amount: '999' }))).toBe(401)
  const marked = await w.payment()
  expect(marked).toMatchObject({ phase: 'open', disputedSum: true })
  expect(marked.timeline.at(-1)).toMatchObject({ kind: 'callback_sum', detail: 'KES 999 instead of KES 2500' })
  await system.close()

  const other = await waiting({ status: 'SUCCESS' })
  expect(await other.send(other.callback({ currency: 'UGX' }))).toBe(401)
  await other.refresh()
  expect(await other.payment()).toMatchObject({ phase: 'review', reviewReason: 'callback_sum' })
})

it('a payment that has succeeded stays, with a mark for the merchant', async () => {
  const w = await waiting({ status: 'success' })
  await w.refresh()
  expect(await w.payment()).toMatchObject({ phase: 'succeeded' })
  expect(await w.send(w.callback({ amount: '999' }))).toBe(401)
  const stays = await w.payment()
  expect(stays).toMatchObject({ phase: 'succeeded', disputedSum: true })
  expect(stays.timeline.at(-1)?.kind).toBe('callback_sum')
})

it.each([
  ['gzip', (raw: Uint8Array) => new Uint8Array(gzipSync(raw)), { 'content-encoding': 'gzip' }, ''],
  ['a slash behind the address', (raw: Uint8Array) => raw, {}, '/'],
])('a callback may ring with %s', async (_what, packed, headers, slash) => {
  const w = await waiting({ status: 'PENDING' })
  expect(await w.send(packed(w.callback({})), headers, slash)).toBe(200)
  expect((await w.payment()).timeline.map(({ kind }) => kind)).toContain('callback')
})
