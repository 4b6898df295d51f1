// The file worked on by the event loop itself: the least delay for a shop that is not busy, and no memory for a thread.
import { performance } from 'node:perf_hooks'
import type { Performance } from 'node:perf_hooks'
import type Database from 'better-sqlite3'
import type { CrashPoint } from './engine.ts'
import { createBatcher } from './batcher.ts'
import { emptyLog } from './sqlite-erasure.ts'
import type { SqliteExecutor } from './sqlite-executor.ts'
import type { Answer, Fault, Job } from './sqlite-work.ts'
import { createSqliteWork } from './sqlite-work.ts'

/** Ms of a second in writing from which an event loop without rest is better served by a thread. */
const BUSY_MS = 100
/** An event loop that works more than this part of its time has no rest. */
const NO_REST = 0.7
/** Ms of a second in writing that hold up customers even where the loop has rest, as a slow disk does. */
const BLOCKING_MS = 400
const SECOND_MS = 1000

export interface LoopOptions {
  readonly database: Database.Database
  readonly crashPoint?: CrashPoint | undefined
  /** Called when a thread would do better, and again when it still would. */
  readonly onBusy: () => void
  /** Called when the disk fails while nobody waits for it. */
  readonly onFault: (fault: Fault) => void
  /** The fault that the thread or this executor has met: nothing that waits is written after it. */
  readonly known: () => Fault | undefined
  /** Default: Node's own. */
  readonly performance?: Pick<Performance, 'now' | 'eventLoopUtilization'>
}

export interface LoopExecutor extends SqliteExecutor {
  /** Answers the columns of its rows. */
  define(statement: number, sql: string): readonly string[]
  /** Writes what waits, now, and gives back the locks. */
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
    return spent >= BLOCKING_MS || (spent >= BUSY_MS && time.eventLoopUtilization(loopAtStart).utilization >= NO_REST)
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
