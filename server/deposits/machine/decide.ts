// The state machine of a deposit as one pure function: for each input, the new row, its timeline
// entries and its notice. CONTRIBUTING.md "The money rules"; nothing here reads a clock, a store or
// the network.
import type { DepositPhase } from '../../contract/index.ts'
import type { Context, Transition, Input } from './transition.ts'
import { firstAsk, move, recurring, unmoved } from './transition.ts'
import type { Deposit } from './deposit.ts'
import type { Mover } from './phases.ts'
import { isAbsorbing, isMovedByCallback, isSoftEnd, phases, waitsForPerson, yieldsToSuccess } from './phases.ts'
import { end, fail, orderPaid, review, succeed } from './endings.ts'
import { answered, noQuery, notFound, queryMissing, unanswered, untilAgreed } from './query-answers.ts'

/**
 * Who makes this move queries at once: the other companions leave the deposit alone meanwhile, and
 * take it over if that process has died.
 */
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
 * A query or a callback has named a transaction, so the create has arrived. Until then the process
 * that made the call is the only one to send this reference (money rule 1), and its outcome counts
 * however late, even after others have given the call up.
 */
const isAnswered = ({ transactionId }: Deposit) => transactionId !== undefined

type Of<K extends Input['kind']> = Extract<Input, { kind: K }>

type Step<I> = (deposit: Deposit, input: I, context: Context) => Transition

/** What one input does to a deposit in one phase. */
interface Cell<I> {
  /** The phases that it may move the deposit to. In the same phase it may always stay. */
  readonly to: readonly DepositPhase[]
  by(deposit: Deposit, input: I, context: Context): Transition
}

type Row<I> = Readonly<Partial<Record<DepositPhase, Cell<I>>>>

/** In a cell without a target the phase stays: the input is noted, or the next query gets another time. */
const stays: readonly DepositPhase[] = []

/** The same cell for each of these phases. */
function each<I, P extends DepositPhase>(
  of: readonly P[],
  to: readonly DepositPhase[],
  by: Step<I>,
): Record<P, Cell<I>> {
  return Object.fromEntries(of.map((phase) => [phase, { to, by }])) as Record<P, Cell<I>>
}

/** A step for which it is enough that the input has come. */
const regardless =
  (step: (deposit: Deposit, context: Context) => Transition): Step<Input> =>
  (deposit, _, context) =>
    step(deposit, context)

const all = Object.keys(phases) as readonly DepositPhase[]
const notFinal = all.filter((phase) => !isAbsorbing(phase))
const ended = ['failed', 'expired'] as const
const decided = ['succeeded', 'failed', 'expired'] as const

/**
 * The state machine: what each input does in each phase. Where there is no cell the input changes
 * nothing, so `succeeded` and `rejected` are final (money rule 4).
 */
export const transitions: { readonly [K in Input['kind']]: Row<Of<K>> } = {
  created: {
    ...each(['creating', 'unknown'], ['open', 'abandoned', 'review'], whereTrue(opened)),
    ...each(['confirming'], ['review'], whereTrue(addressCame)),
    ...each(['open'], ['review'], whereTrue(createdLate)),
    ...each(['review', 'abandoned', ...ended], stays, whereTrue(createdLate)),
  },
  'create-refused': each(['creating', 'unknown'], ['rejected'], refused),
  'create-not-processed': each(['creating', 'unknown'], ['rejected'], notProcessed),
  'create-unknown': each(['creating'], ['unknown'], outcomeUnknown),
  callback: {
    ...each(['creating', 'unknown', 'open'], ['confirming', ...decided], callbackReceived),
    ...each(['confirming', 'review', 'abandoned'], decided, callbackReceived),
    ...each(ended, ['succeeded'], callbackReceived),
  },
  // The only input that also concerns what is final: it moves nothing, and a person must hear of it.
  'callback-differs': each(all, stays, callbackDiffers),
  answered: {
    ...each(['creating', 'unknown', 'open'], [...decided, 'abandoned', 'review'], answered),
    ...each(['confirming'], [...decided, 'open', 'abandoned', 'review'], answered),
    ...each(['review'], [...decided, 'open'], answered),
    ...each(['abandoned'], decided, answered),
    ...each(ended, ['succeeded'], answered),
  },
  'not-found': {
    ...each(['creating', 'unknown'], ['abandoned'], regardless(notFound)),
    ...each(['open', 'confirming'], ['review'], regardless(notFound)),
    ...each(['review', 'abandoned', ...ended], stays, regardless(notFound)),
  },
  'query-missing': {
    ...each(['creating', 'unknown', 'open', 'confirming'], ['review'], regardless(queryMissing)),
    ...each(['review', 'abandoned', ...ended], stays, regardless(queryMissing)),
  },
  'query-failed': each(notFinal, stays, queryFailed),
  'no-query': {
    ...each(['open'], ['abandoned'], regardless(noQuery)),
    ...each(['creating', 'unknown', 'confirming', 'review', 'abandoned', ...ended], stays, regardless(noQuery)),
  },
  replaced: each(['unknown', 'open'], ['abandoned'], replaced),
  // One that is `confirming` may be paid as well: the query says so first.
  'order-paid': each(['creating', 'unknown', 'open'], ['abandoned'], regardless(orderPaid)),
  reviewed: each(['review'], ['succeeded', 'failed'], reviewed),
  'transaction-conflict': {
    ...each(['creating', 'unknown', 'open', 'confirming'], ['review'], regardless(conflict)),
    ...each(['review', 'abandoned', ...ended], stays, regardless(conflict)),
  },
}

