// The payment list and its export at the server's endpoints: pages, filters and times. The queries below them: test/store/store.test.ts.
import { afterEach, expect, it } from 'vitest'
import type { PaymentList } from '../../server/contract/index.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import { createTestSystem } from '../helpers/create-test-system.ts'
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
  const written = await write(4)
  const first = await list('limit=2')
  const last = await list(`limit=2&cursor=${first.nextCursor}`)
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
