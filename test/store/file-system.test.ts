// A SQLite file on a disk that will not be kept: the companion says so at its start, and doctor
// before it.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { openCompanion } from '../../server/open-companion.ts'
import { diskFault, openStore } from '../../server/store/open.ts'
import { openMigrated, openSqlite } from '../../server/store/sqlite/file.ts'
import { lossBy } from '../../server/store/sqlite/file-system.ts'
import { environment } from '../helpers/create-test-system.ts'
import { doctor } from '../ops/run-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-file-system-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Mounted by the system itself on each Linux. */
const MEMORY = '/dev/shm'
const isLinux = process.platform === 'linux'
const hasMemory = isLinux && existsSync(MEMORY)

function inMemory(): string {
  const made = mkdtempSync(join(MEMORY, 'hc-'))
  afterAll(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const live = (database: string): Record<string, string> => ({
  ...environment(folder),
  HC_AUTH_URL: 'https://auth.service.example',
  HC_BASE_URL: 'https://api.service.example',
  HC_CHECKOUT_ORIGINS: 'https://checkout.service.example',
  HC_CONSUMER_KEY: 'ck_of_the_shop',
  HC_PUBLIC_URL: 'https://pay.shop.example',
  HC_DATABASE_URL: database,
})

/** What the log of one start says about the database. */
async function saidAtStart(env: Record<string, string>): Promise<string[]> {
  const said: string[] = []
  const warn = ({ name }: { readonly name?: string }, what = '') => {
    if (name === 'HC_DATABASE_URL') said.push(what)
  }
  const { close } = await openCompanion(env, { logger: { ...silentLogger, warn } })
  await close()
  return said
}

test.each([
  ['overlayfs', 0x794c7630, 'file system of a container'],
  ['tmpfs', 0x01021994, 'in memory'],
  ['ramfs', 0x858458f6, 'in memory'],
  ['NFS', 0x6969, 'network share'],
  ['SMB', 0x517b, 'network share'],
  ['SMB 2', 0xfe534d42, 'network share'],
  ['CIFS', 0xff534d42, 'network share'],
])('a file on %s is said not to be kept', (_name, type, says) => {
  expect(lossBy(type)).toContain(says)
})

test.each([
  ['ext4', 0xef53],
  ['XFS', 0x58465342],
  ['btrfs', 0x9123683e],
  ['ZFS', 0x2fc12fc1],
])('nothing is said of a file on %s', (_name, type) => {
  expect(lossBy(type)).toBeUndefined()
})

test('nothing is said of PostgreSQL, nor of a database in the memory of a test', () => {
  expect(diskFault('postgres://hc@127.0.0.1/hc')).toBeUndefined()
  expect(diskFault('file::memory:')).toBeUndefined()
})

test.skipIf(!hasMemory)('a live companion says that its disk is memory, and what to do', async () => {
  const path = join(inMemory(), 'not', 'yet', 'hc.db')
  const env = live(`file:${path}`)
  const loss = expect.stringMatching(/hc\.db is in memory \(tmpfs\)\. .*Put it on a volume/)
  expect(await saidAtStart(env)).toEqual([loss, expect.stringContaining(`${path} was not there: a new, empty`)])
  expect(await saidAtStart(env)).toEqual([loss])
})

test.skipIf(!hasMemory)('doctor warns of it, whether the database is there or not', async () => {
  const path = join(inMemory(), 'hc.db')
  const env = live(`file:${path}`)
  const unreachable = { fetch: () => Promise.reject(new TypeError('fetch failed')) }
  const database = async () =>
    (await doctor(env, unreachable)).checks.filter(({ name }) => name === 'database').map(({ state }) => state)
  expect(await database()).toEqual(['skip', 'warn'])
  expect(existsSync(path)).toBe(false)
  await saidAtStart(env)
  expect(await database()).toEqual(['ok', 'warn'])
})

test.skipIf(!hasMemory)('nothing is said of test payments: nobody minds their loss', async () => {
  expect(await saidAtStart({ ...environment(folder), HC_DATABASE_URL: `file:${join(inMemory(), 'hc.db')}` })).toEqual(
    [],
  )
})

test.skipIf(!isLinux || process.getuid?.() !== 0)(
  'the file system of a container is known (a real overlay, mounted by root)',
  async ({ skip }) => {
    const [lower, upper, work, merged] = ['lower', 'upper', 'work', 'merged'].map((name) => join(folder, name))
    for (const part of [lower, upper, work, merged]) mkdirSync(part as string)
    const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work}`
    if (spawnSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, merged as string]).status !== 0)
      skip('This machine lets nobody mount an overlay.')
    try {
      const path = join(merged as string, 'hc.db')
      const says = `${path} is in the file system of a container. The next deployment takes it away`
      expect((await saidAtStart(live(`file:${path}`)))[0]).toContain(says)
      // A volume in it is another file system.
      const volume = join(merged as string, 'volume')
      mkdirSync(volume)
      execFileSync('mount', ['--bind', upper as string, volume])
      expect(diskFault(`file:${join(volume, 'hc.db')}`)).toBe(diskFault(`file:${join(upper as string, 'hc.db')}`))
      execFileSync('umount', [volume])
    } finally {
      execFileSync('umount', [merged as string])
    }
  },
)

test.skipIf(!isLinux || process.getuid?.() !== 0)(
  'a file that is mounted without its folder is refused, by doctor too, and its folder is taken (a real mount)',
  async ({ skip }) => {
    const [disk, container] = ['disk', 'a container'].map((name) => join(folder, name)) as [string, string]
    for (const part of [disk, container]) mkdirSync(part)
    const [file, inside] = [join(disk, 'hc.db'), join(container, 'hc.db')]
    writeFileSync(inside, '')
    await saidAtStart(live(`file:${file}`))
    if (spawnSync('mount', ['--bind', file, inside]).status !== 0) skip('This machine lets nobody mount a file.')
    const refused = `${inside} is mounted without its folder.`
    try {
      await expect(openStore(`file:${inside}`)).rejects.toThrow(refused)
      await expect(openStore(`file:${inside}`, { migrate: false })).rejects.toMatchObject({ kind: 'alone' })
      const unreachable = { fetch: () => Promise.reject(new TypeError('fetch failed')) }
      const { checks } = await doctor(live(`file:${inside}`), unreachable)
      const database = checks.find(({ name }) => name === 'database')
      expect(database?.state).toBe('fail')
      expect(JSON.stringify(database)).toContain(refused)
      expect(existsSync(`${inside}-wal`)).toBe(false)
    } finally {
      execFileSync('umount', [inside])
    }
    execFileSync('mount', ['--bind', disk, container])
    try {
      await (await openStore(`file:${inside}`)).close()
    } finally {
      execFileSync('umount', [container])
    }
  },
)

test.skipIf(!isLinux)('to open a file once more drops no lock that the process holds on it', async () => {
  const path = join(folder, 'locked.db')
  const held = openMigrated(path)
  held.exec('BEGIN IMMEDIATE')
  const locks = (): number => {
    const inode = statSync(`${path}-shm`).ino
    const files = [statSync(path).ino, inode]
    return readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .filter((line) => files.some((one) => line.includes(`:${one} `))).length
  }
  const before = locks()
  expect(before).toBeGreaterThan(0)
  const second = openSqlite(path)
  second.close()
  expect(locks()).toBe(before)
  held.exec('COMMIT')
  held.close()
})
