// The housekeeping queries: they erase payer details when due or on request, old answers, callbacks
// and counters.
import { sql } from 'kysely'
import { among, inWindow, windowOf } from './parts.ts'
import type { Query, QueryContext } from '../schema/query.ts'
import { query } from '../schema/query.ts'

/** Rows per housekeeping step, so that no step holds up a customer. */
export const BATCH_SIZE = 1000

/**
 * Deposits that have not ended by this age are not queried any more (money rule 5), and may never
 * end: their payer details expire by creation time.
 */
export const UNSETTLED_FOR_MS = 30 * 86_400_000

/**
 * Clears payer details of a batch of deposits that ended, or went without an end, long enough ago;
 * uses the index of those that still have any.
 */
function purgePayers({ db, p, dialect }: QueryContext) {
  const before = () => p<number>('before')
  const due = db
    .selectFrom('deposits')
    .select('id')
    .where('payer', 'is not', null)
    .where('created_at', '<', before())
    .where((or) =>
      or.or([
        or('settled_at', '<', before()),
        or.and([or('phase', '=', 'abandoned'), or('updated_at', '<', before())]),
        // Those that never ended: they are no longer queried.
        or.and([or('settled_at', 'is', null), or('created_at', '<', p<number>('unsettled_before'))]),
      ]),
    )
    .orderBy('created_at')
    .limit(sql.lit(BATCH_SIZE))
  return db
    .updateTable('deposits')
    .set({ payer: null, payer_phone: null })
    .where(among('id', due, dialect))
    .returning('id')
}

function purgeSessionPayers({ db, p, dialect }: QueryContext) {
  const due = db
    .selectFrom('sessions')
    .select('id')
    .where('payer', 'is not', null)
    .where('expires_at', '<', p<number>('before'))
    .limit(sql.lit(BATCH_SIZE))
  return db
    .updateTable('sessions')
    .set({ payer: null, payer_phone: null })
    .where(among('id', due, dialect))
    .returning('id')
}

function purgeInbox({ db, p, dialect }: QueryContext) {
  const due = db
    .selectFrom('inbox')
    .select('id')
    .where('received_at', '<', p<number>('before'))
    .where('due_at', 'is', null)
    .orderBy('received_at')
    .limit(sql.lit(BATCH_SIZE))
  return db
    .deleteFrom('inbox')
    .where(among('id', due, dialect))
    .returning('id')
}

function purgeAnswers({ db, p, dialect }: QueryContext) {
  const due = db
    .selectFrom('idempotency')
    .select('key_hash')
    .where('answer', 'is not', null)
    .where('created_at', '<', p<number>('before'))
    .orderBy('created_at')
    .limit(sql.lit(BATCH_SIZE))
  return db
    .updateTable('idempotency')
    .set({ answer: null })
    .where(among('key_hash', due, dialect))
    .returning('key_hash')
}

function depositsOfPhone({ db, p }: QueryContext) {
  return db
    .selectFrom('deposits')
    .select(['id', 'reference', 'created_at'])
    .where('payer', 'is not', null)
    .where(inWindow(p, 'created_at'))
    .where('payer_phone', '=', p<string>('phone'))
}

/** The elements of the JSON array parameter `name`. */
function elements(name: string, { p, dialect }: QueryContext) {
  return dialect === 'sqlite'
    ? sql<string>`(select value from json_each(${p(name)}))`
    : sql<string>`(select json_array_elements_text(${p(name)}::json))`
}

/** `ids` is a JSON array. */
function forgetAnswers(context: QueryContext) {
  const { db, p } = context
  return db
    .updateTable('idempotency')
    .set({ answer: null })
    .where('answer', 'is not', null)
    .where(inWindow(p, 'created_at'))
    .where('deposit_id', 'in', elements('ids', context))
    .returning('key_hash')
}

const holds = (column: 'answer' | 'payer') => () => sql<boolean>`${sql.ref(column)} is not null`

export const purges = {
  depositWindow: query('deposit_window', windowOf('deposits', 'created_at')),
  purgePayers: query('purge_payers', purgePayers),
  purgeSessionPayers: query('purge_session_payers', purgeSessionPayers),
  forgetPhone: query('forget_phone', ({ db, p }) =>
    db
      .updateTable('deposits')
      .set({ payer: null, payer_phone: null })
      .where('payer', 'is not', null)
      .where(inWindow(p, 'created_at'))
      .where('payer_phone', '=', p<string>('phone'))
      .returning('reference'),
  ),
  depositsOfPhone: query('deposits_of_phone', depositsOfPhone),
  answerWindow: query('answer_window', windowOf('idempotency', 'created_at', holds('answer'))),
  forgetAnswers: query('forget_answers', forgetAnswers),
  forgetSessionPhone: query('forget_session_phone', ({ db, p }) =>
    db
      .updateTable('sessions')
      .set({ payer: null, payer_phone: null })
      .where('payer', 'is not', null)
      .where(inWindow(p, 'expires_at'))
      .where('payer_phone', 'in', [p<string>('phone'), p<string>('national'), p<string>('dialled')])
      .returning('id'),
  ),
  sessionWindow: query('session_window', windowOf('sessions', 'expires_at', holds('payer'))),
  inboxWindow: query('inbox_window', windowOf('inbox', 'received_at')),
  /** Callbacks of `references`, a JSON array. */
  emptyInbox: query('empty_inbox', (context) =>
    context.db
      .updateTable('inbox')
      .set({ body: context.p<Uint8Array>('body') })
      .where(inWindow(context.p, 'received_at'))
      .where('reference', 'in', elements('references', context))
      .returning('id'),
  ),
  purgeInbox: query('purge_inbox', purgeInbox),
  purgeAnswers: query('purge_answers', purgeAnswers),
  purgeCounters: query('purge_counters', ({ db, p }) =>
    db.deleteFrom('counters').where('window_start', '<', p<number>('before')),
  ),
} satisfies Record<string, Query>
