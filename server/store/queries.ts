// Every query of the store but the payment list, once for both databases.
import type {
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import { sql } from 'kysely'
import type { DepositPhase } from '../contract/index.ts'
import type { Dialect, Param, Query, QueryContext } from './query.ts'
import type { DepositTable, Tables } from './tables.ts'

/** Rows that one housekeeping step touches, so that no step holds up a customer. */
export const BATCH_SIZE = 1000
/** Rows that one step of a search without its own index reads. */
const WINDOW_SIZE = 5000

const unresolved: readonly DepositPhase[] = ['creating', 'unknown', 'open', 'confirming', 'abandoned', 'review']

type DepositUpdate = UpdateQueryBuilder<Tables, 'deposits', 'deposits', UpdateResult>

function query(name: string, build: Query['build']): Query {
  return { name, build }
}

function depositWhere(column: 'id' | 'reference' | 'live_session' | 'credited_session'): Query['build'] {
  return ({ db, p }) => db.selectFrom('deposits').selectAll().where(column, '=', p<string>('value'))
}

function depositsWhere(column: 'id' | 'reference'): Query['build'] {
  return ({ db, p }) =>
    db
      .selectFrom('deposits')
      .selectAll()
      .where(sql<boolean>`${sql.ref(column)} = any(${p('values')})`)
}

/**
 * On PostgreSQL several instances take work at once: each skips what another is just taking. The array makes the server choose rows once;
 * inside a join it might lock more than the limit.
 */
function among<O>(due: SelectQueryBuilder<Tables, keyof Tables, O>, dialect: Dialect) {
  return dialect === 'postgres'
    ? sql<boolean>`id = any(array(${due.forUpdate().skipLocked()}))`
    : sql<boolean>`id in ${due}`
}

function leaseDeposits({ db, p, dialect }: QueryContext) {
  const due = db
    .selectFrom('deposits')
    .select('id')
    .where('due_rank', '=', p<number>('rank'))
    .where('due_at', '<=', p<number>('now'))
    .orderBy('due_at')
    .limit(p<number>('limit'))
  return db
    .updateTable('deposits')
    .set({ due_at: p<number>('until') })
    .where(among(due, dialect))
    .returningAll()
}

function leaseNotices({ db, p, dialect }: QueryContext) {
  const due = db
    .selectFrom('notices')
    .select('id')
    .where('state', '=', sql.lit('waiting'))
    .where('due_at', '<=', p<number>('now'))
    .orderBy('due_at')
    .limit(p<number>('limit'))
  return db
    .updateTable('notices')
    .set({ due_at: p<number>('until') })
    .where(among(due, dialect))
    .returningAll()
}

function leaseInbox({ db, p, dialect }: QueryContext) {
  const due = db
    .selectFrom('inbox')
    .select('id')
    .where('due_at', '<=', p<number>('now'))
    .orderBy('due_at')
    .limit(p<number>('limit'))
  return db
    .updateTable('inbox')
    .set({ due_at: p<number>('until') })
    .where(among(due, dialect))
    .returningAll()
}

/** Gives `want` or what is left, in one step that no other taker can come between. */
function take({ db, p, dialect }: QueryContext) {
  const least = dialect === 'postgres' ? sql.raw('least') : sql.raw('min')
  const most = dialect === 'postgres' ? sql.raw('greatest') : sql.raw('max')
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

const depositColumns = [
  'id',
  'reference',
  'phase',
  'version',
  'amount',
  'currency',
  'country',
  'session_id',
  'order_id',
  'transaction_id',
  'live_session',
  'credited_session',
  'created_at',
  'updated_at',
  'settled_at',
  'due_at',
  'due_rank',
  'asks',
  'query_missing_since',
  'payer',
  'payer_phone',
  'detail',
] as const satisfies readonly (keyof DepositTable)[]

/** What each step of a change writes. Of a deposit the rest is for ever, and payer details are only ever removed. */
const columnLists = {
  deposit: depositColumns,
  update: [
    'phase',
    'version',
    'transaction_id',
    'updated_at',
    'settled_at',
    'due_at',
    'due_rank',
    'asks',
    'query_missing_since',
    'detail',
  ],
  /** A move that leaves transaction, session and end as they are. */
  move: ['phase', 'version', 'updated_at', 'due_at', 'due_rank', 'asks', 'query_missing_since', 'detail'],
  /** Nothing visible: when to ask again, and what was reported. */
  touch: ['version', 'due_at', 'asks', 'query_missing_since', 'detail'],
  timeline: ['deposit_id', 'at', 'kind', 'phase', 'version', 'detail'],
  notice: [
    'id',
    'deposit_id',
    'type',
    'body',
    'created_at',
    'state',
    'attempts',
    'due_at',
    'delivered_at',
    'last_error',
  ],
  idempotency: ['key_hash', 'fingerprint', 'deposit_id', 'created_at', 'answer'],
  session: ['id', 'created_at', 'expires_at', 'payer', 'payer_phone', 'detail'],
  inbox: ['id', 'received_at', 'reference', 'deposit_id', 'body', 'verdict', 'due_at'],
} as const satisfies Record<string, readonly string[]>

/** `guard`: only if the deposit of the same change moved (see postgres.ts). */
function insert(table: keyof Tables, columns: readonly string[]): Query['build'] {
  return ({ db, p, guard }) => {
    const into = (db as unknown as Kysely<Record<string, Record<string, unknown>>>).insertInto(table)
    if (guard === undefined) return into.values(Object.fromEntries(columns.map((column) => [column, p(column)])))
    const values = columns.map((column) => sql`${p(column)}`.as(column))
    return into.columns([...columns]).expression(db.selectNoFrom(values).where(exists(guard)))
  }
}

function exists(guard: string) {
  return sql<boolean>`exists (select 1 from ${sql.table(guard)})`
}

function updateDeposit({ db, p, dialect }: QueryContext) {
  const update = db
    .updateTable('deposits')
    .set(setters([...columnLists.update, ...changeColumns(dialect)], p))
    // By the session of the first write, whatever this writer says.
    .set({
      live_session: sql<string | null>`case when ${p<number>('is_live')} = 1 then session_id end`,
      credited_session: sql<string | null>`case when ${p<number>('is_credited')} = 1 then session_id end`,
    })
  return changed(update, p, dialect)
}

function moveDeposit({ db, p, dialect }: QueryContext) {
  const columns = [...columnLists.move, ...changeColumns(dialect)]
  return changed(db.updateTable('deposits').set(setters(columns, p)), p, dialect)
}

function touchDeposit({ db, p, dialect }: QueryContext) {
  const columns = [...columnLists.touch, ...changeColumns(dialect)]
  return changed(db.updateTable('deposits').set(setters(columns, p)), p, dialect)
}

function setters(columns: readonly string[], p: Param): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column, p(column)]))
}

