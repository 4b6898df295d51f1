// The PostgreSQL statements: built once and run, each under a name by which the server caches its
// plan.
import { hash } from 'node:crypto'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { Pool, QueryResult } from 'pg'
import type { Step } from '../engine/engine.ts'
import { inTime } from './faults.ts'
import type { Compiled, Query } from '../schema/query.ts'
import { bindable, compile, params } from '../schema/query.ts'
import type { Row, Tables, Values } from '../schema/tables.ts'

export interface Prepared {
  readonly compiled: Compiled
  /**
   * Derived from the text alone: whatever pooler stands in between, no statement can run in place
   * of another.
   */
  readonly name: string
}

export function createStatements() {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const prepared = new Map<Query | string, Prepared>()

  function remember(key: Query | string, make: () => Compiled): Prepared {
    let found = prepared.get(key)
    if (found === undefined) {
      const compiled = make()
      prepared.set(key, (found = { compiled, name: nameFor(compiled.sql) }))
    }
    return found
  }

  function joined(steps: readonly Step[]): Compiled {
    const mover = steps.findIndex(({ mustChange }) => mustChange)
    const guard = mover === -1 ? undefined : `s${mover}`
    // The step that moves the deposit comes first: the others refer to it.
    const order = [...steps.keys()].toSorted((a, b) => Number(b === mover) - Number(a === mover))
    const parts = order.map((i) => {
      const { query } = steps[i] as Step
      const part = query.build({ db, p: params(i), dialect: 'postgres', guard: i === mover ? undefined : guard })
      return sql`${sql.id(`s${i}`)} as (${part})`
    })
    const moved = guard === undefined ? sql<number>`1` : sql<number>`(select count(*) from ${sql.table(guard)})`
    const statement = sql`with ${sql.join(parts)} select ${moved} as moved`
    return bindable(statement.compile(db))
  }

  return {
    prepare: (query: Query): Prepared =>
      remember(query, () => compile(query.build({ db, p: params(), dialect: 'postgres' }))),
    /**
     * All steps as parts of one statement. Steps that accompany a moving deposit are written only
     * if it did move.
     */
    together: (steps: readonly Step[]): Prepared =>
      remember(steps.map(({ query }) => query.name).join(), () => joined(steps)),
  }
}

/** Runs a statement; one element of `values` for each step that it joins. */
export async function run(
  on: Pool,
  { compiled, name }: Prepared,
  values: readonly Values[],
): Promise<QueryResult<Row>> {
  return on.query<Row>(inTime({ name, text: compiled.sql, values: compiled.bind(values) }))
}

/** Stays within PostgreSQL's limit of 63 bytes for a name. */
function nameFor(text: string): string {
  return `hc_${hash('sha256', text).slice(0, 32)}`
}
