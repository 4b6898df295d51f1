// What several queries are made of.
import type { Expression, Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DepositPhase } from '../../contract/index.ts'
import type { Dialect, Param, QueryContext } from '../schema/query.ts'
import type { Tables } from '../schema/tables.ts'

type ColumnOf<Table extends keyof Tables> = keyof Tables[Table] & string

/** For what is the same with any table: Kysely knows the columns of a single one only. */
export type AnyTable = Kysely<Record<string, Record<string, unknown>>>

/** The rows that have the value `value` in a column. */
export function rowsWith<Table extends keyof Tables>(
  table: Table,
  read: readonly ColumnOf<Table>[],
  column: ColumnOf<Table>,
) {
  const by: string = column
  return ({ db, p }: QueryContext) =>
    (db as unknown as AnyTable)
      .selectFrom(table as string)
      .select([...read])
      .where(by, '=', p('value'))
}

/** `guard`: insert only if the deposit in the same change moved (see postgres/statements.ts). */
export function insertInto<Table extends keyof Tables>(table: Table, columns: readonly ColumnOf<Table>[]) {
  return ({ db, p, guard }: Pick<QueryContext, 'db' | 'p' | 'guard'>) => {
    const into = (db as unknown as AnyTable).insertInto(table)
    if (guard === undefined) return into.values(Object.fromEntries(columns.map((column) => [column, p(column)])))
    const values = columns.map((column) => sql`${p(column)}`.as(column))
    return into.columns([...columns]).expression(db.selectNoFrom(values).where(exists(guard)))
  }
}

export function exists(guard: string) {
  return sql<boolean>`exists (select 1 from ${sql.table(guard)})`
}

/** After `from`, up to `to`: one of the windows in which a sweep goes through a table. */
export function inWindow(p: Param, column: string) {
  return sql<boolean>`${sql.ref(column)} > ${p('from')} and ${sql.ref(column)} <= ${p('to')}`
}

/** Rows in such a window: so many are read by one step of a search without an index. */
const WINDOW_SIZE = 5000

/**
 * Where a window of rows that starts after `from` ends, by the ordering column; no row when less
 * than a full window is left. `only`: which rows count.
 */
export function windowOf(table: keyof Tables, by: string, only?: (p: Param) => Expression<boolean>) {
  return ({ db, p }: QueryContext) => {
    const rows = (db as unknown as AnyTable).selectFrom(table).select(`${by} as at`).where(by, '>', p('from'))
    return (only === undefined ? rows : rows.where(only(p))).orderBy(by).limit(sql.lit(1)).offset(sql.lit(WINDOW_SIZE))
  }
}

/**
 * The rows of an update or delete, each by its key. An array makes PostgreSQL choose them once and
 * look each up: in a join it might read the whole table, or lock more than a limit.
 */
export function among(key: string, chosen: Expression<unknown>, dialect: Dialect) {
  return dialect === 'postgres'
    ? sql<boolean>`${sql.ref(key)} = any(array(${chosen}))`
    : sql<boolean>`${sql.ref(key)} in ${chosen}`
}

/** Stages, as indexed: `open` covers `confirming` too. */
export const unresolved = (['creating', 'unknown', 'open', 'abandoned', 'review'] satisfies DepositPhase[]).map(
  (stage) => sql.lit(stage),
)
