// What is erased from a SQLite file cannot be found in the file, its WAL or a later backup; a file
// of an earlier release is rebuilt once.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backupSqlite, restoreSqlite } from '../../server/store/sqlite/backup.ts'
import { createStore } from '../../server/store/engine/create-store.ts'
import { openSqlite } from '../../server/store/sqlite/file.ts'
import { sqliteEngine, sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import { runCommand } from '../../server/cli/run-command.ts'
import { rebuildOnce, rebuildSmall } from '../../server/store/sqlite/erasure.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { creation, depositRecord, inboxRecord, sessionRecord, START } from '../helpers/deposit-record.ts'

/** Instead of a pause of a command. */
let paused: (() => void) | undefined
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>()
  return { ...timers, setTimeout: async (ms: number) => (paused === undefined ? timers.setTimeout(ms) : paused()) }
})

const PEOPLE = 300
const LATER = START + 1_000_000

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-erasure-'))
  path = join(folder, 'hc.db')
})
afterEach(() => {
  paused = undefined
  rmSync(folder, { recursive: true, force: true })
})

const nameOf = (i: number) => `Person${i}X`
const phoneOf = (i: number) => `2547001${String(i).padStart(5, '0')}`

const payer = { name: nameOf(7), phone: phoneOf(7) }
const over = { phase: 'succeeded', settledAt: START + 1 } as const
const old = { expiresAt: START + 1, payer }

/** Runs the command for person 7. */
async function forget(): Promise<{ code: number; said: string }> {
  const said: string[] = []
  const tell = (line: string) => void said.push(line)
  const code = await runCommand(['forget', phoneOf(7)], {
    env: { HC_DATABASE_URL: `file:${path}` },
    out: tell,
    err: tell,
    fetch,
    now: Date.now,
    stopped: () => new Promise(() => {}),
  })
  return { code, said: said.join(' ') }
}

/** Payments that are over, their callbacks and sessions, each of another person. */
async function people(store: Store): Promise<void> {
  const written = Array.from({ length: PEOPLE }, (_, i) => {
    const payer = { name: nameOf(i), phone: phoneOf(i) }
    const row = depositRecord({ phase: 'succeeded', settledAt: START + 1, createdAt: START + i, payer })
    const body = Buffer.from(JSON.stringify({ acc_name: nameOf(i) }))
    const inbox = inboxRecord({ reference: row.reference, depositId: row.id, body })
    return store.apply({ ...creation(row), inbox, session: sessionRecord({ expiresAt: START + 1, payer }) })
  })
  await Promise.all(written)
}

/** Each file of the folder, with how many names can be read in its bytes. */
function namesIn(): Record<string, number> {
  const found: Record<string, number> = {}
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file)).toString('latin1')
    found[file] = Array.from({ length: PEOPLE }, (_, i) => nameOf(i)).filter((name) => bytes.includes(name)).length
  }
  return found
}

test('what was purged is in no file of the database, open or closed, nor in a backup', async () => {
  const store = sqliteStore({ path })
  await people(store)
  expect(Object.values(namesIn())).toContain(PEOPLE)
  expect(await store.purgePayers(LATER)).toBe(PEOPLE)
  expect(await store.purgeOld(LATER)).toBe(PEOPLE)
  expect(Object.values(namesIn()).every((names) => names === 0)).toBe(true)
  await backupSqlite(path, join(folder, 'backup.db'))
  await store.close()
  expect(namesIn()).toEqual({ 'hc.db': 0, 'backup.db': 0 })
})

test.each<[string, (store: Store) => Promise<unknown>, (store: Store) => Promise<unknown>]>([
  [
    'a payment and a session',
    (store) => store.apply({ ...creation(depositRecord({ ...over, payer })), session: sessionRecord(old) }),
    (store) => store.purgePayers(LATER),
  ],
  ['a session', (store) => store.apply({ session: sessionRecord(old) }), (store) => store.purgePayers(LATER)],
  [
    'a callback',
    (store) => store.apply({ inbox: inboxRecord({ body: Buffer.from(nameOf(7)) }) }),
    (store) => store.purgeOld(LATER),
  ],
  [
    'a session of a phone number',
    (store) => store.apply({ session: sessionRecord(old) }),
    (store) => store.forgetPhone(payer.phone),
  ],
])('%s, erased alone, is in no file', async (_what, write, erase) => {
  const store = sqliteStore({ path })
  await write(store)
  expect(Object.values(namesIn())).toContain(1)
  await erase(store)
  expect(Object.values(namesIn()).every((names) => names === 0)).toBe(true)
  await store.close()
})

