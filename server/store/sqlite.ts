// The embedded store: one SQLite file, one process, no other service.
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type Database from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, DummyDriver } from 'kysely'
import { CompanionError } from '../errors.ts'
import type { Logger } from '../logging/logger.ts'
import { silentLogger } from '../logging/logger.ts'
import { createChangeListeners } from './change-listeners.ts'
import { createStore } from './create-store.ts'
import type { CrashPoint, Engine, Step } from './engine.ts'
import { createMemoryCounters } from './memory-counters.ts'
import { rebuildSmall } from './sqlite-erasure.ts'
import { isMissing } from './sqlite-faults.ts'
import { openKnown, openMigrated } from './sqlite-file.ts'
import type { SqliteSwitch } from './sqlite-switch.ts'
import { createSqliteSwitch } from './sqlite-switch.ts'
import type { Answer, Fault, Order } from './sqlite-work.ts'
import { errorOf, isFault, isUntrusted, isWholeGroup, THREAD_ENDED } from './sqlite-work.ts'
import { queries } from './queries.ts'
import type { Compiled, Query } from './query.ts'
import { compile, params } from './query.ts'
import type { Applied, Store } from './store.ts'
import type { Row, Tables, Values } from './tables.ts'

export interface SqliteStoreOptions {
  /** A file on a local disk (never a network share), or `:memory:`. */
  readonly path: string
  readonly logger?: Logger
  /** False, as commands open it beside a companion: only an existing file with the schema of this release, and throws otherwise. Default: true. */
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

/** Bytes that a probe writes after a failed write: more than any change of a payment takes. */
const PROBE_BYTES = 65_536

/** Pings in a row that find another's are no command that looked in, but a second companion. */
const OF_ANOTHER = 3

/** A compiled query with its number in the executors and its column names. */
interface Prepared {
  readonly number: number
  readonly compiled: Compiled
  readonly columns: readonly string[]
}

/** The engine below the store; tests inspect query plans through it. */
export function sqliteEngine(options: SqliteStoreOptions): SqliteEngine {
  const { path, logger = silentLogger, migrate = true, onBroken, thread = true, crashPoint, threadEntry } = options
  const database = migrate ? openMigrated(path) : openKnown(path)
  if (migrate && !rebuildSmall(database))
    logger.warn({}, 'The database file may still hold erased details. Stop, and run "hc-checkout-server migrate" once.')
  // The working directory may have changed by the time it is looked at again.
  const absolute = resolve(path)
  const executor = createSqliteSwitch({
    database,
    path: absolute,
    thread,
    logger,
    onBroken,
    crashPoint,
    threadEntry,
  })
  const prepare = createPrepare(executor)
  const listeners = createChangeListeners(logger)
  const counters = createMemoryCounters()
  /** A write failed, perhaps for lack of space, and nothing as large as a payment has been written since. */
  let mayBeFull = false
  /** What each ping leaves behind, so that another process is noticed by its own. */
  const mark = randomUUID()
  let hasPinged = false
  let ofAnother = 0
  let closing: Promise<void> | undefined

  async function write(steps: readonly Step[]): Promise<Exclude<Answer, Fault>> {
    if (closing) throw closed()
    const answer = await executor.write(
      steps.map(({ query, values, mustChange }) => orderOf(prepare(query), values, mustChange)),
    )
    if (!isFault(answer)) return answer
    mayBeFull ||= isWholeGroup(answer)
    throw unwritten(answer)
  }

  /** Money stays right, since each change is made once. But each of two would use HC_RATE up, and a customer hears of the other's changes by chance. */
  function noticeAnother(found: string): void {
    ofAnother = hasPinged && !found.startsWith(mark) ? ofAnother + 1 : 0
    if (ofAnother === OF_ANOTHER)
      logger.warn(
        { path },
        'Another companion uses this database file too (cluster mode of a supervisor?). SQLite serves one process: stop the others, or move to PostgreSQL.',
      )
  }

  /** The mark of the last ping. */
  async function lastPing(): Promise<string | undefined> {
    const asked = prepare(queries.metaByKey)
    const answer = await executor.read([orderOf(asked, { value: 'ping' })])
    const value = isFault(answer) ? undefined : rowsOf(asked, answer)[0]?.['value']
    return typeof value === 'string' ? value : undefined
  }

  return {
    database,
    moveToThread: executor.moveToThread,
    async read(query, values) {
      if (closing) throw closed()
      const asked = prepare(query)
      const answer = await executor.read([orderOf(asked, values)])
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
      if (changed) listeners.notify(changed)
      return { applied: true }
    },
    take: async (name, windowStart, want, limit) => counters.take(name, windowStart, want, limit),
    onChange: (listener) => listeners.add(listener),
    async emptyLog() {
      if (closing) return false
      try {
        return await executor.emptyLog()
      } catch (error) {
        // What is committed stays so.
        logger.warn({ err: error }, 'The write-ahead log of the database could not be truncated.')
        return false
      }
    },
    async ping() {
      const found = await lastPing()
      if (migrate && found !== undefined) noticeAnother(found)
      // A command leaves the companion's mark: `doctor` run a few times in a row would look like a second companion.
      const ours = migrate ? mark : (found ?? mark)
      // On a full disk one page may still fit where the several pages of a payment do not.
      const value = mayBeFull ? ours.padEnd(PROBE_BYTES, '.') : ours
      await write([{ query: queries.setMeta, values: { key: 'ping', value } }])
      hasPinged = true
      mayBeFull = false
      // What is open stays writable without its name, and the next start would begin with an empty file. What is under way is still written: the
      // merchant can be told of it for as long as this process lives.
      if (!database.memory && isMissing(absolute))
        throw new CompanionError('store_unavailable', {
          // Of an alert the first 300 characters are sent.
          detail: `${absolute} is not in its place any more: what is written ends with this process. Move it back; if it was deleted, copy it and its -wal out of /proc/<process>/fd, stop, and put both in place.`,
        })
    },
    close: () => (closing ??= executor.close()),
  }
}

/** Returns a function that compiles each query once, and defines it in the executor. */
function createPrepare(executor: Pick<SqliteSwitch, 'define'>): (query: Query) => Prepared {
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
  return function prepare(query) {
    let found = prepared.get(query)
    if (found === undefined) {
      const compiled = compile(query.build(context))
      const number = prepared.size
      found = { number, compiled, columns: executor.define(number, compiled.sql) }
      prepared.set(query, found)
    }
    return found
  }
}

function orderOf({ number, compiled }: Prepared, values: Values, mustChange = false): Order {
  const bound = compiled.bind([values])
  bound.forEach((value, i) => {
    // A view would take its whole underlying buffer along to the thread.
    if (value instanceof Uint8Array && value.byteLength < value.buffer.byteLength) bound[i] = new Uint8Array(value)
  })
  return [number, bound, mustChange]
}

function unwritten(fault: Fault): Error {
  const cause = errorOf(fault)
  const detail = unwrittenDetail(fault)
  return detail === undefined ? cause : new CompanionError('store_unavailable', { detail, cause })
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
