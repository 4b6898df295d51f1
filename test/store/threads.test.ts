// The SQLite file on the event loop and in a thread: when it moves, and what happens to waiting callers if either fails.
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Logger } from '../../server/logger.ts'
import { createStore } from '../../server/store/create-store.ts'
import { openSqlite } from '../../server/store/sqlite-file.ts'
import { createLoopExecutor } from '../../server/store/sqlite-loop.ts'
import { createThreadedExecutor } from '../../server/store/sqlite-threaded.ts'
import type { Fault } from '../../server/store/sqlite-work.ts'
import { createSqliteWork } from '../../server/store/sqlite-work.ts'
import { type SqliteEngine, type SqliteStoreOptions, sqliteEngine } from '../../server/store/sqlite.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import type { ThreadFault } from './faulty-thread.ts'

const FAULTY = new URL('faulty-thread.ts', import.meta.url)
const ENDED = 'The database worker thread ended; the event loop takes over.'

let folder: string
let path: string
let said: string[]
let logger: Logger
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-threads-'))
  path = join(folder, 'hc.db')
  said = []
  const say = (_fields: object, message = '') => void said.push(message)
  logger = { debug: say, info: say, warn: say, error: say }
})
afterEach(() => {
  vi.restoreAllMocks()
  delete process.env['HC_TEST_FAULT']
  rmSync(folder, { recursive: true, force: true })
})

const at = (module: string) => new URL(module, import.meta.url).href
const failing = (fault: ThreadFault) => (process.env['HC_TEST_FAULT'] = fault)
const ioFault = () => Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })
const fullFault = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
const works = () => delete process.env['HC_TEST_FAULT']

/** Counts past the store. */
function kept(): number {
  const database = new Database(path, { readonly: true })
  const count = database.prepare('SELECT count(*) FROM deposits').pluck().get()
  database.close()
  return Number(count)
}

