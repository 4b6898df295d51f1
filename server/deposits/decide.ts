// The state machine of a deposit as one pure function: what may happen, and what is then written and told.
// DESIGN.md "Money rules"; nothing here reads a clock, a store or the network.
import type { NoticeType } from '../contract/index.ts'
import type { Deposit } from './deposit.ts'
import { isAbsorbing, isLive } from './deposit.ts'
import {
  ASKS_AFTER_RING,
  ASKS_AFTER_UNKNOWN,
  CREATE_SETTLES_AFTER_MS,
  LONGEST_ASKING_MS,
  nextAskIn,
  UNANSWERED_AFTER_END_MS,
} from './schedule.ts'

/** Money rule 3: how long a missing query path is borne before a person must look. */
const QUERY_MISSING_LIMIT_MS = 15 * 60 * 1000

/** How soon a ring that moves nothing makes us ask again. */
const RING_AGAIN_MS = 10_000

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
  | { readonly kind: 'create-not-processed' }
  | { readonly kind: 'create-unknown'; readonly reason: string }
  /** `decides` only under `HC_CONFIRM=callback`. */
  | { readonly kind: 'rang'; readonly reported: Reported; readonly decides: boolean }
  | {
      readonly kind: 'answered'
      readonly status: 'PENDING' | 'SUCCESS' | 'FAILED'
      readonly reference: string
      readonly transactionId?: string
      readonly description?: string
    }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'query-missing' }
  | { readonly kind: 'query-failed'; readonly retryAfterMs?: number }
  | { readonly kind: 'replaced' }
  | {
      readonly kind: 'reviewed'
      readonly outcome: 'succeeded' | 'failed'
      readonly reason: string
      readonly by: string
    }
  /** The store's tripwire: another deposit holds this transaction. */
  | { readonly kind: 'transaction-conflict'; readonly transactionId: string }

export interface Context {
  readonly now: number
  /** A browser listens to this deposit. */
  readonly watched: boolean
  /** Another attempt of the session is already credited (money rule 4). */
  readonly sessionCredited: boolean
}

export interface Decision {
  readonly deposit: Deposit
  /** True when something visible changed: version rose, a timeline row and the bell belong to it. */
  readonly moved: boolean
  readonly timeline: readonly { readonly kind: string; readonly detail?: string }[]
  readonly notice?: NoticeType
  /** A person should know. */
  readonly alarm?: string
}

/** Decides what `input` makes of `deposit`. Total: an input that has no business here changes nothing. */
export function decide(deposit: Deposit, input: Input, context: Context): Decision {
  if (isAbsorbing(deposit.phase)) return unmoved(deposit)
  switch (input.kind) {
    case 'created':
      return created(deposit, input, context)
    case 'create-refused':
      return deposit.phase === 'creating'
        ? end(deposit, 'rejected', { code: input.code, description: input.message }, 'refused', context)
        : unmoved(deposit)
    case 'create-not-processed':
      return deposit.phase === 'creating'
        ? end(
            deposit,
            'rejected',
            {
              code: 'upstream_unavailable',
              description: 'The payment service could not be reached; nothing was created.',
            },
            'not_processed',
            context,
          )
        : unmoved(deposit)
    case 'create-unknown':
      return deposit.phase === 'creating'
        ? move(
            deposit,
            { phase: 'unknown', asks: 0, dueAt: context.now },
            [{ kind: 'create_unknown', detail: input.reason }],
            context,
          )
        : unmoved(deposit)
    case 'rang':
      return rang(deposit, input.reported, input.decides, context)
    case 'answered':
      return answered(deposit, input, context)
    case 'not-found':
      return notFound(deposit, context)
    case 'query-missing':
      return queryMissing(deposit, context)
    case 'query-failed':
      return unanswered(deposit, context, input.retryAfterMs)
    case 'replaced':
      return deposit.phase === 'open' || deposit.phase === 'unknown'
        ? move(
            deposit,
            { phase: 'abandoned', asks: 0, ...ask(deposit, 'abandoned', context) },
            [{ kind: 'replaced', detail: 'The customer says that no money was sent.' }],
            context,
          )
        : unmoved(deposit)
    case 'reviewed':
      return reviewed(deposit, input, context)
    case 'transaction-conflict':
      return review(deposit, 'transaction_conflict', context)
  }
}

