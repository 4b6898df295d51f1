// `hc-checkout-server reconcile`: compares the portal's statement with our payments. Read-only; a
// person decides.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { codeOf } from '../platform/error-code.ts'
import { compare, spanOf } from '../console/statement/compare.ts'
import { readDate, readStatement } from '../console/statement/statement.ts'
import { StatementError } from '../console/statement/statement-error.ts'
import { withDatabase } from './database.ts'
import { type CommandIo, UsageError, utf8Of } from './io.ts'

export const help = `Usage: hc-checkout-server reconcile --statement FILE.csv [options]

Compares the portal's statement with our payments, by reference. The file is CSV with comma, semicolon or tab and a
header line. It needs columns for reference, status and amount; transaction id, currency and date are used if present.

  missing     the statement has a paid transaction that we do not have, or one without a reference: money came and
              nobody was credited
  extra       we have a success that is missing in the statement, within its days; also what succeeded after the export
  different   both have it, and status, amount, currency or transaction id differ; or it was paid twice, or paid and
              reversed; or money went back without a reference, or for one that we do not have

  --statement <file>       the portal's file
  --from, --to <date>      first and last day of the statement (UTC), for example 2026-03-01, both included. Default:
                           the days of the first and the last date in the file; every line must then have a date
  --env-file <file>        settings as NAME=value lines; only HC_DATABASE_URL is needed
  --json                   one JSON object instead of lines
  --help                   this text

It stops at a file that is not UTF-8 text (Windows-1252, UTF-16), and at a line that is ambiguous: an unknown status,
a date that does not start with the year, an amount such as 2,5 or 2.500, a date without status, reference and
transaction id, more cells than the header has, a quote that is not closed. Two columns of one name stop it too. A
line of totals has no date (or a word there, as Total) and is skipped.

Exit codes: 0 no difference, 1 differences, 2 not compared: the statement or the database could not be read, the days
of the statement are unknown, or the database has the schema of another release.`

export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      statement: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      'env-file': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  if (values.statement === undefined) throw new UsageError('--statement FILE.csv is missing.')
  let text: string
  try {
    text = utf8Of(readFileSync(values.statement), `--statement: ${values.statement}`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${values.statement} cannot be read (${codeOf(error) || 'unreadable'}).`)
  }
  const [from, to] = [day('--from', values.from), day('--to', values.to)]
  const { rows, span } = understood(() => {
    const lines = readStatement(text)
    return { rows: lines, span: spanOf(lines, from, to, '--from and --to') }
  })
  const differences = await withDatabase(io, values['env-file'], (store) => compare(rows, store, span))
  if (values.json) io.out(JSON.stringify({ rows: rows.length, span, differences }, undefined, 2))
  else {
    for (const { kind, reference, says } of differences)
      io.out(plain(`${kind.padEnd(10)} ${reference === '' ? '(no reference)' : reference}  ${says}`))
    const dates = `${new Date(span.from).toISOString()} to ${new Date(span.to).toISOString()}`
    const absent = (['from', 'to'] as const).filter((name) => values[name] === undefined).map((name) => `--${name}`)
    const whole = absent.length === 0 ? '' : ` (${absent.join(' and ')} not given: whole days, UTC)`
    const number = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
    io.out(
      `${number(rows.length, 'line')} of the statement, ${number(differences.length, 'difference')}; ${dates}${whole}.`,
    )
  }
  return differences.length === 0 ? 0 : 1
}

/** Control characters of the statement could erase or invent lines on a terminal. */
const plain = (line: string): string => line.replaceAll(/\p{Cc}+/gu, ' ')

function day(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = readDate(text)
  if (at === undefined) throw new UsageError(`${option} must be a date such as 2026-03-01.`)
  return at
}

/** What is wrong with the file, as with an option. @throws UsageError */
function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof StatementError ? new UsageError(error.message) : error
  }
}
