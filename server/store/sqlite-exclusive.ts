// Opens a SQLite file that no other program has open.
import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isBusy } from './sqlite-erasure.ts'

/** Another program has the file open; nothing was changed. The message is meant for a person. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
  constructor(path: string) {
    super(`${path} is in use. Stop the companion first; nothing was changed.`)
  }
}

/**
 * Opens the file exclusively, with its log checkpointed. Nobody else can open it until it is closed.
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
