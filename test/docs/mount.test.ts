// Runs the documentation's examples of mounting the companion as they are: a payment goes through each, from the customer's press to the
// shop's code, and the shop's own routes are unaffected.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { createSandbox, type Sandbox } from '../../server/sandbox/sandbox.ts'
import { environment, kenyanDeposit, keys, newKey, SHOP_URL, wallets } from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'
import { root, run } from '../helpers/run-quietly.ts'

const page = readFileSync(join(root, 'demo/docs/mount.md'), 'utf8')

/** `next` is too much to install for a test: its place is taken by a handler of its form. */
const hosts = [
  { name: 'node', packages: [] },
  { name: 'express', packages: ['express'] },
  { name: 'fastify', packages: ['fastify'] },
  {
    name: 'next',
    packages: [],
    files: {
      'node_modules/next/index.js': NEXT(),
      'node_modules/next/package.json': '{"type":"module","main":"index.js"}',
    },
  },
  { name: 'fetch', packages: ['@hono/node-server'], main: FETCH() },
] as const satisfies readonly Host[]

interface Host {
  readonly name: string
  readonly packages: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  /** Uses what the example exports. */
  readonly main?: string
}

function NEXT(): string {
  return `import { shop } from '../../shop.mjs'
    export default () => ({ prepare: async () => {}, getRequestHandler: () => shop })`
}

/** The merchant's own code. */
const SHOP = `export const credit = (data) => console.log(\`credited \${data.paymentId} \${data.amount} \${data.currency}\`)
export async function shop(request, response) {
  if (request.method === 'GET') return response.end('the shop')
  for await (const chunk of request) response.write(chunk)
  response.end()
}`

function FETCH(): string {
  return `import { serve } from '@hono/node-server'
    import { handle } from './example.mjs'
    const server = serve({
      port: Number(process.env.PORT),
      fetch: (request, { incoming }) => {
        const { pathname } = new URL(request.url)
        if (pathname === '/') return new Response('the shop')
        if (pathname === '/cart') return new Response(request.body)
        return handle(request, incoming.socket.remoteAddress)
      },
    })
    process.once('SIGTERM', () => process.exit())`
}

