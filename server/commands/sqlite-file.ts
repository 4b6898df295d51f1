// The SQLite file of the settings: what `backup` and `restore` have in common, and whether it is there at all.
import { parseArgs } from 'node:util'
import { readDatabaseUrl } from '../settings.ts'
import { sqlitePath } from '../store/open.ts'
import { isMissing } from '../store/sqlite-faults.ts'
import { type CommandIo, UsageError, withEnvFile } from './io.ts'

/** The exit code when there is nothing to do (help was asked for, or the database is PostgreSQL), else both paths. */
export function sqliteFile(
  argv: string[],
  io: CommandIo,
  say: { readonly help: string; readonly postgres: string; readonly missing: string },
): number | { readonly file: string; readonly database: string } {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { 'env-file': { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
    strict: true,
  })
  if (values.help) {
    io.out(say.help)
    return 0
  }
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError(say.missing)
  const url = readDatabaseUrl(withEnvFile(io, values['env-file']))
  if (!url.startsWith('file:')) {
    io.err(say.postgres)
    return 2
  }
  return { file, database: sqlitePath(url) }
}

/**
 * The path of a SQLite database that is not there. Commands that only look make none: an empty one would answer wrongly, and belong to whoever
 * ran them instead of the companion's own user.
 */
export function missingDatabase(url: string): string | undefined {
  const path = url.startsWith('file:') ? sqlitePath(url) : ':memory:'
  return path === ':memory:' || !isMissing(path) ? undefined : path
}
