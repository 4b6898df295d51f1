// Runs the guide's ways to make a session as they are, against a companion: what they return is a
// session, and a refusal says why.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeListener } from '../../server/node.ts'
import { createTestSystem, keys, type TestSystem } from '../helpers/create-test-system.ts'
import { root, run } from '../helpers/run-quietly.ts'

const page = readFileSync(join(root, 'demo/docs/integrate.md'), 'utf8')
const languages = [
  { name: 'node', file: 'session.mjs', command: process.execPath, before: '', after: 'console.log(token, payUrl)' },
  { name: 'php', file: 'session.php', command: 'php', before: '<?php\n', after: 'echo "$token $payUrl\\n";' },
  { name: 'python', file: 'session.py', command: 'python3', before: '', after: 'print(token, pay_url)' },
]

const folder = mkdtempSync(join(tmpdir(), 'hc-session-'))
let server: Server
let system: TestSystem
beforeAll(async () => {
  system = await createTestSystem()
  const listener = nodeListener(system.companion)
  server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.close()
  await system.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(languages)('a session by $name', ({ name, file, command, before, after }) => {
  const isHere = spawnSync(command, ['--version']).status === 0

  function make(key: string) {
    const block = new RegExp(`<!-- session: ${name} -->\\s*\`\`\`[^\\n]+\\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1]
    if (block === undefined) throw new Error(`integrate.md has no session by ${name}`)
    const { port } = server.address() as AddressInfo
    const path = join(folder, file)
    writeFileSync(path, `${before}${block.replace('https://pay.shop.example', `http://127.0.0.1:${port}`)}\n${after}\n`)
    return run(command, [path], { env: { HC_MERCHANT_KEY: key } })
  }

  it.skipIf(!isHere)('its token and link are those of the order', async () => {
    const { code, output } = await make(keys.merchantKey)
    expect(code, output).toBe(0)
    const [token = '', payUrl = ''] = output.trim().split(' ')
    const seen = await system.browser('/v1/session', { headers: { authorization: `Bearer ${token}` } })
    expect(await seen.json()).toMatchObject({ amount: 2300, currency: 'KES', description: 'Nuru Lantern' })
    expect(payUrl).toContain('/pay/')
  })

  it.skipIf(!isHere)('with a wrong key it says why', async () => {
    const { code, output } = await make('not-the-key')
    expect(code).not.toBe(0)
    expect(output).toContain('no session: ')
    expect(output).toContain('"code":"bearer_wrong"')
  })
})
