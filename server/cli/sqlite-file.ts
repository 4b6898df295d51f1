// The SQLite file of the settings: the common part of `backup` and `restore`.
import { parseArgs } from 'node:util'
import { readDatabaseUrl } from '../settings/settings.ts'
import { sqlitePath } from '../store/open.ts'
import { type CommandIo, UsageError, withEnvFile } from './io.ts'

/** For whoever runs PostgreSQL's own tools with the address of the settings. */
export const POSTGRES_TOOLS = [
  'Where the address says sslmode=verify-full, these tools know no authority until PGSSLROOTCERT names its file,',
  'for example /etc/ssl/certs/ca-certificates.crt (system from release 16 on). They do not take uselibpqcompat.',
  "Their release must not be older than the server's.",
].join('\n')

/** The exit code if the database is PostgreSQL, otherwise both paths. */
export function sqliteFile(
  argv: string[],
  io: CommandIo,
  say: { readonly postgres: string; readonly missing: string },
): number | { readonly file: string; readonly database: string } {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { 'env-file': { type: 'string' } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError(say.missing)
  const url = readDatabaseUrl(withEnvFile(io, values['env-file']))
  if (!url.startsWith('file:')) {
    io.err(say.postgres)
    return 2
  }
  return { file, database: sqlitePath(url) }
}
