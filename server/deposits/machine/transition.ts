// Input and output types of the state machine, and the small steps that its transitions are built
// from.
import type { DepositStatus, NoticeType } from '../../contract/index.ts'
import type { AlertKind } from './alerts.ts'
import type { Deposit, TimelineKind } from './deposit.ts'
import { nextAskIn } from './schedule.ts'

/** What a bound callback reported; shown to the merchant as unproven. */
export interface Reported {
  readonly kind: 'success' | 'failed'
  readonly resultCode: string
  readonly resultDescription: string
  readonly transactionId?: string
  readonly fees?: string
  readonly thirdPartyId?: string
}

export type Input =
  | {
      readonly kind: 'created'
      readonly transactionId: string
      readonly checkoutUrl: string
      readonly urlAllowed: boolean
    }
  | { readonly kind: 'create-refused'; readonly code: string; readonly message: string }
  /** `description`: for the customer and the shop. */
  | { readonly kind: 'create-not-processed'; readonly reason?: string; readonly description?: string }
  | { readonly kind: 'create-unknown'; readonly reason: string }
  /** `decides` only under `HC_CONFIRM=callback`. */
  | { readonly kind: 'callback'; readonly reported: Reported; readonly decides: boolean }
  /**
   * A callback with a valid hash whose fields are not ours. `signed`: the service itself signed
   * another amount or currency.
   */
  | { readonly kind: 'callback-differs'; readonly detail: string; readonly signed: boolean }
  | {
      readonly kind: 'answered'
      readonly status: DepositStatus
      readonly reference: string
      readonly transactionId?: string
      readonly description?: string
      /** The sum that the answer names, where its amount or currency is another one than ours. */
      readonly otherSum?: string
      /** The answer names both our amount and our currency. */
      readonly sameSum?: true
    }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'query-missing' }
  /** `said`: the service's words, where it said any that are new. */
  | { readonly kind: 'query-failed'; readonly retryAfterMs?: number; readonly said?: string }
  /** The contract has no status query, and callbacks decide (`HC_CONFIRM=callback`). */
  | { readonly kind: 'no-query' }
  | { readonly kind: 'replaced'; readonly by: string }
  /** An earlier attempt for the same order has succeeded late. */
  | { readonly kind: 'order-paid' }
  | {
      readonly kind: 'reviewed'
      readonly outcome: 'succeeded' | 'failed'
      readonly reason: string
      readonly by: string
    }
  /** The store's unique index found that another deposit holds this transaction. */
  | { readonly kind: 'transaction-conflict' }

export interface Context {
  readonly now: number
  /** The trusted time (clock-watch.ts): by it queries slow down and end. */
  readonly trustedNow: number
  /** A browser listens to this deposit. */
  readonly watched: boolean
  /**
   * Another attempt is already paid: one of the same session (money rule 4) or, without a session,
   * one that this attempt replaced.
   */
  readonly paidElsewhere: boolean
}

export interface Transition {
  readonly deposit: Deposit
  /**
   * True when something visible changed: the version rose, a timeline row is written and listeners
   * are told.
   */
  readonly moved: boolean
  readonly timeline: readonly { readonly kind: TimelineKind; readonly detail?: string }[]
  readonly notice?: NoticeType
  /** The alert to raise: a person should know. */
  readonly alert?: AlertKind
}

/**
 * Nothing changes but when to query next: by the schedule, and no sooner than `notBeforeMs` from
 * now.
 */
export function later(deposit: Deposit, context: Context, notBeforeMs = 0): Transition {
  const wait = nextAskIn(deposit, context.trustedNow, context.watched)
  const { dueAt: _, ...rest } = deposit
  const next: Deposit = wait === undefined ? rest : { ...rest, dueAt: context.now + Math.max(wait, notBeforeMs) }
  return { deposit: { ...next, asks: deposit.asks + 1 }, moved: false, timeline: [] }
}

/**
 * When to query first in a phase that the deposit is about to enter, to spread into its change;
 * nothing where that phase is not queried.
 */
export function firstAsk(deposit: Deposit, phase: Deposit['phase'], context: Context): { dueAt?: number } {
  const wait = nextAskIn({ ...deposit, phase, asks: 0 }, context.trustedNow, context.watched)
  return wait === undefined ? {} : { dueAt: context.now + wait }
}

/**
 * A visible change: a new version, with its timeline entries. With `stop` nothing is queried any
 * more.
 */
export function move(
  deposit: Deposit,
  change: Partial<Deposit>,
  timeline: Transition['timeline'],
  context: Context,
  options: { stop?: boolean } = {},
): Transition {
  const { dueAt, ...rest } = { ...deposit, ...change }
  const next: Deposit = {
    ...rest,
    ...(options.stop || dueAt === undefined ? {} : { dueAt }),
    version: deposit.version + 1,
    updatedAt: context.now,
  }
  return { deposit: next, moved: true, timeline }
}

/** The deposit as it leaves a review. */
export function withoutReview(deposit: Deposit): Deposit {
  const { reviewReason: _, queryMissingSince: __, ...rest } = deposit
  return rest
}

/** Bounds the timeline: whoever holds a callback can replay it for 30 days. */
const MOST_RECURRING = 20

/** Whether the timeline has room for another recurring entry. */
export const hasPlace = (deposit: Deposit): boolean => (deposit.recurring ?? 0) < MOST_RECURRING

/** Adds a recurring timeline entry and counts it; adds nothing once the limit is reached. */
export function recurring(
  deposit: Deposit,
  line: Transition['timeline'][number],
): Pick<Transition, 'deposit' | 'timeline'> {
  if (!hasPlace(deposit)) return { deposit, timeline: [] }
  return { deposit: { ...deposit, recurring: (deposit.recurring ?? 0) + 1 }, timeline: [line] }
}

/** The input changes nothing at all. */
export function unmoved(deposit: Deposit): Transition {
  return { deposit, moved: false, timeline: [] }
}
