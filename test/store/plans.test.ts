// Query plans: no query scans all payments; each uses an index, on both databases.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DepositPhase } from '../../server/contract/index.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { endQuery, paymentQuery } from '../../server/store/queries/payment-query.ts'
import { queries } from '../../server/store/queries/queries.ts'
import type { Query } from '../../server/store/schema/query.ts'
import type { PaymentFilter } from '../../server/deposits/ports/store.ts'
import type { Values } from '../../server/store/schema/tables.ts'
import {
  creation,
  depositRecord,
  idempotencyRecord,
  inboxRecord,
  noticeRecord,
  sessionRecord,
  START,
} from '../helpers/deposit-record.ts'
import { adapters, type Bench } from './adapters.ts'

const after = { createdAt: START + 1000, id: 'x' }
const filters: readonly Partial<PaymentFilter>[] = [
  {},
  { phase: 'review' },
  { phase: 'confirming' },
  { status: 'PENDING' },
  { status: 'SUCCESS' },
  { status: 'FAILED' },
  { currency: 'KES' },
  { country: 'KE' },
  { orderId: 'order-1' },
  { sessionId: 'ses-1' },
  { reference: 'HCT1' },
  { from: START, to: START + 5 },
  { status: 'FAILED', country: 'KE', currency: 'KES' },
  { sessionId: 'ses-1', status: 'SUCCESS', from: START },
  { search: { by: 'phone', start: 'p8765', also: [] } },
  { search: { by: 'name', start: 'nach', also: ['ot'] }, country: 'KE' },
  { search: { by: 'amount', start: 'a1500', also: [] }, from: START, to: START + 5 },
  { search: { by: 'order', start: 'order-1', also: [] }, status: 'SUCCESS' },
  { search: { by: 'transaction', start: 'tx-1', also: [] }, status: 'SUCCESS' },
  { search: { by: 'operator', start: 'fsp', also: [] }, country: 'KE' },
  { search: { by: 'reference', start: 'HCTdep', also: [] }, phase: 'open' },
]

/** All values any query asks for; each takes its own. */
const values: Values = {
  value: 'x',
  id: 'x',
  version: 1,
  expect: 1,
  rank: 1,
  now: START,
  until: START,
  limit: 10,
  before: START,
  unsettled_before: START,
  from: START,
  to: START + 1,
  by: 1,
  phone: '254',
  national: '254',
  dialled: '0254',
  ids: '["x"]',
  references: '["x"]',
  reference: 'x',
  due_at: START,
  asks: 0,
  query_missing_since: null,
  was: START,
  state: 'waiting',
  attempts: 0,
  delivered_at: null,
  last_error: null,
  deposit_id: 'x',
  verdict: 'rang',
  key: 'x',
  key_hash: 'x',
  answer: 'x',
  body: Buffer.alloc(0),
  name: 'x',
  leased: 0,
  windowStart: START,
  want: 1,
  phase: 'open',
  stage: 'open',
  transaction_id: null,
  is_live: 1,
  is_credited: 0,
  updated_at: START,
  settled_at: null,
  due_rank: 1,
  detail: '{}',
  timeline: '',
  change_id: 'x',
  since: START,
  own: 'x%',
  start: 'HCT',
  starts: 0,
  closed_at: START,
  owed: null,
  at: START,
  after_at: START,
  after_id: 'x',
  rows: '[]',
  result: 'done',
}

const served: readonly Query[] = [
  queries.depositById,
  queries.depositByReference,
  queries.depositByLiveSession,
  queries.depositByCreditedSession,
  queries.sessionById,
  queries.sessionByLiveOrder,
  queries.orderPayment,
  queries.liveOfOrder,
  queries.startInSession,
  queries.closeSession,
  queries.idempotencyByKey,
  queries.noticesOfDeposit,
  queries.timelineOfDeposit,
  queries.timelineInDeposit,
  queries.updateDeposit,
  queries.setAnswer,
  queries.leaseDeposits,
  queries.reschedule,
  queries.wakeDeposits,
  queries.raiseOldDeposits,
  queries.depositWindow,
  queries.leaseNotices,
  queries.updateNotice,
  queries.requeueNotices,
  queries.leaseInbox,
  queries.depositsDueWindow,
  queries.noticesDueWindow,
  queries.inboxDueWindow,
  queries.hastenDeposits,
  queries.hastenNotices,
  queries.hastenInbox,
  queries.updateInbox,
  queries.purgePayers,
  queries.purgeSessionPayers,
  queries.forgetPhone,
  queries.forgetSessionPhone,
  queries.depositsOfPhone,
  queries.answerWindow,
  queries.forgetAnswers,
  queries.sessionWindow,
  queries.inboxWindow,
  queries.emptyInbox,
  queries.purgeInbox,
  queries.purgeAnswers,
  queries.countUnresolved,
  queries.countConfirming,
  queries.countNoticesWaiting,
  queries.countNoticesDead,
  queries.countInboxUnmatched,
  queries.oldestDue,
  queries.metaByKey,
  queries.signInById,
  queries.acts,
  queries.actById,
  queries.actsOfDeposit,
  queries.owedOpen,
  queries.owedPaidBack,
  queries.links,
  queries.linkOfSession,
  queries.paidBackOf,
  queries.figures,
  queries.paidDelays,
  queries.noticeDelays,
  queries.withoutTerms,
]

