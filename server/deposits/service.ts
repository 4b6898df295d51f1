// Creates a deposit: check, store the row, call the service, answer. DESIGN.md money rules 1, 5, 6, 10.
import type { CreatedDeposit, CreateDeposit, DepositView } from '../contract/index.ts'
import { isRecent } from '../clock.ts'
import { CompanionError } from '../errors.ts'
import type { Settings } from '../settings.ts'
import type { Change, IdempotencyRow } from '../store/store.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { BankLists } from './banks.ts'
import type { Budget } from './budget.ts'
import type { Deposit, Session, TimelineKind } from './deposit.ts'
import { isLive, isReplaceable } from './deposit.ts'
import type { Capabilities } from './identity.ts'
import { sha256 } from './identity.ts'
import type { Mover } from './mover.ts'
import { checkRequest, fault, newDeposit } from './new-deposit.ts'
import { createOpenShare } from './open-share.ts'
import type { Tools } from './ports.ts'
import type { Reconciler } from './reconcile.ts'
import { CREATE_SETTLES_AFTER_MS } from './schedule.ts'
import { createSender } from './send.ts'
import { sessionExpired, type Sessions } from './sessions.ts'
import { toView } from './view.ts'

/** How long a repeated request waits for the first one with its key, on any instance, before it answers 409. */
const FIRST_ANSWER_WITHIN_MS = 5_000

export interface DepositService {
  /**
   * Starts a payment, or answers a repeat with what the first request with this key started.
   * @param countStart called before anything else is done for a key that is not known yet; what it throws refuses the start
   */
  create(body: CreateDeposit, idempotencyKey: string, countStart: () => void): Promise<CreatedDeposit>
  /** Recovers a lost answer: what the first request with this key created. Throws `not_found` if it created nothing. */
  recover(idempotencyKey: string): Promise<CreatedDeposit>
  /** The deposit of this id and token; throws `not_found` for any other, so that an id reveals nothing. */
  open(id: string, token: string): Promise<Deposit>
  view(deposit: Deposit): DepositView
  isMarketOff(currency: string): boolean
  /** Begins no deposit any more; resolves when those that were begun are answered. */
  close(): Promise<void>
}