function example(name: string): string {
  const block = new RegExp(`<!-- mount: ${name} -->\\s*\`\`\`js\\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1]
  if (block === undefined) throw new Error(`mount.md has no example for ${name}`)
  return block
}

let folder: string
let sandbox: Sandbox
let service: Server
let serviceUrl: string
let child: ChildProcess | undefined
let output = ''

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hc-mount-'))
  output = ''
  service = createServer((request, response) => void answer(request, response))
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  sandbox = createSandbox({
    database: ':memory:',
    publicUrl: serviceUrl,
    merchant: { ...keys, wallets, name: 'Duka la Jua' },
    agent: false,
    allowHttpResultUrl: true,
    rate: false,
  })
  const answer = getRequestListener((request) => sandbox.app.fetch(request))
  sandbox.start()
})
afterEach(async () => {
  child?.kill('SIGKILL')
  child = undefined
  await sandbox.close()
  service.closeAllConnections()
  service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Puts the example into a folder of its own, with what it imports. */
function prepare({ name, packages, files = {}, main }: Host): void {
  const written: Record<string, string> = {
    'example.mjs': example(name),
    'shop.mjs': SHOP,
    ...files,
    ...(main === undefined ? {} : { 'main.mjs': main }),
  }
  for (const [file, text] of Object.entries(written)) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  for (const needed of ['hc-checkout-server', ...packages]) {
    const link = join(folder, 'node_modules', needed)
    mkdirSync(join(link, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', needed), link)
  }
}

async function start(host: Host): Promise<{ url: string; ended: Promise<unknown[]> }> {
  prepare(host)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = spawn(
    process.execPath,
    ['--conditions=hc-source', host.main === undefined ? 'example.mjs' : 'main.mjs'],
    {
      cwd: folder,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        NODE_ENV: 'test',
        ...environment(folder),
        HC_AUTH_URL: serviceUrl,
        HC_BASE_URL: serviceUrl,
        HC_CHECKOUT_ORIGINS: serviceUrl,
        HC_PUBLIC_URL: url,
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  child = started
  for (const stream of [started.stdout, started.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) {
    if (started.exitCode !== null) throw new Error(`It ended with ${started.exitCode}:\n${output}`)
    await pause(50)
  }
  return { url, ended: once(started, 'exit') }
}

const shop = { origin: SHOP_URL }
const json = { 'content-type': 'application/json' }

/** The phases that a customer sees on the stream, until the end. */
async function watch(url: string, { id, token }: CreatedDeposit): Promise<string[]> {
  const response = await fetch(`${url}/v1/deposits/${id}/events`, {
    headers: { ...shop, authorization: `Bearer ${token}` },
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const text = await response.text()
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => (JSON.parse(data) as { phase: string }).phase)
}

async function pay(payer: string): Promise<void> {
  const ask = async (path: string, method = 'GET') =>
    (await (await sandbox.app.request(`${serviceUrl}/console/api${path}`, { method })).json()) as {
      data: { id: string; payer: { name: string } }[]
    }
  const { data } = await ask('/transactions?limit=100')
  const transaction = data.find((one) => one.payer.name === payer)
  for (const step of ['lock', 'paid', 'confirm']) await ask(`/transactions/${transaction?.id}/${step}`, 'POST')
}

describe.each(hosts)('mounted as the example for $name says', { timeout: 60_000 }, (host: Host) => {
  it("a payment goes through, and the shop's own doors stay its own", async () => {
    const { url, ended } = await start(host)

    expect(await (await fetch(`${url}/`)).text()).toContain('the shop')
    const cart = await fetch(`${url}/cart`, { method: 'POST', headers: json, body: '{"lamps":2}' })
    expect(JSON.parse(await cart.text())).toEqual({ lamps: 2 })

    const asked = await fetch(`${url}/v1/deposits`, {
      method: 'OPTIONS',
      headers: {
        ...shop,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, idempotency-key',
      },
    })
    expect(asked.headers.get('access-control-allow-origin')).toBe(SHOP_URL)

    const created = await fetch(`${url}/v1/deposits`, {
      method: 'POST',
      headers: { ...shop, ...json, 'idempotency-key': newKey() },
      body: JSON.stringify(kenyanDeposit({ payer: { name: 'Asha Otieno', phone: '0712345678' }, bankCode: undefined })),
    })
    expect({ status: created.status, said: created.status === 201 ? '' : await created.text() }).toEqual({
      status: 201,
      said: '',
    })
    const deposit = (await created.json()) as CreatedDeposit
    const seen = watch(url, deposit)
    await pay('Asha Otieno')
    const phases = await seen
    expect(phases[0]).toBe('open')
    expect(phases.at(-1)).toBe('succeeded')
    await expect.poll(() => output, { timeout: 20_000 }).toContain(`credited ${deposit.id} ${deposit.amount} KES`)

    // The page's script, the log and the figures are there as in the companion's own program.
    expect((await fetch(`${url}/metrics`)).status).toBe(200)
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('hc_deposits')
    // The log is written in batches.
    await expect.poll(() => output, { timeout: 10_000 }).toContain('"msg":')

    child?.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

it(
  'the example for route handlers opens nothing while it is only loaded, as frameworks do during a build',
  { timeout: 60_000 },
  async () => {
    const host = hosts.find(({ name }) => name === 'fetch')!
    prepare(host)
    const load = [
      '--conditions=hc-source',
      '-e',
      "import('./example.mjs').then(({ handle }) => console.log(typeof handle))",
    ]
    const { code, output: said } = await run(process.execPath, load, {
      cwd: folder,
      env: environment(folder),
      patience: 20_000,
    })
    expect({ code, said: said.trim() }).toEqual({ code: 0, said: 'function' })
    expect(readdirSync(folder).filter((file) => file.startsWith('hc.db'))).toEqual([])
  },
)
