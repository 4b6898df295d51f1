// What the people of a shop wait for at the console: the first page, each way of searching and the
// export, with a month of payments in SQLite and in PostgreSQL. Asked over the whole companion,
// warm, one after the other.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { termsOf } from '../../server/deposits/machine/search-terms.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { carryOver } from '../../server/store/carry-over.ts'
import { openStore } from '../../server/store/open.ts'
import { depositValues } from '../../server/store/schema/rows.ts'
import { createTestSystem } from '../helpers/create-test-system.ts'
import { depositRecord } from '../helpers/deposit-record.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import type { Options } from './options.ts'

const START = Date.UTC(2026, 9, 22)
const MONTH_MS = 30 * 86_400_000
const ROUNDS = 200
const GOAL_MS = 100
const MB = 1024 * 1024

/** The same numbers at each run. */
function createRandom(): (below: number) => number {
  let state = 42
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const random = createRandom()

const syllables = 'a chi e no ba ra ka wan ji ku o tie mu hu sa la di mba ngo ye zu fa ti ma'.split(' ')
const word = () => Array.from({ length: 2 + random(3) }, () => syllables[random(syllables.length)]).join('')
const given = Array.from({ length: 200 }, word)
const family = Array.from({ length: 2000 }, word)
/** Some names are far more frequent than others. */
const often = <T>(of: readonly T[]): T => of[Math.min(random(of.length), random(of.length), random(of.length))] as T
const amounts = Array.from({ length: 150 }, (_, n) => (n + 1) * 50)
const markets = [['KE', 'KES'], ['KE', 'KES'], ['KE', 'KES'], ['UG', 'UGX'], ['TZ', 'TZS'], ['BI', 'BIF']] as const // prettier-ignore

function payment(i: number, count: number) {
  const [country, currency] = markets[random(markets.length)] ?? markets[0]
  const createdAt = START + Math.floor((i * MONTH_MS) / count)
  const isPaid = random(6) > 0
  const id = `dep_${String(i).padStart(26, '0')}`
  return depositRecord({
    id,
    reference: `HCT${String(i).padStart(9, '0')}${String(random(1e9)).padStart(12, '0')}`,
    orderId: `INV-${String(i).padStart(8, '0')}`,
    transactionId: `CPS${String(i).padStart(9, '0')}`,
    ...(isPaid ? { reportedThirdPartyId: `SP${String(i).padStart(9, '0')}` } : {}),
    phase: isPaid ? 'succeeded' : 'failed',
    duplicate: isPaid && random(500) === 0,
    createdAt,
    updatedAt: createdAt,
    settledAt: createdAt + 20_000 + random(200_000),
    amount: often(amounts),
    country,
    currency,
    payer: { name: `${often(given)} ${often(family)}`, phone: `2547${String(random(1e8)).padStart(8, '0')}` },
  })
}

async function fill(path: string, count: number): Promise<void> {
  const store = await openStore(`file:${path}`)
  await store.close()
  const database = new Database(path)
  database.pragma('synchronous = OFF')
  const sample = Object.keys(depositValues(depositRecord(), '')).filter(
    (name) => !['is_live', 'is_credited'].includes(name),
  )
  const insert = database.prepare(
    `INSERT INTO deposits (${sample.join()}) VALUES (${sample.map((name) => `@${name}`).join()})`,
  )
  const found = database.prepare('INSERT INTO found_by (term, created_at, deposit_id, words) VALUES (?, ?, ?, ?)')
  const batch = database.transaction((from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const row = payment(i, count)
      const { is_live: _, is_credited: __, ...values } = depositValues(row, '')
      insert.run(values)
      const { terms, words } = termsOf(row)
      for (const term of terms) found.run(term, row.createdAt, row.id, words)
    }
  })
  for (let i = 0; i < count; i += 20_000) batch(i, Math.min(i + 20_000, count))
  database.close()
}

const day = () => `2026-11-${String(1 + random(20)).padStart(2, '0')}`

/** The value below which this share of them is. */
function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
}

