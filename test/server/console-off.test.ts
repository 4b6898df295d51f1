// A companion without the console has none of it in memory; one with users loads it when somebody
// needs it.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { consoleUsers } from '../helpers/console-users.ts'
import { COMPANION_URL, environment } from '../helpers/create-test-system.ts'

const root = new URL('../../', import.meta.url)

/** Opens a companion, asks it, and says which files of the console were loaded before and after. */
const program = (env: Record<string, string>, path: string) => `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load(url, context, next) {
  if (url.includes('/server/console/')) loaded.push(url.slice(url.indexOf('/console/') + 9))
  return next(url, context)
} })
const { openCompanion } = await import(${JSON.stringify(new URL('server/node.ts', root).href)})
const logger = { debug() {}, info() {}, warn() {}, error() {} }
const { companion, close } = await openCompanion(${JSON.stringify(env)}, { logger })
const before = [...loaded]
const { status } = await companion.app.request(${JSON.stringify(COMPANION_URL + path)}, { headers: { cookie: 'hc-console=x' } })
console.log(JSON.stringify({ before, status, after: loaded }))
await close()
process.exit()
`

async function run(changes: Record<string, string>, path: string) {
  const folder = mkdtempSync(join(tmpdir(), 'hc-off-'))
  try {
    const code = program({ ...environment(folder), ...changes }, path)
    const args = ['--conditions=hc-source', '--input-type=module', '--eval', code]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
    return JSON.parse(stdout) as { before: string[]; status: number; after: string[] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('nothing of the console is loaded while it is off, whatever is asked', async () => {
  for (const path of ['/v1/payments', '/v1/console/me', '/console'])
    expect(await run({}, path)).toMatchObject({ before: [], after: [] })
})

it('it is loaded with the first request that needs it', async () => {
  const users = (await consoleUsers()).map(({ name, role, hash }) => `${name}:${role}:${hash}`.replace('-10-', '-14-'))
  const { before, status, after } = await run({ HC_CONSOLE_USERS: users.join('\n') }, '/v1/payments')
  expect([before, status]).toEqual([[], 401])
  expect(after).toContain('console.ts')
})
