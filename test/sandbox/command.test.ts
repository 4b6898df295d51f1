// `hc-checkout-server sandbox` over real HTTP: help, wrong arguments, persistent keys, cut
// connections.
import { parseEnv } from 'node:util'
import type { CommandIo } from '../../server/cli/io.ts'
import { runCommand } from '../../server/cli/run-command.ts'
import { startCompanion } from '../../server/node.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../helpers/free-port.ts'
import { signed, type Envelope } from './sandbox-fixture.ts'

const program = fileURLToPath(new URL('../../server/cli/cli.ts', import.meta.url))

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
  return runWith({}, ...args)
}

function runWith(env: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, ['--conditions=hc-source', program, 'sandbox', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
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

/** A command that ends by itself, in this process. */
async function ends(...args: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const stopped = () => new Promise<string>(() => undefined)
  const io: CommandIo = { env: {}, out: say, err: say, fetch, now: Date.now, stopped }
  return { code: await runCommand(['sandbox', ...args], io), said: lines.join('\n') }
}

test('--help tells all options and ends well', async () => {
  const { code, said } = await ends('--help')
  expect(code).toBe(0)
  for (const option of ['--port', '--host', '--database', '--public-url', '--rate', '--locales', '--no-agent'])
    expect(said).toContain(option)
})

test.each([
  [['--sharks'], '--sharks'],
  [['--port', 'many'], '--port'],
  [['--port', '0'], '--port'],
  [['--port='], '--port'],
  [['--host', '999.1.1.1'], '--host'],
  [['--rate=-1'], '--rate'],
  [['--rate='], '--rate'],
  [['--public-url', 'shop'], '--public-url'],
  [['--public-url', 'https://pay.example/sandbox'], '--public-url'],
  [['--locales', 'en,zu'], '--locales'],
])('%j ends with 2, a sentence that names it, and where the options are explained', async (args, name) => {
  const { code, said } = await ends(...args)
  expect(code).toBe(2)
  expect(said.split('\n')).toEqual([expect.stringContaining(name), 'hc-checkout-server sandbox --help explains it.'])
})

test('without --port it listens on HC_SANDBOX_PORT, as npm start does', async () => {
  const port = String(await freePort())
  const started = runWith({ HC_SANDBOX_PORT: port }, '--database', join(folder, 'sandbox.db'))
  await started.says(`listens on http://127.0.0.1:${port}\n`)
  const other = String(await freePort())
  const wrong = { HC_SANDBOX_PORT: 'many' }
  await runWith(wrong, '--port', other, '--database', ':memory:').says(`listens on http://127.0.0.1:${other}\n`)
  const refused = await runWith(wrong).ended
  expect([refused.code, refused.said]).toEqual([2, expect.stringContaining('HC_SANDBOX_PORT must be a number')])
})

test('beside a Kubernetes service named hc-sandbox it passes that variable over, and says so', async () => {
  const port = String(await freePort())
  const started = runWith({ HC_SANDBOX_PORT: 'tcp://10.0.0.7:8788' }, '--port', port, '--database', ':memory:')
  await started.says('HC_SANDBOX_PORT comes from a Kubernetes service named hc-sandbox: passed over')
  await started.says(`listens on http://127.0.0.1:${port}\n`)
})

test('HC_OPS_TOKEN is the password of its console, also for itself when it starts again', async () => {
  const port = String(await freePort())
  const token = 'ops-token-of-a-sandbox-0123456789'
  const start = async () => {
    const started = runWith({ HC_OPS_TOKEN: token }, '--port', port, '--database', join(folder, 'sandbox.db'))
    await started.says('End it with Ctrl+C')
    return started
  }
  const first = await start()
  const kept = () =>
    JSON.parse(readFileSync(join(folder, 'sandbox-merchant.json'), 'utf8')) as Readonly<Record<string, string>>
  const before = kept()
  const rotate = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/console/api/merchants/${before['businessId']}/rotate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })
  expect((await rotate({})).status).toBe(401)
  expect((await rotate({ authorization: `Bearer ${token}` })).status).toBe(200)
  first.child.kill('SIGTERM')
  await first.ended
  await start()
  expect(kept()['consumerKey']).not.toBe(before['consumerKey'])
})