describe('the event loop', () => {
  /** Says how often it was busy, when each write takes `ms`, they are `apart` ms apart, and the loop works so much of its time. */
  async function busy(ms: number, apart: number, writes: number, utilization: number): Promise<number> {
    let now = 0
    let times = 0
    let begins = true
    const database = new Database(path)
    database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY)')
    const loop = createLoopExecutor({
      database,
      onBusy: () => (times += 1),
      onFault: () => {},
      known: () => undefined,
      performance: {
        now() {
          now += begins ? apart : ms
          begins = !begins
          return now
        },
        eventLoopUtilization: () => ({ idle: 0, active: 0, utilization }),
      },
    })
    loop.define(0, 'INSERT INTO things DEFAULT VALUES')
    for (let i = 0; i < writes; i++) {
      const written = loop.write([[0, [], true]])
      loop.flush()
      expect(await written).toEqual([])
    }
    expect(database.prepare('SELECT count(*) FROM things').pluck().get()).toBe(writes)
    await loop.close()
    rmSync(path)
    return times
  }

  test('is busy when it has no rest and writing takes a tenth of its time, and not before', async () => {
    expect(await busy(5, 500, 30, 1)).toBe(0)
    expect(await busy(30, 400, 30, 1)).toBe(0)
    expect(await busy(120, 3000, 3, 1)).toBe(3)
    expect(await busy(10, 20, 10, 0.7)).toBe(1)
    expect(await busy(10, 20, 30, 0.7)).toBe(3)
  })

  test('that has rest is busy when writing takes four tenths of its time', async () => {
    expect(await busy(10, 20, 30, 0.69)).toBe(0)
    expect(await busy(20, 20, 19, 0.1)).toBe(0)
    expect(await busy(20, 20, 20, 0.1)).toBe(1)
  })

  test('that is busy hands the file to a thread, has it back when it has rest, and nothing is lost on the way', async () => {
    // How much the loop does, and for how long, is what this test says: when it is busy, each look at the clock finds it that much later.
    const BUSY = { ms: 60, utilization: 1 }
    const CALM = { ms: 0, utilization: 0 }
    let load = CALM
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += load.ms))
    vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({ idle: 0, active: 0, ...load }))
    const engine = sqliteEngine({ path, logger })
    const store = createStore(engine)
    const rows: { id: string }[] = []
    async function write(): Promise<void> {
      const row = depositRecord()
      rows.push(row)
      expect(await store.apply(creation(row))).toEqual({ applied: true })
      expect(await store.deposit(row.id)).toMatchObject({ id: row.id })
    }
    const taken = 'The database is handled by a worker thread now.'
    const givenBack = 'The load dropped; the event loop handles the database itself again.'
    load = BUSY
    while (!said.includes(taken)) await write()
    load = CALM
    while (!said.includes(givenBack)) {
      const begun = Date.now()
      await write()
      // Whether the thread has rest is measured, on a slow disk too.
      await pause(10 + 20 * (Date.now() - begun))
      now += 2000
    }
    now += 3_600_000
    load = BUSY
    // The thread is there already: no write is between being busy and having it, and the calm until now does not give it back.
    while (said.length < 3) await Promise.all([write(), write(), write()])
    load = CALM
    await write()
    expect(said).toEqual([taken, givenBack, taken])
    for (const { id } of rows) expect(await store.deposit(id)).toMatchObject({ id })
    await store.close()
    expect(kept()).toBe(rows.length)
  })

  test('hands the file over once, though what it writes last makes it busy again', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 500))
    const engine = sqliteEngine({ path, logger })
    const store = createStore(engine)
    const written: Promise<unknown>[] = []
    // One waits at whatever moment the thread is there.
    while (said.length === 0) {
      written.push(store.apply(creation(depositRecord())))
      await new Promise(setImmediate)
    }
    expect(said).toEqual(['The database is handled by a worker thread now.'])
    vi.restoreAllMocks()
    expect(await Promise.all(written)).toEqual(written.map(() => ({ applied: true })))
    await store.close()
    expect(kept()).toBe(written.length)
  })

  test('writes nothing that waits when the thread, which has just given the file back, says that the disk failed', async () => {
    const database = new Database(path)
    database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY)')
    const fault: Fault = { code: 'SQLITE_IOERR_FSYNC', message: 'disk I/O error' }
    const met: Fault[] = []
    const loop = createLoopExecutor({ database, onBusy: () => {}, onFault: () => {}, known: () => met[0] })
    loop.define(0, 'INSERT INTO things DEFAULT VALUES')
    const waiting = [loop.write([[0, [], true]]), loop.write([[0, [], true]])]
    met.push(fault)
    expect(await Promise.all(waiting)).toEqual([fault, fault])
    expect(database.prepare('SELECT count(*) FROM things').pluck().get()).toBe(0)
    await loop.close()
  })

  test('keeps what is in memory to itself, and goes on when no thread can be had', async () => {
    const memory = sqliteEngine({ path: ':memory:', logger })
    expect(await memory.moveToThread()).toBe(false)
    await memory.close()
    const engine = sqliteEngine({ path, logger, threadEntry: new URL('not-there.ts', import.meta.url) })
    expect(await engine.moveToThread()).toBe(false)
    expect(said).toEqual([
      'The database worker thread could not be started; the event loop goes on handling the database.',
    ])
    expect(await createStore(engine).apply(creation(depositRecord()))).toEqual({ applied: true })
    await engine.close()
    expect(await engine.moveToThread()).toBe(false)
  })

  test('finds its own file for the thread, wherever the program stands by then', async () => {
    const before = process.cwd()
    process.chdir(folder)
    try {
      const engine = sqliteEngine({ path: 'hc.db', logger })
      process.chdir(before)
      expect(await engine.moveToThread()).toBe(true)
      expect(await createStore(engine).apply(creation(depositRecord()))).toEqual({ applied: true })
      await engine.close()
      expect(kept()).toBe(1)
    } finally {
      process.chdir(before)
    }
  })
})

