// A restore whose last step fails says where the former database and the restored one are.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openStore } from '../../server/store/open.ts'
import { backupSqlite, restoreSqlite } from '../../server/store/sqlite/backup.ts'
import { START } from '../helpers/deposit-record.ts'

let fails = false
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    renameSync(from: string, to: string) {
      if (fails && from.endsWith('.restoring')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
      fs.renameSync(from, to)
    },
  }
})

test('a restore that fails when the former database is set aside says what is where, and can be run again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-rename-'))
  const path = join(folder, 'hc.db')
  const copy = join(folder, 'copy.db')
  await (await openStore(`file:${path}`)).close()
  await backupSqlite(path, copy)
  fails = true
  const aside = `${path}.before-restore-${new Date(START).toISOString().replaceAll(':', '')}`
  expect(() => restoreSqlite(copy, path, START)).toThrow(
    `the former database is ${aside} now, and the restored one is ready as ${path}.restoring. Do not start the companion; restore again.`,
  )
  expect([existsSync(path), existsSync(aside)]).toEqual([false, true])
  fails = false
  expect(restoreSqlite(copy, path, START)).toEqual({ deposits: 0 })
  rmSync(folder, { recursive: true })
})
