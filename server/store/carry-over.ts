// Moves the data of a SQLite file to an empty PostgreSQL database: everything in one transaction,
// after which the file is no longer used. Two databases with the same payment would both query it
// and both notify the merchant.
import type Database from 'better-sqlite3'
import type { Client } from 'pg'
import { CARRIED_OVER_AT, CARRIED_OVER_TO, knownSchema, metaOf, moveOf, setMeta } from './sqlite/migrate.ts'
import { connectTo, isLockFault, liftLimits, migratePostgres } from './postgres/migrate.ts'
import { newestMigration, olderSchema } from './schema/migrations.ts'
import { openExclusive } from './sqlite/file.ts'
import { isMissing, namingFile } from './sqlite/faults.ts'

/**
 * A table comes after those it refers to. Counters are left out: they cover the last minute of one
 * process. So are the sign-ins of the console: people sign in again.
 */
const TABLES = [
  'deposits',
  'timeline',
  'notices',
  'idempotency',
  'sessions',
  'inbox',
  'meta',
  'found_by',
  'acts',
  'paid_back',
  'links',
] as const
type Table = (typeof TABLES)[number]

const BATCH = 1000

export interface CarriedOver {
  /** Number of rows per table. */
  readonly rows: Readonly<Record<Table, number>>
  /** True when an earlier run had already done it, possibly without its caller being told. */
  readonly already: boolean
}

/** Why nothing was carried over; the message is meant for a person. */
class CarryOverError extends Error {
  override readonly name = 'CarryOverError'
}

/**
 * Copies the whole SQLite file at `path` into the PostgreSQL database at `url`, after migrating
 * that to this release's schema, and marks the file so that it is refused from then on. Safe to run
 * again after an interrupted run: it reports the outcome or finishes the work.
 *
 * @param now milliseconds since 1970
 * @param isFormerGone the PostgreSQL that the file was moved into exists no more: take this one
 * @throws CarryOverError, DatabaseInUse, UnfitDatabase, or the driver's error. The file is then
 * unchanged and PostgreSQL has no payments; only when the connection is lost during the commit is
 * the outcome unknown, and the message says so.
 */
export async function carryOver(path: string, url: string, now: number, isFormerGone = false): Promise<CarriedOver> {
  if (isMissing(path)) throw new CarryOverError(`${path} is not there.`)
  const source = namingFile(path, () => openExclusive(path))
  try {
    const present = knownSchema(source)
    if (present < newestMigration) throw olderSchema(source.name, present)
    const target = await connectTo(url)
    try {
      await migratePostgres(target)
      return await copyAll(source, target, { now, isFormerGone })
    } finally {
      await target.end().catch(() => undefined)
    }
  } finally {
    source.close()
  }
}

