// The only place that moves a deposit: decides on the current row, writes row, timeline and notice
// in one transaction, and decides again if another writer was first (money rules 4 and 8).
import { CompanionError } from '../../platform/errors.ts'
import type { NoticeType } from '../../contract/index.ts'
import type { Change, InboxRow, NoticeRow, TimelineRow } from '../ports/store.ts'
import { decide } from '../machine/decide.ts'
import type { Transition, Input } from '../machine/transition.ts'
import type { Deposit } from '../machine/deposit.ts'
import { noticeId } from '../identity.ts'
import type { Tools } from '../ports/machine.ts'
import { toNotice } from '../view.ts'

/** What else is written in the transaction of a move. */
export interface ExtraWrites {
  readonly inbox?: InboxRow
  /** Makes the stored answer of an idempotency key from the moved deposit. */
  readonly answer?: { readonly keyHash: string; readonly of: (deposit: Deposit) => string }
}

const MOST_TRIES = 12

/**
 * A payment succeeds once, however it got there; events that can recur are distinguished by
 * version.
 */
function eventOf(type: NoticeType, version: number): string {
  return type === 'payment.succeeded' || type === 'payment.duplicate' ? type : `${type} ${version}`
}

/**
 * What the service answered to our query: the evidence for what came of it. Its words come without
 * the payer (QueryOrder).
 */
function answerIn(input: Input): string | undefined {
  if (input.kind !== 'answered') return undefined
  const { transactionId = '', description = '' } = input
  const named = transactionId === '' ? '' : `transaction ${transactionId}`
  const said = [named, description].filter((text) => text !== '')
  return said.length === 0 ? undefined : said.join(': ')
}

/**
 * @param decideMove the state machine; only the simulation gives another, to prove that it finds a
 * wrong one (test/sim/plants.ts)
 * @param awake see after-restore.ts
 */
