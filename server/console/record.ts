// The record of acts, for those who answer for it, and the notes that people add to a payment.
import type { Act, ActList, ActQuery, ActTableQuery } from '../contract/index.ts'
import type { Actor, Acts } from '../deposits/merchant/acts.ts'
import { type Column, tableOf } from '../deposits/merchant/csv.ts'
import type { Days } from '../deposits/merchant/days.ts'
import { toAct } from '../deposits/merchant/desk-views.ts'
import type { Payments } from '../deposits/merchant/payments.ts'
import type { ActRow, DeskStore, Position } from '../deposits/ports/desk-store.ts'
import { CompanionError } from '../platform/errors.ts'
import { pageOf, readCursor, tableInPages } from './cursors.ts'

const PAGE = 500

const columns: readonly Column<Act>[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at, 'time'],
  ['by', ({ by }) => by],
  ['role', ({ role }) => role],
  ['act', ({ act }) => act],
  ['payment_id', ({ paymentId }) => paymentId],
  ['why', ({ why }) => why],
  ['detail', ({ detail }) => detail],
  ['result', ({ result }) => result],
]

export interface ActRecord {
  list(query: ActQuery): Promise<ActList>
  csv(query: ActTableQuery): AsyncGenerator<string, void>
  /**
   * Adds a note to a payment; with the same key the same one. Throws `not_found`.
   */
  note(id: string, text: string, actor: Actor, key?: string): Promise<Act>
}

const positionOf = ({ at, id }: ActRow): Position => ({ at, id })

export function createActRecord(parts: {
  readonly desk: DeskStore
  readonly acts: Acts
  readonly payments: Pick<Payments, 'find'>
  readonly days: Days
}): ActRecord {
  const { desk, acts, payments, days } = parts
  const filterOf = ({ by, fromDay, toDay }: Omit<ActQuery, 'cursor' | 'limit'>) => ({
    name: by,
    ...days.span(fromDay, toDay),
  })
  return {
    async list({ cursor, limit, ...query }) {
      const rows = await desk.acts({ ...filterOf(query), limit: limit + 1, after: readCursor(cursor) })
      const { page, next } = pageOf(rows, limit, positionOf)
      return { acts: page.map(toAct), ...next }
    },
    csv({ format, ...query }) {
      const { header, lineOf } = tableOf(columns, format && days)
      return tableInPages(
        { header, lineOf: (row) => lineOf(toAct(row)) },
        (after) => desk.acts({ ...filterOf(query), limit: PAGE, after }),
        positionOf,
      )
    },
    async note(id, text, actor, key) {
      const { id: depositId } = await payments.find(id)
      const act = await acts.note(actor, { act: 'note', depositId, why: text, key })
      if (act === undefined) throw new CompanionError('not_found', { detail: 'This store keeps no notes.' })
      return toAct(act)
    },
  }
}
