// A disk that failed under a SQLite file: nothing more is written to it, and nothing is
// acknowledged that is not there.
import { expect, test } from 'vitest'
import { createStore } from '../../server/store/engine/create-store.ts'
import { sqliteEngine } from '../../server/store/sqlite/sqlite.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { file, ioFault } from './sqlite-test-file.ts'

const failed = { code: 'store_unavailable', detail: expect.stringContaining('The disk failed') as string }

/** A store whose commits fail from now on, until `heal`. */
function onBadDisk() {
  const broken: Error[] = []
  const disk = { fails: false }
  const engine = sqliteEngine({
    path: file.path,
    logger: file.logger,
    onBroken: (error) => void broken.push(error),
    crashPoint(when) {
      if (disk.fails && when === 'before') throw ioFault()
    },
  })
  return { store: createStore(engine), broken, disk }
}

test('a failed fsync stops all writing, and everyone who waits is told', async () => {
  const { store, broken, disk } = onBadDisk()
  const row = depositRecord()
  await store.apply(creation(row))
  disk.fails = true
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => store.apply(creation(depositRecord()))))
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: failed })
  // The disk is well again, or says so: what it holds is not known all the same.
  disk.fails = false
  await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject(failed)
  await expect(store.ping()).rejects.toMatchObject(failed)
  expect(broken).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
  expect(file.said).toEqual(['The disk failed under the database; the store writes nothing more.'])
  expect(await store.deposit(row.id)).toMatchObject({ id: row.id })
  await store.close()
  expect(file.kept()).toBe(1)
})

test('a failed fsync leaves unwritten what was asked for meanwhile', async () => {
  const { store, disk } = onBadDisk()
  disk.fails = true
  const first = store.apply(creation(depositRecord()))
  // Asked for between the failure and the moment when its caller hears of it.
  const late = new Promise((resolve) => setImmediate(resolve)).then(async () => {
    disk.fails = false
    await store.apply(creation(depositRecord()))
  })
  for (const outcome of await Promise.allSettled([first, late]))
    expect(outcome).toMatchObject({ status: 'rejected', reason: failed })
  await store.close()
  expect(file.kept()).toBe(0)
})
