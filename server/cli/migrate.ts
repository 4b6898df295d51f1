// `hc-checkout-server migrate`: migrates the database to the schema of this version, separately
// from a start.
import { parseArgs } from 'node:util'
import { readDatabaseUrl } from '../settings/settings.ts'
import { newestMigration } from '../store/schema/migrations.ts'
import { sqlitePath } from '../store/open.ts'
import type { Rebuilding } from '../store/sqlite/erasure.ts'
import { isMissing, namingFile } from '../store/sqlite/faults.ts'
import { type CommandIo, UsageError, withEnvFile } from './io.ts'

export const help = `Usage: hc-checkout-server migrate [--check | --from FILE [--former-gone]] [--env-file FILE]

Brings the database of HC_DATABASE_URL to the schema of this version; "start" does the same by itself. Steps only go
forward: take a backup before an upgrade. A SQLite file that may still hold erased details is rebuilt, once: stop the
companion for it. Several instances may start at once, one of them migrates.

With --from, moves everything in a SQLite file to the empty PostgreSQL of HC_DATABASE_URL: payments, sessions,
notices, callbacks. Stop the companion and take a backup first. No companion starts on the file afterwards. Keep
HC_SECRET, HC_PUBLIC_URL and the private key, and existing links, tokens and callback addresses stay valid.

  --check             change nothing; say whether there is something to do
  --from <file>       a SQLite database of this release
  --former-gone       with --from: the PostgreSQL that the file was moved into before exists no more; take this one
  --env-file <file>   settings as NAME=value lines; only HC_DATABASE_URL is needed
  --help              this text

Exit codes: 0 the schema is that of this version, 1 (with --check) it is not, 2 the database could not be used, or
nothing was moved.`

export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      check: { type: 'boolean', default: false },
      from: { type: 'string' },
      'former-gone': { type: 'boolean', default: false },
      'env-file': { type: 'string' },
    },
  })
  const url = readDatabaseUrl(withEnvFile(io, values['env-file']))
  if (values.from !== undefined) {
    if (values.check) throw new UsageError('Either --check or --from.')
    return carry(values.from, url, io, values['former-gone'])
  }
  const {
    present,
    added,
    rebuilding = 'clean',
  }: Migrated = url.startsWith('file:')
    ? await migrateFile(url, values.check)
    : await (await import('../store/postgres/migrate.ts')).migratePostgresAt(url, values.check)
  const was = present === 0 ? 'without a schema' : `at schema ${present}`
  if (values.check) {
    io.out(`The database is ${was}, this version has ${newestMigration}.`)
    return present === newestMigration ? 0 : 1
  }
  io.out(
    added.length === 0
      ? `The database is ${was}; nothing to do.`
      : `The database was ${was}, and is now at ${newestMigration}.`,
  )
  if (rebuilding === 'rebuilt') io.out('The file is rebuilt: what was erased from it is not readable any more.')
  else if (rebuilding !== 'clean')
    io.err(`Erased details may still be readable in the file. ${OBSTACLES[rebuilding]} Then migrate again.`)
  return 0
}

async function carry(from: string, url: string, io: CommandIo, isFormerGone: boolean): Promise<number> {
  if (url.startsWith('file:'))
    throw new UsageError(
      '--from carries a SQLite file over to PostgreSQL: let HC_DATABASE_URL name the new database, in ' +
        'the file of --env-file if there is one.',
    )
  const path = from.startsWith('file:') ? sqlitePath(from) : from
  const { carryOver } = await import('../store/carry-over.ts')
  const { rows, already } = await carryOver(path, url, io.now(), isFormerGone)
  const what = `${rows.deposits} payments, ${rows.sessions} sessions, ${rows.notices} notices, ${rows.inbox} callbacks`
  io.out(`${path}: ${already ? 'was carried over before.' : 'carried over.'} PostgreSQL has ${what}.`)
  io.out(
    'Start the companions with this HC_DATABASE_URL. None starts on the file any more; it still holds payer details.',
  )
  return 0
}

const OBSTACLES: Readonly<Record<Exclude<Rebuilding, 'clean' | 'rebuilt'>, string>> = {
  'in use': 'It is in use: stop the companion.',
  'no room': 'There is no room for a copy: make twice as much free space beside it as it has itself.',
}

interface Migrated {
  readonly present: number
  readonly added: readonly number[]
  /** SQLite files only. */
  readonly rebuilding?: Rebuilding
}

async function migrateFile(url: string, checkOnly: boolean): Promise<Migrated> {
  const path = sqlitePath(url)
  const { openSqlite, schemaOfFile } = await import('../store/sqlite/file.ts')
  if (checkOnly) return { present: isMissing(path) ? 0 : schemaOfFile(path), added: [] }
  const { migrateSqlite, schemaOf } = await import('../store/sqlite/migrate.ts')
  const { rebuildOnce } = await import('../store/sqlite/erasure.ts')
  const database = openSqlite(path)
  try {
    const present = schemaOf(database)
    const added = namingFile(path, () => migrateSqlite(database))
    return { present, added, rebuilding: rebuildOnce(database) }
  } finally {
    database.close()
  }
}
