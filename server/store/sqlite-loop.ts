// The file worked on by the event loop itself: the least delay for a shop that is not busy, and no memory for a thread.
import type Database from 'better-sqlite3'
import type { CrashPoint } from './engine.ts'
import { createGatherer } from './gatherer.ts'
import { emptyLog } from './sqlite-erasure.ts'
import type { SqliteSide } from './sqlite-side.ts'
import type { Answer, Job } from './sqlite-work.ts'
import { createSqliteWork } from './sqlite-work.ts'

/** Busy is who spends so many ms of a second in writing: customers wait for that. */
const BUSY_MS = 100
const SECOND_MS = 1000

export interface LoopOptions {
  readonly database: Database.Database
  readonly crashPoint?: CrashPoint | undefined
  /** Called when writing holds up the event loop, and again when it goes on doing so. */
  readonly onBusy: () => void
  /** Milliseconds from anywhere. Default: `performance.now`. */
  readonly clock?: () => number
}

export interface LoopSide extends SqliteSide {
  /** Answers the columns of its rows. */
  define(statement: number, sql: string): readonly string[]
  /** Writes what waits, now, and gives back the locks. */
  flush(): void
}

export function createLoopSide(options: LoopOptions): LoopSide {
  const { database, crashPoint, onBusy, clock = () => performance.now() } = options
  const work = createSqliteWork(database, crashPoint)
  let secondStart = -Infinity
  let spent = 0
  let isTurn = false

  function write(jobs: readonly Job[]): readonly Answer[] {
    const started = clock()
    if (started - secondStart > SECOND_MS) {
      secondStart = started
      spent = 0
    }
    const answers = work.write(jobs)
    spent += clock() - started
    if (spent >= BUSY_MS) {
      spent = 0
      onBusy()
    }
    return answers
  }

  function endTurn(): void {
    isTurn = false
    work.endReads()
  }

  const writer = createGatherer({ send: write, lanes: 1 })

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