test.each(['this release', 'an early release'])(
  'what is erased after the restore of a backup of %s is not in the restored file',
  async (release) => {
    const store = sqliteStore({ path })
    await people(store)
    const backup = join(folder, 'backup.db')
    await backupSqlite(path, backup)
    await store.close()
    if (release === 'an early release') {
      const early = new Database(backup)
      early.exec(`DELETE FROM meta WHERE key = 'rebuilt'`)
      early.close()
    }
    const { setAside } = restoreSqlite(backup, path, LATER)
    for (const file of [backup, setAside ?? '']) rmSync(file)
    const restored = sqliteStore({ path })
    expect(await restored.purgePayers(LATER)).toBe(PEOPLE)
    expect(await restored.purgeOld(LATER)).toBe(PEOPLE)
    await restored.close()
    expect(namesIn()).toEqual({ 'hc.db': 0 })
  },
)

test('who is forgotten is in no file, while a reader is in the way at the latest after the next erasure', async () => {
  const store = sqliteStore({ path })
  await people(store)
  const reader = new Database(path, { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM deposits').get()
  expect(await store.forgetPhone(phoneOf(7))).toBe(1)
  reader.exec('COMMIT')
  reader.close()
  // Nothing more to forget; what the log still held goes all the same.
  expect(await store.forgetPhone(phoneOf(7))).toBe(0)
  expect(Object.values(namesIn())).toEqual(Object.values(namesIn()).map((names) => (names === 0 ? 0 : PEOPLE - 1)))
  const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file)).toString('latin1')).join('') // prettier-ignore
  expect(bytes).not.toContain(nameOf(7))
  expect(bytes).not.toContain(phoneOf(7))
  expect(bytes).toContain(nameOf(8))
  await store.close()
})

