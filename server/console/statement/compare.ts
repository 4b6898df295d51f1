// Compares a statement of the service's portal with our payments, by reference. Read-only; a person
// decides.
import { setImmediate } from 'node:timers/promises'
import type { Deposit } from '../../deposits/machine/deposit.ts'
import { statusOf } from '../../deposits/machine/phases.ts'
import type { Store } from '../../deposits/ports/store.ts'
import type { StatementRow } from './statement.ts'
import { StatementError } from './statement-error.ts'

export interface Difference {
  readonly kind: 'missing' | 'extra' | 'different'
  /** Empty for a statement line without a reference. */
  readonly reference: string
  readonly says: string
  /** Of our payment, where there is one. */
  readonly paymentId?: string
}

const DAY_MS = 86_400_000

/** Range of creation times, both ends inclusive. */
interface Span {
  readonly from: number
  readonly to: number
}

/** References between two reports of progress. */
const PROGRESS_EVERY = 100

/**
 * An end that is not given comes from the dates of the file, so that payments outside belong to its
 * neighbours. It is rounded to the whole day (UTC): otherwise a success between the last line of
 * one day's statement and the first of the next would be looked for in neither.
 *
 * @param options names of the two days that a person may give
 */
export function spanOf(
  rows: readonly StatementRow[],
  from: number | undefined,
  to: number | undefined,
  options: string,
): Span {
  const dates = from === undefined || to === undefined ? datesOf(rows, options) : []
  const first = from ?? startOfDay(dates.reduce((a, b) => Math.min(a, b.from), Infinity))
  const lastDay = to ?? startOfDay(dates.reduce((a, b) => Math.max(a, b.to), -Infinity))
  const last = lastDay + DAY_MS - 1
  if (first > last) throw new StatementError(`The dates end before they begin: look at ${options}.`)
  return { from: first, to: last }
}

function startOfDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS
}

/**
 * The date of each line. If one is missing, the range would be a guess, and payments outside the
 * guess would never be looked for: an incomplete comparison would report that all is well.
 *
 * @throws StatementError if a line has no date.
 */
function datesOf(rows: readonly StatementRow[], options: string): NonNullable<StatementRow['at']>[] {
  const dates = rows.flatMap(({ at }) => (at === undefined ? [] : [at]))
  const dateless = rows.find(({ at }) => at === undefined)
  if (dateless === undefined) return dates
  const what = dates.length === 0 ? 'No line of the statement has a date' : `Line ${dateless.line} has no date`
  throw new StatementError(`${what}, so its days are not known, nor what it lacks: give ${options}.`)
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
 *
 * @throws StatementError at more than `most` differences
 */
export async function compare(
  rows: readonly StatementRow[],
  store: Pick<Store, 'depositByReference' | 'payments'>,
  span: Span,
  onProgress: (done: number, of: number) => Promise<void> = async () => {},
  most = Infinity,
): Promise<Difference[]> {
  const { byReference, reversals, differences: ofLines } = grouped(rows)
  const differences = [...ofLines]
  const mustBeFew = (): void => {
    if (differences.length > most)
      throw new StatementError(
        `More than ${most} differences: is it a statement of this companion? Compare fewer days, or use reconcile.`,
      )
  }
  const ids = new Map<string, string>()
  let done = 0
  for (const [reference, row] of byReference) {
    mustBeFew()
    if (done % PROGRESS_EVERY === 0) await onProgress(done, byReference.size)
    done += 1
    const ours = await store.depositByReference(reference)
    const reversal = reversals.get(reference)
    if (ours === undefined) {
      differences.push(...unknownHere(row, reversal))
      continue
    }
    ids.set(reference, ours.id)
    const faults = faultsOf(row, reversal, ours)
    if (faults.length > 0) differences.push({ kind: 'different', reference, says: faults.join('; ') })
  }
  for await (const { id, reference, amount, currency, mode } of successes(store, span)) {
    // Both may be in one database (doctor warns of it): which one the statement is of is not known.
    const says = `${amount} ${currency} succeeded here${mode === 'test' ? ' in test mode' : ''}, not in the statement`
    mustBeFew()
    if (byReference.has(reference)) continue
    differences.push({ kind: 'extra', reference, says })
    ids.set(reference, id)
  }
  mustBeFew()
  return differences.map((difference) => {
    const paymentId = ids.get(difference.reference)
    return paymentId === undefined ? difference : { ...difference, paymentId }
  })
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
    // A read of SQLite takes no turn of the event loop by itself.
    await setImmediate()
    const last = page.at(-1)
    if (last === undefined || page.length < 500) return
    after = { createdAt: last.createdAt, id: last.id }
  }
}