function created(deposit: Deposit, input: Extract<Input, { kind: 'created' }>, context: Context): Decision {
  if (deposit.transactionId !== undefined && deposit.transactionId !== input.transactionId)
    return review(deposit, 'transaction_mismatch', context)
  if (!input.urlAllowed) {
    return review({ ...deposit, transactionId: input.transactionId }, 'redirect_origin', context)
  }
  const known = { transactionId: input.transactionId, checkoutUrl: input.checkoutUrl }
  switch (deposit.phase) {
    case 'creating':
    case 'unknown':
      return move(
        deposit,
        { ...known, phase: 'open', asks: 0, ...ask(deposit, 'open', context) },
        [{ kind: 'created' }],
        context,
      )
    case 'confirming':
      return move(deposit, known, [{ kind: 'created' }], context)
    default:
      // Ended or given up before the answer came: the address is never handed out any more.
      return deposit.transactionId === undefined
        ? move(deposit, { transactionId: input.transactionId }, [{ kind: 'created_late' }], context)
        : unmoved(deposit)
  }
}

function rang(deposit: Deposit, reported: Reported, decides: boolean, context: Context): Decision {
  const told = {
    reportedCode: reported.resultCode,
    ...(reported.fees === undefined ? {} : { reportedFees: reported.fees }),
    ...(reported.thirdPartyId === undefined ? {} : { reportedThirdPartyId: reported.thirdPartyId }),
  }
  if (decides && deposit.phase !== 'review') {
    const known = { ...deposit, ...told }
    if (reported.kind === 'success') return succeed(known, reported.resultDescription, 'callback_decided', context)
    if (deposit.phase === 'failed' || deposit.phase === 'expired') return unmoved(deposit)
    return fail(known, reported.resultDescription, 'callback_decided', context)
  }
  const step = { kind: 'callback', detail: `${reported.kind} ${reported.resultCode}` }
  switch (deposit.phase) {
    case 'creating':
    case 'unknown':
    case 'open':
      return move(deposit, { ...told, phase: 'confirming', asks: 0, dueAt: context.now }, [step], context)
    default:
      // Nothing visible changes. A repeat leaves no second line: whoever holds one callback could fill the timeline.
      // The ask is written with the callback, or a crash after the 200 would forget it; never sooner than this, or
      // replays of one callback would make us ask without end.
      return {
        deposit: { ...deposit, ...told, dueAt: Math.min(deposit.dueAt ?? Infinity, context.now + RING_AGAIN_MS) },
        moved: false,
        timeline: deposit.reportedCode === reported.resultCode ? [] : [step],
      }
  }
}

function answered(deposit: Deposit, input: Extract<Input, { kind: 'answered' }>, context: Context): Decision {
  if (input.reference !== deposit.reference) return review(deposit, 'query_reference', context)
  const transactionId =
    input.transactionId === undefined || input.transactionId === '' ? undefined : input.transactionId
  if (transactionId !== undefined && deposit.transactionId !== undefined && transactionId !== deposit.transactionId)
    return review(deposit, 'transaction_mismatch', context)
  const { queryMissingSince: _, ...rest } = deposit
  const known: Deposit = transactionId === undefined ? rest : { ...rest, transactionId }
  // A review ends by a person, but for the one that only waited for the query path to come back.
  if (deposit.phase === 'review' && deposit.reviewReason !== 'query_missing') return later(known, context)
  switch (input.status) {
    case 'SUCCESS':
      return succeed(known, input.description ?? '', 'query_success', context)
    case 'FAILED':
      return deposit.phase === 'failed' || deposit.phase === 'expired'
        ? later(known, context)
        : fail(known, input.description ?? '', 'query_failed', context)
    case 'PENDING':
      return pending(known, context)
  }
}

