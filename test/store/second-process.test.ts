// Two companions on one SQLite file, as a supervisor's cluster mode starts them: each notices the other.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLogger } from '../../server/logging/logger.ts'
import { sqliteStore } from '../../server/store/sqlite.ts'
import type { Store } from '../../server/store/store.ts'

let folder: string
let stores: Store[]
let warnings: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-second-'))
  stores = []
  warnings = []
})
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  rmSync(folder, { recursive: true })
})

/** @param migrate as a companion does; a command does not */
function open(migrate = true): Store {
  const warn = (_fields: object, says = ''): void => void warnings.push(says)
  const store = sqliteStore({ path: join(folder, 'companion.db'), migrate, logger: { ...silentLogger, warn } })
  stores.push(store)
  return store
}

it('is warned of once by each', async () => {
  const both = [open(), open()]
  for (let round = 0; round < 6; round++) for (const store of both) await store.ping()
  expect(warnings).toEqual([expect.stringMatching(/^Another companion/), expect.stringMatching(/^Another companion/)])
})

it('is not seen in a command that is run again and again, as doctor is while its findings are mended', async () => {
  const companion = open()
  await companion.ping()
  for (let round = 0; round < 6; round++) {
    await open(false).ping()
    await companion.ping()
  }
  expect(warnings).toEqual([])
})

it('is not seen in a command that looks in, nor in the process before a restart', async () => {
  const first = open()
  for (let round = 0; round < 4; round++) {
    await first.ping()
    await first.ping()
    await open().ping()
  }
  const restarted = open()
  for (let round = 0; round < 4; round++) await restarted.ping()
  expect(warnings).toEqual([])
})
