// Runs the documentation's examples of mounting the companion as they are: a payment goes through
// each, from the customer's press to the shop's code, and the shop's own routes are unaffected.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeConsoleUser } from '../../server/console/make-user.ts'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { openCompanion } from '../../server/open-companion.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { createSandbox, type Sandbox } from '../../demo/sandbox/sandbox.ts'
import { environment, kenyanDeposit, keys, newKey, SHOP_URL, wallets } from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'
import { root, run } from '../helpers/run-quietly.ts'

const page = readFileSync(join(root, 'demo/docs/mount.md'), 'utf8')

it('the example passes on each address of the companion, with a console too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-areas-'))
  const users = { HC_CONSOLE_USERS: (await makeConsoleUser('amina', 'owner', 'a password')).line }
  const { companion, close } = await openCompanion({ ...environment(folder), ...users }, { logger: silentLogger })
  const areas = new Set(companion.app.routes.map(({ path }) => path.split('/')[1] ?? ''))
  await close()
  rmSync(folder, { recursive: true })
  areas.delete('*')
  expect(areas).toContain('console')
  const [, source = ''] = /return \/(.*)\/\.test\(path\)/.exec(page) ?? []
  expect([...areas].filter((area) => !new RegExp(source).test(`/${area}`))).toEqual([])
  // What the first list says, and the folders of the routes of Next.js.
  const [routes = '', folders = ''] = [
    /routes are [^]*?\. It must/.exec(page)?.[0],
    /\/\/ app\/v1[^]*?\nimport/.exec(page)?.[0],
  ]
  expect([...areas].filter((area) => !routes.includes(`\`/${area}`))).toEqual([])
  expect([...areas].filter((area) => !folders.includes(`app/${area}`))).toEqual([])
})

/**
 * Frameworks that render pages are too much to install for a test: their places are taken by
 * programs that call the example as they do.
 */