const phases: readonly DepositPhase[] = [
  'open',
  'succeeded',
  'succeeded',
  'succeeded',
  'failed',
  'expired',
  'rejected',
  'succeeded',
]

for (const adapter of adapters.filter(({ name }) => name !== 'the model')) {
  describe.skipIf(adapter.missing)(`on ${adapter.name}`, () => {
    let bench: Bench
    beforeAll(async () => {
      await adapter.start()
      bench = await adapter.fresh()
      // Enough that a planner with statistics prefers an index to reading everything.
      const rows = Array.from({ length: 3000 }, (_, i) =>
        depositRecord({
          createdAt: START + i * 10,
          phase: phases[i % phases.length] as DepositPhase,
          orderId: `order-${i}`,
          sessionId: `ses-${i}`,
          ...(i % 3 ? { country: 'UG', currency: 'UGX' } : {}),
          ...(i % 50 ? {} : { dueAt: START + i }),
          transactionId: `tx-${i}`,
        }),
      )
      const write = (row: Deposit, i: number) =>
        bench.store.apply({
          ...creation(row),
          idempotency: idempotencyRecord(row.id, i % 9 ? {} : { answer: '{}' }),
          notices: [noticeRecord(row.id, { state: i % 50 ? 'delivered' : 'waiting' })],
          inbox: inboxRecord(),
          session: sessionRecord(i % 9 ? {} : { payer: { name: 'A' } }),
        })
      for (let i = 0; i < rows.length; i += 100)
        await Promise.all(rows.slice(i, i + 100).map((row, j) => write(row, i + j)))
      await bench.write(
        "INSERT INTO timeline (deposit_id, at, kind, phase, version) SELECT id, created_at, 'created', phase, 1 FROM deposits",
      )
      await bench.analyze()
    })
    afterAll(async () => {
      await bench.end()
      await adapter.stop()
    })

    /** Reading a whole table, or sorting what an index could have given in order. */
    const wasteful =
      /\bSCAN (?!.*(USING|parts|part\b|CONSTANT|subquery|\(|json_each))|Seq Scan on (deposits|timeline|notices|idempotency|sessions|inbox)/

    test.each(filters)('the payment list filtered by %o', async (filter) => {
      const term = filter.search?.start
      for (const page of [
        { ...filter, limit: 50 },
        { ...filter, limit: 50, after: { ...after, term } },
        ...(term === undefined
          ? []
          : [{ ...filter, limit: 50, after: { ...after, term }, upTo: { ...after, createdAt: START, term } }]),
      ]) {
        const wanted = paymentQuery(page)
        if (!wanted) throw new Error('No query.')
        const plan = await bench.plan(wanted.query, wanted.values)
        expect(plan).not.toMatch(wasteful)
        expect(plan).toMatch(/INDEX|Index/)
        // SQLite: pages come in order, nothing is sorted. PostgreSQL may sort a handful of rows,
        // which its plan calls by name.
        if (adapter.name === 'SQLite' && !filter.status) expect(plan).not.toContain('TEMP B-TREE')
      }
    })

    test.each(filters.filter(({ search }) => search !== undefined))(
      'the end of a search by %o',
      async ({ from: _, ...filter }) => {
        for (const page of [
          { ...filter, country: 'KE' as const, limit: 100 },
          { ...filter, country: 'KE' as const, limit: 100, after: { ...after, term: filter.search?.start } },
        ]) {
          const wanted = endQuery(page)
          if (!wanted) throw new Error('No query.')
          const plan = await bench.plan(wanted.query, wanted.values)
          expect(plan).not.toMatch(wasteful)
          expect(plan).toMatch(/INDEX|Index|PRIMARY KEY/)
          if (adapter.name === 'SQLite') expect(plan).not.toContain('TEMP B-TREE')
        }
      },
    )

    test.each(served)('$name', async (query) => {
      const plan = await bench.plan(query, values)
      if (query === queries.metaByKey && adapter.name === 'PostgreSQL') return
      expect(plan).not.toMatch(wasteful)
    })

    test('what was paid back on some days is read from its marks, not from all payments', async () => {
      const plan = await bench.plan(queries.paidBackOn, { from_day: '2026-11-20', to_day: '2026-11-20' })
      expect(plan).not.toMatch(/SCAN deposits|Seq Scan on deposits/)
    })

    test.each([queries.purgePayers, queries.purgeSessionPayers, queries.purgeInbox, queries.purgeAnswers])(
      '$name, however much there is to purge',
      async (query) => {
        const before = START * 2
        expect(await bench.plan(query, { before, unsettled_before: before })).not.toMatch(wasteful)
      },
    )
  })
}
