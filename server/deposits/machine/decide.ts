// The state machine of a deposit: one table of what each input does in each phase, and the one
// function that applies it. CONTRIBUTING.md "The money rules". Nothing here reads a clock, a store
// or the network.
import type { DepositPhase } from '../../contract/index.ts'
import type { Context, Transition, Input } from './transition.ts'
import { unmoved } from './transition.ts'
import type { Deposit } from './deposit.ts'
import type { Mover } from './phases.ts'
import { isAbsorbing, phases } from './phases.ts'
import { orderPaid } from './endings.ts'
import { answered, noQuery, notFound, queryMissing, untilAgreed } from './query-answers.ts'
import {
  addressCame,
  callbackDiffers,
  callbackReceived,
  conflict,
  createdLate,
  notProcessed,
  opened,
  outcomeUnknown,
  queryFailed,
  refused,
  replaced,
  reviewed,
  whereTrue,
} from './steps.ts'
import type { Of, Step } from './steps.ts'

/** What one input does to a deposit in one phase. */
interface Cell<I> {
  /** The phases that it may move the deposit to. In the same phase it may always stay. */
  readonly to: readonly DepositPhase[]
  by(deposit: Deposit, input: I, context: Context): Transition
}

type Row<I> = Readonly<Partial<Record<DepositPhase, Cell<I>>>>

/**
 * In a cell without a target the phase stays: the input is noted, or the next query gets another
 * time.
 */
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
  // The only input that also concerns what is final: it moves nothing, and a person must hear of
  // it.
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
