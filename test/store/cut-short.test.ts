// A backup or a restore that ends or fails at any of its steps: no copy passes for a backup that is
// none, and whoever starts afterwards finds the former payments or the restored ones, or is
// refused, and never an empty database.
import * as disk from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backupSqlite, restoreSqlite } from '../../server/store/sqlite/backup.ts'
import { openStore } from '../../server/store/open.ts'
import { creation, depositRecord, START } from '../helpers/deposit-record.ts'

const cut = vi.hoisted(() => ({ step: 0, at: Infinity, forGood: false, before: (_step: string) => {} }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const changing = ['chmodSync', 'chownSync', 'copyFileSync', 'fsyncSync', 'mkdirSync', 'openSync', 'renameSync', 'rmSync'] as const // prettier-ignore
  const faulty = changing.map((name) => [
    name,
    (...values: unknown[]) => {
      cut.before(name)
      cut.step += 1
      if (cut.step === cut.at || (cut.forGood && cut.step > cut.at))
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      return Reflect.apply(real[name], undefined, values) as unknown
    },
  ])
  return { ...real, ...(Object.fromEntries(faulty) as object) }
})

let folder: string
beforeEach(() => {
  folder = disk.mkdtempSync(join(tmpdir(), 'hc-cut-'))
})
afterEach(() => {
  heal()
  for (const one of [folder, `${folder}-begun`]) disk.rmSync(one, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)
const open = (name = 'hc.db') => openStore(`file:${at(name)}`)

function heal(): void {
  Object.assign(cut, { step: 0, at: Infinity, forGood: false, before: () => {} })
}

/** Makes a database with one payment that is in its backup, too. */
async function database(): Promise<string> {
  const store = await open()
  const row = depositRecord()
  await store.apply(creation(row))
  await backupSqlite(at('hc.db'), at('copy.db'))
  await store.close()
  return row.id
}

/**
 * As it is after a crash when the former file is set aside and the backup is not in its place yet.
 */
function cutShort(): void {
  disk.copyFileSync(at('copy.db'), at('hc.db.restoring'))
  disk.renameSync(at('hc.db'), at('hc.db.before-restore-1'))
}

/** Says what a start finds. */
async function found(id: string): Promise<'the payment' | 'refused' | 'nothing'> {
  const store = await open().catch((error: unknown) => {
    expect(String(error)).toContain('a restore was cut short')
  })
  if (!store) return 'refused'
  const row = await store.deposit(id)
  await store.close()
  return row === undefined ? 'nothing' : 'the payment'
}

test.each(['dies', 'fails'])(
  'whatever step a backup %s at, what bears its name is whole, and nothing half is left by a failure',
  async (how) => {
    const id = await database()
    disk.rmSync(at('copy.db'))
    for (let step = 1, ended = false; !ended; step++) {
      Object.assign(cut, { step: 0, at: step, forGood: how === 'dies' })
      const backup = backupSqlite(at('hc.db'), at('copy.db'))
      const outcome = await backup.then(
        ({ deposits }) => deposits,
        () => 'refused',
      )
      ended = cut.step < step
      heal()
      expect({ step, outcome }).toEqual({ step, outcome: ended ? 1 : 'refused' })
      if (how === 'fails')
        expect({ step, left: disk.readdirSync(folder).filter((name) => name.includes('part')) }).toEqual({
          step,
          left: [],
        })
      if (disk.existsSync(at('copy.db'))) {
        const store = await open('copy.db')
        expect(await store.deposit(id)).toBeDefined()
        await store.close()
        disk.rmSync(at('copy.db'))
      }
    }
  },
)

test('a backup and a restored file are on the disk before they bear their name, and so is the name', async () => {
  const steps: string[] = []
  const watch = () =>
    (cut.before = (step) => void (['fsyncSync', 'renameSync'].includes(step) && steps.push(step.slice(0, -4))))
  await (await open()).close()
  watch()
  await backupSqlite(at('hc.db'), at('copy.db'))
  expect(steps.splice(0)).toEqual(['fsync', 'rename', 'fsync'])
  restoreSqlite(at('copy.db'), at('hc.db'), START)
  expect(steps).toEqual(['fsync', 'rename', 'rename', 'fsync'])
})

const places = ['in place', 'set aside by one that was cut short', 'behind a link'] as const

/** As where the data is on a volume, and the program's settings name a place of its own. */
function behindLink(): void {
  disk.mkdirSync(at('volume'))
  disk.renameSync(at('hc.db'), at('volume/data.db'))
  disk.symlinkSync('volume/data.db', at('hc.db'))
}

test.each([
  ['dies', places[0], 'good'],
  ['dies', places[1], 'good'],
  ['dies', places[1], 'damaged'],
  ['fails', places[0], 'good'],
  ['fails', places[1], 'good'],
  ['fails', places[1], 'damaged'],
  ['dies', places[2], 'good'],
  ['fails', places[2], 'good'],
])(
  'whatever step a restore %s at, with the file %s and a %s backup, no start begins anew',
  async (how, where, backup) => {
    const id = await database()
    const begun = `${folder}-begun`
    disk.cpSync(folder, begun, { recursive: true })
    for (let step = 1, ended = false; !ended; step++) {
      disk.rmSync(folder, { recursive: true })
      disk.cpSync(begun, folder, { recursive: true })
      if (where === places[1]) cutShort()
      if (where === places[2]) behindLink()
      if (backup === 'damaged') disk.writeFileSync(at('damaged.db'), 'no database')
      Object.assign(cut, { step: 0, at: step, forGood: how === 'dies' })
      try {
        restoreSqlite(at(backup === 'damaged' ? 'damaged.db' : 'copy.db'), at('hc.db'), START)
      } catch {
        // What it says is the matter of other tests.
      }
      ended = cut.step < step
      heal()
      expect({ step, found: await found(id) }).not.toEqual({ step, found: 'nothing' })
      restoreSqlite(at('copy.db'), at('hc.db'), START + 1)
      expect({ step, found: await found(id) }).toEqual({ step, found: 'the payment' })
      expect(disk.existsSync(at('hc.db.restoring'))).toBe(false)
      if (where !== places[2]) continue
      // In the place that the link names: what a deployment that makes its links anew finds is the
      // restored one, and not the former.
      expect({ step, link: disk.lstatSync(at('hc.db')).isSymbolicLink() }).toEqual({ step, link: true })
      expect(disk.readdirSync(at('volume'))).not.toContain('data.db.restoring')
    }
    disk.rmSync(begun, { recursive: true })
  },
)

test('nobody can open the former file while it is being set aside', async () => {
  await database()
  const met: unknown[] = []
  cut.before = (step) => {
    if (step !== 'renameSync') return
    try {
      new Database(at('hc.db'), { timeout: 0, fileMustExist: true }).exec('BEGIN; SELECT * FROM deposits')
      met.push('opened')
    } catch (error) {
      met.push((error as { code?: unknown }).code)
    }
  }
  restoreSqlite(at('copy.db'), at('hc.db'), START)
  // Held at first, and then not there.
  expect(met).toEqual(['SQLITE_BUSY', 'SQLITE_CANTOPEN'])
  expect(disk.readdirSync(folder).toSorted()).toEqual([
    'copy.db',
    'hc.db',
    'hc.db.before-restore-2026-01-01T000000.000Z',
  ])
})