export function createDepositService(
  tools: Tools,
  parts: {
    readonly settings: Settings
    readonly capabilities: Capabilities
    readonly sessions: Sessions
    readonly banks: BankLists
    readonly upstream: Upstream
    readonly budget: Budget
    readonly mover: Mover
    readonly reconciler: Reconciler
  },
): DepositService {
  const { store, now, random, background, sleep } = tools
  const { settings, capabilities, mover, reconciler } = parts
  const flights = new Map<string, { readonly fingerprint: string; readonly answer: Promise<CreatedDeposit> }>()
  let isClosed = false
  const sender = createSender(tools, parts)
  const takeOpenShare = createOpenShare({ store, now, rate: settings.rate })

  const payUrl = (deposit: Deposit) =>
    `${settings.publicUrl}/pay/${capabilities.link({ kind: 'deposit', id: deposit.id }, deposit.generation)}`
  const view = (deposit: Deposit) => toView(deposit, payUrl(deposit))

  function withToken(shown: DepositView, generation: number): CreatedDeposit {
    return { ...shown, token: capabilities.depositToken(shown.id, generation) }
  }
  /** The stored answer holds no token: it is derived again (DESIGN.md "References"). */
  const answerOf = (deposit: Deposit) => JSON.stringify({ view: view(deposit), generation: deposit.generation })
  function readAnswer(answer: string): CreatedDeposit {
    const { view: shown, generation } = JSON.parse(answer) as { view: DepositView; generation: number }
    return withToken(shown, generation)
  }

  /** The attempt that the customer replaces, saying that no money was sent for it (money rule 5); it may have ended meanwhile. */
  async function attemptToReplace(body: CreateDeposit, session: Session | undefined): Promise<Deposit | undefined> {
    if (body.replaces === undefined) return undefined
    const old = await store.deposit(body.replaces)
    if (old === undefined || old.sessionId !== session?.id)
      throw fault('replaces_invalid', 'replaces', 'There is no such earlier payment.')
    if (old.phase === 'succeeded' || (isLive(old.phase) && !isReplaceable(old.phase))) throw notReplaceable(old)
    return old
  }

  async function answerLive(live: Deposit, row: Omit<IdempotencyRow, 'depositId'>): Promise<CreatedDeposit | 'again'> {
    const { applied } = await store.apply({ idempotency: { ...row, depositId: live.id, answer: answerOf(live) } })
    // The same key was answered elsewhere meanwhile, perhaps with an attempt that this one has replaced since.
    return applied ? withToken(view(live), live.generation) : 'again'
  }

  /** Gives up the attempt that the new one replaces. Throws when it has been paid or reported as paid meanwhile. */
  async function giveUp(old: Deposit, by: Deposit): Promise<void> {
    const given = await mover.move(old, { kind: 'replaced', by: by.id })
    if (given.phase === 'succeeded' || isLive(given.phase)) throw notReplaceable(given)
  }

  async function startDeposit(
    body: CreateDeposit,
    row: Omit<IdempotencyRow, 'depositId'>,
  ): Promise<CreatedDeposit | 'again'> {
    const known = await checkRequest(body, parts)
    const { session } = known
    const old = await attemptToReplace(body, session)
    if (session !== undefined) {
      // In this order, so that a success between the two reads is seen by the second.
      const live = await store.liveDeposit(session.id)
      if ((await store.creditedDeposit(session.id)) !== undefined) throw paid()
      if (live !== undefined && live.id !== old?.id) return answerLive(live, row)
      if (session.expiresAt <= now()) throw sessionExpired()
    }
    if (isClosed) throw restarting()
    sender.mustBeUp(body.currency)
    if (session === undefined) await takeOpenShare()
    const deposit = newDeposit(body, known, { settings, random, now: now() }, old)
    if (old !== undefined && isLive(old.phase)) await giveUp(old, deposit)
    const signature = sender.sign(deposit)
    const written = await store.apply(creationOf(deposit, row))
    if (!written.applied) {
      if (written.conflict === 'idempotency' || written.conflict === 'live') return 'again'
      throw new CompanionError('internal_error', { detail: `A new deposit met the conflict ${written.conflict}.` })
    }
    // The stored answer is the one that is sent, so it is made once.
    let shown: { readonly of: Deposit; readonly view: DepositView } | undefined
    const moved = await mover.move(deposit, await sender.send(deposit, signature), {
      answer: {
        keyHash: row.keyHash,
        of(present) {
          shown = { of: present, view: view(present) }
          return JSON.stringify({ view: shown.view, generation: present.generation })
        },
      },
    })
    if (moved.phase === 'unknown') background(() => reconciler.ask(moved, 'confirm'))
    return withToken(shown?.of === moved ? shown.view : view(moved), moved.generation)
  }

  async function answerRepeat(row: IdempotencyRow): Promise<CreatedDeposit> {
    const began = now()
    for (let present: IdempotencyRow = row; ;) {
      if (present.answer !== undefined) return readAnswer(present.answer)
      const deposit = await store.deposit(present.depositId)
      // The first request died with its process, and its outcome is being settled by query: answer the current state. One that lies ahead by
      // as much is as old: the clock was set back since.
      if (deposit !== undefined && Math.abs(now() - deposit.createdAt) > CREATE_SETTLES_AFTER_MS)
        return withToken(view(deposit), deposit.generation)
      if (!isRecent(began, now(), FIRST_ANSWER_WITHIN_MS)) break
      await sleep(250)
      present = (await store.idempotency(row.keyHash)) ?? present
    }
    return inProgress()
  }

  async function createOnce(
    body: CreateDeposit,
    keyHash: string,
    fingerprint: string,
    countStart: () => void,
  ): Promise<CreatedDeposit> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const known = await store.idempotency(keyHash)
      if (known !== undefined) {
        if (known.fingerprint !== fingerprint) throw reused()
        return answerRepeat(known)
      }
      if (attempt === 0) countStart()
      const answer = await startDeposit(body, { keyHash, fingerprint, createdAt: now() })
      if (answer !== 'again') return answer
    }
    throw new CompanionError('store_unavailable', {
      detail: 'Too many requests at once; ask again with the same key.',
      retryAfter: 1,
    })
  }

  return {
    async create(body, idempotencyKey, countStart) {
      const keyHash = sha256(idempotencyKey)
      // The check of the body has put its fields in one order. It must stay that order: an upgrade would refuse each create that is sent again.
      const fingerprint = sha256(JSON.stringify(body))
      const running = flights.get(keyHash)
      if (running !== undefined) {
        if (running.fingerprint !== fingerprint) throw reused()
        return Promise.race([running.answer, sleep(FIRST_ANSWER_WITHIN_MS).then(inProgress)])
      }
      const answer = createOnce(body, keyHash, fingerprint, countStart).finally(() => flights.delete(keyHash))
      flights.set(keyHash, { fingerprint, answer })
      return answer
    },

    async recover(idempotencyKey) {
      const keyHash = sha256(idempotencyKey)
      const running = flights.get(keyHash)
      if (running !== undefined) return running.answer
      const row = await store.idempotency(keyHash)
      const deposit = row === undefined ? undefined : await store.deposit(row.depositId)
      if (deposit === undefined) throw new CompanionError('not_found', { detail: 'Nothing was started with this key.' })
      return withToken(view(deposit), deposit.generation)
    },

    async open(id, token) {
      const deposit = await store.deposit(id)
      if (deposit === undefined || !capabilities.isDepositToken(token, deposit.id, deposit.generation)) {
        throw new CompanionError('not_found', { detail: 'There is no such payment, or the token is not its own.' })
      }
      return deposit
    },

    view,
    isMarketOff: sender.isMarketOff,

    async close() {
      isClosed = true
      await Promise.allSettled([...flights.values()].map(({ answer }) => answer))
    },
  }
}

/** What is written before the service is called (money rule 1). */
function creationOf(deposit: Deposit, row: Omit<IdempotencyRow, 'depositId'>): Change {
  const { id, createdAt } = deposit
  const kind: TimelineKind = 'started'
  return {
    deposits: [{ row: deposit, expect: 'new' }],
    timeline: [{ depositId: id, at: createdAt, kind, phase: 'creating', version: 1 }],
    idempotency: { ...row, depositId: id },
  }
}

function paid(): CompanionError {
  return new CompanionError('session_paid', { detail: 'This order is already paid. There is nothing more to do.' })
}

function restarting(): CompanionError {
  return new CompanionError('upstream_unavailable', {
    detail: 'This server is being restarted. Nothing was charged. Try again in a moment.',
    retryAfter: 2,
  })
}

function inProgress(): never {
  throw new CompanionError('idempotency_key_in_progress', {
    detail: 'The first request is still running. Ask again with the same key.',
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

function reused(): CompanionError {
  return new CompanionError('idempotency_key_reused', { detail: 'Use a new Idempotency-Key for a new payment.' })
}
