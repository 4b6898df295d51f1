// Whether the file system under a SQLite file keeps it, and its log beside it.
import { readFileSync, realpathSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { UnfitDatabase } from '../schema/unfit-database.ts'
import { isMissing, nearestFolder } from './faults.ts'

const REMEDY = 'Put it on a volume or a local disk that stays, or use PostgreSQL.'
const inContainer =
  'is in the file system of a container. The next deployment takes it away, and the payments in progress with it.'
const inMemory =
  'is in memory (tmpfs). The next restart of the machine takes it away, and the payments in progress with it.'
const onShare = 'is on a network share. SQLite cannot rely on its locks, and payments may be lost.'

/** By the numbers of Linux's `magic.h` (statfs(2)). Other systems have none of these. */
const LOSING: ReadonlyMap<number, string> = new Map([
  [0x794c7630, inContainer], // overlayfs
  [0x01021994, inMemory], // tmpfs
  [0x858458f6, inMemory], // ramfs
  [0x6969, onShare], // NFS
  [0x517b, onShare], // SMB
  [0xfe534d42, onShare], // SMB 2
  [0xff534d42, onShare], // CIFS
])

/** What is wrong with a file system of this type, as one sentence or two behind the file's path. */
export const lossBy = (type: number): string | undefined => LOSING.get(type)

/**
 * What a person should know of the disk under the SQLite file at `path`, which need not be there
 * yet; undefined where nothing speaks against it.
 */
export function lossAt(path: string): string | undefined {
  if (path === ':memory:') return undefined
  try {
    const loss = lossBy(statfsSync(isMissing(path) ? nearestFolder(path) : path).type)
    return loss && `${path} ${loss} ${REMEDY}`
  } catch {
    // To open it will say why.
    return undefined
  }
}

/** Of this process, as Linux lists them; elsewhere none is known. */
function mountPoints(): readonly string[] {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    // The fifth part, with white space and backslashes as octal numbers (proc_pid_mountinfo(5)).
    const octal = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 8))
    return lines.map((line) => (line.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, octal))
  } catch {
    return []
  }
}

/**
 * SQLite keeps the newest payments in a log beside the file. Where the file alone is mounted into a
 * container, the log goes with the container; and two containers have two logs for one file, see
 * none of each other's payments, and destroy it.
 *
 * @throws UnfitDatabase
 */
export function refuseMountedAlone(path: string): void {
  const file = realpathSync(path)
  if (!mountPoints().includes(file)) return
  throw new UnfitDatabase(
    'alone',
    `${file} is mounted without its folder. SQLite keeps the newest payments in a file beside it, which would be ` +
      `lost with this container. Mount the folder ${dirname(file)} in place of the file, with all that lies in it.`,
  )
}
