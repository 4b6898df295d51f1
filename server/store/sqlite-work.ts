// What is done with the file, not when: reads in one transaction, writes in one transaction with one fsync. A failed write is undone without
// affecting the others in its group. All input and output is plain data, since it may cross to a thread.
import type Database from 'better-sqlite3'
import { Conflict, conflictOf } from './conflicts.ts'
import type { CrashPoint } from './engine.ts'
import { codeOf } from '../error-code.ts'
import type { ConflictKind } from './store.ts'

/** A statement, by the number it was defined with, and its values; `mustChange`: no row changed means a `version` conflict. */
export type Order = readonly [statement: number, values: readonly unknown[], mustChange: boolean]

/** Orders that are written all or nothing. */
export type Job = readonly Order[]

/** An error in a form that can cross to another thread. */
export interface Fault {
  readonly code: string
  readonly message: string
}

/** The rows of the last order, values in column order; or why nothing was written. */
export type Answer = readonly (readonly unknown[])[] | ConflictKind | Fault

export interface SqliteWork {
  /** Called once, before the first order that refers to it. Returns the column names of its rows. */
  define(statement: number, sql: string): readonly string[]
  /**
   * Reads share one transaction until they are ended or something is written: locking and unlocking the file costs as much as reading a row. Nothing
   * is missed, since all writes go through this connection.
   */
  read(job: Job): Answer
  endReads(): void
  /** Durable when it returns. */
  write(jobs: readonly Job[]): readonly Answer[]
  /**
   * To be called after the answers are sent: checkpoints the log when it is due and few are writing. Returns the fault when it finds that nothing can
   * be written any more.
   */
  tidy(): Fault | undefined
}

export function isFault(answer: Answer): answer is Fault {
  return typeof answer === 'object' && 'code' in answer
}

/** Fault code for a thread that ended: its pending jobs may or may not have happened. */
export const THREAD_ENDED = 'THREAD_ENDED'

/** Jobs in the log before a checkpoint in a quiet moment: some 130 pages, 2 ms. */
const COPIED_JOBS = 64
/**
 * When {@link COPIED_JOBS} arrive within fewer ms, many are writing: the log may grow (sqlite-file.ts), so that a page that changes often is copied
 * once.
 */
const QUIET_MS = 80

/** The transaction as a whole fails: no space, another process holds the file, or the disk fails. */
const wholeGroup = /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PROTOCOL|FULL|BUSY|NOMEM|LOCKED)/
/** After these, the content of the disk is unknown: a failed fsync must never be retried as if nothing had happened. */
const untrusted = /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PROTOCOL)/

/** Nobody can write the file now. */
export const isWholeGroup = ({ code }: Fault): boolean => wholeGroup.test(code)
/** The disk can no longer be trusted. */
export const isUntrusted = ({ code }: Fault): boolean => untrusted.test(code)

export function faultOf(error: unknown): Fault {
  return { code: codeOf(error), message: String((error as { readonly message?: unknown }).message) }
}

/** The fault as an error to throw. */
export function errorOf({ code, message }: Fault): Error {
  return Object.assign(new Error(message), { code })
}

/** `clock`: monotonic milliseconds from any origin. */
export function createSqliteWork(
  database: Database.Database,
  clock: () => number,
  crashPoint: CrashPoint | undefined,
): SqliteWork {
  const statements: Database.Statement[] = []
  const beginRead = database.prepare('BEGIN')
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const savepoint = database.prepare('SAVEPOINT change')
  const release = database.prepare('RELEASE change')
  const undo = database.prepare('ROLLBACK TO change')
  const copyLog = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  let broken: Fault | undefined
  let reading = false
  let jobsInLog = 0
  let countedSince = -Infinity

  function endReads(): void {
    if (!reading) return
    reading = false
    // A fault may have ended the transaction already.
    if (database.open && database.inTransaction) commit.run()
  }

  /** Returns a conflict at the first order. Throws any other failure, so that the job is undone. */
  function run(job: Job): Answer {
    let rows: Answer = []
    for (let i = 0; i < job.length; i++) {
      const [number, values, mustChange] = job[i] as Order
      const statement = statements[number] as Database.Statement
      try {
        if (statement.reader) rows = statement.all(values) as unknown[][]
        else if (statement.run(values).changes === 0 && mustChange) throw new Conflict('version')
      } catch (error) {
        const conflict = conflictOf(error)
        if (conflict === undefined) throw error
        // Nothing written yet, nothing to undo.
        if (i === 0) return conflict
        throw new Conflict(conflict)
      }
    }
    return rows
  }

  /** The answer to a failed job. Rethrows a failure that concerns the whole group. */
  function answerOf(error: unknown): Answer {
    const conflict = conflictOf(error)
    if (conflict !== undefined) return conflict
    const fault = faultOf(error)
    if (isWholeGroup(fault)) throw error
    return fault
  }

  /** Undefined when a job failed after it had written something: the transaction is then unusable for all. */
  function runPlain(jobs: readonly Job[]): Answer[] | undefined {
    const answers: Answer[] = []
    for (const job of jobs) {
      try {
        answers.push(run(job))
      } catch (error) {
        answerOf(error)
        return undefined
      }
    }
    return answers
  }

  function runApart(job: Job): Answer {
    savepoint.run()
    let answer: Answer
    try {
      answer = run(job)
    } catch (error) {
      answer = answerOf(error)
      undo.run()
    }
    release.run()
    return answer
  }

  function group(jobs: readonly Job[]): Answer[] {
    begin.run()
    let answers = runPlain(jobs)
    if (answers === undefined) {
      // Rare: start over, each change in a savepoint of its own.
      rollback.run()
      begin.run()
      answers = jobs.map(runApart)
    }
    crashPoint?.('before')
    commit.run()
    crashPoint?.('after')
    return answers
  }

  /** Rolls back what a fault left open; a failure here is ignored, as it repeats the same fault. */
  function undoAll(): void {
    try {
      if (database.inTransaction) rollback.run()
    } catch {
      // The next BEGIN reports it.
    }
  }

  return {
    define(statement, sql) {
      const prepared = database.prepare(sql)
      statements[statement] = prepared.reader ? prepared.raw() : prepared
      return prepared.reader ? prepared.columns().map(({ name }) => name) : []
    },
    read(job) {
      try {
        if (!reading) beginRead.run()
        reading = true
        return run(job)
      } catch (error) {
        return faultOf(error)
      }
    },
    endReads,
    write(jobs) {
      if (broken === undefined) {
        try {
          endReads()
          jobsInLog += jobs.length
          return group(jobs)
        } catch (error) {
          undoAll()
          const fault = faultOf(error)
          if (isUntrusted(fault)) broken = fault
          return jobs.map(() => fault)
        }
      }
      const fault = broken
      return jobs.map(() => fault)
    },
    tidy() {
      if (broken !== undefined || !database.open || jobsInLog < COPIED_JOBS) return undefined
      const now = clock()
      const isQuiet = now - countedSince >= QUIET_MS
      countedSince = now
      jobsInLog = 0
      if (!isQuiet) return undefined
      try {
        endReads()
        crashPoint?.('copy')
        copyLog.all()
      } catch (error) {
        const fault = faultOf(error)
        // After anything else, such as a full disk, the log is kept and copied later.
        if (isUntrusted(fault)) broken = fault
      }
      return broken
    },
  }
}
