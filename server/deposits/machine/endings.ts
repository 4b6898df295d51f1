// The ends of a deposit, and the review that waits for a person: row, timeline entry and notice of
// each. Money rules 3, 4, 5 and 7.
import type { Context, Transition } from './transition.ts'
import { firstAsk, later, move, recurring, withoutReview } from './transition.ts'
import type { Deposit, ReviewReason } from './deposit.ts'
import { isLive, yieldsToSuccess } from './phases.ts'
import { CREATE_SETTLES_AFTER_MS } from './schedule.ts'

/** The timeline entry that an end writes. */
type Entry = Transition['timeline'][number]

/**
 * Money rule 4: `late` after an end that yields to a success, `duplicate` when another attempt is
 * paid already.
 */
export function succeed(deposit: Deposit, description: string, entry: Entry, context: Context): Transition {
  const duplicate = context.paidElsewhere
  const moved = move(
    withoutReview(deposit),
    {
      phase: 'succeeded',
      settledAt: context.now,
      late: yieldsToSuccess(deposit.phase),
      duplicate,
      overdue: false,
      resultCode: 'success',
      resultDescription: description,
    },
    [entry],
    context,
    { stop: true },
  )
  return { ...moved, notice: duplicate ? 'payment.duplicate' : 'payment.succeeded' }
}

/**
 * `expired` is entered only when the service itself says FAILED after the 15 minutes (money rule
 * 5).
 */
export function fail(deposit: Deposit, description: string, entry: Entry, context: Context): Transition {
  const reported = deposit.reportedCode !== undefined && deposit.reportedCode !== '0' ? deposit.reportedCode : undefined
  const expired = context.now >= deposit.expiresAt && (reported === undefined || reported === '1037')
  return end(
    deposit,
    expired ? 'expired' : 'failed',
    { code: reported ?? (expired ? 'expired' : 'failed'), description },
    entry,
    context,
  )
}

/**
 * An end without payment. Only `rejected` is final: the others are still queried, for a late
 * success.
 */
export function end(
  deposit: Deposit,
  phase: 'failed' | 'expired' | 'rejected',
  result: { code: string; description: string },
  entry: Entry,
  context: Context,
): Transition {
  const moved = move(
    withoutReview(deposit),
    {
      phase,
      settledAt: context.now,
      overdue: false,
      resultCode: result.code,
      resultDescription: result.description,
      asks: 0,
      ...firstAsk(deposit, phase, context),
    },
    [entry],
    context,
    { stop: phase === 'rejected' },
  )
  return { ...moved, notice: phase === 'expired' ? 'payment.expired' : 'payment.failed' }
}

/**
 * Money rule 7: entered only from our own evidence. An attempt that is no longer live occupies no
 * session: it raises an alert instead.
 */
export function review(deposit: Deposit, reason: ReviewReason, context: Context): Transition {
  if (deposit.phase === 'review') return later(deposit, context)
  if (!isLive(deposit.phase)) {
    const { deposit: counted, timeline } = recurring(deposit, { kind: 'contradiction', detail: reason })
    return {
      ...later(counted, context),
      timeline,
      alert: `review:${reason}`,
    }
  }
  const moved = move(
    deposit,
    { phase: 'review', reviewReason: reason, asks: 0, ...firstAsk(deposit, 'review', context) },
    [{ kind: 'review', detail: reason }],
    context,
  )
  return { ...moved, notice: 'payment.review', alert: `review:${reason}` }
}

/**
 * Another attempt for the same order has succeeded late: a customer still sent to an agent would
 * pay twice (money rule 4).
 */
export function orderPaid(deposit: Deposit, context: Context): Transition {
  return move(
    deposit,
    { phase: 'abandoned', asks: 0, resultCode: 'order_paid', ...firstAsk(deposit, 'abandoned', context) },
    [{ kind: 'order_paid', detail: 'Another payment for this order has succeeded.' }],
    context,
  )
}

const losses = {
  address_lost: 'Created at the service, but its address never reached us.',
  never_arrived: 'The service does not know the reference.',
}

/**
 * Money rule 1: nobody ever received the checkout address, so nobody can pay there; the customer
 * may start again at once.
 */
export function addressLost(deposit: Deposit, kind: keyof typeof losses, context: Context): Transition {
  // The create answer may still be under way: a callback can overtake it, and so can a customer who
  // keeps pressing Check now. One that lies ahead by as much is as old: the clock was set back
  // since.
  if (Math.abs(context.now - deposit.createdAt) < CREATE_SETTLES_AFTER_MS && deposit.phase !== 'unknown')
    return later(deposit, context)
  return move(
    deposit,
    { phase: 'abandoned', asks: 0, resultCode: 'address_lost', ...firstAsk(deposit, 'abandoned', context) },
    [{ kind, detail: losses[kind] }],
    context,
  )
}
