// The sandbox documentation: its client of curl and openssl runs as it is, and its table of
// scenarios matches the code.
import { serve, type ServerType } from '@hono/node-server'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { NO_FAULTS } from '../../demo/sandbox/engine/faults.ts'
import { SCENARIOS } from '../../demo/sandbox/engine/scenarios.ts'
import { TRANSACTION_ACTIONS } from '../../demo/sandbox/panel/actions.ts'
import { createSandboxFixture, MERCHANT, WALLETS } from './sandbox-fixture.ts'

const read = (name: string) => readFileSync(new URL(`../../demo/docs/${name}`, import.meta.url), 'utf8')
const page = read('sandbox.md')

test('the client of curl and openssl logs in, lists banks, creates a signed deposit, asks about it and verifies the hash', async () => {
  const script = [...read('protocol/curl.md').matchAll(/```sh client\n([\s\S]*?)```/g)]
    .map(([, block]) => block)
    .join('\n')
  expect(script.replaceAll(/\b(curl|openssl|sed|echo|printf|sleep)\b/g, '')).not.toMatch(
    /\b(jq|node|python|perl|awk)\b/,
  )
  const fixture = createSandboxFixture({ now: Date.now })
  const server: ServerType = serve({ fetch: fixture.sandbox.app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise((ready) => server.once('listening', ready))
  fixture.sandbox.start()
  const env = {
    PATH: process.env['PATH'],
    BASE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CONSUMER_KEY: MERCHANT.consumerKey,
    CONSUMER_SECRET: MERCHANT.consumerSecret,
    BUSINESS_ID: MERCHANT.businessId,
    WALLET: WALLETS.KES,
    PRIVATE_KEY: fileURLToPath(new URL('../vectors/test-key.pem', import.meta.url)),
  }
  const shell = spawn('sh', ['-eu', '-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  shell.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  shell.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise((resolve) => shell.once('close', resolve))
  expect([code, said]).toEqual([0, expect.stringContaining('"name":"UBA Kenya Bank Ltd","currency":"KES","code":"76"')])
  expect(said).toContain('Successfully initiated')
  expect(said).toMatch(/Send the customer to http:\/\/127\.0\.0\.1:8788\/checkout\/[\w-]{32}\n/)
  expect(said).toContain('The deposit is SUCCESS')
  expect(said).toContain('The hash is genuine')
  await new Promise((closed) => server.close(closed))
  await fixture.sandbox.close()
})

test('the table of scenarios is the one that the sandbox plays', () => {
  const table = page.slice(page.indexOf('<!-- scenarios -->'), page.indexOf('<!-- /scenarios -->'))
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| `0000'))
    .map((line) => line.replaceAll(/ +\|/g, ' |'))
  expect(rows).toEqual(
    SCENARIOS.map(({ number, name, does, ending }) => `| \`0000${number}\` | \`${name}\` | ${does} | ${ending} |`),
  )
})

test('the table of faults names each of them', () => {
  const table = page.split('\n## Faults\n')[1]?.split('\n## ')[0] ?? ''
  const named = [...table.matchAll(/^\| `([a-z0-9_]+)`/gm)].map(([, name = '']) => name)
  expect(named.toSorted()).toEqual(Object.keys(NO_FAULTS).toSorted())
})

test('every address of the console’s API is described', () => {
  const code = readFileSync(new URL('../../demo/sandbox/panel/api.ts', import.meta.url), 'utf8')
  const served = [...code.matchAll(/app\.(get|post)\(['`]\/([^'`$]+)/g)].flatMap(([, method = '', path = '']) =>
    (path.endsWith('/') ? TRANSACTION_ACTIONS.map((action) => path + action) : [path]).map(
      (one) => [method, one] as const,
    ),
  )
  expect(served.length).toBeGreaterThan(25)
  const rows = page.split('\n## Console API\n')[1]?.split('\n## ')[0]?.split('\n') ?? []
  const before = page.split('\n## Console API\n')[0]?.split('\n') ?? []
  // In a row `transactions/:id/confirm`, `decline` share an address up to its last word.
  const undescribed = served.filter(([method, path]) => {
    const [folder, last] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)]
    const has = (row: string) =>
      row.includes(method.toUpperCase()) && row.includes(folder) && new RegExp(`[\`/ ]${last}[\` ]`).test(row)
    return !rows.some(has) && !before.some((line) => line.includes(`/console/api/${path}\``))
  })
  expect(undescribed).toEqual([])
})
