// `hc-checkout-server reconcile`: compares the portal's statement with our payments. Read-only; a person decides.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { codeOf } from '../platform/error-code.ts'
import type { Deposit } from '../deposits/machine/deposit.ts'
import { statusOf } from '../deposits/machine/phases.ts'
import type { Store } from '../deposits/ports/store.ts'
import { withDatabase } from './database.ts'
import { type CommandIo, UsageError, utf8Of } from './io.ts'
import { type StatementRow, readDate, readStatement } from './statement.ts'

export const help = `Usage: hc-checkout-server reconcile --statement FILE.csv [options]

Compares the portal's statement with our payments, by reference. The file is CSV with comma, semicolon or tab and a
header line. It needs columns for reference, status and amount; transaction id, currency and date are used if present.

  missing     the statement has a paid transaction that we do not have, or one without a reference: money came and nobody was credited
  extra       we have a success that is missing in the statement, within its days; also what succeeded after the export
  different   both have it, and status, amount, currency or transaction id differ; or it was paid twice, or paid and reversed; or money went
              back without a reference, or for one that we do not have

  --statement <file>       the portal's file
  --from, --to <date>      first and last day of the statement (UTC), as 2026-03-01, both included. Default: the days of the first and the last
                           date in the file; every line must then have a date
  --env-file <file>        settings as NAME=value lines; only HC_DATABASE_URL is needed
  --json                   one JSON object instead of lines
  --help                   this text

It stops at a file that is not UTF-8 text (Windows-1252, UTF-16), and at a line that is ambiguous: an unknown status,
a date that does not start with the year, an amount such as 2,5 or 2.500, a date without status, reference and
transaction id, more cells than the header has, a quote that is not closed. Two columns of one name stop it too. A
line of totals has no date (or a word there, as Total) and is skipped.

Exit codes: 0 no difference, 1 differences, 2 not compared: the statement or the database could not be read, the days
of the statement are unknown, or the database has the schema of another release.`

export interface Difference {
  readonly kind: 'missing' | 'extra' | 'different'
  /** Empty for a statement line without a reference. */
  readonly reference: string
  readonly says: string
}

const DAY_MS = 86_400_000

/** Range of creation times, both ends inclusive. */
interface Span {
  readonly from: number
  readonly to: number
}

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
  const rows = readStatement(text)
  const span = spanOf(rows, day('--from', values.from), day('--to', values.to))
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

/**
 * An end that is not given comes from the dates of the file, so that payments outside belong to its
 * neighbours. It is rounded to the whole day (UTC): otherwise a success between the last line of
 * one day's statement and the first of the next would be looked for in neither.
 */
function spanOf(rows: readonly StatementRow[], from?: number, to?: number): Span {
  const dates = from === undefined || to === undefined ? datesOf(rows) : []
  const first = from ?? startOfDay(dates.reduce((a, b) => Math.min(a, b.from), Infinity))
  const lastDay = to ?? startOfDay(dates.reduce((a, b) => Math.max(a, b.to), -Infinity))
  const last = lastDay + DAY_MS - 1
  if (first > last) throw new UsageError('The dates end before they begin: look at --from and --to.')
  return { from: first, to: last }
}

function startOfDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS
}

/**
 * The date of each line. If one is missing, the range would be a guess, and payments outside the
 * guess would never be looked for: an incomplete comparison would report that all is well.
 *
 * @throws UsageError if a line has no date.
 */
function datesOf(rows: readonly StatementRow[]): NonNullable<StatementRow['at']>[] {
  const dates = rows.flatMap(({ at }) => (at === undefined ? [] : [at]))
  const dateless = rows.find(({ at }) => at === undefined)
  if (dateless === undefined) return dates
  const what = dates.length === 0 ? 'No line of the statement has a date' : `Line ${dateless.line} has no date`
  throw new UsageError(`${what}, so its days are not known, nor what it lacks: give --from and --to.`)
}

/** The lines of a statement by reference. */
interface Grouped {
  /** One line for each reference, a paid one if there is any. */
  readonly byReference: ReadonlyMap<string, StatementRow>
  readonly reversals: ReadonlyMap<string, StatementRow>
  /** What the lines alone show: money without a reference, and payments that are there twice. */
  readonly differences: readonly Difference[]
}