/** What is asked, each time with other values. */
function questions(count: number): Readonly<Record<string, () => string>> {
  const digits = (length: number) => String(random(10 ** length)).padStart(length, '0')
  return {
    'first page': () => '',
    'first page of a status': () => `status=${random(2) ? 'SUCCESS' : 'FAILED'}`,
    'first page of a market': () => `country=${markets[random(markets.length)]?.[0]}`,
    'first page of a status and a market': () => `status=FAILED&country=${markets[random(markets.length)]?.[0]}`,
    'first page of a day': () => `fromDay=${day()}&toDay=2026-11-21`,
    'phone, last 4 digits': () => `by=phone&search=${digits(4)}`,
    'phone, last 6 digits': () => `by=phone&search=${digits(6)}`,
    'phone, last 9 digits': () => `by=phone&search=7${digits(8)}`,
    'name, 2 letters of a word': () => `by=name&search=${often(given).slice(0, 2)}`,
    'name, a frequent word': () => `by=name&search=${given[0]}`,
    'name, beginnings of two words': () => `by=name&search=${often(given).slice(0, 3)}+${often(family).slice(0, 4)}`,
    'name, two frequent words': () => `by=name&search=${given[0]}+${family[random(5)]}`,
    'name, two words that no payer has': () => `by=name&search=${given[0]}+${given[1]}`,
    'order, beginning of all': () => 'by=order&search=INV-',
    'order, 8 characters': () => `by=order&search=INV-${String(random(count)).padStart(8, '0').slice(0, 4)}`,
    'reference, beginning of all': () => 'by=reference&search=HCT',
    'reference, 9 characters': () => `by=reference&search=HCT${String(random(count)).padStart(9, '0').slice(0, 6)}`,
    'transaction, beginning of all': () => 'by=transaction&search=CPS0',
    'transaction, 9 characters': () => `by=transaction&search=cps${String(random(count)).padStart(9, '0').slice(0, 6)}`,
    "operator's number": () => `by=operator&search=SP${String(random(count)).padStart(9, '0')}`,
    amount: () => `by=amount&search=${often(amounts)}`,
    'amount in a range of days': () => `by=amount&search=${often(amounts)}&fromDay=${day()}&toDay=2026-11-21`,
    'digits, in whatever way they fit': () => `search=${digits(4)}`,
  }
}

async function measure(name: string, store: Store, count: number): Promise<void> {
  const system = await createTestSystem({ store, start: START + MONTH_MS, settings: { timeZone: 'Africa/Nairobi' } })
  console.log(
    `\n${name}, ${count.toLocaleString('en')} payments: p50 and p95 of ${ROUNDS} requests, pages of 50; of the processor time here p95`,
  )
  for (const [what, query] of Object.entries(questions(count))) {
    const times: number[] = []
    const busy: number[] = []
    for (let n = -20; n < ROUNDS; n++) {
      const path = `/v1/payments?limit=50&${query()}`
      const before = process.cpuUsage()
      const began = performance.now()
      const answer = await system.backend(path)
      await answer.text()
      if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}.`)
      if (n < 0) continue
      times.push(performance.now() - began)
      const { user, system: kernel } = process.cpuUsage(before)
      busy.push((user + kernel) / 1000)
    }
    const [p50, p95, processor] = [at(times, 0.5), at(times, 0.95), at(busy, 0.95)]
    const shown = (ms: number) => ms.toFixed(1).padStart(7)
    const verdict = p95 < GOAL_MS ? '' : '   over 100 ms'
    console.log(`  ${what.padEnd(38)} ${shown(p50)} ${shown(p95)} ms, ${shown(processor)} ms${verdict}`)
  }
  await exportAll(system, count)
  await system.companion.close()
  await system.sandbox.close()
}

/** The export of all: how much memory it takes, and how long. */
async function exportAll(system: Awaited<ReturnType<typeof createTestSystem>>, count: number): Promise<void> {
  const began = performance.now()
  const before = process.memoryUsage.rss()
  let [most, lines] = [before, 0]
  const answer = await system.backend('/v1/payments.csv')
  for await (const chunk of answer.body ?? []) {
    for (const byte of chunk as Uint8Array) if (byte === 10) lines += 1
    most = Math.max(most, process.memoryUsage.rss())
  }
  const seconds = (performance.now() - began) / 1000
  console.log(
    `  export of all: ${(lines - 1).toLocaleString('en')} of ${count.toLocaleString('en')} payments in ${seconds.toFixed(0)} s, ` +
      `${((most - before) / MB).toFixed(0)} MB more memory at most`,
  )
}

export async function consoleSearch({ folder, stored }: Options): Promise<void> {
  const path = join(folder, 'console.db')
  await fill(path, stored)
  const sqlite = await openStore(`file:${path}`, { isSearchable: true })
  await measure('SQLite', sqlite, stored)
  await sqlite.close()
  const missing = await postgresMissing()
  if (missing !== undefined) return console.log(`PostgreSQL: ${missing}`)
  const server = await startPostgres()
  try {
    const url = await server.freshDatabase()
    await carryOver(path, url, START + MONTH_MS)
    const postgres = await openStore(url, { isSearchable: true })
    await measure('PostgreSQL', postgres, stored)
    await postgres.close()
  } finally {
    await server.stop()
  }
}
