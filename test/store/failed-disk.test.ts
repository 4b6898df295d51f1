// A disk that failed under a SQLite file: nothing more is written to it, whoever works on it, and nothing is acknowledged that is not there.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createStore } from '../../server/store/create-store.ts'
import { type SqliteEngine, sqliteEngine } from '../../server/store/sqlite.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { ENDED, FAULTY, failing, file, ioFault, works } from './sqlite-test-file.ts'

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
    expect(file.kept()).toBe(0)
  }

  /** Whose disk fails until `heal`, after so many ms. */
  function onBadDisk(ms = 0): { engine: SqliteEngine; heal: () => void } {
    let fails = true
    const engine = sqliteEngine({
      path: file.path,
      logger: file.logger,
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

  test('under the event loop at the hand-over is not written to by the thread that is handed the file', async () => {
    let late: Promise<void> | undefined
    const engine = sqliteEngine({
      path: file.path,
      logger: file.logger,
      threadEntry: FAULTY,
      crashPoint() {
        // Somebody writes between the failure and the moment when it is known.
        late = Promise.resolve().then(engine.ping)
        throw ioFault()
      },
    })
    delete process.env['HC_TEST_ALIVE']
    const moving = engine.moveToThread()
    await new Promise(setImmediate)
    // The thread is ready, and is handed the file before this one's turn: what waits is written at the hand-over.
    while (process.env['HC_TEST_ALIVE'] === undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    await expect(engine.ping()).rejects.toMatchObject(failed)
    expect(await moving).toBe(true)
    await expect(late).rejects.toMatchObject(failed)
    await expectNothingWritten(engine)
  })

  test('is not written to by those who waited meanwhile', async () => {
    const engine = sqliteEngine({ path: file.path, logger: file.logger, threadEntry: FAULTY })
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
    expect(file.kept()).toBe(0)
  })

  test('under a thread that ends afterwards is not written to by the event loop', async () => {
    const engine = sqliteEngine({ path: file.path, logger: file.logger, threadEntry: FAULTY })
    expect(await engine.moveToThread()).toBe(true)
    failing('fsync before')
    await expect(engine.ping()).rejects.toMatchObject(failed)
    failing('exit now')
    while (!file.said.includes(ENDED)) await pause(5)
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
      path: file.path,
      logger: file.logger,
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
    expect(file.kept()).toBe(1)
  },
)