export function createMover(
  tools: Tools,
  decideMove: typeof decide = decide,
  awake: (createdAt: number) => Promise<void> = async () => {},
) {
  const { store, now, trustedNow, logger, count, observe, alert, isWatched, background } = tools

  function changeOf(
    before: Deposit,
    input: Input,
    transition: Transition,
    extra: ExtraWrites | undefined,
    at: number,
  ): Change {
    const { deposit } = transition
    const answer = answerIn(input)
    const timeline: TimelineRow[] = transition.timeline.map((entry) => ({
      depositId: deposit.id,
      at,
      kind: entry.kind,
      phase: deposit.phase,
      version: deposit.version,
      detail: entry.detail ?? answer,
    }))
    const notices: NoticeRow[] =
      transition.notice === undefined
        ? []
        : [
            {
              id: noticeId(deposit, eventOf(transition.notice, deposit.version)),
              depositId: deposit.id,
              type: transition.notice,
              body: JSON.stringify(toNotice(deposit, transition.notice)),
              createdAt: at,
              state: 'waiting',
              attempts: 0,
              dueAt: at,
              traceparent: deposit.traceparent,
            },
          ]
    return {
      deposit: { row: deposit, expect: before.version, before },
      timeline,
      notices,
      inbox: extra?.inbox,
      answer: extra?.answer && { keyHash: extra.answer.keyHash, answer: extra.answer.of(deposit) },
    }
  }

  /**
   * Whether another attempt has succeeded: one of the same order or session or, without them, one
   * that this attempt replaced.
   */
  async function hasOtherSucceeded({ sessionId, orderId, mode, replaces = [] }: Deposit): Promise<boolean> {
    if (orderId !== undefined) return (await store.orderPayment(orderId, mode))?.phase === 'succeeded'
    if (sessionId !== undefined) return (await store.creditedDeposit(sessionId)) !== undefined
    const earlier = await Promise.all(replaces.map((id) => store.deposit(id)))
    return earlier.some((attempt) => attempt?.phase === 'succeeded')
  }

  /**
   * The `paidElsewhere` of a decision: looked up only for an attempt that is open or about to be.
   * Two successes of one order are detected by the store.
   */
  async function isPaidElsewhere(deposit: Deposit, input: Input): Promise<boolean> {
    const isPending = input.kind === 'no-query' || (input.kind === 'answered' && input.status === 'PENDING')
    const waits = deposit.phase === 'open' && isPending
    const begins = input.kind === 'created' && input.urlAllowed
    return (waits || begins) && hasOtherSucceeded(deposit)
  }

  async function othersOf({ sessionId, orderId, mode, replacedBy }: Deposit): Promise<readonly Deposit[]> {
    if (orderId !== undefined) return store.liveOfOrder(orderId, mode)
    let next = sessionId === undefined ? undefined : await store.liveDeposit(sessionId)
    if (sessionId === undefined && replacedBy !== undefined) next = await store.deposit(replacedBy)
    while (next?.replacedBy !== undefined) next = await store.deposit(next.replacedBy)
    return next === undefined ? [] : [next]
  }

  /**
   * Gives up what took the place of an attempt that is paid after all, whether it is open or about
   * to be, before the customer pays both.
   */
  async function giveUpOthers(paid: Deposit): Promise<void> {
    for (const other of await othersOf(paid)) await move(other, { kind: 'order-paid' })
  }

  /**
   * What follows a stored move: metrics, log, alert, and the end of another attempt that must not
   * be paid as well.
   */
  function afterMove(before: Deposit, transition: Transition, at: number): void {
    const { deposit, moved } = transition
    const { phase, late, sessionId, replacedBy, settledAt } = deposit
    if (moved) {
      count('deposits_moved', { phase, currency: deposit.currency })
      if (settledAt === at) observe('settle', (at - deposit.createdAt) / 1000, { phase })
      // Every move is already in the timeline; four log lines for each payment at info would bury
      // what an operator looks for.
      logger.debug(
        {
          depositId: deposit.id,
          reference: deposit.reference,
          from: before.phase,
          to: phase,
          version: deposit.version,
        },
        'deposit moved',
      )
    }
    if (transition.alert !== undefined) alert(transition.alert, deposit.reference)
    const mayHaveOther = sessionId !== undefined || replacedBy !== undefined
    if (phase === 'succeeded' && late && mayHaveOther) background(() => giveUpOthers(deposit))
  }

  /**
   * Applies `input` to the deposit; returns the row afterwards. Throws `store_unavailable` if it
   * can't be written.
   */
  async function move(first: Deposit, firstInput: Input, extra?: ExtraWrites): Promise<Deposit> {
    await awake(first.createdAt)
    let deposit = first
    let input = firstInput
    let paidElsewhere = await isPaidElsewhere(first, firstInput)
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const at = now()
      const watched = isWatched(deposit.id)
      const transition = decideMove(deposit, input, { now: at, trustedNow: trustedNow(), watched, paidElsewhere })
      const written =
        transition.moved || transition.timeline.length > 0 || transition.deposit.transactionId !== deposit.transactionId
      if (!written && extra === undefined) {
        if (transition.deposit === deposit) return deposit
        await store.reschedule(deposit, transition.deposit)
        if (transition.alert !== undefined) alert(transition.alert, deposit.reference)
        return transition.deposit
      }
      const result = await store.apply(changeOf(deposit, input, transition, extra, at))
      if (result.applied) {
        afterMove(deposit, transition, at)
        return transition.deposit
      }
      count('store_conflicts', { kind: result.conflict })
      if (result.conflict === 'credited') {
        paidElsewhere = true
      } else if (result.conflict === 'transaction') {
        input = { kind: 'transaction-conflict' }
      } else if (result.conflict !== 'version') {
        throw new CompanionError('internal_error', { detail: `A move met the conflict ${result.conflict}.` })
      }
      const present = await store.deposit(deposit.id)
      if (present === undefined) throw new CompanionError('not_found')
      deposit = present
    }
    throw new CompanionError('store_unavailable', { detail: 'Too many writers at once; ask again.', retryAfter: 1 })
  }

  return { move }
}

export type Mover = ReturnType<typeof createMover>
