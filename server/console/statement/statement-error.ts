// Why a statement is not compared, as a code with its values, and in English for the person who has
// the file.
import { withValues } from './facts.ts'

/** The codes are stable: by them a client says it in its own language. */
export const refusals = {
  not_utf8: 'The statement is not UTF-8 text (UTF-16, or no CSV at all): save it as UTF-8 CSV.',
  empty: 'The statement is empty.',
  cut_off: 'The statement ends inside quotes: it was cut off.',
  no_payments: 'The statement has no payment below its header: was the export cut off?',
  two_columns: 'The statement has two columns {value}: remove one or rename it.',
  no_reference_column:
    'The statement has no column for the reference; known names are {names}. ' +
    'The header must be the first line: remove what is above it.',
  no_status_column: 'The statement has no column for the status; known names are {names}.',
  no_amount_column: 'The statement has no column for the amount; known names are {names}.',
  text_beside_quotes:
    'Line {line}: text stands beside the quotes around a cell; a quote within a cell is written ' +
    'twice, and the cell in quotes.',
  too_many_cells:
    'Line {line} has more cells than the header: put a text or an amount that contains the separator in quotes.',
  open_quote: 'A cell of line {line} contains the lines below it: a quote is opened there and not closed.',
  date_alone:
    'Line {line}: the date {value} stands without a status, a reference and a transaction id; totals have no date.',
  no_status: 'Line {line}: the status {value} is empty: if it is a line of totals, remove it from the file.',
  unknown_status: 'Line {line}: the status {value} is not one of {names}.',
  unclear_amount: 'Line {line}: the amount {value} cannot be read without doubt; write it as 2500 or 2500.00.',
  unclear_date: 'Line {line}: the date {value} cannot be read without doubt; write dates year first, as 2026-03-31.',
  two_currencies: 'Line {line}: the amount {value} is not in {currency}, its currency.',
  no_dates: 'No line of the statement has a date, so its days are not known, nor what it lacks: give {days}.',
  no_date: 'Line {line} has no date, so its days are not known, nor what it lacks: give {days}.',
  days_backwards: 'The dates end before they begin: look at {days}.',
  too_many_differences:
    'More than {most} differences: is it a statement of this companion? Compare fewer days, or use reconcile.',
} as const

export type RefusalCode = keyof typeof refusals

export class StatementError extends Error {
  override readonly name = 'StatementError'
  readonly code: RefusalCode
  /** Texts of the statement, numbers of lines, and names of columns or options. */
  readonly values: Readonly<Record<string, string>>

  constructor(code: RefusalCode, values: Readonly<Record<string, string>> = {}) {
    super(withValues(refusals[code], values))
    this.code = code
    this.values = values
  }
}
