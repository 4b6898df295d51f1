// Group commit on a SQLite file: those who write in one turn of the event loop share one commit,
// and none harms another.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createStore } from '../../server/store/engine/create-store.ts'
import { sqliteEngine, sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { file } from './sqlite-test-file.ts'

const at = (module: string) => new URL(module, import.meta.url).href

test('writers of one turn share one commit, those of the next have their own', async () => {
  let commits = 0
  const crashPoint = (when: string) => void (commits += when === 'after' ? 1 : 0)
  const store = createStore(sqliteEngine({ path: file.path, crashPoint }))
  const write = (count: number) =>
    Promise.all(Array.from({ length: count }, () => store.apply(creation(depositRecord()))))
  await write(50)
  expect(commits).toBe(1)
  await write(1)
  expect(commits).toBe(2)
  await store.close()
  expect(file.kept()).toBe(51)
})

test('a store undoes what one of many breaks, without harm to its neighbours', async () => {
  const store = sqliteStore({ path: file.path })
  const taken = depositRecord()
  await store.apply(creation(taken))
  const rows = Array.from({ length: 10 }, (_, i) => depositRecord(i === 4 ? { id: taken.id } : {}))
  const outcomes = await Promise.all(rows.map((row) => store.apply(creation(row))))
  expect(outcomes.map(({ applied }) => applied)).toEqual(rows.map((_, i) => i !== 4))
  await store.close()
  expect(file.kept()).toBe(10)
})

test('a value that the driver refuses fails its own write alone', async () => {
  const store = sqliteStore({ path: file.path })
  const outcomes = await Promise.allSettled([
    store.apply(creation(depositRecord())),
    store.setMeta('no value', Symbol('no value') as unknown as string),
    store.apply(creation(depositRecord())),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  await store.close()
  expect(file.kept()).toBe(2)
})

test('a closing store writes what was asked for before, and nothing after', async () => {
  const store = sqliteStore({ path: file.path })
  const asked = Array.from({ length: 50 }, () => store.apply(creation(depositRecord())))
  const reads = Array.from({ length: 50 }, () => store.payments({ limit: 1 }))
  const [first, second] = [store.close(), store.close()]
  await expect(store.payments({ limit: 1 })).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(store.apply(creation(depositRecord()))).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(await Promise.all(asked)).toEqual(asked.map(() => ({ applied: true })))
  await Promise.all([...reads, first, second])
  expect(file.kept()).toBe(50)
})

test.each(['leave', 'close'])('a program that has nothing else to do writes first what it asked for: %s', (last) => {
  const program = `
    import { sqliteStore } from '${at('../../server/store/sqlite/sqlite.ts')}'
    const store = sqliteStore({ path: ${JSON.stringify(file.path)} })
    void Promise.all(Array.from({ length: 100 }, (_, i) => store.setMeta('fact ' + i, 'written'))).then(() => console.log('written'))
    if (process.argv.at(-1) === 'close') await store.close()
  `
  const ran = spawnSync(process.execPath, ['--conditions=hc-source', '--input-type=module', '-e', program, last], {
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    timeout: 150_000,
  })
  expect({ ...ran, stderr: ran.stderr.trim() }).toMatchObject({ status: 0, stdout: 'written\n', stderr: '' })
})