/** Who brings each input. */
export const broughtBy: Readonly<Record<Input['kind'], Mover>> = {
  created: 'create',
  'create-refused': 'create',
  'create-not-processed': 'create',
  'create-unknown': 'create',
  callback: 'callback',
  'callback-differs': 'callback',
  answered: 'query',
  'not-found': 'query',
  'query-missing': 'query',
  'query-failed': 'query',
  'no-query': 'query',
  replaced: 'customer',
  'order-paid': 'other payment',
  'transaction-conflict': 'other payment',
  reviewed: 'person',
}

/** Applies `input` to `deposit`. Total: an input that does not fit the phase changes nothing. */
export function decide(deposit: Deposit, input: Input, context: Context): Transition {
  const row: Row<Input> = transitions[input.kind]
  const cell = row[deposit.phase]
  if (cell === undefined) return unmoved(deposit)
  const transition = cell.by(deposit, input, context)
  return broughtBy[input.kind] === 'query' ? untilAgreed(transition, context) : transition
}

/**
 * What the service says in place of an answer stands in the timeline: else nobody who looks at the
 * payment would learn why it waits.
 */
function queryFailed(deposit: Deposit, { retryAfterMs, said }: Of<'query-failed'>, context: Context): Transition {
  const transition = unanswered(deposit, context, retryAfterMs)
  if (said === undefined) return transition
  const { deposit: noted, timeline } = recurring(transition.deposit, { kind: 'query_refused', detail: said })
  return { ...transition, deposit: noted, timeline: [...transition.timeline, ...timeline] }
}

/** The answer to a create counts only if it contradicts nothing that is known, and leads to an allowed address. */
function whereTrue(step: Step<Of<'created'>>): Step<Of<'created'>> {
  return (deposit, input, context) => {
    const { transactionId } = input
    if (deposit.transactionId !== undefined && deposit.transactionId !== transactionId)
      return review(deposit, 'transaction_mismatch', context)
    if (!input.urlAllowed) return review({ ...deposit, transactionId }, 'redirect_origin', context)
    return step(deposit, input, context)
  }
}

function opened(deposit: Deposit, { transactionId, checkoutUrl }: Of<'created'>, context: Context): Transition {
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
function addressCame(deposit: Deposit, { transactionId, checkoutUrl }: Of<'created'>, context: Context): Transition {
  return move(deposit, { transactionId, checkoutUrl }, [{ kind: 'created' }], context)
}

/** Ended or given up before the answer came: the checkout address is not handed out any more. */
function createdLate(deposit: Deposit, { transactionId }: Of<'created'>, context: Context): Transition {
  return deposit.transactionId === undefined
    ? move(deposit, { transactionId }, [{ kind: 'created_late' }], context)
    : unmoved(deposit)
}

function refused(deposit: Deposit, { code, message }: Of<'create-refused'>, context: Context): Transition {
  if (isAnswered(deposit)) return unmoved(deposit)
  return end(deposit, 'rejected', { code, description: message }, { kind: 'refused', detail: message }, context)
}

function notProcessed(
  deposit: Deposit,
  { reason, description }: Of<'create-not-processed'>,
  context: Context,
): Transition {
  if (isAnswered(deposit)) return unmoved(deposit)
  return end(
    deposit,
    'rejected',
    {
      ...(NOT_CREATED.get(reason) ?? NOT_REACHED),
      description: description ?? 'The payment service could not be reached; nothing was created.',
    },
    { kind: 'not_processed', ...(reason === undefined ? {} : { detail: reason }) },
    context,
  )
}

function outcomeUnknown(deposit: Deposit, { reason }: Of<'create-unknown'>, context: Context): Transition {
  return move(
    deposit,
    { phase: 'unknown', asks: 0, dueAt: context.now + OWN_QUERY_MS },
    [{ kind: 'create_unknown', detail: reason }],
    context,
  )
}

function replaced(deposit: Deposit, { by }: Of<'replaced'>, context: Context): Transition {
  return move(
    deposit,
    { phase: 'abandoned', asks: 0, replacedBy: by, ...firstAsk(deposit, 'abandoned', context) },
    [{ kind: 'replaced', detail: 'The customer says that no money was sent.' }],
    context,
  )
}

/** Raises the alert even if it is already under review. */
function conflict(deposit: Deposit, context: Context): Transition {
  return { ...review(deposit, 'transaction_conflict', context), alert: 'review:transaction_conflict' }
}

function callbackReceived(deposit: Deposit, { reported, decides }: Of<'callback'>, context: Context): Transition {
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
function callbackDiffers(deposit: Deposit, { detail, signed }: Of<'callback-differs'>, context: Context): Transition {
  if (deposit.disputedSum) return unmoved(deposit)
  if (signed) return move(deposit, { disputedSum: true }, [{ kind: 'callback_sum', detail }], context)
  return { deposit, moved: false, timeline: [{ kind: 'callback_differs', detail }] }
}

function reviewed(deposit: Deposit, input: Of<'reviewed'>, context: Context): Transition {
  // The operator's reason goes to the timeline only: the result is shown to the customer.
  const entry = { kind: 'decision' as const, detail: `${input.outcome} by ${input.by}: ${input.reason}` }
  if (input.outcome === 'succeeded') return succeed(deposit, DECIDED, entry, context)
  return end(deposit, 'failed', { code: 'decided', description: DECIDED }, entry, context)
}