function pending(deposit: Deposit, context: Context): Decision {
  const { now } = context
  switch (deposit.phase) {
    case 'creating':
    case 'unknown':
      return addressLost(deposit, context)
    case 'confirming':
      if (deposit.asks + 1 < ASKS_AFTER_RING) return later(deposit, context)
      if (deposit.checkoutUrl === undefined) return addressLost(deposit, context)
      return move(
        deposit,
        { phase: 'open', asks: 0, ...ask(deposit, 'open', context) },
        [{ kind: 'still_pending' }],
        context,
      )
    case 'review':
      return deposit.checkoutUrl === undefined
        ? later(deposit, context)
        : move(
            withoutReview(deposit),
            { phase: 'open', asks: 0, ...ask(deposit, 'open', context) },
            [{ kind: 'query_back' }],
            context,
          )
    case 'open':
      if (now - deposit.createdAt > LONGEST_ASKING_MS)
        return move(deposit, { phase: 'abandoned' }, [{ kind: 'asked_for_30_days' }], context, { stop: true })
      if (now >= deposit.expiresAt && !deposit.overdue)
        return move(
          deposit,
          { overdue: true, asks: deposit.asks + 1, ...ask(deposit, 'open', context) },
          [{ kind: 'overdue' }],
          context,
        )
      return later(deposit, context)
    default:
      return later(deposit, context)
  }
}

/** DESIGN.md rule 1: nobody ever had the address, so nobody can pay there; the customer may start anew at once. */
function addressLost(deposit: Deposit, context: Context): Decision {
  // A ring can overtake the answer to create: while that may still be on its way, wait for it.
  if (context.now - deposit.createdAt < CREATE_SETTLES_AFTER_MS && deposit.phase !== 'unknown')
    return later(deposit, context)
  return move(
    deposit,
    { phase: 'abandoned', asks: 0, resultCode: 'address_lost', ...ask(deposit, 'abandoned', context) },
    [{ kind: 'address_lost', detail: 'Created at the service, but its address never reached us.' }],
    context,
  )
}

function notFound(before: Deposit, context: Context): Decision {
  // An answer in the service's envelope proves that the query path is there.
  const { queryMissingSince: _, ...deposit } = before
  switch (deposit.phase) {
    case 'creating':
    case 'unknown':
      if (deposit.asks < ASKS_AFTER_UNKNOWN) return later(deposit, context)
      return move(
        deposit,
        { phase: 'abandoned', asks: 0, resultCode: 'address_lost', ...ask(deposit, 'abandoned', context) },
        [{ kind: 'never_arrived', detail: 'The service does not know the reference.' }],
        context,
      )
    case 'open':
    case 'confirming':
      // The service gave an address for it and now denies it: nobody but a person can tell.
      return context.now - deposit.createdAt >= QUERY_MISSING_LIMIT_MS
        ? review(deposit, 'query_not_found', context)
        : later(deposit, context)
    default:
      return later(deposit, context)
  }
}

function queryMissing(deposit: Deposit, context: Context): Decision {
  const since = deposit.queryMissingSince ?? context.now
  const waiting =
    deposit.phase === 'open' ||
    deposit.phase === 'confirming' ||
    deposit.phase === 'unknown' ||
    deposit.phase === 'creating'
  if (waiting && context.now - since >= QUERY_MISSING_LIMIT_MS) return review(deposit, 'query_missing', context)
  const next = later({ ...deposit, queryMissingSince: since }, context)
  // Asked at least every minute, so that the 15 minutes end on time.
  return {
    ...next,
    deposit: { ...next.deposit, dueAt: Math.min(next.deposit.dueAt ?? Infinity, context.now + 60_000) },
    alarm: 'query_path_missing',
  }
}

function reviewed(deposit: Deposit, input: Extract<Input, { kind: 'reviewed' }>, context: Context): Decision {
  if (deposit.phase !== 'review') return unmoved(deposit)
  const detail = `${input.outcome} by ${input.by}: ${input.reason}`
  if (input.outcome === 'succeeded') return succeed(deposit, input.reason, 'decision', context, detail)
  return end(deposit, 'failed', { code: 'decided', description: input.reason }, 'decision', context, detail)
}

function succeed(deposit: Deposit, description: string, why: string, context: Context, detail?: string): Decision {
  const ended = deposit.phase === 'failed' || deposit.phase === 'expired' || deposit.phase === 'abandoned'
  const duplicate = context.sessionCredited
  const moved = move(
    withoutReview(deposit),
    {
      phase: 'succeeded',
      settledAt: context.now,
      late: ended,
      duplicate,
      overdue: false,
      resultCode: 'success',
      resultDescription: description,
    },
    [{ kind: why, ...(detail === undefined ? {} : { detail }) }],
    context,
    { stop: true },
  )
  return { ...moved, notice: duplicate ? 'payment.duplicate' : 'payment.succeeded' }
}

