// Every store the suite runs over, each on a real disk.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStore } from '../../server/store/engine/create-store.ts'
import type { Engine } from '../../server/store/engine/engine.ts'
import { postgresEngine } from '../../server/store/postgres/postgres.ts'
import { compile, params } from '../../server/store/schema/query.ts'
import type { Query } from '../../server/store/schema/query.ts'
import { sqliteEngine } from '../../server/store/sqlite/sqlite.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import type { Values } from '../../server/store/schema/tables.ts'
import { memoryStore } from '../helpers/memory-store.ts'
import type { TestPostgres } from '../helpers/postgres.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'

/** One empty database. */
export interface Bench {
  readonly store: Store
  /** A second instance on the same database, or the same file after a restart of the first. */
  another(): Promise<Store>
  /** The plan the database makes for a query, as text. */
  plan(query: Query, values: Values): Promise<string>
  /** Gathers what the planner goes by, as a database in use has it. */
  analyze(): Promise<void>
  /** Writes past the store, as an earlier release did. */
  write(statement: string): Promise<void>
  /** Counts a table's rows. */
  count(table: string): Promise<number>
  end(): Promise<void>
}

export interface Adapter {
  readonly name: string
  /** Says why there is none here. */
  readonly missing?: string
  start(): Promise<void>
  fresh(): Promise<Bench>
  stop(): Promise<void>
  /** Several processes may use one database at once. */
  readonly shared: boolean
}

const sqlite: Adapter = {
  name: 'SQLite',
  shared: false,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  async fresh() {
    const folder = mkdtempSync(join(tmpdir(), 'hc-sqlite-'))
    const path = join(folder, 'hc.db')
    const engine = sqliteEngine({ path })
    const opened: Engine[] = [engine]
    const compiler = new Kysely<never>({ dialect: new SqliteDialect({ database: engine.database }) })
    return {
      store: createStore(engine, true),
      async another() {
        await Promise.resolve()
        const next = sqliteEngine({ path })
        opened.push(next)
        return createStore(next, true)
      },
      async plan(query, values) {
        const compiled = compile(query.build({ db: compiler as never, p: params(), dialect: 'sqlite' }))
        const rows = engine.database.prepare(`EXPLAIN QUERY PLAN ${compiled.sql}`).all(compiled.bind([values]))
        await Promise.resolve()
        return rows.map((row) => (row as { detail: string }).detail).join('\n')
      },
      // SQLite plans without statistics here, as in production.
      analyze: () => Promise.resolve(),
      async write(statement) {
        await Promise.resolve()
        engine.database.exec(statement)
      },
      async count(table) {
        await Promise.resolve()
        return Number(engine.database.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
      },
      async end() {
        for (const one of opened) await one.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}

let server: TestPostgres | undefined

const missing = await postgresMissing()

const postgres: Adapter = {
  name: 'PostgreSQL',
  shared: true,
  ...(missing === undefined ? {} : { missing }),
  async start() {
    server = await startPostgres()
  },
  async stop() {
    await server?.stop()
  },
  async fresh() {
    if (!server) throw new Error('Not started.')
    const url = await server.freshDatabase()
    const engine = await postgresEngine({ url })
    const opened: Engine[] = [engine]
    const compiler = new Kysely<never>({ dialect: new PostgresDialect({ pool: engine.pool }) })
    return {
      store: createStore(engine, true),
      async another() {
        const next = await postgresEngine({ url })
        opened.push(next)
        return createStore(next, true)
      },
      async plan(query, values) {
        const compiled = compile(query.build({ db: compiler as never, p: params(), dialect: 'postgres' }))
        const { rows } = await engine.pool.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN ${compiled.sql}`,
          compiled.bind([values]),
        )
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      },
      async analyze() {
        await engine.pool.query('VACUUM ANALYZE')
      },
      async write(statement) {
        await engine.pool.query(statement)
      },
      async count(table) {
        const { rows } = await engine.pool.query<{ count: number }>(`SELECT count(*) FROM ${table}`)
        return Number(rows[0]?.count)
      },
      async end() {
        for (const one of opened) await one.close()
      },
    }
  },
}

/** The model has to keep the same promises as what it is a model of. */
const memory: Adapter = {
  name: 'the model',
  shared: false,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  async fresh() {
    const store = memoryStore()
    await Promise.resolve()
    return {
      store,
      another: () => Promise.resolve(store),
      plan: () => Promise.resolve('INDEX'),
      analyze: () => Promise.resolve(),
      write: () => Promise.resolve(),
      count: () => Promise.resolve(Number.NaN),
      end: () => store.close(),
    }
  },
}

export const adapters: readonly Adapter[] = [sqlite, postgres, memory]