function grouped(rows: readonly StatementRow[]): Grouped {
  const differences: Difference[] = []
  const byReference = new Map<string, StatementRow>()
  const reversals = new Map<string, StatementRow>()
  for (const row of rows) {
    const { reference, status } = row
    if (reference === '') {
      differences.push(
        status === 'REVERSED'
          ? { kind: 'different', reference, says: `${moneyIn('reversed', row)}, without a reference` }
          : { kind: 'missing', reference, says: `${moneyIn('paid', row)}, without a reference` },
      )
      continue
    }
    if (status === 'REVERSED') reversals.set(reference, row)
    const known = byReference.get(reference)
    if (known?.status === 'SUCCESS' && status === 'SUCCESS') {
      const says = `paid twice in the statement (lines ${known.line} and ${row.line})`
      differences.push({ kind: 'different', reference, says })
    }
    if (known === undefined || status === 'SUCCESS') byReference.set(reference, row)
  }
  return { byReference, reversals, differences }
}

/**
 * All differences between a statement and our payments. A reference on several lines counts once,
 * as paid if any line is.
 */
export async function compare(
  rows: readonly StatementRow[],
  store: Pick<Store, 'depositByReference' | 'payments'>,
  span: Span,
): Promise<Difference[]> {
  const { byReference, reversals, differences: ofLines } = grouped(rows)
  const differences = [...ofLines]
  for (const [reference, row] of byReference) {
    const ours = await store.depositByReference(reference)
    const reversal = reversals.get(reference)
    if (ours === undefined) {
      differences.push(...unknownHere(row, reversal))
      continue
    }
    const faults = faultsOf(row, reversal, ours)
    if (faults.length > 0) differences.push({ kind: 'different', reference, says: faults.join('; ') })
  }
  for await (const { reference, amount, currency, mode } of successes(store, span)) {
    // Both may be in one database (doctor warns of it): which one the statement is of is not known.
    const says = `${amount} ${currency} succeeded here${mode === 'test' ? ' in test mode' : ''}, not in the statement`
    if (!byReference.has(reference)) differences.push({ kind: 'extra', reference, says })
  }
  return differences
}

/** A line for a payment that we do not have matters only if money moved. */
function unknownHere(row: StatementRow, reversal: StatementRow | undefined): Difference[] {
  const { reference } = row
  const reversed = reversal === undefined ? undefined : moneyIn('reversed', reversal)
  if (row.status === 'SUCCESS') {
    const says = `${moneyIn('paid', row)}, not known here${reversed === undefined ? '' : `; ${reversed}`}`
    return [{ kind: 'missing', reference, says }]
  }
  return reversed === undefined ? [] : [{ kind: 'different', reference, says: `${reversed}, not known here` }]
}

function moneyIn(went: 'paid' | 'reversed', { amount = '?', currency, transactionId, line }: StatementRow): string {
  const what = [went, amount, currency, transactionId === undefined ? undefined : `(${transactionId})`]
  return `${what.filter((part) => part !== undefined).join(' ')} in line ${line}`
}

function faultsOf(row: StatementRow, reversal: StatementRow | undefined, ours: Deposit): string[] {
  const status = statusOf(ours.phase)
  const faults: string[] = []
  if (row.status === 'SUCCESS' && status !== 'SUCCESS') faults.push(`paid in the statement, ${ours.phase} here`)
  if (row.status === 'FAILED' && status === 'SUCCESS') faults.push('failed in the statement, succeeded here')
  // Lines may be newest first: a reversal counts before the payment as well as after it.
  if (reversal !== undefined && (row.status === 'SUCCESS' || status === 'SUCCESS'))
    faults.push(`reversed in line ${reversal.line} of the statement, ${ours.phase} here`)
  if (row.status === 'PENDING' && status === 'SUCCESS') faults.push('not final in the statement, succeeded here')
  if (row.status === 'SUCCESS' && row.amount === undefined)
    faults.push(`no amount in line ${row.line} of the statement`)
  if (row.amount !== undefined && row.amount !== String(ours.amount))
    faults.push(`amount ${row.amount} in the statement, ${ours.amount} here`)
  if (row.currency !== undefined && row.currency !== ours.currency)
    faults.push(`currency ${row.currency} in the statement, ${ours.currency} here`)
  if (row.transactionId !== undefined && ours.transactionId !== undefined && row.transactionId !== ours.transactionId) {
    faults.push(`transaction ${row.transactionId} in the statement, ${ours.transactionId} here`)
  }
  return faults
}

async function* successes(store: Pick<Store, 'payments'>, span: Span): AsyncGenerator<Deposit> {
  let after: { createdAt: number; id: string } | undefined
  for (;;) {
    const page = await store.payments({
      limit: 500,
      status: 'SUCCESS',
      from: span.from,
      // The store's `to` is exclusive, `span.to` inclusive.
      to: span.to + 1,
      after,
    })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < 500) return
    after = { createdAt: last.createdAt, id: last.id }
  }
}
