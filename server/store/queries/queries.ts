// Every query of the store but the payment list, once for both databases: the reads are here, the
// writes in the files beside it.
import { sql } from 'kysely'
import { changes } from './change-queries.ts'
import { desk } from './desk-queries.ts'
import { rowsWith, unresolved } from './parts.ts'
import { purges } from './purge-queries.ts'
import type { Query, QueryContext } from '../schema/query.ts'
import { query } from '../schema/query.ts'
import { readOfDeposit, readOfIdempotency, readOfNotice, readOfSession, readOfTimeline } from '../schema/tables.ts'
import { work } from './work-queries.ts'

/** Attempts of one order and mode. */
function ofOrder({ db, p }: QueryContext) {
  return db
    .selectFrom('deposits')
    .select(readOfDeposit)
    .where('order_id', '=', p<string>('value'))
    .where(sql<boolean>`substr(reference, 1, 3) = ${p<string>('start')}`)
}

const countNotices =
  (state: string): Query['build'] =>
  ({ db }) =>
    db
      .selectFrom('notices')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('state', '=', sql.lit(state))

const reads = {
  depositById: query('deposit_by_id', rowsWith('deposits', readOfDeposit, 'id')),
  depositByReference: query('deposit_by_reference', rowsWith('deposits', readOfDeposit, 'reference')),
  depositByLiveSession: query('deposit_by_live_session', rowsWith('deposits', readOfDeposit, 'live_session')),
  depositByCreditedSession: query(
    'deposit_by_credited_session',
    rowsWith('deposits', readOfDeposit, 'credited_session'),
  ),
  sessionById: query('session_by_id', rowsWith('sessions', readOfSession, 'id')),
  sessionByLiveOrder: query('session_by_live_order', rowsWith('sessions', readOfSession, 'live_order')),
  /** An abandoned one can be paid for as long as it is asked about. */
  orderPayment: query('order_payment', (context) =>
    ofOrder(context)
      .where('stage', 'in', [sql.lit('succeeded'), ...unresolved])
      .where((or) => or.or([or('stage', '<>', sql.lit('abandoned')), or('due_at', 'is not', null)]))
      .orderBy(sql`case stage when 'succeeded' then 0 else 1 end`)
      .orderBy('created_at')
      .limit(sql.lit(1)),
  ),
  liveOfOrder: query('live_of_order', (context) => ofOrder(context).where('live_session', 'is not', null)),
  idempotencyByKey: query('idempotency_by_key', rowsWith('idempotency', readOfIdempotency, 'key_hash')),
  noticesOfDeposit: query('notices_of_deposit', (context) =>
    rowsWith('notices', readOfNotice, 'deposit_id')(context).orderBy('created_at').orderBy('id'),
  ),
  timelineInDeposit: query('timeline_in_deposit', rowsWith('deposits', ['timeline'], 'id')),
  timelineOfDeposit: query('timeline_of_deposit', (context) =>
    rowsWith('timeline', readOfTimeline, 'deposit_id')(context).orderBy('seq'),
  ),

  countUnresolved: query('count_unresolved', ({ db }) =>
    db
      .selectFrom('deposits')
      .select(['stage', (eb) => eb.fn.countAll<number>().as('count')])
      .where('stage', 'in', unresolved)
      .groupBy('stage'),
  ),
  /** Those with a due time, which is nearly all of them: the index on due times finds them. */
  countConfirming: query('count_confirming', ({ db }) =>
    db
      .selectFrom('deposits')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('due_rank', '=', sql.lit(0))
      .where('due_at', 'is not', null)
      .where('phase', '=', sql.lit('confirming')),
  ),
  countNoticesWaiting: query('count_notices_waiting', countNotices('waiting')),
  countNoticesDead: query('count_notices_dead', countNotices('dead')),
  countInboxUnmatched: query('count_inbox_unmatched', ({ db }) =>
    db
      .selectFrom('inbox')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('due_at', 'is not', null)
      .where('verdict', '=', sql.lit('unmatched')),
  ),
  oldestDue: query('oldest_due', ({ db, p }) =>
    db
      .selectFrom('deposits')
      .select('due_at')
      .where('due_rank', '=', p<number>('rank'))
      .where('due_at', 'is not', null)
      .orderBy('due_at')
      .limit(sql.lit(1)),
  ),

  /** PostgreSQL only: changes by other instances, for the polling fallback of LISTEN/NOTIFY. */
  changedSince: query('changed_since', ({ db, p }) =>
    db
      .selectFrom('deposits')
      .select(['id', 'version'])
      .where('updated_at', '>=', p<number>('since'))
      .where('updated_at', '<', p<number>('until'))
      .where('change_id', 'not like', p<string>('own'))
      .orderBy('updated_at'),
  ),
  changeOfDeposit: query('change_of_deposit', rowsWith('deposits', ['change_id'], 'id')),
  notify: query('notify', ({ db, p }) =>
    db.selectNoFrom(sql`pg_notify(${p<string>('channel')}, ${p<string>('payload')})`.as('rung')),
  ),

  metaByKey: query('meta_by_key', rowsWith('meta', ['value'], 'key')),
  setMeta: query('set_meta', ({ db, p }) =>
    db
      .insertInto('meta')
      .values({ key: p<string>('key'), value: p<string>('value') })
      .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))),
  ),
} satisfies Record<string, Query>

export const queries = { ...reads, ...changes, ...work, ...purges, ...desk }
