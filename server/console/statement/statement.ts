// Parses a statement of the service's portal: CSV as spreadsheets write it, columns found by name,
// nothing about money guessed.
import { referencesIn } from '../../deposits/identity.ts'
import { type RefusalCode, StatementError } from './statement-error.ts'
import { type CsvLine, parseCsv } from './parse-csv.ts'

export interface StatementRow {
  /** Line in the file, the header being 1. */
  readonly line: number
  /** Empty only if money was received or reversed without one. */
  readonly reference: string
  readonly transactionId?: string
  /** Exact decimal text without separators. */
  readonly amount?: string
  readonly currency?: string
  readonly status: StatementStatus
  /** First and last millisecond of its date: a whole day (UTC) if it has no time. */
  readonly at?: { readonly from: number; readonly to: number }
}

/** REVERSED: paid, and the money went back. PENDING: not final. */
type StatementStatus = 'SUCCESS' | 'FAILED' | 'REVERSED' | 'PENDING'

/**
 * Names of each column, compared without case, spaces and punctuation. The first one found is used.
 */
const COLUMNS = {
  reference: [
    'reference',
    'merchantreference',
    'orderreference',
    'clientreference',
    'externalreference',
    'referenceno',
    'orderid',
    'ref',
  ],
  transactionId: ['transactionid', 'transactionno', 'trxid', 'txnid', 'serviceid'],
  amount: ['amount', 'transactionamount', 'grossamount', 'value'],
  currency: ['currency', 'currencycode', 'ccy'],
  status: ['status', 'transactionstatus', 'state', 'result'],
  date: ['date', 'transactiondate', 'createdat', 'datetime', 'time', 'timestamp'],
} as const

/**
 * Compared like the column names. An unknown word could mean that money was received: it is
 * refused, never guessed.
 */
const STATUS_WORDS: Readonly<Record<StatementStatus, readonly string[]>> = {
  SUCCESS: ['success', 'successful', 'succeeded', 'completed', 'complete', 'paid'],
  FAILED: ['failed', 'failure', 'cancelled', 'canceled', 'expired', 'rejected', 'declined'],
  REVERSED: ['reversed', 'refunded'],
  PENDING: ['pending', 'processing', 'initiated', 'inprogress'],
}
const STATUSES = new Map(
  Object.entries(STATUS_WORDS).flatMap(([status, words]) =>
    words.map((word): [string, StatementStatus] => [word, status as StatementStatus]),
  ),
)

const DAY_MS = 86_400_000

/** Index of each column in a line; -1 for one that the statement does not have. */
type Columns = Readonly<Record<keyof typeof COLUMNS, number>>

/**
 * @throws StatementError for a file that is no statement: not UTF-8, no column for reference,
 *   status or amount, no lines, or a line that is ambiguous. A comparison with half a statement
 *   would report that all is well.
 */
export function readStatement(text: string): StatementRow[] {
  // In UTF-16 every other byte of a Latin letter is NUL. Binary spreadsheet files have NULs too.
  if (text.includes('\0')) throw new StatementError('not_utf8')
  const [header, ...lines] = parseCsv(text.replace(/^\uFEFF/, ''))
  if (header === undefined) throw new StatementError('empty')
  const columns = findColumns(header.cells)
  const width = header.cells.length
  const rows = lines.flatMap((line) => {
    mustFit(line, width)
    return readRow(line, columns) ?? []
  })
  if (rows.length === 0) throw new StatementError('no_payments')
  return rows
}