const hosts = [
  { name: 'node', packages: [] },
  { name: 'express', packages: ['express'] },
  { name: 'fastify', packages: ['fastify'] },
  { name: 'hono', packages: ['hono', '@hono/node-server'] },
  {
    name: 'next',
    packages: [],
    files: {
      'node_modules/next/index.js': NEXT(),
      'node_modules/next/package.json': '{"type":"module","main":"index.js"}',
    },
  },
  { name: 'fetch', packages: ['@hono/node-server'], files: TYPED(), main: FETCH() },
  {
    name: 'sveltekit',
    packages: ['@hono/node-server'],
    files: {
      ...TYPED(),
      'node_modules/$app/environment.js': 'export const building = process.env.BUILDING !== undefined',
      'node_modules/$app/package.json': '{"type":"module","exports":{"./environment":"./environment.js"}}',
      'hooks.mjs': example('sveltekit').replace('$lib/server/companion', './companion.ts'),
    },
    main: SVELTEKIT(),
  },
  {
    name: 'nuxt',
    packages: ['@hono/node-server'],
    files: { ...TYPED(), 'plugin.mjs': example('nuxt-plugin'), 'middleware.mjs': example('nuxt-middleware') },
    main: NUXT(),
  },
  {
    name: 'next-routes',
    packages: ['@hono/node-server'],
    files: {
      'package.json': '{"type":"module"}',
      'lib/companion.ts': example('fetch').replace('./shop.mjs', '../shop.mjs'),
      'instrumentation.mjs': example('next-instrumentation').replaceAll("/lib/companion'", "/lib/companion.ts'"),
      'app/v1/all/route.mjs': example('next-route').replaceAll("/lib/companion'", "/lib/companion.ts'"),
    },
    main: NEXT_ROUTES(),
  },
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

const OPS_TOKEN = 'ops-'.repeat(8)

/** The merchant's own code; typed, since one of the examples is. */
const SHOP = `/** @param {import('hc-checkout-server/contract').Notice['data']} data */
export const credit = (data) => console.log(\`credited \${data.paymentId} \${data.amount} \${data.currency}\`)
export async function shop(request, response) {
  if (request.method === 'GET') return response.end('the shop')
  for await (const chunk of request) response.write(chunk)
  response.end()
}`

/** The example that the frameworks share. */
function TYPED(): Readonly<Record<string, string>> {
  return { 'companion.ts': example('fetch'), 'package.json': '{"type":"module"}' }
}

/** Serves by the `answer(request, address)` that `setUp` makes, which may use `shop(request)`. */
function SERVED(setUp: string): string {
  return `import { serve } from '@hono/node-server'
    const shop = (request) => new Response(new URL(request.url).pathname === '/' ? 'the shop' : request.body)
    ${setUp}
    const server = serve({
      port: Number(process.env.PORT),
      fetch: (request, { incoming }) => answer(request, incoming.socket.remoteAddress),
    })`
}

function FETCH(): string {
  return SERVED(`import { handle, isForCompanion, opened } from './companion.ts'
    const { close } = await opened()
    process.once('SIGTERM', () => close(server))
    const answer = (request, address) =>
      isForCompanion(new URL(request.url).pathname) ? handle(request, address) : shop(request)`)
}

/** Its server closes as that of adapter-node: it does not end the process. */
function SVELTEKIT(): string {
  return SERVED(`import * as hooks from './hooks.mjs'
    await hooks.init()
    process.once('SIGTERM', () => server.close())
    const answer = (request, address) =>
      hooks.handle({
        event: { request, url: new URL(request.url), getClientAddress: () => address },
        resolve: ({ request }) => shop(request),
      })`)
}

/**
 * It ends as Nitro does: waits for every connection, then for what has hooked 'close', then exits.
 */
function NUXT(): string {
  return SERVED(`import * as companion from './companion.ts'
    Object.assign(globalThis, companion, {
      defineNitroPlugin: (plugin) => plugin,
      defineEventHandler: (handler) => handler,
      getRequestURL: ({ request }) => new URL(request.url),
      getRequestIP: ({ address }) => address,
      toWebRequest: ({ request }) => request,
    })
    const closing = []
    const { default: plugin } = await import('./plugin.mjs')
    plugin({ hooks: { hook: (name, end) => name === 'close' && closing.push(end) } })
    const { default: middleware } = await import('./middleware.mjs')
    process.once('SIGTERM', () => server.close(async () => {
      for (const end of closing) await end()
      process.exit()
    }))
    const answer = async (request, address) => (await middleware({ request, address })) ?? shop(request)`)
}

/**
 * As `next start`: it takes these headers off each answer, compresses it by what the browser said,
 * and waits for every connection at its end.
 */
function NEXT_ROUTES(): string {
  return `${SERVED(`import { gzipSync } from 'node:zlib'
    process.env.NEXT_RUNTIME = 'nodejs'
    const { register } = await import('./instrumentation.mjs')
    await register()
    const routes = await import('./app/v1/all/route.mjs')
    const ours = /^\\/(v1|pay|widget|healthz|readyz|metrics|openapi\\.json)/
    const answer = async (request, address) => {
      if (!ours.test(new URL(request.url).pathname)) return shop(request)
      const accepted = request.headers.get('accept-encoding') ?? ''
      const asked = new Request(request)
      asked.headers.set('x-forwarded-for', address)
      const answered = await routes[request.method](asked)
      const { status } = answered
      const headers = new Headers(answered.headers)
      for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
      if (!accepted.includes('gzip') || !/json|javascript/.test(headers.get('content-type') ?? ''))
        return new Response(answered.body, { status, headers })
      headers.set('content-encoding', 'gzip')
      return new Response(gzipSync(new Uint8Array(await answered.arrayBuffer())), { status, headers })
    }`)}
    process.once('SIGTERM', () => server.close(() => process.exit()))`
}

function example(name: string): string {
  const block = new RegExp(`<!-- mount: ${name} -->\\s*\`\`\`[jt]s\\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1]
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
    'shop.mjs': SHOP,
    ...files,
    ...(main === undefined ? { 'example.mjs': example(name) } : { 'main.mjs': main }),
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
        HC_OPS_TOKEN: OPS_TOKEN,
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
  // Not its exit, after which the last of what it said may still come.
  return { url, ended: once(started, 'close') }
}

const shop = { origin: SHOP_URL }
const json = { 'content-type': 'application/json' }

async function create(url: string, name: string): Promise<CreatedDeposit> {
  const created = await fetch(`${url}/v1/deposits`, {
    method: 'POST',
    headers: { ...shop, ...json, 'idempotency-key': newKey() },
    body: JSON.stringify(kenyanDeposit({ payer: { name, phone: '0712345678' }, bankCode: undefined })),
  })
  expect({ status: created.status, said: created.status === 201 ? '' : await created.text() }).toEqual({
    status: 201,
    said: '',
  })
  return (await created.json()) as CreatedDeposit
}

/**
 * Resolves when the stream has told how things stand; what it resolves with reads on to the end,
 * and says which phases the customer saw.
 */
async function watch(url: string, { id, token }: CreatedDeposit): Promise<() => Promise<string[]>> {
  const response = await fetch(`${url}/v1/deposits/${id}/events`, {
    headers: { ...shop, authorization: `Bearer ${token}` },
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function read(): Promise<boolean> {
    const { done, value = '' } = await reader.read()
    text += value
    return !done
  }
  while (!text.includes('data: ') && (await read()));
  return async () => {
    while (await read());
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => (JSON.parse(data) as { phase: string }).phase)
  }
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

describe.each(hosts)('mounted as the example for $name says', (host: Host) => {
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

    const banks = await fetch(`${url}/v1/banks?country=NG`, { headers: { ...shop, 'accept-encoding': 'gzip, br' } })
    expect(banks.headers.get('content-encoding')).toBe('gzip')
    expect(await banks.json()).toMatchObject({ country: 'NG' })

    const deposit = await create(url, 'Asha Otieno')
    const seen = await watch(url, deposit)
    await pay('Asha Otieno')
    const phases = await seen()
    expect(phases[0]).toBe('open')
    expect(phases.at(-1)).toBe('succeeded')
    await expect.poll(() => output).toContain(`credited ${deposit.id} ${deposit.amount} KES`)

    // The page's script, the log and the figures are there as in the companion's own program.
    const figures = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${OPS_TOKEN}` } })
    expect(await figures.text()).toContain('hc_deposits')
    expect((await fetch(`${url}/metrics`)).status).toBe(401)
    // The log is written in batches.
    await expect.poll(() => output).toContain('"msg":')

    // A customer who still watches does not keep the process from its end.
    const watching = await watch(url, await create(url, 'Juma Otieno'))
    child?.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect((await watching())[0]).toBe('open')
    expect(output).toContain('companion has stopped')
  })
})

