// Migrates a PostgreSQL database to the newest schema, one instance at a time.
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientBase } from 'pg'
import { codeOf } from '../../platform/error-code.ts'
import { migrations, newestMigration, olderSchema } from '../schema/migrations.ts'
import { connectionString } from './connections.ts'
import { inTime, untrusted } from './faults.ts'
import { UnfitDatabase, unusable } from '../schema/unfit-database.ts'

/**
 * Key of the advisory lock; no other program in the same database may use it. The bytes of
 * "hc_check".
 */
const LOCK = '7521962888917082987'
/** Tables that a migration may change: all those of the first schema. */
export const TABLES = 'deposits, timeline, notices, idempotency, sessions, inbox, counters, meta'
/** Those that came later. */
const LATER_TABLES = 'found_by, sign_ins, acts, paid_back, links'

/** How long a step waits for a lock before it gives way to others, and how it is tried again. */
const PATIENCE = { lockWaitMs: 3000, retries: 20, pauseMs: 1000 }

/**
 * Returns the versions that were added. Not limited by the connection's time limits, since large
 * tables take long; but waits only briefly for locks, because other queries queue behind a waiting
 * lock. If there is nothing to do, it needs no right to change the schema.
 * @throws when the database was written by a newer release, or other programs keep its tables
 * locked; UnfitDatabase when it cannot be used.
 */
export async function migratePostgres(
  client: ClientBase,
  { lockWaitMs, retries, pauseMs } = PATIENCE,
): Promise<readonly number[]> {
  const found = await schemaOfPostgres(client)
  if (found === newestMigration) return []
  if (found === 0) await refuseUncreatable(client)
  for (let retry = 0; ; retry++) {
    try {
      return await migrateNow(client, lockWaitMs)
    } catch (error) {
      if (!isLockFault(error)) throw error
      if (retry >= retries)
        throw new Error(
          'The database could not be migrated: other programs hold its tables, or another instance is ' +
            'migrating it. Nothing was changed. Look at pg_stat_activity, or run "hc-checkout-server ' +
            'migrate" with every companion stopped.',
          { cause: error },
        )
      await pause(pauseMs)
    }
  }
}

/** Waited too long for a lock (lock_not_available), or deadlocked (deadlock_detected). */
export function isLockFault(error: unknown): boolean {
  const code = codeOf(error)
  return code === '55P03' || code === '40P01'
}

async function migrateNow(client: ClientBase, lockWaitMs: number): Promise<readonly number[]> {
  // Whatever the role's default: an instance that waited for the lock must see what the one before
  // it did.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await liftLimits(client, lockWaitMs)
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
    await client.query(
      'CREATE TABLE IF NOT EXISTS hc_schema (version INT PRIMARY KEY, name TEXT NOT NULL, added_at ' +
        'TIMESTAMPTZ NOT NULL DEFAULT now())',
    )
    const present = await schemaOfPostgres(client)
    refuseNewer(present)
    // All locks first and at once: no step may wait for a lock after an earlier one has worked for
    // an hour.
    if (present > 0 && present < newestMigration) await client.query(`LOCK TABLE ${TABLES} IN ACCESS EXCLUSIVE MODE`)
    const added: number[] = []
    for (const { version, name, statements } of migrations) {
      if (version <= present) continue
      for (const statement of statements('postgres')) await client.query(statement)
      await client.query('INSERT INTO hc_schema (version, name) VALUES ($1, $2)', [version, name])
      added.push(version)
    }
    await client.query('COMMIT')
    return added
  } catch (error) {
    await client.query(inTime('ROLLBACK')).catch(() => undefined)
    throw error
  }
}

/**
 * For a transaction over large tables: only its waits for locks are limited, whatever limits the
 * user or the database has.
 */
export async function liftLimits(client: ClientBase, lockWaitMs: number): Promise<void> {
  // Each server lifts those that it knows.
  await client.query(
    `SELECT set_config(name, '0', true) FROM pg_settings
     WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`,
  )
  await client.query(`SET LOCAL lock_timeout = ${lockWaitMs}`)
}

