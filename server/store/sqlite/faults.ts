// Why a SQLite file cannot be used: turns error codes of the system and of SQLite into a sentence
// that says what to do.
import { accessSync, constants, lstatSync, readlinkSync, realpathSync, statSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf } from '../../platform/error-code.ts'
import { UnfitDatabase } from '../schema/unfit-database.ts'

/** False also when the path cannot be examined: opening it will say why. */
export function isMissing(path: string): boolean {
  try {
    statSync(path)
    return false
  } catch (error) {
    return codeOf(error) === 'ENOENT'
  }
}

/**
 * Returns the result of `work` on the file at `path`.
 * @throws UnfitDatabase when it fails because of the file.
 */
export function namingFile<Done>(path: string, work: () => Done): Done {
  try {
    return work()
  } catch (error) {
    throw unfitFile(path, error) ?? error
  }
}

/** Twice what a new database takes with its log. */
const ROOM_BYTES = 1_000_000

/**
 * Checks that this user may create the file at `path` and any missing parent folders, and that its
 * disk has room for it.
 * @throws UnfitDatabase
 */
export function mustBeCreatable(path: string): void {
  const link = deadLink(path)
  if (link !== undefined) throw new UnfitDatabase('inaccessible', `${path} ${leadsNowhere(link)}`)
  const folder = nearestFolder(path)
  namingFile(path, () => accessSync(folder, constants.W_OK | constants.X_OK))
  const { bavail, bsize, blocks } = statfsSync(folder)
  // A file system that counts no blocks says nothing of its room.
  if (blocks > 0 && bavail * bsize < ROOM_BYTES)
    throw new UnfitDatabase('inaccessible', `${path} cannot be made: its disk is full.`)
}

/** The innermost folder of the path that is there. */
export function nearestFolder(path: string): string {
  const folder = dirname(resolve(path))
  return isMissing(folder) ? nearestFolder(folder) : folder
}

/** Undefined for a fault that is not the file's. */
function unfitFile(path: string, error: unknown): UnfitDatabase | undefined {
  const code = codeOf(error)
  const unfit = (kind: UnfitDatabase['kind'], says: string) => new UnfitDatabase(kind, `${path} ${says}`, error)
  if (code === 'SQLITE_NOTADB')
    return unfit('foreign', 'is no SQLite database. Point HC_DATABASE_URL at a file of its own, or restore a backup.')
  if (code.startsWith('SQLITE_CORRUPT'))
    return unfit('damaged', 'is damaged. Stop the companion, keep the file, and restore a backup.')
  // SQLite has no error code of its own for this.
  if (code !== '' && isFolder(path)) return unfit('misnamed', 'is a folder. HC_DATABASE_URL must name a file.')
  const link = code === 'ENOENT' || code === 'EEXIST' ? deadLink(path) : undefined
  if (link !== undefined) return unfit('inaccessible', leadsNowhere(link))
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return unfit('misnamed', 'cannot be: a part of its path is a file, no folder. Look at HC_DATABASE_URL.')
  if (code === 'EROFS') return unfit('inaccessible', 'is on a disk that is mounted for reading only.')
  if (/^(EACCES|EPERM|ENOENT|SQLITE_(CANTOPEN|READONLY|PERM))/.test(code))
    return unfit(
      'inaccessible',
      `cannot be opened (${code}): it and its folder must be there, and the user who runs this must ` +
        'have the right to read and write both.',
    )
  if (/^(ENOSPC|EDQUOT|EIO|SQLITE_(FULL|IOERR))/.test(code))
    return unfit('inaccessible', `cannot be written (${code}): its disk is full or failing.`)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return unfit('inaccessible', 'is held by another program. End that, or wait for it.')
  return undefined
}

/**
 * The link in the path that keeps a file from being made there: what it leads to may be on a disk
 * that is not mounted yet, so no folder is made for it.
 */
function deadLink(path: string): string | undefined {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if (!isLink(at) || !isMissing(at)) continue
    // The file itself may be missing where it leads, its folder not.
    if (at !== path || isMissing(dirname(targetOf(at)))) return at
  }
  return undefined
}

/** Where a link leads, whether anything is there or not; the folders before it are followed. */
export const targetOf = (link: string): string => resolve(realpathSync(dirname(link)), readlinkSync(link))

const leadsNowhere = (link: string): string =>
  `cannot be opened: the link ${link} leads to ${targetOf(link)}, which is not there. Is the disk of that mounted?`

/** False also below a file. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
