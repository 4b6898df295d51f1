// The user whom PostgreSQL runs as where the tests run as root: suites that begin at once on a
// fresh machine all find it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makePostgresUser } from '../helpers/postgres.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-users-'))
  const program = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\ncd '${folder}'\n${script}\n`, { mode: 0o755 })
  program('id', 'test -e made')
  program('groupadd', ':')
  // Like the real one: whoever comes while it works, or later, fails.
  program(
    'useradd',
    'mkdir lock 2>lost || { echo "cannot lock /etc/passwd" >&2; exit 1; }; sleep 0.3; echo once >>made',
  )
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

it.skipIf(process.platform === 'win32')('is made once, and who comes meanwhile waits for it', async () => {
  await Promise.all([makePostgresUser(), makePostgresUser(), makePostgresUser()])
  expect(readFileSync(join(folder, 'made'), 'utf8')).toBe('once\n')
})

it.skipIf(process.platform === 'win32')('is left as it is where there is one', async () => {
  writeFileSync(join(folder, 'made'), 'before\n')
  await makePostgresUser()
  expect(readFileSync(join(folder, 'made'), 'utf8')).toBe('before\n')
})
