// The state machine of a deposit as one pure function: for each input, the new row, its timeline entries and its notice.
// CONTRIBUTING.md "The money rules"; nothing here reads a clock, a store or the network.
import type { Context, Transition, Input, Reported } from './transition.ts'
import { firstAsk, hasPlace, later, move, recurring, unmoved, withoutReview } from './transition.ts'
import type { Deposit, ReviewReason } from './deposit.ts'
import { isAbsorbing, isInDoubt, isMovedByCallback, isReplaceable, isSoftEnd, yieldsToSuccess } from './deposit.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { addressLost, end, fail, orderPaid, review, succeed } from './endings.ts'
import { ASKS_AFTER_CALLBACK, ASKS_AFTER_UNKNOWN, LONGEST_ASKING_MS, UNANSWERED_AFTER_END_MS } from './schedule.ts'

/** Money rule 3: how long the query path may be missing before the deposit goes to review. */
const QUERY_MISSING_LIMIT_MS = 15 * 60 * 1000

/** Who makes this move queries at once: the other companions leave the deposit alone meanwhile, and take it over if that process has died. */
const OWN_QUERY_MS = 2_000

/** How soon a callback that moves nothing makes us query again. */
const CALLBACK_QUERY_DELAY_MS = 10_000

/** Past the 30 days the last query must be answered: this often it is retried until it is. */
const LAST_WORD_EVERY_MS = 3_600_000

/** Result description of a review that a person decided. */
const DECIDED = 'Looked up by the shop.'

/** Past the 30 days of asking (money rule 5): a non-final answer must now end the asking, because nothing would query again. */
const isPastAsking = (deposit: Deposit, { trustedNow }: Context) => trustedNow - deposit.createdAt > LONGEST_ASKING_MS

/**
 * The outcome of the create is not known, and no query has returned a transaction for it. The process that made the call is the only one to
 * send this reference (money rule 1), so its outcome counts however late, even after others have given the call up.
 */
const isUnanswered = ({ phase, transactionId }: Deposit) =>
  (phase === 'creating' || phase === 'unknown') && transactionId === undefined

/** Only a person ends a review, except one that only waits for the query path to come back. */
const waitsForPerson = ({ phase, reviewReason }: Deposit) => phase === 'review' && reviewReason !== 'query_missing'

/** Applies `input` to `deposit`. Total: an input that does not fit the phase changes nothing. */
export function decide(deposit: Deposit, input: Input, context: Context): Transition {
  if (isAbsorbing(deposit.phase)) return unmoved(deposit)
  switch (input.kind) {
    case 'created':
      return created(deposit, input, context)
    case 'create-refused':
      return isUnanswered(deposit)
        ? end(deposit, 'rejected', { code: input.code, description: input.message }, { kind: 'refused' }, context)
        : unmoved(deposit)
    case 'create-not-processed':
      return isUnanswered(deposit)
        ? end(
            deposit,
            'rejected',
            {
              code: 'upstream_unavailable',
              description: 'The payment service could not be reached; nothing was created.',
            },
            { kind: 'not_processed' },
            context,
          )
        : unmoved(deposit)
    case 'create-unknown':
      return deposit.phase === 'creating'
        ? move(
            deposit,
            { phase: 'unknown', asks: 0, dueAt: context.now + OWN_QUERY_MS },
            [{ kind: 'create_unknown', detail: input.reason }],
            context,
          )
        : unmoved(deposit)
    case 'callback':
      return callbackReceived(deposit, input.reported, input.decides, context)
    case 'answered':
      return answered(deposit, input, context)
    case 'not-found':
      return notFound(deposit, context)
    case 'query-missing':
      return queryMissing(deposit, context)
    case 'query-failed':
      return unanswered(deposit, context, input.retryAfterMs)
    case 'no-query':
      return noQuery(deposit, context)
    case 'replaced':
      return isReplaceable(deposit.phase)
        ? move(
            deposit,
            { phase: 'abandoned', asks: 0, replacedBy: input.by, ...firstAsk(deposit, 'abandoned', context) },
            [{ kind: 'replaced', detail: 'The customer says that no money was sent.' }],
            context,
          )
        : unmoved(deposit)
    case 'order-paid':
      // One that is `confirming` may be paid as well: the query says so first.
      return isMovedByCallback(deposit.phase) ? orderPaid(deposit, context) : unmoved(deposit)
    case 'reviewed':
      return reviewed(deposit, input, context)
    case 'transaction-conflict':
      // Raises the alert even if it is already under review.
      return { ...review(deposit, 'transaction_conflict', context), alert: 'review:transaction_conflict' }
  }
}

