// How long payer details are kept: retention and erasure, from a session's phone number to a
// callback that comes too late.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CreatedDeposit, CreateSession } from '../../server/contract/index.ts'
import { keyHashOf } from '../../server/deposits/identity.ts'
import { createScheduler } from '../../server/operations/scheduler.ts'
import { createStore } from '../../server/store/engine/create-store.ts'
import { sqliteEngine, sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import type { InboxRow, Store } from '../../server/deposits/ports/store.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import { createSession, createTestSystem, kenyanDeposit, newKey, pay } from '../helpers/create-test-system.ts'
import { creation, depositRecord, idempotencyRecord, inboxRecord, START } from '../helpers/deposit-record.ts'
import { quietTools } from '../helpers/quiet-tools.ts'

const DAY = 86_400_000
const nothing = () => Promise.resolve(0)

let store: Store
beforeEach(() => {
  store = sqliteStore({ path: ':memory:' })
})
afterEach(() => store.close())

/** One round of housekeeping `days` after the start. */
async function housekeeping(retentionDays: number, days: number): Promise<void> {
  const tools = quietTools({ store, now: () => START + days * DAY, background: () => {} })
  const scheduler = createScheduler(tools, {
    reconciler: { askDue: nothing },
    callbacks: { matchDue: nothing },
    outbox: { deliverDue: nothing },
    streams: { beat: () => 0 },
    clock: { trustedNow: tools.now, look: nothing },
    health: { look: () => Promise.resolve() },
    retentionDays,
  })
  await scheduler.tick()
}

describe('callbacks and answers, which repeat payer details, go', () => {
  test.each([
    { retentionDays: 7, kept: 6.9, gone: 7.1 },
    { retentionDays: 365, kept: 59.9, gone: 60.1 },
  ])('with $retentionDays days of retention after $gone days', async ({ retentionDays, kept, gone }) => {
    const row = depositRecord({ phase: 'succeeded', settledAt: START })
    const key = idempotencyRecord(row.id, { answer: '{}' })
    await store.apply({ ...creation(row), idempotency: key, inbox: inboxRecord({ reference: row.reference }) })
    await housekeeping(retentionDays, kept)
    expect((await store.idempotency(key.keyHash))?.answer).toBe('{}')
    await housekeeping(retentionDays, gone)
    expect((await store.idempotency(key.keyHash))?.answer).toBeUndefined()
    // The callback is gone as well: a purge of everything finds nothing more.
    expect(await store.purgeOld(START + 1000 * DAY)).toBe(0)
  })
})

describe('in the system', () => {
  let system: TestSystem
  const inboxes: InboxRow[] = []
  beforeEach(async () => {
    inboxes.length = 0
    const watched: Store = {
      ...store,
      apply(change) {
        if (change.inbox !== undefined) inboxes.push(change.inbox)
        return store.apply(change)
      },
    }
    system = await createTestSystem({ store: watched })
  })
  afterEach(() => system.close())

  async function session(given: Partial<CreateSession>): Promise<string | undefined> {
    const { id } = await createSession(system, given)
    return (await store.session(id))?.payer?.phone
  }

  test('a session keeps a phone number as payments do, where the currency tells the country', async () => {
    expect(await session({ payer: { phone: '0700 999 888' } })).toBe('254700999888')
    expect(await session({ payer: { phone: '+254 700 999 888' } })).toBe('254700999888')
    expect(await session({ payer: { phone: '+33 6 12 34 56 78' } })).toBe('33612345678')
    // Eight countries share this one.
    expect(await session({ currency: 'XOF', payer: { phone: '70 12 34 56' } })).toBe('70123456')
    expect(await session({ currency: 'XOF', country: 'SN', payer: { phone: '70 123 45 67' } })).toBe('221701234567')
  })

  test('a payer who was forgotten is not kept again: no callback with the name, and a repeated key has an answer', async () => {
    const body = kenyanDeposit({ payer: { name: 'Achieng Otieno', phone: '254700000001' } })
    const create = () =>
      system.browser('/v1/deposits', {
        method: 'POST',
        headers: { 'idempotency-key': 'one-purchase-of-somebody-0001' },
        body: JSON.stringify(body),
      })
    const first = (await (await create()).json()) as { id: string }
    const phone = (await store.deposit(first.id))?.payer?.phone ?? ''
    expect(await system.store.forgetPhone(phone)).toBe(1)
    await system.advance(60)
    expect(inboxes.length).toBeGreaterThan(0)
    expect(inboxes.map((row) => row.body.length)).toEqual(inboxes.map(() => 0))
    const again = await create()
    expect(again.status).toBe(201)
    expect(await again.json()).toMatchObject({ id: first.id, phase: 'succeeded' })
  })
})

test('a payer who is forgotten while the service is creating the payment is not kept in the answer to it', async () => {
  const system = await createTestSystem({
    store,
    agent: false,
    async network(request, next) {
      if (request.url.endsWith('/api/v2/payment/')) await store.forgetPhone('254712345678')
      return next()
    },
  })
  const key = newKey()
  const create = () => pay(system, { payer: { name: 'Zawadi', phone: '0712345678', email: 'z@yetu.example' } }, key)
  const first = (await (await create()).json()) as CreatedDeposit
  const kept = (await store.idempotency(keyHashOf(key)))?.answer
  expect(kept).toContain(first.reference)
  for (const detail of ['Z•', '678', 'yetu']) expect(kept).not.toContain(detail)
  expect(await (await create()).json()).toEqual({ ...first, payer: { name: '' } })
  await system.close()
})

test('a callback that comes while a payer is being forgotten leaves no name behind', async () => {
  const engine = sqliteEngine({ path: ':memory:' })
  const deposit = depositRecord({ phase: 'succeeded', settledAt: START })
  const late = inboxRecord({
    id: `${deposit.reference}.late`,
    reference: deposit.reference,
    depositId: deposit.id,
    body: Buffer.from('{"acc_name":"Achieng Otieno"}'),
  })
  const racing = createStore({
    ...engine,
    async write(query, values) {
      // Kept with its text, for the deposit still has a payer.
      if (query.name === 'forget_phone') await racing.apply({ inbox: late })
      return engine.write(query, values)
    },
  })
  await racing.apply(creation(deposit))
  // By a clock that was two months behind.
  await racing.apply({ inbox: { ...late, id: 'cbk_early', receivedAt: START - 60 * DAY } })
  expect(await racing.forgetPhone(deposit.payer?.phone ?? '')).toBe(1)
  const bodies = engine.database.prepare('SELECT body FROM inbox').pluck().all() as Buffer[]
  expect(bodies.map(String)).toEqual(['', ''])
  await racing.close()
})

test('an erasure that breaks off half-way leaves no callback that the next one cannot find', async () => {
  const engine = sqliteEngine({ path: ':memory:' })
  const deposit = depositRecord({ phase: 'succeeded', settledAt: START })
  const breaking = createStore({
    ...engine,
    async write(query, values) {
      const rows = await engine.write(query, values)
      if (query.name === 'forget_phone') throw new Error('The machine stopped.')
      return rows
    },
  })
  await breaking.apply(creation(deposit))
  await breaking.apply({ inbox: inboxRecord({ reference: deposit.reference, body: Buffer.from('Achieng Otieno') }) })
  const phone = deposit.payer?.phone ?? ''
  await expect(breaking.forgetPhone(phone)).rejects.toThrow('The machine stopped.')
  expect(engine.database.prepare('SELECT body FROM inbox').pluck().all().map(String)).toEqual([''])
  await breaking.close()
})
