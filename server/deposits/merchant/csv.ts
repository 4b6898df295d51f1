// Payments as CSV (RFC 4180), for the merchant's spreadsheet: one line each, in which nothing that
// a customer typed becomes a formula.
import type { PaymentView } from '../../contract/index.ts'

const columns: readonly (readonly [string, (payment: PaymentView) => string | number | boolean | undefined])[] = [
  ['id', (p) => p.id],
  ['reference', (p) => p.reference],
  ['transaction_id', (p) => p.transactionId],
  ['mode', (p) => p.mode],
  ['created_at', (p) => p.createdAt],
  ['settled_at', (p) => p.settledAt],
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

/** The names of the columns. */
export const csvHeader = `${columns.map(([name]) => name).join(',')}\r\n`

export function csvLine(payment: PaymentView): string {
  return csvRow(columns.map(([, read]) => read(payment)))
}

/** One line of a table. */
export function csvRow(cells: readonly (string | number | boolean | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/**
 * Puts an apostrophe before what a spreadsheet would read as a formula: at the start of a cell, and
 * after semicolons, tabs and line breaks, because a French or Portuguese spreadsheet splits at
 * semicolons even inside quotes. Also where a quote stands between: doubled, it is an empty text in
 * quotes to such a spreadsheet, and the formula behind it starts the cell.
 */
function csvCell(value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const safe = value.replace(/(^|[;\t\r\n])(?=["\s]*[=+\-@|%＝＋－＠]|[\t\r])/g, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