function created(deposit: Deposit, input: Extract<Input, { kind: 'created' }>, context: Context): Transition {
  if (deposit.transactionId !== undefined && deposit.transactionId !== input.transactionId)
    return review(deposit, 'transaction_mismatch', context)
  if (!input.urlAllowed) {
    return review({ ...deposit, transactionId: input.transactionId }, 'redirect_origin', context)
  }
  const known = { transactionId: input.transactionId, checkoutUrl: input.checkoutUrl }
  switch (deposit.phase) {
    case 'creating':
    case 'unknown':
      // Nobody has the checkout address yet, and nobody must get it.
      if (context.paidElsewhere) return orderPaid({ ...deposit, transactionId: input.transactionId }, context)
      return move(
        deposit,
        { ...known, phase: 'open', asks: 0, ...firstAsk(deposit, 'open', context) },
        [{ kind: 'created' }],
        context,
      )
    case 'confirming':
      return move(deposit, known, [{ kind: 'created' }], context)
    default:
      // Ended or given up before the answer came: the checkout address is not handed out any more.
      return deposit.transactionId === undefined
        ? move(deposit, { transactionId: input.transactionId }, [{ kind: 'created_late' }], context)
        : unmoved(deposit)
  }
}

function callbackReceived(deposit: Deposit, reported: Reported, decides: boolean, context: Context): Transition {
  const heard = {
    ...deposit,
    reportedCode: reported.resultCode,
    ...(reported.fees === undefined ? {} : { reportedFees: reported.fees }),
    ...(reported.thirdPartyId === undefined ? {} : { reportedThirdPartyId: reported.thirdPartyId }),
  }
  if (decides && !waitsForPerson(deposit)) {
    if (reported.kind === 'success') {
      // The create may have been answered later than this, or never: then nothing else names the transaction.
      const { transactionId = reported.transactionId } = deposit
      const paid = { ...heard, ...withoutUndefined({ transactionId }) }
      return succeed(paid, reported.resultDescription, { kind: 'callback_decided' }, context)
    }
    if (isSoftEnd(deposit.phase)) return unmoved(deposit)
    return fail(heard, reported.resultDescription, { kind: 'callback_decided' }, context)
  }
  const moves = isMovedByCallback(deposit.phase)
  // A repeat adds no timeline entry: whoever holds one callback could fill the timeline.
  const isRepeat = !moves && deposit.reportedCode === reported.resultCode
  const { deposit: known, timeline } = isRepeat
    ? { deposit: heard, timeline: [] }
    : recurring(heard, { kind: 'callback', detail: `${reported.kind} ${reported.resultCode}` })
  if (moves) return move(known, { phase: 'confirming', asks: 0, dueAt: context.now + OWN_QUERY_MS }, timeline, context)
  // Nothing visible changes. The next query is stored together with the callback, or a crash after the 200 would lose it; it is delayed, or replays
  // of one callback would make us query endlessly. On a slow schedule the count of asks starts again: the next answer may have been under way when
  // the callback came, and the one after that would be minutes or hours away.
  const asks = !isRepeat && yieldsToSuccess(deposit.phase) ? 0 : deposit.asks
  return {
    deposit: { ...known, asks, dueAt: Math.min(deposit.dueAt ?? Infinity, context.now + CALLBACK_QUERY_DELAY_MS) },
    moved: false,
    timeline,
  }
}

