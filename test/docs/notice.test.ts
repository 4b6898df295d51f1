// Runs the guide's ways to read a notice as they are: a signed one is read, another stops the
// program.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../server/notices/send-notice.ts'
import { keys } from '../helpers/create-test-system.ts'
import { root, run } from '../helpers/run-quietly.ts'

const page = readFileSync(join(root, 'demo/docs/integrate.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'hc-notice-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
for (const client of ['php/HcCheckout.php', 'python/hccheckout.py'])
  cpSync(join(root, 'server/client', client), join(folder, basename(client)))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What stands around the lines of the page in a program: the request, and what is made of it. */
const languages = [
  {
    name: 'node',
    file: 'notice.mjs',
    command: process.execPath,
    before: `const { BODY, HEADERS } = process.env
const request = new Request('http://shop.example', { method: 'POST', body: BODY, headers: JSON.parse(HEADERS) })
`,
    after: 'console.log(type, data.paymentId)',
  },
  {
    name: 'php',
    file: 'notice.php',
    command: 'php',
    before: '<?php\n',
    after: "echo \"$notice[type] {$notice['data']['paymentId']}\\n\";",
  },
  {
    name: 'python',
    file: 'notice.py',
    command: 'python3',
    before: `import json, os
body, headers = os.environ["BODY"].encode(), json.loads(os.environ["HEADERS"])
`,
    after: 'print(notice["type"], notice["data"]["paymentId"])',
  },
] as const

describe.each(languages)('a notice by $name', ({ name, file, command, before, after }) => {
  const isHere = spawnSync(command, ['--version']).status === 0
  const data = { paymentId: 'dep_1', orderId: 'A-1', amount: 2500, currency: 'KES', version: 4, mode: 'test' }
  const signed = JSON.stringify({ type: 'payment.succeeded', timestamp: new Date().toISOString(), data })

  function read(body: string) {
    const block = new RegExp(`<!-- notice: ${name} -->\\s*\`\`\`[^\\n]+\\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1]
    if (block === undefined) throw new Error(`integrate.md has no notice by ${name}`)
    const given = join(folder, 'body')
    writeFileSync(given, body)
    writeFileSync(join(folder, file), `${before}${block.replace('php://input', given)}\n${after}\n`)
    const headers = signatureHeaders({ id: 'msg_1', body: signed }, [keys.notifySecret], Date.now())
    // As PHP finds them in $_SERVER.
    const ofServer = Object.entries(headers).map(([key, value]) => [
      `HTTP_${key.toUpperCase().replaceAll('-', '_')}`,
      value,
    ])
    const env = { HC_NOTIFY_SECRET: keys.notifySecret, BODY: body, HEADERS: JSON.stringify(headers) }
    return run(command, [file], { cwd: folder, env: { ...env, ...(Object.fromEntries(ofServer) as object) } })
  }

  it.skipIf(!isHere)('that the companion has signed is read', async () => {
    const { code, output } = await read(signed)
    expect({ code, output: output.trim() }).toEqual({ code: 0, output: 'payment.succeeded dep_1' })
  })

  it.skipIf(!isHere)('that has been changed is refused', async () => {
    const { code, output } = await read(signed.replace('2500', '1'))
    expect(code).not.toBe(0)
    expect(output).not.toContain('payment.succeeded dep_1')
  })
})
