// Brings a PostgreSQL database to the newest schema, one instance at a time.
import { Client, type ClientBase } from 'pg'
import { decodeOrKeep } from '../decode.ts'
import { migrations, newestMigration, olderSchema } from './migrations.ts'

/** Any number that other programs in the same database do not use: "hc_check" as bytes. */
const LOCK = '7521962888917082987'

/** @throws when the database was written by a newer release. Answers the versions that were added. */
export async function migratePostgres(client: ClientBase): Promise<readonly number[]> {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
    await client.query(
      'CREATE TABLE IF NOT EXISTS hc_schema (version INT PRIMARY KEY, name TEXT NOT NULL, added_at TIMESTAMPTZ NOT NULL DEFAULT now())',
    )
    const present = await schemaOfPostgres(client)
    refuseNewer(present)
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
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Changes nothing. @throws when the database has another schema than that of this release. */
export async function checkPostgres(client: ClientBase): Promise<void> {
  const present = await schemaOfPostgres(client)
  refuseNewer(present)
  if (present < newestMigration) throw new Error(olderSchema('The database', present))
}

function refuseNewer(present: number): void {
  if (present > newestMigration)
    throw new Error(
      `The database has schema ${present}, this release knows ${newestMigration}. Start the newer release.`,
    )
}

/** The address for the driver. It ends on user or password that are not percent-encoded as a whole; those are meant as they stand. */
export function connectionString(url: string): string {
  if (!URL.canParse(url)) return url
  const address = new URL(url)
  const asItStands = (text: string) =>
    /%/.test(text) && decodeOrKeep(text) === text ? text.replaceAll('%', '%25') : text
  const [username, password] = [asItStands(address.username), asItStands(address.password)]
  if (username === address.username && password === address.password) return url
  address.username = username
  address.password = password
  return address.href
}

/** 0 before the first migration. */
async function schemaOfPostgres(client: ClientBase): Promise<number> {
  const { rows: known } = await client.query<{ there: boolean }>(`SELECT to_regclass('hc_schema') IS NOT NULL AS there`)
  if (!known[0]?.there) return 0
  const { rows } = await client.query<{ version: number | null }>('SELECT max(version) AS version FROM hc_schema')
  return rows[0]?.version ?? 0
}

/**
 * Opens the database at `url` for a migration alone. Answers the schema found and the versions added; with `checkOnly`, none are.
 *
 * @throws the driver's error when the database cannot be reached within 10 s.
 */
export async function migratePostgresAt(
  url: string,
  checkOnly: boolean,
): Promise<{ present: number; added: readonly number[] }> {
  const client = new Client({ connectionString: connectionString(url), connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const present = await schemaOfPostgres(client)
    return { present, added: checkOnly ? [] : await migratePostgres(client) }
  } finally {
    await client.end()
  }
}