function answered(deposit: Deposit, input: Extract<Input, { kind: 'answered' }>, context: Context): Transition {
  if (input.reference !== deposit.reference) return contradicted(deposit, 'query_reference', context)
  const transactionId =
    input.transactionId === undefined || input.transactionId === '' ? undefined : input.transactionId
  if (transactionId !== undefined && deposit.transactionId !== undefined && transactionId !== deposit.transactionId)
    return contradicted(deposit, 'transaction_mismatch', context)
  const { queryMissingSince: _, ...rest } = deposit
  const known: Deposit = transactionId === undefined ? rest : { ...rest, transactionId }
  // What is credited is our amount, so a success of another one proves nothing. Its transaction is kept: a person looks for it in the portal.
  if (input.otherSum === true && input.status === 'SUCCESS') return contradicted(known, 'query_amount', context)
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

/** A review that only waits for the query path would go on by itself, so nobody looks at it: it becomes one that a person ends. */
function contradicted(deposit: Deposit, reason: ReviewReason, context: Context): Transition {
  const waits = deposit.phase === 'review' && deposit.reviewReason === 'query_missing'
  return review(waits ? { ...withoutReview(deposit), phase: 'confirming' } : deposit, reason, context)
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
      // Only queries without an answer get here with none of the quick ones left: the service may lag behind its callback still.
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

/** Ended or given up, and the answer is no success. If a callback has called it paid, a person hears of that before nothing queries any more. */
function stillEnded(deposit: Deposit, context: Context): Transition {
  const next = later(deposit, context)
  return next.deposit.dueAt === undefined && deposit.reportedCode === '0'
    ? review(deposit, 'pending_after_30_days', context)
    : next
}

/** Since when queries are denied. A time that lies ahead counts as now: the clock was set back since. */
const sinceOf = ({ queryMissingSince: since = Infinity }: Deposit, { now }: Context): number => Math.min(since, now)

/** The last of the quick queries after a callback is for an answer: by age alone the next one could be days away. */
function laterUnanswered(deposit: Deposit, context: Context, retryAfterMs = 0): Transition {
  const next = later(deposit, context, retryAfterMs)
  if (!yieldsToSuccess(deposit.phase)) return next
  const asks = Math.min(next.deposit.asks, Math.max(deposit.asks, ASKS_AFTER_CALLBACK - 1))
  return { ...next, deposit: { ...next.deposit, asks } }
}

/** The service does not know the deposit, or has no query path: keeps since when, and asks at least every minute, so that the 15 minutes end on time. */
function deniedSince(deposit: Deposit, since: number, context: Context): Transition {
  const next = laterUnanswered({ ...deposit, queryMissingSince: since }, context)
  return {
    ...next,
    deposit: { ...next.deposit, dueAt: Math.min(next.deposit.dueAt ?? Infinity, context.now + 60_000) },
  }
}

function notFound(before: Deposit, context: Context): Transition {
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
      // The service created it and now denies it: only a person can tell. One answer is not enough, because this review ends only by a person,
      // and a service in trouble may find a minute later what it does not find now.
      return context.now - since >= QUERY_MISSING_LIMIT_MS
        ? review(deposit, 'query_not_found', context)
        : deniedSince(deposit, since, context)
    default:
      return stillEnded(deposit, context)
  }
}

function queryMissing(deposit: Deposit, context: Context): Transition {
  const since = sinceOf(deposit, context)
  const waiting = deposit.phase === 'open' || isInDoubt(deposit.phase)
  if (waiting && context.now - since >= QUERY_MISSING_LIMIT_MS) return review(deposit, 'query_missing', context)
  return deniedSince(deposit, since, context)
}

/** While no callback has come a payment is as pending as any; no answer is to be waited for after the 30 days, nor missed by what has ended. */
function noQuery(deposit: Deposit, context: Context): Transition {
  return deposit.phase === 'open' ? pending(deposit, context) : later(deposit, context)
}

function reviewed(deposit: Deposit, input: Extract<Input, { kind: 'reviewed' }>, context: Context): Transition {
  if (deposit.phase !== 'review') return unmoved(deposit)
  // The operator's reason goes to the timeline only: the result is shown to the customer.
  const entry = { kind: 'decision' as const, detail: `${input.outcome} by ${input.by}: ${input.reason}` }
  if (input.outcome === 'succeeded') return succeed(deposit, DECIDED, entry, context)
  return end(deposit, 'failed', { code: 'decided', description: DECIDED }, entry, context)
}

/**
 * The query got no answer. A soft end is retried soon, so that a long outage cannot cost it a late success; anything else is not given up
 * after 30 days without a last answer, nor is a soft end that a callback has called paid.
 */
function unanswered(deposit: Deposit, context: Context, retryAfterMs = 0): Transition {
  const next = laterUnanswered(deposit, context, retryAfterMs)
  const isPast = isPastAsking(deposit, context)
  const isSoft = isSoftEnd(deposit.phase)
  // The normal schedule holds within 30 days for what has not ended, and past them for a soft end (which is queried again only after a callback).
  if (isSoft ? isPast && deposit.reportedCode !== '0' : !isPast) return next
  const wait = isPast ? LAST_WORD_EVERY_MS : UNANSWERED_AFTER_END_MS
  return { ...next, deposit: { ...next.deposit, dueAt: context.now + Math.max(wait, retryAfterMs) } }
}
