// The log of a SQLite file (WAL): when it is copied into the file, and what happens if it cannot
// be.
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore } from '../../server/store/engine/create-store.ts'
import { openSqlite } from '../../server/store/sqlite/file.ts'
import { createSqliteWork } from '../../server/store/sqlite/work.ts'
import { sqliteEngine } from '../../server/store/sqlite/sqlite.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { file, fullFault, ioFault } from './sqlite-test-file.ts'

describe('the log of a SQLite file', () => {
  let engine: ReturnType<typeof sqliteEngine>
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
      await store.payments({ limit: 1 })
    }
    // It is tidied after the answer.
    await store.payments({ limit: 1 })
    await new Promise(setImmediate)
  }

  test('is copied when it has become long', async () => {
    await writeOneByOne(255)
    expect(copied()).toBe(0)
    await writeOneByOne(1)
    expect(copied()).toBe(256)
    await writeOneByOne(255)
    expect(copied()).toBe(256)
    await writeOneByOne(1)
    expect(copied()).toBe(512)
    await engine.close()
  })

  test('that cannot be copied to a failing disk stops the writing, without a customer who asks', async () => {
    copying = () => {
      throw ioFault()
    }
    await writeOneByOne(256)
    expect(broken).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
    copying = () => undefined
    // Nor is it emptied: it is what is left of the truth.
    expect(await engine.emptyLog()).toBe(false)
    expect(copied()).toBe(0)
    const store = createStore(engine)
    await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(broken).toHaveLength(1)
    await engine.close()
    expect(file.kept()).toBe(256)
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

  test('is emptied although reads of the same turn, which share a transaction, hold it', async () => {
    await writeOneByOne(1)
    const store = createStore(engine)
    const reads = [store.payments({ limit: 1 }), store.payments({ limit: 1 })]
    expect(engine.database.inTransaction).toBe(true)
    expect(await engine.emptyLog()).toBe(true)
    expect(copied()).toBe(1)
    expect(await Promise.all(reads)).toMatchObject([{ length: 1 }, { length: 1 }])
    await store.payments({ limit: 1 })
    await new Promise(setImmediate)
    expect(engine.database.inTransaction).toBe(false)
    await engine.close()
  })

  test('that a full disk has no room for is kept, and copied later', async () => {
    copying = () => {
      throw fullFault()
    }
    await writeOneByOne(256)
    copying = () => undefined
    await writeOneByOne(100)
    expect(copied()).toBe(0)
    await writeOneByOne(156)
    expect(broken).toEqual([])
    expect(copied()).toBe(512)
    await engine.close()
  })
})

test('a long log is copied after the answers, not within a commit', () => {
  const database = openSqlite(file.path)
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, content BLOB)')
  let copies = 0
  const crashPoint = (when: string) => void (copies += when === 'copy' ? 1 : 0)
  const work = createSqliteWork({ database, onBroken: () => undefined, crashPoint })
  // Each takes four pages of the log.
  const insert = { statement: database.prepare('INSERT INTO things (content) VALUES (zeroblob(14000))'), values: [] }
  database.pragma('wal_checkpoint(TRUNCATE)')
  const { size } = statSync(file.path)
  for (let group = 1; group <= 8; group++) {
    expect(copies).toBe(0)
    expect(work.write(Array.from({ length: 32 }, () => [insert]))).toHaveLength(32)
    // SQLite itself has copied nothing.
    expect(statSync(file.path).size).toBe(size)
    work.tidy()
  }
  expect(copies).toBe(1)
  expect(statSync(file.path).size).toBeGreaterThan(256 * 14_000)
  database.close()
})

test('reads never end the transaction of a write that failed and could not be undone', () => {
  const database = openSqlite(file.path)
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY)')
  const insert = { statement: database.prepare('INSERT INTO things DEFAULT VALUES'), values: [] }
  const select = { statement: database.prepare('SELECT id FROM things'), values: [] }
  // The disk is full at the commit, and has room again afterwards.
  const faults = new Map([
    ['COMMIT', fullFault()],
    ['ROLLBACK', ioFault()],
  ])
  const prepare = database.prepare.bind(database)
  vi.spyOn(database, 'prepare').mockImplementation((sql: string) => {
    const statement = prepare(sql)
    const run = statement.run.bind(statement)
    return Object.assign(statement, {
      run() {
        const fault = faults.get(sql)
        if (fault === undefined) return run()
        faults.delete(sql)
        throw fault
      },
    })
  })
  const work = createSqliteWork({ database, onBroken: () => undefined })
  expect(work.write([[insert]])).toMatchObject([{ code: 'SQLITE_FULL' }])
  expect(() => work.read(select)).toThrow('within a transaction')
  work.endReads()
  database.close()
  const after = new Database(file.path)
  expect(after.prepare('SELECT id FROM things').all()).toEqual([])
  after.close()
})
