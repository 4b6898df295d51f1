// The embedded store: one SQLite file, one process, no other service. The event loop works on the file (sqlite-loop.ts) until it is saturated or
// blocked by the disk; then a thread does (sqlite-threaded.ts), until the load drops again.
import { resolve } from 'node:path'
import type Database from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, DummyDriver } from 'kysely'
import { CompanionError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { silentLogger } from '../logger.ts'
import { createChangeListeners } from './change-listeners.ts'
import { createStore } from './create-store.ts'
import type { CrashPoint, Engine, Step } from './engine.ts'
import { createMemoryCounters } from './memory-counters.ts'
import { rebuildSmall } from './sqlite-erasure.ts'
import { openKnown, openMigrated } from './sqlite-file.ts'
import { createLoopExecutor } from './sqlite-loop.ts'
import type { SqliteExecutor } from './sqlite-executor.ts'
import type { ThreadedExecutor } from './sqlite-threaded.ts'
import { createThreadedExecutor } from './sqlite-threaded.ts'
import type { Answer, Fault, Order } from './sqlite-work.ts'
import { errorOf, isUntrusted, isWholeGroup, THREAD_ENDED } from './sqlite-work.ts'
import { queries } from './queries.ts'
import type { Compiled, Query } from './query.ts'
import { compile, params } from './query.ts'
import type { Applied, Store } from './store.ts'
import type { Row, Tables, Values } from './tables.ts'

export interface SqliteStoreOptions {
  /** A file on a local disk (never a network share), or `:memory:`. */
  readonly path: string
  readonly logger?: Logger
  /** False: opens only an existing file with the schema of this release, and throws otherwise. Default: true. */
  readonly migrate?: boolean
  /** Called once when the disk fails under the database: the process should end and be restarted by its supervisor. */
  readonly onBroken?: (error: Error) => void
  /** False: only the event loop works on the file, however busy it is. Default: true. */
  readonly thread?: boolean
  /** For crash tests: on the event loop, and the thread's module. */
  readonly crashPoint?: CrashPoint
  readonly threadEntry?: URL
}

export interface SqliteEngine extends Engine {
  /** The event loop's own connection. */
  readonly database: Database.Database
  /** Moves the file to a thread, as load does, but for good. False when no thread is available. */
  moveToThread(): Promise<boolean>
}

/**
 * Opens or creates the file and migrates its schema, unless `migrate` is false. Counters of `take` live in memory: there is one process, and after a
 * restart the service's own limit still holds.
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  return createStore(sqliteEngine(options))
}

/** Repetitions of `written ` in a probe: 64 kB, more than any change of a payment takes. */
const MANY_PAGES = 8192

/** A compiled query with its number in both executors and its column names. */
interface Prepared {
  readonly number: number
  readonly compiled: Compiled
  readonly columns: readonly string[]
}

/** The engine below the store; tests inspect query plans through it. */
export function sqliteEngine(options: SqliteStoreOptions): SqliteEngine {
  const { path, logger = silentLogger, migrate = true, onBroken, thread = true, crashPoint, threadEntry } = options
  const database = migrate ? openMigrated(path) : openKnown(path)
  // The working directory may have changed by the time the thread opens the file.
  const file = resolve(path)
  if (migrate && !rebuildSmall(database))
    logger.warn({}, 'The database file may still hold erased details. Stop, and run "hc-checkout-server migrate" once.')
  const listeners = createChangeListeners(logger)
  const counters = createMemoryCounters()
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
  let broken: Fault | undefined
  /** A write has failed: a small one that succeeds does not prove that there is space again. */
  let isDoubted = false
  let closing: Promise<void> | undefined
  let moving: Promise<boolean> | undefined
  let isForGood = false
  const loop = createLoopExecutor({
    database,
    crashPoint,
    onBusy: () => void (thread && takeThread()),
    onFault: stopWriting,
    known: () => broken,
  })
  /** Kept while the loop works alone again, so that the next busy time needs no thread start. */
  let threaded: ThreadedExecutor | undefined
  let executor: SqliteExecutor = loop

  function takeThread(): Promise<boolean> {
    // An in-memory database cannot be shared, and a store that is closing or no longer writes needs no thread.
    if (database.memory || closing !== undefined || broken !== undefined) return Promise.resolve(false)
    if (threaded !== undefined && executor === loop) handOver(threaded)
    // Tried once: where no thread can be started, or it has ended, the event loop carries on alone.
    return (moving ??= startThread())
  }

  function handOver(to: ThreadedExecutor): void {
    loop.flush()
    to.take()
    executor = to
    // From here on the thread has its own page cache; free the loop's.
    database.pragma('shrink_memory')
    // At debug level: a shop with short bursts of load would log a line for each.
    logger.debug({}, 'The database is handled by a worker thread now.')
  }

  async function startThread(): Promise<boolean> {
    try {
      const started = await createThreadedExecutor({
        path: file,
        entry: threadEntry,
        onEnd(error) {
          threaded = undefined
          executor = loop
          if (!closing) logger.error({ err: error }, 'The database worker thread ended; the event loop takes over.')
        },
        onFault: stopWriting,
        onQuiet() {
          if (isForGood || executor === loop) return
          executor = loop
          logger.debug({}, 'The load dropped; the event loop handles the database itself again.')
        },
      })
      if (broken !== undefined) {
        await started.close()
        return false
      }
      for (const { number, compiled } of prepared.values()) started.define(number, compiled.sql)
      threaded = started
      handOver(started)
      return true
    } catch (error) {
      logger.warn(
        { err: error },
        'The database worker thread could not be started; the event loop goes on handling the database.',
      )
      return false
    }
  }

  function prepare(query: Query): Prepared {
    let found = prepared.get(query)
    if (found === undefined) {
      const compiled = compile(query.build(context))
      const number = prepared.size
      found = { number, compiled, columns: loop.define(number, compiled.sql) }
      threaded?.define(number, compiled.sql)
      prepared.set(query, found)
    }
    return found
  }

  function orderOf({ number, compiled }: Prepared, values: Values, mustChange = false): Order {
    const bound = compiled.bind([values])
    bound.forEach((value, i) => {
      // A view would take its whole underlying buffer along to the thread.
      if (value instanceof Uint8Array && value.byteLength < value.buffer.byteLength) bound[i] = new Uint8Array(value)
    })
    return [number, bound, mustChange]
  }

  async function write(steps: readonly Step[]): Promise<Exclude<Answer, Fault>> {
    if (closing) throw closed()
    // Each executor knows only its own faults.
    if (broken !== undefined) throw unwritten(broken)
    const answer = await executor.write(
      steps.map(({ query, values, mustChange }) => orderOf(prepare(query), values, mustChange)),
    )
    if (isFault(answer)) throw unwritten(answer)
    return answer
  }

  function stopWriting(fault: Fault): void {
    if (broken !== undefined) return
    broken = fault
    const error = errorOf(fault)
    logger.error({ err: error }, 'The disk failed under the database; the store writes nothing more.')
    onBroken?.(error)
  }

  function unwritten(fault: Fault): Error {
    if (isUntrusted(fault)) stopWriting(fault)
    isDoubted ||= isWholeGroup(fault)
    const cause = errorOf(fault)
    const detail = unwrittenDetail(fault)
    return detail === undefined ? cause : new CompanionError('store_unavailable', { detail, cause })
  }

  async function close(): Promise<void> {
    await moving
    await threaded?.close()
    await loop.close()
  }

  return {
    database,
    moveToThread() {
      isForGood = true
      return takeThread()
    },
    async read(query, values) {
      if (closing) throw closed()
      const asked = prepare(query)
      const job = [orderOf(asked, values)]
      let answer = await executor.read(job)
      // The thread has ended: read on the loop instead.
      if (isFault(answer) && answer.code === THREAD_ENDED) answer = await executor.read(job)
      if (isFault(answer)) throw closing ? closed() : errorOf(answer)
      return rowsOf(asked, answer)
    },
    async write(query, values) {
      const answer = await write([{ query, values }])
      return rowsOf(prepare(query), answer)
    },
    async apply(steps, changed): Promise<Applied> {
      const answer = await write(steps)
      if (typeof answer === 'string') return { applied: false, conflict: answer }
      for (const change of changed) listeners.notify(change)
      return { applied: true }
    },
    take: async (name, windowStart, want, limit) => counters.take(name, windowStart, want, limit),
    onChange: (listener) => listeners.add(listener),
    async emptyLog() {
      if (closing) return false
      try {
        return await executor.emptyLog()
      } catch (error) {
        // What is committed stays so; if the disk fails, the next write reports it.
        logger.warn({ err: error }, 'The write-ahead log of the database could not be truncated.')
        return false
      }
    },
    async ping() {
      // On a full disk one page may still fit where the several pages of a payment do not.
      const value = isDoubted ? 'written '.repeat(MANY_PAGES) : 'written'
      await write([{ query: queries.setMeta, values: { key: 'ping', value } }])
      isDoubted = false
    },
    close: () => (closing ??= close()),
  }
}

function isFault(answer: Answer): answer is Fault {
  return typeof answer === 'object' && 'code' in answer
}

/** What to do when the file itself could not be written; undefined for a fault of the statement. */
function unwrittenDetail(fault: Fault): string | undefined {
  if (isUntrusted(fault))
    return 'The disk failed under the database. Nothing more is written until the companion is started again.'
  if (fault.code === THREAD_ENDED) return 'The database worker thread ended. Whether this was written is not known.'
  if (!isWholeGroup(fault)) return undefined
  return `The database file cannot be written now (${fault.code}). Look for free space and for other programs that hold it.`
}

function rowsOf({ columns }: Prepared, answer: Exclude<Answer, Fault>): Row[] {
  if (typeof answer === 'string') throw new Error(`A statement by itself met a conflict: ${answer}.`)
  return answer.map((values) => {
    const row: Row = {}
    for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i]
    return row
  })
}

function closed(): CompanionError {
  return new CompanionError('store_unavailable', { detail: 'The store is closed.' })
}
