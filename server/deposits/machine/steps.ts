// What each input does to a deposit, once the table of decide.ts has let it in: the answers to a
// create, callbacks, and what customers and staff say. What status queries do is in
// query-answers.ts.
import type { Context, Transition, Input } from './transition.ts'
import { firstAsk, move, recurring, unmoved } from './transition.ts'
import type { Deposit } from './deposit.ts'
import { isMovedByCallback, isSoftEnd, waitsForPerson, yieldsToSuccess } from './phases.ts'
import { end, fail, orderPaid, review, succeed } from './endings.ts'
import { unanswered } from './query-answers.ts'

/** The input of one kind. */
export type Of<K extends Input['kind']> = Extract<Input, { kind: K }>

/** What an input does, once the table of decide.ts has let it in. */
export type Step<I> = (deposit: Deposit, input: I, context: Context) => Transition

/**
 * Who makes this move queries at once: the other companions leave the deposit alone meanwhile, and
 * take it over if that process has died.
 */
const OWN_QUERY_MS = 2_000

/** How soon a callback that moves nothing makes us query again. */
const CALLBACK_QUERY_DELAY_MS = 10_000

/** The result code of a create that was not processed, by the reason of the call. */
const NOT_CREATED: ReadonlyMap<string | undefined, string> = new Map([
  ['upstream_budget', 'rate_limited'],
  ['token_refused', 'account_refused'],
  ['login_refused', 'account_refused'],
])

/** Result description of a review that a person decided. */
const DECIDED = 'Looked up by the shop.'

/**
 * A query or a callback has named a transaction, so the create has arrived. Until then the process
 * that made the call is the only one to send this reference (money rule 1), and its outcome counts
 * however late, even after others have given the call up.
 */
const isAnswered = ({ transactionId }: Deposit) => transactionId !== undefined

/**
 * What the service says in place of an answer stands in the timeline: else nobody who looks at the
 * payment would learn why it waits.
 */
export function queryFailed(
  deposit: Deposit,
  { retryAfterMs, said }: Of<'query-failed'>,
  context: Context,
): Transition {
  const transition = unanswered(deposit, context, retryAfterMs)
  if (said === undefined) return transition
  const { deposit: noted, timeline } = recurring(transition.deposit, { kind: 'query_refused', detail: said })
  return { ...transition, deposit: noted, timeline: [...transition.timeline, ...timeline] }
}

/**
 * The answer to a create counts only if it contradicts nothing that is known, and leads to an
 * allowed address.
 */
export function whereTrue(step: Step<Of<'created'>>): Step<Of<'created'>> {
  return (deposit, input, context) => {
    const { transactionId } = input
    if (deposit.transactionId !== undefined && deposit.transactionId !== transactionId)
      return review(deposit, 'transaction_mismatch', context)
    if (!input.urlAllowed) return review({ ...deposit, transactionId }, 'redirect_origin', context)
    return step(deposit, input, context)
  }
}

export function opened(deposit: Deposit, { transactionId, checkoutUrl }: Of<'created'>, context: Context): Transition {
  // Nobody has the checkout address yet, and nobody must get it.
  if (context.paidElsewhere) return orderPaid({ ...deposit, transactionId }, context)
  return move(
    deposit,
    { transactionId, checkoutUrl, phase: 'open', asks: 0, ...firstAsk(deposit, 'open', context) },
    [{ kind: 'created' }],
    context,
  )
}

/** A callback has overtaken the answer. */
export function addressCame(
  deposit: Deposit,
  { transactionId, checkoutUrl }: Of<'created'>,
  context: Context,
): Transition {
  return move(deposit, { transactionId, checkoutUrl }, [{ kind: 'created' }], context)
}

/** Ended or given up before the answer came: the checkout address is not handed out any more. */
export function createdLate(deposit: Deposit, { transactionId }: Of<'created'>, context: Context): Transition {
  return deposit.transactionId === undefined
    ? move(deposit, { transactionId }, [{ kind: 'created_late' }], context)
    : unmoved(deposit)
}

