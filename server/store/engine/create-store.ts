// The store itself, written once: implements the port in terms of an engine's queries.
import { setImmediate } from 'node:timers/promises'
import type { Deposit } from '../../deposits/machine/deposit.ts'
import { createDesk, operatorSteps, termsStep } from './desk.ts'
import type { Engine, Step } from './engine.ts'
import { createErasures } from './erasures.ts'
import { endQuery, paymentQuery } from '../queries/payment-query.ts'
import { queries } from '../queries/queries.ts'
import type { Query } from '../schema/query.ts'
import * as rows from '../schema/rows.ts'
import type { Change, Store, StoreStats } from '../../deposits/ports/store.ts'
import { sweep } from './sweep.ts'
import { versionOfRestore } from '../queries/work-queries.ts'
import { readOfIdempotency, readOfNotice } from '../schema/tables.ts'
import type { Row, Values } from '../schema/tables.ts'

/** The smallest update that writes the differences: each untouched index saves two pages. */
function updateOf(row: Deposit, before: Deposit | undefined, timeline: string): Query {
  if (
    before === undefined ||
    row.transactionId !== before.transactionId ||
    row.settledAt !== before.settledAt ||
    row.duplicate !== before.duplicate ||
    rows.owedOf(row) !== rows.owedOf(before) ||
    rows.stageOf(row.phase) !== rows.stageOf(before.phase)
  )
    return queries.updateDeposit
  const isTouch = timeline === '' && row.phase === before.phase && row.updatedAt === before.updatedAt
  return isTouch ? queries.touchDeposit : queries.moveDeposit
}

/** The step most likely to be refused comes first, so that nothing has to be undone. */
function stepsOf(change: Change, isSearchable: boolean): Step[] {
  const steps: Step[] = []
  if (change.idempotency)
    steps.push({ query: queries.insertIdempotency, values: rows.valuesOf(readOfIdempotency, change.idempotency) })
  if (change.startIn) {
    const { id, starts = 0 } = change.startIn
    steps.push({ query: queries.startInSession, values: { id, starts }, mustChange: true })
  }
  if (change.close) {
    const { session, at } = change.close
    const values = { id: session.id, starts: session.starts ?? 0, closed_at: at }
    steps.push({ query: queries.closeSession, values, mustChange: true })
  }
  const { deposit, timeline: lines = [] } = change
  if (lines.some(({ depositId }) => depositId !== deposit?.row.id))
    throw new TypeError('A timeline grows with its deposit only.')
  if (deposit) {
    const { row, expect, before } = deposit
    const timeline = rows.timelineText(lines)
    if (expect === 'new') {
      steps.push({ query: queries.insertDeposit, values: rows.depositValues(row, timeline) })
      if (isSearchable) steps.push(termsStep(row))
    } else {
      const values = { ...rows.depositValues(row, timeline), expect }
      steps.push({ query: updateOf(row, before, timeline), values, mustChange: true })
      if (isSearchable) steps.push(...operatorSteps(row, before))
    }
  }
  for (const row of change.notices ?? [])
    steps.push({ query: queries.insertNotice, values: rows.valuesOf(readOfNotice, row) })
  if (change.answer)
    steps.push({ query: queries.setAnswer, values: { key_hash: change.answer.keyHash, answer: change.answer.answer } })
  if (change.session) steps.push({ query: queries.insertSession, values: rows.sessionValues(change.session) })
  if (change.inbox) steps.push({ query: queries.insertInbox, values: rows.inboxValues(change.inbox) })
  return steps
}

/**
 * @param isSearchable whether what a new payment is found by is written with it (engine/desk.ts)
 */
