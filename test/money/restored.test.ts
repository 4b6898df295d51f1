// After the restore of an older backup, a repeated event keeps its id, so the receiver recognises
// it, and payments made meanwhile are found.
import { expect, it } from 'vitest'
import type { Notice } from '../../server/contract/index.ts'
import { createAfterRestore } from '../../server/operations/after-restore.ts'
import { createBudget } from '../../server/deposits/settle/budget.ts'
import type { Input } from '../../server/deposits/machine/transition.ts'
import { createMover } from '../../server/deposits/settle/mover.ts'
import type { Tools } from '../../server/deposits/ports/machine.ts'
import { createReconciler } from '../../server/deposits/settle/reconcile.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import type { Upstream } from '../../server/deposits/ports/upstream.ts'
import { creation, depositRecord, START } from '../helpers/deposit-record.ts'
import { type TestSystem, createTestSystem } from '../helpers/create-test-system.ts'
import { quietTools } from '../helpers/quiet-tools.ts'

const row = depositRecord({ phase: 'open', transactionId: 'CP1' })
const says = (status: 'SUCCESS' | 'FAILED'): Input => ({
  kind: 'answered',
  status,
  reference: row.reference,
  transactionId: 'CP1',
})

const toolsOf = (store: Store, later: number): Tools =>
  quietTools({ store, now: () => START + later, background: () => {} })

/**
 * The webhook-ids of what is told when `inputs` come in, on a database as the backup has it,
 * `later` ms after the start.
 */
async function told(inputs: readonly Input[], later: number): Promise<Record<string, string>> {
  const store = sqliteStore({ path: ':memory:' })
  const mover = createMover(toolsOf(store, later))
  await store.apply(creation(row))
  let deposit = row
  for (const input of inputs) deposit = await mover.move(deposit, input)
  const notices = await store.notices(row.id)
  await store.close()
  return Object.fromEntries(notices.map(({ id, type }) => [type, id]))
}

it('a success has the same webhook-id whenever and however it is found, and none that another event has', async () => {
  const before = await told([says('SUCCESS')], 60_000)
  const after = await told([says('SUCCESS')], 86_400_000)
  const late = await told([says('FAILED'), says('SUCCESS')], 120_000)
  expect(after).toEqual(before)
  expect(late['payment.succeeded']).toBe(before['payment.succeeded'])
  expect(late['payment.failed']).not.toBe(before['payment.succeeded'])
})

it('what is told after a restore is newer than all that was told before it', async () => {
  const store = sqliteStore({ path: ':memory:' })
  const mover = createMover(toolsOf(store, 60_000))
  const versions = async () =>
    (await store.notices(row.id)).map(({ body }) => (JSON.parse(body) as { data: { version: number } }).data.version)
  await store.apply(creation(row))
  const ended = await mover.move(await mover.move(row, says('FAILED')), says('SUCCESS'))
  const before = await versions()
  expect(Math.max(...before)).toBe(ended.version)
  await store.close()

  const restored = sqliteStore({ path: ':memory:' })
  await restored.apply(creation(row))
  await restored.wakeDeposits(START - 1, START + 60_000)
  const again = createMover(toolsOf(restored, 60_000))
  const found = await again.move((await restored.deposit(row.id)) ?? row, says('SUCCESS'))
  expect(found).toMatchObject({ phase: 'succeeded' })
  expect(found.version).toBeGreaterThan(Math.max(...before))
  await restored.close()
})

it.each([
  ['what is due at the start', ({ companion }: TestSystem) => companion.tick()],
  ['what a person has asked about before the first round', askedBy],
] as const)('%s is moved only after that: the service may answer before all are woken', async (_, ask) => {
  const store = sqliteStore({ path: ':memory:' })
  const open = depositRecord({ phase: 'open', version: 2, createdAt: START - 60_000, dueAt: START - 1000 })
  await store.apply(creation(open))
  await store.setMeta('restored_at', String(START))
  const system = await createTestSystem({
    store,
    start: START,
    async network(request, next) {
      if (!request.url.endsWith('/status-query')) return next()
      return Response.json({ success: true, data: { reference: open.reference, status: 'SUCCESS' } })
    },
  })
  await ask(system, open.id)
  await system.companion.tick()
  await system.companion.tick()
  // Between backup and restore it may have been reported as failed, with version 3.
  expect(system.notices.map(({ body }) => body)).toMatchObject([{ type: 'payment.succeeded', data: { version: 1003 } }])
  await system.close()
})