export function refused(deposit: Deposit, { code, message }: Of<'create-refused'>, context: Context): Transition {
  if (isAnswered(deposit)) return unmoved(deposit)
  return end(deposit, 'rejected', { code, description: message }, { kind: 'refused', detail: message }, context)
}

export function notProcessed(
  deposit: Deposit,
  { reason, description }: Of<'create-not-processed'>,
  context: Context,
): Transition {
  if (isAnswered(deposit)) return unmoved(deposit)
  return end(
    deposit,
    'rejected',
    {
      code: NOT_CREATED.get(reason) ?? 'upstream_unavailable',
      description: description ?? 'The payment service could not be reached; nothing was created.',
    },
    { kind: 'not_processed', ...(reason === undefined ? {} : { detail: reason }) },
    context,
  )
}

export function outcomeUnknown(deposit: Deposit, { reason }: Of<'create-unknown'>, context: Context): Transition {
  return move(
    deposit,
    { phase: 'unknown', asks: 0, dueAt: context.now + OWN_QUERY_MS },
    [{ kind: 'create_unknown', detail: reason }],
    context,
  )
}

export function replaced(deposit: Deposit, { by }: Of<'replaced'>, context: Context): Transition {
  return move(
    deposit,
    { phase: 'abandoned', asks: 0, replacedBy: by, ...firstAsk(deposit, 'abandoned', context) },
    [{ kind: 'replaced', detail: 'The customer says that no money was sent.' }],
    context,
  )
}

/** Raises the alert even if it is already under review. */
export function conflict(deposit: Deposit, context: Context): Transition {
  return { ...review(deposit, 'transaction_conflict', context), alert: 'review:transaction_conflict' }
}

export function callbackReceived(
  deposit: Deposit,
  { reported, decides }: Of<'callback'>,
  context: Context,
): Transition {
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
      // The create may have been answered later than this, or never: then nothing else names the
      // transaction.
      const { transactionId = reported.transactionId } = deposit
      const paid = { ...heard, ...(transactionId === undefined ? {} : { transactionId }) }
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
  // Nothing visible changes. The next query is stored together with the callback, or a crash after
  // the 200 would lose it; it is delayed, or replays of one callback would make us query endlessly.
  // On a slow schedule the count of asks starts again: the next answer may have been under way when
  // the callback came, and the one after that would be minutes or hours away.
  const asks = !isRepeat && yieldsToSuccess(deposit.phase) ? 0 : deposit.asks
  return {
    deposit: { ...known, asks, dueAt: Math.min(deposit.dueAt ?? Infinity, context.now + CALLBACK_QUERY_DELAY_MS) },
    moved: false,
    timeline,
  }
}

/**
 * A valid hash over other fields than ours: the phase stays, for a callback never decides. The mark
 * of a signed sum raises the version, or the answer of a query that is under way would be written
 * over it, and credit the payment.
 */
export function callbackDiffers(
  deposit: Deposit,
  { detail, signed }: Of<'callback-differs'>,
  context: Context,
): Transition {
  if (deposit.disputedSum) return unmoved(deposit)
  if (signed) return move(deposit, { disputedSum: true }, [{ kind: 'callback_sum', detail }], context)
  return { deposit, moved: false, timeline: [{ kind: 'callback_differs', detail }] }
}

export function reviewed(deposit: Deposit, input: Of<'reviewed'>, context: Context): Transition {
  // The operator's reason goes to the timeline only: the result is shown to the customer.
  const entry = { kind: 'decision' as const, detail: `${input.outcome} by ${input.by}: ${input.reason}` }
  if (input.outcome === 'succeeded') return succeed(deposit, DECIDED, entry, context)
  return end(deposit, 'failed', { code: 'decided', description: DECIDED }, entry, context)
}
