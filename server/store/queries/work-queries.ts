// The queries of background work: leases that no two instances share, their outcomes, and counters
// with a limit.
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { among, inWindow, unresolved, windowOf } from './parts.ts'
import type { Dialect, Param, Query, QueryContext } from '../schema/query.ts'
import { query } from '../schema/query.ts'
import type { WorkKind } from '../../deposits/ports/store.ts'
import { readOfDeposit, readOfInbox, readOfNotice } from '../schema/tables.ts'

/** The function for the larger of two values. */
const larger = (dialect: Dialect) => sql.raw(dialect === 'postgres' ? 'greatest' : 'max')

/** The condition of the index on due times; deposits one rank at a time. */
function waitingOf(table: WorkKind, p: Param) {
  if (table === 'deposits') return sql<boolean>`due_rank = ${p<number>('rank')}`
  return table === 'notices' ? sql<boolean>`state = 'waiting'` : sql<boolean>`due_at is not null`
}

type Dues = Record<WorkKind, { id: string; due_at: number }>

/** Takes the rows that are due, longest due first, until the caller's lease ends. */
function lease(table: WorkKind, read: readonly string[]) {
  return ({ db, p, dialect }: QueryContext) => {
    const dues = db as unknown as Kysely<Dues>
    const due = dues
      .selectFrom(table)
      .select('id')
      .where(waitingOf(table, p))
      .where('due_at', '<=', p<number>('now'))
      .orderBy('due_at')
      .limit(p<number>('limit'))
    return (
      dues
        .updateTable(table)
        .set({ due_at: p<number>('until') })
        // On PostgreSQL several instances take work at once: each skips rows that another has
        // locked.
        .where(among('id', dialect === 'postgres' ? due.forUpdate().skipLocked() : due, dialect))
        .returning(read as readonly 'id'[])
    )
  }
}

const dueWindow = (table: WorkKind) => windowOf(table, 'due_at', (p) => waitingOf(table, p))

/**
 * One window of them: no row is met again in a later window, since each is moved to an earlier
 * time.
 */
function hasten(table: WorkKind) {
  return ({ db, p, dialect }: QueryContext) => {
    const latest = larger(dialect)
    const [now, by] = [sql`cast(${p<number>('now')} as bigint)`, sql`cast(${p<number>('by')} as bigint)`]
    return (db as unknown as Kysely<Dues>)
      .updateTable(table)
      .set({ due_at: sql<number>`${latest}(${now}, due_at - ${by})` })
      .where(waitingOf(table, p))
      .where(inWindow(p, 'due_at'))
      .returning('id')
  }
}

/** Grants `want` or what is left, atomically. */
function take({ db, p, dialect }: QueryContext) {
  const least = dialect === 'postgres' ? sql.raw('least') : sql.raw('min')
  const most = larger(dialect)
  const want = sql<number>`cast(${p<number>('want')} as bigint)`
  const limit = sql<number>`cast(${p<number>('limit')} as bigint)`
  const first = sql<number>`${most}(0, ${least}(${want}, ${limit}))`
  const next = sql<number>`${most}(0, ${least}(${want}, ${limit} - counters.used))`
  return db
    .insertInto('counters')
    .values({ name: p<string>('name'), window_start: p<number>('windowStart'), used: first, granted: first })
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'window_start'])
        .doUpdateSet({ granted: next, used: sql<number>`counters.used + ${next}` }),
    )
    .returning('granted')
}

/** More than the visible changes any payment can have after its backup. */
const VERSIONS_LOST = 1000
const VERSIONS_SINCE = Date.UTC(2026, 9, 1)

/**
 * What versions rise to at a restore: the seconds since a fixed day. A backup that is restored
 * again knows nothing of the versions that were told after it was restored first. No payment
 * changes more often than each second, and in 32 bits, as receivers keep them, there is room for 68
 * years.
 *
 * @param now milliseconds since 1970
 */
export function versionOfRestore(now: number): number {
  return Math.floor((now - VERSIONS_SINCE) / 1000)
}