async function askedBy({ backend }: TestSystem, id: string): Promise<void> {
  const answer = await backend(`/v1/payments/${id}/refresh`, { method: 'POST' })
  expect(await answer.json()).toMatchObject({ phase: 'succeeded', version: 1003 })
}

it('what is told after a second restore of the same backup is newer than all that was told after the first', async () => {
  const DAY = 86_400_000
  /** The versions of the notices that follow a restore, `later` ms after the backup. */
  async function toldAfter(later: number, inputs: readonly Input[]): Promise<number[]> {
    const store = sqliteStore({ path: ':memory:' })
    await store.apply(creation({ ...row, createdAt: START + 300 * DAY }))
    // The time that is trusted is that of the backup: the clock seems to have leapt since.
    await store.wakeDeposits(START + 271 * DAY, START + 301 * DAY + later)
    const mover = createMover(toolsOf(store, 301 * DAY + later))
    for (const input of inputs) await mover.move((await store.deposit(row.id)) ?? row, input)
    const versions = (await store.notices(row.id)).map(({ body }) => (JSON.parse(body) as Notice).data.version)
    await store.close()
    return versions
  }
  const first = await toldAfter(0, [says('FAILED')])
  const second = await toldAfter(60_000, [says('SUCCESS')])
  expect(second[0]).toBeGreaterThan(first[0] ?? Infinity)
  // Receivers may keep it in 32 bits.
  expect(second[0]).toBeLessThan(2 ** 31)
})

it('two that paid for one order may be told the other way round, and both notices say for which order', async () => {
  const order = { phase: 'failed', sessionId: 'ses_twice', orderId: 'NURU-1001' } as const
  const attempts = [
    depositRecord({ ...order, transactionId: 'CPa' }),
    depositRecord({ ...order, transactionId: 'CPb' }),
  ]
  const toldInTurn = async (rows: typeof attempts) => {
    const store = sqliteStore({ path: ':memory:' })
    const mover = createMover(toolsOf(store, 60_000))
    for (const attempt of attempts) await store.apply(creation(attempt))
    for (const attempt of rows)
      await mover.move(attempt, {
        kind: 'answered',
        status: 'SUCCESS',
        reference: attempt.reference,
        transactionId: attempt.transactionId ?? '',
      })
    const notices = (await Promise.all(attempts.map(({ id }) => store.notices(id)))).flat()
    await store.close()
    return notices.map(({ id, type, body }) => ({ id, type, ...(JSON.parse(body) as { data: object }).data }))
  }
  const before = await toldInTurn(attempts)
  const after = await toldInTurn(attempts.toReversed())
  const orderOf = { sessionId: 'ses_twice', orderId: 'NURU-1001' }
  expect(before).toMatchObject([
    { type: 'payment.succeeded', ...orderOf },
    { type: 'payment.duplicate', ...orderOf },
  ])
  expect(after).toMatchObject([
    { type: 'payment.duplicate', ...orderOf },
    { type: 'payment.succeeded', ...orderOf },
  ])
  // No receiver may take one of these for a repeat of what it was told before.
  expect(new Set([...before, ...after].map(({ id }) => id)).size).toBe(4)
})

/**
 * `HC_RATE` 150 gives two patient asks a second; thirty customers who look on want more than that.
 */
it('one that had ended is found to be paid within the hour, though customers look on all the time', async () => {
  const store = sqliteStore({ path: ':memory:' })
  let clock = START
  const now = () => clock
  const old = depositRecord({
    phase: 'failed',
    createdAt: START - 60_000,
    settledAt: START - 60_000,
    transactionId: 'CPold',
  })
  await store.apply(creation(old))
  const watched = new Set<string>()
  for (let n = 0; n < 30; n++) {
    const row = depositRecord({ phase: 'open', dueAt: START + n * 400, expiresAt: START + 86_400_000 })
    watched.add(row.id)
    await store.apply(creation(row))
  }
  const budget = createBudget({ store, now, rate: 150, shared: false })
  const tools = quietTools({ store, now, isWatched: (id) => watched.has(id) })
  const upstream = {
    isDown: () => false,
    query: async ({ reference }: { readonly reference: string }) => ({
      kind: 'found',
      reference,
      status: reference === old.reference ? 'SUCCESS' : 'PENDING',
    }),
  } as unknown as Upstream
  const reconciler = createReconciler(tools, { budget, mover: createMover(tools), upstream })
  // A busy while first: the minute is full when the database comes back.
  for (; clock < START + 120_000; clock += 500) await reconciler.askDue()
  await store.wakeDeposits(START - 30 * 86_400_000, clock)
  for (; clock < START + 3_600_000; clock += 500) await reconciler.askDue()
  expect(await store.deposit(old.id)).toMatchObject({ phase: 'succeeded' })
  await store.close()
})