test('forget says that the log still holds a person while another program reads, and finishes when it is run again', async () => {
  const store = sqliteStore({ path })
  await people(store)
  const bytes = () => readdirSync(folder).map((file) => readFileSync(join(folder, file)).toString('latin1')).join('') // prettier-ignore
  const reader = new Database(path, { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM deposits').get()
  paused = () => {}
  expect(await forget()).toEqual({
    code: 1,
    said: expect.stringMatching(/^1 payment has no payer any more\. .*same command again/),
  })
  expect(bytes()).toContain(nameOf(7))
  reader.close()
  expect(await forget()).toEqual({ code: 0, said: '0 payments have no payer any more.' })
  expect(bytes()).not.toContain(nameOf(7))
  await store.close()
})

test('forget waits for a program that reads for a moment only', async () => {
  const store = sqliteStore({ path })
  await people(store)
  const reader = new Database(path, { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM deposits').get()
  paused = () => reader.close()
  expect(await forget()).toEqual({ code: 0, said: '1 payment has no payer any more.' })
  await store.close()
})

test('what was erased before a crash is in no file after the next housekeeping, though that has nothing to erase', async () => {
  const store = sqliteStore({ path })
  await people(store)
  const reader = new Database(path, { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM deposits').get()
  await store.purgePayers(LATER)
  await store.purgeOld(LATER)
  // What a killed process leaves.
  const crashed = join(folder, 'crashed.db')
  for (const end of ['', '-wal']) copyFileSync(path + end, crashed + end)
  reader.close()
  await store.close()
  const again = sqliteStore({ path: crashed })
  expect(namesIn()['crashed.db-wal']).toBe(PEOPLE)
  expect(await again.purgePayers(LATER)).toBe(0)
  expect(Object.values(namesIn()).every((names) => names === 0)).toBe(true)
  await again.close()
})

/** A file as releases without secure_delete left it. */
async function oldFile(): Promise<void> {
  const engine = sqliteEngine({ path })
  engine.database.pragma('secure_delete = OFF')
  engine.database.exec(`DELETE FROM meta WHERE key = 'rebuilt'`)
  const store = createStore(engine)
  await people(store)
  await store.purgePayers(LATER)
  await store.purgeOld(LATER)
  await store.close()
  expect(namesIn()['hc.db']).toBeGreaterThan(0)
}

test('a backup of a file that still has remains has none', async () => {
  await oldFile()
  await backupSqlite(path, join(folder, 'backup.db'))
  expect(namesIn()['backup.db']).toBe(0)
})

test('a file that still has remains is rebuilt by the next start when it is small', async () => {
  await oldFile()
  const engine = sqliteEngine({ path })
  expect(namesIn()['hc.db']).toBe(0)
  const store = createStore(engine)
  expect(await store.payments({ limit: 500 })).toHaveLength(PEOPLE)
  await store.close()
})

test('a start leaves a large file, or one that another process has open, as it is', async () => {
  await oldFile()
  const database = openSqlite(path)
  expect(rebuildSmall(database, 1000)).toBe(false)
  const other = new Database(path)
  // A companion that has nothing to do just now: nobody is in its way, until a rebuilding is.
  other.prepare('SELECT count(*) FROM deposits').get()
  expect(rebuildOnce(database)).toBe('in use')
  expect(rebuildSmall(database)).toBe(false)
  other.prepare(`INSERT INTO meta (key, value) VALUES ('other', 'writes')`).run()
  other.close()
  expect(namesIn()['hc.db']).toBeGreaterThan(0)
  expect(rebuildOnce(database)).toBe('rebuilt')
  expect(rebuildOnce(database)).toBe('clean')
  expect(rebuildSmall(database)).toBe(true)
  // As it was before, for this connection and for others.
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(database.pragma('temp_store', { simple: true })).toBe(2)
  expect(database.pragma('busy_timeout', { simple: true })).toBe(5000)
  expect(process.env['SQLITE_TMPDIR']).toBeUndefined()
  const another = new Database(path)
  expect(another.prepare(`SELECT value FROM meta WHERE key = 'other'`).pluck().get()).toBe('writes')
  another.close()
  database.close()
  expect(namesIn()['hc.db']).toBe(0)
})

test('a file on a full disk is left as it is, and rebuilt once there is room', async () => {
  await oldFile()
  const database = openSqlite(path)
  // SQLite ends at its own limit as it does at the end of the disk. The copy needs more room than
  // the file: one of these rows fills a small page.
  database.exec('CREATE TABLE filler (bytes)')
  const filler = database.prepare('INSERT INTO filler VALUES (randomblob(300))')
  database.transaction(() => Array.from({ length: 4000 }, () => filler.run()))()
  database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true }))}`)
  database.pragma('page_size = 512')
  expect(rebuildOnce(database)).toBe('no room')
  expect(rebuildSmall(database)).toBe(false)
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(database.prepare('SELECT count(*) FROM deposits').pluck().get()).toBe(PEOPLE)
  // Others may write meanwhile.
  const other = new Database(path)
  other.prepare(`INSERT INTO meta (key, value) VALUES ('other', 'writes')`).run()
  other.close()
  database.pragma('max_page_count = 1000000')
  expect(rebuildOnce(database)).toBe('rebuilt')
  database.close()
  expect(namesIn()['hc.db']).toBe(0)
})

test('migrate leaves a file that a companion has open, and says what to do', async () => {
  await oldFile()
  const companion = new Database(path)
  companion.prepare('SELECT count(*) FROM deposits').get()
  const migrated = async () => {
    const said: string[] = []
    const tell = (line: string) => void said.push(line)
    const code = await runCommand(['migrate'], {
      env: { HC_DATABASE_URL: `file:${path}` },
      out: tell,
      err: tell,
      fetch,
      now: Date.now,
      stopped: () => new Promise(() => {}),
    })
    return { code, said: said.join(' ') }
  }
  expect(await migrated()).toEqual({ code: 0, said: expect.stringContaining('stop the companion') })
  companion.close()
  expect(await migrated()).toEqual({ code: 0, said: expect.stringContaining('is rebuilt') })
  expect(await migrated()).toEqual({ code: 0, said: expect.stringMatching(/nothing to do\.$/) })
  expect(namesIn()['hc.db']).toBe(0)
})
