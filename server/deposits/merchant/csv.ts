// Tables as CSV (RFC 4180), for programs and for the merchant's spreadsheet, in which nothing that
// a customer typed becomes a formula.
import type { PaymentView } from '../../contract/index.ts'
import type { Days } from './days.ts'

type Cell = string | number | boolean | undefined

/** The name of a column, what stands in it, and whether that is a time. */
export type Column<Row> = readonly [name: string, read: (row: Row) => Cell, isTime?: 'time']

export interface Table<Row> {
  /** The names of the columns. */
  readonly header: string
  readonly lineOf: (row: Row) => string
}

/** By this a spreadsheet knows UTF-8. A program would read it as part of the first name. */
const MARK = '\ufeff'

/**
 * @param days for a spreadsheet: behind each time, which is one of UTC, stands the same in the zone
 *   of the shop. Undefined for a program.
 */
export function tableOf<Row>(columns: readonly Column<Row>[], days: Days | undefined): Table<Row> {
  if (days === undefined)
    return {
      header: csvRow(columns.map(([name]) => name)),
      lineOf: (row) => csvRow(columns.map(([, read]) => read(row))),
    }
  const clock = (time: Cell): Cell => (typeof time === 'string' ? days.clockOf(Date.parse(time)) : time)
  const all = columns.flatMap((column): readonly Column<Row>[] => {
    const [name, read, isTime] = column
    return isTime === undefined ? [column] : [column, [`${name} (${days.timeZone})`, (row) => clock(read(row))]]
  })
  const { header, lineOf } = tableOf(all, undefined)
  return { header: MARK + header, lineOf }
}

export const paymentColumns: readonly Column<PaymentView>[] = [
  ['id', (p) => p.id],
  ['reference', (p) => p.reference],
  ['transaction_id', (p) => p.transactionId],
  ['mode', (p) => p.mode],
  ['created_at', (p) => p.createdAt, 'time'],
  ['settled_at', (p) => p.settledAt, 'time'],
  ['status', (p) => p.status],
  ['phase', (p) => p.phase],
  ['amount', (p) => p.amount],
  ['currency', (p) => p.currency],
  ['country', (p) => p.country],
  ['bank_code', (p) => p.bank?.code],
  ['bank_name', (p) => p.bank?.name],
  ['payer_name', (p) => p.payer?.name],
  ['payer_phone', (p) => p.payer?.phone],
  ['payer_email', (p) => p.payer?.email],
  ['session_id', (p) => p.sessionId],
  ['order_id', (p) => p.orderId],
  ['client_reference', (p) => p.clientReference],
  ['description', (p) => p.description],
  ['result_code', (p) => p.result?.code],
  ['result_description', (p) => p.result?.description],
  ['late', (p) => p.late],
  ['duplicate', (p) => p.duplicate],
]

function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/**
 * Puts an apostrophe before what a spreadsheet would read as a formula: at the start of a cell, and
 * after semicolons, tabs and line breaks, because a French or Portuguese spreadsheet splits at
 * semicolons even inside quotes. Also where a quote stands between: doubled, it is an empty text in
 * quotes to such a spreadsheet, and the formula behind it starts the cell.
 */
function csvCell(value: Cell): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const safe = value.replace(/(^|[;\t\r\n])(?=["\s]*[=+\-@|%＝＋－＠]|[\t\r])/g, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
