// A long run of the built companion beside the built sandbox: a gentle load of whole payments with
// all endings, customers who come and go, strangers, and faults of the service, the receiver of
// notices and the database. After each round all of them leave, garbage is collected, and what is
// still there is counted: a count that rises with every round belongs to something that is never
// let go. It prints; it judges nothing.
import type { ChildProcess } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import type { CreatedDeposit, CreatedSession } from '../../server/contract/index.ts'
import { SCENARIOS, phoneOf } from '../../demo/sandbox/engine/scenarios.ts'
import { freePort } from '../helpers/free-port.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'
import { PROGRAM, build } from './built-server.ts'
import type { Counts, Inspected } from './inspected.ts'
import { inspect } from './inspected.ts'
import { end, launch, pause } from './processes.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    store: { type: 'string', default: 'sqlite' },
    rate: { type: 'string', default: '8' },
    round: { type: 'string', default: '100' },
  },
})
const until = Date.now() + Number(values.minutes) * 60_000
const perSecond = Number(values.rate)
const roundSeconds = Number(values.round)
const TABLES = ['deposits', 'notices', 'idempotency', 'sessions', 'inbox', 'counters', 'meta']
/**
 * Between the last customer and the count: streams, time limits of requests and idle connections
 * end within it.
 */
const QUIET_MS = 35_000

const folder = mkdtempSync(join(tmpdir(), 'hc-soak-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

interface Watched {
  readonly name: string
  readonly child: ChildProcess
  readonly inside: Inspected
  /** Bytes of log so far. */
  logged(): number
}

async function start(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Watched> {
  const child = launch(['--inspect=127.0.0.1:0', PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let logged = 0
  let last = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    logged += chunk.length
    last = (last + String(chunk)).slice(-2000)
  })
  child.once('exit', (code, signal) => {
    if (Date.now() < until) console.log(`${name} ended with ${code ?? signal}\n${last}`)
  })
  const url = await new Promise<string>((resolve) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + String(chunk)).slice(-4000)
      const [found] = /ws:\/\/\S+/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  return { name, child, inside: await inspect(url, child.pid ?? 0), logged: () => logged }
}

build()
const sandboxPort = await freePort()
const service = await startTcpProxy(sandboxPort)
const serviceUrl = `http://${service.address}`
const sandboxFile = join(folder, 'sandbox.db')
const sandbox = await start(
  'sandbox',
  ['sandbox', '--port', String(sandboxPort), '--database', sandboxFile, '--public-url', serviceUrl, '--rate', '0'],
  {},
)
await pause(1500)

let manner: 'well' | 'failing' | 'gone' | 'slow' = 'well'
let told = 0
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    if (manner === 'well') told += 1
    const status = { well: 204, failing: 503, gone: 410, slow: 204 }[manner]
    setTimeout(() => response.writeHead(status).end(), manner === 'slow' ? 4000 : 0)
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))

const postgres = values.store === 'postgres' ? await startPostgres() : undefined
const companionFile = join(folder, 'companion.db')
const database = (await postgres?.freshDatabase()) ?? `file:${companionFile}`
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const merchantKey = 'mk_bench_c0ffee00c0ffee00c0ffee00c0ffee00'
const SHOP = 'http://127.0.0.1:8080'
const companion = await start('companion', ['start'], {
  ...Object.fromEntries(
    readFileSync(join(folder, 'sandbox-companion.env'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  ),
  HC_PUBLIC_URL: url,
  HC_ALLOWED_ORIGINS: SHOP,
  HC_DATABASE_URL: database,
  HC_SECRET: 'is_bench_00112233445566778899aabbccddeeff',
  HC_MERCHANT_KEY: merchantKey,
  HC_MODE: 'open',
  HC_TRUSTED_PROXIES: '127.0.0.1',
  HC_RATE: '100000',
  HC_PORT: String(port),
  HC_NOTIFY_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
  HC_NOTIFY_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  HC_DESCRIPTION: 'Soak',
})
while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) await pause(100)

const answers = new Map<string, number>()
const note = (what: string) => void answers.set(what, (answers.get(what) ?? 0) + 1)
let begun = 0
const someAddress = () => `41.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
const text = (bytes: number) => randomBytes(bytes).toString('base64url')

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url + path, {
    ...init,
    headers: { origin: SHOP, 'x-forwarded-for': someAddress(), ...(init.headers as Record<string, string>) },
    signal: init.signal ?? AbortSignal.timeout(40_000),
  })
  note(`${path.replace(/(dep|ses)_\w+|\/pay\/.*|webhook\/.*/, '…').slice(0, 30)} ${response.status}`)
  return response
}
const post = (path: string, body: unknown, headers: Readonly<Record<string, string>>) =>
  ask(path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

/** Watches for so long, and leaves in the middle, as pages do. */
async function watch({ id, token }: CreatedDeposit, ms: number): Promise<void> {
  const leaving = AbortSignal.timeout(ms)
  const response = await ask(`/v1/deposits/${id}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving,
  })
  await response.text()
}

