// A full or failing disk: nothing is acknowledged that is not written, and the store says what is
// wrong.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore } from '../../server/store/engine/create-store.ts'
import { openStore } from '../../server/store/open.ts'
import { openKnown, openMigrated } from '../../server/store/sqlite/file.ts'
import { sqliteEngine } from '../../server/store/sqlite/sqlite.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-faults-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Writes until not even a small fact fits; answers the ids of the deposits that were acknowledged.
 */
async function fillUp(store: Store): Promise<string[]> {
  const kept: string[] = []
  for (;;) {
    const rows = Array.from({ length: 20 }, () => depositRecord({ description: 'x'.repeat(2000) }))
    const outcomes = await Promise.allSettled(rows.map((row) => store.apply(creation(row))))
    outcomes.forEach(({ status }, i) => {
      if (status === 'fulfilled') kept.push(rows[i]?.id ?? '')
    })
    if (outcomes.every(({ status }) => status === 'fulfilled')) continue
    // One transaction: all of the group or none.
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    break
  }
  for (let i = 0; ; i++) {
    try {
      await store.setMeta(`small-${i}`, 'x'.repeat(100))
    } catch {
      return kept
    }
  }
}

test('a file that is moved or deleted under the store is told by its ping, and written to on', async () => {
  const path = join(folder, 'hc.db')
  const store = await openStore(`file:${path}`)
  await store.ping()
  renameSync(path, join(folder, 'moved.db'))
  const away = { code: 'store_unavailable', detail: expect.stringContaining(`${path} is not in its place any more`) }
  await expect(store.ping()).rejects.toMatchObject(away)
  const row = depositRecord()
  expect(await store.apply(creation(row))).toEqual({ applied: true })
  renameSync(join(folder, 'moved.db'), path)
  await store.ping()
  rmSync(path)
  await expect(store.ping()).rejects.toMatchObject(away)
  await store.close()
  const inMemory = await openStore('file::memory:')
  await inMemory.ping()
  await inMemory.close()
})

test('a program that goes to another folder takes its file along by its whole path', async () => {
  const before = process.cwd()
  process.chdir(folder)
  const store = createStore(sqliteEngine({ path: 'hc.db' }))
  process.chdir(before)
  await store.ping()
  await store.close()
})

test('a full database refuses writes, keeps what was acknowledged, and goes on when there is room', async () => {
  // The limit is one of this connection alone.
  const engine = sqliteEngine({ path: join(folder, 'hc.db') })
  const store = createStore(engine)
  const pages = Number(engine.database.pragma('page_count', { simple: true }))
  engine.database.pragma(`max_page_count = ${pages + 200}`)
  const kept = await fillUp(store)
  expect(kept.length).toBeGreaterThan(20)
  await expect(store.apply(creation(depositRecord({ description: 'x'.repeat(9000) })))).rejects.toMatchObject({
    code: 'store_unavailable',
    detail: expect.stringContaining('SQLITE_FULL') as string,
  })
  for (const id of kept) expect(await store.deposit(id)).toBeDefined()
  engine.database.pragma('max_page_count = 1000000')
  await store.ping()
  expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
  await store.close()
})

test('a full database is told by its ping, though a page of it finds room, until a payment has room again', async () => {
  const engine = sqliteEngine({ path: join(folder, 'hc.db') })
  const store = createStore(engine)
  const pages = Number(engine.database.pragma('page_count', { simple: true }))
  await store.ping()
  engine.database.pragma(`max_page_count = ${pages + 2}`)
  // What fits into the pages that are there says nothing about what a payment needs.
  await store.ping()
  await expect(store.apply(creation(depositRecord({ description: 'x'.repeat(30_000) })))).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  for (let i = 0; i < 3; i++) await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
  engine.database.pragma('max_page_count = 1000000')
  await store.ping()
  // Nor does it go on writing so much.
  await store.ping()
  expect(await store.meta('ping')).toBe('written')
  await store.close()
})

const canMount = process.platform === 'linux' && process.getuid?.() === 0

test.skipIf(!canMount)('a disk without space (a real one, mounted by root)', async ({ skip }) => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk])
  if (mounted.status !== 0) skip('This machine lets nobody mount a file system.')
  let store: Store | undefined
  try {
    store = await openStore(`file:${join(disk, 'hc.db')}`)
    const kept = await fillUp(store)
    expect(kept.length).toBeGreaterThan(20)
    await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
    await store.close()
    execFileSync('mount', ['-o', 'remount,size=16m', disk])
    store = await openStore(`file:${join(disk, 'hc.db')}`)
    for (const id of kept) expect(await store.deposit(id)).toBeDefined()
    expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
  } finally {
    await store?.close()
    execFileSync('umount', [disk])
  }
})

test('a file that the system lets grow no further: the process stops writing, and keeps what it acknowledged', async () => {
  const program = join(import.meta.dirname, '../crash/program.ts')
  const url = `file:${join(folder, 'hc.db')}`
  // The limit is a signal by default; ignored, it is an error of the write.
  const script = `trap '' XFSZ; ulimit -f 1024; exec "${process.execPath}" --conditions=hc-source "${program}"`
  const { status } = spawnSync('sh', ['-c', script], {
    env: { ...process.env, NODE_OPTIONS: '', HC_DATABASE_URL: url, HC_ACKS: join(folder, 'acks'), HC_LIVES: '10' },
    encoding: 'utf8',
    timeout: 150_000,
  })
  expect(status).not.toBe(0)
  expect(status).not.toBeNull()
  const store = await openStore(url)
  const lines = readFileSync(join(folder, 'acks'), 'utf8').split('\n')
  const created = lines.filter((line) => line.endsWith(' created')).map((line) => line.split(' ')[0] ?? '')
  expect(created.length).toBeGreaterThan(10)
  for (const id of created) expect(await store.deposit(id)).toBeDefined()
  await store.close()
})

test('a file that another program holds for long is told as such, and used again afterwards', async () => {
  const path = join(folder, 'hc.db')
  const engine = sqliteEngine({ path })
  engine.database.pragma('busy_timeout = 50')
  const store = createStore(engine)
  const other = new Database(path)
  other.exec('BEGIN IMMEDIATE')
  await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
  other.exec('COMMIT')
  other.close()
  expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
  await store.close()
})

test('whoever opens the file waits until the disk has what is acknowledged', () => {
  for (const open of [openMigrated, openKnown]) {
    const database = open(join(folder, 'hc.db'))
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
    // 2: FULL. With NORMAL a power failure would take what was written last.
    expect(database.pragma('synchronous', { simple: true })).toBe(2)
    database.close()
  }
})

test('the database file is readable by its owner only', async () => {
  const store = await openStore(`file:${join(folder, 'deep', 'hc.db')}`)
  await store.apply(creation(depositRecord()))
  const files = readdirSync(join(folder, 'deep'))
  expect(files).toEqual(expect.arrayContaining(['hc.db', 'hc.db-wal', 'hc.db-shm']))
  for (const file of files) expect(statSync(join(folder, 'deep', file)).mode & 0o077, file).toBe(0)
  await store.close()
})

test('a file name with a bare % is meant as it stands', async () => {
  await (await openStore(`file:${join(folder, '100%.db')}`)).close()
  expect(existsSync(join(folder, '100%.db'))).toBe(true)
})
