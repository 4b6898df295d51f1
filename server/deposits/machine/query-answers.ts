// What becomes of a deposit by a status query of our own: by each answer of the service, by none,
// and where there is no query path (money rules 3 to 5).
import type { Context, Transition, Input } from './transition.ts'
import { firstAsk, hasPlace, later, move, withoutReview } from './transition.ts'
import type { Deposit, ReviewReason } from './deposit.ts'
import { isAbsorbing, isInDoubt, isSoftEnd, waitsForPerson, yieldsToSuccess } from './phases.ts'
import { addressLost, fail, orderPaid, review, succeed } from './endings.ts'
import { ASKS_AFTER_CALLBACK, ASKS_AFTER_UNKNOWN, LONGEST_ASKING_MS, UNANSWERED_AFTER_END_MS } from './schedule.ts'

/** Money rule 3: how long the query path may be missing before the deposit goes to review. */
const QUERY_MISSING_LIMIT_MS = 15 * 60 * 1000

/** How long a callback may have said "paid" without our query agreeing, until a person is told. */
const UNCONFIRMED_LIMIT_MS = 15 * 60 * 1000

/** Past the 30 days the last query must be answered: this often it is retried until it is. */
const LAST_WORD_EVERY_MS = 3_600_000

/**
 * Past the 30 days of asking (money rule 5): a non-final answer must now end the asking, because
 * nothing would query again.
 */
const isPastAsking = (deposit: Deposit, { trustedNow }: Context) => trustedNow - deposit.createdAt > LONGEST_ASKING_MS

export function answered(deposit: Deposit, input: Extract<Input, { kind: 'answered' }>, context: Context): Transition {
  if (input.reference !== deposit.reference) return contradicted(deposit, 'query_reference', context)
  // An empty one says nothing.
  const transactionId = input.transactionId || undefined
  if (transactionId !== undefined && deposit.transactionId !== undefined && transactionId !== deposit.transactionId)
    return contradicted(deposit, 'transaction_mismatch', context)
  const { queryMissingSince: _, ...rest } = deposit
  const known: Deposit = transactionId === undefined ? rest : { ...rest, transactionId }
  // What is credited is our amount, so a success of another one proves nothing. Its transaction is
  // kept: a person looks for it in the portal.
  if (input.otherSum !== undefined && input.status === 'SUCCESS')
    return naming(input.otherSum, contradicted(known, 'query_amount', context))
  // The service itself signed another sum, so only an answer that names ours proves that ours was
  // paid.
  if (input.status === 'SUCCESS' && known.disputedSum && input.sameSum !== true)
    return contradicted(known, 'callback_sum', context)
  if (waitsForPerson(deposit)) return later(known, context)
  switch (input.status) {
    case 'SUCCESS':
      return succeed(known, input.description ?? '', { kind: 'query_success' }, context)
    case 'FAILED':
      return isSoftEnd(deposit.phase)
        ? stillEnded(known, context)
        : fail(known, input.description ?? '', { kind: 'query_failed' }, context)
    case 'PENDING':
      return pending(known, context)
  }
}

/**
 * A review that only waits for the query path would go on by itself, so nobody looks at it: it
 * becomes one that a person ends.
 */
function contradicted(deposit: Deposit, reason: ReviewReason, context: Context): Transition {
  const waits = deposit.phase === 'review' && deposit.reviewReason === 'query_missing'
  return review(waits ? { ...withoutReview(deposit), phase: 'confirming' } : deposit, reason, context)
}

/** Whoever decides, or pays back, needs the sum that the service named. */
function naming(otherSum: string, transition: Transition): Transition {
  const { deposit, timeline } = transition
  const detail = `${otherSum} instead of ${deposit.currency} ${deposit.amount}`
  return timeline.length === 0 ? transition : { ...transition, timeline: [{ kind: 'query_sum', detail }, ...timeline] }
}

function pending(deposit: Deposit, context: Context): Transition {
  const { now } = context
  switch (deposit.phase) {
    case 'creating':
    case 'unknown':
      return addressLost(deposit, 'address_lost', context)
    case 'confirming':
      // A callback came for it, so a person must judge why the service still says PENDING.
      if (isPastAsking(deposit, context)) return review(deposit, 'pending_after_30_days', context)
      // Only queries without an answer get here with none of the quick ones left: the service may
      // lag behind its callback still.
      if (deposit.asks >= ASKS_AFTER_CALLBACK) return later({ ...deposit, asks: 0 }, context)
      if (deposit.asks + 1 < ASKS_AFTER_CALLBACK) return later(deposit, context)
      if (deposit.checkoutUrl === undefined) return addressLost(deposit, 'address_lost', context)
      return move(
        deposit,
        { phase: 'open', asks: 0, ...firstAsk(deposit, 'open', context) },
        hasPlace(deposit) ? [{ kind: 'still_pending' }] : [],
        context,
      )
    case 'review':
      return deposit.checkoutUrl === undefined || isPastAsking(deposit, context)
        ? later(deposit, context)
        : move(
            withoutReview(deposit),
            { phase: 'open', asks: 0, ...firstAsk(deposit, 'open', context) },
            [{ kind: 'query_back' }],
            context,
          )
    case 'open':
      if (context.paidElsewhere) return orderPaid(deposit, context)
      if (isPastAsking(deposit, context))
        return move(deposit, { phase: 'abandoned' }, [{ kind: 'asked_for_30_days' }], context, { stop: true })
      if (now >= deposit.expiresAt && !deposit.overdue)
        return move(
          deposit,
          { overdue: true, asks: deposit.asks + 1, ...firstAsk(deposit, 'open', context) },
          [{ kind: 'overdue' }],
          context,
        )
      return later(deposit, context)
    default:
      return stillEnded(deposit, context)
  }
}

