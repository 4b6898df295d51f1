// Makes databases with history: a million ended payments, inserted in bulk by SQL, and open ones
// that wait for their callback.
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { createCapabilities, newId, newReference } from '../../server/deposits/identity.ts'
import { migrations } from '../../server/store/schema/migrations.ts'
import { openStore } from '../../server/store/open.ts'
import { depositValues } from '../../server/store/schema/rows.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { cacheFolder } from './peers.ts'
import { payer, SECRET } from './settings.ts'

type Dialect = 'sqlite' | 'postgres'

const DAY = 86_400_000
/** As long as the answers that the companion stores for idempotency keys. */
const ANSWER = 'a'.repeat(700)
const NOTICE = 'n'.repeat(330)

const quoted = (value: unknown): string => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : 'NULL'
}

/**
 * A month of `count` payments, each with four lines of timeline, a delivered notice, a key with its
 * answer and a kept callback.
 */
function historyStatements(dialect: Dialect, count: number): string[] {
  const sqlite = dialect === 'sqlite'
  const hex = (bytes: number) =>
    sqlite ? `lower(hex(randomblob(${bytes})))` : `substr(md5(random()::text) || md5(random()::text), 1, ${bytes * 2})`
  const padded = (prefix: string, width: number) =>
    sqlite ? `printf('${prefix}%0${width}d', i)` : `('${prefix}' || lpad(i::text, ${width}, '0'))`
  const numbers = sqlite
    ? `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
    : `WITH n(i) AS (SELECT generate_series(1, ${count}))`
  const from = Date.now() - 31 * DAY
  const at = (later: number) => `${from + later} + i * ${Math.floor((30 * DAY) / count)}`
  const ended = `CASE WHEN i % 6 = 0 THEN 'failed' ELSE 'succeeded' END`
  const id = padded('dep_', 26)
  // In the real format: time first, then random.
  const reference = `${padded('HCT', 9)} || upper(${hex(6)})`
  const line = (kind: string, version: number, phase: string) =>
    `'[' || (${at(version * 10_000)}) || ',"${kind}","' || (${phase}) || '",${version},null]\n'`
  const insert = (table: string, columns: Readonly<Record<string, string>>) =>
    `INSERT INTO ${table} (${Object.keys(columns).join()}) ${sqlite ? numbers : ''} ${sqlite ? '' : numbers} SELECT ${Object.values(columns).join()} FROM n`

  const {
    is_live: _live,
    is_credited: _credited,
    ...sample
  } = depositValues(
    depositRecord({ resultCode: '0', resultDescription: 'Processed', checkoutUrl: `https://pay.example/${'x'.repeat(40)}` }),
    '',
  )
  const deposit: Record<string, string> = Object.fromEntries(
    Object.entries(sample).map(([column, value]) => [column, quoted(value)]),
  )
  Object.assign(deposit, {
    id,
    reference,
    phase: ended,
    stage: ended,
    version: '4',
    order_id: padded('order-', 9),
    transaction_id: `'CP' || ${hex(10)}`,
    created_at: at(0),
    updated_at: at(60_000),
    settled_at: at(60_000),
    due_at: 'NULL',
    timeline: [
      line('started', 1, `'creating'`),
      line('created', 2, `'open'`),
      line('rang', 3, `'confirming'`),
      line('answered', 4, ended),
    ].join(' || '),
    ...(sqlite ? {} : { change_id: `'filled'` }),
  })
  const blob = sqlite ? 'randomblob(420)' : `decode(repeat(${hex(30)}, 7), 'hex')`
  return [
    insert('deposits', deposit),
    insert('notices', { id: padded('msg_', 26), deposit_id: id, type: `'payment.succeeded'`, body: quoted(NOTICE), created_at: at(60_000), state: `'delivered'`, attempts: '1', due_at: at(60_000), delivered_at: at(61_000) }),
    insert('idempotency', { key_hash: `(${at(0)}) || '.' || ${hex(22)}`, fingerprint: hex(32), deposit_id: id, created_at: at(0), answer: quoted(ANSWER) }),
    insert('inbox', { id: `${padded('HCT', 9)} || upper(${hex(6)}) || '.' || ${hex(32)}`, received_at: at(30_000), reference, deposit_id: id, body: blob, verdict: `'rang'`, due_at: 'NULL' }),
  ]
} // prettier-ignore