function findColumns(header: readonly string[]): Columns {
  const found = header.map((cell) => cell.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  const indexOf = (names: readonly string[]): number =>
    names.map((name) => found.indexOf(name)).find((index) => index >= 0) ?? -1
  const columns: Columns = {
    reference: indexOf(COLUMNS.reference),
    transactionId: indexOf(COLUMNS.transactionId),
    amount: indexOf(COLUMNS.amount),
    currency: indexOf(COLUMNS.currency),
    status: indexOf(COLUMNS.status),
    date: indexOf(COLUMNS.date),
  }
  // Where two columns have one name, only a person knows which of them is meant.
  const twice = Object.values(columns).find((index) => index >= 0 && found.indexOf(found[index]!, index + 1) >= 0)
  if (twice !== undefined) throw new StatementError('two_columns', { value: JSON.stringify(header[twice]) })
  // Also an amount that is called "Amount (KES)": without amounts, any wrong sum would agree.
  for (const needed of ['reference', 'status', 'amount'] as const)
    if (columns[needed] < 0) throw new StatementError(`no_${needed}_column`, { names: COLUMNS[needed].join(', ') })
  return columns
}

/**
 * A comma that nobody quoted moves the cells after it: `150,000` would be read as 150, and a
 * payer's name could bring a status of its own. A quote that nobody closed takes in the lines up to
 * the next one. @throws StatementError
 */
function mustFit({ cells, line }: CsvLine, width: number): void {
  if (cells.slice(width).some((cell) => cell.trim() !== ''))
    throw new StatementError('too_many_cells', { line: String(line) })
  const isLine = (text: string): boolean => {
    const parts = text.split(/[,;\t]/)
    return parts.length >= width && parts.some((part) => statusOf(part.replaceAll('"', '')) !== undefined)
  }
  if (cells.some((cell) => cell.split('\n').slice(1).some(isLine)))
    throw new StatementError('open_quote', { line: String(line) })
}

function statusOf(word: string): StatementStatus | undefined {
  return STATUSES.get(word.toLowerCase().replaceAll(/[\s_-]/g, ''))
}

/**
 * Undefined for a line that there is nothing to compare in. @throws StatementError for an ambiguous
 * one.
 */
function readRow({ cells, line }: CsvLine, columns: Columns): StatementRow | undefined {
  const refused = (code: RefusalCode, value: string, more: Record<string, string> = {}): StatementError =>
    new StatementError(code, { line: String(line), value: JSON.stringify(value.slice(0, 60)), ...more })
  const cell = (column: keyof Columns): string => textOf((cells[columns[column]] ?? '').trim())
  const reference = referenceOf(cell('reference'))
  const word = cell('status')
  const day = cell('date')
  const transactionId = cell('transactionId')
  // A line of totals at the end has no date, at most a word such as "Total" in its place; a line
  // with a date may be money received.
  const isOfNoDay = !/\p{N}/u.test(day)
  if (reference === '' && word === '' && transactionId === '') {
    if (isOfNoDay) return undefined
    throw refused('date_alone', day)
  }
  const status = statusOf(word)
  if (status === undefined && word === '' && isOfNoDay) throw refused('no_status', word)
  if (status === undefined) throw refused('unknown_status', word, { names: [...STATUSES.keys()].join(', ') })
  // Without a reference there is nothing to compare, but money received or reversed must be
  // reported.
  if (reference === '' && status !== 'SUCCESS' && status !== 'REVERSED') return undefined
  const written = cell('amount')
  const amount = readAmount(written)
  if (written !== '' && amount === undefined) throw refused('unclear_amount', written)
  const date = readDate(day)
  if (day !== '' && date === undefined) throw refused('unclear_date', day)
  const before = PREFIX.exec(written)?.[0].toUpperCase() ?? ''
  const ofAmount = CURRENCIES.has(before) ? before : ''
  const currency = cell('currency').toUpperCase() || ofAmount
  if (ofAmount !== '' && ofAmount !== currency) throw refused('two_currencies', written, { currency })
  return {
    line,
    reference,
    status,
    ...(transactionId === '' ? {} : { transactionId }),
    amount,
    ...(currency === '' ? {} : { currency }),
    ...(date === undefined ? {} : { at: { from: date, to: day.includes(':') ? date : date + DAY_MS - 1 } }),
  }
}

/**
 * Without the `="…"` in which portals wrap references, so that a spreadsheet takes them for text:
 * else each would be missing here, and extra too.
 */
function textOf(cell: string): string {
  return /^="(.*)"$/.exec(cell)?.[1] ?? cell
}

/**
 * One of ours as we write it, also if the portal or a spreadsheet has changed its letters to small
 * ones or put an apostrophe or an invisible character beside it: as an unknown one it would be
 * reported missing, as money that nobody was credited for.
 */
function referenceOf(cell: string): string {
  const [ours] = referencesIn(cell.toUpperCase())
  return ours !== undefined && cell.replaceAll(/[^A-Za-z0-9]/g, '').length === ours.length ? ours : cell
}

/**
 * A currency code such as `KES` or `USD`, used if there is no currency column, or a word such as
 * `Ksh`.
 */
const PREFIX = /^[A-Za-z]{3}/
/** All of ISO 4217: an amount in one that we do not take is no amount of ours either. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/**
 * `2500`, `2,500`, `2,500.00`, `2 500.00` and `KES 2500` become `2500`. `2,5` and `2.500` are
 * ambiguous: undefined.
 */
export function readAmount(text: string): string | undefined {
  const plain = text.replace(PREFIX, '').replaceAll(/[\s\u00A0\u202F]/g, '')
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain)) return undefined
  if (/^\d{1,3}\.\d{3}$/.test(plain)) return undefined
  const [whole = '', fraction = ''] = plain.replaceAll(',', '').split('.')
  const rest = fraction.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`
}

/**
 * Parses dates with the year first (ISO), 24-hour or with a marker as in open-points.md "date"; UTC
 * unless an offset is given. Otherwise undefined.
 */
export function readDate(text: string): number | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(AM|PM)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(
      text.trim(),
    )
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '00', second = '00', marker = '', zone = 'Z'] = match
  const hours =
    Number(hour) +
    (/pm/i.test(marker) && Number(hour) < 12 ? 12 : 0) -
    (/am/i.test(marker) && Number(hour) === 12 ? 12 : 0)
  const at = Date.parse(
    `${year}-${month}-${day}T${String(hours).padStart(2, '0')}:${minute}:${second}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`,
  )
  // Date.parse accepts the 31st of any month, and rolls over to the next month.
  const isInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() >= Number(day)
  return Number.isNaN(at) || !isInMonth ? undefined : at
}
