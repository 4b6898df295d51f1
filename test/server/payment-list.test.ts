// The payment list and its export at the server's endpoints: pages, filters and times; and what the
// merchant's backend asks of one payment. The queries below them: test/store/store.test.ts.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import type { CreatedDeposit, PaymentDetail, PaymentList, PaymentView, Problem } from '../../server/contract/index.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { silentMetrics } from '../../server/platform/metrics.ts'
import { nodeListener } from '../../server/node.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import { createTestSystem, kenyanDeposit, keys, newKey, SHOP_URL } from '../helpers/create-test-system.ts'
import { creation, depositRecord, noticeRecord, START } from '../helpers/deposit-record.ts'

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

it('a cursor with a NUL in it is refused like any other that is not ours', async () => {
  system = await createTestSystem({ agent: false })
  const cursorOf = (text: string) => Buffer.from(text).toString('base64url')
  for (const text of ['1.dep_1.HCT\0', '1.dep_1.\0', '1.dep_\0', 'nothing']) {
    const answer = await system.backend(`/v1/payments?search=HCT&by=reference&cursor=${cursorOf(text)}`)
    const { code, issues } = (await answer.json()) as Problem
    expect([answer.status, code, issues?.map(({ path }) => path)]).toEqual([422, 'invalid_request', ['cursor']])
  }
  expect(await ids(`search=HCT&by=reference&cursor=${cursorOf('1.dep_1.HCT')}`)).toEqual([])
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

it('a time that cannot be read is refused with how to write it, a plus sign in an address included', async () => {
  system = await createTestSystem({ agent: false })
  const [first, second] = await write(2)
  const there = new Date(START + 1000 + 3 * 3_600_000).toISOString().replace('Z', '+03:00')
  for (const query of ['from=2026-03-01', 'from=01.03.2026', `to=${there}`]) {
    const answer = await system.backend(`/v1/payments?${query}`)
    const { detail } = (await answer.json()) as Problem
    expect([answer.status, detail]).toEqual([422, expect.stringMatching(/as 2026-03-01T00:00:00Z, .*%2B/)])
  }
  expect(await ids(`from=${there.replace('+', '%2B')}`)).toEqual([second])
  expect(await ids(`to=${there.replace('+', '%2B')}`)).toEqual([first])
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

it.each([
  ['/v1/payments?orderId=A-1&orderId=A-2', 'orderId'],
  ['/v1/payments?limit=5&limit=5', 'limit'],
  ['/v1/payments?cursor=a&limit=5&cursor=b', 'cursor'],
  ['/v1/payments.csv?status=SUCCESS&status=FAILED', 'status'],
  ['/v1/banks?country=KE&country=TZ', 'country'],
])(
  'a parameter given twice is refused by its name, for the answer would be that of one value: %s',
  async (path, name) => {
    system = await createTestSystem({ agent: false })
    const answer = await system.backend(path)
    const { code, detail, issues } = (await answer.json()) as Problem
    expect([answer.status, code, issues?.map((issue) => issue.path)]).toEqual([422, 'invalid_request', [name]])
    expect(detail).toBe(`${name}: Given more than once; send one value.`)
  },
)

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

/**
 * An export over HTTP whose pages after the first are read by `others`: what was logged, counted
 * and printed meanwhile.
 */
async function exportOverHttp(
  others: (first: () => Promise<readonly Deposit[]>) => Promise<readonly Deposit[]>,
  receive: (answer: Response) => Promise<unknown>,
) {
  const logged: object[] = []
  const counted: string[] = []
  const note = (fields: object) => void logged.push(fields)
  const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'info')]
  const store = sqliteStore({ path: ':memory:' })
  system = await createTestSystem({
    agent: false,
    store: {
      ...store,
      async payments({ after, ...filter }) {
        const first = () => store.payments({ ...filter, after: undefined })
        return after === undefined ? first() : others(first)
      },
    },
    companion: {
      logger: { ...silentLogger, error: note, warn: note },
      metrics: { ...silentMetrics, count: (name) => void counted.push(name) },
    },
  })
  await write(500)
  const server = createServer((request, response) => void nodeListener(system.companion)(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/payments.csv`
  try {
    const received = await receive(await fetch(url, { headers: { authorization: `Bearer ${keys.merchantKey}` } }))
    server.close()
    await once(server, 'close')
    return { received, logged, counted, printed: printed.flatMap(({ mock }) => mock.calls) }
  } finally {
    for (const spy of printed) spy.mockRestore()
  }
}

it('an export that the database breaks off is no whole file to its receiver, and is logged and counted like any fault', async () => {
  const broken = new Error('the disk of the database is gone')
  const { received, logged, counted, printed } = await exportOverHttp(
    () => Promise.reject(broken),
    (answer) => answer.text().catch(String),
  )
  expect(received).toBe('TypeError: terminated')
  expect(logged).toContainEqual(
    expect.objectContaining({ code: 'internal_error', path: '/v1/payments.csv', err: broken }),
  )
  expect(counted).toContain('faults')
  expect(printed).toEqual([])
})

it('an export whose receiver leaves is no fault', async () => {
  const endless = (first: () => Promise<readonly Deposit[]>) => first()
  const { logged, counted, printed } = await exportOverHttp(endless, async ({ body }) => body?.cancel())
  expect(logged).toEqual([])
  expect(counted).not.toContain('faults')
  expect(printed).toEqual([])
})

it('each column of the export has its own fact, and is empty where there is none', async () => {
  system = await createTestSystem({ agent: false })
  const full = depositRecord({
    phase: 'succeeded', transactionId: 'CP1', settledAt: START + 1000, bankCode: '01', bankName: 'KCB', sessionId: 'ses_1', orderId: 'A-1',
    clientReference: 'cart', resultCode: '0', resultDescription: 'Paid', late: true, duplicate: true,
  }) // prettier-ignore
  const { payer: _, ...bare } = depositRecord({ createdAt: START - 1000, description: 'Top-up' })
  for (const row of [full, bare]) await system.store.apply(creation(row))
  const csv = await (await system.backend('/v1/payments.csv')).text()
  const [head, first, second] = csv.split('\r\n').map((line) => line.split(','))
  const columns = (line: readonly string[] = []) => Object.fromEntries((head ?? []).map((name, i) => [name, line[i]]))
  const common = { mode: 'test', amount: '1500', currency: 'KES', country: 'KE', description: 'Top-up' }
  const facts = {
    ...common, id: full.id, reference: full.reference, transaction_id: 'CP1', created_at: new Date(START).toISOString(),
    settled_at: new Date(START + 1000).toISOString(), status: 'SUCCESS', phase: 'succeeded', bank_code: '01', bank_name: 'KCB',
    payer_name: 'Achieng Otieno', payer_phone: '254712345678', payer_email: 'achieng@example.com', session_id: 'ses_1', order_id: 'A-1',
    client_reference: 'cart', result_code: '0', result_description: 'Paid', late: 'true', duplicate: 'true',
  } // prettier-ignore
  expect(columns(first)).toEqual(facts)
  expect(columns(second)).toEqual({
    ...Object.fromEntries(Object.keys(facts).map((name) => [name, ''])),
    ...common,
    id: bare.id,
    reference: bare.reference,
    created_at: new Date(START - 1000).toISOString(),
    status: 'PENDING',
    phase: 'open',
    late: 'false',
    duplicate: 'false',
  })
})

it('a payment comes with its timeline, what was reported of it, and how far its notices are', async () => {
  system = await createTestSystem({ agent: false })
  const row = depositRecord({ reportedFees: '25', reportedThirdPartyId: 'MP1' })
  const line = { depositId: row.id, at: START, kind: 'started', phase: 'creating', version: 1 } as const
  const delivered = noticeRecord(row.id, { state: 'delivered', attempts: 1, deliveredAt: START + 3000 })
  const waiting = noticeRecord(row.id, {
    createdAt: START + 1000,
    attempts: 2,
    dueAt: START + 9000,
    lastError: 'answered 500',
  })
  await system.store.apply({
    deposit: { row, expect: 'new' },
    timeline: [line, { ...line, at: START + 500, kind: 'created', phase: 'open', version: 2, detail: 'so' }],
    notices: [delivered, waiting],
  })
  const at = (ms: number) => new Date(START + ms).toISOString()
  const { timeline, reported, notices } = (await (
    await system.backend(`/v1/payments/${row.id}`)
  ).json()) as PaymentDetail
  expect({ timeline, reported, notices }).toEqual({
    timeline: [
      { at: at(0), kind: 'started', phase: 'creating', version: 1 },
      { at: at(500), kind: 'created', phase: 'open', version: 2, detail: 'so' },
    ],
    reported: { fees: '25', thirdPartyId: 'MP1' },
    notices: [
      { id: delivered.id, type: 'payment.succeeded', body: delivered.body, state: 'delivered', attempts: 1, createdAt: at(0), deliveredAt: at(3000) },
      { id: waiting.id, type: 'payment.succeeded', body: waiting.body, state: 'waiting', attempts: 2, createdAt: at(1000), nextAttemptAt: at(9000), lastError: 'answered 500' },
    ],
  }) // prettier-ignore
})
