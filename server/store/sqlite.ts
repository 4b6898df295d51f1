// The embedded store: one SQLite file, one process, no other service. WAL with synchronous=FULL; writes in groups (group-writer.ts).
import { closeSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, DummyDriver } from 'kysely'
import { CompanionError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { silentLogger } from '../logger.ts'
import { createBell } from './bell.ts'
import { Conflict, conflictOf } from './conflicts.ts'
import { createStore } from './create-store.ts'
import type { CrashPoint, Engine, Step } from './engine.ts'
import { createGroupWriter } from './group-writer.ts'
import { createMemoryCounters } from './memory-counters.ts'
import { checkSqlite, migrateSqlite, schemaOf } from './migrate-sqlite.ts'
import { emptyLog, rebuildSmall } from './sqlite-erasure.ts'
import { queries } from './queries.ts'
import type { Compiled, Query } from './query.ts'
import { compile, params } from './query.ts'
import type { Applied, ConflictKind, Store } from './store.ts'
import type { Row, Tables, Values } from './tables.ts'

export interface SqliteStoreOptions {
  /** A file on a local disk (never a network share), or `:memory:`. Its folder must exist. */
  readonly path: string
  readonly logger?: Logger
  /** False: opens only a file that is there, with the schema of this release, and throws otherwise. Default: true. */
  readonly migrate?: boolean
  /** Called once when the disk fails under the database: the process should end, and be started again by its supervisor. */
  readonly onBroken?: (error: Error) => void
  /** For crash tests. */
  readonly crashPoint?: CrashPoint
}

/** Pages of write-ahead log before it is copied into the file: enough for scattered pages to be written once for many changes, and no more than
 * one commit can wait for. */
const CHECKPOINT_PAGES = 8000

/** Opens or creates the file, readable by this user only: it holds names and phone numbers. */
export function openSqlite(path: string): Database.Database {
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600))
  return withPragmas(new Database(path, { timeout: 5000 }))
}

/** The file as it is: it is looked at before anything is set, for a file of others is not ours to change. */
function openKnown(path: string): Database.Database {
  const database = new Database(path, { timeout: 5000, fileMustExist: true })
  try {
    checkSqlite(database)
    return withPragmas(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/** Where the file stands, 0 before the first migration. Changes nothing; it must be there. */
export function schemaOfFile(path: string): number {
  const database = new Database(path, { timeout: 5000, fileMustExist: true, readonly: true })
  try {
    return schemaOf(database)
  } finally {
    database.close()
  }
}

function openMigrated(path: string): Database.Database {
  const database = openSqlite(path)
  try {
    migrateSqlite(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function withPragmas(database: Database.Database): Database.Database {
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('trusted_schema = OFF')
  database.pragma('temp_store = MEMORY')
  // Zeros over what is erased: payer details must not stay readable in the file and in its copies.
  database.pragma('secure_delete = ON')
  database.pragma('cache_size = -16384')
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  return database
}

/**
 * Opens or creates the file and brings its schema up to date, unless `migrate` is false.
 * Counters of `take` live in memory: there is one process, and after a restart the service's own limit still holds.
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  return createStore(sqliteEngine(options))
}

/** The parts below the store; tests look at query plans through it. */
export function sqliteEngine(options: SqliteStoreOptions): Engine & { readonly database: Database.Database } {
  const { path, logger = silentLogger, migrate = true, onBroken, crashPoint } = options
  const database = migrate ? openMigrated(path) : openKnown(path)
  if (migrate && !rebuildSmall(database))
    logger.warn({}, 'The database file may still hold erased details. Stop, and run "hc-checkout-server migrate" once.')
  const bell = createBell(logger)
  const counters = createMemoryCounters()
  const reader = createTurnReader(database)
  const writer = createGroupWriter({ database, logger, onBroken, crashPoint, beforeGroup: reader.end })
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const context = { db, p: params(), dialect: 'sqlite' } as const
  const prepared = new Map<Query, Prepared>()

  function prepare(query: Query): Prepared {
    let found = prepared.get(query)
    if (found === undefined) {
      const compiled = compile(query.build(context))
      found = { compiled, statement: database.prepare(compiled.sql) }
      prepared.set(query, found)
    }
    return found
  }

  function run(query: Query, values: Values): Row[] {
    const { compiled, statement } = prepare(query)
    const bound = compiled.bind([values])
    if (statement.reader) return statement.all(bound) as Row[]
    statement.run(bound)
    return []
  }

  /** Answers the conflict of a step, if any; throws what is not a conflict. */
  function conflictIn({ query, values, mustChange }: Step): ConflictKind | undefined {
    const { compiled, statement } = prepare(query)
    try {
      const { changes } = statement.run(compiled.bind([values]))
      return mustChange && changes === 0 ? 'version' : undefined
    } catch (error) {
      const conflict = conflictOf(error)
      if (conflict === undefined) throw error
      return conflict
    }
  }

  function applySteps(steps: readonly Step[]): Applied {
    for (let i = 0; i < steps.length; i++) {
      const conflict = conflictIn(steps[i] as Step)
      if (conflict === undefined) continue
      // Nothing written yet, nothing to undo.
      if (i === 0) return { applied: false, conflict }
      throw new Conflict(conflict)
    }
    return { applied: true }
  }

  return {
    database,
    async read(query, values) {
      if (!database.open) throw closed()
      reader.begin()
      return run(query, values)
    },
    write: (query, values) => {
      if (!database.open) return Promise.reject(closed())
      return writer.write(() => run(query, values))
    },
    async apply(steps, rings) {
      if (!database.open) throw closed()
      let applied: Applied
      try {
        applied = await writer.write(() => applySteps(steps))
      } catch (error) {
        const conflict = conflictOf(error)
        if (conflict === undefined) throw error
        return { applied: false, conflict }
      }
      if (applied.applied) for (const { id, version } of rings) bell.ring(id, version)
      return applied
    },
    take: async (name, windowStart, want, limit) => counters.take(name, windowStart, want, limit),
    onChange: (listener) => bell.listen(listener),
    async emptyLog() {
      if (!database.open) return false
      try {
        reader.end()
        return emptyLog(database)
      } catch (error) {
        // What is committed stays so; if the disk fails, the next write says it.
        logger.warn({ err: error }, 'The log of the database could not be emptied.')
        return false
      }
    },
    async ping() {
      if (!database.open) throw closed()
      if (writer.broken)
        throw new CompanionError('store_unavailable', {
          detail: 'The disk failed under the database. Start the companion again.',
        })
      await writer.write(() => run(queries.setMeta, { key: 'ping', value: 'written' }))
    },
    async close() {
      if (!database.open) return
      writer.flush()
      reader.end()
      database.close()
    },
  }
}

/**
 * Reads of one turn of the event loop share one transaction: taking and giving back the locks of the file costs as much as a row. Nothing
 * is missed by it, for writes are this connection's own and end it first.
 */
function createTurnReader(database: Database.Database): { begin(): void; end(): void } {
  const begin = database.prepare('BEGIN')
  const commit = database.prepare('COMMIT')
  let reading = false

  function end(): void {
    if (!reading) return
    reading = false
    // A fault may have ended it already.
    if (database.open && database.inTransaction) commit.run()
  }
  return {
    begin() {
      if (reading) return
      begin.run()
      reading = true
      setImmediate(end)
    },
    end,
  }
}

interface Prepared {
  readonly compiled: Compiled
  readonly statement: Database.Statement
}

function closed(): CompanionError {
  return new CompanionError('store_unavailable', { detail: 'The store is closed.' })
}
