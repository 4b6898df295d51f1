// The work that a store hands out, for every store: what is due is leased to one instance at a
// time, its outcome is kept, and a clock that was set back delays none.
import { describe, expect, test } from 'vitest'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import type { NoticeRow } from '../../server/deposits/ports/store.ts'
import { creation, depositRecord, inboxRecord, noticeRecord, START } from '../helpers/deposit-record.ts'
import { bench, kept, onEveryStore, store } from './every-store.ts'

const HOUR = 3_600_000

async function noticeOf({ id, depositId }: NoticeRow): Promise<NoticeRow | undefined> {
  return (await store.notices(depositId)).find((notice) => notice.id === id)
}

onEveryStore((adapter) => {
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
      // What was told of them between backup and restore had lower versions than what is told from
      // here on.
      for (const { id, version } of [open, failed])
        expect(await store.deposit(id)).toMatchObject({ version: version + 1000 })
      const woken = await store.leaseDeposits(START + 100, START + 200, 10)
      expect(woken.map(({ id }) => id).toSorted()).toEqual([open.id, failed.id].toSorted())
    })

    test('after a restore also an older payment that may still be told of has a higher version, and is due no sooner', async () => {
      const phases = ['creating', 'unknown', 'open', 'confirming', 'review', 'abandoned'] as const
      const live = await Promise.all(phases.map((phase, n) => kept({ createdAt: START - n, phase, dueAt: START + 9 })))
      const ended = [
        await kept({ createdAt: START, phase: 'failed', settledAt: START + 9, dueAt: START + 9 }),
        await kept({ createdAt: START, phase: 'succeeded', settledAt: START + 9 }),
        // Asked about for 30 days.
        await kept({ createdAt: START, phase: 'abandoned' }),
      ]
      expect(await store.wakeDeposits(START, START + 100)).toBe(0)
      for (const row of live) expect(await store.deposit(row.id)).toEqual({ ...row, version: row.version + 1000 })
      for (const row of ended) expect(await store.deposit(row.id)).toEqual(row)
    })

    test('after a second restore of the same backup versions are above those of the first, however often they changed since', async () => {
      const OCTOBER = Date.UTC(2026, 9, 1)
      const wokenAt = async (now: number, version: number): Promise<number> => {
        const row = await kept({ createdAt: OCTOBER, version })
        await store.wakeDeposits(OCTOBER - 1, now)
        return (await store.deposit(row.id))?.version ?? 0
      }
      const [first, second] = [await wokenAt(OCTOBER + HOUR, 2), await wokenAt(OCTOBER + HOUR + 60_000, 2)]
      expect([first, second]).toEqual([4600, 4660])
      expect(await wokenAt(OCTOBER + HOUR + 120_000, second)).toBe(second + 1000)
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
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      const first = noticeRecord(row.id, { dueAt: START + 2, traceparent })
      const second = noticeRecord(row.id, { dueAt: START + 1, createdAt: START + 1 })
      // The older one is told first, whichever was stored or is due first.
      await store.apply({ notices: [second, first] })
      expect(await store.leaseNotices(START, START + 50, 5)).toEqual([])
      const taken = await store.leaseNotices(START + 5, START + 50, 5)
      expect(taken).toEqual([
        { ...first, dueAt: START + 50 },
        { ...second, dueAt: START + 50 },
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
      expect(await noticeOf(first)).toEqual({
        ...first,
        state: 'delivered',
        attempts: 1,
        dueAt: START + 50,
        deliveredAt: START + 6,
      })
      // A slower instance that failed meanwhile does not undo the delivery.
      const told = { ...first, attempts: 1 }
      await store.updateNotice(told, { state: 'waiting', attempts: 2, dueAt: START + 60, lastError: 'timeout' })
      expect((await noticeOf(first))?.state).toBe('delivered')
      expect(await store.requeueNotices(row.id, START + 70)).toBe(2)
      const again = { state: 'waiting', attempts: 0, dueAt: START + 70 }
      expect(await noticeOf(first)).toEqual({ ...first, ...again, earlierAttempts: 1 })
      expect(await noticeOf(second)).toMatchObject({ ...again, earlierAttempts: 9 })
      // An attempt that was under way when a person had it sent again does not undo that.
      const late = { ...second, attempts: 9 }
      await store.updateNotice(late, {
        state: 'waiting',
        attempts: 10,
        dueAt: START + 24 * HOUR,
        lastError: 'timeout',
      })
      expect(await noticeOf(second)).toMatchObject({ state: 'waiting', attempts: 0, dueAt: START + 70 })
      expect((await store.leaseNotices(START + 80, START + HOUR, 5)).map(({ body }) => body)).toEqual([
        first.body,
        second.body,
      ])
      // Each attempt is counted, however often it is sent again.
      await store.updateNotice(second, { state: 'waiting', attempts: 2, dueAt: START + 90, lastError: 'timeout' })
      expect(await store.requeueNotices(row.id, START + 95)).toBe(2)
      expect(await noticeOf(second)).toMatchObject({ attempts: 0, earlierAttempts: 11 })
      expect(await store.requeueNotices('nobody', START)).toBe(0)
    })

    test('callbacks are looked at in the order in which they came', async () => {
      const [older, newer] = [0, 1].map((n) =>
        inboxRecord({ verdict: 'unmatched', receivedAt: START + n, dueAt: START + 5 - n }),
      )
      await store.apply({ inbox: newer! })
      await store.apply({ inbox: older! })
      expect(await store.leaseInbox(START + 9, START + 20, 5)).toEqual([
        { ...older!, dueAt: START + 20 },
        { ...newer!, dueAt: START + 20 },
      ])
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
      expect((await noticeOf(told))?.dueAt).toBe(START + HOUR)
      expect((await noticeOf(waits))?.dueAt).toBe(START + HOUR - 7)
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
})