async function customer(): Promise<void> {
  begun += 1
  const scenario = SCENARIOS[randomInt(SCENARIOS.length)] ?? SCENARIOS[0]
  const phone = scenario === undefined ? '' : phoneOf(scenario)
  const body: Record<string, unknown> = {
    country: 'KE',
    currency: 'KES',
    amount: 2500,
    payer: { name: `Payer ${begun}`, phone },
  }
  if (randomInt(3) === 0) {
    const session = await post(
      '/v1/sessions',
      { amount: 2500, currency: 'KES', orderId: `A-${begun}`, description: 'Lamp' },
      { authorization: `Bearer ${merchantKey}` },
    )
    const { token, payUrl } = (await session.json()) as CreatedSession
    body['session'] = token
    await (await ask(new URL(payUrl).pathname)).text()
  }
  const key = text(18)
  const create = () => post('/v1/deposits', body, { 'idempotency-key': key })
  const [first] = await Promise.all([create(), ...(randomInt(5) === 0 ? [create()] : [])])
  const made = (await first.json()) as CreatedDeposit
  if (!first.ok) return
  const bearer = { authorization: `Bearer ${made.token}` }
  await watch(made, randomInt(200, 6000)).catch(() => undefined)
  await (await ask(`/v1/deposits/${made.id}`, { headers: bearer })).text()
  await (await ask(`/v1/deposits/${made.id}`, { headers: { authorization: `Bearer ${text(32)}` } })).text()
  if (randomInt(3) === 0) await (await post(`/v1/deposits/${made.id}/check`, '{}', bearer)).text()
  if (randomInt(4) === 0) {
    const again = await post('/v1/deposits', { ...body, replaces: made.id }, { 'idempotency-key': text(18), ...bearer })
    const second = (await again.json()) as CreatedDeposit
    if (again.ok) await watch(second, randomInt(200, 4000)).catch(() => undefined)
  }
  await Promise.all(
    [watch(made, randomInt(100, 12_000)), watch(made, randomInt(100, 3000))].map((one) => one.catch(() => undefined)),
  )
}

const strangers: readonly (() => Promise<unknown>)[] = [
  () => post(`/v1/webhook/${text(32)}`, text(300), {}),
  () => post(`/v1/webhook/${text(32)}`, { reference: `HCT${text(15)}`, hash: text(32) }, {}),
  () => ask(`/${text(12)}`, { headers: { origin: `https://${text(9)}.example` } }),
  () => ask(`/pay/d${text(36)}`),
  () => ask('/v1/payments', { headers: { authorization: `Bearer ${text(20)}` } }),
  () => ask('/v1/session', { headers: { authorization: `Bearer ses_${'a'.repeat(26)}.${text(32)}` } }),
  () => post('/v1/deposits', { country: 'KE', session: text(40) }, { 'idempotency-key': text(18) }),
  () => post('/v1/deposits', text(200), { 'idempotency-key': text(18) }),
  () => ask(`/v1/banks?country=${text(2)}`),
  () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', resolve).on('close', resolve)
      socket.write(
        randomInt(2) === 0 ? text(200) : 'POST /v1/deposits HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n{',
      )
      setTimeout(() => socket.destroy(), randomInt(8000))
    }),
]

const setFaults = (faults: Record<string, unknown>) =>
  fetch(`http://127.0.0.1:${sandboxPort}/console/api/faults`, {
    method: 'POST',
    body: JSON.stringify(faults),
    headers: { 'content-type': 'application/json' },
  }).then(async (response) => {
    if (!response.ok) throw new Error(`The faults were refused: ${await response.text()}`)
  })
