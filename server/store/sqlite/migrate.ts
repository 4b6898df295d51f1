// Migrates a SQLite file to the newest schema; the file's user_version holds its present schema.
import type Database from 'better-sqlite3'
import { migrations, newestMigration, olderSchema } from '../schema/migrations.ts'
import { UnfitDatabase } from '../schema/unfit-database.ts'
import { markRebuilt } from './erasure.ts'

/** Marks the file as ours ("HCck"), so that a restore can refuse another program's database. */
export const APPLICATION_ID = 0x4843636b

export function schemaOf(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}

/**
 * Meta key in both the file and the PostgreSQL database that took over its payments: when, in
 * milliseconds since 1970 (carry-over.ts).
 */
export const CARRIED_OVER_AT = 'carried_over_at'
/**
 * Meta key in the file: the PostgreSQL database that took over its payments, as `host:port/name`.
 * An earlier release left it out.
 */
export const CARRIED_OVER_TO = 'carried_over_to'

export function setMeta(database: Database.Database, key: string, value: string): void {
  database
    .prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value)
}

export function metaOf(database: Database.Database, key: string): string | undefined {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() === undefined) return undefined
  return database.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key) as string | undefined
}

/** Says when the file was moved, and into which database; undefined for a file in use. */
export function moveOf(database: Database.Database): string | undefined {
  const at = metaOf(database, CARRIED_OVER_AT)
  const to = metaOf(database, CARRIED_OVER_TO)
  return at && `carried over to PostgreSQL${to ? ` (${to})` : ''} on ${new Date(Number(at)).toISOString()}`
}

/** @throws when the file was carried over to PostgreSQL. */
export function refuseMoved(database: Database.Database): void {
  const move = moveOf(database)
  if (move !== undefined)
    throw new UnfitDatabase(
      'moved',
      `${database.name} was ${move}, and what is here is out of date. ` +
        'Point HC_DATABASE_URL at that PostgreSQL. If the carrying over ' +
        'did not end well, run the same "hc-checkout-server migrate --from" again.',
    )
}

/**
 * Returns the file's schema.
 * @throws when it was written by a newer release or by another program, or was carried over to
 * PostgreSQL.
 */
export function presentSchema(database: Database.Database): number {
  const present = knownSchema(database)
  refuseMoved(database)
  return present
}

/** Like `presentSchema`, but also accepts a file that was carried over. */
export function knownSchema(database: Database.Database): number {
  refuseForeign(database)
  const present = schemaOf(database)
  if (present > newestMigration)
    throw new UnfitDatabase(
      'newer',
      `${database.name} has schema ${present}, this release knows ${newestMigration}. Start the newer ` +
        'release, or restore a backup.',
    )
  return present
}

/** @throws when the file belongs to another program. */
export function refuseForeign(database: Database.Database): void {
  // Both as of one moment: another process may create the schema in between.
  const read = database.transaction(() => ({
    application: Number(database.pragma('application_id', { simple: true })),
    empty: Number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()) === 0,
  }))
  const { application, empty } = read()
  if (!empty && application !== APPLICATION_ID)
    throw new UnfitDatabase(
      'foreign',
      `${database.name} is a database of another program. Point HC_DATABASE_URL at a file of its own.`,
    )
}

/**
 * Changes nothing.
 * @throws as `presentSchema` does, and when the schema is older than that of this release.
 */
export function checkSqlite(database: Database.Database): void {
  const present = presentSchema(database)
  if (present < newestMigration) throw olderSchema(database.name, present)
}

/** Returns the versions that were added. @throws as `presentSchema` does. */
export function migrateSqlite(database: Database.Database): readonly number[] {
  const present = presentSchema(database)
  const missing = migrations.filter(({ version }) => version > present)
  if (missing.length === 0) return []
  const migrate = database.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    const now = schemaOf(database)
    for (const { version, statements } of missing) {
      if (version <= now) continue
      for (const statement of statements('sqlite')) database.exec(statement)
      database.pragma(`user_version = ${version}`)
    }
    database.pragma(`application_id = ${APPLICATION_ID}`)
    if (now === 0) markRebuilt(database)
  })
  migrate.immediate()
  return missing.map(({ version }) => version)
}
