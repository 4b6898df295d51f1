// Backups are taken while the companion writes, a restored file is marked as restored, and nothing
// good is ever overwritten.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CommandIo } from '../../server/cli/io.ts'
import { runCommand } from '../../server/cli/run-command.ts'
import { backupSqlite, restoreSqlite } from '../../server/store/sqlite/backup.ts'
import { CARRIED_OVER_AT, setMeta } from '../../server/store/sqlite/migrate.ts'
import { openStore } from '../../server/store/open.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { creation, depositRecord, fresh, START } from '../helpers/deposit-record.ts'

let folder: string
let said: string[]
let open: Store[]

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hc-backup-')))
  said = []
  open = []
})
afterEach(async () => {
  for (const store of open) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function opened(name = 'hc.db'): Promise<Store> {
  const store = await openStore(`file:${join(folder, name)}`)
  open.push(store)
  return store
}

function command(...argv: string[]): Promise<number> {
  const io: CommandIo = {
    env: { HC_DATABASE_URL: `file:${join(folder, 'hc.db')}` },
    out: (line) => void said.push(line),
    err: (line) => void said.push(line),
    fetch: globalThis.fetch,
    now: () => START,
    stopped: () => Promise.resolve('SIGTERM'),
  }
  return runCommand(argv, io)
}

const at = (name: string) => join(folder, name)

test('a backup taken under load has every payment acknowledged before it began', async () => {
  const store = await opened()
  const before = Array.from({ length: 200 }, () => depositRecord())
  await Promise.all(before.map((row) => store.apply(creation(row))))
  const load = { on: true }
  const loaded = (async () => {
    while (load.on) await store.apply(creation(depositRecord({ id: fresh('load') })))
  })()
  expect(await command('backup', at('copy.db'))).toBe(0)
  load.on = false
  await loaded
  expect(said.join()).toMatch(/read back and whole/)
  expect(statSync(at('copy.db')).mode & 0o077).toBe(0)
  const copy = await opened('copy.db')
  for (const row of before) expect(await copy.deposit(row.id)).toEqual(row)
})

test('the space that the log took during a long backup is given back soon after', async () => {
  const store = await opened()
  /** SQLite writes nothing where nothing changes. */
  const write = async (mebibytes: number) => {
    for (let i = 0; i < mebibytes; i++) await store.setMeta('ping', String(i % 10).repeat(2 ** 20))
  }
  const logged = () => statSync(at('hc.db-wal')).size / 2 ** 20
  const reader = new Database(at('hc.db'), { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM deposits').get()
  await write(40)
  expect(logged()).toBeGreaterThan(39)
  reader.close()
  await write(40)
  expect(logged()).toBeLessThan(20)
})

test('a file that is looked for in the wrong folder is named with that folder', async () => {
  await expect(openStore('file:nowhere.db', { migrate: false })).rejects.toThrow(join(process.cwd(), 'nowhere.db'))
})

test('what cannot be done is said of the file and the folder that were given', async () => {
  await opened()
  expect(await command('backup', at('nowhere/copy.db'))).toBe(2)
  expect(said.join()).toContain(`The folder ${at('nowhere')} is not there`)
  writeFileSync(at('letter.txt'), 'Dear Sir or Madam')
  expect(await command('restore', at('letter.txt'))).toBe(2)
  expect(said.join()).toContain(`${at('letter.txt')} cannot be read as a database`)
  expect(said.join()).not.toContain('restoring')
  expect(await command('backup', at('copy.db'))).toBe(0)
  expect(() => restoreSqlite(at('copy.db'), at('letter.txt/hc.db'), START)).toThrow(
    `${at('letter.txt/hc.db')} cannot be: a part of its path is a file, no folder.`,
  )
})

test('a backup never overwrites a file, and leaves no half of one', async () => {
  await opened()
  writeFileSync(at('copy.db'), 'precious')
  expect(await command('backup', at('copy.db'))).toBe(2)
  expect(readFileSync(at('copy.db'), 'utf8')).toBe('precious')
  expect(await command('backup')).toBe(2)
  expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([])
})

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'a backup onto a full disk says so, and leaves nothing there (a real one, mounted by root)',
  async ({ skip }) => {
    const disk = mkdtempSync(join(tmpdir(), 'hc-full-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk])
    if (mounted.status !== 0) skip('This machine lets nobody mount a file system.')
    try {
      await opened()
      await expect(backupSqlite(join(folder, 'hc.db'), join(disk, 'copy.db'))).rejects.toThrow(
        /copy\.db cannot be written .*disk is full/,
      )
      expect(readdirSync(disk)).toEqual([])
    } finally {
      execFileSync('umount', [disk])
      rmSync(disk, { recursive: true, force: true })
    }
  },
)

test('a restored file tells the companion to ask about the last 30 days; the former one is kept', async () => {
  const store = await opened()
  const old = depositRecord()
  await store.apply(creation(old))
  expect(await command('backup', at('copy.db'))).toBe(0)
  const newer = depositRecord()
  await store.apply(creation(newer))
  await store.close()
  expect(await command('restore', at('copy.db'))).toBe(0)
  const restored = await opened()
  expect(await restored.deposit(old.id)).toEqual(old)
  expect(await restored.deposit(newer.id)).toBeUndefined()
  expect(await restored.meta('restored_at')).toBe(String(START))
  const aside = readdirSync(folder).find((name) => name.includes('before-restore')) ?? ''
  const former = await opened(aside)
  expect(await former.deposit(newer.id)).toEqual(newer)
  expect(await former.meta('restored_at')).toBeUndefined()
})

test.each(['DELETE', 'WAL'])(
  'a database that another program holds is not replaced, in journal mode %s',
  async (mode) => {
    await (await opened()).close()
    await backupSqlite(at('hc.db'), at('copy.db'))
    const other = new Database(at('hc.db'))
    other.pragma('locking_mode = EXCLUSIVE')
    other.pragma(`journal_mode = ${mode}`)
    other.exec('BEGIN EXCLUSIVE; CREATE TABLE things (id); COMMIT')
    const before = readdirSync(folder).toSorted()
    expect(await command('restore', at('copy.db'))).toBe(2)
    expect(said.join()).toContain('in use')
    expect(readdirSync(folder).toSorted()).toEqual(before)
    other.close()
  },
)

test('a database that is being written to in the older journal mode is not replaced', async () => {
  await (await opened()).close()
  await backupSqlite(at('hc.db'), at('copy.db'))
  const other = new Database(at('hc.db'))
  other.pragma('journal_mode = DELETE')
  other.exec('BEGIN IMMEDIATE')
  expect(await command('restore', at('copy.db'))).toBe(2)
  expect(said.join()).toContain('in use')
  expect(existsSync(at('hc.db'))).toBe(true)
  other.close()
})

test('a backup of what was carried over to PostgreSQL is not put in place, since no companion would start on it', async () => {
  const store = await opened()
  const row = depositRecord()
  await store.apply(creation(row))
  await store.close()
  await backupSqlite(at('hc.db'), at('copy.db'))
  const moved = new Database(at('copy.db'))
  setMeta(moved, CARRIED_OVER_AT, String(START))
  moved.close()
  expect(await command('restore', at('copy.db'))).toBe(2)
  expect(said.join()).toContain('was carried over to PostgreSQL')
  expect(await (await opened()).deposit(row.id)).toEqual(row)
})

test('a second restore at the same moment does not replace what the first has set aside', async () => {
  const store = await opened()
  const row = depositRecord()
  await store.apply(creation(row))
  await store.close()
  await backupSqlite(at('hc.db'), at('copy.db'))
  const { setAside = '' } = restoreSqlite(at('copy.db'), at('hc.db'), START)
  const former = readFileSync(setAside)
  expect(() => restoreSqlite(at('copy.db'), at('hc.db'), START)).toThrow(`${setAside} is there already.`)
  expect(readFileSync(setAside).equals(former)).toBe(true)
  expect(existsSync(at('hc.db.restoring'))).toBe(false)
  expect(await (await opened()).deposit(row.id)).toEqual(row)
})

test('a restored file is readable by its owner only, though its backup is not', async () => {
  await (await opened()).close()
  await backupSqlite(at('hc.db'), at('copy.db'))
  chmodSync(at('copy.db'), 0o644)
  expect(await command('restore', at('copy.db'))).toBe(0)
  expect(statSync(at('hc.db')).mode & 0o077).toBe(0)
})

test('what a backup that was killed has left does not stand in the way of the next', async () => {
  await opened()
  writeFileSync(at('copy.db.part'), 'half of a backup')
  expect(await command('backup', at('copy.db'))).toBe(0)
  expect(existsSync(at('copy.db.part'))).toBe(false)
})

test('a database in use is not replaced', async () => {
  const store = await opened()
  const row = depositRecord()
  await store.apply(creation(row))
  expect(await command('backup', at('copy.db'))).toBe(0)
  expect(await command('restore', at('copy.db'))).toBe(2)
  expect(said.join()).toMatch(/in use/)
  // It goes on working, on its own file.
  const later = depositRecord()
  expect(await store.apply(creation(later))).toEqual({ applied: true })
  await store.close()
  expect(await (await opened()).deposit(later.id)).toEqual(later)
  expect(readdirSync(folder).filter((name) => name.includes('restor'))).toEqual([])
})

test('what is damaged, cut off or of another program is not put in place', async () => {
  const store = await opened()
  await Promise.all(Array.from({ length: 300 }, () => store.apply(creation(depositRecord()))))
  await command('backup', at('good.db'))
  await store.close()
  const good = readFileSync(at('good.db'))
  const bad = Buffer.from(good)
  bad.fill(0xff, 8192, 8192 + 8192)
  writeFileSync(at('flipped.db'), bad)
  writeFileSync(at('cut.db'), good)
  truncateSync(at('cut.db'), good.length / 2)
  writeFileSync(at('text.db'), 'id,amount\n')
  writeFileSync(at('empty.db'), '')
  const before = readFileSync(at('hc.db'))
  for (const name of ['flipped.db', 'cut.db', 'text.db', 'empty.db', 'nothing.db']) {
    expect({ name, code: await command('restore', at(name)) }).toEqual({ name, code: 2 })
  }
  expect(said.at(-1)).toContain(`${at('nothing.db')} is not there.`)
  expect(await command('restore', folder)).toBe(2)
  expect(said.at(-1)).toBe(`${folder} is a folder: name the file of the backup.`)
  expect(readFileSync(at('hc.db')).equals(before)).toBe(true)
})

test.each<[string, (whole: Buffer) => Buffer]>([
  ['whose first bytes are gone', (whole) => Buffer.from(whole).fill(0xff, 0, 100)],
  ['whose tables cannot be found', (whole) => Buffer.from(whole).fill(0xff, 100, 4096)],
  ['of which a few bytes are left', (whole) => whole.subarray(0, 150)],
  ['of which nothing is left', (whole) => whole.subarray(0, 0)],
])('a database %s is replaced, and kept beside', async (_how, damage) => {
  const store = await opened()
  const row = depositRecord()
  await store.apply(creation(row))
  await backupSqlite(at('hc.db'), at('copy.db'))
  await store.close()
  const damaged = damage(readFileSync(at('hc.db')))
  writeFileSync(at('hc.db'), damaged)
  const { setAside = '' } = restoreSqlite(at('copy.db'), at('hc.db'), START)
  expect(readFileSync(setAside).subarray(0, damaged.length).equals(damaged)).toBe(true)
  expect(await (await opened()).deposit(row.id)).toEqual(row)
})

test('a database whose tables cannot be found is not replaced while a companion has it open', async () => {
  await (await opened()).close()
  await opened()
  await backupSqlite(at('hc.db'), at('copy.db'))
  writeFileSync(at('hc.db'), readFileSync(at('hc.db')).fill(0xff, 100, 4096))
  expect(() => restoreSqlite(at('copy.db'), at('hc.db'), START)).toThrow('is in use')
  expect(readdirSync(folder).filter((name) => name.includes('restor'))).toEqual([])
})

test('a lost database is restored where there is none', async () => {
  const store = await opened()
  const row = depositRecord()
  await store.apply(creation(row))
  await command('backup', at('copy.db'))
  await store.close()
  rmSync(at('hc.db'))
  expect(await command('restore', at('copy.db'))).toBe(0)
  expect(await (await opened()).deposit(row.id)).toEqual(row)
})

test('after a restore that was cut short no start takes the empty place for a new installation', async () => {
  const store = await opened()
  const row = depositRecord()
  await store.apply(creation(row))
  await command('backup', at('copy.db'))
  await store.close()
  // As a crash leaves it that comes when the former file is set aside and the backup is not in its
  // place yet.
  copyFileSync(at('copy.db'), at('hc.db.restoring'))
  renameSync(at('hc.db'), at('hc.db.before-restore-1'))
  await expect(opened()).rejects.toThrow(`${at('hc.db')} is not there: a restore was cut short. Restore again.`)
  expect(await command('migrate')).toBe(2)
  expect(existsSync(at('hc.db'))).toBe(false)
  expect(await command('restore', at('copy.db'))).toBe(0)
  expect(await (await opened()).deposit(row.id)).toEqual(row)
})

test('a database that was copied by hand is no backup while a part of it is in its log', async () => {
  await (await opened()).close()
  const store = await opened()
  const row = depositRecord()
  await store.apply(creation(row))
  copyFileSync(at('hc.db'), at('by-hand.db'))
  copyFileSync(at('hc.db-wal'), at('by-hand.db-wal'))
  await store.close()
  expect(await command('restore', at('by-hand.db'))).toBe(2)
  expect(said.join()).toContain(`${at('by-hand.db')} is no backup: a part of it is still in ${at('by-hand.db-wal')}.`)
  symlinkSync('by-hand.db', at('newest.db'))
  expect(await command('restore', at('newest.db'))).toBe(2)
  expect(said.at(-1)).toContain(`a part of it is still in ${at('by-hand.db-wal')}.`)
  // As it says, it is made one.
  await backupSqlite(at('by-hand.db'), at('copy.db'))
  expect(await command('restore', at('copy.db'))).toBe(0)
  expect(await (await opened()).deposit(row.id)).toEqual(row)
})

test('what a restore that was cut short has prepared can be restored, and is kept when that fails', async () => {
  const store = await opened()
  const row = depositRecord()
  await store.apply(creation(row))
  await backupSqlite(at('hc.db'), at('hc.db.restoring'))
  // As the state folder of a systemd unit, which has two paths.
  symlinkSync('.', at('private'))
  for (const name of ['hc.db.restoring', 'private/hc.db.restoring']) {
    expect(await command('restore', at(name))).toBe(2)
    expect(said.at(-1)).toContain('in use')
  }
  await store.close()
  renameSync(at('hc.db'), at('hc.db.before-restore-1'))
  expect(await command('restore', at('hc.db.restoring'))).toBe(0)
  expect(await (await opened()).deposit(row.id)).toEqual(row)
})

test('the log that a lost database has left behind does not get into the restored one', async () => {
  const store = await opened()
  const row = depositRecord()
  await store.apply(creation(row))
  await command('backup', at('copy.db'))
  const later = depositRecord()
  await store.apply(creation(later))
  const log = readFileSync(at('hc.db-wal'))
  expect(log.length).toBeGreaterThan(0)
  await store.close()
  rmSync(at('hc.db'))
  writeFileSync(at('hc.db-wal'), log)
  expect(await command('restore', at('copy.db'))).toBe(0)
  const restored = await opened()
  expect(await restored.deposit(row.id)).toEqual(row)
  expect(await restored.deposit(later.id)).toBeUndefined()
  expect(await restored.meta('restored_at')).toBe(String(START))
  expect(readFileSync(at(readdirSync(folder).find((name) => name.includes('before-restore')) ?? '')).equals(log)).toBe(
    true,
  )
})

test('migrate says where the database stands and brings it up to date', async () => {
  expect(await command('migrate', '--check')).toBe(1)
  expect(await command('migrate')).toBe(0)
  expect(await command('migrate', '--check')).toBe(0)
  expect(await command('migrate')).toBe(0)
  expect(said.at(-1)).toMatch(/nothing to do/)
  expect(await (await opened()).stats()).toMatchObject({ noticesWaiting: 0 })
})

test('a backup is restored on a machine that has no folder for it yet', async () => {
  await (await opened()).close()
  await backupSqlite(at('hc.db'), at('backup.db'))
  expect(restoreSqlite(at('backup.db'), at('new/folder/hc.db'), START)).toEqual({ deposits: 0 })
  await (await opened('new/folder/hc.db')).close()
})

test('a database of another program, or of a newer release, is refused with a sentence', async () => {
  const { default: Database } = await import('better-sqlite3')
  const foreign = new Database(at('hc.db'))
  foreign.exec('CREATE TABLE users (id)')
  foreign.close()
  await expect(opened()).rejects.toThrow(/another program/)
  // It is left as it was.
  const left = new Database(at('hc.db'))
  expect(left.pragma('journal_mode', { simple: true })).toBe('delete')
  left.close()
  rmSync(at('hc.db'))
  await (await opened()).close()
  const newer = new Database(at('hc.db'))
  newer.pragma('user_version = 999')
  newer.close()
  await expect(opened()).rejects.toThrow(/newer release/)
})

test.skipIf(process.getuid?.() !== 0)(
  'what root restores belongs to whom the database belonged, or its folder (only root can look)',
  async () => {
    const store = await opened()
    await store.apply(creation(depositRecord()))
    expect(await command('backup', at('copy.db'))).toBe(0)
    await store.close()
    chownSync(at('hc.db'), 4242, 4243)
    expect(await command('restore', at('copy.db'))).toBe(0)
    expect(statSync(at('hc.db'))).toMatchObject({ uid: 4242, gid: 4243 })

    rmSync(at('hc.db'))
    chownSync(folder, 4244, 4245)
    expect(await command('restore', at('copy.db'))).toBe(0)
    expect(statSync(at('hc.db'))).toMatchObject({ uid: 4244, gid: 4245 })
  },
)

test('a backup that cannot be begun says so in a sentence, not in the words of the system', async () => {
  await opened()
  // As in a folder that may not be looked into, which holds nobody back who is root.
  mkdirSync(join(folder, 'copy.db.part'))
  expect(await command('backup', join(folder, 'copy.db'))).toBe(2)
  expect(said.join('\n')).toMatch(/copy\.db cannot be written \(\w+\): .*Nothing was copied\./)
})
