// The SQLite file on the event loop and in a thread: when it moves, and what happens to waiting callers if either fails.
import { spawnSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createStore } from '../../server/store/create-store.ts'
import { createLoopExecutor } from '../../server/store/sqlite-loop.ts'
import { createThreadedExecutor } from '../../server/store/sqlite-threaded.ts'
import type { Fault } from '../../server/store/sqlite-work.ts'
import { type SqliteStoreOptions, sqliteEngine } from '../../server/store/sqlite.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { ENDED, FAULTY, failing, file, works } from './sqlite-test-file.ts'

const at = (module: string) => new URL(module, import.meta.url).href
afterEach(() => void vi.restoreAllMocks())

describe('the event loop', () => {
  /** Says how often it was busy, when each write takes `ms`, they are `apart` ms apart, and the loop works so much of its time. */
  async function busy(ms: number, apart: number, writes: number, utilization: number): Promise<number> {
    let now = 0
    let times = 0
    let begins = true
    const database = new Database(file.path)
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
    rmSync(file.path)
    return times
  }

  test('is busy when it had no rest for a second and wrote a tenth of it, and not before', async () => {
    // The first write begins the first second.
    expect(await busy(10, 90, 10, 0.9)).toBe(0)
    expect(await busy(10, 90, 11, 0.9)).toBe(1)
    expect(await busy(10, 90, 31, 0.9)).toBe(3)
    expect(await busy(9, 91, 31, 1)).toBe(0)
    expect(await busy(900, 3_600_000, 3, 1)).toBe(0)
  })

  test('that has rest is busy when slow writes take four tenths of its time, and not with fast ones', async () => {
    expect(await busy(4, 6, 101, 0.1)).toBe(1)
    expect(await busy(4, 7, 101, 0.1)).toBe(0)
    expect(await busy(3, 1, 501, 0.89)).toBe(0)
  })

  const taken = 'The database is handled by a worker thread now.'
  const givenBack = 'The load dropped; the event loop handles the database itself again.'

  test('that is busy hands the file to a thread, has it back when it has rest, and nothing is lost on the way', async () => {
    // How much the loop does, and for how long, is what this test says: when it is busy, each look at the clock finds it that much later.
    const BUSY = { ms: 60, utilization: 1 }
    const CALM = { ms: 0, utilization: 0 }
    let load = CALM
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += load.ms))
    vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({ idle: 0, active: 0, ...load }))
    const engine = sqliteEngine({ path: file.path, logger: file.logger })
    const store = createStore(engine)
    const rows: { id: string }[] = []
    async function write(): Promise<void> {
      const row = depositRecord()
      rows.push(row)
      expect(await store.apply(creation(row))).toEqual({ applied: true })
      expect(await store.deposit(row.id)).toMatchObject({ id: row.id })
    }
    load = BUSY
    while (!file.said.includes(taken)) await write()
    load = CALM
    while (!file.said.includes(givenBack)) {
      const begun = Date.now()
      await write()
      // Whether the thread has rest is measured, on a slow disk too.
      await pause(10 + 20 * (Date.now() - begun))
      now += 2000
    }
    now += 3_600_000
    load = BUSY
    // The thread is there already: no write is between being busy and having it, and the calm until now does not give it back.
    while (file.said.length < 3) await Promise.all([write(), write(), write()])
    load = CALM
    await write()
    expect(file.said).toEqual([taken, givenBack, taken])
    for (const { id } of rows) expect(await store.deposit(id)).toMatchObject({ id })
    await store.close()
    expect(file.kept()).toBe(rows.length)
  })

  test('that could not do without the thread tries again after twice the calm, and one that could after the first', async () => {
    let load = { ms: 0, utilization: 0 }
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += load.ms))
    vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({ idle: 0, active: 0, ...load }))
    const engine = sqliteEngine({ path: file.path, logger: file.logger })
    const store = createStore(engine)
    async function busyUntilTaken(): Promise<void> {
      load = { ms: 60, utilization: 1 }
      const said = file.said.length
      while (file.said.length === said) await store.setMeta('a', 'b')
      load = { ms: 0, utilization: 0 }
    }
    /** Whether the loop has the file back after so long a calm. */
    async function isBackAfter(ms: number): Promise<boolean> {
      // Whether the thread has rest is measured, on a slow disk too.
      const begun = Date.now()
      await store.setMeta('a', 'b')
      await pause(10 + 20 * (Date.now() - begun))
      now += ms
      const said = file.said.length
      await store.setMeta('a', 'b')
      return file.said.length > said
    }
    await busyUntilTaken()
    expect(await isBackAfter(2000)).toBe(true)
    for (const calm of [4000, 8000, 16_000, 32_000, 32_000]) {
      await busyUntilTaken()
      expect(await isBackAfter(calm - 1)).toBe(false)
      expect(await isBackAfter(1)).toBe(true)
    }
    now += 10_000
    await busyUntilTaken()
    expect(await isBackAfter(1999)).toBe(false)
    expect(await isBackAfter(1)).toBe(true)
    expect(file.said).toEqual(file.said.map((_, i) => (i % 2 === 0 ? taken : givenBack)))
    await store.close()
  })

  test('hands the file over once, though what it writes last makes it busy again', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 500))
    const engine = sqliteEngine({ path: file.path, logger: file.logger })
    const store = createStore(engine)
    const written: Promise<unknown>[] = []
    // One waits at whatever moment the thread is there.
    while (file.said.length === 0) {
      written.push(store.apply(creation(depositRecord())))
      await new Promise(setImmediate)
    }
    expect(file.said).toEqual(['The database is handled by a worker thread now.'])
    vi.restoreAllMocks()
    expect(await Promise.all(written)).toEqual(written.map(() => ({ applied: true })))
    await store.close()
    expect(file.kept()).toBe(written.length)
  })

  test('writes nothing that waits when the thread, which has just given the file back, says that the disk failed', async () => {
    const database = new Database(file.path)
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

  test('writes what was asked for before it closes', async () => {
    const store = createStore(sqliteEngine({ path: file.path }))
    const asked = Array.from({ length: 5 }, () => store.apply(creation(depositRecord())))
    await store.close()
    expect(await Promise.all(asked)).toEqual(asked.map(() => ({ applied: true })))
    expect(file.kept()).toBe(5)
  })

  test('keeps what is in memory to itself, and goes on when no thread can be had', async () => {
    const memory = sqliteEngine({ path: ':memory:', logger: file.logger })
    expect(await memory.moveToThread()).toBe(false)
    await memory.close()
    const engine = sqliteEngine({
      path: file.path,
      logger: file.logger,
      threadEntry: new URL('not-there.ts', import.meta.url),
    })
    expect(await engine.moveToThread()).toBe(false)
    expect(file.said).toEqual([
      'The database worker thread could not be started; the event loop goes on handling the database.',
    ])
    expect(await createStore(engine).apply(creation(depositRecord()))).toEqual({ applied: true })
    await engine.close()
    expect(await engine.moveToThread()).toBe(false)
  })

  test('finds its own file for the thread, wherever the program stands by then', async () => {
    const before = process.cwd()
    process.chdir(file.folder)
    try {
      const engine = sqliteEngine({ path: 'hc.db', logger: file.logger })
      process.chdir(before)
      expect(await engine.moveToThread()).toBe(true)
      expect(await createStore(engine).apply(creation(depositRecord()))).toEqual({ applied: true })
      await engine.close()
      expect(file.kept()).toBe(1)
    } finally {
      process.chdir(before)
    }
  })
})