/** Of the deposit at the version that the writer saw. */
function changed(update: DepositUpdate, p: Param, dialect: Dialect) {
  const one = update.where('id', '=', p<string>('id')).where('version', '=', p<number>('expect'))
  return dialect === 'postgres' ? one.returning('id') : one
}

/** Only PostgreSQL can lose a connection in the middle of a commit, and then asks whose change it finds. */
function changeColumns(dialect: Dialect): readonly string[] {
  return dialect === 'postgres' ? ['change_id'] : []
}

function setAnswer({ db, p, guard }: QueryContext) {
  const update = db
    .updateTable('idempotency')
    .set({ answer: p<string>('answer') })
    .where('key_hash', '=', p<string>('key_hash'))
    .where('answer', 'is', null)
  return guard === undefined ? update : update.where(exists(guard))
}

function insertInbox(context: QueryContext) {
  const into = insert('inbox', columnLists.inbox)(context) as InsertQueryBuilder<Tables, 'inbox', InsertResult>
  return into.onConflict((conflict) => conflict.column('id').doNothing())
}

/** Clears payer details of a batch of deposits that are over, found through the index of those that still have any. */
function purgePayers({ db, p }: QueryContext) {
  const before = () => p<number>('before')
  return db
    .updateTable('deposits')
    .set({ payer: null, payer_phone: null })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deposits')
        .select('id')
        .where('payer', 'is not', null)
        .where('created_at', '<', before())
        .where((or) =>
          or.or([
            or('settled_at', '<', before()),
            or.and([or('phase', '=', 'abandoned'), or('updated_at', '<', before())]),
          ]),
        )
        .orderBy('created_at')
        .limit(sql.lit(BATCH_SIZE)),
    )
    .returning('id')
}

