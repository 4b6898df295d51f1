// The log of a SQLite file (WAL): when it is copied into the file, and what happens if it cannot
// be.
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore } from '../../server/store/engine/create-store.ts'
import { openSqlite } from '../../server/store/sqlite/file.ts'
import { createSqliteWork } from '../../server/store/sqlite/work.ts'
import { type SqliteEngine, sqliteEngine } from '../../server/store/sqlite/sqlite.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { file, fullFault, ioFault } from './sqlite-test-file.ts'

describe('the log of a SQLite file', () => {
  let engine: SqliteEngine
  let broken: Error[]
  /** What the disk does when the log is copied. */
  let copying: () => void
  beforeEach(() => {
    broken = []
    copying = () => undefined
    engine = sqliteEngine({
      path: file.path,
      logger: file.logger,
      onBroken: (error) => void broken.push(error),
      crashPoint: (when) => when === 'copy' && copying(),
    })
  })

  /** Counts what stands in the file itself, without its log. */
  function copied(): number {
    const alone = join(file.folder, 'alone.db')
    copyFileSync(file.path, alone)
    const database = new Database(alone)
    const there = database.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'deposits'").pluck().get() === 1
    const count = there ? Number(database.prepare('SELECT count(*) FROM deposits').pluck().get()) : 0
    database.close()
    return count
  }

  async function writeOneByOne(count: number): Promise<void> {
    const store = createStore(engine)
    for (let i = 0; i < count; i++) {
      expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
      // Who reads meanwhile does not stand in the way.
      await Promise.all([store.payments({ limit: 1 }), pause(2)])
    }
    // It is tidied after the answer.
    await store.payments({ limit: 1 })
    await new Promise(setImmediate)
  }

  test('is copied in a quiet moment, a little at a time', async () => {
    await writeOneByOne(63)
    expect(copied()).toBe(0)
    await writeOneByOne(1)
    expect(copied()).toBe(64)
    await writeOneByOne(63)
    expect(copied()).toBe(64)
    await writeOneByOne(1)
    expect(copied()).toBe(128)
    await engine.close()
  })

  test('that cannot be copied to a failing disk stops the writing, without a customer who asks', async () => {
    copying = () => {
      throw ioFault()
    }
    await writeOneByOne(64)
    expect(broken).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
    copying = () => undefined
    // Nor is it emptied: it is what is left of the truth.
    expect(await engine.emptyLog()).toBe(false)
    expect(copied()).toBe(0)
    const store = createStore(engine)
    await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(broken).toHaveLength(1)
    await engine.close()
    expect(file.kept()).toBe(64)
  })

  test('that cannot be emptied onto a failing disk stops the writing', async () => {
    const pragma = vi.spyOn(engine.database, 'pragma').mockImplementation(() => {
      throw ioFault()
    })
    expect(await engine.emptyLog()).toBe(false)
    pragma.mockRestore()
    expect(broken).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
    await expect(createStore(engine).apply(creation(depositRecord()))).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    await engine.close()
    expect(file.kept()).toBe(0)
  })

  test('that a full disk has no room for is kept, and copied later', async () => {
    copying = () => {
      throw fullFault()
    }
    await writeOneByOne(64)
    copying = () => undefined
    await writeOneByOne(63)
    expect(copied()).toBe(0)
    await writeOneByOne(1)
    expect(broken).toEqual([])
    expect(copied()).toBe(128)
    await engine.close()
  })
})

test('the log grows while many write, and is copied when they are fewer', () => {
  let now = 0
  let copies = 0
  const database = openSqlite(file.path)
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY)')
  const crashPoint = (when: string) => void (copies += when === 'copy' ? 1 : 0)
  const work = createSqliteWork({ database, clock: () => now, onBroken: () => undefined, crashPoint })
  const insert = { statement: database.prepare('INSERT INTO things DEFAULT VALUES'), values: [], mustChange: true }
  /** Writes so many jobs, each so many ms after the one before. */
  function write(jobs: number, ms: number): void {
    for (let i = 0; i < jobs; i++) {
      now += ms
      expect(work.write([[insert]])).toEqual([[]])
      work.tidy()
    }
  }
  write(64, 2)
  expect(copies).toBe(1)
  write(640, 1)
  expect(copies).toBe(1)
  write(64, 1.25)
  expect(copies).toBe(2)
  now += 10
  work.write(Array.from({ length: 100 }, () => [insert]))
  work.tidy()
  expect(copies).toBe(2)
  write(63, 10)
  expect(copies).toBe(2)
  write(1, 10)
  expect(copies).toBe(3)
  // On a slow disk few are written in a second, because many wait.
  for (let group = 0; group < 6; group++) {
    now += 500
    work.write(Array.from({ length: 100 }, () => [insert]))
    work.tidy()
  }
  expect(copies).toBe(3)
  write(64, 10)
  expect(copies).toBe(4)
  database.close()
  expect(() => work.tidy()).not.toThrow()
})

test('a long log is copied although many write, and not before their answers', () => {
  const database = openSqlite(file.path)
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, content BLOB)')
  let copies = 0
  const crashPoint = (when: string) => void (copies += when === 'copy' ? 1 : 0)
  const work = createSqliteWork({ database, clock: () => 0, onBroken: () => undefined, crashPoint })
  // Each takes four pages of the log.
  const insert = { statement: database.prepare('INSERT INTO things (content) VALUES (zeroblob(14000))'), values: [] }
  database.pragma('wal_checkpoint(TRUNCATE)')
  const { size } = statSync(file.path)
  for (let group = 1; group <= 14; group++) {
    expect(copies).toBe(0)
    expect(work.write(Array.from({ length: 50 }, () => [insert]))).toHaveLength(50)
    // SQLite itself has copied nothing.
    expect(statSync(file.path).size).toBe(size)
    work.tidy()
  }
  expect(copies).toBe(1)
  expect(statSync(file.path).size).toBeGreaterThan(700 * 14_000)
  database.close()
})
