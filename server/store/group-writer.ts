// Group commit for SQLite: writers that wait in one turn of the event loop share one transaction and one fsync. Each is answered after
// the commit; what one of them breaks is undone without harm to its neighbours.
import type BetterSqlite3 from 'better-sqlite3'
import { CompanionError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { CrashPoint } from './engine.ts'

export interface GroupWriterOptions {
  readonly database: BetterSqlite3.Database
  readonly logger: Logger
  /** Called once, when the disk can no longer be trusted. */
  readonly onBroken?: ((error: Error) => void) | undefined
  readonly crashPoint?: CrashPoint | undefined
  /** Ends what else is open on the connection. */
  readonly beforeGroup?: () => void
}

export interface GroupWriter {
  /** Runs `work`, statements only, inside the next transaction. It may run twice, and must then do the same. */
  write<T>(work: () => T): Promise<T>
  /** Writes what waits, now. */
  flush(): void
  readonly broken: Error | undefined
}

interface Task {
  readonly work: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  value: unknown
  error: unknown
}

/** The transaction as a whole cannot be: no space, another process holds the file, or the disk fails. */
const wholeGroup = /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PROTOCOL|FULL|BUSY|NOMEM|LOCKED)/
/** After these, what the disk holds is not known: a failed fsync must never be tried again as if nothing had happened. */
const untrusted = /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PROTOCOL)/

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

export function createGroupWriter(options: GroupWriterOptions): GroupWriter {
  const { database, logger, onBroken, crashPoint, beforeGroup } = options
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const savepoint = database.prepare('SAVEPOINT change')
  const release = database.prepare('RELEASE change')
  const undo = database.prepare('ROLLBACK TO change')
  let waiting: Task[] = []
  let broken: Error | undefined

  function unavailable(cause: unknown): CompanionError {
    return new CompanionError('store_unavailable', {
      detail: broken
        ? 'The disk failed under the database. Nothing more is written until the companion is started again.'
        : `The database file cannot be written now (${codeOf(cause) || 'unknown fault'}). Look for free space and for other programs that hold it.`,
      cause,
    })
  }

  /** False when a change failed after it had written something: the transaction is then spoilt for all. */
  function runPlain(tasks: readonly Task[]): boolean {
    for (const task of tasks) {
      try {
        task.value = task.work()
      } catch (error) {
        if (wholeGroup.test(codeOf(error))) throw error
        return false
      }
    }
    return true
  }

  function runApart(tasks: readonly Task[]): void {
    for (const task of tasks) {
      savepoint.run()
      try {
        task.value = task.work()
      } catch (error) {
        if (wholeGroup.test(codeOf(error))) throw error
        task.error = error
        undo.run()
      }
      release.run()
    }
  }

  function writeGroup(tasks: readonly Task[]): void {
    begin.run()
    if (!runPlain(tasks)) {
      // Rare: start over, each change in a savepoint of its own.
      rollback.run()
      begin.run()
      runApart(tasks)
    }
    crashPoint?.('before')
    commit.run()
    crashPoint?.('after')
  }

  function fail(tasks: readonly Task[], cause: unknown): void {
    try {
      if (database.inTransaction) rollback.run()
    } catch (error) {
      logger.error({ err: error }, 'Rolling back failed as well.')
    }
    if (broken === undefined && untrusted.test(codeOf(cause))) {
      broken = cause as Error
      logger.error({ err: cause }, 'The disk failed under the database; the store writes nothing more.')
      onBroken?.(broken)
    }
    const error = unavailable(cause)
    for (const task of tasks) task.reject(error)
  }

  function flush(): void {
    const tasks = waiting
    if (tasks.length === 0) return
    waiting = []
    if (broken) {
      fail(tasks, broken)
      return
    }
    try {
      beforeGroup?.()
      writeGroup(tasks)
    } catch (error) {
      fail(tasks, error)
      return
    }
    for (const task of tasks) {
      if (task.error === undefined) task.resolve(task.value as never)
      else task.reject(task.error)
    }
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ work, resolve, reject, value: undefined, error: undefined }) === 1) setImmediate(flush)
      }),
    flush,
    get broken() {
      return broken
    },
  }
}
