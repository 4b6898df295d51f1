// Money owed back: payments that came twice or with another amount, until a person says that it was
// paid back.
import type { NewPaidBack, Owed, OwedList, OwedQuery, OwedTableQuery } from '../contract/index.ts'
import type { Actor, Acts } from '../deposits/merchant/acts.ts'
import { type Column, tableOf } from '../deposits/merchant/csv.ts'
import type { Days } from '../deposits/merchant/days.ts'
import { toPaidBack } from '../deposits/merchant/desk-views.ts'
import type { Payments } from '../deposits/merchant/payments.ts'
import type { DeskStore, Position } from '../deposits/ports/desk-store.ts'
import { toPayment } from '../deposits/view.ts'
import { CompanionError } from '../platform/errors.ts'
import { pageOf, readCursor, tableInPages } from './cursors.ts'

const PAGE = 500
type Row = Awaited<ReturnType<DeskStore['owed']>>[number]

const positionOf = ({ deposit }: Row): Position => ({ at: deposit.createdAt, id: deposit.id })

const toOwed = ({ deposit, kind, paidBack }: Row): Owed => ({
  payment: toPayment(deposit),
  kind,
  ...(paidBack === undefined ? {} : { paidBack: toPaidBack(paidBack) }),
})

const columns: readonly Column<Owed>[] = [
  ['id', ({ payment }) => payment.id],
  ['reference', ({ payment }) => payment.reference],
  ['transaction_id', ({ payment }) => payment.transactionId],
  ['order_id', ({ payment }) => payment.orderId],
  ['created_at', ({ payment }) => payment.createdAt, 'time'],
  ['kind', ({ kind }) => kind],
  ['amount', ({ payment }) => payment.amount],
  ['currency', ({ payment }) => payment.currency],
  ['payer_name', ({ payment }) => payment.payer?.name],
  ['payer_phone', ({ payment }) => payment.payer?.phone],
  ['paid_back_on', ({ paidBack }) => paidBack?.on],
  ['paid_back_amount', ({ paidBack }) => paidBack?.amount],
  ['paid_back_how', ({ paidBack }) => paidBack?.how],
  ['paid_back_by', ({ paidBack }) => paidBack?.by],
]

export interface OwedBack {
  list(query: OwedQuery): Promise<OwedList>
  csv(query: OwedTableQuery): AsyncGenerator<string, void>
  /** Throws `not_found`, `not_owed`, `already_paid_back`. */
  payBack(id: string, given: NewPaidBack, actor: Actor, key?: string): Promise<Owed>
}

export function createOwedBack(parts: {
  readonly desk: DeskStore
  readonly acts: Acts
  readonly payments: Pick<Payments, 'find'>
  readonly days: Days
  readonly now: () => number
}): OwedBack {
  const { desk, acts, payments, days, now } = parts
  return {
    async list({ state, cursor, limit }) {
      const filter = { limit: limit + 1, isPaidBack: state === 'paid_back', after: readCursor(cursor) }
      const { page, next } = pageOf(await desk.owed(filter), limit, positionOf)
      return { owed: page.map(toOwed), ...next }
    },
    csv({ state, format }) {
      const { header, lineOf } = tableOf(columns, format && days)
      return tableInPages(
        { header, lineOf: (row) => lineOf(toOwed(row)) },
        (after) => desk.owed({ limit: PAGE, isPaidBack: state === 'paid_back', after }),
        positionOf,
      )
    },
    async payBack(id, { on, amount, how, why }, actor, key) {
      const deposit = await payments.find(id)
      if (on > days.dayOf(now()))
        throw new CompanionError('invalid_request', {
          detail: 'The day is in the future.',
          issues: [{ path: 'on', code: 'too_big', message: 'Write the day on which it was paid back.' }],
        })
      if (on < days.dayOf(deposit.createdAt))
        throw new CompanionError('invalid_request', {
          detail: 'The day is before the payment.',
          issues: [{ path: 'on', code: 'too_small', message: 'Write the day on which it was paid back.' }],
        })
      const detail = `${amount} ${deposit.currency} on ${on}: ${how}`
      const work = async (): Promise<Owed> => {
        if (deposit.phase === 'review')
          throw new CompanionError('not_owed', { detail: 'Decide its review first: it may still be paid as ordered.' })
        const kind = await desk.owedFor(deposit.id)
        if (kind === undefined)
          throw new CompanionError('not_owed', { detail: 'It came neither twice nor with another amount.' })
        if (kind === 'duplicate' && amount > deposit.amount)
          throw new CompanionError('invalid_request', {
            detail: 'More was written down than was paid.',
            issues: [{ path: 'amount', code: 'too_big', message: `Write at most ${deposit.amount}: that was paid.` }],
          })
        const row = { depositId: deposit.id, onDay: on, amount, how, name: actor.name, at: now() }
        if (!(await desk.payBack(row)))
          throw new CompanionError('already_paid_back', { detail: 'Somebody has marked it before: look at it again.' })
        return toOwed({ deposit, kind, paidBack: row })
      }
      return acts.record(actor, { act: 'paid_back', depositId: deposit.id, why, detail, key }, work, {
        async repeat() {
          const [paidBack, kind] = await Promise.all([desk.paidBack(deposit.id), desk.owedFor(deposit.id)])
          const isOurs = paidBack?.name === actor.name && paidBack.onDay === on && paidBack.amount === amount
          return kind !== undefined && isOurs && paidBack.how === how ? toOwed({ deposit, kind, paidBack }) : undefined
        },
      })
    },
  }
}
