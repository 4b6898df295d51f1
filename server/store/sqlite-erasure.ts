// What is erased from a SQLite file shall not be readable in it any more: not in its log, not in pages that a row once stood on.
import type Database from 'better-sqlite3'

/** The meta fact of a file without remains: made with secure_delete on, or rebuilt since. */
const REBUILT = 'rebuilt'
/** A file of at most this size is rebuilt by a start, in less than a second; a larger one by `migrate` or `restore`, which may take their time. */
export const MOST_BYTES_AT_START = 64 * 1024 * 1024
/** How long the log waits for readers and writers of other processes. It holds up this one's customers, so not long. */
const LOG_WAIT_MS = 100

/** Marks a file that never held a row, or has just been rebuilt. */
export function markRebuilt(database: Database.Database): void {
  database.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING').run(REBUILT, '1')
}

/**
 * Rebuilds, once, a file that was written before secure_delete was on: its free pages still hold what was erased. Answers whether no such file
 * is left: false for one larger than `mostBytes`, or in use by another process.
 */
export function rebuildOnce(database: Database.Database, mostBytes = Infinity): boolean {
  if (database.prepare('SELECT 1 FROM meta WHERE key = ?').get(REBUILT) !== undefined) return true
  const pages = Number(database.pragma('page_count', { simple: true }))
  if (pages * Number(database.pragma('page_size', { simple: true })) > mostBytes) return false
  try {
    database.exec('VACUUM')
    // Before the mark: a log that still holds the former pages is a remain too.
    if (!emptyLog(database)) return false
    markRebuilt(database)
    return true
  } catch (error) {
    if (isBusy(error) || isFull(error)) return false
    throw error
  }
}

/** Brings the write-ahead log home and empties it. False when a reader or writer of another process stands in the way. */
export function emptyLog(database: Database.Database): boolean {
  const patience = Number(database.pragma('busy_timeout', { simple: true }))
  database.pragma(`busy_timeout = ${LOG_WAIT_MS}`)
  try {
    const [outcome] = database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
    return outcome?.busy === 0
  } catch (error) {
    if (isBusy(error) || isFull(error)) return false
    throw error
  } finally {
    database.pragma(`busy_timeout = ${patience}`)
  }
}

/** Another connection holds the file. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(BUSY|LOCKED)/)
}

function isFull(error: unknown): boolean {
  return hasCode(error, /^SQLITE_FULL/)
}

function hasCode(error: unknown, wanted: RegExp): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && wanted.test(code)
}