export function createStore(engine: Engine, isSearchable = false): Store {
  const one = async <T>(query: Query, value: string, map: (row: Row) => T): Promise<T | undefined> => {
    // No row can have it, and PostgreSQL would refuse the query.
    if (value.includes('\0')) return undefined
    const row = (await engine.read(query, { value }))[0]
    return row === undefined ? undefined : map(row)
  }

  const all = async <T>(query: Query, values: Values, map: (row: Row) => T): Promise<T[]> =>
    (await engine.read(query, values)).map(map)

  const count = async (query: Query) => Number((await engine.read(query, {}))[0]?.['count'] ?? 0)

  return {
    async apply(change) {
      const row = change.deposit?.row
      const applied = await engine.apply(
        stepsOf(change, isSearchable),
        row && { id: row.id, version: row.version, row },
      )
      if (applied.applied || applied.conflict === 'idempotency' || change.idempotency === undefined) return applied
      // Several rules may have been broken at once; a known key is the most informative, and is
      // reported alike on every database.
      const known = await engine.read(queries.idempotencyByKey, { value: change.idempotency.keyHash })
      return known.length === 0 ? applied : { applied: false, conflict: 'idempotency' }
    },

    deposit: (id) => one(queries.depositById, id, rows.depositOf),
    depositByReference: (reference) => one(queries.depositByReference, reference, rows.depositOf),
    liveDeposit: (sessionId) => one(queries.depositByLiveSession, sessionId, rows.depositOf),
    creditedDeposit: (sessionId) => one(queries.depositByCreditedSession, sessionId, rows.depositOf),
    session: (id) => one(queries.sessionById, id, rows.sessionOf),
    sessionOfOrder: (orderId) => one(queries.sessionByLiveOrder, orderId, rows.sessionOf),
    async orderPayment(orderId, mode) {
      const values = { value: orderId, start: rows.referenceStart(mode) }
      return (await all(queries.orderPayment, values, rows.depositOf))[0]
    },
    liveOfOrder: (orderId, mode) =>
      all(queries.liveOfOrder, { value: orderId, start: rows.referenceStart(mode) }, rows.depositOf),
    idempotency: (keyHash) => one(queries.idempotencyByKey, keyHash, rows.idempotencyOf),
    notices: (depositId) => all(queries.noticesOfDeposit, { value: depositId }, rows.noticeOf),
    async timeline(depositId) {
      const [old, [text = '']] = await Promise.all([
        all(queries.timelineOfDeposit, { value: depositId }, rows.timelineOf),
        all(queries.timelineInDeposit, { value: depositId }, (row) => String(row['timeline'])),
      ])
      const lines = [...old, ...rows.timelineIn(text, depositId)]
      // An instance of an earlier release may have written at the same time as one of this release.
      return lines.toSorted((a, b) => a.version - b.version)
    },

    async payments(filter) {
      const wanted = paymentQuery(filter)
      return wanted === undefined ? [] : all(wanted.query, wanted.values, rows.depositOf)
    },
    async searchEnd(filter) {
      const wanted = endQuery(filter)
      if (wanted === undefined) return undefined
      // Customers are served between two steps of a long search.
      await setImmediate()
      const row = (await engine.read(wanted.query, wanted.values))[0]
      return row && { term: String(row['term']), createdAt: Number(row['created_at']), id: String(row['id']) }
    },

    async leaseDeposits(now, leaseUntil, limit, { others = limit, ended = 0 } = {}) {
      const lease = async (rank: number, most: number): Promise<Deposit[]> =>
        most <= 0
          ? []
          : (await engine.write(queries.leaseDeposits, { rank, now, until: leaseUntil, limit: most })).map(
              rows.depositOf,
            )
      const inDoubt = await lease(0, limit)
      const patient = Math.min(others, limit - inDoubt.length)
      const first = await lease(2, Math.min(ended, patient))
      const second = await lease(1, patient - first.length)
      return [...inDoubt, ...first, ...second, ...(await lease(2, patient - first.length - second.length))]
    },
    async reschedule({ id, version, dueAt: was }, { dueAt, asks, queryMissingSince }) {
      const next = { due_at: dueAt ?? null, asks, query_missing_since: queryMissingSince ?? null }
      await engine.write(queries.reschedule, { id, version, was: was ?? null, ...next })
    },
    async wakeDeposits(since, now) {
      const values = { now, version: versionOfRestore(now) }
      await engine.write(queries.raiseOldDeposits, { ...values, since })
      return (await sweep(engine, queries.depositWindow, queries.wakeDeposits, since, values)).length
    },

    async leaseNotices(now, leaseUntil, limit) {
      const leased = (await engine.write(queries.leaseNotices, { now, until: leaseUntil, limit })).map(rows.noticeOf)
      return leased.toSorted((a, b) => a.createdAt - b.createdAt)
    },
    async updateNotice(notice, { state, attempts, dueAt, deliveredAt, lastError }) {
      const values = {
        id: notice.id,
        leased: notice.attempts,
        state,
        attempts,
        due_at: dueAt,
        delivered_at: deliveredAt ?? null,
        last_error: lastError ?? null,
      }
      await engine.write(queries.updateNotice, values)
    },
    requeueNotices: async (depositId, now) =>
      (await engine.write(queries.requeueNotices, { now, deposit_id: depositId })).length,

    async leaseInbox(now, leaseUntil, limit) {
      const leased = (await engine.write(queries.leaseInbox, { now, until: leaseUntil, limit })).map(rows.inboxOf)
      return leased.toSorted((a, b) => a.receivedAt - b.receivedAt)
    },
    async updateInbox(id, verdict, depositId) {
      await engine.write(queries.updateInbox, { id, verdict, deposit_id: depositId ?? null })
    },

    async hasten(kind, after, by, now) {
      const [ends, step] = {
        deposits: [queries.depositsDueWindow, queries.hastenDeposits] as const,
        notices: [queries.noticesDueWindow, queries.hastenNotices] as const,
        inbox: [queries.inboxDueWindow, queries.hastenInbox] as const,
      }[kind]
      let hastened = 0
      for (const rank of kind === 'deposits' ? [0, 1, 2] : [0])
        hastened += (await sweep(engine, ends, step, after, { rank, by, now })).length
      return hastened
    },

    take: (name, windowStart, want, limit) => engine.take(name, windowStart, want, limit),

    ...createErasures(engine),

    async stats(): Promise<StoreStats> {
      const stages = await engine.read(queries.countUnresolved, {})
      const counts = Object.fromEntries(stages.map((row) => [row['stage'], Number(row['count'])]))
      const confirming = await count(queries.countConfirming)
      const byPhase: Record<string, number> = { ...counts, open: (counts['open'] ?? 0) - confirming, confirming }
      const dues = await Promise.all([0, 1, 2].map((rank) => engine.read(queries.oldestDue, { rank })))
      const oldest = Math.min(...dues.flat().map((row) => Number(row['due_at'])))
      return {
        depositsByPhase: Object.fromEntries(Object.entries(byPhase).filter(([, number]) => number > 0)),
        noticesWaiting: await count(queries.countNoticesWaiting),
        noticesDead: await count(queries.countNoticesDead),
        inboxUnmatched: await count(queries.countInboxUnmatched),
        oldestDueAt: Number.isFinite(oldest) ? oldest : undefined,
      }
    },
    meta: (key) => one(queries.metaByKey, key, (row) => String(row['value'])),
    async setMeta(key, value) {
      await engine.write(queries.setMeta, { key, value })
    },

    desk: createDesk(engine, isSearchable),

    onChange: (listener) => engine.onChange(listener),
    ping: () => engine.ping(),
    close: () => engine.close(),
  }
}
