// Who works on the SQLite file: the event loop (sqlite-loop.ts) until it is saturated or blocked by the disk, then a thread (sqlite-threaded.ts)
// until the load drops again. When the disk fails, nobody writes any more.
import { performance } from 'node:perf_hooks'
import type { Performance } from 'node:perf_hooks'
import type Database from 'better-sqlite3'
import type { Logger } from '../logging/logger.ts'
import type { CrashPoint } from './engine.ts'
import type { SqliteExecutor } from './sqlite-executor.ts'
import { createLoopExecutor } from './sqlite-loop.ts'
import type { ThreadedExecutor } from './sqlite-threaded.ts'
import { createThreadedExecutor } from './sqlite-threaded.ts'
import type { Fault } from './sqlite-work.ts'
import { errorOf, faultOf, isFault, isUntrusted, THREAD_ENDED } from './sqlite-work.ts'

/** How long the thread must be calm before the loop tries to do without it: at first, and at most. Each trial that fails doubles it. */
const CALM_MS = { first: 2000, most: 32_000 }
/** A loop that is busy again within this time has failed its trial. */
const TRIAL_MS = 10_000

export interface SqliteSwitchOptions {
  /** The event loop's own connection; closed with the switch. */
  readonly database: Database.Database
  /** Absolute: the working directory may have changed by the time the thread opens the file. */
  readonly path: string
  /** False: only the event loop works on the file, however busy it is. */
  readonly thread: boolean
  readonly logger: Logger
  /** Called once when the disk fails. */
  readonly onBroken: ((error: Error) => void) | undefined
  /** For crash tests: on the event loop, and the thread's module. */
  readonly crashPoint: CrashPoint | undefined
  readonly threadEntry: URL | undefined
  /** Default: Node's own. */
  readonly performance?: Pick<Performance, 'now'>
}

export interface SqliteSwitch extends SqliteExecutor {
  /** `statement`: 0, 1, 2 and so on. Returns the column names of its rows. */
  define(statement: number, sql: string): readonly string[]
  /** Moves the file to a thread, as load does, but for good. False when no thread is available. */
  moveToThread(): Promise<boolean>
}

export function createSqliteSwitch(options: SqliteSwitchOptions): SqliteSwitch {
  const { database, path, thread, logger, onBroken, crashPoint, threadEntry, performance: time = performance } = options
  /** The SQL of each statement, by its number. */
  const defined: string[] = []
  let broken: Fault | undefined
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
  let moving: Promise<boolean> | undefined
  let calmMs = CALM_MS.first
  let takenBackAt = -Infinity
  let isForGood = false
  let isClosing = false

  function stopWriting(fault: Fault): void {
    if (broken !== undefined) return
    broken = fault
    const error = errorOf(fault)
    logger.error({ err: error }, 'The disk failed under the database; the store writes nothing more.')
    onBroken?.(error)
  }

  function takeThread(): Promise<boolean> {
    // An in-memory database cannot be shared, and a store that is closing or no longer writes needs no thread.
    if (database.memory || isClosing || broken !== undefined) return Promise.resolve(false)
    if (threaded !== undefined && executor === loop) handOver(threaded)
    // Tried once: where no thread can be started, or it has ended, the event loop carries on alone.
    return (moving ??= startThread())
  }

  function handOver(to: ThreadedExecutor): void {
    // First: what the loop still writes may make it busy, which hands over again while the file is the loop's.
    executor = to
    loop.flush()
    const hasFailed = time.now() - takenBackAt < TRIAL_MS
    calmMs = hasFailed ? Math.min(calmMs * 2, CALM_MS.most) : CALM_MS.first
    to.take(calmMs)
    // From here on the thread has its own page cache; free the loop's.
    database.pragma('shrink_memory')
    // At debug level: a shop with short bursts of load would log a line for each.
    logger.debug({}, 'The database is handled by a worker thread now.')
  }

  function takeBack(): void {
    if (isForGood || executor === loop) return
    executor = loop
    takenBackAt = time.now()
    logger.debug({}, 'The load dropped; the event loop handles the database itself again.')
  }

  function loseThread(error: Error): void {
    threaded = undefined
    executor = loop
    if (!isClosing) logger.error({ err: error }, 'The database worker thread ended; the event loop takes over.')
  }

  async function startThread(): Promise<boolean> {
    try {
      const started = await createThreadedExecutor({
        path,
        entry: threadEntry,
        onEnd: loseThread,
        onFault: stopWriting,
        known: () => broken,
        onQuiet: takeBack,
      })
      if (broken !== undefined) {
        await started.close()
        return false
      }
      defined.forEach((sql, statement) => started.define(statement, sql))
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

  return {
    define(statement, sql) {
      const columns = loop.define(statement, sql)
      defined[statement] = sql
      threaded?.define(statement, sql)
      return columns
    },
    async read(job) {
      const answer = await executor.read(job)
      // The thread has ended: read on the loop instead.
      return isFault(answer) && answer.code === THREAD_ENDED ? executor.read(job) : answer
    },
    async write(job) {
      const answer = await executor.write(job)
      if (isFault(answer) && isUntrusted(answer)) stopWriting(answer)
      return answer
    },
    async emptyLog() {
      if (broken !== undefined) return false
      try {
        return await executor.emptyLog()
      } catch (error) {
        const fault = faultOf(error)
        if (isUntrusted(fault)) stopWriting(fault)
        throw error
      }
    },
    moveToThread() {
      isForGood = true
      return takeThread()
    },
    async close() {
      isClosing = true
      await moving
      await threaded?.close()
      await loop.close()
    },
  }
}