function purgeInbox({ db, p }: QueryContext) {
  return db
    .deleteFrom('inbox')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('inbox')
        .select('id')
        .where('received_at', '<', p<number>('before'))
        .where('due_at', 'is', null)
        .orderBy('received_at')
        .limit(sql.lit(BATCH_SIZE)),
    )
    .returning('id')
}

function purgeAnswers({ db, p }: QueryContext) {
  return db
    .updateTable('idempotency')
    .set({ answer: null })
    .where('key_hash', 'in', (eb) =>
      eb
        .selectFrom('idempotency')
        .select('key_hash')
        .where('answer', 'is not', null)
        .where('created_at', '<', p<number>('before'))
        .orderBy('created_at')
        .limit(sql.lit(BATCH_SIZE)),
    )
    .returning('key_hash')
}

/** Where a window that starts after `from` ends; no row when fewer than a window's worth are left. */
function depositWindow({ db, p }: QueryContext) {
  return db
    .selectFrom('deposits')
    .select('created_at as at')
    .where('created_at', '>', p<number>('from'))
    .orderBy('created_at')
    .limit(sql.lit(1))
    .offset(sql.lit(WINDOW_SIZE))
}

function sessionWindow({ db, p }: QueryContext) {
  return db
    .selectFrom('sessions')
    .select('expires_at as at')
    .where('payer', 'is not', null)
    .where('expires_at', '>', p<number>('from'))
    .orderBy('expires_at')
    .limit(sql.lit(1))
    .offset(sql.lit(WINDOW_SIZE))
}

