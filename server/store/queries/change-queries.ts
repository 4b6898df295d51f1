// The queries that are steps of a change: they write deposits and what belongs to them, once for
// both databases.
import type { UpdateQueryBuilder, UpdateResult } from 'kysely'
import { sql } from 'kysely'
import { exists, insertInto } from './parts.ts'
import type { Dialect, Param, Query, QueryContext } from '../schema/query.ts'
import { query } from '../schema/query.ts'
import { readOfIdempotency, readOfInbox, readOfNotice, readOfSession, writtenOfDeposit } from '../schema/tables.ts'
import type { Tables } from '../schema/tables.ts'

type DepositUpdate = UpdateQueryBuilder<Tables, 'deposits', 'deposits', UpdateResult>

/**
 * What each update of a deposit writes. Its other columns never change, except that payer details
 * can be removed.
 */
const changing = {
  update: [
    'phase',
    'stage',
    'version',
    'transaction_id',
    'updated_at',
    'settled_at',
    'due_at',
    'due_rank',
    'asks',
    'query_missing_since',
    'detail',
    'timeline',
  ],
  /** A move that leaves stage, transaction, session and end unchanged. */
  move: ['phase', 'version', 'updated_at', 'due_at', 'due_rank', 'asks', 'query_missing_since', 'detail', 'timeline'],
  /** Nothing visible and no timeline line: only when to ask again, and what was reported. */
  touch: ['version', 'due_at', 'asks', 'query_missing_since', 'detail'],
}

/** Columns that are appended to, not replaced. */
const appended: ReadonlySet<string> = new Set(['timeline'])

function updateDeposit({ db, p, dialect }: QueryContext) {
  const update = db
    .updateTable('deposits')
    .set(setters([...changing.update, ...changeColumns(dialect)], p))
    // What was owed once is, until it is paid back.
    .set({ owed: sql<string | null>`coalesce(${p<string | null>('owed')}, owed)` })
    // From the session stored by the first write, whatever this writer says.
    .set({
      live_session: sql<string | null>`case when ${p<number>('is_live')} = 1 then session_id end`,
      credited_session: sql<string | null>`case when ${p<number>('is_credited')} = 1 then session_id end`,
      // As `depositValues` of rows.ts.
      credited_order: sql<
        string | null
      >`case when ${p<number>('is_credited')} = 1 then substr(reference, 1, 3) || ' ' || order_id end`,
    })
  return changed(update, p, dialect)
}

const updateOf =
  (written: readonly string[]): Query['build'] =>
  ({ db, p, dialect }) =>
    changed(db.updateTable('deposits').set(setters([...written, ...changeColumns(dialect)], p)), p, dialect)

function setters(columns: readonly string[], p: Param): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => [column, appended.has(column) ? sql`${sql.ref(column)} || ${p(column)}` : p(column)]),
  )
}

/** Restricts the update to the deposit at the version that the writer saw. */
function changed(update: DepositUpdate, p: Param, dialect: Dialect) {
  const one = update.where('id', '=', p<string>('id')).where('version', '=', p<number>('expect'))
  return dialect === 'postgres' ? one.returning('id') : one
}

/**
 * Only PostgreSQL can lose a connection in the middle of a commit; change_id then tells whose
 * change is stored.
 */
function changeColumns(dialect: Dialect): readonly 'change_id'[] {
  return dialect === 'postgres' ? ['change_id'] : []
}

/** Restricts the update to an open session in which no attempt was started since it was read. */
function openSession({ db, p, dialect }: QueryContext, set: Record<string, unknown>) {
  const one = db
    .updateTable('sessions')
    .set(set)
    .where('id', '=', p<string>('id'))
    .where('starts', '=', p<number>('starts'))
    .where('closed_at', 'is', null)
  return dialect === 'postgres' ? one.returning('id') : one
}

const startInSession = (context: QueryContext) => openSession(context, { starts: sql`starts + 1` })

const closeSession = (context: QueryContext) =>
  openSession(context, { live_order: null, closed_at: context.p<number>('closed_at') })

function setAnswer({ db, p, guard }: QueryContext) {
  const update = db
    .updateTable('idempotency')
    .set({ answer: p<string>('answer') })
    .where('key_hash', '=', p<string>('key_hash'))
    .where('answer', 'is', null)
  return guard === undefined ? update : update.where(exists(guard))
}

const insertInbox = (context: QueryContext) =>
  insertInto('inbox', readOfInbox)(context).onConflict((conflict) => conflict.column('id').doNothing())

export const changes = {
  insertDeposit: query('insert_deposit', (context) =>
    insertInto('deposits', [...writtenOfDeposit, ...changeColumns(context.dialect)])(context),
  ),
  updateDeposit: query('update_deposit', updateDeposit),
  moveDeposit: query('move_deposit', updateOf(changing.move)),
  touchDeposit: query('touch_deposit', updateOf(changing.touch)),
  insertNotice: query('insert_notice', insertInto('notices', readOfNotice)),
  insertIdempotency: query('insert_idempotency', insertInto('idempotency', readOfIdempotency)),
  setAnswer: query('set_answer', setAnswer),
  insertSession: query('insert_session', insertInto('sessions', [...readOfSession, 'payer_phone', 'live_order'])),
  startInSession: query('start_in_session', startInSession),
  closeSession: query('close_session', closeSession),
  insertInbox: query('insert_inbox', insertInbox),
} satisfies Record<string, Query>

/** The steps that write a row of `deposits`. */
export const depositWrites: ReadonlySet<Query> = new Set([
  changes.insertDeposit,
  changes.updateDeposit,
  changes.moveDeposit,
  changes.touchDeposit,
])