/** Changes nothing. @throws when the schema is not that of this release. */
export async function checkPostgres(client: ClientBase): Promise<void> {
  const present = await schemaOfPostgres(client)
  refuseNewer(present)
  if (present === 0) await refuseUncreatable(client)
  if (present < newestMigration) throw olderSchema('The database', present)
}

/**
 * @throws UnfitDatabase when the user lacks a right on a table of ours: without this check only the
 * first payment would show it.
 */
export async function refuseWithoutRights(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    inTime(
      `SELECT DISTINCT t AS table FROM unnest(string_to_array('${TABLES}, ${LATER_TABLES}', ', ')) t,
       unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) p
     WHERE NOT has_table_privilege(t, p) ORDER BY t`,
    ),
  )
  if (rows.length > 0) throw withoutRights(rows.map(({ table }) => table).join(', '))
}

/** @param what the tables */
function withoutRights(what: string): UnfitDatabase {
  return new UnfitDatabase(
    'inaccessible',
    `its user lacks rights on ${what}. Make it the owner of the tables, or let the owner GRANT SELECT, ` +
      'INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public to it.',
  )
}

/**
 * @throws UnfitDatabase when the tables cannot be created there, or its encoding cannot hold every
 * name.
 */
async function refuseUncreatable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ may: boolean | null; encoding: string }>(
    inTime(
      `SELECT has_schema_privilege(current_schema(), 'CREATE') AS may, current_setting('server_encoding') AS encoding`,
    ),
  )
  const { may, encoding } = rows[0] ?? {}
  if (may !== true)
    throw new UnfitDatabase(
      'inaccessible',
      'its user may not make tables there. Make that user the owner of the database (ALTER DATABASE … ' +
        'OWNER TO …), or GRANT CREATE ON SCHEMA public to it; a schema of its own is named by ALTER ROLE ' +
        '… SET search_path = ….',
    )
  // SQL_ASCII keeps whatever it gets.
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII')
    throw new UnfitDatabase(
      'encoding',
      `its encoding is ${encoding}, which lacks letters of many names. Make the database with CREATE ` +
        "DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
    )
}

function refuseNewer(present: number): void {
  if (present > newestMigration)
    throw new UnfitDatabase(
      'newer',
      `The database has schema ${present}, this release knows ${newestMigration}. Start the newer release.`,
    )
}

/** 0 before the first migration. @throws UnfitDatabase when the user may not read it. */
async function schemaOfPostgres(client: ClientBase): Promise<number> {
  const { rows: known } = await client.query<{ readable: boolean | null }>(
    inTime(`SELECT has_table_privilege(to_regclass('hc_schema'), 'SELECT') AS readable`),
  )
  const { readable } = known[0] ?? {}
  if (readable === false) throw withoutRights('hc_schema')
  if (readable !== true) return 0
  const { rows } = await client.query<{ version: number | null }>(
    inTime('SELECT max(version) AS version FROM hc_schema'),
  )
  return rows[0]?.version ?? 0
}

/**
 * One connection outside any pool, for a command.
 * @throws UnfitDatabase, or an Error that names HC_DATABASE_URL when there is no connection within
 * 10 s
 */
export async function connectTo(url: string): Promise<Client> {
  const socket = new Socket()
  const client = new Client({
    connectionString: connectionString(url),
    connectionTimeoutMillis: 10_000,
    stream: () => socket,
  })
  // What runs when it is lost fails by itself.
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => {
    // The driver leaves it open where a password is missing.
    socket.destroy()
    throw untrusted(error) ?? unusable(error)
  })
  return client
}

/**
 * Opens the database at `url` just to migrate it. Returns the schema found and the versions added;
 * with `checkOnly`, none are added.
 *
 * @throws as `connectTo`; the driver's error when the server refuses a step.
 */
export async function migratePostgresAt(
  url: string,
  checkOnly: boolean,
): Promise<{ present: number; added: readonly number[] }> {
  const client = await connectTo(url)
  try {
    const present = await schemaOfPostgres(client)
    return { present, added: checkOnly ? [] : await migratePostgres(client) }
  } finally {
    await client.end()
  }
}