export const queries = {
  depositById: query('deposit_by_id', depositWhere('id')),
  depositByReference: query('deposit_by_reference', depositWhere('reference')),
  depositByLiveSession: query('deposit_by_live_session', depositWhere('live_session')),
  depositByCreditedSession: query('deposit_by_credited_session', depositWhere('credited_session')),
  sessionById: query('session_by_id', ({ db, p }) =>
    db.selectFrom('sessions').selectAll().where('id', '=', p<string>('value')),
  ),
  /** PostgreSQL only: several asked for at once. */
  depositsById: query('deposits_by_id', depositsWhere('id')),
  depositsByReference: query('deposits_by_reference', depositsWhere('reference')),
  idempotencyByKeys: query('idempotency_by_keys', ({ db, p }) =>
    db
      .selectFrom('idempotency')
      .selectAll()
      .where(sql<boolean>`key_hash = any(${p('values')})`),
  ),
  idempotencyByKey: query('idempotency_by_key', ({ db, p }) =>
    db.selectFrom('idempotency').selectAll().where('key_hash', '=', p<string>('value')),
  ),
  noticeById: query('notice_by_id', ({ db, p }) =>
    db.selectFrom('notices').selectAll().where('id', '=', p<string>('value')),
  ),
  noticesOfDeposit: query('notices_of_deposit', ({ db, p }) =>
    db
      .selectFrom('notices')
      .selectAll()
      .where('deposit_id', '=', p<string>('value'))
      .orderBy('created_at')
      .orderBy('id'),
  ),
  timelineOfDeposit: query('timeline_of_deposit', ({ db, p }) =>
    db.selectFrom('timeline').selectAll().where('deposit_id', '=', p<string>('value')).orderBy('seq'),
  ),

  insertDeposit: query('insert_deposit', (context) =>
    insert('deposits', [...columnLists.deposit, ...changeColumns(context.dialect)])(context),
  ),
  updateDeposit: query('update_deposit', updateDeposit),
  moveDeposit: query('move_deposit', moveDeposit),
  touchDeposit: query('touch_deposit', touchDeposit),
  insertTimeline: query('insert_timeline', insert('timeline', columnLists.timeline)),
  insertNotice: query('insert_notice', insert('notices', columnLists.notice)),
  insertIdempotency: query('insert_idempotency', insert('idempotency', columnLists.idempotency)),
  setAnswer: query('set_answer', setAnswer),
  insertSession: query('insert_session', insert('sessions', columnLists.session)),
  insertInbox: query('insert_inbox', insertInbox),

  leaseDeposits: query('lease_deposits', leaseDeposits),
  reschedule: query('reschedule', ({ db, p }) =>
    db
      .updateTable('deposits')
      .set({
        due_at: p<number | null>('due_at'),
        asks: p<number>('asks'),
        query_missing_since: p<number | null>('query_missing_since'),
      })
      .where('id', '=', p<string>('id'))
      .where('version', '=', p<number>('version')),
  ),
  wakeDeposits: query('wake_deposits', ({ db, p }) =>
    db
      .updateTable('deposits')
      .set({ due_at: p<number>('now') })
      .where('created_at', '>', p<number>('from'))
      .where('created_at', '<=', p<number>('to'))
      .where('phase', 'not in', [sql.lit('succeeded'), sql.lit('rejected')])
      .returning('id'),
  ),
  depositWindow: query('deposit_window', depositWindow),
  leaseNotices: query('lease_notices', leaseNotices),
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
      .where('state', '<>', sql.lit('delivered')),
  ),
  requeueNoticesOf: query('requeue_notices_of', ({ db, p }) =>
    db
      .updateTable('notices')
      .set({ state: sql.lit('waiting'), due_at: p<number>('now'), attempts: sql.lit(0), delivered_at: null })
      .where('deposit_id', '=', p<string>('deposit_id'))
      .returning('id'),
  ),
  requeueDeadNotices: query('requeue_dead_notices', ({ db, p }) =>
    db
      .updateTable('notices')
      .set({ state: sql.lit('waiting'), due_at: p<number>('now'), attempts: sql.lit(0) })
      .where('state', '=', sql.lit('dead'))
      .returning('id'),
  ),
  leaseInbox: query('lease_inbox', leaseInbox),
  updateInbox: query('update_inbox', ({ db, p }) =>
    db
      .updateTable('inbox')
      .set({
        verdict: p<string>('verdict'),
        deposit_id: p<string | null>('deposit_id'),
        due_at: p<number | null>('due_at'),
      })
      .where('id', '=', p<string>('id')),
  ),
  take: query('take', take),

  purgePayers: query('purge_payers', purgePayers),
  purgeSessionPayers: query('purge_session_payers', ({ db, p }) =>
    db
      .updateTable('sessions')
      .set({ payer: null, payer_phone: null })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('sessions')
          .select('id')
          .where('payer', 'is not', null)
          .where('expires_at', '<', p<number>('before'))
          .limit(sql.lit(BATCH_SIZE)),
      )
      .returning('id'),
  ),
  forgetPhone: query('forget_phone', ({ db, p }) =>
    db
      .updateTable('deposits')
      .set({ payer: null, payer_phone: null })
      .where('payer', 'is not', null)
      .where('created_at', '>', p<number>('from'))
      .where('created_at', '<=', p<number>('to'))
      .where('payer_phone', '=', p<string>('phone'))
      .returning('reference'),
  ),
  forgetSessionPhone: query('forget_session_phone', ({ db, p }) =>
    db
      .updateTable('sessions')
      .set({ payer: null, payer_phone: null })
      .where('payer', 'is not', null)
      .where('expires_at', '>', p<number>('from'))
      .where('expires_at', '<=', p<number>('to'))
      .where('payer_phone', '=', p<string>('phone'))
      .returning('id'),
  ),
  sessionWindow: query('session_window', sessionWindow),
  emptyInbox: query('empty_inbox', ({ db, p }) =>
    db
      .updateTable('inbox')
      .set({ body: p<Uint8Array>('body') })
      .where('reference', '=', p<string>('reference')),
  ),
  purgeInbox: query('purge_inbox', purgeInbox),
  purgeAnswers: query('purge_answers', purgeAnswers),
  purgeCounters: query('purge_counters', ({ db, p }) =>
    db.deleteFrom('counters').where('window_start', '<', p<number>('before')).returning('name'),
  ),

  countUnresolved: query('count_unresolved', ({ db }) =>
    db
      .selectFrom('deposits')
      .select(['phase', (eb) => eb.fn.countAll<number>().as('count')])
      .where(
        'phase',
        'in',
        unresolved.map((phase) => sql.lit(phase)),
      )
      .groupBy('phase'),
  ),
  countNoticesWaiting: query('count_notices_waiting', ({ db }) =>
    db
      .selectFrom('notices')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('state', '=', sql.lit('waiting')),
  ),
  countNoticesDead: query('count_notices_dead', ({ db }) =>
    db
      .selectFrom('notices')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('state', '=', sql.lit('dead')),
  ),
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

  /** PostgreSQL only: what other instances changed, for the net under the bell. */
  changedSince: query('changed_since', ({ db, p }) =>
    db
      .selectFrom('deposits')
      .select(['id', 'version', 'updated_at'])
      .where('updated_at', '>=', p<number>('since'))
      .where('change_id', 'not like', p<string>('own'))
      .orderBy('updated_at'),
  ),
  changeOfDeposit: query('change_of_deposit', ({ db, p }) =>
    db.selectFrom('deposits').select('change_id').where('id', '=', p<string>('value')),
  ),
  notify: query('notify', ({ db, p }) =>
    db.selectNoFrom(sql`pg_notify(${p<string>('channel')}, ${p<string>('payload')})`.as('rung')),
  ),

  metaByKey: query('meta_by_key', ({ db, p }) =>
    db.selectFrom('meta').select('value').where('key', '=', p<string>('value')),
  ),
  setMeta: query('set_meta', ({ db, p }) =>
    db
      .insertInto('meta')
      .values({ key: p<string>('key'), value: p<string>('value') })
      .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))),
  ),
} satisfies Record<string, Query>