test('a database, or keys, that cannot be read end it with 2 and a sentence that names the file', async () => {
  const file = join(folder, 'sandbox.db')
  writeFileSync(file, 'not a database')
  const unreadable = await ends('--database', file)
  expect([unreadable.code, unreadable.said]).toEqual([2, expect.stringContaining(`${file} cannot be used`)])
  const keys = join(folder, 'sandbox-merchant.json')
  writeFileSync(keys, '{ "businessId":')
  const broken = await ends('--database', join(folder, 'other.db'))
  expect([broken.code, broken.said]).toEqual([2, expect.stringContaining(`${keys} is not JSON`)])
})

test('a folder that cannot be written to ends it with 2 and a sentence that says what to do', async () => {
  const letter = join(folder, 'letter.txt')
  writeFileSync(letter, 'no folder')
  const key = join(letter, 'sandbox-private-key.pem')
  expect(await ends('--database', join(letter, 'sandbox.db'))).toEqual({
    code: 2,
    said: `--database: ${key} cannot be written (EEXIST). Name a database in a folder that you may write to.\nhc-checkout-server sandbox --help explains it.`,
  })
  // Another user may have made the keys; as root, for whom every file can be read, a folder stands
  // for them.
  const keys = join(folder, 'sandbox-merchant.json')
  mkdirSync(keys)
  const { code, said } = await ends('--database', join(folder, 'sandbox.db'))
  expect([code, said]).toEqual([2, expect.stringContaining(`--database: ${keys} cannot be read (EISDIR).`)])
})

// A companion refuses http but to its own machine, and a browser of another machine cannot open
// 0.0.0.0.
test.each([
  [[], 'http://127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
  [['--host', '0.0.0.0'], 'http://127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
  [['--host', '0.0.0.0', '--public-url', 'http://192.0.2.7:PORT/'], 'http://127.0.0.1:PORT', 'http://192.0.2.7:PORT'],
  [['--public-url', 'https://pay.example'], 'https://pay.example', 'https://pay.example'],
])('%j: a companion calls %s, browsers open %s', async (args, called, opened) => {
  const port = String(await freePort())
  const here = (text: string) => text.replace('PORT', port)
  const started = run('--port', port, '--database', join(folder, 'sandbox.db'), ...args.map(here))
  await started.says('End it with Ctrl+C')
  const settings = parseEnv(readFileSync(join(folder, 'sandbox-companion.env'), 'utf8'))
  expect([settings.HC_AUTH_URL, settings.HC_BASE_URL, settings.HC_CHECKOUT_ORIGINS]).toEqual(
    [called, called, opened].map(here),
  )
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
  const written = readFileSync(settings, 'utf8')
  const beside = await run('--port', String(await freePort()), ...args.slice(2)).ended
  expect(beside).toMatchObject({ code: 2, said: expect.stringMatching('a sandbox runs already in .*another folder') })
  expect(readFileSync(settings, 'utf8'), 'where the first one listens').toBe(written)
  const third = await run(...args.slice(0, 2), '--database', ':memory:').ended
  expect([third.code, third.said]).toEqual([
    1,
    expect.stringMatching(
      `Port ${port} is taken, .*sandbox that runs already.* --port, and a --database in another folder`,
    ),
  ])
  // After a rotation in the console the next start writes the keys that are valid then.
  await post(`/console/api/merchants/${keys.businessId}/rotate`, {})
  expect((await post('/api/v2/auth/login', credentials)).status).toBe(401)
  second.child.kill('SIGINT')
  expect((await second.ended).code).toBe(0)
  const fourth = run(...args)
  await fourth.says('End it with Ctrl+C')
  const rotated = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  expect(rotated).toEqual({ ...keys, consumerKey: rotated['consumerKey'], consumerSecret: rotated['consumerSecret'] })
  expect(statSync(file).mode & 0o077).toBe(0)
  const { HC_CONSUMER_KEY, HC_CONSUMER_SECRET } = parseEnv(readFileSync(settings, 'utf8'))
  expect([rotated['consumerKey'], rotated['consumerSecret']]).toEqual([HC_CONSUMER_KEY, HC_CONSUMER_SECRET])
  const login = { consumer_key: HC_CONSUMER_KEY, consumer_secret: HC_CONSUMER_SECRET }
  expect((await post('/api/v2/auth/login', login)).status).toBe(200)
  fourth.child.kill('SIGINT')
  expect((await fourth.ended).code).toBe(0)
})
