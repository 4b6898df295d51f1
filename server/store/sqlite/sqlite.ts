// The embedded store: one SQLite file, one process, no other service.
import { resolve } from 'node:path'
import type Database from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, DummyDriver } from 'kysely'
import { codeOf } from '../../platform/error-code.ts'
import { CompanionError } from '../../platform/errors.ts'
import { silentLogger } from '../../platform/logging/logger.ts'
import { createBatcher } from './batcher.ts'
import { createChangeListeners } from '../engine/change-listeners.ts'
import { createStore } from '../engine/create-store.ts'
import type { Engine, Step, StoreOptions } from '../engine/engine.ts'
import { createMemoryCounters } from '../engine/memory-counters.ts'
import { rebuildSmall } from './erasure.ts'
import { isMissing } from './faults.ts'
import { openKnown, openMigrated } from './file.ts'
import type { Answer, Order } from './work.ts'
import { createSqliteWork, isUntrusted, isWholeGroup } from './work.ts'
import { queries } from '../queries/queries.ts'
import type { Compiled, Query } from '../schema/query.ts'
import { compile, params } from '../schema/query.ts'
import type { Applied, Store } from '../../deposits/ports/store.ts'
import type { Tables, Values } from '../schema/tables.ts'

export interface SqliteStoreOptions extends StoreOptions {
  /** A file on a local disk (never a network share), or `:memory:`. */
  readonly path: string
  /**
   * Called once when the disk fails under the database: the process should end and be restarted by
   * its supervisor.
   */
  readonly onBroken?: (error: Error) => void
}

/**
 * Opens or creates the file and migrates its schema, unless `migrate` is false. Counters of `take`
 * live in memory: there is one process, and after a restart the service's own limit still holds.
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  return createStore(sqliteEngine(options), options.isSearchable)
}

/** Bytes that a probe writes after a failed write: more than any change of a payment takes. */
const PROBE_BYTES = 65_536

/** The engine below the store; tests inspect query plans through it. */
export function sqliteEngine(options: SqliteStoreOptions): Engine & { readonly database: Database.Database } {
  const { path, logger = silentLogger, migrate = true, onBroken, crashPoint } = options
  const database = migrate ? openMigrated(path) : openKnown(path)
  if (migrate && !rebuildSmall(database))
    logger.warn({}, 'The database file may still hold erased details. Stop, and run "hc-checkout-server migrate" once.')
  // The working directory may have changed by the time it is looked at again.
  const absolute = resolve(path)
  const work = createSqliteWork({
    database,
    crashPoint,
    onBroken(error) {
      logger.error({ err: error }, 'The disk failed under the database; the store writes nothing more.')
      onBroken?.(error)
    },
  })
  const batcher = createBatcher(work)
  const prepare = createPrepare(database)
  const listeners = createChangeListeners(logger)
  const counters = createMemoryCounters()
  /**
   * A write failed, perhaps for lack of space, and nothing as large as a payment has been written
   * since.
   */
  let mayBeFull = false
  let isClosed = false

  async function write(steps: readonly Step[]): Promise<Exclude<Answer, Error>> {
    if (isClosed) throw closed()
    const answer = await batcher.write(
      steps.map(({ query, values, mustChange }) => ({ ...prepare(query, values), mustChange })),
    )
    if (!(answer instanceof Error)) return answer
    mayBeFull ||= isWholeGroup(answer)
    throw unwritten(answer)
  }

  return {
    database,
    async read(query, values) {
      if (isClosed) throw closed()
      return batcher.read(prepare(query, values))
    },
    async write(query, values) {
      const answer = await write([{ query, values }])
      if (typeof answer === 'string') throw new Error(`A statement by itself met a conflict: ${answer}.`)
      return [...answer]
    },
    async apply(steps, changed): Promise<Applied> {
      const answer = await write(steps)
      if (typeof answer === 'string') return { applied: false, conflict: answer }
      if (changed) listeners.notify(changed)
      return { applied: true }
    },
    take: async (name, windowStart, want, limit) => counters.take(name, windowStart, want, limit),
    onChange: (listener) => listeners.add(listener),
    async emptyLog() {
      if (isClosed) return false
      try {
        return work.emptyLog()
      } catch (error) {
        // What is committed stays so.
        logger.warn({ err: error }, 'The write-ahead log of the database could not be truncated.')
        return false
      }
    },
    async ping() {
      // On a full disk one page may still fit where the several pages of a payment do not.
      const value = mayBeFull ? 'written'.padEnd(PROBE_BYTES, '.') : 'written'
      await write([{ query: queries.setMeta, values: { key: 'ping', value } }])
      mayBeFull = false
      // What is open stays writable without its name, and the next start would begin with an empty
      // file. What is under way is still written: the merchant can be told of it for as long as
      // this process lives.
      if (!database.memory && isMissing(absolute))
        throw new CompanionError('store_unavailable', {
          // Of an alert the first 300 characters are sent.
          detail:
            `${absolute} is not in its place any more: what is written ends with this process. Move it ` +
            'back; if it was deleted, copy it and its -wal out of /proc/<process>/fd, stop, and put both ' +
            'in place.',
        })
    },
    async close() {
      if (isClosed) return
      isClosed = true
      batcher.flush()
      database.close()
    },
  }
}

/** Returns a function that compiles and prepares each query once, and binds values to it. */
function createPrepare(database: Database.Database) {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const context = { db, p: params(), dialect: 'sqlite' } as const
  const prepared = new Map<Query, { readonly compiled: Compiled; readonly statement: Database.Statement }>()
  return function prepare(query: Query, values: Values): Order {
    let found = prepared.get(query)
    if (found === undefined) {
      const compiled = compile(query.build(context))
      found = { compiled, statement: database.prepare(compiled.sql) }
      prepared.set(query, found)
    }
    return { statement: found.statement, values: found.compiled.bind([values]) }
  }
}

/** Says what to do when the file itself could not be written. */
function unwritten(cause: Error): Error {
  if (!isWholeGroup(cause)) return cause
  const detail = isUntrusted(cause)
    ? 'The disk failed under the database. Nothing more is written until the companion is started again.'
    : `The database file cannot be written now (${codeOf(cause)}). Look for free space and for other ` +
      'programs that hold it.'
  return new CompanionError('store_unavailable', { detail, cause })
}

function closed(): CompanionError {
  return new CompanionError('store_unavailable', { detail: 'The store is closed.' })
}
