// Starts a deposit: check, store the row, call the service, answer. Money rules 1, 5, 6, 10.
import type { CreatedDeposit, CreateDeposit } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Change, IdempotencyRow } from '../ports/store.ts'
import type { Answers } from './answers.ts'
import { mustMayTry } from '../merchant/attempt-limit.ts'
import type { BankLists } from './banks.ts'
import type { Deposit, Session, TimelineKind } from '../machine/deposit.ts'
import { isLive, isReplaceable } from '../machine/phases.ts'
import type { Mover } from '../settle/mover.ts'
import { checkRequest, fault, newDeposit } from './new-deposit.ts'
import { createOpenShare } from './open-share.ts'
import type { Tools } from '../ports/machine.ts'
import type { Reconciler } from '../settle/reconcile.ts'
import type { Sender } from './send.ts'
import { orderIsPaid, type Sessions } from '../merchant/sessions.ts'

/** The row of an idempotency key that has no deposit yet. */
type NewKey = Omit<IdempotencyRow, 'depositId'>

export function createStarter(
  tools: Pick<Tools, 'store' | 'now' | 'random' | 'background' | 'traceparent'>,
  parts: {
    readonly settings: Settings
    readonly sessions: Sessions
    readonly banks: BankLists
    readonly sender: Sender
    readonly mover: Mover
    readonly reconciler: Reconciler
    readonly answers: Answers
  },
) {
  const { store, now, random, background, traceparent } = tools
  const { settings, sessions, sender, mover, reconciler, answers } = parts
  const takeOpenShare = createOpenShare('open', { store, now, rate: settings.rate })
  const takeRepeatShare = createOpenShare('repeat', { store, now, rate: settings.rate })
  let isClosed = false

  /**
   * The attempt that the customer replaces, saying that no money was sent for it (money rule 5); it
   * may have ended meanwhile.
   */
  async function attemptToReplace(body: CreateDeposit, session: Session | undefined): Promise<Deposit | undefined> {
    if (body.replaces === undefined) return undefined
    const old = await store.deposit(body.replaces)
    if (old === undefined || old.sessionId !== session?.id)
      throw fault('replaces_invalid', 'replaces', 'There is no such earlier payment.')
    if (old.phase === 'succeeded' || (isLive(old.phase) && !isReplaceable(old.phase))) throw notReplaceable(old)
    return old
  }

  async function answerLive(live: Deposit, row: NewKey): Promise<CreatedDeposit | 'again'> {
    const { applied } = await store.apply({ idempotency: { ...row, depositId: live.id, answer: answers.stored(live) } })
    // The same key was answered elsewhere meanwhile, perhaps with an attempt that this one has
    // replaced since.
    return applied ? answers.created(live) : 'again'
  }

  /**
   * Gives up the attempt that the new one replaces. Throws when it has been paid or reported as
   * paid meanwhile.
   */
  async function giveUp(old: Deposit, by: Deposit): Promise<void> {
    const given = await mover.move(old, { kind: 'replaced', by: by.id })
    if (given.phase === 'succeeded' || isLive(given.phase)) throw notReplaceable(given)
  }

  /**
   * Starts the deposit, or answers with the live attempt of its session. `again`: the key, or the
   * session, was taken elsewhere meanwhile, and the store now says by what. Throws a CompanionError
   * when nothing may be started.
   */
  async function start(body: CreateDeposit, row: NewKey): Promise<CreatedDeposit | 'again'> {
    const known = await checkRequest(body, parts)
    const { session } = known
    const old = await attemptToReplace(body, session)
    if (session !== undefined) {
      // In this order, so that a success between the two reads is seen by the second.
      const live = await store.liveDeposit(session.id)
      if ((await store.creditedDeposit(session.id)) !== undefined) throw orderIsPaid()
      if (live !== undefined && live.id !== old?.id) return answerLive(live, row)
      await sessions.mustBeOpen(session)
      await mustMayTry(session, store, now)
    }
    const isRepeat = old !== undefined || (session?.starts ?? 0) > 0
    if (isClosed) throw restarting()
    sender.mustBeUp(body.currency)
    if (session === undefined) await takeOpenShare()
    if (isRepeat) await takeRepeatShare()
    const deposit = newDeposit(body, known, { settings, random, now: now(), traceparent: traceparent() }, old)
    if (old !== undefined && isLive(old.phase)) await giveUp(old, deposit)
    const signature = sender.sign(deposit)
    const written = await store.apply(creationOf(deposit, row, session))
    if (!written.applied) {
      // `version`: the session was closed meanwhile, or another attempt was started in it.
      if (['idempotency', 'live', 'version'].includes(written.conflict)) return 'again'
      throw new CompanionError('internal_error', { detail: `A new deposit met the conflict ${written.conflict}.` })
    }
    const moved = await mover.move(deposit, await sender.send(deposit, signature, isRepeat ? 'repeat' : 'create'), {
      answer: { keyHash: row.keyHash, of: answers.stored },
    })
    if (moved.phase === 'unknown') background(() => reconciler.ask(moved, 'confirm'))
    return answers.created(moved)
  }

  return {
    start,
    /** From now on every start is refused. */
    close(): void {
      isClosed = true
    },
  }
}

/** What is written before the service is called (money rule 1). */
function creationOf(deposit: Deposit, row: NewKey, session: Session | undefined): Change {
  const { id, createdAt } = deposit
  return {
    deposit: { row: deposit, expect: 'new' },
    timeline: [{ depositId: id, at: createdAt, kind: 'started' satisfies TimelineKind, phase: 'creating', version: 1 }],
    idempotency: { ...row, depositId: id },
    startIn: session,
  }
}

function restarting(): CompanionError {
  return new CompanionError('upstream_unavailable', {
    detail: 'This server is being restarted. Nothing was charged. Try again in a moment.',
    retryAfter: 2,
  })
}

function notReplaceable({ phase }: Deposit): CompanionError {
  const message =
    phase === 'succeeded'
      ? 'The earlier payment has succeeded.'
      : 'The earlier payment is being confirmed. Wait for its result.'
  return fault('replaces_invalid', 'replaces', message)
}
