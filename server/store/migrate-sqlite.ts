// Brings a SQLite file to the newest schema; the file's own user_version says where it stands.
import type Database from 'better-sqlite3'
import { migrations, newestMigration, olderSchema } from './migrations.ts'
import { UnfitDatabase } from './unfit-database.ts'
import { markRebuilt } from './sqlite-erasure.ts'

/** Marks the file as ours ("HCck"), so that a restore can refuse another program's database. */
export const APPLICATION_ID = 0x4843636b

export function schemaOf(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}

/** The meta fact of a file, and of the database that took its payments over: when, in milliseconds since 1970 (carry-over.ts). */
export const CARRIED_OVER_AT = 'carried_over_at'

/** When this file's payments were carried over to PostgreSQL, as it was written down; undefined of one in use. */
export function carriedOverAt(database: Database.Database): string | undefined {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() === undefined) return undefined
  return database.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(CARRIED_OVER_AT) as string | undefined
}

/** Answers where the file stands. @throws when it was written by a newer release or by another program, or was carried over to PostgreSQL. */
export function presentSchema(database: Database.Database): number {
  const present = knownSchema(database)
  const movedAt = carriedOverAt(database)
  if (movedAt !== undefined)
    throw new UnfitDatabase(
      'moved',
      `${database.name} was carried over to PostgreSQL on ${new Date(Number(movedAt)).toISOString()}, and what is here is out of date. Point HC_DATABASE_URL at that PostgreSQL. If the carrying over did not end well, run the same "hc-checkout-server migrate --from" again.`,
    )
  return present
}

/** The same of a file that may have been carried over. */
export function knownSchema(database: Database.Database): number {
  refuseForeign(database)
  const present = schemaOf(database)
  if (present > newestMigration)
    throw new UnfitDatabase(
      'newer',
      `${database.name} has schema ${present}, this release knows ${newestMigration}. Start the newer release, or restore a backup.`,
    )
  return present
}

/** @throws when the file is another program's. */
export function refuseForeign(database: Database.Database): void {
  const application = Number(database.pragma('application_id', { simple: true }))
  const empty = Number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()) === 0
  if (!empty && application !== APPLICATION_ID)
    throw new UnfitDatabase(
      'foreign',
      `${database.name} is a database of another program. Point HC_DATABASE_URL at a file of its own.`,
    )
}

/** Changes nothing. @throws when the file has another schema than that of this release, or is another program's. */
export function checkSqlite(database: Database.Database): void {
  const present = presentSchema(database)
  if (present < newestMigration) throw olderSchema(database.name, present)
}

/** @throws when the file was written by a newer release, or by another program. Answers the versions that were added. */
export function migrateSqlite(database: Database.Database): readonly number[] {
  const present = presentSchema(database)
  const missing = migrations.filter(({ version }) => version > present)
  if (missing.length === 0) return []
  const migrate = database.transaction(() => {
    // Another process may have been faster while this one waited for the lock.
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