async function copyAll(
  source: Database.Database,
  target: Client,
  { now, isFormerGone }: { readonly now: number; readonly isFormerGone: boolean },
): Promise<CarriedOver> {
  const before = metaOf(source, CARRIED_OVER_AT)
  const at = before ?? String(now)
  await target.query('BEGIN')
  try {
    await lock(target)
    if (before !== undefined && (await carriedInto(target)) === before) {
      const rows = await countsOf(target)
      await target.query('ROLLBACK')
      return { rows, already: true }
    }
    if (!isFormerGone) mustBeSame(source, target)
    await mustBeEmpty(target)
    for (const table of TABLES) await copy(source, target, table)
    await target.query(
      'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [CARRIED_OVER_AT, at],
    )
    const rows = await countsOf(target)
    mustBeEqual(source, rows)
    await finish(source, target, at)
    // Otherwise the first customers wait on query plans made for empty tables.
    await target.query(`ANALYZE ${TABLES.join(', ')}`).catch(() => undefined)
    return { rows, already: false }
  } catch (error) {
    await target.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Keeps out a companion that already runs on the target: it would write at the same time. */
async function lock(target: Client): Promise<void> {
  await liftLimits(target, 3000)
  try {
    await target.query(`LOCK TABLE ${TABLES.join(', ')} IN ACCESS EXCLUSIVE MODE`)
  } catch (error) {
    if (!isLockFault(error)) throw error
    throw new CarryOverError(
      'Other programs hold the tables of PostgreSQL. Stop every companion; nothing was changed.',
      { cause: error },
    )
  }
}

/** As a person names it; without user and password. */
const nameOf = ({ host, port, database = '' }: Client): string => `${host}:${port}/${database}`

/**
 * A file that was moved, or may have been, goes into no second database: companions on both would
 * have the same payments.
 */
function mustBeSame(source: Database.Database, target: Client): void {
  const former = metaOf(source, CARRIED_OVER_TO)
  if (former === undefined || former === nameOf(target)) return
  throw new CarryOverError(
    `${source.name} was ${moveOf(source)}: a second PostgreSQL would have the same payments. Let HC_DATABASE_URL ` +
      'name that one, in the same way. If it is gone for good, or has another address now and no payments, add ' +
      '--former-gone. Nothing was changed.',
  )
}

async function mustBeEmpty(target: Client): Promise<void> {
  const counts = await countsOf(target)
  const full = TABLES.find((table) => table !== 'meta' && counts[table] > 0)
  if (full === undefined) return
  throw new CarryOverError(
    `The PostgreSQL of HC_DATABASE_URL is not empty (${counts[full]} rows in ${full}): two histories ` +
      'cannot be joined. Name an empty database; nothing was changed.',
  )
}

/**
 * The columns that both databases have, with PostgreSQL's types: a later schema needs no change
 * here.
 */
async function columnsOf(source: Database.Database, target: Client, table: Table): Promise<Map<string, string>> {
  const { rows } = await target.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'NO'`,
    [table],
  )
  const there = new Set(source.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table))
  return new Map(rows.filter(({ name }) => there.has(name)).map(({ name, type }) => [name, type]))
}

async function copy(source: Database.Database, target: Client, table: Table): Promise<void> {
  const columns = await columnsOf(source, target, table)
  const names = [...columns.keys()].join(', ')
  const lists = [...columns.values()].map((type, i) => `$${i + 1}::${type}[]`)
  // The change that last wrote a row is no longer known.
  const [more, value] = table === 'deposits' ? [', change_id', ", ''"] : ['', '']
  const insert =
    `INSERT INTO ${table} (${names}${more}) SELECT *${value} FROM ` +
    `unnest(${lists.join(', ')})${table === 'meta' ? ' ON CONFLICT (key) DO UPDATE SET value = excluded.value' : ''}`
  let batch: unknown[][] = []
  const send = async () => {
    await target.query(
      insert,
      lists.map((_, column) => batch.map((row) => row[column])),
    )
    batch = []
  }
  // Timeline lines are shown in the order in which they were written.
  const order = table === 'timeline' ? ' ORDER BY rowid' : ''
  const all = source.prepare(`SELECT ${names} FROM ${table}${order}`).raw()
  for (const row of all.iterate() as IterableIterator<unknown[]>) {
    batch.push(row)
    if (batch.length === BATCH) await send()
  }
  if (batch.length > 0) await send()
}

async function countsOf(target: Client): Promise<Record<Table, number>> {
  const parts = TABLES.map((table) => `(SELECT count(*) FROM ${table})::int AS ${table}`)
  const { rows } = await target.query<Record<Table, number>>(`SELECT ${parts.join(', ')}`)
  return rows[0] as Record<Table, number>
}

function mustBeEqual(source: Database.Database, rows: Readonly<Record<Table, number>>): void {
  for (const table of TABLES) {
    const count = Number(source.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
    if (table !== 'meta' && rows[table] !== count)
      throw new CarryOverError(`Of ${count} rows in ${table} ${rows[table]} arrived; nothing was changed.`)
  }
}

async function carriedInto(target: Client): Promise<string | undefined> {
  const { rows } = await target.query<{ value: string }>('SELECT value FROM meta WHERE key = $1', [CARRIED_OVER_AT])
  return rows[0]?.value
}

/**
 * Marks the file before PostgreSQL commits the payments: at no moment can companions start on both.
 */
async function finish(source: Database.Database, target: Client, at: string): Promise<void> {
  const mark = source.transaction(() => {
    setMeta(source, CARRIED_OVER_TO, nameOf(target))
    setMeta(source, CARRIED_OVER_AT, at)
  })
  mark()
  try {
    await target.query('COMMIT')
  } catch (error) {
    throw new CarryOverError(
      'The connection was lost in the last moment: whether PostgreSQL has the payments is not known. ' +
        'The file is marked as moved and is not started any more; run the same command again, which finds ' +
        'out.',
      { cause: error },
    )
  }
}
