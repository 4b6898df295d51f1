// The disk of a simulated world: all rows in maps with their indexes, and which of them a power cut
// would keep.
import type { Deposit, Session } from '../../server/deposits/machine/deposit.ts'
import { isLive } from '../../server/deposits/machine/phases.ts'
import type {
  Applied,
  Change,
  ConflictKind,
  IdempotencyRow,
  InboxRow,
  NoticeRow,
  TimelineRow,
} from '../../server/deposits/ports/store.ts'

export type DueKind = 'deposits' | 'notices' | 'inbox'
export type Durability = 'full' | 'normal'

/**
 * Under `normal`, this many changed rows share a sync; a power cut loses those since the last one.
 */
const ROWS_A_SYNC = 100

export interface Disk {
  readonly deposits: Map<string, Deposit>
  readonly references: Map<string, string>
  readonly transactions: Map<string, string>
  readonly sessionDeposits: Map<string, readonly string[]>
  readonly orderDeposits: ReadonlyMap<string, readonly string[]>
  readonly orders: ReadonlyMap<string, string>
  readonly timeline: Map<string, readonly TimelineRow[]>
  readonly notices: Map<string, NoticeRow>
  readonly idempotency: Map<string, IdempotencyRow>
  readonly sessions: Map<string, Session>
  readonly inbox: Map<string, InboxRow>
  /** Ids of the callbacks of a reference, including those lost in a power cut. */
  readonly callbacks: ReadonlyMap<string, readonly string[]>
  readonly counters: Map<string, number>
  readonly meta: Map<string, string>
  /** The only way to change a row, so that it can be rolled back. */
  put<T>(table: Map<string, T>, key: string, value: T): void
  remove<T>(table: Map<string, T>, key: string): void
  apply(change: Change): Applied
  /** True if the current row would survive a power cut. */
  isDurable(table: Map<string, unknown>, key: string): boolean
  /** Called after a write: syncs if it is time. */
  written(): void
  /** Drops the writes that a power cut loses. */
  cutPower(): void
  /** Wall time at which the next row of that kind is due; Infinity if none is. */
  nextDue(kind: DueKind): number
}

const isCredited = (row: Deposit) => row.phase === 'succeeded' && !row.duplicate

/** Called at each write of a deposit, with the row before and after. */
export type OnDeposit = (before: Deposit | undefined, after: Deposit) => void

