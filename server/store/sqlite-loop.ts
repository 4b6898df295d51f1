// Runs the file's work on the event loop: the least latency while the shop is not busy, and no memory for a thread.
import { performance } from 'node:perf_hooks'
import type { Performance } from 'node:perf_hooks'
import type Database from 'better-sqlite3'
import type { CrashPoint } from './engine.ts'
import { createBatcher } from './batcher.ts'
import { emptyLog } from './sqlite-erasure.ts'
import type { SqliteExecutor } from './sqlite-executor.ts'
import type { Answer, Fault, Job } from './sqlite-work.ts'
import { createSqliteWork } from './sqlite-work.ts'

/** Milliseconds of writing per second from which a saturated event loop is better served by a thread. */
const BUSY_MS = 100
/** Utilization from which the event loop counts as saturated. */
const SATURATED = 0.7
/** Milliseconds of writing per second that block customers even on an idle loop, as with a slow disk. */
const BLOCKING_MS = 400
const SECOND_MS = 1000

export interface LoopOptions {
  readonly database: Database.Database
  readonly crashPoint?: CrashPoint | undefined
  /** Called when a thread would do better, and again while that is still so. */
  readonly onBusy: () => void
  /** Called when the disk fails during background work. */
  readonly onFault: (fault: Fault) => void
  /** The fault that the thread or this executor has met: nothing waiting is written after it. */
  readonly known: () => Fault | undefined
  /** Default: Node's own. */
  readonly performance?: Pick<Performance, 'now' | 'eventLoopUtilization'>
}

export interface LoopExecutor extends SqliteExecutor {
  /** Returns the column names of its rows. */
  define(statement: number, sql: string): readonly string[]
  /** Writes what is waiting now, and releases the locks. */
  flush(): void
}

export function createLoopExecutor(options: LoopOptions): LoopExecutor {
  const { database, crashPoint, onBusy, onFault, known, performance: time = performance } = options
  const work = createSqliteWork(database, () => time.now(), crashPoint)
  let secondStart = -Infinity
  let loopAtStart = time.eventLoopUtilization()
  let spent = 0
  let isTurn = false

  function isBusy(): boolean {
    return spent >= BLOCKING_MS || (spent >= BUSY_MS && time.eventLoopUtilization(loopAtStart).utilization >= SATURATED)
  }

  function timed<T>(part: () => T): T {
    const started = time.now()
    if (started - secondStart > SECOND_MS) {
      secondStart = started
      loopAtStart = time.eventLoopUtilization()
      spent = 0
    }
    const result = part()
    spent += time.now() - started
    if (isBusy()) {
      spent = 0
      onBusy()
    }
    return result
  }

  function tidy(): void {
    const fault = timed(work.tidy)
    if (fault !== undefined) onFault(fault)
  }

  function write(jobs: readonly Job[]): readonly Answer[] {
    const fault = known()
    if (fault !== undefined) return jobs.map(() => fault)
    const answers = timed(() => work.write(jobs))
    setImmediate(tidy)
    return answers
  }

  function endTurn(): void {
    isTurn = false
    work.endReads()
  }

  const writer = createBatcher({ send: write, lanes: 1 })

  function flush(): void {
    writer.flush()
    work.endReads()
  }

  return {
    define: work.define,
    async read(job) {
      if (!isTurn) {
        isTurn = true
        setImmediate(endTurn)
      }
      return work.read(job)
    },
    write: writer.ask,
    async emptyLog() {
      work.endReads()
      return emptyLog(database)
    },
    flush,
    async close() {
      flush()
      database.close()
    },
  }
}
