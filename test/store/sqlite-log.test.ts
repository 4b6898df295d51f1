// The log of a SQLite file (WAL): when it is copied into the file, on the event loop and in a thread, and what happens if it cannot be.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore } from '../../server/store/create-store.ts'
import { openSqlite } from '../../server/store/sqlite-file.ts'
import { createSqliteWork } from '../../server/store/sqlite-work.ts'
import { type SqliteEngine, sqliteEngine } from '../../server/store/sqlite.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { ENDED, FAULTY, failing, file, fullFault, ioFault, works } from './sqlite-test-file.ts'

describe.each(['the event loop', 'a thread'])('the log of a file that %s works on', (side) => {
  let engine: SqliteEngine
  let broken: Error[]
  beforeEach(async () => {
    broken = []
    engine = sqliteEngine({
      path: file.path,
      // A slow disk would make the event loop busy, and the thread would count from nothing.
      thread: false,
      logger: file.logger,
      threadEntry: FAULTY,
      onBroken: (error) => void broken.push(error),
      crashPoint(when) {
        if (process.env['HC_TEST_FAULT'] === `fsync ${when}`) throw ioFault()
        if (process.env['HC_TEST_FAULT'] === `full ${when}`) throw fullFault()
      },
    })
    if (side === 'a thread') expect(await engine.moveToThread()).toBe(true)
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

  /** A thread tidies after it has answered, and a busy machine lets it wait. */
  const comesToBe = (count: number) => expect.poll(copied).toBe(count)

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
    await comesToBe(64)
    await writeOneByOne(63)
    expect(copied()).toBe(64)
    await writeOneByOne(1)
    await comesToBe(128)
    await engine.close()
  })

  test('that cannot be copied to a failing disk stops the writing, without a customer who asks', async () => {
    failing('fsync copy')
    await writeOneByOne(64)
    expect(broken).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
    works()
    // Nor is it emptied: it is what is left of the truth.
    expect(await engine.emptyLog()).toBe(false)
    expect(copied()).toBe(0)
    const store = createStore(engine)
    await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject({ code: 'store_unavailable' })
    if (side === 'a thread') {
      failing('exit now')
      while (!file.said.includes(ENDED)) await pause(5)
      works()
      await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
    }
    expect(broken).toHaveLength(1)
    await engine.close()
    expect(file.kept()).toBe(64)
  })

  test('that cannot be emptied onto a failing disk stops the writing', async () => {
    // The thread's connection fails as told; this is the event loop's.
    const pragma = vi.spyOn(engine.database, 'pragma').mockImplementation(() => {
      throw ioFault()
    })
    failing('fsync empty')
    expect(await engine.emptyLog()).toBe(false)
    works()
    pragma.mockRestore()
    expect(broken).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
    await expect(createStore(engine).apply(creation(depositRecord()))).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    await engine.close()
    expect(file.kept()).toBe(0)
  })

  test('that a full disk has no room for is kept, and copied later', async () => {
    failing('full copy')
    await writeOneByOne(64)
    works()
    await writeOneByOne(63)
    expect(copied()).toBe(0)
    await writeOneByOne(1)
    expect(broken).toEqual([])
    await comesToBe(128)
    await engine.close()
  })
})

test('the log grows while many write, and is copied when they are fewer', () => {
  let now = 0
  let copies = 0
  const database = openSqlite(file.path)
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY)')
  const crashPoint = (when: string) => void (copies += when === 'copy' ? 1 : 0)
  const work = createSqliteWork(database, () => now, crashPoint)
  work.define(0, 'INSERT INTO things DEFAULT VALUES')
  /** Writes so many jobs, each so many ms after the one before. */
  function write(jobs: number, ms: number): void {
    for (let i = 0; i < jobs; i++) {
      now += ms
      expect(work.write([[[0, [], true]]])).toEqual([[]])
      expect(work.tidy()).toBe(undefined)
    }
  }
  write(64, 2)
  expect(copies).toBe(1)
  write(640, 1)
  expect(copies).toBe(1)
  write(64, 1.25)
  expect(copies).toBe(2)
  now += 10
  work.write(Array.from({ length: 100 }, () => [[0, [], true]] as const))
  work.tidy()
  expect(copies).toBe(2)
  write(63, 10)
  expect(copies).toBe(2)
  write(1, 10)
  expect(copies).toBe(3)
  database.close()
  expect(work.tidy()).toBe(undefined)
})
