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

/** How long the load is measured before it is judged. Shorter spans judge a single burst, or a pause of the garbage collector. */
const SECOND_MS = 1000
/** Share of writing from which a saturated event loop is better served by a thread. */
const BUSY = 0.1
/** Utilization from which the event loop counts as saturated. Below it the loop answers sooner than a thread, which costs both of them messages. */
const SATURATED = 0.9
/** Share of writing that blocks customers even on an idle loop when the disk is slow: when each write takes at least {@link SLOW_MS}. */
const BLOCKING = 0.4
const SLOW_MS = 4

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
  let start = -Infinity
  let loopAtStart = time.eventLoopUtilization()
  let spent = 0
  let writes = 0
  let isTurn = false

  /** Whether a thread would have done better in the `elapsed` ms since the start. */
  function wasBusy(elapsed: number): boolean {
    const share = spent / elapsed
    if (share >= BLOCKING && spent / writes >= SLOW_MS) return true
    return share >= BUSY && time.eventLoopUtilization(loopAtStart).utilization >= SATURATED
  }

  function timed<T>(part: () => T): T {
    const started = time.now()
    const result = part()
    const ended = time.now()
    spent += ended - started
    if (ended - start < SECOND_MS) return result
    const busy = wasBusy(ended - start)
    start = ended
    loopAtStart = time.eventLoopUtilization()
    spent = 0
    writes = 0
    if (busy) onBusy()
    return result
  }

  function tidy(): void {
    const fault = timed(work.tidy)
    if (fault !== undefined) onFault(fault)
  }

  function write(jobs: readonly Job[]): readonly Answer[] {
    const fault = known()
    if (fault !== undefined) return jobs.map(() => fault)
    writes += 1
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
