// A callback with a valid hash over another sum, and callbacks in other forms, through the whole
// companion over HTTP.
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, PaymentDetail } from '../../server/contract/index.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { type TestSystem, createTestSystem, kenyanDeposit, keys, newKey } from '../helpers/create-test-system.ts'
import { FAILED_FIELDS, hashOf, signed } from '../upstream/material.ts'

let system: TestSystem
afterEach(() => system.close())

/** KES 2500 is waiting; the query answers what `said` holds. */
async function waiting(said: { status: string; amount?: number; currency?: string }, settings?: Partial<Settings>) {
  let resultUrl = ''
  const alerts: string[] = []
  system = await createTestSystem({
    agent: false,
    settings,
    companion: { alerts: { raise: (kind, detail) => void alerts.push(`${kind} ${detail}`) } },
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
  const fields = {
    channel: '420001', reference, transaction_id: transactionId, third_party_id: 'SP7S36U3T8', currency: 'KES',
    amount: '2500', fees: '50', acc_name: 'Achieng', result_code: '0', result_description: 'Done',
  } // prettier-ignore
  const callback = (changes: Record<string, string>) => signed({ ...fields, ...changes }, keys.consumerKey)
  return {
    reference,
    alerts,
    payment,
    fields,
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
  expect(w.alerts).toEqual([`webhook_other_sum ${w.reference}: KES 999 instead of KES 2500`])
  await system.close()

  const other = await waiting({ status: 'SUCCESS' })
  expect(await other.send(other.callback({ currency: 'UGX' }))).toBe(401)
  expect(other.alerts).toEqual([`webhook_other_sum ${other.reference}: UGX 2500 instead of KES 2500`])
  await other.refresh()
  expect(await other.payment()).toMatchObject({ phase: 'review', reviewReason: 'callback_sum' })
})

it('the sum that our own query was answered with is kept for the person who decides', async () => {
  const w = await waiting({ status: 'SUCCESS', amount: 999, currency: 'KES' })
  await w.refresh()
  const { phase, reviewReason, timeline } = await w.payment()
  expect({ phase, reviewReason }).toEqual({ phase: 'review', reviewReason: 'query_amount' })
  expect(timeline.slice(-2)).toMatchObject([
    { kind: 'query_sum', detail: 'KES 999 instead of KES 2500' },
    { kind: 'review', detail: 'query_amount' },
  ])
})

it('a payment that has succeeded stays, with a mark for the merchant', async () => {
  const w = await waiting({ status: 'success' })
  await w.refresh()
  expect(await w.payment()).toMatchObject({ phase: 'succeeded' })
  expect(await w.send(w.callback({ amount: '999' }))).toBe(401)
  const stays = await w.payment()
  expect(stays).toMatchObject({ phase: 'succeeded', disputedSum: true })
  expect(stays.timeline.at(-1)?.kind).toBe('callback_sum')
  expect(w.alerts).toEqual([`webhook_other_sum ${w.reference}: KES 999 instead of KES 2500`])
})

it.each([
  ['gzip', (raw: Uint8Array) => new Uint8Array(gzipSync(raw)), { 'content-encoding': 'gzip' }, ''],
  ['a slash behind the address', (raw: Uint8Array) => raw, {}, '/'],
])('a callback may ring with %s', async (_what, packed, headers, slash) => {
  const w = await waiting({ status: 'PENDING' })
  expect(await w.send(packed(w.callback({})), headers, slash)).toBe(200)
  expect((await w.payment()).timeline.map(({ kind }) => kind)).toContain('callback')
})

type Waiting = Awaited<ReturnType<typeof waiting>>

const text = (raw: Uint8Array) => Buffer.from(raw).toString()
const failed = { result_code: '1', result_description: 'Cancelled' }
/** A failure's five fields are hashed, and the other five are there too. */
const tenFields = ({ fields }: Waiting) => {
  const all = { ...fields, ...failed }
  return Buffer.from(JSON.stringify({ ...all, hash: hashOf(all, FAILED_FIELDS, keys.consumerKey) }))
}
const asForm = (raw: Uint8Array) =>
  Buffer.from(new URLSearchParams(JSON.parse(text(raw)) as Record<string, string>).toString())

const fiveFields = ({ fields: { channel, reference, transaction_id } }: Waiting) =>
  signed({ channel, reference, transaction_id, ...failed }, keys.consumerKey)

it.each<readonly [string, string, (w: Waiting) => Uint8Array]>([
  ['a success', 'succeeded', (w) => w.callback({})],
  ['a failure', 'failed', fiveFields],
])('where callbacks decide, %s of the documented form does', async (_what, phase, made) => {
  const w = await waiting({ status: 'PENDING' }, { confirm: 'callback' })
  expect(await w.send(made(w))).toBe(200)
  expect(await w.payment()).toMatchObject({ phase })
})

const otherForms: readonly [string, (w: Waiting) => Uint8Array, Record<string, string>][] = [
  ['with empty fees', (w) => w.callback({ fees: '' }), {}],
  ['with fees of null', (w) => Buffer.from(text(w.callback({ fees: '' })).replace('"fees":""', '"fees":null')), {}],
  ['with separators in its amount', (w) => w.callback({ amount: '2,500.00' }), {}],
  ['with a byte order mark', (w) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), w.callback({})]), {}],
  ['as a form', (w) => asForm(w.callback({})), { 'content-type': 'application/x-www-form-urlencoded' }],
  ['in gzip', (w) => gzipSync(w.callback({})), { 'content-encoding': 'gzip' }],
  ['of a failure with all ten fields', tenFields, {}],
]

it.each(otherForms)('where callbacks decide, one %s asks the service and decides nothing', async (_, made, headers) => {
  const w = await waiting({ status: 'PENDING' }, { confirm: 'callback' })
  expect(await w.send(made(w), headers)).toBe(200)
  expect(await w.payment()).toMatchObject({ phase: 'confirming' })
  expect(w.alerts).toEqual([])
})
