// `hc-checkout-server backup`: a copy of the database, taken while the companion runs.
import { backupSqlite } from '../store/sqlite/backup.ts'
import type { CommandIo } from './io.ts'
import { POSTGRES_TOOLS, sqliteFile } from './sqlite-file.ts'

export const help = `Usage: hc-checkout-server backup FILE [--env-file FILE]

Copies the SQLite database of HC_DATABASE_URL to FILE while the companion runs, and verifies the copy by reading all
of it. FILE must be new. It holds payer details: keep it as safe as the database. Copying the database file by other
means can give a broken copy. With PostgreSQL use pg_dump or your host's backups: the command prints how.

  --env-file <file>   settings as NAME=value lines; only HC_DATABASE_URL is needed
  --help              this text

Exit codes: 0 the backup is good, 2 there is none.`

const POSTGRES = `The database is PostgreSQL; its own tools make better backups than a companion could.
Export HC_DATABASE_URL in your shell, which does not read the file of --env-file, then:

  # Readable by you alone: it holds payer details.
  (umask 077; pg_dump --format=custom --file=hc.dump "\${HC_DATABASE_URL:?}")

${POSTGRES_TOOLS}

A dump is from one moment. To lose nothing at all after a disk fails, archive the write-ahead log (pg_basebackup with
archive_command, or the point-in-time recovery of your host) and keep a synchronous standby.`

export async function run(argv: string[], io: CommandIo): Promise<number> {
  const named = sqliteFile(argv, io, {
    postgres: POSTGRES,
    missing: 'Name one file that the backup shall be written to.',
  })
  if (typeof named === 'number') return named
  const { file: target, database } = named
  const { bytes, deposits } = await backupSqlite(database, target)
  io.out(`${target}: ${deposits} payments, ${(bytes / 1e6).toFixed(1)} MB, read back and whole.`)
  return 0
}
