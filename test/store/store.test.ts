// The contract of the store port (server/store/store.ts), for every store: what is written, refused, leased, found and purged.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Deposit } from '../../server/deposits/deposit.ts'
import type { NoticeRow, PaymentFilter, Store } from '../../server/store/store.ts'
import {
  creation,
  depositRecord,
  fresh,
  idempotencyRecord,
  inboxRecord,
  move,
  noticeRecord,
  sessionRecord,
  START,
  timelineRecord,
} from '../helpers/deposit-record.ts'
import { adapters, type Bench } from './adapters.ts'

const HOUR = 3_600_000

async function noticeOf(store: Store, { id, depositId }: NoticeRow): Promise<NoticeRow | undefined> {
  return (await store.notices(depositId)).find((notice) => notice.id === id)
}

for (const adapter of adapters) {
  describe.skipIf(adapter.missing)(
    `a store on ${adapter.name}${adapter.missing ? ` (${adapter.missing})` : ''}`,
    () => {
      let bench: Bench
      let store: Store
      beforeAll(() => adapter.start())
      afterAll(() => adapter.stop())
      beforeEach(async () => {
        bench = await adapter.fresh()
        store = bench.store
      })
      afterEach(() => bench.end())

      async function kept(given: Partial<Deposit> = {}): Promise<Deposit> {
        const row = depositRecord(given)
        expect(await store.apply(creation(row))).toEqual({ applied: true })
        return row
      }

      test('reads the same when a later release changes the tables beside it', async () => {
        const row = await kept({ phase: 'succeeded' })
        const [session, key, late] = [
          sessionRecord(),
          idempotencyRecord(row.id),
          inboxRecord({ verdict: 'unmatched', dueAt: START }),
        ]
        await store.apply({ session, idempotency: key, notices: [noticeRecord(row.id)], inbox: late })
        const reads = async () => [
          await store.session(session.id),
          await store.idempotency(key.keyHash),
          await store.notices(row.id),
          await store.timeline(row.id),
        ]
        // Leased until now, so that the next may have them.
        const leases = async () => [
          (await store.leaseNotices(START + HOUR, START, 9)).map(({ id, body }) => [id, body]),
          (await store.leaseInbox(START + HOUR, START, 9)).map(({ id, body }) => [id, String(body)]),
        ]
        const before = await reads()
        const leased = await leases()
        expect([before.flat().length, leased.flat().length]).toEqual([4, 2])
        for (const table of ['sessions', 'idempotency', 'notices', 'inbox', 'timeline']) {
          // On SQLite as a rebuilding would leave it: the new column first.
          const changes = adapter.name.startsWith('SQLite')
            ? [
                `CREATE TABLE rebuilt AS SELECT 'later' AS later, * FROM ${table}`,
                `DROP TABLE ${table}`,
                `ALTER TABLE rebuilt RENAME TO ${table}`,
              ]
            : [`ALTER TABLE ${table} ADD COLUMN later TEXT NOT NULL DEFAULT ''`]
          for (const change of changes) await bench.write(change)
        }
        // On each connection of a pool.
        const after = await Promise.all(Array.from({ length: 20 }, reads))
        for (const read of after) expect(read).toEqual(before)
        for (let i = 0; i < 10; i++) expect(await leases()).toEqual(leased)
      })

      test('a key with a NUL, which no row has, finds nothing and spoils no read beside it', async () => {
        const row = await kept()
        const bad = `${row.id.slice(0, -1)}\0`
        const found = await Promise.all([
          store.deposit(row.id),
          store.deposit(bad),
          store.depositByReference(`${row.reference}\0`),
          store.session('\0'),
          store.deposit(row.id),
        ])
        expect(found.map((one) => one?.id)).toEqual([row.id, undefined, undefined, undefined, row.id])
      })

      describe('writing', () => {
        test('a deposit comes back as it was written, with every field and without inventing one', async () => {
          const full: Deposit = {
            ...depositRecord(),
            phase: 'confirming',
            bankCode: '0001',
            bankName: 'Équité « bank »',
            sessionId: 'ses_1',
            orderId: 'order-1',
            clientReference: 'cart/1',
            locale: 'sw',
            transactionId: '20451990',
            checkoutUrl: 'https://pay.example/x',
            settledAt: START + 5,
            resultCode: '0',
            resultDescription: 'Success',
            late: true,
            reviewReason: 'query_missing',
            reportedFees: '25',
            reportedThirdPartyId: 'MP1',
            reportedCode: '0',
            queryMissingSince: START + 1,
            asks: 3,
            dueAt: START + 9,
          }
          const bare = depositRecord({ id: fresh('bare') })
          const { payer: _, ...withoutPayer } = bare
          await store.apply(creation(full))
          await store.apply(creation(withoutPayer))
          expect(await store.deposit(full.id)).toEqual(full)
          expect(await store.deposit(bare.id)).toEqual(withoutPayer)
          expect(await store.depositByReference(full.reference)).toEqual(full)
          expect(await store.liveDeposit('ses_1')).toEqual(full)
          expect(await store.creditedDeposit('ses_1')).toBeUndefined()
          expect(await store.deposit('nobody')).toBeUndefined()
        })

        test('everything of one change is there together', async () => {
          const row = depositRecord({ sessionId: 'ses_9' })
          const session = sessionRecord({ id: 'ses_9', payer: { name: 'Juma', phone: '255700000000' }, country: 'TZ' })
          const notice = noticeRecord(row.id, { lastError: '503', deliveredAt: START })
          const key = idempotencyRecord(row.id)
          const inbox = inboxRecord({
            reference: row.reference,
            depositId: row.id,
            dueAt: START + 1,
            verdict: 'unmatched',
          })
          const change = { ...creation(row), session, notices: [notice], idempotency: key, inbox }
          expect(await store.apply(change)).toEqual({ applied: true })
          expect(await store.session('ses_9')).toEqual(session)
          expect(await store.notices(row.id)).toEqual([notice])
          expect(await store.idempotency(key.keyHash)).toEqual(key)
          expect(await store.timeline(row.id)).toEqual([timelineRecord(row)])
          expect(await store.leaseInbox(START + 1, START + 2, 5)).toEqual([{ ...inbox, dueAt: START + 2 }])
        })

        test('the timeline keeps the order in which things happened, also at one instant', async () => {
          const row = await kept()
          const kinds = Array.from({ length: 20 }, (_, i) => `step-${i}`)
          const deposits = [{ row, expect: row.version, before: row }]
          for (const kind of kinds) await store.apply({ deposits, timeline: [timelineRecord(row, kind)] })
          expect((await store.timeline(row.id)).map(({ kind }) => kind)).toEqual(['created', ...kinds])
        })

        test('a line of timeline keeps its detail, whatever it says, and goes with a deposit of its change only', async () => {
          const row = await kept()
          const line = { ...timelineRecord(row, 'review'), detail: 'a\nb "c" \\ \u2028 \0 d', at: START + 7 }
          const other = await kept()
          const deposits = [{ row, expect: row.version }]
          await store.apply({ deposits, timeline: [line] })
          expect((await store.timeline(row.id)).at(-1)).toEqual(line)
          expect(await store.timeline(other.id)).toHaveLength(1)
          expect(await store.timeline('dep_none')).toEqual([])
          await expect(store.apply({ deposits, timeline: [timelineRecord(other)] })).rejects.toThrow(TypeError)
        })

        test('only the first answer of a key is kept', async () => {
          const key = idempotencyRecord('dep')
          await store.apply({ idempotency: key })
          await store.apply({ answer: { keyHash: key.keyHash, answer: 'first' } })
          expect(await store.apply({ answer: { keyHash: key.keyHash, answer: 'second' } })).toEqual({ applied: true })
          expect((await store.idempotency(key.keyHash))?.answer).toBe('first')
        })

        test('a callback that comes twice is one row, and no conflict', async () => {
          const inbox = inboxRecord({ dueAt: START, verdict: 'unmatched' })
          expect(await store.apply({ inbox })).toEqual({ applied: true })
          expect(await store.apply({ inbox: { ...inbox, verdict: 'rang' } })).toEqual({ applied: true })
          expect((await store.leaseInbox(START, START + 1, 5)).map(({ verdict }) => verdict)).toEqual(['unmatched'])
        })

        test('what the money is about can never change after the first write', async () => {
          const row = await kept({ orderId: 'order-1' })
          const { change } = move(row, {
            amount: 1,
            currency: 'UGX',
            reference: 'other',
            orderId: 'order-2',
            createdAt: 5,
          })
          await store.apply(change)
          const { amount, currency, reference, orderId, createdAt } = (await store.deposit(row.id)) as Deposit
          expect({ amount, currency, reference, orderId, createdAt }).toEqual({
            amount: row.amount,
            currency: row.currency,
            reference: row.reference,
            orderId: 'order-1',
            createdAt: row.createdAt,
          })
        })
      })

      describe('refusing', () => {
        test('the second of two writers who read the same version is told so', async () => {
          const row = await kept()
          const first = move(row, { phase: 'confirming' })
          const second = move(row, { phase: 'failed' })
          expect(await store.apply(first.change)).toEqual({ applied: true })
          expect(await store.apply(second.change)).toEqual({ applied: false, conflict: 'version' })
          expect((await store.deposit(row.id))?.phase).toBe('confirming')
        })

        test('a deposit that is not there cannot be moved', async () => {
          expect(await store.apply(move(depositRecord(), {}).change)).toEqual({ applied: false, conflict: 'version' })
        })

        test('of many writers at once exactly one moves the deposit', async () => {
          const row = await kept()
          const outcomes = await Promise.all(
            Array.from({ length: 40 }, () => store.apply(move(row, { phase: 'succeeded' }).change)),
          )
          expect(outcomes.filter(({ applied }) => applied)).toHaveLength(1)
          expect(await store.timeline(row.id)).toHaveLength(2)
        })

        test('each broken rule is told by its own name', async () => {
          const live = await kept({ sessionId: 'live' })
          const paid = await kept({ sessionId: 'paid', phase: 'succeeded', transactionId: 'tx-1' })
          const key = idempotencyRecord(live.id)
          const session = sessionRecord()
          const notice = noticeRecord(live.id)
          await store.apply({ idempotency: key, session, notices: [notice] })
          const refused = async (change: Parameters<Store['apply']>[0]) => {
            const outcome = await store.apply(change)
            return outcome.applied ? 'applied' : outcome.conflict
          }
          expect(await refused({ idempotency: { ...key, fingerprint: 'other' } })).toBe('idempotency')
          expect(await refused(creation(depositRecord({ sessionId: 'live' })))).toBe('live')
          expect(await refused(creation(depositRecord({ sessionId: 'paid', phase: 'succeeded' })))).toBe('credited')
          expect(await refused(creation(depositRecord({ transactionId: 'tx-1' })))).toBe('transaction')
          expect(await refused(creation(depositRecord({ id: paid.id })))).toBe('duplicate_id')
          expect(await refused(creation(depositRecord({ reference: paid.reference })))).toBe('duplicate_id')
          expect(await refused({ session })).toBe('duplicate_id')
          expect(await refused({ notices: [notice] })).toBe('duplicate_id')
          // The same rules when a deposit moves into them.
          const other = await kept({ sessionId: 'paid', phase: 'failed' })
          expect(await refused(move(other, { phase: 'succeeded' }).change)).toBe('credited')
          expect(await refused(move(other, { phase: 'succeeded', duplicate: true }).change)).toBe('applied')
          const late = await kept({ sessionId: 'live', phase: 'abandoned' })
          expect(await refused(move(late, { phase: 'open' }).change)).toBe('live')
          expect(await refused(move(late, { transactionId: 'tx-1' }).change)).toBe('transaction')
        })

        test('a known key says more than the live attempt it made', async () => {
          const row = await kept({ sessionId: 'ses' })
          const idempotency = idempotencyRecord(row.id)
          await store.apply({ idempotency })
          const again = { ...creation(depositRecord({ sessionId: 'ses' })), idempotency }
          expect(await store.apply(again)).toEqual({ applied: false, conflict: 'idempotency' })
        })

        test('a refused change leaves nothing behind, whichever part was refused', async () => {
          const row = await kept({ sessionId: 'ses' })
          const before = await Promise.all(
            ['deposits', 'notices', 'idempotency', 'sessions', 'inbox'].map((table) => bench.count(table)),
          )
          const fresher = depositRecord({ sessionId: 'ses' })
          const key = idempotencyRecord(fresher.id)
          await store.apply({
            ...creation(fresher),
            idempotency: key,
            notices: [noticeRecord(row.id)],
            session: sessionRecord(),
            inbox: inboxRecord(),
          })
          const stale = move({ ...row, version: 7 }, { phase: 'failed' })
          await store.apply({
            ...stale.change,
            notices: [noticeRecord(row.id)],
            idempotency: idempotencyRecord(row.id),
            answer: { keyHash: key.keyHash, answer: 'no' },
            inbox: inboxRecord(),
            session: sessionRecord(),
          })
          const after = await Promise.all(
            ['deposits', 'notices', 'idempotency', 'sessions', 'inbox'].map((table) => bench.count(table)),
          )
          expect(after).toEqual(before)
          expect(await store.deposit(row.id)).toEqual(row)
          expect(await store.deposit(fresher.id)).toBeUndefined()
          expect(await store.idempotency(key.keyHash)).toBeUndefined()
          expect(await store.timeline(row.id)).toHaveLength(1)
          expect(await store.notices(row.id)).toEqual([])
        })

        test('a refused change does no harm to the ones written beside it', async () => {
          const row = await kept({ sessionId: 'ses' })
          const good = Array.from({ length: 10 }, () => depositRecord())
          const outcomes = await Promise.all(
            good.flatMap((each) => [
              store.apply(creation(each)),
              store.apply({ ...creation(depositRecord({ sessionId: 'ses' })), idempotency: idempotencyRecord(row.id) }),
            ]),
          )
          expect(outcomes.map(({ applied }) => applied)).toEqual(good.flatMap(() => [true, false]))
          for (const each of good) expect(await store.deposit(each.id)).toEqual(each)
        })

        test('an attempt can be given up and the next one made in one change', async () => {
          const old = await kept({ sessionId: 'ses' })
          const gone = move(old, { phase: 'abandoned' })
          const next = depositRecord({ sessionId: 'ses' })
          const both = {
            deposits: [...(gone.change.deposits ?? []), ...(creation(next).deposits ?? [])],
            timeline: [timelineRecord(gone.row, 'replaced'), timelineRecord(next)],
          }
          expect(await store.apply(both)).toEqual({ applied: true })
          expect(await store.liveDeposit('ses')).toEqual(next)
          // And if the old one has moved meanwhile, the next one is not made.
          const third = depositRecord({ sessionId: 'other' })
          const stale = { deposits: [...(creation(third).deposits ?? []), ...(gone.change.deposits ?? [])] }
          expect(await store.apply(stale)).toEqual({ applied: false, conflict: 'version' })
          expect(await store.deposit(third.id)).toBeUndefined()
        })
      })

      describe('many writers', () => {
        test('a thousand changes at once are all there, each once', async () => {
          const made = Array.from({ length: 1000 }, (_, i) => depositRecord({ createdAt: START + i }))
          const outcomes = await Promise.all(made.map((row) => store.apply(creation(row))))
          expect(outcomes.every(({ applied }) => applied)).toBe(true)
          const found: Deposit[] = []
          for (let after: PaymentFilter['after']; ;) {
            const page = await store.payments({ limit: 200, ...(after ? { after } : {}) })
            found.push(...page)
            const last = page.at(-1)
            if (page.length < 200 || !last) break
            after = { createdAt: last.createdAt, id: last.id }
          }
          expect(found).toEqual(made.toReversed())
        })
      })

      describe('work that is due', () => {
        test('oldest due first, confirming before all others, and nobody gets it twice', async () => {
          const late = await kept({ dueAt: START + 3 })
          const early = await kept({ dueAt: START + 1 })
          const waiting = await kept({ dueAt: START + 4, phase: 'confirming' })
          await kept({ dueAt: START + 99 })
          await kept()
          const ids = async (now: number, limit: number) =>
            (await store.leaseDeposits(now, START + 50, limit)).map(({ id }) => id)
          expect(await ids(START + 10, 2)).toEqual([waiting.id, early.id])
          expect(await ids(START + 10, 2)).toEqual([late.id])
          expect(await ids(START + 10, 2)).toEqual([])
          // The lease runs out: a crash gives the work back.
          expect((await ids(START + 50, 9)).toSorted()).toEqual([late.id, early.id, waiting.id].toSorted())
          expect((await store.deposit(late.id))?.dueAt).toBe(START + 50)
        })

        test('a limit for the calm ones leaves those in doubt alone', async () => {
          const open = [await kept({ dueAt: START + 1 }), await kept({ dueAt: START + 2 })]
          const creating = await kept({ dueAt: START + 3, phase: 'creating' })
          const unknown = await kept({ dueAt: START + 4, phase: 'unknown' })
          const ids = async (limit: number, shares?: { others: number }) =>
            (await store.leaseDeposits(START + 10, START + 50, limit, shares)).map(({ id }) => id)
          expect((await ids(9, { others: 0 })).toSorted()).toEqual([creating.id, unknown.id].toSorted())
          expect(await ids(9, { others: 1 })).toEqual([open[0]?.id])
          expect(await ids(9)).toEqual([open[1]?.id])
        })

        test('asking again later changes nothing visible, and nothing at all once the deposit has moved', async () => {
          const row = await kept({ dueAt: START })
          const later = { dueAt: START + 8, asks: 2, queryMissingSince: START + 7 }
          await store.reschedule(row, later)
          expect(await store.deposit(row.id)).toEqual({
            ...row,
            dueAt: START + 8,
            asks: 2,
            queryMissingSince: START + 7,
          })
          // Due at another time than whoever asks has read: a callback or another instance was first.
          await store.reschedule(row, { asks: 9 })
          await store.reschedule({ id: row.id, version: 1 }, { asks: 9 })
          expect(await store.deposit(row.id)).toEqual({ ...row, ...later })
          await store.reschedule({ ...row, dueAt: START + 8 }, { asks: 3 })
          const { dueAt: _, ...unasked } = row
          expect(await store.deposit(row.id)).toEqual({ ...unasked, asks: 3 })
          await store.reschedule({ id: row.id, version: 9 }, { dueAt: START + 1, asks: 0 })
          expect(await store.deposit(row.id)).toEqual({ ...unasked, asks: 3 })
          await store.reschedule({ id: row.id, version: 1 }, { dueAt: START + 1, asks: 4 })
          expect(await store.deposit(row.id)).toEqual({ ...unasked, dueAt: START + 1, asks: 4 })
        })

        test('after a restore everything recent that is not for ever is asked about', async () => {
          const open = await kept({ createdAt: START + 2 })
          const failed = await kept({ createdAt: START + 3, phase: 'failed' })
          await kept({ createdAt: START + 4, phase: 'succeeded' })
          await kept({ createdAt: START + 4, phase: 'rejected' })
          await kept({ createdAt: START })
          expect(await store.wakeDeposits(START, START + 100)).toBe(2)
          // What was told of them between backup and restore had lower versions than what is told from here on.
          for (const { id, version } of [open, failed])
            expect(await store.deposit(id)).toMatchObject({ version: version + 1000 })
          const woken = await store.leaseDeposits(START + 100, START + 200, 10)
          expect(woken.map(({ id }) => id).toSorted()).toEqual([open.id, failed.id].toSorted())
        })

        test('what a restore woke goes behind those who are paying now, however long ago it ended', async () => {
          const ended = await Promise.all(
            [1, 2, 3].map((n) => kept({ createdAt: START + n, phase: 'expired', settledAt: START + n })),
          )
          await store.wakeDeposits(START, START + 100)
          expect((await store.stats()).oldestDueAt).toBe(START + 100)
          const paying = await kept({ createdAt: START + 90, dueAt: START + 150 })
          const first = await store.leaseDeposits(START + 200, START + 300, 2)
          expect(first.map(({ id }) => id)[0]).toBe(paying.id)
          const rest = await store.leaseDeposits(START + 200, START + 300, 10)
          expect([...first, ...rest].map(({ id }) => id).toSorted()).toEqual(
            [...ended, paying].map(({ id }) => id).toSorted(),
          )
        })

        test('of what a restore woke a part goes first, and all that is not in doubt counts as one', async () => {
          for (let n = 1; n < 9; n++) {
            await kept({ createdAt: START + n, phase: 'failed', settledAt: START + n })
            await kept({ createdAt: START + n, dueAt: START + n })
          }
          await kept({ createdAt: START + 9, dueAt: START + 9, phase: 'unknown' })
          await store.wakeDeposits(START, START + 100)
          const phases = async (others: number, ended: number) =>
            (await store.leaseDeposits(START + 200, START + 300, 48, { others, ended })).map(({ phase }) => phase)
          expect(await phases(3, 1)).toEqual(['unknown', 'failed', 'open', 'open'])
          expect(await phases(0, 1)).toEqual([])
          expect(await phases(1, 5)).toEqual(['failed'])
          expect(await phases(7, 0)).toEqual([...Array<string>(6).fill('open'), 'failed'])
          expect(await phases(48, 2)).toEqual(Array<string>(5).fill('failed'))
        })

        test('notices are taken, put off, delivered, given up and sent again', async () => {
          const row = await kept()
          const first = noticeRecord(row.id, { dueAt: START + 2 })
          const second = noticeRecord(row.id, { dueAt: START + 1, createdAt: START + 1 })
          await store.apply({ notices: [first, second] })
          expect(await store.leaseNotices(START, START + 50, 5)).toEqual([])
          const taken = await store.leaseNotices(START + 5, START + 50, 5)
          expect(taken.map(({ id, dueAt }) => [id, dueAt])).toEqual([
            [first.id, START + 50],
            [second.id, START + 50],
          ])
          await store.updateNotice(first, {
            state: 'delivered',
            attempts: 1,
            dueAt: START + 50,
            deliveredAt: START + 6,
          })
          await store.updateNotice(second, { state: 'dead', attempts: 9, dueAt: START + 50, lastError: 'HTTP 500' })
          expect(await store.leaseNotices(START + HOUR, START + 2 * HOUR, 5)).toEqual([])
          expect(await store.stats()).toMatchObject({ noticesWaiting: 0, noticesDead: 1 })
          expect(await noticeOf(store, first)).toEqual({
            ...first,
            state: 'delivered',
            attempts: 1,
            dueAt: START + 50,
            deliveredAt: START + 6,
          })
          // A slower instance that failed meanwhile does not undo the delivery.
          const told = { ...first, attempts: 1 }
          await store.updateNotice(told, { state: 'waiting', attempts: 2, dueAt: START + 60, lastError: 'timeout' })
          expect((await noticeOf(store, first))?.state).toBe('delivered')
          expect(await store.requeueNotices(row.id, START + 70)).toBe(2)
          expect(await noticeOf(store, second)).toMatchObject({ state: 'waiting', attempts: 0, dueAt: START + 70 })
          // An attempt that was under way when a person had it sent again does not undo that.
          const late = { ...second, attempts: 9 }
          await store.updateNotice(late, {
            state: 'waiting',
            attempts: 10,
            dueAt: START + 24 * HOUR,
            lastError: 'timeout',
          })
          expect(await noticeOf(store, second)).toMatchObject({ state: 'waiting', attempts: 0, dueAt: START + 70 })
          expect((await store.leaseNotices(START + 80, START + HOUR, 5)).map(({ body }) => body)).toEqual([
            first.body,
            second.body,
          ])
          expect(await store.requeueNotices('nobody', START)).toBe(0)
        })

        test('an unmatched callback is tried again until it is told whose it is', async () => {
          const inbox = inboxRecord({ verdict: 'unmatched', dueAt: START + 1 })
          await store.apply({ inbox })
          await store.apply({ inbox: inboxRecord() })
          expect(await store.stats()).toMatchObject({ inboxUnmatched: 1 })
          expect(await store.leaseInbox(START, START + 9, 5)).toEqual([])
          expect((await store.leaseInbox(START + 1, START + 9, 5)).map(({ id }) => id)).toEqual([inbox.id])
          await store.updateInbox(inbox.id, 'rang', 'dep_x')
          expect(await store.leaseInbox(START + HOUR, START + 2 * HOUR, 5)).toEqual([])
          expect(await store.stats()).toMatchObject({ inboxUnmatched: 0 })
        })
      })

      describe('counting', () => {
        test('no more is granted than the limit of the window, however many ask at once', async () => {
          const granted = await Promise.all(Array.from({ length: 30 }, () => store.take('upstream', START, 7, 100)))
          expect(granted.reduce((sum, each) => sum + each, 0)).toBe(100)
          expect(Math.max(...granted)).toBe(7)
          expect(await store.take('upstream', START, 1, 100)).toBe(0)
          expect(await store.take('upstream', START + 60_000, 5, 100)).toBe(5)
          expect(await store.take('other', START, 5, 100)).toBe(5)
          expect(await store.take('none', START, 5, 0)).toBe(0)
          expect(await store.take('upstream', START, 5, 50)).toBe(0)
        })

        test('the figures tell what waits', async () => {
          expect(await store.stats()).toEqual({
            depositsByPhase: {},
            noticesWaiting: 0,
            noticesDead: 0,
            inboxUnmatched: 0,
          })
          await kept({ dueAt: START + 5 })
          await kept({ dueAt: START + 7, phase: 'confirming' })
          await kept({ phase: 'review' })
          await kept({ phase: 'succeeded' })
          expect(await store.stats()).toMatchObject({
            depositsByPhase: { open: 1, confirming: 1, review: 1 },
            oldestDueAt: START + 5,
          })
        })

        test('small facts are kept and replaced', async () => {
          expect(await store.meta('restored_at')).toBeUndefined()
          await store.setMeta('restored_at', '1')
          await store.setMeta('restored_at', '2')
          expect(await store.meta('restored_at')).toBe('2')
        })
      })

      describe('the payment list', () => {
        const phases = [
          'creating',
          'open',
          'confirming',
          'review',
          'abandoned',
          'succeeded',
          'failed',
          'expired',
          'rejected',
        ] as const
        const markets = [
          ['KE', 'KES'],
          ['SN', 'XOF'],
          ['CI', 'XOF'],
          ['UG', 'UGX'],
        ] as const

        async function many(): Promise<Deposit[]> {
          const rows = Array.from({ length: 120 }, (_, i) => {
            const [country, currency] = markets[i % markets.length] as (typeof markets)[number]
            return depositRecord({
              // Several at one instant: the id decides.
              createdAt: START + Math.floor(i / 3) * 1000,
              phase: phases[i % phases.length] as Deposit['phase'],
              country,
              currency,
              ...(i % 5 === 0 ? { orderId: `order-${i % 10}` } : {}),
              sessionId: `ses-${i}`,
            })
          })
          for (const row of rows) await store.apply(creation(row))
          return rows
        }

        const filters: readonly Partial<PaymentFilter>[] = [
          {},
          ...phases.map((phase) => ({ phase })),
          { status: 'PENDING' },
          { status: 'SUCCESS' },
          { status: 'FAILED' },
          { status: 'SUCCESS', phase: 'succeeded' },
          { status: 'SUCCESS', phase: 'failed' },
          { currency: 'XOF' },
          { country: 'SN' },
          { currency: 'XOF', country: 'CI', status: 'FAILED' },
          { orderId: 'order-5' },
          { orderId: 'order-0', status: 'PENDING' },
          { sessionId: 'ses-7' },
          { sessionId: 'ses-7', status: 'FAILED' },
          { reference: 'nothing' },
          { from: START + 10_000 },
          { to: START + 10_000 },
          { from: START + 5000, to: START + 30_000, currency: 'KES', phase: 'open' },
          { from: START + 5000, to: START + 30_000, status: 'PENDING' },
        ]

        test('each filter finds what it says, newest first, page by page, nothing twice or left out', async () => {
          const rows = await many()
          const model = (await import('../helpers/memory-store.ts')).memoryStore()
          for (const row of rows) await model.apply(creation(row))
          for (const filter of [...filters, { reference: rows[3]?.reference as string }]) {
            const expected = (await model.payments({ ...filter, limit: 1000 })).map(({ id }) => id)
            for (const limit of [7, 200]) {
              const found: string[] = []
              for (let after: PaymentFilter['after']; ;) {
                const page = await store.payments({ ...filter, limit, ...(after ? { after } : {}) })
                found.push(...page.map(({ id }) => id))
                const last = page.at(-1)
                if (page.length < limit || !last) break
                after = { createdAt: last.createdAt, id: last.id }
              }
              expect({ filter, found }).toEqual({ filter, found: expected })
            }
          }
        })
      })

      describe('forgetting', () => {
        test('payer details go after their time, money facts stay', async () => {
          const settled = await kept({ phase: 'succeeded', settledAt: START + 5, transactionId: 'tx' })
          const given = await kept({ phase: 'abandoned', updatedAt: START + 5 })
          const open = await kept()
          const recent = await kept({ phase: 'failed', settledAt: START + HOUR })
          await store.apply({ session: sessionRecord({ id: 'old', expiresAt: START + 5, payer: { name: 'A' } }) })
          await store.apply({ session: sessionRecord({ id: 'new', expiresAt: START + HOUR, payer: { name: 'B' } }) })
          expect(await store.purgePayers(START + 10)).toBe(2)
          expect(await store.purgePayers(START + 10)).toBe(0)
          const { payer: _, ...facts } = settled
          expect(await store.deposit(settled.id)).toEqual(facts)
          expect((await store.deposit(given.id))?.payer).toBeUndefined()
          expect((await store.deposit(open.id))?.payer).toBeDefined()
          expect((await store.deposit(recent.id))?.payer).toBeDefined()
          expect((await store.session('old'))?.payer).toBeUndefined()
          expect((await store.session('new'))?.payer).toEqual({ name: 'B' })
        })

        test('a person is forgotten by phone number, and a writer that knew them does not bring them back', async () => {
          const row = await kept({ payer: { name: 'Amina', phone: '254700000001' } })
          const other = await kept({ payer: { name: 'Otieno', phone: '254700000002' } })
          await store.apply({ session: sessionRecord({ id: 'hers', payer: { name: 'Amina', phone: '254700000001' } }) })
          const inbox = inboxRecord({ reference: row.reference, verdict: 'unmatched', dueAt: START })
          await store.apply({ inbox })
          expect(await store.forgetPhone('254700000001')).toBe(1)
          expect(await store.forgetPhone('254700000001')).toBe(0)
          await store.apply(move(row, { phase: 'confirming' }).change)
          expect((await store.deposit(row.id))?.phase).toBe('confirming')
          expect((await store.deposit(row.id))?.payer).toBeUndefined()
          expect((await store.session('hers'))?.payer).toBeUndefined()
          expect((await store.deposit(other.id))?.payer?.name).toBe('Otieno')
          expect((await store.leaseInbox(START, START + 1, 1))[0]?.body).toHaveLength(0)
        })

        test('payer details of more payments than one step erases go all the same', async () => {
          const rows = Array.from({ length: 1_500 }, () => depositRecord({ phase: 'succeeded', settledAt: START + 5 }))
          await store.apply({ deposits: rows.map((row) => ({ row, expect: 'new' })) })
          expect(await store.purgePayers(START + 10)).toBe(1_500)
          expect(await store.purgePayers(START + 10)).toBe(0)
        })

        test('who never came to an end is forgotten 30 days later than the others, for nobody asks about it any more', async () => {
          const MONTH = 30 * 24 * HOUR
          const review = await kept({ phase: 'review' })
          const open = await kept({ phase: 'open' })
          const younger = await kept({ phase: 'review', createdAt: START + HOUR })
          expect(await store.purgePayers(START + MONTH)).toBe(0)
          expect(await store.purgePayers(START + MONTH + 1)).toBe(2)
          for (const { id } of [review, open]) expect((await store.deposit(id))?.payer).toBeUndefined()
          expect((await store.deposit(review.id))?.phase).toBe('review')
          expect((await store.deposit(younger.id))?.payer).toBeDefined()
        })

        test('the answers of a forgotten payment go, the promise of its keys stays', async () => {
          const hers = { name: 'Amina', phone: '254700000001' }
          const row = await kept({ payer: hers })
          const other = await kept()
          const early = idempotencyRecord(row.id, { answer: '{"hers":1}', createdAt: START - 5000 })
          const late = idempotencyRecord(row.id, { answer: '{"hers":2}', createdAt: START + HOUR })
          const theirs = idempotencyRecord(other.id, { answer: '{}' })
          for (const idempotency of [early, late, theirs]) await store.apply({ idempotency })
          expect(await store.forgetPhone(hers.phone)).toBe(1)
          for (const { answer: _, ...promise } of [early, late])
            expect(await store.idempotency(promise.keyHash)).toEqual(promise)
          expect(await store.idempotency(theirs.keyHash)).toEqual(theirs)
        })

        test('a callback of a forgotten payment that comes again is still known', async () => {
          const row = await kept({ payer: { name: 'Amina', phone: '254700000001' } })
          const inbox = inboxRecord({ reference: row.reference, verdict: 'unmatched', dueAt: START })
          await store.apply({ inbox })
          await store.forgetPhone('254700000001')
          await store.apply({ inbox })
          const found = await store.leaseInbox(START, START + 1, 5)
          expect(found.map(({ id, body }) => [id, body.length])).toEqual([[inbox.id, 0]])
        })

        test('once payer details and callbacks went by their age, a phone number leads to nothing', async () => {
          const row = await kept({
            phase: 'succeeded',
            settledAt: START + 5,
            payer: { name: 'Amina', phone: '254700000001' },
          })
          await store.apply({
            inbox: inboxRecord({ reference: row.reference, receivedAt: START + 4, dueAt: START + 4 }),
          })
          const [inbox] = await store.leaseInbox(START + 4, START + 5, 1)
          await store.updateInbox(inbox?.id ?? '', 'rang', row.id)
          expect(await store.purgePayers(START + 10)).toBe(1)
          expect(await store.purgeOld(START + 10)).toBe(1)
          expect(await store.forgetPhone('254700000001')).toBe(0)
          if (!Number.isNaN(await bench.count('inbox'))) expect(await bench.count('inbox')).toBe(0)
        })

        test('a session that has the number as it is dialled at home is forgotten too', async () => {
          const phones = { zero: '0700999888', bare: '700999888', full: '254700999888', other: '0700999889' }
          for (const [id, phone] of Object.entries(phones))
            await store.apply({ session: sessionRecord({ id, payer: { name: 'A', phone } }) })
          await store.forgetPhone('254700999888')
          for (const id of ['zero', 'bare', 'full']) expect((await store.session(id))?.payer).toBeUndefined()
          expect((await store.session('other'))?.payer).toBeDefined()
        })

        test('a person with many payments is forgotten in all of them', async () => {
          await Promise.all(Array.from({ length: 200 }, (_, i) => kept({ createdAt: START + (i % 7) })))
          expect(await store.forgetPhone('254712345678')).toBe(200)
        })

        test('a person is forgotten also in payments that lie more than a window of rows apart', async () => {
          const hers = { name: 'Amina', phone: '254700000001' }
          const others = depositRecord().payer!
          // Many at once, so that the store writes them together.
          for (let n = 0; n < 10_500; n += 500) {
            const rows = Array.from({ length: 500 }, (_, i) =>
              depositRecord({ createdAt: START + n + i, payer: (n + i) % 5200 === 0 ? hers : others }),
            )
            await Promise.all(rows.map((row) => store.apply({ deposits: [{ row, expect: 'new' }] })))
          }
          expect(await store.forgetPhone(hers.phone)).toBe(3)
        })

        // The others count in memory.
        test.runIf(adapter.name === 'PostgreSQL')('counters of windows that are over go', async () => {
          await store.take('calls', START, 1, 10)
          await store.take('calls', START + HOUR, 1, 10)
          await store.purgeOld(START + 10)
          expect(await bench.count('counters')).toBe(1)
        })

        test('old answers and callbacks go; the promise of a key and an unmatched callback stay', async () => {
          const old = idempotencyRecord('dep', { answer: '{}' })
          const recent = idempotencyRecord('dep', { answer: '{}', createdAt: START + HOUR })
          await store.apply({ idempotency: old })
          await store.apply({ idempotency: recent })
          const inbox = inboxRecord()
          await store.apply({ inbox })
          await store.apply({ inbox: inboxRecord({ verdict: 'unmatched', dueAt: START + HOUR }) })
          expect(await store.purgeOld(START + 10)).toBe(2)
          const { answer: _, ...promise } = old
          expect(await store.idempotency(old.keyHash)).toEqual(promise)
          expect((await store.idempotency(recent.keyHash))?.answer).toBe('{}')
          expect(await store.leaseInbox(START + HOUR, START + 2 * HOUR, 5)).toHaveLength(1)
        })
      })

      describe('a clock that was set back', () => {
        test('brings forward what waits later, of each rank, and nothing else', async () => {
          const [soon, doubtful, open] = [
            await kept({ dueAt: START + 10 }),
            await kept({ phase: 'confirming', dueAt: START + HOUR }),
            await kept({ dueAt: START + HOUR + 3 }),
          ]
          const ended = await kept({ phase: 'failed', settledAt: START, dueAt: START + HOUR })
          const quiet = await kept()
          await store.wakeDeposits(START - 1, START + HOUR)
          const woken = ({ id }: Deposit) => ({ id, version: 1001, dueAt: START + HOUR })
          await store.reschedule(woken(soon), { dueAt: START + 10, asks: 0 })
          await store.reschedule(woken(quiet), { asks: 0 })
          await store.reschedule(woken(open), { dueAt: START + HOUR + 3, asks: 0 })
          expect(await store.hasten('deposits', START + 10, HOUR - 20, START + 21)).toBe(3)
          const dues = [soon, doubtful, open, ended].map(async ({ id }) => (await store.deposit(id))?.dueAt)
          // Not before now.
          expect(await Promise.all(dues)).toEqual([START + 10, START + 21, START + 23, START + 21])
          expect((await store.deposit(quiet.id))?.dueAt).toBeUndefined()

          const row = depositRecord()
          const told = noticeRecord(row.id, { dueAt: START + HOUR, state: 'delivered' })
          const waits = noticeRecord(row.id, { dueAt: START + HOUR })
          await store.apply({ ...creation(row), notices: [told, waits] })
          expect(await store.hasten('notices', START, 7, START)).toBe(1)
          expect((await noticeOf(store, told))?.dueAt).toBe(START + HOUR)
          expect((await noticeOf(store, waits))?.dueAt).toBe(START + HOUR - 7)
        })

        test('brings each forward once, however many there are', async () => {
          const many = 12_000
          await store.apply({ inbox: inboxRecord({ verdict: 'unmatched', dueAt: START + HOUR }) })
          if (adapter.name === 'the model') return
          await bench.write(
            `INSERT INTO inbox (id, received_at, reference, body, verdict, due_at)
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many - 1})
             SELECT id || i, received_at, reference, body, verdict, due_at + i FROM inbox, n`,
          )
          expect(await store.hasten('inbox', START, HOUR / 1000, START)).toBe(many)
          const due = START + HOUR - HOUR / 1000
          expect(await store.leaseInbox(due - 1, START, many)).toHaveLength(0)
          expect(await store.leaseInbox(due + many / 2 - 1, due + HOUR, many)).toHaveLength(many / 2)
          expect(await store.leaseInbox(due + many - 1, due + HOUR, many)).toHaveLength(many / 2)
        })
      })

      describe('the listeners of changes', () => {
        test('are called for each deposit of an applied change, after it can be read, and for no refused one', async () => {
          const rang: string[] = []
          const seen: Promise<Deposit | undefined>[] = []
          const given: (Deposit | undefined)[] = []
          const stop = store.onChange((id, version, written) => {
            rang.push(`${id}@${version}`)
            seen.push(store.deposit(id))
            given.push(written)
          })
          const row = await kept()
          await store.apply(move(row, { phase: 'confirming' }).change)
          await store.apply(move(row, { phase: 'failed' }).change)
          expect(rang).toEqual([`${row.id}@1`, `${row.id}@2`])
          expect((await Promise.all(seen)).map((each) => each?.version)).toContain(2)
          // What is given is what can be read, so that nobody has to.
          if (adapter.name !== 'the model') expect(given).toEqual([row, await store.deposit(row.id)])
          stop()
          await kept()
          expect(rang).toHaveLength(2)
        })

        test('a listener that throws harms neither the writer nor the others', async () => {
          if (adapter.name === 'the model') return
          let heard = 0
          store.onChange(() => {
            throw new Error('boom')
          })
          store.onChange(() => (heard += 1))
          await kept()
          expect(heard).toBe(1)
        })
      })

      test('what was acknowledged is there when the store is opened again', async () => {
        const row = await kept({ sessionId: 'ses' })
        await store.setMeta('fact', 'x')
        if (adapter.name !== 'the model') await store.close()
        const next = await bench.another()
        expect(await next.deposit(row.id)).toEqual(row)
        expect(await next.meta('fact')).toBe('x')
        await next.ping()
      })

      test('a closed store says so', async () => {
        await store.close()
        await expect(store.apply(creation(depositRecord()))).rejects.toThrow()
        await expect(store.deposit('x')).rejects.toThrow()
        await expect(store.ping()).rejects.toThrow()
      })
    },
  )
}
