// How reads and writes reach the file. A group of reads shares one transaction. A group of writes
// shares one, with one fsync. A failed write is undone without affecting the others in its group.
import type Database from 'better-sqlite3'
import { Conflict, conflictOf } from '../schema/conflicts.ts'
import type { CrashPoint } from '../engine/engine.ts'
import { codeOf } from '../../platform/error-code.ts'
import { emptyLog } from './erasure.ts'
import type { ConflictKind } from '../../deposits/ports/store.ts'
import type { Row } from '../schema/tables.ts'

/** A statement and its values. */
export interface Order {
  readonly statement: Database.Statement
  readonly values: readonly unknown[]
  /** No row changed means a `version` conflict. */
  readonly mustChange?: boolean
}

/** Orders that are written all or nothing. */
export type Job = readonly Order[]

/** The rows of the last order, or why nothing was written. */
export type Answer = readonly Row[] | ConflictKind | Error

/**
 * Jobs in the log before it is copied into the file: 800 pages if many share a commit, 2,000 if
 * none do. SQLite itself would do it within a commit, and all who share that would wait for it.
 */
const COPIED_JOBS = 256

/**
 * The transaction as a whole fails: no space, another process holds the file, or the disk fails.
 */
const wholeGroup = /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PROTOCOL|FULL|BUSY|NOMEM|LOCKED)/
/**
 * After these, the content of the disk is unknown: a failed fsync must never be retried as if
 * nothing had happened.
 */
const untrusted = /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PROTOCOL)/

/** Nobody can write the file now. */
export const isWholeGroup = (error: unknown): boolean => wholeGroup.test(codeOf(error))
/** The disk can no longer be trusted. */
export const isUntrusted = (error: unknown): boolean => untrusted.test(codeOf(error))

export function createSqliteWork(options: {
  readonly database: Database.Database
  /** Called once when the disk can no longer be trusted: nothing more is written. */
  readonly onBroken: (error: Error) => void
  readonly crashPoint?: CrashPoint
}) {
  const { database, onBroken, crashPoint } = options
  const beginReads = database.prepare('BEGIN')
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const savepoint = database.prepare('SAVEPOINT change')
  const release = database.prepare('RELEASE change')
  const undo = database.prepare('ROLLBACK TO change')
  const copyLog = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  let broken: Error | undefined
  let jobsInLog = 0
  /** A transaction of reads is open. */
  let isReading = false

  function stopIfUntrusted(error: unknown): void {
    if (broken !== undefined || !isUntrusted(error)) return
    broken = error as Error
    onBroken(broken)
  }

  /** Returns a conflict at the first order. Throws any other failure, so that the job is undone. */
  function run(job: Job): Answer {
    let rows: Row[] = []
    for (const [i, { statement, values, mustChange }] of job.entries()) {
      try {
        if (statement.reader) rows = statement.all(values) as Row[]
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
    if (isWholeGroup(error)) throw error
    return error as Error
  }

  /**
   * Undefined when a job failed after it had written something: the transaction is then unusable
   * for all.
   */
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

  function endReads(): void {
    if (!isReading) return
    isReading = false
    // A fault may have ended the transaction already.
    if (database.inTransaction) commit.run()
  }

  return {
    /** Shares one transaction with other reads until `endReads`: by itself each locks the file. */
    read({ statement, values }: Order): Row[] {
      if (!isReading) beginReads.run()
      isReading = true
      return statement.all(values) as Row[]
    },
    endReads,
    /** Durable when it returns. */
    write(jobs: readonly Job[]): readonly Answer[] {
      const fault = broken
      if (fault !== undefined) return jobs.map(() => fault)
      try {
        jobsInLog += jobs.length
        return group(jobs)
      } catch (error) {
        undoAll()
        stopIfUntrusted(error)
        return jobs.map(() => error as Error)
      }
    },
    /** To be called after the answers are sent: copies a long log into the file. */
    tidy(): void {
      if (broken !== undefined || !database.open || jobsInLog < COPIED_JOBS) return
      jobsInLog = 0
      endReads()
      try {
        crashPoint?.('copy')
        copyLog.all()
      } catch (error) {
        // After anything else, such as a full disk, the log is kept and copied later.
        stopIfUntrusted(error)
      }
    },
    /** As `emptyLog` of erasure.ts, and false once the disk has failed. */
    emptyLog(): boolean {
      if (broken !== undefined) return false
      endReads()
      try {
        return emptyLog(database)
      } catch (error) {
        stopIfUntrusted(error)
        throw error
      }
    },
  }
}

export type SqliteWork = ReturnType<typeof createSqliteWork>
