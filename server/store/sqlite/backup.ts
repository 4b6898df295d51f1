// Backs up a SQLite file while it is in use, and restores such a backup in place of a damaged or
// lost file.
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { codeOf } from '../../platform/error-code.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { APPLICATION_ID, migrateSqlite, moveOf, schemaOf, setMeta } from './migrate.ts'
import { newestMigration } from '../schema/migrations.ts'
import { isBusy, rebuildOnce } from './erasure.ts'
import { isMissing, namingFile } from './faults.ts'
import { DatabaseInUse, fileItself, openExclusive, restoringOf, schemaOfFile } from './file.ts'

/** Suffixes of the files that SQLite keeps beside the database. */
const LOGS = ['-wal', '-shm', '-journal']

/** Why a backup or restore was not done; the message is meant for a person. */
class BackupError extends Error {
  override readonly name = 'BackupError'
}

/**
 * Copies the database at `source`, in use or not, to the new file `target`. Succeeds only after the
 * whole copy has been read and checked.
 * @throws BackupError, or UnfitDatabase when the source is unfit
 */
export async function backupSqlite(source: string, target: string): Promise<{ bytes: number; deposits: number }> {
  if (isMissing(source)) throw new BackupError(`${source} is not there; nothing was copied.`)
  schemaOfFile(source)
  if (existsSync(target)) throw new BackupError(`${target} is there already and is not overwritten.`)
  if (!existsSync(dirname(target)))
    throw new BackupError(`The folder ${dirname(target)} is not there; nothing was copied.`)
  const part = `${target}.part`
  try {
    rmSync(part, { force: true })
    // It holds names and phone numbers.
    closeSync(openSync(part, 'wx', 0o600))
  } catch (error) {
    throw new BackupError(
      `${target} cannot be written (${codeOf(error)}): the user who runs this must have the right to ` +
        'write into its folder. Nothing was copied.',
      { cause: error },
    )
  }
  try {
    const database = new Database(source, { readonly: true, fileMustExist: true, timeout: 10_000 })
    try {
      // The copy takes it over: otherwise its root pages keep the first rows as they were before
      // the tables grew, and no erasure finds them there.
      database.pragma('secure_delete = ON')
      // One read transaction, concurrent with all writers. VACUUM copies row by row instead of page
      // by page, so erased data on free pages is not copied.
      database.prepare('VACUUM INTO ?').run(part)
    } finally {
      database.close()
    }
    const deposits = inspect(part, source)
    syncToDisk(part)
    renameSync(part, target)
    syncToDisk(dirname(target))
    return { bytes: statSync(target).size, deposits }
  } catch (error) {
    for (const end of ['', '-wal', '-shm']) rmSync(part + end, { force: true })
    const code = codeOf(error)
    if (!/^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(code)) throw error
    throw new BackupError(
      `${target} cannot be written (${code}): its disk is full. A backup needs as much room as ` +
        `${source}. Nothing is left of it.`,
      { cause: error },
    )
  }
}

export interface RestoreResult {
  readonly deposits: number
  /** Where the previous file is now. */
  readonly setAside?: string
}

/**
 * Restores the backup to `path`, or where a link there leads; the present database is set aside,
 * not deleted. Marks the file as restored, so that the companion asks the service about the last 30
 * days before it reports ready.
 * @throws BackupError when the backup is incomplete or not ours, or the present database was
 * carried over to PostgreSQL; DatabaseInUse, or UnfitDatabase when nothing can be written there
 */
export function restoreSqlite(backup: string, path: string, now: number): RestoreResult {
  if (!existsSync(backup)) throw new BackupError(`${backup} is not there.`)
  if (statSync(backup).isDirectory()) throw new BackupError(`${backup} is a folder: name the file of the backup.`)
  // SQLite keeps the log beside the file itself, not beside a link to it.
  const log = ['-wal', '-journal']
    .map((end) => realpathSync(backup) + end)
    .find((file) => existsSync(file) && statSync(file).size > 0)
  if (log !== undefined)
    throw new BackupError(
      `${backup} is no backup: a part of it is still in ${log}. Let HC_DATABASE_URL name it, and make a backup of it.`,
    )
  return namingFile(path, () => {
    // Not that of a link's target: it may be a volume that is not mounted.
    makeFolder(dirname(path))
    return putInPlace(backup, fileItself(path), now)
  })
}

/**
 * A restored file would have the payments that PostgreSQL has, and companions could start on both.
 */
function refuseInPlaceOfMoved(held: Database.Database, path: string): void {
  const move = moveOf(held)
  if (move === undefined) return
  throw new BackupError(
    `${path} was ${move}: a companion on a restored file would have the same payments as that. Let HC_DATABASE_URL ` +
      'name PostgreSQL. Only if that is given up for good, move this file away, and restore again.',
  )
}

