// Benchmark of the store: changes a second, against a bare better-sqlite3 loop with group commit in
// the same run. node --conditions=hc-source test/bench/store.ts [--seconds 3] [--rounds 3]
// [--stored 1000000] [--postgres]
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { openStore } from '../../server/store/open.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { creation, depositRecord, idempotencyRecord, inboxRecord, move, START } from '../helpers/deposit-record.ts'
import { startPostgres } from '../helpers/postgres.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    stored: { type: 'string', default: '1000' },
    postgres: { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)

/** The writes of one deposit or webhook; `i` keeps counting up. */
type Work = (i: number) => Promise<unknown>

async function rate(work: Work, writers: number): Promise<number> {
  const started = performance.now()
  const end = started + seconds * 1000
  let done = 0
  let next = 0
  const writer = async () => {
    while (performance.now() < end) {
      await work((next += 1))
      done += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  return (done / (performance.now() - started)) * 1000
}

function randomId(prefix: string): string {
  return prefix + randomBytes(13).toString('hex')
}

function newDeposit(i: number): Deposit {
  return depositRecord({
    id: randomId('dep_'),
    reference: randomId('HCT').slice(0, 24),
    createdAt: START + i,
    updatedAt: START + i,
    dueAt: START + i,
    sessionId: randomId('ses_'),
    orderId: `order-${i}`,
  })
}

/** The writes of a deposit: the row before the call, and the answer after it. */
function depositWork(store: Store): Work {
  return async (i) => {
    const row = newDeposit(i)
    const key = idempotencyRecord(row.id, { keyHash: randomBytes(32).toString('hex') })
    const made = await store.apply({ ...creation({ ...row, phase: 'creating' }), idempotency: key })
    if (!made.applied) throw new Error(made.conflict)
    const opened = move(row, {
      phase: 'open',
      transactionId: randomId('tx'),
      checkoutUrl: 'https://pay.example/checkout/0123456789',
    })
    const told = await store.apply({
      ...opened.change,
      answer: { keyHash: key.keyHash, answer: JSON.stringify(opened.row) },
    })
    if (!told.applied) throw new Error(told.conflict)
  }
}

/** The writes of a webhook before its 200. */
function webhookWork(store: Store): Work {
  return async () => {
    await store.apply({
      inbox: inboxRecord({ id: randomBytes(32).toString('hex'), reference: randomId('HCT'), body: randomBytes(300) }),
    })
  }
}

/**
 * The least that a durable program can do: two tables without further indexes, JSON rows, one
 * transaction per turn.
 */
function bare(path: string): { readonly deposit: Work; readonly webhook: Work; close(): void } {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(
    'CREATE TABLE deposits (id TEXT PRIMARY KEY, key TEXT UNIQUE, state TEXT, body TEXT); CREATE TABLE inbox (id TEXT PRIMARY KEY, body BLOB)',
  )
  const insert = database.prepare('INSERT INTO deposits VALUES (?, ?, ?, ?)')
  const update = database.prepare('UPDATE deposits SET state = ?, body = ? WHERE id = ?')
  const receive = database.prepare('INSERT OR IGNORE INTO inbox VALUES (?, ?)')
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  let waiting: { run: () => void; resolve: () => void }[] = []
  const flush = () => {
    const tasks = waiting
    waiting = []
    begin.run()
    for (const { run } of tasks) run()
    commit.run()
    for (const { resolve } of tasks) resolve()
  }
  const write = (run: () => void) =>
    new Promise<void>((resolve) => {
      if (waiting.push({ run, resolve }) === 1) setImmediate(flush)
    })
  return {
    async deposit(i) {
      const row = newDeposit(i)
      await write(() => insert.run(row.id, randomId('key'), 'creating', JSON.stringify(row)))
      await write(() => update.run('open', JSON.stringify(row), row.id))
    },
    async webhook() {
      await write(() => receive.run(randomBytes(32).toString('hex'), randomBytes(300)))
    },
    close: () => database.close(),
  }
}

async function fill(store: Store, count: number): Promise<void> {
  const phases = ['succeeded', 'succeeded', 'succeeded', 'failed', 'expired', 'rejected'] as const
  for (let i = 0; i < count; i += 2000)
    await Promise.all(
      Array.from({ length: Math.min(2000, count - i) }, (_, j) => {
        const { dueAt: _dueAt, ...row } = newDeposit(i + j - count)
        return store.apply({
          ...creation({ ...row, phase: phases[(i + j) % phases.length] ?? 'failed', transactionId: randomId('tx') }),
          idempotency: idempotencyRecord(row.id, { keyHash: randomBytes(32).toString('hex') }),
        })
      }),
    )
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

interface Contestant {
  readonly name: string
  readonly deposit: Work
  readonly webhook: Work
}

async function compare(contestants: readonly Contestant[]): Promise<void> {
  for (const kind of ['deposit', 'webhook'] as const)
    for (const writers of [50, 200]) {
      const rates = new Map(contestants.map(({ name }) => [name, [] as number[]]))
      for (let round = 0; round < rounds; round++)
        for (const contestant of contestants) rates.get(contestant.name)?.push(await rate(contestant[kind], writers))
      const base = median(rates.get(contestants[0]?.name ?? '') ?? [])
      for (const [name, all] of rates) {
        const middle = median(all)
        console.log(
          `${kind.padEnd(8)} ${String(writers).padStart(3)} writers  ${name.padEnd(24)} ${middle.toFixed(0).padStart(7)}/s  ${(middle / base).toFixed(2)}  (${Math.min(...all).toFixed(0)}-${Math.max(...all).toFixed(0)})`,
        )
      }
    }
}

const folder = mkdtempSync(join(tmpdir(), 'hc-bench-'))
const baseline = bare(join(folder, 'bare.db'))
const small = await openStore(`file:${join(folder, 'small.db')}`)
await fill(small, 1000)
const contestants: Contestant[] = [
  { name: 'bare group commit', ...baseline },
  { name: 'store, 1000 stored', deposit: depositWork(small), webhook: webhookWork(small) },
]
const stores = [small]
const stored = Number(options.stored)
if (stored > 1000) {
  const large = await openStore(`file:${join(folder, 'large.db')}`)
  console.time(`filling ${stored}`)
  await fill(large, stored)
  console.timeEnd(`filling ${stored}`)
  stores.push(large)
  contestants.push({ name: `store, ${stored} stored`, deposit: depositWork(large), webhook: webhookWork(large) })
}
const server = options.postgres ? await startPostgres() : undefined
if (server) {
  const postgres = await openStore(await server.freshDatabase())
  await fill(postgres, 1000)
  stores.push(postgres)
  contestants.push({
    name: 'PostgreSQL, 8 connections',
    deposit: depositWork(postgres),
    webhook: webhookWork(postgres),
  })
}
try {
  await compare(contestants)
} finally {
  baseline.close()
  for (const store of stores) await store.close()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