/** `expired` is entered only when the service itself says FAILED after the 15 minutes (money rule 5). */
function fail(deposit: Deposit, description: string, why: string, context: Context): Decision {
  const reported = deposit.reportedCode !== undefined && deposit.reportedCode !== '0' ? deposit.reportedCode : undefined
  const expired = context.now >= deposit.expiresAt && (reported === undefined || reported === '1037')
  return end(
    deposit,
    expired ? 'expired' : 'failed',
    { code: reported ?? (expired ? 'expired' : 'failed'), description },
    why,
    context,
  )
}

function end(
  deposit: Deposit,
  phase: 'failed' | 'expired' | 'rejected',
  result: { code: string; description: string },
  why: string,
  context: Context,
  detail?: string,
): Decision {
  const moved = move(
    withoutReview(deposit),
    {
      phase,
      settledAt: context.now,
      overdue: false,
      resultCode: result.code,
      resultDescription: result.description,
      asks: 0,
      ...ask({ ...deposit, asks: 0 }, phase, context),
    },
    [{ kind: why, ...(detail === undefined ? {} : { detail }) }],
    context,
    { stop: phase === 'rejected' },
  )
  return { ...moved, notice: phase === 'expired' ? 'payment.expired' : 'payment.failed' }
}

/** Money rule 7: entered only from our own evidence. An attempt that has ended softly holds no session: it rings the alarm instead. */
function review(deposit: Deposit, reason: string, context: Context): Decision {
  if (deposit.phase === 'review') return later(deposit, context)
  if (!isLive(deposit.phase)) {
    return {
      ...later(deposit, context),
      timeline: [{ kind: 'contradiction', detail: reason }],
      alarm: `review:${reason}`,
    }
  }
  const moved = move(
    deposit,
    { phase: 'review', reviewReason: reason, asks: 0, ...ask(deposit, 'review', context) },
    [{ kind: 'review', detail: reason }],
    context,
  )
  return { ...moved, notice: 'payment.review', alarm: `review:${reason}` }
}

/** The service did not answer: a soft end keeps its chance of a late success, however long the outage. */
function unanswered(deposit: Deposit, context: Context, retryAfterMs = 0): Decision {
  const next = later(deposit, context, retryAfterMs)
  const softEnd = deposit.phase === 'failed' || deposit.phase === 'expired'
  if (!softEnd || context.now - deposit.createdAt > LONGEST_ASKING_MS) return next
  return { ...next, deposit: { ...next.deposit, dueAt: context.now + Math.max(UNANSWERED_AFTER_END_MS, retryAfterMs) } }
}

function later(deposit: Deposit, context: Context, notBeforeMs = 0): Decision {
  const wait = nextAskIn(deposit, context.now, context.watched)
  const { dueAt: _, ...rest } = deposit
  const next: Deposit = wait === undefined ? rest : { ...rest, dueAt: context.now + Math.max(wait, notBeforeMs) }
  return { deposit: { ...next, asks: deposit.asks + 1 }, moved: false, timeline: [] }
}

function ask(deposit: Deposit, phase: Deposit['phase'], context: Context): { dueAt?: number } {
  const wait = nextAskIn({ ...deposit, phase, asks: 0 }, context.now, context.watched)
  return wait === undefined ? {} : { dueAt: context.now + wait }
}

function move(
  deposit: Deposit,
  change: Partial<Deposit>,
  timeline: Decision['timeline'],
  context: Context,
  options: { stop?: boolean } = {},
): Decision {
  const { dueAt, ...rest } = { ...deposit, ...change }
  const next: Deposit = {
    ...rest,
    ...(options.stop || dueAt === undefined ? {} : { dueAt }),
    version: deposit.version + 1,
    updatedAt: context.now,
  }
  return { deposit: next, moved: true, timeline }
}

function withoutReview(deposit: Deposit): Deposit {
  const { reviewReason: _, queryMissingSince: __, ...rest } = deposit
  return rest
}

function unmoved(deposit: Deposit): Decision {
  return { deposit, moved: false, timeline: [] }
}