/**
 * Ended or given up, and the answer is no success. If a callback has called it paid, a person hears
 * of that before nothing queries any more.
 */
function stillEnded(deposit: Deposit, context: Context): Transition {
  const next = later(deposit, context)
  return next.deposit.dueAt === undefined && deposit.reportedCode === '0'
    ? review(deposit, 'pending_after_30_days', context)
    : next
}

/**
 * Since when queries are denied. A time that lies ahead counts as now: the clock was set back
 * since.
 */
const sinceOf = ({ queryMissingSince: since = Infinity }: Deposit, { now }: Context): number => Math.min(since, now)

/**
 * The last of the quick queries after a callback is for an answer: by age alone the next one could
 * be days away.
 */
function laterUnanswered(deposit: Deposit, context: Context, retryAfterMs = 0): Transition {
  const next = later(deposit, context, retryAfterMs)
  if (!yieldsToSuccess(deposit.phase)) return next
  const asks = Math.min(next.deposit.asks, Math.max(deposit.asks, ASKS_AFTER_CALLBACK - 1))
  return { ...next, deposit: { ...next.deposit, asks } }
}

/**
 * The service does not know the deposit, or has no query path: keeps since when, and asks at least
 * every minute, so that the 15 minutes end on time.
 */
function deniedSince(deposit: Deposit, since: number, context: Context): Transition {
  const next = laterUnanswered({ ...deposit, queryMissingSince: since }, context)
  return {
    ...next,
    deposit: { ...next.deposit, dueAt: Math.min(next.deposit.dueAt ?? Infinity, context.now + 60_000) },
  }
}

export function notFound(before: Deposit, context: Context): Transition {
  // An answer in the service's envelope proves that the query path is there.
  const { queryMissingSince: _, ...deposit } = before
  const since = sinceOf(before, context)
  switch (deposit.phase) {
    case 'creating':
    case 'unknown':
      if (deposit.asks < ASKS_AFTER_UNKNOWN && !isPastAsking(deposit, context)) return later(deposit, context)
      return addressLost(deposit, 'never_arrived', context)
    case 'open':
    case 'confirming':
      // The service created it and now denies it: only a person can tell. One answer is not enough,
      // because this review ends only by a person, and a service in trouble may find a minute later
      // what it does not find now.
      return context.now - since >= QUERY_MISSING_LIMIT_MS
        ? review(deposit, 'query_not_found', context)
        : deniedSince(deposit, since, context)
    default:
      return stillEnded(deposit, context)
  }
}

export function queryMissing(deposit: Deposit, context: Context): Transition {
  const since = sinceOf(deposit, context)
  const waiting = deposit.phase === 'open' || isInDoubt(deposit.phase)
  if (waiting && context.now - since >= QUERY_MISSING_LIMIT_MS) return review(deposit, 'query_missing', context)
  return deniedSince(deposit, since, context)
}

/**
 * Without a status query, a payment is pending until its callback arrives. Ended payments, and
 * those older than 30 days, need no answer.
 */
export function noQuery(deposit: Deposit, context: Context): Transition {
  return deposit.phase === 'open' ? pending(deposit, context) : later(deposit, context)
}

/**
 * The query got no answer. A soft end is retried soon, so that a long outage cannot cost it a late
 * success; anything else is not given up after 30 days without a last answer, nor is a soft end
 * that a callback has called paid.
 */
export function unanswered(deposit: Deposit, context: Context, retryAfterMs = 0): Transition {
  const next = laterUnanswered(deposit, context, retryAfterMs)
  const isPast = isPastAsking(deposit, context)
  const isSoft = isSoftEnd(deposit.phase)
  // The normal schedule holds within 30 days for what has not ended, and past them for a soft end
  // (which is queried again only after a callback).
  if (isSoft ? isPast && deposit.reportedCode !== '0' : !isPast) return next
  const wait = isPast ? LAST_WORD_EVERY_MS : UNANSWERED_AFTER_END_MS
  return { ...next, deposit: { ...next.deposit, dueAt: context.now + Math.max(wait, retryAfterMs) } }
}

/**
 * A callback has said that it is paid, and this query did not agree either. After 15 minutes a
 * person is told, once; until then the next query is due at the latest when they end.
 */
export function untilAgreed(transition: Transition, { now }: Context): Transition {
  const { deposit, timeline, alert } = transition
  if (deposit.saidPaidAt === undefined || deposit.toldUnconfirmed) return transition
  if (isAbsorbing(deposit.phase) || waitsForPerson(deposit) || alert !== undefined) return transition
  // A time that lies ahead counts as now: the clock was set back since.
  const saidPaidAt = Math.min(deposit.saidPaidAt, now)
  const limit = saidPaidAt + UNCONFIRMED_LIMIT_MS
  if (now < limit)
    return { ...transition, deposit: { ...deposit, saidPaidAt, dueAt: Math.min(deposit.dueAt ?? Infinity, limit) } }
  return {
    ...transition,
    deposit: { ...deposit, toldUnconfirmed: true },
    timeline: [...timeline, { kind: 'unconfirmed', detail: 'A callback said paid; no status query has confirmed it.' }],
    alert: 'callback_unconfirmed',
  }
}
