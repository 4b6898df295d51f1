// Opens the file of the embedded store: WAL with synchronous=FULL, readable by this user only.
import { accessSync, closeSync, constants, existsSync, openSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { makeFolder } from '../../platform/make-folder.ts'
import { checkSqlite, migrateSqlite, presentSchema, refuseForeign, refuseMoved, schemaOf } from './migrate.ts'
import { isBusy } from './erasure.ts'
import { refuseMountedAlone } from './file-system.ts'
import { isLink, isMissing, namingFile, targetOf } from './faults.ts'
import { UnfitDatabase } from '../schema/unfit-database.ts'

/**
 * Pages of write-ahead log before SQLite checkpoints it within a commit, which delays all who share
 * that commit. It is the last resort: work.ts checkpoints a smaller log after the answers.
 */
const CHECKPOINT_PAGES = 4000

/**
 * Bytes of the log's file that are kept for reuse. While a backup reads, the log cannot begin anew:
 * it grows by all that is written meanwhile.
 */
const LARGEST_LOG = 16 * 2 ** 20

/** The copy that a restore prepares before it replaces the file at `path`. */
export const restoringOf = (path: string): string => `${path}.restoring`

/**
 * The file that a link at `path` leads to, whether it is there or not: SQLite keeps the log beside
 * the file itself, and what a restore sets aside and prepares must be there, too. A path that is no
 * link stays as it is.
 */
export function fileItself(path: string): string {
  if (!isLink(path)) return path
  return isMissing(path) ? fileItself(targetOf(path)) : realpathSync(path)
}

/**
 * Opens or creates the file and its folder, readable by this user only: it holds names and phone
 * numbers.
 * @throws UnfitDatabase
 */
export function openSqlite(path: string): Database.Database {
  return namingFile(path, () => {
    if (path !== ':memory:') {
      const file = fileItself(path)
      if (isMissing(file) && !isMissing(restoringOf(file)))
        throw new UnfitDatabase('damaged', `${file} is not there: a restore was cut short. Restore again.`)
      makeFolder(dirname(path))
      // Only a file that is missing: to close one that this process has open would drop its locks.
      if (isMissing(path)) closeSync(openSync(path, 'a', 0o600))
      else refuseUnusable(path)
    }
    return checked(new Database(path, { timeout: 5000 }), presentSchema)
  })
}

/** Opens an existing file that has the schema of this release. @throws UnfitDatabase */
export function openKnown(path: string): Database.Database {
  return namingFile(path, () => {
    refuseUnusable(path)
    return checked(new Database(path, { timeout: 5000, fileMustExist: true }), checkSqlite)
  })
}

function refuseUnusable(path: string): void {
  // SQLite opens a read-only file without complaint and fails only at the first write.
  accessSync(path, constants.R_OK | constants.W_OK)
  refuseMountedAlone(path)
}

/** Opens or creates the file, and migrates its schema. */
export function openMigrated(path: string): Database.Database {
  const database = openSqlite(path)
  return closingOnError(database, () => namingFile(path, () => migrateSqlite(database)))
}

/** Runs `check` before any pragma: another program's file must not be changed. */
function checked(database: Database.Database, check: (database: Database.Database) => unknown): Database.Database {
  return closingOnError(database, () => {
    check(database)
    withPragmas(database)
  })
}

/** Returns the database when the work is done; closes it when the work throws. */
function closingOnError(database: Database.Database, work: () => unknown): Database.Database {
  try {
    work()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * The schema of an existing file, 0 before the first migration. Changes nothing.
 * @throws UnfitDatabase, also when the file was carried over to PostgreSQL
 */
export function schemaOfFile(path: string): number {
  return namingFile(path, () => {
    accessSync(path, constants.R_OK)
    const database = new Database(path, { timeout: 5000, fileMustExist: true, readonly: true })
    try {
      refuseForeign(database)
      refuseMoved(database)
      return schemaOf(database)
    } finally {
      database.close()
    }
  })
}

/** Another program has the file open; nothing was changed. The message is meant for a person. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
  constructor(path: string) {
    super(`${path} is in use. Stop the companion first; nothing was changed.`)
  }
}

/**
 * Opens the file exclusively, with its log checkpointed. Nobody else can open it until it is
 * closed.
 * @throws DatabaseInUse
 */
export function openExclusive(path: string): Database.Database {
  const database = new Database(path, { timeout: 0, fileMustExist: true })
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    // Leaving WAL mode needs every lock: a single other open connection makes it fail.
    database.pragma('journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE; COMMIT')
  } catch (error) {
    database.close()
    throw isBusy(error) ? new DatabaseInUse(path) : error
  }
  if (!existsSync(`${path}-wal`)) return database
  database.close()
  throw new DatabaseInUse(path)
}

function withPragmas(database: Database.Database): void {
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('trusted_schema = OFF')
  database.pragma('temp_store = MEMORY')
  // Overwrites erased data with zeros: payer details must not stay readable in the file and its
  // copies.
  database.pragma('secure_delete = ON')
  database.pragma('cache_size = -16384')
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  database.pragma(`journal_size_limit = ${LARGEST_LOG}`)
}
