// Parses a statement of the service's portal: CSV as spreadsheets write it, columns found by name, nothing about money guessed.
import { CurrencyCode } from '../contract/index.ts'
import { UsageError } from './io.ts'

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

/** Names of each column, compared without case, spaces and punctuation. The first one found is used. */
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

/** Compared like the column names. An unknown word could mean that money was received: it is refused, never guessed. */
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

/**
 * @throws UsageError for a file that is no statement: not UTF-8, no column for reference, status or amount, no lines, or a line that is ambiguous.
 * A comparison with half a statement would report that all is well.
 */
export function readStatement(text: string): StatementRow[] {
  // UTF-16 read as UTF-8: its byte order mark becomes U+FFFD and its letters contain NUL. Binary spreadsheet files have these too.
  if (text.startsWith('\uFFFD') || text.includes('\0'))
    throw new UsageError('The statement is not UTF-8 text (UTF-16, or no CSV at all): save it as UTF-8 CSV.')
  const rows = parseCsv(text.replace(/^\uFEFF/, ''))
  if (rows.length === 0) throw new UsageError('The statement is empty.')
  const header = rows[0]?.cells.map((cell) => cell.toLowerCase().replaceAll(/[^a-z0-9]/g, '')) ?? []
  const column = (names: readonly string[]): number =>
    names.map((name) => header.indexOf(name)).find((index) => index >= 0) ?? -1
  const at = {
    reference: column(COLUMNS.reference),
    transactionId: column(COLUMNS.transactionId),
    amount: column(COLUMNS.amount),
    currency: column(COLUMNS.currency),
    status: column(COLUMNS.status),
    date: column(COLUMNS.date),
  }
  if (at.reference < 0)
    throw new UsageError(
      `The statement has no column for the reference; known names are ${COLUMNS.reference.join(', ')}. The header must be the first line: remove what is above it.`,
    )
  if (at.status < 0)
    throw new UsageError(`The statement has no column for the status; known names are ${COLUMNS.status.join(', ')}.`)
  // Also when it is called "Amount (KES)": without amounts, any wrong sum would agree.
  if (at.amount < 0)
    throw new UsageError(`The statement has no column for the amount; known names are ${COLUMNS.amount.join(', ')}.`)
  const read = rows.slice(1).flatMap(({ cells, line }): StatementRow[] => {
    const refused = (what: string, value: string, why: string): UsageError =>
      new UsageError(`Line ${line}: the ${what} ${JSON.stringify(value.slice(0, 60))} ${why}.`)
    const cell = (index: number): string => (index < 0 ? '' : (cells[index] ?? '').trim())
    const reference = cell(at.reference)
    const word = cell(at.status)
    const day = cell(at.date)
    if (reference === '' && word === '' && cell(at.transactionId) === '') {
      // A line of totals at the end has no date; a line with a date may be money received.
      if (day === '') return []
      throw refused('date', day, 'stands without a status, a reference and a transaction id; totals have no date')
    }
    const status = STATUSES.get(word.toLowerCase().replaceAll(/[\s_-]/g, ''))
    if (status === undefined) throw refused('status', word, `is not one of ${[...STATUSES.keys()].join(', ')}`)
    // Without a reference there is nothing to compare, but money received or reversed must be reported.
    if (reference === '' && status !== 'SUCCESS' && status !== 'REVERSED') return []
    const written = cell(at.amount)
    const amount = written === '' ? undefined : readAmount(written)
    if (written !== '' && amount === undefined) throw refused('amount', written, 'cannot be read without doubt')
    const date = day === '' ? undefined : readDate(day)
    if (day !== '' && date === undefined)
      throw refused('date', day, 'cannot be read without doubt; write dates year first, as 2026-03-31')
    const transactionId = cell(at.transactionId)
    const before = CurrencyCode.safeParse(PREFIX.exec(written)?.[0].toUpperCase())
    const currency = cell(at.currency).toUpperCase() || (before.data ?? '')
    return [
      {
        line,
        reference,
        status,
        ...(transactionId === '' ? {} : { transactionId }),
        ...(amount === undefined ? {} : { amount }),
        ...(currency === '' ? {} : { currency }),
        ...(date === undefined ? {} : { at: { from: date, to: day.includes(':') ? date : date + DAY_MS - 1 } }),
      },
    ]
  })
  if (read.length === 0) throw new UsageError('The statement has no payment below its header: was the export cut off?')
  return read
}

/** A currency code such as `KES`, used if there is no currency column, or a word such as `Ksh`. */
const PREFIX = /^[A-Za-z]{3}/

/** `2500`, `2,500`, `2,500.00`, `2 500.00` and `KES 2500` become `2500`. `2,5` and `2.500` are ambiguous: undefined. */
export function readAmount(text: string): string | undefined {
  const plain = text.replace(PREFIX, '').replaceAll(/[\s\u00A0\u202F]/g, '')
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain)) return undefined
  if (/^\d{1,3}\.\d{3}$/.test(plain)) return undefined
  const [whole = '', fraction = ''] = plain.replaceAll(',', '').split('.')
  const rest = fraction.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`
}

/** Parses dates with the year first (ISO), 24-hour or with a marker as in FACTS.md "date"; UTC unless an offset is given. Otherwise undefined. */
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

/**
 * RFC 4180 with comma, semicolon or tab: as a first line `sep=;` says (Excel writes it), else whichever is most frequent in the header. Lines may
 * end with CR, LF or both.
 */
export function parseCsv(written: string): { cells: string[]; line: number }[] {
  const lines = written.replaceAll(/\r\n?/g, '\n')
  const said = /^"?sep=([,;\t])"?\n/i.exec(lines)
  const text = lines.slice(said?.[0].length ?? 0)
  const head = text.split('\n', 1)[0] ?? ''
  const comma = said?.[1] ?? [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!
  const rows: { cells: string[]; line: number }[] = []
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let line = said === null ? 1 : 2
  let startedAt = line
  const endRow = (): void => {
    cells.push(cell)
    if (cells.some((content) => content.trim() !== '')) rows.push({ cells, line: startedAt })
    cells = []
    cell = ''
    startedAt = line + 1
  }
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text[i + 1] === '"') cell += text[++i]
      else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === comma) {
      cells.push(cell)
      cell = ''
    } else if (sign === '\n') endRow()
    else cell += sign
    if (sign === '\n') line++
  }
  if (quoted) throw new UsageError('The statement ends inside quotes: it was cut off.')
  endRow()
  return rows
}