/**
 * A SQLite file with `count` ended payments at `path`; large ones are kept between runs, and
 * copied.
 */
export async function filledSqlite(path: string, count: number): Promise<void> {
  const schema = JSON.stringify(migrations.map(({ statements }) => statements('sqlite'))) + historyStatements.toString()
  const name = createHash('sha256').update(schema).digest('hex').slice(0, 12)
  const kept = join(cacheFolder('filled'), `${name}-${count}.db`)
  if (!existsSync(kept)) {
    const started = performance.now()
    rmSync(`${kept}.part`, { force: true })
    await (await openStore(`file:${kept}.part`)).close()
    const database = new Database(`${kept}.part`)
    database.pragma('journal_mode = OFF')
    database.pragma('synchronous = OFF')
    database.pragma('cache_size = -1000000')
    const indexes = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").all() as { name: string; sql: string }[]
    for (const index of indexes) database.exec(`DROP INDEX ${index.name}`)
    for (const statement of historyStatements('sqlite', count)) database.exec(statement)
    for (const { sql } of indexes) database.exec(sql)
    database.pragma('journal_mode = WAL')
    database.close()
    renameSync(`${kept}.part`, kept)
    console.log(`Filled ${count} payments in ${((performance.now() - started) / 1000).toFixed(0)} s: ${(statSync(kept).size / count).toFixed(0)} bytes each; kept at ${kept}`)
  }
  copyFileSync(kept, path)
} // prettier-ignore

/** The same in a PostgreSQL database that is empty. */
export async function filledPostgres(url: string, count: number): Promise<void> {
  await (await openStore(url)).close()
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of historyStatements('postgres', count)) await client.query(statement)
  await client.query('VACUUM ANALYZE')
  await client.end()
}

export interface OpenPayment {
  readonly id: string
  readonly token: string
  readonly reference: string
  /** Path of its webhook. */
  readonly path: string
}

/** Age of the oldest of them. */
const OPEN_FOR_MS = 600_000

/** Callbacks arrive in random order: some customers take a minute, others ten. */
function shuffled<T>(items: T[]): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    ;[items[last], items[other]] = [items[other] as T, items[last] as T]
  }
  return items
}

/**
 * Payments whose customers are on the hosted page, in random order. Not due for an hour unless
 * somebody watches.
 */
export async function openPayments(url: string, count: number): Promise<OpenPayment[]> {
  const store = await openStore(url)
  const capabilities = createCapabilities(SECRET)
  const now = Date.now()
  const payments: OpenPayment[] = []
  for (let n = 0; n < count; n += 500)
    await Promise.all(
      Array.from({ length: Math.min(500, count - n) }, (_, i) => {
        const at = now - Math.floor((OPEN_FOR_MS * (count - n - i)) / count)
        const id = newId('dep', randomBytes, at)
        const reference = newReference('test', randomBytes, at)
        payments.push({
          id,
          token: capabilities.depositToken(id, 1),
          reference,
          path: `/v1/webhook/${capabilities.webhookKey(reference)}`,
        })
        const times = { createdAt: at, updatedAt: at, expiresAt: at + 900_000, dueAt: at + 3_600_000 }
        const order = {
          amount: 2500,
          payer: payer(n + i),
          transactionId: `CP${reference}`,
          checkoutUrl: `https://pay.example/${'x'.repeat(40)}`,
        }
        return store.apply(creation(depositRecord({ id, reference, ...times, ...order })))
      }),
    )
  await store.close()
  return shuffled(payments)
}
