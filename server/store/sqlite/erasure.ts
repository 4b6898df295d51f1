// Makes erased data unreadable in a SQLite file: neither its log nor its free pages may still hold
// it.
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { codeOf } from '../../platform/error-code.ts'

/** Meta key of a file without remains: created with secure_delete on, or rebuilt since. */
const REBUILT = 'rebuilt'
/**
 * Files up to this size are rebuilt at start, in less than a second; larger ones by `migrate` or
 * `restore`, which may take longer.
 */
const MOST_BYTES_AT_START = 64 * 1024 * 1024
/** Where SQLite looks for a temporary folder. */
const TEMP_FOLDER = 'SQLITE_TMPDIR'
/**
 * How long the checkpoint waits for readers and writers of other processes. Short, because it holds
 * up this process's customers.
 */
const LOG_WAIT_MS = 100

/** Marks a file that never held a row, or has just been rebuilt. */
export function markRebuilt(database: Database.Database): void {
  database.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING').run(REBUILT, '1')
}

/** Result of a rebuild: nothing to do, done, or what prevents it. */
export type Rebuilding = 'clean' | 'rebuilt' | 'in use' | 'no room'

/**
 * Rebuilds, once, a file that was written before secure_delete was on: its free pages still hold
 * erased data. Only for a file that no other connection has open: a rebuild blocks all writers.
 */
export function rebuildOnce(database: Database.Database): Rebuilding {
  if (isClean(database)) return 'clean'
  const patience = Number(database.pragma('busy_timeout', { simple: true }))
  try {
    database.pragma('busy_timeout = 0')
    database.pragma('locking_mode = EXCLUSIVE')
    // Leaving WAL mode needs every lock: a single other open connection makes it fail. It also
    // checkpoints the log.
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

/**
 * The same at start, while customers wait. Returns whether no remains are left; `mostBytes` is for
 * tests.
 */
export function rebuildSmall(database: Database.Database, mostBytes = MOST_BYTES_AT_START): boolean {
  if (isClean(database)) return true
  const pages = Number(database.pragma('page_count', { simple: true }))
  if (pages * Number(database.pragma('page_size', { simple: true })) > mostBytes) return false
  return rebuildOnce(database) === 'rebuilt'
}

function isClean(database: Database.Database): boolean {
  return database.prepare('SELECT 1 FROM meta WHERE key = ?').get(REBUILT) !== undefined
}

/**
 * A rebuild makes a copy as large as the file, beside a journal of the same size: keep it out of
 * memory, and out of a /tmp that may be in memory too.
 */
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

/**
 * Checkpoints and truncates the write-ahead log. False when a reader or writer of another process
 * prevents it.
 */
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
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
}

function isFull(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_FULL')
}
