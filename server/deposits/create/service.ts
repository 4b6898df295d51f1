// The narrow waist: at most one deposit for each idempotency key, however often it is sent and to
// however many instances. Money rule 1.
import type { CreatedDeposit, CreateDeposit } from '../../contract/index.ts'
import { isRecent } from '../../platform/clock.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { IdempotencyRow } from '../ports/store.ts'
import type { Upstream } from '../ports/upstream.ts'
import { createAnswers } from './answers.ts'
import type { BankLists } from './banks.ts'
import type { Budget } from '../settle/budget.ts'
import type { Deposit } from '../machine/deposit.ts'
import type { Capabilities } from '../identity.ts'
import { FIRST_GENERATION, keyHashOf, sha256 } from '../identity.ts'
import type { Mover } from '../settle/mover.ts'
import type { Tools } from '../ports/machine.ts'
import type { Reconciler } from '../settle/reconcile.ts'
import { CREATE_SETTLES_AFTER_MS } from '../machine/schedule.ts'
import { createSender } from './send.ts'
import type { Sessions } from '../merchant/sessions.ts'
import { createStarter } from './start.ts'

/**
 * How long a repeated request waits for the first one with its key, on any instance, before it
 * answers 409.
 */
const FIRST_ANSWER_WITHIN_MS = 5_000

/**
 * Called before a new payment is started, not for a repeat: there the key is stored, or its first
 * request is still running in this process. Throws when the caller has started too many. Then
 * nothing is started.
 */
export type MayStart = () => void

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
) {
  const { store, now, sleep } = tools
  const { capabilities } = parts
  const flights = new Map<string, { readonly fingerprint: string; readonly answer: Promise<CreatedDeposit> }>()
  const answers = createAnswers(parts)
  const sender = createSender(tools, parts)
  const starter = createStarter(tools, { ...parts, sender, answers })

  async function answerRepeat(row: IdempotencyRow): Promise<CreatedDeposit> {
    const began = now()
    for (let present: IdempotencyRow = row; ;) {
      const deposit = await store.deposit(present.depositId)
      if (present.answer !== undefined && deposit !== undefined) return answers.read(present.answer, deposit)
      // The first request died with its process, and its outcome is being settled by query, or a
      // callback or a query was faster than its answer: answer the current state. One that lies
      // ahead by as much is as old: the clock was set back since.
      if (
        deposit !== undefined &&
        (deposit.phase !== 'creating' || Math.abs(now() - deposit.createdAt) > CREATE_SETTLES_AFTER_MS)
      )
        return answers.created(deposit)
      if (!isRecent(began, now(), FIRST_ANSWER_WITHIN_MS)) break
      await sleep(250)
      present = (await store.idempotency(row.keyHash)) ?? present
    }
    return inProgress()
  }

  /**
   * A repeat in the process of the first request: its answer, or what the store tells of it before.
   */
  async function joined(keyHash: string, first: Promise<CreatedDeposit>): Promise<CreatedDeposit> {
    const race = { isOver: false }
    async function stored(): Promise<CreatedDeposit> {
      const began = now()
      while (!race.isOver && isRecent(began, now(), FIRST_ANSWER_WITHIN_MS)) {
        const row = await store.idempotency(keyHash)
        const deposit = row === undefined ? undefined : await store.deposit(row.depositId)
        // With an answer stored the first request is about to give it.
        if (deposit !== undefined && deposit.phase !== 'creating' && row?.answer === undefined)
          return answers.created(deposit)
        await sleep(250)
      }
      return race.isOver ? first : inProgress()
    }
    return Promise.race([first, stored()]).finally(() => (race.isOver = true))
  }

  async function createOnce(
    body: CreateDeposit,
    { keyHash, fingerprint }: Pick<IdempotencyRow, 'keyHash' | 'fingerprint'>,
    first: IdempotencyRow | undefined,
  ): Promise<CreatedDeposit> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const known = attempt === 0 ? first : await store.idempotency(keyHash)
      if (known !== undefined) {
        if (known.fingerprint !== fingerprint) throw reused()
        return answerRepeat(known)
      }
      const answer = await starter.start(body, { keyHash, fingerprint, createdAt: now() })
      if (answer !== 'again') return answer
    }
    throw new CompanionError('store_unavailable', {
      detail: 'Too many requests at once; ask again with the same key.',
      retryAfter: 1,
    })
  }

  return {
    /** Starts a payment, or answers a repeat with what the first request with this key started. */
    async create(body: CreateDeposit, idempotencyKey: string, mayStart: MayStart): Promise<CreatedDeposit> {
      const keyHash = keyHashOf(idempotencyKey)
      // The check of the body has put its fields in one order. It must stay that order: an upgrade
      // would refuse each create that is sent again.
      const fingerprint = sha256(JSON.stringify(body))
      const known = flights.has(keyHash) ? undefined : await store.idempotency(keyHash)
      // After the read: nobody joins a request that `mayStart` is about to refuse.
      const running = flights.get(keyHash)
      if (running !== undefined) {
        if (running.fingerprint !== fingerprint) throw reused()
        return joined(keyHash, running.answer)
      }
      if (known === undefined) mayStart()
      const answer = createOnce(body, { keyHash, fingerprint }, known).finally(() => flights.delete(keyHash))
      flights.set(keyHash, { fingerprint, answer })
      return answer
    },

    /**
     * Recovers a lost answer: what the first request with this key created. Throws `not_found` if
     * it created nothing.
     */
    async recover(idempotencyKey: string): Promise<CreatedDeposit> {
      const keyHash = keyHashOf(idempotencyKey)
      const row = await store.idempotency(keyHash)
      const deposit = row === undefined ? undefined : await store.deposit(row.depositId)
      const running = flights.get(keyHash)
      if (running !== undefined && (deposit === undefined || deposit.phase === 'creating')) return running.answer
      if (deposit === undefined) throw new CompanionError('not_found', { detail: 'Nothing was started with this key.' })
      return answers.created(deposit)
    },

    /**
     * The deposit of this id and token; throws `not_found` for any other, so that an id reveals
     * nothing.
     */
    async open(id: string, token: string): Promise<Deposit> {
      const deposit = await store.deposit(id)
      // A wrong token learns nothing of whether there is such a payment.
      if (!capabilities.isDepositToken(token, id, deposit?.generation ?? FIRST_GENERATION))
        throw new CompanionError('bearer_wrong', {
          detail: 'The token is not this payment’s. A changed HC_SECRET ends the earlier ones.',
        })
      // This installation has made the token: the payment is in another of its databases, or in a
      // newer backup.
      if (deposit === undefined)
        throw new CompanionError('not_found', {
          detail:
            'The token is genuine, but the payment is not in this database: is it another one, or restored ' +
            'from an older backup?',
        })
      return deposit
    },

    view: answers.view,
    isMarketOff: sender.isMarketOff,

    /** Begins no deposit any more; resolves when those that were begun are answered. */
    async close(): Promise<void> {
      starter.close()
      sender.close()
      await Promise.allSettled([...flights.values()].map(({ answer }) => answer))
    },
  }
}

export type DepositService = ReturnType<typeof createDepositService>

function inProgress(): never {
  throw new CompanionError('idempotency_key_in_progress', {
    detail: 'The first request is still running. Ask again with the same key.',
    retryAfter: 2,
  })
}

function reused(): CompanionError {
  return new CompanionError('idempotency_key_reused', { detail: 'Use a new Idempotency-Key for a new payment.' })
}