/**
 * Above every version sent before the restore: a receiver that keeps the highest version must not
 * ignore the news as old.
 */
function raised({ p, dialect }: QueryContext) {
  const least = sql`cast(${p<number>('version')} as bigint)`
  return sql<number>`${larger(dialect)}(version, ${least}) + ${sql.lit(VERSIONS_LOST)}`
}

export const work = {
  leaseDeposits: query('lease_deposits', lease('deposits', readOfDeposit)),
  reschedule: query('reschedule', ({ db, p, dialect }) =>
    db
      .updateTable('deposits')
      .set({
        due_at: p<number | null>('due_at'),
        asks: p<number>('asks'),
        query_missing_since: p<number | null>('query_missing_since'),
      })
      .where('id', '=', p<string>('id'))
      .where('version', '=', p<number>('version'))
      .where('due_at', dialect === 'postgres' ? 'is not distinct from' : 'is', p<number | null>('was')),
  ),
  wakeDeposits: query('wake_deposits', (context) => {
    const { db, p } = context
    return db
      .updateTable('deposits')
      .set({
        due_at: p<number>('now'),
        version: raised(context),
        // A month of them becomes due at once: whoever is paying now goes first.
        due_rank: sql<number>`case when phase in ('failed', 'expired', 'abandoned') then 2 else due_rank end`,
      })
      .where(inWindow(p, 'created_at'))
      .where('phase', 'not in', [sql.lit('succeeded'), sql.lit('rejected')])
      .returning('id')
  }),
  /**
   * Older ones that are live, such as one under review, or given up and still asked about: few, so
   * in one step.
   */
  raiseOldDeposits: query('raise_old_deposits', (context) =>
    context.db
      .updateTable('deposits')
      .set({ version: raised(context) })
      .where('stage', 'in', unresolved)
      .where('created_at', '<=', context.p<number>('since'))
      .where((or) => or.or([or('stage', '<>', sql.lit('abandoned')), or('due_at', 'is not', null)])),
  ),
  leaseNotices: query('lease_notices', lease('notices', readOfNotice)),
  updateNotice: query('update_notice', ({ db, p }) =>
    db
      .updateTable('notices')
      .set({
        state: p<string>('state'),
        attempts: p<number>('attempts'),
        due_at: p<number>('due_at'),
        delivered_at: p<number | null>('delivered_at'),
        last_error: p<string | null>('last_error'),
      })
      .where('id', '=', p<string>('id'))
      // If it was sent again by hand meanwhile, its attempt count was reset: that stands.
      .where('attempts', '=', p<number>('leased'))
      .where('state', '<>', sql.lit('delivered')),
  ),
  requeueNotices: query('requeue_notices', ({ db, p }) =>
    db
      .updateTable('notices')
      .set({
        state: sql.lit('waiting'),
        due_at: p<number>('now'),
        attempts: sql.lit(0),
        earlier_attempts: sql<number>`coalesce(earlier_attempts, 0) + attempts`,
        delivered_at: null,
      })
      .where('deposit_id', '=', p<string>('deposit_id'))
      .returning('id'),
  ),
  leaseInbox: query('lease_inbox', lease('inbox', readOfInbox)),
  updateInbox: query('update_inbox', ({ db, p }) =>
    db
      .updateTable('inbox')
      .set({
        verdict: p<string>('verdict'),
        deposit_id: p<string | null>('deposit_id'),
        due_at: null,
      })
      .where('id', '=', p<string>('id')),
  ),
  depositsDueWindow: query('deposits_due_window', dueWindow('deposits')),
  noticesDueWindow: query('notices_due_window', dueWindow('notices')),
  inboxDueWindow: query('inbox_due_window', dueWindow('inbox')),
  hastenDeposits: query('hasten_deposits', hasten('deposits')),
  hastenNotices: query('hasten_notices', hasten('notices')),
  hastenInbox: query('hasten_inbox', hasten('inbox')),
  take: query('take', take),
} satisfies Record<string, Query>
