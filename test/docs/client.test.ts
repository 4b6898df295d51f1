// Runs what client.md shows as it is: each program is a shop of its own, whose orders are paid at
// a real companion.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { noticeTables } from '../../server/client/index.ts'
import { nodeListener } from '../../server/node.ts'
import { signatureHeaders } from '../../server/notices/send-notice.ts'
import { order, shopBackend, type ShopBackend } from '../client/shop-backend.ts'
import { keys, pay } from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import { root, run } from '../helpers/run-quietly.ts'

const page = readFileSync(join(root, 'demo/docs/client.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'hc-client-docs-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function block(name: string): string {
  const text = new RegExp(`<!-- client: ${name} -->\\s*\`\`\`[^\\n]+\\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1]
  if (text === undefined) throw new Error(`client.md has no ${name}`)
  return text
}

for (const name of ['payments', 'express', 'fastify', 'hono', 'next', 'postgres', 'calls'])
  writeFileSync(join(folder, `${name}.mjs`), block(`${name}.mjs`))
/** A route handler has a server, which is Next's elsewhere. */
for (const name of ['next', 'postgres'])
  writeFileSync(
    join(folder, `${name}-server.mjs`),
    `import { serve } from '@hono/node-server'
import * as route from './${name}.mjs'
serve({ fetch: (request) => (route.POST ?? route.receiver)(request, {}), port: Number(process.env.PORT), hostname: '127.0.0.1' })
`,
  )

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

interface RunningShop {
  readonly shop: ShopBackend
  readonly url: string
  readonly env: Record<string, string>
}

/** The companion at a port, whose notices go to the program. */
async function start(program: string, more: Record<string, string> = {}): Promise<RunningShop> {
  const url = `http://127.0.0.1:${await freePort()}`
  const shop = await shopBackend({
    receive: async (request) =>
      fetch(`${url}/notices`, { method: 'POST', headers: request.headers, body: await request.arrayBuffer() }),
  })
  endings.push(() => shop.system.close())
  const listener = nodeListener(shop.system.companion)
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
  endings.push(() => void server.close())
  await once(server, 'listening')
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: new URL(url).port,
    COMPANION: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    DATABASE: join(mkdtempSync(join(folder, 'shop-')), 'shop.db'),
    HC_MERCHANT_KEY: keys.merchantKey,
    HC_NOTIFY_SECRET: keys.notifySecret,
    ...more,
  }
  await listening(spawn(process.execPath, ['--conditions=hc-source', program], { cwd: folder, env }), url)
  return { shop, url, env }
}

async function listening(child: ChildProcess, url: string): Promise<void> {
  endings.push(() => child.kill())
  let output = ''
  child.stdout?.on('data', (chunk) => (output += String(chunk)))
  child.stderr?.on('data', (chunk) => (output += String(chunk)))
  while ((await fetch(`${url}/notices`, { method: 'POST', body: '{}' }).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`The shop did not start: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function ordersIn(file: string) {
  const db = new DatabaseSync(file)
  endings.push(() => db.close())
  const insert = db.prepare("INSERT OR REPLACE INTO orders VALUES (?, ?, 'KES', 'open')")
  insert.run('A-1', 2500)
  insert.run('A-2', 2500)
  return () =>
    db
      .prepare('SELECT id, state FROM orders ORDER BY id')
      .all()
      .map((row) => `${String(row['id'])} ${String(row['state'])}`)
}

it('the shop in Express makes the session of an order, the same one at each reload, and its notice is credited', async () => {
  const { shop, url, env } = await start('express.mjs')
  const orders = ordersIn(env['DATABASE'] ?? '')
  const ask = async () => (await fetch(`${url}/orders/A-1`)).text()
  const page = await ask()
  const [, token = ''] = /<hc-checkout companion="[^"]+" session="([^"]+)">/.exec(page) ?? []
  expect(page).toContain(`src="${env['COMPANION']}/widget/v1/hc-checkout.js"`)
  expect(await ask()).toBe(page)
  await shop.pay(token)
  await shop.system.advance(20)
  await expect.poll(orders).toEqual(['A-1 paid', 'A-2 open'])
  expect((await fetch(`${url}/orders/A-9`)).status).toBe(404)
})

it.each(['fastify.mjs', 'hono.mjs', 'next-server.mjs'])(
  'in %s a paid order is credited, and a failed one stays open',
  async (program) => {
    const { shop, env } = await start(program)
    const orders = ordersIn(env['DATABASE'] ?? '')
    for (const [orderId, outcome] of [
      ['A-1', '01'],
      ['A-2', '02'],
    ] as const)
      await shop.pay((await shop.client.sessions.create(order(orderId))).token, outcome)
    await shop.system.advance(40)
    await expect.poll(orders).toEqual(['A-1 paid', 'A-2 open'])
  },
)

/** The port that the page tells, for a free one: another program may have it. */
const portFor = (free: string) => `import net from 'node:net'
const { listen } = net.Server.prototype
net.Server.prototype.listen = function (port, ...more) {
  return listen.call(this, port === 3000 ? ${free} : port, ...more)
}`

it('the shop in Express starts as the page tells, with an order and its page', async () => {
  const { env } = await start('express.mjs')
  const place = mkdtempSync(join(folder, 'told-'))
  for (const name of ['payments', 'express']) writeFileSync(join(place, `${name}.mjs`), block(`${name}.mjs`))
  mkdirSync(join(place, '.hc/dev'), { recursive: true })
  // As dev writes it.
  const names = ['COMPANION', 'HC_MERCHANT_KEY', 'HC_NOTIFY_SECRET']
  writeFileSync(join(place, '.hc/dev/backend.env'), names.map((name) => `${name}=${env[name]}\n`).join(''))
  const [, told = ''] = /^node (.* express\.mjs)$/m.exec(page) ?? []
  const [, address = ''] = /open `http:\/\/127\.0\.0\.1:3000(\/[^`]*)`/.exec(page) ?? []
  const free = String(await freePort())
  const args = ['--conditions=hc-source', '--import', `data:text/javascript,${encodeURIComponent(portFor(free))}`]
  const child = spawn(process.execPath, [...args, ...told.split(' ')], { cwd: place, env: { PATH: env['PATH'] } })
  await listening(child, `http://127.0.0.1:${free}`)
  expect(await (await fetch(`http://127.0.0.1:${free}${address}`)).text()).toContain('session="')
})

it('a payment of no order that fails is heard once: there is nothing to release', async () => {
  const { shop, env } = await start('express.mjs')
  const orders = ordersIn(env['DATABASE'] ?? '')
  const response = await pay(shop.system, { payer: { name: 'Achieng Otieno', phone: '254700000002' } })
  const { id } = (await response.json()) as { id: string }
  await shop.system.advance(40)
  const notices = async () => (await shop.client.payments.get(id)).notices
  await expect.poll(notices).toMatchObject([{ type: 'payment.failed', state: 'delivered' }])
  expect(orders()).toEqual(['A-1 open', 'A-2 open'])
})

it('the calls list what is paid, and an error says what is wrong', async () => {
  const { shop, env } = await start('express.mjs')
  const id = await shop.pay((await shop.client.sessions.create(order('A-1'))).token)
  await shop.system.advance(20)
  const { reference } = await shop.client.payments.get(id)
  const { code, output } = await run(process.execPath, ['--conditions=hc-source', 'calls.mjs', 'dep_nobody'], {
    cwd: folder,
    env,
  })
  expect(output.split('\n').filter((line) => /^(HC|not_found)/.test(line))).toEqual([
    `${reference} A-1 2500 KES`,
    expect.stringMatching(/^not_found There is no such payment\. See whether the id is right/),
  ])
  expect(code).toBe(0)
})

describe('with PostgreSQL', async () => {
  const missing = await postgresMissing()
  it.skipIf(missing !== undefined)('an order is credited, and money that credits nothing is written down', async () => {
    const postgres = await startPostgres()
    endings.push(() => postgres.stop())
    const address = await postgres.freshDatabase()
    const db = new Client(address)
    await db.connect()
    await db.query(`${noticeTables}
      CREATE TABLE orders (id TEXT PRIMARY KEY, amount INTEGER, currency TEXT, state TEXT);
      CREATE TABLE owed_back (reference TEXT, why TEXT);
      INSERT INTO orders VALUES ('A-1', 2500, 'KES', 'open'), ('A-2', 900, 'KES', 'open')`)
    const { shop } = await start('postgres-server.mjs', { DATABASE_URL: address })
    for (const orderId of ['A-1', 'A-2']) await shop.pay((await shop.client.sessions.create(order(orderId))).token)
    await shop.system.advance(20)
    const states = async () =>
      (await db.query<{ state: string }>('SELECT state FROM orders ORDER BY id')).rows.map(({ state }) => state)
    await expect.poll(states).toEqual(['paid', 'open'])
    await expect.poll(async () => (await db.query('SELECT why FROM owed_back')).rows).toEqual([{ why: 'wrong_amount' }])
    await db.end()
  })
})

const others = [
  {
    program: 'session.php',
    command: 'php',
    probe: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
    client: 'php/HcCheckout.php',
  },
  {
    program: 'session.py',
    command: 'python3',
    probe: ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
    client: 'python/hccheckout.py',
  },
] as const

describe.each(others)('$program', ({ program, command, probe, client }) => {
  const isHere = spawnSync(command, probe).status === 0

  it.skipIf(!isHere)('makes the session of an order, and says why it could not', async () => {
    const { shop, env } = await start('express.mjs')
    writeFileSync(join(folder, program), block(program))
    cpSync(join(root, 'server/client', client), join(folder, basename(client)))
    const make = async (key: string) => run(command, [program], { cwd: folder, env: { ...env, HC_MERCHANT_KEY: key } })
    const { code, output } = await make(keys.merchantKey)
    expect(code, output).toBe(0)
    const seen = await shop.system.browser('/v1/session', { headers: { authorization: `Bearer ${output.trim()}` } })
    expect(await seen.json()).toMatchObject({ amount: 2300, currency: 'KES', orderId: 'NURU-1001' })
    expect((await make('mk_wrong')).output).toMatch(/^bearer_wrong: .*HC_MERCHANT_KEY/)
  })
})

const pages = [
  { program: 'notices.php', by: others[0], args: (port: number) => ['-S', `127.0.0.1:${port}`, 'notices.php'] },
  { program: 'notices.py', by: others[1], args: () => ['notices.py'] },
] as const

describe.each(pages)('$program', ({ program, by, args }) => {
  const isHere = spawnSync(by.command, by.probe).status === 0

  it.skipIf(!isHere)('believes the companion alone', async () => {
    const place = mkdtempSync(join(folder, 'notices-'))
    writeFileSync(join(place, program), block(program))
    cpSync(join(root, 'server/client', by.client), join(place, basename(by.client)))
    const port = await freePort()
    const env = { PATH: process.env['PATH'], PORT: String(port), HC_NOTIFY_SECRET: keys.notifySecret }
    const url = `http://127.0.0.1:${port}`
    await listening(spawn(by.command, args(port), { cwd: place, env }), url)
    const body = JSON.stringify({
      type: 'payment.succeeded',
      data: { paymentId: 'dep_1', amount: 2500, currency: 'KES', version: 4 },
    })
    const headers = signatureHeaders({ id: 'msg_1', body }, [keys.notifySecret], Date.now())
    const post = async (text: string) => (await fetch(`${url}/notices`, { method: 'POST', headers, body: text })).status
    expect([await post(body), await post(body.replace('2500', '1'))]).toEqual([204, 401])
  })
})

it('the statements are those of the stores', () => {
  const plain = (text: string) => text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ')
  const own = plain(readFileSync(join(root, 'server/client/sql-stores.ts'), 'utf8'))
  const shown = plain(block('statements'))
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  expect(shown).toHaveLength(5)
  expect(shown.filter((text) => !own.includes(text))).toEqual([])
})