function putInPlace(backup: string, path: string, now: number): RestoreResult {
  const copy = restoringOf(path)
  // Stays when this restore fails: without what one that was cut short has left, a start would take
  // the missing file for a new installation.
  const stays = existsSync(copy) && (isMissing(path) || realpathSync(backup) === realpathSync(copy))
  const setAside = `${path}.before-restore-${new Date(now).toISOString().replaceAll(':', '')}`
  let deposits: number
  let former: readonly string[]
  let held: Database.Database | undefined
  try {
    for (const end of LOGS) rmSync(copy + end, { force: true })
    copyFileSync(backup, copy)
    chmodSync(copy, 0o600)
    copyOwner(existsSync(path) ? path : dirname(path), copy)
    deposits = inspect(copy, backup)
    markRestored(copy, now)
    syncToDisk(copy)
    // Held until it is set aside: a companion that is started meanwhile would go on writing to the
    // former file.
    if (canDo(path, 'SELECT 1 FROM sqlite_schema')) held = openExclusive(path)
    // Without a schema it cannot be held. This lock needs none, and fails while another program has
    // the file open.
    else canDo(path, 'PRAGMA locking_mode = EXCLUSIVE', 'BEGIN EXCLUSIVE')
    if (held !== undefined) refuseInPlaceOfMoved(held, path)
    former = held ? [''] : ['', ...LOGS].filter((end) => existsSync(path + end))
    if (former.some((end) => existsSync(setAside + end))) throw new BackupError(`${setAside} is there already.`)
  } catch (error) {
    held?.close()
    for (const end of LOGS) rmSync(copy + end, { force: true })
    // A copying that fails removes the file.
    if (stays) closeSync(openSync(copy, 'a', 0o600))
    else rmSync(copy, { force: true })
    throw error
  }
  // From here on the copy stays, whatever fails: without it a start would take the missing file for
  // a new installation. The old log moves away too, even when its file is unreadable or lost:
  // SQLite would replay it into the restored one, and a specialist may need it.
  try {
    for (const end of former) renameSync(path + end, setAside + end)
  } finally {
    held?.close()
  }
  try {
    renameSync(copy, path)
  } catch (error) {
    const before = former.length === 0 ? '' : `the former database is ${setAside} now, and `
    throw new BackupError(
      `${path} is not there (${codeOf(error)}): ${before}the restored one is ready as ${copy}. Do not ` +
        'start the companion; restore again.',
      { cause: error },
    )
  }
  syncToDisk(dirname(path))
  return { deposits, ...(former.length === 0 ? {} : { setAside }) }
}

/**
 * Gives `file` the owner of `example`: root may be restoring a file that the companion's user must
 * open.
 */
function copyOwner(example: string, file: string): void {
  const { uid, gid } = statSync(example)
  try {
    chownSync(file, uid, gid)
  } catch (error) {
    // Only root may change the owner. Without that right, the companion's user is the one who
    // restores.
    if (codeOf(error) !== 'EPERM') throw error
  }
}

/**
 * Reads every page and returns the number of deposits. `name`: the file name to use in messages.
 */
function inspect(path: string, name: string): number {
  let database: Database.Database | undefined
  try {
    database = new Database(path, { fileMustExist: true })
    if (Number(database.pragma('application_id', { simple: true })) !== APPLICATION_ID)
      throw new BackupError(`${name} is not a database of hc-checkout.`)
    const schema = schemaOf(database)
    if (schema > newestMigration)
      throw new BackupError(
        `${name} has schema ${schema}, this release knows ${newestMigration}: use the newer release.`,
      )
    const verdict = String(database.pragma('integrity_check', { simple: true }))
    if (verdict !== 'ok') throw new BackupError(`${name} is damaged: ${verdict}`)
    return Number(database.prepare('SELECT count(*) FROM deposits').pluck().get())
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${name} cannot be read as a database; it is damaged or something else.`, { cause: error })
  } finally {
    database?.close()
  }
}

function markRestored(path: string, now: number): void {
  const database = new Database(path)
  try {
    // Before it migrates and rebuilds, which leave remains too.
    database.pragma('secure_delete = ON')
    migrateSqlite(database)
    rebuildOnce(database)
    setMeta(database, 'restored_at', String(now))
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}

/**
 * Whether the file can do all this; not where it is lost or unreadable.
 * @throws DatabaseInUse when another program stands in the way
 */
function canDo(path: string, ...statements: readonly string[]): boolean {
  let database: Database.Database | undefined
  try {
    database = new Database(path, { fileMustExist: true, timeout: 0 })
    for (const statement of statements) database.exec(statement)
    return true
  } catch (error) {
    if (isBusy(error)) throw new DatabaseInUse(path)
    return false
  } finally {
    database?.close()
  }
}

function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