describe('a thread', () => {
  /** An executor beside which the event loop and the thread work so much of their time, by a clock of its own. */
  async function loaded(loop: number, thread: number) {
    await sqliteEngine({ path }).close()
    const seen = { now: 0, quiet: 0 }
    const utilized = (utilization: number) => () => ({ idle: 0, active: 0, utilization })
    const executor = await createThreadedExecutor({
      path,
      onEnd: () => {},
      onFault: () => {},
      onQuiet: () => (seen.quiet += 1),
      performance: { now: () => seen.now, eventLoopUtilization: utilized(loop) },
      threadPerformance: { eventLoopUtilization: utilized(thread) },
    })
    executor.define(0, 'CREATE TABLE IF NOT EXISTS things (id INTEGER PRIMARY KEY)')
    return { seen, write: () => executor.write([[0, [], false]]), take: executor.take, close: executor.close }
  }

  /** Says how often it was quiet, when writes are so many ms apart. */
  async function quiet(apart: number, writes: number, loop: number, thread: number): Promise<number> {
    const { seen, write, close } = await loaded(loop, thread)
    for (let i = 0; i < writes; i++) {
      seen.now += apart
      expect(await write()).toEqual([])
    }
    await close()
    rmSync(path)
    return seen.quiet
  }

  test('that the event loop could do without says so once in two seconds', async () => {
    expect(await quiet(500, 12, 0.3, 0.1)).toBe(3)
    expect(await quiet(5000, 3, 0.3, 0.1)).toBe(3)
    expect(await quiet(1999, 1, 0.3, 0.1)).toBe(0)
  })

  test('that has much to do, or whose loop would have none, is kept', async () => {
    expect(await quiet(5000, 3, 0.1, 0.2)).toBe(0)
    expect(await quiet(5000, 3, 0.5, 0.1)).toBe(0)
    expect(await quiet(5000, 3, 0.4, 0.19)).toBe(3)
  })

  test('is not said to be quiet by the calm before it was taken', async () => {
    const { seen, write, take, close } = await loaded(0, 0)
    seen.now = 3_600_000
    take()
    await write()
    expect(seen.quiet).toBe(0)
    seen.now += 2000
    await write()
    expect(seen.quiet).toBe(1)
    await close()
  })

  test('is not said to be quiet while others are on their way', async () => {
    const { seen, write, close } = await loaded(0, 0)
    seen.now = 5000
    const first = write()
    await new Promise(setImmediate)
    const second = write()
    await first
    expect(seen.quiet).toBe(0)
    await second
    expect(seen.quiet).toBe(1)
    await close()
  })

  test('that was asked for by name is kept, however quiet it is', async () => {
    const store = await threaded()
    for (let i = 0; i < 3; i++) {
      expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
      await pause(1100)
    }
    expect(said).toEqual(['The database is handled by a worker thread now.'])
    await store.close()
  })

  async function threaded(given: Partial<SqliteStoreOptions> = {}) {
    const engine = sqliteEngine({ path, logger, threadEntry: FAULTY, ...given })
    expect(await engine.moveToThread()).toBe(true)
    return createStore(engine)
  }

  test('answers all that was asked before it closes, and none after', async () => {
    const store = await threaded()
    const asked = Array.from({ length: 50 }, () => store.apply(creation(depositRecord())))
    const reads = Array.from({ length: 50 }, () => store.payments({ limit: 1 }))
    const [first, second] = [store.close(), store.close()]
    await expect(store.payments({ limit: 1 })).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await Promise.all(asked)).toEqual(asked.map(() => ({ applied: true })))
    await Promise.all([...reads, first, second])
    expect(kept()).toBe(50)
  })

  test('writes those who come while others are on their way', async () => {
    const store = await threaded()
    const waves = []
    for (let wave = 0; wave < 5; wave++) {
      waves.push(store.apply(creation(depositRecord())), store.apply(creation(depositRecord())))
      await new Promise(setImmediate)
    }
    expect(await Promise.all(waves)).toEqual(waves.map(() => ({ applied: true })))
    await store.close()
    expect(kept()).toBe(10)
  })

  test('has ended when the store is closed, whatever else runs in it', async () => {
    const store = await threaded()
    await store.close()
    delete process.env['HC_TEST_ALIVE']
    await pause(100)
    expect(process.env['HC_TEST_ALIVE']).toBeUndefined()
  })

  test('that is still starting when the store is closed ends with it, and a closed store takes none', async () => {
    const engine = sqliteEngine({ path, logger, threadEntry: FAULTY })
    const moving = engine.moveToThread()
    const written = createStore(engine).apply(creation(depositRecord()))
    await engine.close()
    expect(await written).toEqual({ applied: true })
    await moving
    const closed = sqliteEngine({ path, logger, threadEntry: FAULTY })
    await closed.close()
    expect(await closed.moveToThread()).toBe(false)
    delete process.env['HC_TEST_ALIVE']
    await pause(100)
    expect(process.env['HC_TEST_ALIVE']).toBeUndefined()
    expect(said.filter((line) => line.includes('could not'))).toEqual([])
    expect(readdirSync(folder)).toEqual(['hc.db'])
    expect(kept()).toBe(1)
  })

  test('undoes what one of many breaks, without harm to its neighbours', async () => {
    const store = await threaded()
    const taken = depositRecord()
    await store.apply(creation(taken))
    const rows = Array.from({ length: 10 }, (_, i) => depositRecord(i === 4 ? { id: taken.id } : {}))
    const outcomes = await Promise.all(rows.map((row) => store.apply(creation(row))))
    expect(outcomes.map(({ applied }) => applied)).toEqual(rows.map((_, i) => i !== 4))
    await store.close()
    expect(kept()).toBe(10)
  })

  test.each([
    ['before', 0],
    ['after', 3],
  ] as const)(
    'that ends %s a commit: who waits is told that nothing is known, and the event loop goes on',
    async (when, there) => {
      const store = await threaded()
      failing(`exit ${when}`)
      const rows = [depositRecord(), depositRecord(), depositRecord()]
      const reading = store.payments({ limit: 9 })
      const outcomes = await Promise.allSettled(rows.map((row) => store.apply(creation(row))))
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({
          status: 'rejected',
          reason: { code: 'store_unavailable', detail: expect.stringContaining('not known') as string },
        })
      await reading
      works()
      expect(await store.payments({ limit: 9 })).toHaveLength(there)
      expect(said.at(-1)).toBe(ENDED)
      expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
      await store.close()
      expect(kept()).toBe(there + 1)
    },
  )

  test('that has ended does not get the file once more when the event loop is busy again', async () => {
    const engine = sqliteEngine({ path, logger, threadEntry: FAULTY })
    expect(await engine.moveToThread()).toBe(true)
    failing('exit now')
    while (!said.includes(ENDED)) await pause(5)
    works()
    await engine.moveToThread()
    expect(await createStore(engine).apply(creation(depositRecord()))).toEqual({ applied: true })
    await engine.close()
    expect(kept()).toBe(1)
  })

  test('a read that the end of the thread left unanswered is answered by the event loop', async () => {
    const store = await threaded()
    const row = depositRecord()
    await store.apply(creation(row))
    failing('exit before')
    const [written, read] = await Promise.allSettled([store.setMeta('a', 'b'), store.deposit(row.id)])
    expect(written.status).toBe('rejected')
    expect(read).toMatchObject({ status: 'fulfilled', value: { id: row.id } })
    const later = store.deposit(row.id)
    expect(await later).toMatchObject({ id: row.id })
    works()
    await store.close()
  })

  /** As the system names it. */
  function alive(): boolean {
    return globSync('/proc/self/task/*/comm').some((file) => {
      try {
        return readFileSync(file, 'utf8') === 'sqlite\n'
      } catch {
        return false
      }
    })
  }

  test('that ends as soon as it is ready, while everybody is busy, is no thread', async () => {
    failing('exit ready')
    const engine = sqliteEngine({ path, logger, threadEntry: FAULTY })
    const moving = engine.moveToThread()
    const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    while (process.env['HC_TEST_ENDING'] === undefined) block(5)
    delete process.env['HC_TEST_ENDING']
    // Both of its messages are there when this one looks: the system knows of no such thread any more.
    if (process.platform === 'linux') while (alive()) block(5)
    else block(500)
    expect(await moving).toBe(false)
    works()
    const store = createStore(engine)
    expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
    await store.close()
    expect(kept()).toBe(1)
  })

  test('that answers what nobody asked is ended, and nobody gets the answer of another', async () => {
    const store = await threaded()
    failing('stray before')
    const row = depositRecord()
    const [written, read] = await Promise.allSettled([store.apply(creation(row)), store.deposit(row.id)])
    expect(read.status).toBe('fulfilled')
    if (written.status === 'fulfilled') expect(written.value).toEqual({ applied: true })
    else expect(written.reason).toMatchObject({ code: 'store_unavailable' })
    while (!said.includes(ENDED)) await pause(5)
    works()
    const there = (await store.deposit(row.id)) === undefined ? 0 : 1
    expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
    await store.close()
    expect(kept()).toBe(there + 1)
  })

  test('is not stopped by what cannot cross to it, and neighbours are written', async () => {
    const store = await threaded()
    const outcomes = await Promise.allSettled([
      store.apply(creation(depositRecord())),
      store.setMeta('no value', Symbol('no value') as unknown as string),
      store.apply(creation(depositRecord())),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await store.close()
    expect(kept()).toBe(2)
  })

  test('whose program has nothing else to do lets it end, and writes first what is on its way', () => {
    const program = `
      import { createStore } from '${at('../../server/store/create-store.ts')}'
      import { sqliteEngine } from '${at('../../server/store/sqlite.ts')}'
      const engine = sqliteEngine({ path: ${JSON.stringify(path)}, threadEntry: new URL('${FAULTY.href}') })
      if (!(await engine.moveToThread())) throw new Error('There is no thread.')
      const store = createStore(engine)
      void Promise.all(Array.from({ length: 100 }, (_, i) => store.setMeta('fact ' + i, 'written'))).then(() => console.log('written'))
      if (process.argv.at(-1) === 'close') await store.close()
    `
    for (const last of ['leave', 'close']) {
      const ran = spawnSync(process.execPath, ['--conditions=hc-source', '--input-type=module', '-e', program, last], {
        env: { ...process.env, NODE_OPTIONS: '' },
        encoding: 'utf8',
        timeout: 150_000,
      })
      expect({ ...ran, stderr: ran.stderr.trim() }).toMatchObject({ status: 0, stdout: 'written\n', stderr: '' })
    }
  })
})

describe.each(['the event loop', 'a thread'])('the log of a file that %s works on', (side) => {
  let engine: SqliteEngine
  let broken: Error[]
  beforeEach(async () => {
    broken = []
    engine = sqliteEngine({
      path,
      // A slow disk would make the event loop busy, and the thread would count from nothing.
      thread: false,
      logger,
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
    const alone = join(folder, 'alone.db')
    copyFileSync(path, alone)
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
    await writeOneByOne(31)
    expect(copied()).toBe(0)
    await writeOneByOne(1)
    await comesToBe(32)
    await writeOneByOne(31)
    expect(copied()).toBe(32)
    await writeOneByOne(1)
    await comesToBe(64)
    await engine.close()
  })

  test('that cannot be copied to a failing disk stops the writing, without a customer who asks', async () => {
    failing('fsync copy')
    await writeOneByOne(32)
    expect(broken).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
    works()
    const store = createStore(engine)
    await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject({ code: 'store_unavailable' })
    if (side === 'a thread') {
      failing('exit now')
      while (!said.includes(ENDED)) await pause(5)
      works()
      await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
    }
    expect(broken).toHaveLength(1)
    await engine.close()
    expect(kept()).toBe(32)
  })

  test('that a full disk has no room for is kept, and copied later', async () => {
    failing('full copy')
    await writeOneByOne(32)
    works()
    await writeOneByOne(31)
    expect(copied()).toBe(0)
    await writeOneByOne(1)
    expect(broken).toEqual([])
    await comesToBe(64)
    await engine.close()
  })
})

test('the log grows while many write, and is copied when they are fewer', () => {
  let now = 0
  let copies = 0
  const database = openSqlite(path)
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
  write(32, 2)
  expect(copies).toBe(1)
  write(320, 1)
  expect(copies).toBe(1)
  write(32, 1.25)
  expect(copies).toBe(2)
  now += 10
  work.write(Array.from({ length: 100 }, () => [[0, [], true]] as const))
  work.tidy()
  expect(copies).toBe(2)
  write(31, 10)
  expect(copies).toBe(2)
  write(1, 10)
  expect(copies).toBe(3)
  database.close()
  expect(work.tidy()).toBe(undefined)
})

describe('a disk that failed', () => {
  const failed = { code: 'store_unavailable', detail: expect.stringContaining('The disk failed') as string }

  /** Says that nothing is written any more, on either side. */
  async function expectNothingWritten(engine: SqliteEngine): Promise<void> {
    const store = createStore(engine)
    await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject(failed)
    await expect(store.ping()).rejects.toMatchObject(failed)
    await engine.moveToThread()
    await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject(failed)
    await store.close()
    expect(kept()).toBe(0)
  }

  /** Whose disk fails until `heal`, after so many ms. */
  function onBadDisk(ms = 0): { engine: SqliteEngine; heal: () => void } {
    let fails = true
    const engine = sqliteEngine({
      path,
      logger,
      crashPoint() {
        if (!fails) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
        throw ioFault()
      },
    })
    return { engine, heal: () => void (fails = false) }
  }

  test('under the event loop is not given to a thread that knows nothing of it', async () => {
    // As long as makes the loop busy.
    const { engine, heal } = onBadDisk(150)
    await expect(engine.ping()).rejects.toMatchObject(failed)
    heal()
    expect(await engine.moveToThread()).toBe(false)
    await expectNothingWritten(engine)
  })

  test('while a thread is starting leaves the file to nobody', async () => {
    const { engine, heal } = onBadDisk()
    const moving = engine.moveToThread()
    await expect(engine.ping()).rejects.toMatchObject(failed)
    heal()
    expect(await moving).toBe(false)
    await expectNothingWritten(engine)
  })

  test('is not written to by those who waited meanwhile', async () => {
    const engine = sqliteEngine({ path, logger, threadEntry: FAULTY })
    expect(await engine.moveToThread()).toBe(true)
    const store = createStore(engine)
    failing('fsync once')
    const first = store.apply(creation(depositRecord()))
    // The first is on its way; these go together after it.
    await new Promise(setImmediate)
    const others = [store.apply(creation(depositRecord())), store.apply(creation(depositRecord()))]
    for (const outcome of await Promise.allSettled([first, ...others]))
      expect(outcome).toMatchObject({ status: 'rejected', reason: failed })
    await store.close()
    expect(kept()).toBe(0)
  })

  test('under a thread that ends afterwards is not written to by the event loop', async () => {
    const engine = sqliteEngine({ path, logger, threadEntry: FAULTY })
    expect(await engine.moveToThread()).toBe(true)
    failing('fsync before')
    await expect(engine.ping()).rejects.toMatchObject(failed)
    failing('exit now')
    while (!said.includes(ENDED)) await pause(5)
    works()
    await expectNothingWritten(engine)
  })
})

test.each(['the event loop', 'a thread'])(
  'after a failed fsync %s writes nothing any more, and everyone who waits is told',
  async (side) => {
    const broken: Error[] = []
    let fails = false
    const engine = sqliteEngine({
      path,
      logger,
      threadEntry: FAULTY,
      onBroken: (error) => void broken.push(error),
      crashPoint(when) {
        if (fails && when === 'before') throw ioFault()
      },
    })
    if (side === 'a thread') expect(await engine.moveToThread()).toBe(true)
    const store = createStore(engine)
    const row = depositRecord()
    await store.apply(creation(row))
    fails = true
    failing('fsync before')
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => store.apply(creation(depositRecord()))))
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'store_unavailable', detail: expect.stringContaining('The disk failed') as string },
      })
    // The disk is well again, or says so: what it holds is not known all the same.
    fails = false
    works()
    await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(broken).toHaveLength(1)
    expect(broken[0]).toMatchObject({ code: 'SQLITE_IOERR_FSYNC' })
    expect(await store.deposit(row.id)).toMatchObject({ id: row.id })
    await store.close()
    expect(kept()).toBe(1)
  },
)