const columnsByQuery = new Map<Query, { readonly columns: readonly string[]; readonly ofDeposit?: true }>([
  [queries.insertDeposit, { columns: columnLists.deposit, ofDeposit: true }],
  [queries.updateDeposit, { columns: columnLists.update, ofDeposit: true }],
  [queries.moveDeposit, { columns: columnLists.move, ofDeposit: true }],
  [queries.touchDeposit, { columns: columnLists.touch, ofDeposit: true }],
  [queries.insertTimeline, { columns: columnLists.timeline }],
  [queries.insertNotice, { columns: columnLists.notice }],
  [queries.insertIdempotency, { columns: columnLists.idempotency }],
  [queries.insertSession, { columns: columnLists.session }],
  [queries.insertInbox, { columns: columnLists.inbox }],
])

/** True for what writes a row of `deposits` within a change. */
export function isDepositWrite(step: Query): boolean {
  return columnsByQuery.get(step)?.ofDeposit === true
}

/** What a step of a change writes, for statements that write several rows at once. */
export function columnsOf(step: Query, dialect: Dialect): readonly string[] {
  const found = columnsByQuery.get(step)
  if (found === undefined) throw new TypeError(`${step.name} is no step with columns.`)
  return found.ofDeposit ? [...found.columns, ...changeColumns(dialect)] : found.columns
}
