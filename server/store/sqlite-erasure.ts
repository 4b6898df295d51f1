// What is erased from a SQLite file shall not be readable in it any more: not in its log, not in pages that a row once stood on.
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'

/** The meta fact of a file without remains: made with secure_delete on, or rebuilt since. */
const REBUILT = 'rebuilt'
/** A file of at most this size is rebuilt by a start, in less than a second; a larger one by `migrate` or `restore`, which may take their time. */
const MOST_BYTES_AT_START = 64 * 1024 * 1024
/** Where SQLite itself looks for a folder. */
const TEMP_FOLDER = 'SQLITE_TMPDIR'
/** How long the log waits for readers and writers of other processes. It holds up this one's customers, so not long. */
const LOG_WAIT_MS = 100

/** Marks a file that never held a row, or has just been rebuilt. */
export function markRebuilt(database: Database.Database): void {
  database.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING').run(REBUILT, '1')
}

/** What became of a rebuilding: there was nothing to rebuild, or what stands in the way of it. */
export type Rebuilding = 'clean' | 'rebuilt' | 'in use' | 'no room'

/**
 * Rebuilds, once, a file that was written before secure_delete was on: its free pages still hold what was erased. Only for a file that no other
 * connection has open: a rebuilding holds up all who write.
 */
export function rebuildOnce(database: Database.Database): Rebuilding {
  if (isClean(database)) return 'clean'
  const patience = Number(database.pragma('busy_timeout', { simple: true }))
  try {
    database.pragma('busy_timeout = 0')
    database.pragma('locking_mode = EXCLUSIVE')
    // Out of WAL mode needs every lock there is: one other open connection is enough to refuse it. It brings the log home as well.
    database.pragma('journal_mode = DELETE')
    besideTheFile(database, () => database.exec('VACUUM'))
    markRebuilt(database)
    return 'rebuilt'
  } catch (error) {
    if (isBusy(error)) return 'in use'
    if (isFull(error)) return 'no room'
    throw error
  } finally {
    database.pragma('locking_mode = NORMAL')
    database.pragma('journal_mode = WAL')
    database.pragma(`busy_timeout = ${patience}`)
  }
}

/** The same for a start, whose customers wait. Answers whether no remains are left; `mostBytes` is for tests. */
export function rebuildSmall(database: Database.Database, mostBytes = MOST_BYTES_AT_START): boolean {
  if (isClean(database)) return true
  const pages = Number(database.pragma('page_count', { simple: true }))
  if (pages * Number(database.pragma('page_size', { simple: true })) > mostBytes) return false
  return rebuildOnce(database) === 'rebuilt'
}

function isClean(database: Database.Database): boolean {
  return database.prepare('SELECT 1 FROM meta WHERE key = ?').get(REBUILT) !== undefined
}

/** The copy that a rebuilding makes is as large as the file: not in memory, and not in a /tmp that may be memory too. */
function besideTheFile(database: Database.Database, work: () => void): void {
  const kept = process.env[TEMP_FOLDER]
  const store = Number(database.pragma('temp_store', { simple: true }))
  process.env[TEMP_FOLDER] = dirname(database.name)
  database.pragma('temp_store = FILE')
  try {
    work()
  } finally {
    database.pragma(`temp_store = ${store}`)
    if (kept === undefined) delete process.env[TEMP_FOLDER]
    else process.env[TEMP_FOLDER] = kept
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
