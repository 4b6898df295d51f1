// `hc-checkout-server sandbox` over real HTTP: help, wrong arguments, persistent keys, cut connections.
import { parseEnv } from 'node:util'
import { startCompanion } from '../../server/node.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../helpers/free-port.ts'
import { signed, type Envelope } from './sandbox-fixture.ts'

const command = fileURLToPath(new URL('../../server/commands/sandbox.ts', import.meta.url))
const START = `import(${JSON.stringify(command)}).then(async (it) => { process.exitCode = await it.sandbox(process.argv.slice(1)) })`

let folder: string
const running = new Set<ChildProcess>()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-command-'))
})
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
  rmSync(folder, { recursive: true })
})

function run(...args: string[]) {
  const child = spawn(process.execPath, ['--conditions=hc-source', '-e', START, '--', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, said })),
  )
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (said.includes(text)) resolve()
      }
      listeners.add(look)
      look()
      void ended.then(() => reject(new Error(`It ended without saying "${text}": ${said}`)))
    })
  return { child, ended, says }
}

test('--help tells all options and ends well', async () => {
  const { code, said } = await run('--help').ended
  expect(code).toBe(0)
  for (const option of ['--port', '--host', '--database', '--public-url', '--rate', '--locales', '--no-agent'])
    expect(said).toContain(option)
})

test.each([
  [['--sharks'], '--sharks'],
  [['--port', 'many'], '--port'],
  [['--rate', '-1'], '--rate'],
  [['--public-url', 'shop'], '--public-url'],
  [['--locales', 'en,zu'], '--locales'],
])('%j ends with 2 and a sentence that names it', async (args, name) => {
  const { code, said } = await run(...args).ended
  expect(code).toBe(2)
  expect(said).toContain(name)
})

test('it makes keys once, keeps them and its deposits over a restart, cuts connections on demand, and ends when told to', async () => {
  const port = await freePort()
  const args = ['--port', String(port), '--database', join(folder, 'state', 'sandbox.db')]
  const base = `http://127.0.0.1:${port}`
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, json: (await response.json()) as Envelope }
  }
  const first = run(...args)
  await first.says('End it with Ctrl+C')
  const file = join(folder, 'state', 'sandbox-merchant.json')
  const keys = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string> & { wallets: Record<string, string> }
  const database = join(folder, 'state', 'sandbox.db')
  for (const secret of [file, keys.privateKeyFile!, database, `${database}-wal`])
    expect(statSync(secret).mode & 0o077, secret).toBe(0)
  const credentials = { consumer_key: keys.consumerKey, consumer_secret: keys.consumerSecret }
  const token = (await post('/api/v2/auth/login', credentials)).json.data.access_token as string
  const pem = readFileSync(keys.privateKeyFile!, 'utf8')
  const create = (reference: string) =>
    post(
      '/api/v2/payment/',
      {
        wallet_no: keys.wallets.KES,
        reference,
        acc_name: 'Achieng',
        amount: 2500,
        currency: 'KES',
        channel: 420001,
        description: 'D',
        result_url: 'http://127.0.0.1:1/',
      },
      {
        Authorization: `Bearer ${token}`,
        Signature: signed(`420001${reference}KES2500`, pem),
        'x-hash': signed(keys.businessId!, pem),
      },
    )
  expect((await create('ONE')).status).toBe(200)
  // What it writes for a companion is all that one needs to pay here.
  const settings = join(folder, 'state', 'sandbox-companion.env')
  expect(statSync(settings).mode & 0o077).toBe(0)
  const companion = await startCompanion({
    ...parseEnv(readFileSync(settings, 'utf8')),
    HC_SECRET: 'is_companion_0123456789abcdef0123456789',
    HC_MERCHANT_KEY: 'mk_companion_0123456789abcdef0123456789',
    HC_MODE: 'open',
    HC_PUBLIC_URL: 'http://127.0.0.1:8787',
    HC_PORT: '0',
    HC_DATABASE_URL: 'file::memory:',
  })
  const body = { country: 'KE', currency: 'KES', amount: 2500, payer: { name: 'Achieng' } }
  const paid = await fetch(`${companion.url}/v1/deposits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'one-purchase-of-one-customer' },
    body: JSON.stringify(body),
  })
  expect(await paid.json()).toMatchObject({ phase: 'open', checkoutUrl: expect.stringContaining(base) as string })
  await companion.close()
  expect((await fetch(`${base}/console`)).status).toBe(200)
  await post('/console/api/faults', { cut: 1, on: ['create'] })
  await expect(create('CUT')).rejects.toThrow()
  first.child.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)

  const second = run(...args)
  await second.says('End it with Ctrl+C')
  expect((await post('/api/v2/auth/login', credentials)).status).toBe(200)
  expect((await create('ONE')).json.message).toBe('Duplicate reference.')
  expect((await create('CUT')).json.message, 'the cut came after the work').toBe('Duplicate reference.')
  const third = await run(...args.slice(0, 2), '--database', ':memory:').ended
  expect([third.code, third.said]).toEqual([1, expect.stringContaining(`Port ${port} is taken`)])
  second.child.kill('SIGINT')
  expect((await second.ended).code).toBe(0)
})
