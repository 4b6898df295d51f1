// The queries for the people of the shop: what payments are found by, sign-ins, acts, money paid
// back, payment links, figures.
import { sql } from 'kysely'
import { DELAY_STEPS_S } from '../../deposits/ports/desk-store.ts'
import { type AnyTable, exists, insertInto, inWindow, rowsWith } from './parts.ts'
import { type Query, type QueryContext, query } from '../schema/query.ts'
import {
  readOfAct,
  readOfDeposit,
  readOfInbox,
  readOfLink,
  readOfPaidBack,
  readOfSignIn,
  type Tables,
} from '../schema/tables.ts'

/** A page of a list, newest first. Where there is no row before, `after_at` is later than all. */
function newest(
  table: keyof Tables,
  read: readonly string[],
  [at, id]: readonly [string, string],
  further: (context: QueryContext) => readonly ReturnType<typeof sql<boolean>>[] = () => [],
): Query['build'] {
  return (context) => {
    const { db, p } = context
    let select = (db as unknown as AnyTable)
      .selectFrom(table)
      .select([...read])
      .where(sql<boolean>`(${sql.ref(at)}, ${sql.ref(id)}) < (${p('after_at')}, ${p('after_id')})`)
    for (const condition of further(context)) select = select.where(condition)
    return select.orderBy(at, 'desc').orderBy(id, 'desc').limit(p<number>('limit'))
  }
}

/** The rows of the JSON array `rows`, each an array itself: one element of them. */
function element({ dialect }: QueryContext, index: number) {
  return dialect === 'sqlite'
    ? sql`json_extract(value, '$[${sql.raw(String(index))}]')`
    : sql`value ->> ${sql.lit(index)}`
}

function elements({ p, dialect }: QueryContext) {
  return dialect === 'sqlite' ? sql`json_each(${p('rows')})` : sql`json_array_elements(${p('rows')}::json)`
}

function intoFoundBy(db: QueryContext['db'], select: unknown) {
  return db
    .insertInto('found_by')
    .columns(['term', 'created_at', 'deposit_id', 'words'])
    .expression(select as never)
    .onConflict((conflict) => conflict.columns(['term', 'created_at', 'deposit_id']).doNothing())
}

/** `rows`: the terms of one new payment, as a JSON array. */
function insertTerms({ db, p, dialect, guard }: QueryContext) {
  const value = dialect === 'sqlite' ? sql<string>`value` : sql<string>`value #>> '{}'`
  // SQLite takes ON for a join unless there is a condition before it.
  const condition = guard === undefined ? sql<boolean>`true` : exists(guard)
  const select = (db as unknown as AnyTable)
    .selectFrom(elements({ db, p, dialect }).as('element') as never)
    .select([
      value.as('term'),
      sql`cast(${p('created_at')} as bigint)`.as('created_at'),
      sql`cast(${p('id')} as text)`.as('deposit_id'),
      // Only the terms of a payer, which go with the payer, have the payer's words beside them.
      sql`case when ${value} >= 'n' then cast(${p('words')} as text) else '' end`.as('words'),
    ])
    .where(condition)
  return intoFoundBy(db, select)
}

/** `rows`: `[term, createdAt, depositId, words]` of payments that have none yet. */
function addTerms(context: QueryContext) {
  const { db, dialect } = context
  const select = sql`select ${element(context, 0)}, deposits.created_at, deposits.id, ${element(context, 2)}
    from ${elements(context)}
    join deposits on deposits.id = ${element(context, 1)}
    where (${element(context, 0)} < 'n' or deposits.payer is not null)`
  // No erasure passes between the reading of a payer and the writing of the terms.
  const held = dialect === 'postgres' ? sql`${select} for share of deposits` : select
  return intoFoundBy(db, held)
}

