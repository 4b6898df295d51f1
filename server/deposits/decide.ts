// The state machine of a deposit as one pure function: for each input, the new row, its timeline entries and its notice.
// CONTRIBUTING.md "The money rules"; nothing here reads a clock, a store or the network.
import type { Context, Transition, Input, Reported } from './transition.ts'
import { firstAsk, move, recurring, unmoved } from './transition.ts'
import type { Deposit } from './deposit.ts'
import { isAbsorbing, isMovedByCallback, isReplaceable, isSoftEnd, waitsForPerson, yieldsToSuccess } from './deposit.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { end, fail, orderPaid, review, succeed } from './endings.ts'
import { answered, isQuery, noQuery, notFound, queryMissing, unanswered, untilAgreed } from './query-answers.ts'

/** Who makes this move queries at once: the other companions leave the deposit alone meanwhile, and take it over if that process has died. */
const OWN_QUERY_MS = 2_000

/** How soon a callback that moves nothing makes us query again. */
const CALLBACK_QUERY_DELAY_MS = 10_000

/** Why nothing was created, by the reason of the call; of any other, the service could not be reached. */
const NOT_CREATED: ReadonlyMap<string | undefined, { readonly code: string }> = new Map([
  ['upstream_budget', { code: 'rate_limited' }],
  ['token_refused', { code: 'account_refused' }],
  ['login_refused', { code: 'account_refused' }],
])
const NOT_REACHED = { code: 'upstream_unavailable' }

/** Result description of a review that a person decided. */
const DECIDED = 'Looked up by the shop.'

/**
 * The outcome of the create is not known, and no query has returned a transaction for it. The process that made the call is the only one to
 * send this reference (money rule 1), so its outcome counts however late, even after others have given the call up.
 */
const isUnanswered = ({ phase, transactionId }: Deposit) =>
  (phase === 'creating' || phase === 'unknown') && transactionId === undefined

/** Applies `input` to `deposit`. Total: an input that does not fit the phase changes nothing. */
export function decide(deposit: Deposit, input: Input, context: Context): Transition {
  // The only input that also concerns what is final: it moves nothing, and a person must hear of it.
  if (input.kind === 'callback-differs') return callbackDiffers(deposit, input, context)
  if (isAbsorbing(deposit.phase)) return unmoved(deposit)
  const transition = decideLive(deposit, input, context)
  return isQuery(input) ? untilAgreed(transition, context) : transition
}

type LiveInput = Exclude<Input, { kind: 'callback-differs' }>

function decideLive(deposit: Deposit, input: LiveInput, context: Context): Transition {
  switch (input.kind) {
    case 'created':
      return created(deposit, input, context)
    case 'create-refused':
      return isUnanswered(deposit)
        ? end(
            deposit,
            'rejected',
            { code: input.code, description: input.message },
            { kind: 'refused', detail: input.message },
            context,
          )
        : unmoved(deposit)
    case 'create-not-processed':
      return isUnanswered(deposit)
        ? end(
            deposit,
            'rejected',
            {
              ...(NOT_CREATED.get(input.reason) ?? NOT_REACHED),
              description: input.description ?? 'The payment service could not be reached; nothing was created.',
            },
            { kind: 'not_processed', ...withoutUndefined({ detail: input.reason }) },
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
      return withWords(unanswered(deposit, context, input.retryAfterMs), input.said)
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

/** What the service says in place of an answer stands in the timeline: else nobody who looks at the payment would learn why it waits. */
function withWords(transition: Transition, said: string | undefined): Transition {
  if (said === undefined) return transition
  const { deposit, timeline } = recurring(transition.deposit, { kind: 'query_refused', detail: said })
  return { ...transition, deposit, timeline: [...transition.timeline, ...timeline] }
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
  const { saidPaidAt, ...rest } = deposit
  const heard = {
    ...rest,
    reportedCode: reported.resultCode,
    ...(reported.fees === undefined ? {} : { reportedFees: reported.fees }),
    ...(reported.thirdPartyId === undefined ? {} : { reportedThirdPartyId: reported.thirdPartyId }),
    ...(reported.kind === 'success' ? { saidPaidAt: saidPaidAt ?? context.now } : {}),
  }
  // Not after the service has signed another sum: then only our own query proves which one is paid.
  if (decides && !waitsForPerson(deposit) && deposit.disputedSum === undefined) {
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

/**
 * A valid hash over other fields than ours: the phase stays, for a callback never decides. The mark of a signed sum raises the version, or
 * the answer of a query that is under way would be written over it, and credit the payment.
 */
function callbackDiffers(
  deposit: Deposit,
  { detail, signed }: Extract<Input, { kind: 'callback-differs' }>,
  context: Context,
): Transition {
  if (deposit.disputedSum) return unmoved(deposit)
  if (signed) return move(deposit, { disputedSum: true }, [{ kind: 'callback_sum', detail }], context)
  return { deposit, moved: false, timeline: [{ kind: 'callback_differs', detail }] }
}

function reviewed(deposit: Deposit, input: Extract<Input, { kind: 'reviewed' }>, context: Context): Transition {
  if (deposit.phase !== 'review') return unmoved(deposit)
  // The operator's reason goes to the timeline only: the result is shown to the customer.
  const entry = { kind: 'decision' as const, detail: `${input.outcome} by ${input.by}: ${input.reason}` }
  if (input.outcome === 'succeeded') return succeed(deposit, DECIDED, entry, context)
  return end(deposit, 'failed', { code: 'decided', description: DECIDED }, entry, context)
}