it('a restored database is reconciled when nothing is due any more and what was being asked is answered, and is woken once', async () => {
  const store = sqliteStore({ path: ':memory:' })
  let clock = START
  const running = { begun: 7, over: 0 }
  const rounds = { begun: () => running.begun, areOver: (round: number) => round <= running.over }
  const { look, isWaking, isUnfinished } = createAfterRestore({
    store,
    now: () => clock,
    trustedNow: () => clock,
    lookAtClock: async () => {},
    rounds,
  })
  const dueAt = async () => (await store.stats()).oldestDueAt
  // As old as any that is asked about.
  const at = START - 30 * 86_400_000 + 60_000
  const ended = depositRecord({ phase: 'failed', createdAt: at, settledAt: at })
  await store.apply(creation(ended))

  // No restore, nothing to do.
  running.over = 9
  for (let n = 0; n < 3; n++) await look()
  expect([await dueAt(), isWaking(), await isUnfinished()]).toEqual([undefined, false, false])

  await store.setMeta('restored_at', 'today')
  await look()
  expect([await dueAt(), isWaking(), await isUnfinished()]).toEqual([START, true, true])
  // It is due at this very moment, and nobody is asking.
  await look()
  expect(await isUnfinished()).toBe(true)
  clock += 1000
  await look()
  expect(await isUnfinished()).toBe(true)
  // Asked, in a round that is not over; other rounds begin meanwhile.
  const { dueAt: _due, ...woken } = (await store.deposit(ended.id)) ?? ended
  await store.apply({
    deposit: { row: { ...woken, version: woken.version + 1 }, expect: woken.version },
  })
  running.over = 6
  await look()
  expect([isWaking(), await isUnfinished()]).toEqual([true, true])
  Object.assign(running, { begun: 20, over: 7 })
  await look()
  expect([isWaking(), await isUnfinished()]).toEqual([false, false])

  for (let n = 0; n < 3; n++) await look()
  expect([await dueAt(), isWaking()]).toEqual([undefined, false])
  // The next restore is another one.
  await store.setMeta('restored_at', 'tomorrow')
  await look()
  expect([await dueAt(), isWaking(), await isUnfinished()]).toEqual([clock, true, true])
  await store.close()
})

it('a clock that is a month ahead leaves none of the payments asleep', async () => {
  const store = sqliteStore({ path: ':memory:' })
  const ended = depositRecord({ phase: 'failed', createdAt: START - 60_000, settledAt: START })
  await store.apply(creation(ended))
  await store.setMeta('clock', JSON.stringify([START, 0, 0]))
  await store.setMeta('restored_at', 'today')
  let clock = START + 40 * 86_400_000
  const system = await createTestSystem({ store, companion: { now: () => clock } })
  for (let n = 0; n < 10; n++) {
    clock += 1000
    await system.companion.tick()
  }
  // Above all that was told before the restore.
  expect((await store.deposit(ended.id))?.version).toBeGreaterThan(1000)
  await system.close()
})

it('before the clock was checked nothing is woken: by no time every payment that there ever was would be asked about', async () => {
  const store = sqliteStore({ path: ':memory:' })
  const old = depositRecord({ phase: 'abandoned', createdAt: START - 90 * 86_400_000 })
  const recent = depositRecord({ phase: 'failed', createdAt: START - 60_000, settledAt: START })
  for (const each of [old, recent]) await store.apply(creation(each))
  await store.setMeta('restored_at', 'today')
  let trusted = -Infinity
  const rounds = { begun: () => 1, areOver: () => true }
  const { look, isUnfinished } = createAfterRestore({
    store,
    now: () => START,
    trustedNow: () => trusted,
    lookAtClock: async () => {},
    rounds,
  })
  const versions = async () =>
    Promise.all([old, recent].map(async ({ id, version }) => ((await store.deposit(id))?.version ?? 0) - version))
  for (let n = 0; n < 3; n++) await look()
  expect([await versions(), await isUnfinished()]).toEqual([[0, 0], true])
  trusted = START
  await look()
  expect(await versions()).toEqual([0, 1000])
  await store.close()
})
