// The payment list and its export at the server's endpoints: pages, filters and times; and what the merchant's backend asks of one payment. The
// queries below them: test/store/store.test.ts.
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, PaymentDetail, PaymentList, PaymentView } from '../../server/contract/index.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import { createTestSystem, kenyanDeposit, newKey, SHOP_URL } from '../helpers/create-test-system.ts'
import { creation, depositRecord, START } from '../helpers/deposit-record.ts'

let system: TestSystem
afterEach(() => system.close())

const ids = async (query: string): Promise<string[]> => (await list(query)).payments.map(({ id }) => id)
async function list(query: string): Promise<PaymentList> {
  return (await (await system.backend(`/v1/payments?${query}`)).json()) as PaymentList
}

/** Payments a second apart, the oldest first. */
async function write(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, n) => depositRecord({ createdAt: START + n * 1000 }))
  for (const row of rows) await system.store.apply(creation(row))
  return rows.map(({ id }) => id)
}

it('pages go from the newest payment to the oldest, each payment once, and the last page has no cursor', async () => {
  system = await createTestSystem({ agent: false })
  const written = await write(6)
  const first = await list('limit=3')
  const last = await list(`limit=3&cursor=${first.nextCursor}`)
  expect([...first.payments, ...last.payments].map(({ id }) => id)).toEqual(written.toReversed())
  expect(last.nextCursor).toBeUndefined()
})

it('filters leave only what fits; of the times the first is inside, the last is not', async () => {
  system = await createTestSystem({ agent: false })
  const [first, second, third] = await write(3)
  const at = (n: number) => new Date(START + n * 1000).toISOString()
  expect(await ids('currency=KES&status=PENDING')).toEqual([third, second, first])
  expect(await ids('currency=TZS')).toEqual([])
  expect(await ids(`from=${at(1)}`)).toEqual([third, second])
  expect(await ids(`to=${at(1)}`)).toEqual([first])
  expect(await ids(`from=${at(1)}&to=${at(2)}`)).toEqual([second])
})

it('a filter that the payment list does not know is refused, for the list without it would look like its answer', async () => {
  system = await createTestSystem({ agent: false })
  expect((await system.backend('/v1/payments?orderId=A-1')).status).toBe(200)
  for (const misspelt of ['order_id=A-1', 'clientReference=x']) {
    const answer = await system.backend(`/v1/payments?${misspelt}`)
    expect(answer.status).toBe(422)
    expect(JSON.stringify(await answer.json())).toContain(misspelt.split('=')[0])
  }
  expect((await system.backend('/v1/payments.csv?limit=5')).status).toBe(422)
})

it('the export has every payment once, more than are read at a time', async () => {
  system = await createTestSystem({ agent: false })
  const written = await write(1001)
  const csv = await (await system.backend('/v1/payments.csv?currency=KES')).text()
  const [head, ...lines] = csv.trimEnd().split('\r\n')
  expect(head).toMatch(/^id,reference,/)
  expect(lines.map((line) => line.split(',')[0])).toEqual(written.toReversed())
})

async function start(): Promise<CreatedDeposit> {
  const headers = { 'idempotency-key': newKey() }
  const body = JSON.stringify(kenyanDeposit())
  return (await (await system.browser('/v1/deposits', { method: 'POST', body, headers })).json()) as CreatedDeposit
}

it('one payment is found by its id and by its reference, and nothing else is', async () => {
  system = await createTestSystem({ agent: false })
  const [other, { id, reference }] = [await start(), await start()]
  for (const name of [id, reference])
    expect((await (await system.backend(`/v1/payments/${name}`)).json()) as PaymentDetail).toMatchObject({
      id,
      reference,
    })
  for (const name of [other.id.slice(0, -1), reference.slice(0, -1), `${reference}0`])
    expect((await system.backend(`/v1/payments/${name}`)).status).toBe(404)
})

it('a refresh asks the service at once, and what it says is the answer', async () => {
  const asked: unknown[] = []
  let says: object = {}
  system = await createTestSystem({
    agent: false,
    async network(request, next) {
      if (!request.url.endsWith('/status-query')) return next()
      const { reference } = (await request.json()) as { reference: string }
      asked.push(reference)
      return Response.json({ success: true, message: '', data: { reference, ...says } })
    },
  })
  const { id, reference } = await start()
  says = { status: 'SUCCESS', transaction_id: (await system.store.deposit(id))?.transactionId }
  const refreshed = (await (
    await system.backend(`/v1/payments/${id}/refresh`, { method: 'POST' })
  ).json()) as PaymentView
  expect([refreshed.id, refreshed.phase, asked]).toEqual([id, 'succeeded', [reference]])
})

it('notices are sent again when the backend asks, though it had asked to be left alone', async () => {
  let busy = false
  system = await createTestSystem({
    network: async (request, next) =>
      busy && request.url.startsWith(SHOP_URL)
        ? new Response(null, { status: 503, headers: { 'retry-after': '300' } })
        : next(),
  })
  const resend = async (id: string) => {
    const answer = await system.backend(`/v1/payments/${id}/notices`, { method: 'POST' })
    return [answer.status, await answer.json()]
  }
  const [paid, unpaid] = [await start(), await start()]
  await system.service(`/console/api/transactions/${paid.reference}/confirm`, { method: 'POST' })
  await system.advance(10)
  const [told] = system.notices
  const ofPaid = () => system.notices.filter(({ body }) => body.data.paymentId === paid.id)
  expect([ofPaid().length, told?.body.type]).toEqual([1, 'payment.succeeded'])
  busy = true
  expect(await resend(paid.id)).toEqual([202, { requeued: 1 }])
  await system.advance(2)
  busy = false
  expect(await resend(paid.id)).toEqual([202, { requeued: 1 }])
  await system.advance(2)
  expect(ofPaid().map(({ id }) => id)).toEqual([told?.id, told?.id])
  expect(await resend(unpaid.id)).toEqual([202, { requeued: 0 }])
})