describe('a thread', () => {
  /** An executor beside which the event loop and the thread work so much of their time, by a clock of its own. */
  async function loaded(loop: number, thread: number, calmMs = 2000) {
    await sqliteEngine({ path: file.path }).close()
    const seen = { now: 0, quiet: 0 }
    const utilized = (utilization: number) => () => ({ idle: 0, active: 0, utilization })
    const executor = await createThreadedExecutor({
      path: file.path,
      onEnd: () => {},
      onFault: () => {},
      known: () => undefined,
      onQuiet: () => (seen.quiet += 1),
      performance: { now: () => seen.now, eventLoopUtilization: utilized(loop) },
      threadPerformance: { eventLoopUtilization: utilized(thread) },
    })
    executor.take(calmMs)
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
    rmSync(file.path)
    return seen.quiet
  }

  test('that the event loop could do without says so whenever it was calm for the given time', async () => {
    expect(await quiet(500, 12, 0.3, 0.1)).toBe(3)
    expect(await quiet(5000, 3, 0.3, 0.1)).toBe(3)
    expect(await quiet(1999, 1, 0.3, 0.1)).toBe(0)
  })

  test('that has much to do, or whose loop has, is kept', async () => {
    expect(await quiet(5000, 3, 0.1, 0.9)).toBe(0)
    expect(await quiet(5000, 3, 0.6, 0.1)).toBe(0)
    expect(await quiet(5000, 3, 0.59, 0.89)).toBe(3)
  })

  test('is not said to be quiet by the calm before it was taken', async () => {
    const { seen, write, take, close } = await loaded(0, 0)
    seen.now = 3_600_000
    take(4000)
    await write()
    seen.now += 3999
    await write()
    expect(seen.quiet).toBe(0)
    seen.now += 1
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
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 2000))
    vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({ idle: 0, active: 0, utilization: 0 }))
    const store = await threaded()
    for (let i = 0; i < 3; i++) {
      const begun = Date.now()
      expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
      // The thread's own rest is measured, on a slow disk too.
      await pause(10 + 20 * (Date.now() - begun))
    }
    expect(file.said).toEqual(['The database is handled by a worker thread now.'])
    await store.close()
  })

  async function threaded(given: Partial<SqliteStoreOptions> = {}) {
    const engine = sqliteEngine({ path: file.path, logger: file.logger, threadEntry: FAULTY, ...given })
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
    expect(file.kept()).toBe(50)
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
    expect(file.kept()).toBe(10)
  })

  test('has ended when the store is closed, whatever else runs in it', async () => {
    const store = await threaded()
    await store.close()
    delete process.env['HC_TEST_ALIVE']
    await pause(100)
    expect(process.env['HC_TEST_ALIVE']).toBeUndefined()
  })

  test('that is still starting when the store is closed ends with it, and a closed store takes none', async () => {
    const engine = sqliteEngine({ path: file.path, logger: file.logger, threadEntry: FAULTY })
    const moving = engine.moveToThread()
    const written = createStore(engine).apply(creation(depositRecord()))
    await engine.close()
    expect(await written).toEqual({ applied: true })
    await moving
    const closed = sqliteEngine({ path: file.path, logger: file.logger, threadEntry: FAULTY })
    await closed.close()
    expect(await closed.moveToThread()).toBe(false)
    delete process.env['HC_TEST_ALIVE']
    await pause(100)
    expect(process.env['HC_TEST_ALIVE']).toBeUndefined()
    expect(file.said.filter((line) => line.includes('could not'))).toEqual([])
    expect(readdirSync(file.folder)).toEqual(['hc.db'])
    expect(file.kept()).toBe(1)
  })

  test('undoes what one of many breaks, without harm to its neighbours', async () => {
    const store = await threaded()
    const taken = depositRecord()
    await store.apply(creation(taken))
    const rows = Array.from({ length: 10 }, (_, i) => depositRecord(i === 4 ? { id: taken.id } : {}))
    const outcomes = await Promise.all(rows.map((row) => store.apply(creation(row))))
    expect(outcomes.map(({ applied }) => applied)).toEqual(rows.map((_, i) => i !== 4))
    await store.close()
    expect(file.kept()).toBe(10)
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
      expect(file.said.at(-1)).toBe(ENDED)
      expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
      await store.close()
      expect(file.kept()).toBe(there + 1)
    },
  )

  test('that has ended does not get the file once more when the event loop is busy again', async () => {
    const engine = sqliteEngine({ path: file.path, logger: file.logger, threadEntry: FAULTY })
    expect(await engine.moveToThread()).toBe(true)
    failing('exit now')
    while (!file.said.includes(ENDED)) await pause(5)
    works()
    await engine.moveToThread()
    expect(await createStore(engine).apply(creation(depositRecord()))).toEqual({ applied: true })
    await engine.close()
    expect(file.kept()).toBe(1)
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
    const engine = sqliteEngine({ path: file.path, logger: file.logger, threadEntry: FAULTY })
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
    expect(file.kept()).toBe(1)
  })

  test('that answers what nobody asked is ended, and nobody gets the answer of another', async () => {
    const store = await threaded()
    failing('stray before')
    const row = depositRecord()
    const [written, read] = await Promise.allSettled([store.apply(creation(row)), store.deposit(row.id)])
    expect(read.status).toBe('fulfilled')
    if (written.status === 'fulfilled') expect(written.value).toEqual({ applied: true })
    else expect(written.reason).toMatchObject({ code: 'store_unavailable' })
    while (!file.said.includes(ENDED)) await pause(5)
    works()
    const there = (await store.deposit(row.id)) === undefined ? 0 : 1
    expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
    await store.close()
    expect(file.kept()).toBe(there + 1)
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
    expect(file.kept()).toBe(2)
  })

  test('whose program has nothing else to do lets it end, and writes first what is on its way', () => {
    const program = `
      import { createStore } from '${at('../../server/store/create-store.ts')}'
      import { sqliteEngine } from '${at('../../server/store/sqlite.ts')}'
      const engine = sqliteEngine({ path: ${JSON.stringify(file.path)}, threadEntry: new URL('${FAULTY.href}') })
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