/** The step that a delay in milliseconds falls into. */
function stepOf(delay: ReturnType<typeof sql>) {
  const cases = DELAY_STEPS_S.map(
    (seconds, step) => sql`when ${delay} <= ${sql.lit(seconds * 1000)} then ${sql.lit(step)}`,
  )
  return sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(DELAY_STEPS_S.length)} end`
}

const paidBack = readOfPaidBack.map((column) => `paid_back.${column} as back_${column}` as const)

function owed(isPaidBack: boolean): Query['build'] {
  return ({ db, p }) =>
    db
      .selectFrom('deposits')
      .leftJoin('paid_back', 'paid_back.deposit_id', 'deposits.id')
      .select([...readOfDeposit.map((column) => `deposits.${column}` as const), 'deposits.owed', ...paidBack])
      .where('deposits.owed', 'is not', null)
      // What is owed, a person decides first.
      .where('deposits.stage', '!=', 'review')
      .where('paid_back.deposit_id', isPaidBack ? 'is not' : 'is', null)
      .where(sql<boolean>`(deposits.created_at, deposits.id) < (${p('after_at')}, ${p('after_id')})`)
      .orderBy('deposits.created_at', 'desc')
      .orderBy('deposits.id', 'desc')
      .limit(p<number>('limit'))
}

/** Gives no row where there is one already. */
function insertOnce<Table extends keyof Tables>(
  table: Table,
  columns: Parameters<typeof insertInto<Table>>[1],
  id: string,
): Query['build'] {
  return (context) =>
    insertInto(
      table,
      columns,
    )(context)
      .onConflict((conflict) => conflict.column(id).doNothing())
      .returning(id)
}

const oldestCallbacks = ({ db, p }: QueryContext) =>
  db.selectFrom('inbox').select(readOfInbox).orderBy('received_at').limit(p<number>('limit'))

const inTime = ({ p }: QueryContext, column: string) =>
  sql<boolean>`${sql.ref(column)} >= ${p('from')} and ${sql.ref(column)} < ${p('to')}`

export const desk = {
  insertTerms: query('insert_terms', insertTerms),
  addTerms: query('add_terms', addTerms),
  withoutTerms: query('without_terms', ({ db, p }) =>
    db
      .selectFrom('deposits')
      .select(readOfDeposit)
      .where(inWindow(p, 'created_at'))
      // The term of its amount, which each has: that of an operator's number may have come before.
      .where(
        sql<boolean>`not exists (select 1 from found_by where term = 'a' || deposits.amount
          and created_at = deposits.created_at and deposit_id = deposits.id)`,
      ),
  ),
  insertSignIn: query('insert_sign_in', insertInto('sign_ins', readOfSignIn)),
  signInById: query('sign_in_by_id', rowsWith('sign_ins', readOfSignIn, 'id')),
  seeSignIn: query('see_sign_in', ({ db, p }) =>
    db
      .updateTable('sign_ins')
      .set({ seen_at: p<number>('at') })
      .where('id', '=', p<string>('id')),
  ),
  endSignIn: query('end_sign_in', ({ db, p }) => db.deleteFrom('sign_ins').where('id', '=', p<string>('id'))),
  purgeSignIns: query('purge_sign_ins', ({ db, p }) =>
    db.deleteFrom('sign_ins').where('ends_at', '<', p<number>('before')),
  ),
  insertAct: query('insert_act', insertOnce('acts', readOfAct, 'id')),
  actById: query('act_by_id', rowsWith('acts', readOfAct, 'id')),
  endAct: query('end_act', ({ db, p }) =>
    db
      .updateTable('acts')
      .set({ result: p<string>('result'), detail: sql<string | null>`coalesce(${p('detail')}, detail)` })
      .where('id', '=', p<string>('id'))
      .where('result', '!=', sql.lit('done')),
  ),
  acts: query(
    'acts',
    newest('acts', readOfAct, ['at', 'id'], (context) => [inTime(context, 'at')]),
  ),
  actsOfName: query(
    'acts_of_name',
    newest('acts', readOfAct, ['at', 'id'], (context) => [
      inTime(context, 'at'),
      sql<boolean>`name = ${context.p('name')}`,
    ]),
  ),
  actsOfDeposit: query('acts_of_deposit', (context) =>
    rowsWith('acts', readOfAct, 'deposit_id')(context).orderBy('at').orderBy('id'),
  ),
  insertPaidBack: query('insert_paid_back', insertOnce('paid_back', readOfPaidBack, 'deposit_id')),
  paidBackOf: query('paid_back_of', rowsWith('paid_back', readOfPaidBack, 'deposit_id')),
  owedOf: query('owed_of', rowsWith('deposits', ['owed'], 'id')),
  owedOpen: query('owed_open', owed(false)),
  owedPaidBack: query('owed_paid_back', owed(true)),
  /** Repeats and contradictions: their ids begin with the reference. */
  callbacksById: query('callbacks_by_id', (context) =>
    oldestCallbacks(context).where('id', '>=', context.p<string>('first')).where('id', '<', context.p<string>('last')),
  ),
  /** The first ones have ids by time: an index by reference would cost each callback a page. */
  callbacksByTime: query('callbacks_by_time', (context) =>
    oldestCallbacks(context)
      .where('received_at', '>=', context.p<number>('from'))
      .where('received_at', '<=', context.p<number>('to'))
      .where('reference', '=', context.p<string>('reference')),
  ),
  insertLink: query('insert_link', insertOnce('links', readOfLink, 'session_id')),
  closeLink: query('close_link', ({ db, p }) =>
    db
      .updateTable('links')
      .set({
        closed_at: p<number>('closed_at'),
        closed_by: p<string>('closed_by'),
        closed_why: p<string>('closed_why'),
      })
      .where('session_id', '=', p<string>('session_id'))
      .where('closed_at', 'is', null),
  ),
  linkOfSession: query('link_of_session', rowsWith('links', readOfLink, 'session_id')),
  links: query('links', newest('links', readOfLink, ['created_at', 'session_id'])),
  figures: query('figures', (context) =>
    context.db
      .selectFrom('deposits')
      .select([
        'country',
        'currency',
        'stage',
        (eb) => eb.fn.countAll<number>().as('count'),
        // A sum of BIGINT is NUMERIC in PostgreSQL, which its driver gives as a text.
        sql<number>`cast(sum(amount) as bigint)`.as('sum'),
      ])
      .where(inTime(context, 'created_at'))
      .groupBy(['country', 'currency', 'stage']),
  ),
  /** Reads each mark: of many payments few are paid back. */
  paidBackOn: query('paid_back_on', ({ db, p }) =>
    db
      .selectFrom('paid_back')
      .innerJoin('deposits', 'deposits.id', 'paid_back.deposit_id')
      .select([
        'paid_back.on_day',
        'deposits.country',
        'deposits.currency',
        (eb) => eb.fn.countAll<number>().as('count'),
        sql<number>`cast(sum(paid_back.amount) as bigint)`.as('sum'),
      ])
      .where('paid_back.on_day', '>=', p<string>('from_day'))
      .where('paid_back.on_day', '<=', p<string>('to_day'))
      .groupBy(['paid_back.on_day', 'deposits.country', 'deposits.currency']),
  ),
  paidDelays: query('paid_delays', (context) =>
    context.db
      .selectFrom('deposits')
      .select([stepOf(sql`(settled_at - created_at)`).as('step'), (eb) => eb.fn.countAll<number>().as('count')])
      .where(inTime(context, 'created_at'))
      .where('stage', '=', sql.lit('succeeded'))
      .groupBy('step'),
  ),
  noticeDelays: query('notice_delays', (context) =>
    context.db
      .selectFrom('deposits')
      .innerJoin('notices', 'notices.deposit_id', 'deposits.id')
      .select([
        stepOf(sql`(notices.delivered_at - notices.created_at)`).as('step'),
        (eb) => eb.fn.countAll<number>().as('count'),
      ])
      .where(inTime(context, 'deposits.created_at'))
      .where('notices.delivered_at', 'is not', null)
      .groupBy('step'),
  ),
} satisfies Record<string, Query>
