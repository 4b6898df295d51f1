// Any sequence of writes leaves a real store and the model in the same state, with the same answers
// on the way.
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DepositPhase } from '../../server/contract/index.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import type { Applied, Change, Store } from '../../server/deposits/ports/store.ts'
import { depositRecord, noticeRecord, sessionRecord, START, timelineRecord } from '../helpers/deposit-record.ts'
import { memoryStore } from '../helpers/memory-store.ts'
import { adapters, type Bench } from './adapters.ts'

// Few names, so that they meet.
const ids = ['dep-a', 'dep-b', 'dep-c', 'dep-d', 'dep-e']
const phase = fc.constantFrom<DepositPhase>(
  'creating',
  'open',
  'confirming',
  'abandoned',
  'review',
  'succeeded',
  'failed',
  'rejected',
)
const time = fc.integer({ min: START, max: START + 20 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const deposit: fc.Arbitrary<Deposit> = fc
  .record({
    id: fc.constantFrom(...ids),
    version: fc.integer({ min: 1, max: 4 }),
    phase,
    session: maybe(fc.constantFrom('ses-1', 'ses-2')),
    transaction: maybe(fc.constantFrom('tx-1', 'tx-2')),
    createdAt: time,
    dueAt: maybe(time),
    settledAt: maybe(time),
    duplicate: fc.boolean(),
    phone: maybe(fc.constantFrom('254700', '254701')),
    reference: fc.constantFrom('HCT-1', 'HCT-2', 'HCT-3', 'HCT-4', 'HCT-5', 'HCT-6'),
  })
  .map(({ session, transaction, dueAt, settledAt, phone, ...rest }) => {
    const { payer: _, ...row } = depositRecord({ ...rest, updatedAt: rest.createdAt })
    return {
      ...row,
      ...(session === undefined ? {} : { sessionId: session }),
      ...(transaction === undefined ? {} : { transactionId: transaction }),
      ...(dueAt === undefined ? {} : { dueAt }),
      ...(settledAt === undefined ? {} : { settledAt }),
      ...(phone === undefined ? {} : { payer: { name: 'N', phone } }),
    }
  })

type Step = (store: Store) => Promise<unknown>

const outcome = ({ applied, ...rest }: Applied & { conflict?: string }) =>
  // Where several rules are broken at once any of them may be named, but a known key always is.
  applied ? 'applied' : rest.conflict === 'idempotency' ? 'known key' : 'refused'

const apply =
  (change: Change): Step =>
  async (store) =>
    outcome(await store.apply(change))

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: deposit.map((row) => apply({ deposit: { row, expect: 'new' }, timeline: [timelineRecord(row)] })),
  },
  {
    weight: 4,
    arbitrary: deposit.map((row): Step => async (store) => {
      const present = await store.deposit(row.id)
      const expected = present ? present.version : row.version
      const moved = { ...row, version: expected + 1 }
      return outcome(
        await store.apply({
          deposit: { row: moved, expect: expected },
          timeline: [timelineRecord(moved)],
          notices: [
            noticeRecord(row.id, {
              id: `msg-${row.id}-${moved.version}`,
              createdAt: row.createdAt,
              dueAt: row.createdAt,
            }),
          ],
        }),
      )
    }),
  },
  {
    weight: 1,
    arbitrary: deposit.map((row) => apply({ deposit: { row, expect: 99 }, timeline: [timelineRecord(row)] })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(deposit, fc.constantFrom('key-1', 'key-2')).map(([row, keyHash]) =>
      apply({
        deposit: { row, expect: 'new' },
        idempotency: { keyHash, fingerprint: row.id, depositId: row.id, createdAt: row.createdAt, answer: '{}' },
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('key-1', 'key-2')
      .map((keyHash) => apply({ answer: { keyHash, answer: `{"of":"${keyHash}"}` } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('ses-1', 'ses-2'), time)
      .map(([id, expiresAt]) =>
        apply({ session: sessionRecord({ id, orderId: 'o', expiresAt, payer: { name: 'S', phone: '254700' } }) }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('in-1', 'in-2', 'in-3'), time, fc.constantFrom('HCT-1', 'HCT-2'))
      .map(([id, at, reference]) =>
        apply({
          inbox: {
            id: `${reference}.${id}`,
            receivedAt: at,
            reference,
            body: new Uint8Array([1, 2, at % 256]),
            verdict: 'unmatched',
            dueAt: at,
          },
        }),
      ),
  },
  // With a limit that takes all: which of several equally old ones go first is nobody's promise.
  {
    weight: 1,
    arbitrary: time.map(
      (now): Step =>
        async (store) =>
          (await store.leaseDeposits(now, now + 7, 50)).map(({ id }) => id).toSorted(),
    ),
  },
  {
    weight: 1,
    arbitrary: time.map(
      (now): Step =>
        async (store) =>
          (await store.leaseNotices(now, now + 7, 50)).map(({ id }) => id).toSorted(),
    ),
  },
  {
    weight: 1,
    arbitrary: time.map(
      (now): Step =>
        async (store) =>
          (await store.leaseInbox(now, now + 7, 50)).map(({ id }) => id).toSorted(),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 3 }), maybe(time), maybe(time))
      .map(([id, version, dueAt, since]): Step => async (store) => {
        const present = await store.deposit(id)
        // Now and then by what was read before.
        const read = {
          id,
          version,
          ...(present?.dueAt === undefined || since === undefined ? {} : { dueAt: present.dueAt }),
        }
        const next = {
          asks: 2,
          ...(dueAt === undefined ? {} : { dueAt }),
          ...(since === undefined ? {} : { queryMissingSince: since }),
        }
        await store.reschedule(read, next)
      }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('deposits', 'notices', 'inbox'), time, fc.integer({ min: 1, max: 9 }), time)
      .map(
        ([waiting, after, by, now]): Step =>
          (store) =>
            store.hasten(waiting, after, by, now),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(time, time).map(
      ([since, now]): Step =>
        (store) =>
          store.wakeDeposits(since, now),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...ids),
        fc.constantFrom(0, 0, 3),
        fc.constantFrom('waiting', 'delivered', 'dead'),
        fc.constantFrom(0, 3),
        time,
      )
      .map(
        ([id, leased, state, attempts, dueAt]): Step =>
          (store) =>
            store.updateNotice({ id: `msg-${id}-2`, attempts: leased }, { state, attempts, dueAt }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...ids), time).map(
      ([id, now]): Step =>
        (store) =>
          store.requeueNotices(id, now),
    ),
  },
  {
    weight: 1,
    // Windows of the future: one that purgeOld may drop is never asked for again, and memory need
    // not drop it.
    arbitrary: fc.tuple(time, fc.nat(9), fc.nat(12)).map(
      ([at, want, limit]): Step =>
        (store) =>
          store.take('n', START * 2 + (at % 3), want, limit),
    ),
  },
  {
    weight: 1,
    arbitrary: time.map(
      (before): Step =>
        (store) =>
          store.purgePayers(before),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('254700', '254701').map(
      (phone): Step =>
        (store) =>
          store.forgetPhone(phone),
    ),
  },
  {
    weight: 1,
    arbitrary: time.map(
      (before): Step =>
        (store) =>
          store.purgeOld(before),
    ),
  },
)

async function everything(store: Store): Promise<unknown> {
  const all = []
  for (const id of ids) all.push(await store.deposit(id), await store.timeline(id), await store.notices(id))
  for (const id of ['ses-1', 'ses-2'])
    all.push(await store.session(id), (await store.liveDeposit(id))?.id, (await store.creditedDeposit(id))?.id)
  for (const key of ['key-1', 'key-2']) all.push(await store.idempotency(key))
  all.push(
    await store.payments({ limit: 50 }),
    await store.payments({ limit: 3, status: 'PENDING' }),
    await store.stats(),
  )
  const inbox = await store.leaseInbox(START * 2, START * 3, 50)
  all.push(inbox.map((row) => ({ ...row, body: [...row.body] })).toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  return all
}

for (const adapter of adapters.filter(({ name }) => name !== 'the model')) {
  describe.skipIf(adapter.missing)(`on ${adapter.name}`, () => {
    beforeAll(() => adapter.start())
    afterAll(() => adapter.stop())

    test('the store does what the model does', { timeout: 240_000 }, async () => {
      const numRuns = Number(process.env['HC_MODEL_RUNS'] ?? (adapter.shared ? 12 : 60))
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (sequence) => {
          const bench: Bench = await adapter.fresh()
          const model = memoryStore()
          try {
            for (const one of sequence) {
              const expected = await one(model)
              expect(await one(bench.store)).toEqual(expected)
            }
            expect(await everything(bench.store)).toEqual(await everything(model))
          } finally {
            await bench.end()
          }
        }),
        { numRuns },
      )
    })
  })
}