const endBackends = () =>
  postgres?.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'hc\\_%'`)

/** What goes wrong in a round, by its part from 0 to 1. */
const plan: readonly (readonly [at: number, work: () => unknown])[] = [
  [0.15, endBackends],
  [0.2, () => service.suffer({ kind: 'gone' })],
  [0.35, () => service.heal()],
  [0.4, () => setFaults({ rate_limited: true })],
  [0.48, () => setFaults({ rate_limited: false, timeout: 10, cut: 5, server_error: 5 })],
  [0.54, () => setFaults({ timeout: false, cut: false, server_error: false })],
  [0.55, () => (manner = 'failing')],
  [0.62, () => (manner = 'gone')],
  [0.66, () => (manner = 'slow')],
  [0.72, () => (manner = 'well')],
  [0.75, () => service.suffer({ kind: 'stall', way: 'answer', after: 0 })],
  [0.85, () => service.heal()],
  [0.88, endBackends],
]

async function round(): Promise<void> {
  const present = new Set<Promise<unknown>>()
  const enter = (work: () => Promise<unknown>) => {
    const running = work()
      .catch((error: unknown) => note((error as Error).message))
      .finally(() => present.delete(running))
    present.add(running)
  }
  const began = Date.now()
  let done = 0
  for (let passed = 0; passed < 1; passed = (Date.now() - began) / (roundSeconds * 1000)) {
    for (; (plan[done]?.[0] ?? Infinity) <= passed; done++) await plan[done]?.[1]()
    enter(customer)
    if (randomInt(2) === 0) enter(async () => strangers[randomInt(strangers.length)]?.())
    await pause(1000 / perSecond)
  }
  for (; done < plan.length; done++) await plan[done]?.[1]()
  while (present.size > 0) await Promise.all(present)
}

async function rowsOf(file: string, tables: readonly string[]): Promise<Record<string, number>> {
  const sizes = readdirSync(folder).filter((name) => name.startsWith(file.slice(folder.length + 1)))
  const counted: Record<string, number> = {}
  for (const name of sizes) counted[name] = statSync(join(folder, name)).size
  const db = new Database(file, { readonly: true })
  for (const table of tables) counted[table] = Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
  db.close()
  return counted
}

async function stored(): Promise<Record<string, number>> {
  if (postgres === undefined) return rowsOf(companionFile, TABLES)
  const { Client } = await import('pg')
  const client = new Client(database)
  await client.connect()
  const one = async (what: string) => Number((await client.query<{ n: string }>(`SELECT ${what} AS n`)).rows[0]?.n)
  const counted: Record<string, number> = {}
  for (const table of TABLES) counted[table] = await one(`(SELECT count(*) FROM ${table})`)
  counted['bytes'] = await one('pg_database_size(current_database())')
  counted['connections'] = await one('(SELECT count(*) FROM pg_stat_activity WHERE datname = current_database())')
  counted['idle in transaction'] = await one(`(SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%')`)
  counted['locks'] = await one('(SELECT count(*) FROM pg_locks)')
  await client.end()
  return counted
}

async function due(): Promise<string> {
  const response = await fetch(`${url}/metrics`)
  return (await response.text())
    .split('\n')
    .filter((line) => /^hc_(oldest_due|notices_waiting|streams_open|inbox_unmatched|deposits\{)/.test(line))
    .join('  ')
}

const series: { readonly begun: number; readonly counts: Readonly<Record<string, Counts>> }[] = []
let firstHeaps: ReadonlyMap<string, number>[] | undefined
const programs = [companion, sandbox]

do {
  await round()
  await pause(QUIET_MS)
  const counts: Record<string, Counts> = {}
  for (const { name, inside, logged } of programs) counts[name] = { ...(await inside.counts()), log: logged() }
  counts['companion store'] = await stored()
  counts['sandbox store'] = await rowsOf(sandboxFile, [
    'transactions',
    'timeline',
    'deliveries',
    'attempts',
    'work',
    'seen',
    'tokens',
  ])
  series.push({ begun, counts })
  console.log(`\nafter ${begun} payments, ${told} notices; ${await due()}`)
  for (const [name, row] of Object.entries(counts))
    console.log(
      `  ${name}: ${Object.entries(row)
        .map(([what, n]) => `${what} ${n}`)
        .join(', ')}`,
    )
  // The first round is the warm-up.
  if (series.length === 2) firstHeaps = await Promise.all(programs.map(({ inside }) => inside.heap()))
} while (Date.now() < until)

console.log('\nanswers:', Object.fromEntries([...answers].toSorted(([a], [b]) => (a < b ? -1 : 1))))
const [, second] = series
const last = series.at(-1)
if (second !== undefined && last !== undefined && last !== second) {
  console.log(`\nfrom round 2 to round ${series.length}, for each of 1,000 payments between them`)
  const between = (last.begun - second.begun) / 1000
  for (const [name, row] of Object.entries(last.counts))
    for (const [what, count] of Object.entries(row)) {
      const slope = (count - (second.counts[name]?.[what] ?? 0)) / between
      if (Math.abs(slope) >= 1) console.log(`  ${name} ${what}: ${slope.toFixed(1)}`)
    }
  for (const [n, { name, inside }] of programs.entries()) {
    const after = await inside.heap()
    const grown = [...after]
      .map(([what, count]) => [what, (count - (firstHeaps?.[n]?.get(what) ?? 0)) / between] as const)
      .filter(([, slope]) => slope >= 2)
      .toSorted(([, a], [, b]) => b - a)
    console.log(
      `  objects of the ${name}: ${grown
        .slice(0, 30)
        .map(([what, slope]) => `${what} ${slope.toFixed(0)}`)
        .join(', ')}`,
    )
  }
}
for (const { child, inside } of programs) {
  inside.close()
  await end(child)
}
receiver.closeAllConnections()
receiver.close()
await service.close()
await postgres?.stop()
process.exit(0)
