// `hc-checkout-server restore`: replaces the database with a backup.
import { restoreSqlite } from '../store/sqlite/backup.ts'
import type { CommandIo } from './io.ts'
import { POSTGRES_TOOLS, sqliteFile } from './sqlite-file.ts'

export const help = `Usage: hc-checkout-server restore FILE [--env-file FILE]

Puts the backup FILE in the place of the SQLite database of HC_DATABASE_URL. Stop the companion first: a database in
use is refused. The present file is renamed, never removed. After its next start the companion queries the payment
service for every payment of the last 30 days before /readyz is green. What was made after the backup is not in it:
run "reconcile" with the portal's statement afterwards. With PostgreSQL the command prints what to run.

  --env-file <file>   settings as NAME=value lines; only HC_DATABASE_URL is needed
  --help              this text

Exit codes: 0 the backup is in place, 2 it is not; nothing was changed unless the message says so.`

const POSTGRES = `The database is PostgreSQL. Stop all companions, and export HC_DATABASE_URL in your shell, which
does not read the file of --env-file. Then:

  pg_restore --clean --if-exists --single-transaction --dbname="\${HC_DATABASE_URL:?}" hc.dump
  psql "\${HC_DATABASE_URL:?}" -c "INSERT INTO meta (key, value)
    VALUES ('restored_at', (extract(epoch FROM now()) * 1000)::bigint::text)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value"

${POSTGRES_TOOLS}

The psql line makes the companion ask the payment service about the last 30 days before it answers ready. Then run
"reconcile".`

export async function run(argv: string[], io: CommandIo): Promise<number> {
  const named = sqliteFile(argv, io, {
    postgres: POSTGRES,
    missing: 'Name one backup file to restore.',
  })
  if (typeof named === 'number') return named
  const { file, database } = named
  const { deposits, setAside } = restoreSqlite(file, database, io.now())
  io.out(`${database}: ${deposits} payments from ${file}.`)
  if (setAside !== undefined) io.out(`The former database is ${setAside}.`)
  io.out(
    'Start the companion now; it is ready once the last 30 days have been asked about. Then run ' +
      '"reconcile" with the portal\'s statement.',
  )
  return 0
}
