// Reads a statement of the service's portal: CSV as spreadsheets write it, columns found by their names, nothing guessed about money.
import { UsageError } from './io.ts'

export interface StatementRow {
  /** Line in the file, the header being 1. */
  readonly line: number
  readonly reference: string
  readonly transactionId?: string
  /** Exact decimal text without separators. */
  readonly amount?: string
  readonly currency?: string
  readonly status: 'SUCCESS' | 'FAILED' | 'OTHER'
  readonly at?: number
}

/** Names of a column, compared without case, spaces and signs. The first that is there is taken. */
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

const SUCCESS = new Set(['success', 'successful', 'succeeded', 'completed', 'complete', 'paid'])
const FAILED = new Set(['failed', 'failure', 'cancelled', 'canceled', 'expired', 'rejected', 'declined', 'reversed'])

/** @throws UsageError for a file that is no statement: without a reference column, or with a row that cannot be read. */
export function readStatement(text: string): StatementRow[] {
  const rows = parseCsv(text.replace(/^\uFEFF/, ''))
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
      `The statement has no column for the reference; known names are ${COLUMNS.reference.join(', ')}.`,
    )
  if (at.status < 0)
    throw new UsageError(`The statement has no column for the status; known names are ${COLUMNS.status.join(', ')}.`)
  return rows.slice(1).flatMap(({ cells, line }): StatementRow[] => {
    const cell = (index: number): string => (index < 0 ? '' : (cells[index] ?? '').trim())
    const reference = cell(at.reference)
    if (reference === '') return []
    const written = cell(at.amount)
    const amount = written === '' ? undefined : readAmount(written)
    if (written !== '' && amount === undefined)
      throw new UsageError(`Line ${line}: the amount cannot be read without doubt.`)
    const status = cell(at.status).toLowerCase()
    const date = readDate(cell(at.date))
    const transactionId = cell(at.transactionId)
    const currency = cell(at.currency).toUpperCase()
    return [
      {
        line,
        reference,
        status: SUCCESS.has(status) ? 'SUCCESS' : FAILED.has(status) ? 'FAILED' : 'OTHER',
        ...(transactionId === '' ? {} : { transactionId }),
        ...(amount === undefined ? {} : { amount }),
        ...(currency === '' ? {} : { currency }),
        ...(date === undefined ? {} : { at: date }),
      },
    ]
  })
}

/** `2500`, `2,500`, `2,500.00`, `2 500.00`: to `2500`. `2,5` could be either and is not read. */
export function readAmount(text: string): string | undefined {
  const plain = text.replaceAll(/[\s\u00A0\u202F]/g, '').replace(/^[A-Za-z]{3}/, '')
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain)) return undefined
  const [whole = '', fraction = ''] = plain.replaceAll(',', '').split('.')
  const rest = fraction.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`
}

/** Year first (ISO), with a 24-hour clock or a marker as in FACTS.md "date"; UTC unless it says otherwise. Others are left out. */
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
  return Number.isNaN(at) ? undefined : at
}

/** RFC 4180 with comma, semicolon or tab, whichever the header has most of. */
export function parseCsv(text: string): { cells: string[]; line: number }[] {
  const head = text.split(/\r?\n/, 1)[0] ?? ''
  const comma = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!
  const rows: { cells: string[]; line: number }[] = []
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let line = 1
  let startedAt = 1
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
    else if (sign !== '\r') cell += sign
    if (sign === '\n') line++
  }
  if (quoted) throw new UsageError('The statement ends inside quotes: it was cut off.')
  endRow()
  return rows
}
