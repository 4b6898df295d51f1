// Compares a statement of the service's portal with our payments, by reference. Read-only; a person
// decides.
import { setImmediate } from 'node:timers/promises'
import type { Deposit } from '../../deposits/machine/deposit.ts'
import { statusOf } from '../../deposits/machine/phases.ts'
import type { Store } from '../../deposits/ports/store.ts'
import type { StatementRow } from './statement.ts'
import { inEnglish, type Fact, type FactCode } from './facts.ts'
import { StatementError } from './statement-error.ts'

export interface Difference {
  readonly kind: 'missing' | 'extra' | 'different'
  /** Empty for a statement line without a reference. */
  readonly reference: string
  readonly facts: Fact[]
  /** The facts in English. */
  readonly says: string
  /** Of our payment, where there is one. */
  readonly paymentId?: string
}

const DAY_MS = 86_400_000

type Found = Omit<Difference, 'says'>

/** @param values what its sentence needs */
function fact(code: FactCode, values: Readonly<Record<string, string | number>> = {}): Fact {
  return { code, values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])) }
}

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
 * @param days names of the two days that a person may give
 */
export function spanOf(
  rows: readonly StatementRow[],
  from: number | undefined,
  to: number | undefined,
  days: string,
): Span {
  const dates = from === undefined || to === undefined ? datesOf(rows, days) : []
  const first = from ?? startOfDay(dates.reduce((a, b) => Math.min(a, b.from), Infinity))
  const lastDay = to ?? startOfDay(dates.reduce((a, b) => Math.max(a, b.to), -Infinity))
  const last = lastDay + DAY_MS - 1
  if (first > last) throw new StatementError('days_backwards', { days })
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
function datesOf(rows: readonly StatementRow[], days: string): NonNullable<StatementRow['at']>[] {
  const dates = rows.flatMap(({ at }) => (at === undefined ? [] : [at]))
  const dateless = rows.find(({ at }) => at === undefined)
  if (dateless === undefined) return dates
  if (dates.length === 0) throw new StatementError('no_dates', { days })
  throw new StatementError('no_date', { line: String(dateless.line), days })
}

/** The lines of a statement by reference. */
interface Grouped {
  /** One line for each reference, a paid one if there is any. */
  readonly byReference: ReadonlyMap<string, StatementRow>
  readonly reversals: ReadonlyMap<string, StatementRow>
  /** What the lines alone show: money without a reference, and payments that are there twice. */
  readonly differences: readonly Found[]
}

function grouped(rows: readonly StatementRow[]): Grouped {
  const differences: Found[] = []
  const byReference = new Map<string, StatementRow>()
  const reversals = new Map<string, StatementRow>()
  for (const row of rows) {
    const { reference, status } = row
    if (reference === '') {
      differences.push(
        status === 'REVERSED'
          ? { kind: 'different', reference, facts: [fact('reversed_without_reference', moneyIn(row))] }
          : { kind: 'missing', reference, facts: [fact('paid_without_reference', moneyIn(row))] },
      )
      continue
    }
    if (status === 'REVERSED') reversals.set(reference, row)
    const known = byReference.get(reference)
    if (known?.status === 'SUCCESS' && status === 'SUCCESS') {
      const facts = [fact('paid_twice', { line: known.line, again: row.line })]
      differences.push({ kind: 'different', reference, facts })
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
    if (differences.length > most) throw new StatementError('too_many_differences', { most: String(most) })
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
    const facts = factsOf(row, reversal, ours)
    if (facts.length > 0) differences.push({ kind: 'different', reference, facts })
  }
  for await (const { id, reference, amount, currency, mode } of successes(store, span)) {
    // Both may be in one database (doctor warns of it): which one the statement is of is not known.
    const code = mode === 'test' ? 'only_here_test' : 'only_here'
    mustBeFew()
    if (byReference.has(reference)) continue
    differences.push({ kind: 'extra', reference, facts: [fact(code, { money: `${amount} ${currency}` })] })
    ids.set(reference, id)
  }
  mustBeFew()
  return differences.map((difference) => {
    const paymentId = ids.get(difference.reference)
    const says = difference.facts.map(inEnglish).join('; ')
    return { ...difference, says, ...(paymentId === undefined ? {} : { paymentId }) }
  })
}

/** A line for a payment that we do not have matters only if money moved. */
function unknownHere(row: StatementRow, reversal: StatementRow | undefined): Found[] {
  const { reference } = row
  if (row.status === 'SUCCESS') {
    const facts = [fact('paid_unknown', moneyIn(row))]
    if (reversal !== undefined) facts.push(fact('also_reversed', moneyIn(reversal)))
    return [{ kind: 'missing', reference, facts }]
  }
  if (reversal === undefined) return []
  return [{ kind: 'different', reference, facts: [fact('reversed_unknown', moneyIn(reversal))] }]
}

function moneyIn({ amount = '?', currency, transactionId, line }: StatementRow): { money: string; line: number } {
  const what = [amount, currency, transactionId === undefined ? undefined : `(${transactionId})`]
  return { money: what.filter((part) => part !== undefined).join(' '), line }
}

function factsOf(row: StatementRow, reversal: StatementRow | undefined, ours: Deposit): Fact[] {
  const status = statusOf(ours.phase)
  const { phase } = ours
  const facts: Fact[] = []
  if (row.status === 'SUCCESS' && status !== 'SUCCESS') facts.push(fact('paid_there', { phase }))
  if (row.status === 'FAILED' && status === 'SUCCESS') facts.push(fact('failed_there'))
  // Lines may be newest first: a reversal counts before the payment as well as after it.
  if (reversal !== undefined && (row.status === 'SUCCESS' || status === 'SUCCESS'))
    facts.push(fact('reversed_there', { line: reversal.line, phase }))
  if (row.status === 'PENDING' && status === 'SUCCESS') facts.push(fact('not_final_there'))
  if (row.status === 'SUCCESS' && row.amount === undefined) facts.push(fact('no_amount', { line: row.line }))
  if (row.amount !== undefined && row.amount !== String(ours.amount))
    facts.push(fact('amount_differs', { there: row.amount, here: ours.amount }))
  if (row.currency !== undefined && row.currency !== ours.currency)
    facts.push(fact('currency_differs', { there: row.currency, here: ours.currency }))
  if (row.transactionId !== undefined && ours.transactionId !== undefined && row.transactionId !== ours.transactionId) {
    facts.push(fact('transaction_differs', { there: row.transactionId, here: ours.transactionId }))
  }
  return facts
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
