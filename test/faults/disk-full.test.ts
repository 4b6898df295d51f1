// A companion whose database cannot be written, because the disk is full or the file is locked:
// every endpoint says so, nothing is acknowledged without being written, nothing is created at the
// service without a row, and once there is space everything recovers by itself.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CreatedDeposit, PaymentDetail } from '../../server/contract/index.ts'
import { createStore } from '../../server/store/engine/create-store.ts'
import { sqliteEngine } from '../../server/store/sqlite/sqlite.ts'
import { creation, depositRecord, fresh, idempotencyRecord, inboxRecord } from '../helpers/deposit-record.ts'
import { createTestSystem, type TestSystem, kenyanDeposit, newKey, SANDBOX_URL } from '../helpers/create-test-system.ts'

let folder: string
let system: TestSystem
let engine: ReturnType<typeof sqliteEngine>
let onCreate: () => Promise<void>
let other: Database.Database | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hc-full-'))
  // The limit that is set here is one of this connection alone.
  engine = sqliteEngine({ path: join(folder, 'hc.db') })
  onCreate = async () => {}
  system = await createTestSystem({
    store: createStore(engine),
    network: async (request, next) => {
      const answer = await next()
      if (request.url === `${SANDBOX_URL}/api/v2/payment/`) await onCreate()
      return answer
    },
  })
})
afterEach(async () => {
  makeRoom()
  await system.close()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Nothing fits into the file any more: not a payment, not a line of its history, not a callback,
 * not a small fact.
 */
async function fill(): Promise<void> {
  const { store } = system
  engine.database.pragma(`max_page_count = ${Number(engine.database.pragma('page_count', { simple: true }))}`)
  const writers = [
    () => store.apply({ ...creation(depositRecord()), idempotency: idempotencyRecord(fresh('dep')) }),
    () => store.apply({ inbox: inboxRecord() }),
    () => store.setMeta(`filler-${(count += 1)}`, 'x'),
  ]
  let count = 0
  for (const write of [...writers, ...writers]) {
    for (let refused = 0; refused < 20;) {
      const written = await write().then(
        () => true,
        () => false,
      )
      refused = written ? 0 : refused + 1
    }
  }
}

/**
 * Another program holds the file, as a careless backup would: reads go on, nothing can be written.
 */
async function hold(): Promise<void> {
  engine.database.pragma('busy_timeout = 10')
  other ??= new Database(join(folder, 'hc.db'))
  other.exec('BEGIN IMMEDIATE')
}

function makeRoom(): void {
  other?.close()
  other = undefined
  if (engine.database.open) engine.database.pragma('max_page_count = 1000000')
}

const create = (key: string) =>
  system.browser('/v1/deposits', {
    method: 'POST',
    headers: { 'idempotency-key': key },
    // The long reference needs room of its own.
    body: JSON.stringify(
      kenyanDeposit({
        payer: { name: 'Achieng Otieno', phone: '0700000001' },
        clientReference: 'order-'.padEnd(120, '7'),
      }),
    ),
  })
const transactions = async () =>
  (
    (await (await system.service('/console/api/transactions?limit=100')).json()) as {
      data: { id: string; reference: string }[]
    }
  ).data
const detail = async (id: string) => (await (await system.backend(`/v1/payments/${id}`)).json()) as PaymentDetail

test('a payment that cannot be written down is not begun; the same key begins it once there is room', async () => {
  await fill()
  const key = newKey()
  const refused = await create(key)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ code: 'store_unavailable' })
  expect(await transactions()).toEqual([])
  const ready = await system.browser('/readyz')
  expect(ready.status).toBe(503)
  expect((await system.browser('/healthz')).status).toBe(200)
  makeRoom()
  const created = await create(key)
  expect(created.status).toBe(201)
  // What was found is kept for a second.
  await system.advance(1)
  expect((await system.browser('/readyz')).status).toBe(200)
  const { id } = (await created.json()) as CreatedDeposit
  await system.advance(60)
  expect(await detail(id)).toMatchObject({ phase: 'succeeded' })
  expect(await transactions()).toHaveLength(1)
})

test('no more can be written while the service creates: the payment is found again and ends as the service says', async () => {
  onCreate = hold
  const key = newKey()
  const refused = await create(key)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ code: 'store_unavailable' })
  expect(await transactions()).toHaveLength(1)
  onCreate = async () => {}
  makeRoom()
  await system.advance(120)
  const again = await create(key)
  expect(again.status).toBe(201)
  const { id } = (await again.json()) as CreatedDeposit
  expect(await detail(id)).toMatchObject({ phase: 'succeeded' })
  expect(await transactions()).toHaveLength(1)
  expect(new Set(system.notices.filter(({ body }) => body.data.paymentId === id).map((notice) => notice.id)).size).toBe(
    1,
  )
})

test('a callback is not answered 200 unless it is on disk; it comes again, and the backend hears of the payment under one id', async () => {
  const { id } = (await (await create(newKey())).json()) as CreatedDeposit
  await hold()
  await system.advance(20)
  expect(system.notices).toEqual([])
  const deliveries = (
    (await (await system.service('/console/api/deliveries')).json()) as { data: { log: { status: number | null }[] }[] }
  ).data
  const answers = deliveries.flatMap(({ log }) => log.map(({ status }) => status))
  expect(answers.length).toBeGreaterThan(0)
  expect(new Set(answers)).toEqual(new Set([503]))
  expect(await detail(id)).toMatchObject({ phase: 'open' })
  makeRoom()
  await system.advance(200)
  expect(await detail(id)).toMatchObject({ phase: 'succeeded' })
  expect(new Set(system.notices.map((notice) => notice.id)).size).toBe(1)
})