export function createDisk(durability: Durability, onDeposit: OnDeposit): Disk {
  let unsynced: { readonly table: Map<string, unknown>; readonly key: string; readonly before: unknown }[] = []
  const due: Partial<Record<DueKind, number>> = {}
  const deposits = new Map<string, Deposit>()
  const references = new Map<string, string>()
  const transactions = new Map<string, string>()
  const sessionDeposits = new Map<string, readonly string[]>()
  const orderDeposits = new Map<string, readonly string[]>()
  /** The one session of each order. */
  const orders = new Map<string, string>()
  const timeline = new Map<string, readonly TimelineRow[]>()
  const notices = new Map<string, NoticeRow>()
  const idempotency = new Map<string, IdempotencyRow>()
  const sessions = new Map<string, Session>()
  const inbox = new Map<string, InboxRow>()
  const callbacks = new Map<string, readonly string[]>()

  function note<T>(table: Map<string, T>, key: string): void {
    if (table === (deposits as unknown)) delete due.deposits
    else if (table === (notices as unknown)) delete due.notices
    else if (table === (inbox as unknown)) delete due.inbox
    if (durability === 'normal') unsynced.push({ table, key, before: table.get(key) })
  }
  function put<T>(table: Map<string, T>, key: string, value: T): void {
    note(table, key)
    table.set(key, value)
  }
  function remove<T>(table: Map<string, T>, key: string): void {
    note(table, key)
    table.delete(key)
  }

  const ofOrderOf = (orderId: string) => (orderDeposits.get(orderId) ?? []).flatMap((id) => deposits.get(id) ?? [])

  function conflictOf(change: Change): ConflictKind | undefined {
    if (change.idempotency !== undefined && idempotency.has(change.idempotency.keyHash)) return 'idempotency'
    if (change.session !== undefined && sessions.has(change.session.id)) return 'duplicate_id'
    if (
      change.session !== undefined &&
      (orders.get(change.session.orderId) ?? change.close?.session.id) !== change.close?.session.id
    )
      return 'order'
    for (const seen of [change.startIn, change.close?.session]) {
      const row = seen && sessions.get(seen.id)
      if (seen && (row === undefined || row.closedAt !== undefined || row.starts !== seen.starts)) return 'version'
    }
    if (change.deposit) {
      const { row, expect } = change.deposit
      const present = deposits.get(row.id)
      if (expect === 'new' ? present !== undefined || references.has(row.reference) : present?.version !== expect)
        return expect === 'new' ? 'duplicate_id' : 'version'
      const ofOrder = row.orderId === undefined ? [] : ofOrderOf(row.orderId).filter(({ id }) => id !== row.id)
      if (isCredited(row) && ofOrder.some(isCredited)) return 'credited'
      const others =
        row.sessionId === undefined
          ? []
          : (sessionDeposits.get(row.sessionId) ?? [])
              .filter((id) => id !== row.id)
              .flatMap((id) => deposits.get(id) ?? [])
      if (isLive(row.phase) && others.some((other) => isLive(other.phase))) return 'live'
      if (isCredited(row) && others.some(isCredited)) return 'credited'
      if (row.transactionId !== undefined && (transactions.get(row.transactionId) ?? row.id) !== row.id)
        return 'transaction'
    }
    return (change.notices ?? []).some(({ id }) => notices.has(id)) ? 'duplicate_id' : undefined
  }

  function apply(change: Change): Applied {
    const conflict = conflictOf(change)
    if (conflict !== undefined) return { applied: false, conflict }
    if (change.deposit) {
      const { row } = change.deposit
      const before = deposits.get(row.id)
      onDeposit(before, row)
      put(deposits, row.id, row)
      if (before === undefined) {
        put(references, row.reference, row.id)
        if (row.orderId !== undefined)
          put(orderDeposits, row.orderId, [...(orderDeposits.get(row.orderId) ?? []), row.id])
        if (row.sessionId !== undefined)
          put(sessionDeposits, row.sessionId, [...(sessionDeposits.get(row.sessionId) ?? []), row.id])
      }
      if (row.transactionId !== undefined) put(transactions, row.transactionId, row.id)
    }
    for (const row of change.timeline ?? []) put(timeline, row.depositId, [...(timeline.get(row.depositId) ?? []), row])
    for (const row of change.notices ?? []) put(notices, row.id, row)
    if (change.idempotency !== undefined) put(idempotency, change.idempotency.keyHash, change.idempotency)
    if (change.answer !== undefined) {
      const row = idempotency.get(change.answer.keyHash)
      if (row !== undefined && row.answer === undefined)
        put(idempotency, row.keyHash, { ...row, answer: change.answer.answer })
    }
    if (change.startIn !== undefined) {
      const row = sessions.get(change.startIn.id)
      if (row !== undefined) put(sessions, row.id, { ...row, starts: (row.starts ?? 0) + 1 })
    }
    if (change.close !== undefined) {
      const row = sessions.get(change.close.session.id)
      if (row !== undefined) put(sessions, row.id, { ...row, closedAt: change.close.at })
    }
    if (change.session !== undefined) {
      put(sessions, change.session.id, change.session)
      put(orders, change.session.orderId, change.session.id)
    }
    if (change.inbox !== undefined && !inbox.has(change.inbox.id)) {
      const { id, reference } = change.inbox
      put(inbox, id, change.inbox)
      callbacks.set(reference, [...(callbacks.get(reference) ?? []), id])
    }
    return { applied: true }
  }

  return {
    deposits, references, transactions, sessionDeposits, orderDeposits, orders, timeline, notices, idempotency, sessions, inbox, callbacks,
    counters: new Map(),
    meta: new Map(),
    put,
    remove,
    apply,
    isDurable: (table, key) => table.has(key) && !unsynced.some((entry) => entry.table === table && entry.key === key),
    written() {
      if (unsynced.length >= ROWS_A_SYNC) unsynced = []
    },
    cutPower() {
      for (const { table, key, before } of unsynced.toReversed()) {
        if (before === undefined) table.delete(key)
        else table.set(key, before)
      }
      unsynced = []
      delete due.deposits
      delete due.notices
      delete due.inbox
    },
    nextDue(kind) {
      const known = due[kind]
      if (known !== undefined) return known
      let soonest = Infinity
      if (kind === 'deposits') for (const { dueAt } of deposits.values()) if (dueAt !== undefined && dueAt < soonest) soonest = dueAt
      if (kind === 'inbox') for (const { dueAt } of inbox.values()) if (dueAt !== undefined && dueAt < soonest) soonest = dueAt
      if (kind === 'notices') for (const { dueAt, state } of notices.values()) if (state === 'waiting' && dueAt < soonest) soonest = dueAt
      return (due[kind] = soonest)
    },
  } // prettier-ignore
}