/**
 * Runs a program in the folder of the examples for `name`, and returns what it says, and the
 * databases that it leaves.
 */
async function runThere(name: string, program: string, args: readonly string[], env: Record<string, string> = {}) {
  prepare(hosts.find((host) => host.name === name)!)
  const { code, output: said } = await run(program, args, {
    cwd: folder,
    env: { ...environment(folder), ...env },
    patience: 170_000,
  })
  return { code, said: said.trim(), databases: readdirSync(folder).filter((file) => file.startsWith('hc.db')) }
}

it("Nuxt's build is told of the widget's files, without the text that it cannot trace", () => {
  const bundle = join(folder, 'node_modules/hc-checkout/dist/bundle')
  mkdirSync(bundle, { recursive: true })
  for (const file of ['hc-checkout.js', 'integrity.json', 'THIRD-PARTY-LICENSES.txt'])
    writeFileSync(join(bundle, file), '')
  writeFileSync(join(folder, 'nuxt.config.mjs'), example('nuxt-config'))
  const print =
    "globalThis.defineNuxtConfig = ({ nitro }) => console.log(nitro.externals.traceInclude.join(' ')); import('./nuxt.config.mjs')"
  const said = execFileSync(process.execPath, ['-e', print], { cwd: folder, encoding: 'utf8' })
  const named = ['hc-checkout.js', 'integrity.json'].map((file) => `node_modules/hc-checkout/dist/bundle/${file}`)
  expect(said.trim().split(' ')).toEqual(named)
})

describe('while a framework builds', () => {
  it('the example for route handlers opens nothing, though it is loaded', async () => {
    const load = "import('./companion.ts').then(({ handle }) => console.log(typeof handle))"
    expect(await runThere('fetch', process.execPath, ['--conditions=hc-source', '-e', load])).toEqual({
      code: 0,
      said: 'function',
      databases: [],
    })
  })

  it("SvelteKit's init opens nothing", async () => {
    const load = "import('./hooks.mjs').then(({ init }) => init()).then(() => console.log('ready'))"
    const args = ['--conditions=hc-source', '-e', load]
    expect(await runThere('sveltekit', process.execPath, args, { BUILDING: 'yes' })).toEqual({
      code: 0,
      said: 'ready',
      databases: [],
    })
  })
})

it('the compiler takes the example for route handlers, as strict as it is here', async () => {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      allowJs: true,
      typeRoots: [join(root, 'node_modules/@types')],
      noPropertyAccessFromIndexSignature: true,
    },
    include: ['companion.ts', join(root, 'server/upstream/*.d.ts')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  expect(await runThere('fetch', process.execPath, [join(root, 'node_modules/typescript/bin/tsc')])).toEqual({
    code: 0,
    said: '',
    databases: [],
  })
})
