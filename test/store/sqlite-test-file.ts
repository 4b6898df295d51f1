// A SQLite file of its own for each test, what was logged about it, and the faults that its disk
// can be given.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { Logger } from '../../server/platform/logging/logger.ts'

/** The file of the test that is running: at `path`, in a folder that is removed with it. */
export const file: {
  folder: string
  path: string
  logger: Logger
  /** The messages that `logger` was given. */
  said: string[]
  /** Counts the deposits in it, past the store. */
  kept(): number
} = {
  folder: '',
  path: '',
  logger: silentLogger,
  said: [],
  kept() {
    const database = new Database(file.path, { readonly: true })
    const count = database.prepare('SELECT count(*) FROM deposits').pluck().get()
    database.close()
    return Number(count)
  },
}

beforeEach(() => {
  const said: string[] = []
  const say = (_fields: object, message = '') => void said.push(message)
  const folder = mkdtempSync(join(tmpdir(), 'hc-file-'))
  const logger = { debug: say, info: say, warn: say, error: say }
  Object.assign(file, { folder, path: join(folder, 'hc.db'), said, logger })
})
afterEach(() => {
  rmSync(file.folder, { recursive: true, force: true })
})

export const ioFault = () => Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })
export const fullFault = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
