// Asks the service for the truth: after a ring at once, while someone watches often, otherwise by the schedule.
// FACTS.md "Transaction query"; the word that counts is our own signed status query (money rule 3).
import { oneAtATime } from '../one-at-a-time.ts'
import type { QueryOutcome, Upstream } from '../upstream/upstream.ts'
import type { Budget, Priority } from './budget.ts'
import { isPatient } from './budget.ts'
import type { Deposit } from './deposit.ts'
import { isAbsorbing, isInDoubt } from './deposit.ts'
import type { Input } from './decision.ts'
import type { Mover } from './mover.ts'
import type { Tools } from './ports.ts'

/** Past the client's own total deadline: a lease that ends earlier would ask twice. */
const LEASE_MS = 45_000
/** All leased are asked at once, so that none waits past its lease behind a slow one. */
const BATCH = 48
/** Those that the service is slow to answer keep nobody else waiting, until they are so many. */
const MOST_AT_ONCE = 4 * BATCH
/** So long a wallet's queries may bring no state at all before a person is told: nothing could be proven, and nobody would see it otherwise. */
const UNANSWERED_MS = 15 * 60_000
/** How soon to come back when the budget said "not now". */
const BUDGET_RETRY_MS = 2_000

/** Of what is asked patiently, this part is of payments that had ended before a restore, even while customers look on without end. */
const ENDED_PART = 1 / 8

export interface Reconciler {
  /** Asks now and applies the answer; joins a query that is already in flight for this deposit. */
  ask(deposit: Deposit, priority: Priority): Promise<Deposit>
  /**
   * Asks for everything that is due, some at a time; answers how many deposits it took. May be called again while it runs: a query that hangs
   * then holds up only its own deposit.
   */
  askDue(): Promise<number>
  /** Rounds of asking begun so far. */
  begun(): number
  /** Whether the first `until` rounds are over: nothing that they took is being asked about any more. */
  areOver(until: number): boolean
}

interface Parts {
  readonly upstream: Upstream
  readonly mover: Mover
  readonly budget: Budget
  /** `HC_CONFIRM=callback`: the contract may have no query, and what is open waits for its callback. Default false. */
  readonly callbacksDecide?: boolean
}

export function createReconciler(tools: Tools, parts: Parts): Reconciler {
  const { store, now, isWatched, logger, count, observe, alarm } = tools
  const { upstream, mover, budget, callbacksDecide = false } = parts
  const flights = new Map<string, Promise<Deposit>>()
  let begun = 0
  const rounds = new Set<number>()
  let asking = 0
  /** What the ended ones have saved of their part; one at a time may be had of a small budget. */
  let endedPart = 0

  /** By the wallet, since when its queries have failed. A path that is missing has an alarm of its own. */
  const unanswered = new Map<string, number>()

  function noteAnswer({ walletNo, currency }: Deposit, outcome: QueryOutcome): void {
    const at = now()
    const since = Math.min(unanswered.get(walletNo) ?? at, at)
    if (outcome.kind === 'failed') unanswered.set(walletNo, since)
    else unanswered.delete(walletNo)
    if (outcome.kind === 'failed' && at - since >= UNANSWERED_MS)
      alarm('query_unanswered', `${currency}: no state since ${new Date(since).toISOString()}; now ${outcome.reason}.`)
  }

  async function inputFor(deposit: Deposit): Promise<Input> {
    const started = now()
    const outcome = await upstream.query({ walletNo: deposit.walletNo, reference: deposit.reference })
    observe('upstream', (now() - started) / 1000, { call: 'query' })
    noteAnswer(deposit, outcome)
    count('upstream_calls', { call: 'query', outcome: outcome.kind === 'found' ? outcome.status : outcome.kind })
    switch (outcome.kind) {
      case 'found':
        return {
          kind: 'answered',
          status: outcome.status,
          reference: outcome.reference,
          ...(outcome.transactionId === undefined ? {} : { transactionId: outcome.transactionId }),
          ...(outcome.description === undefined ? {} : { description: outcome.description }),
        }
      case 'not_found':
        return { kind: 'not-found' }
      case 'path_missing':
        // What is in doubt has nobody else to be asked of: a person must look (money rule 3).
        return { kind: callbacksDecide && !isInDoubt(deposit.phase) ? 'query-failed' : 'query-missing' }
      case 'failed':
        return {
          kind: 'query-failed',
          ...(outcome.retryAfterMs === undefined ? {} : { retryAfterMs: outcome.retryAfterMs }),
        }
    }
  }

  async function askNow(deposit: Deposit, priority: Priority): Promise<Deposit> {
    // What the service's breaker would not let through is no request, and must use up none.
    if (upstream.isDown() || !(await budget.take(priority))) {
      count('upstream_budget', { purpose: priority, granted: 'false' })
      // Due already: it comes by the clockwork, when there is something to ask with.
      if ((deposit.dueAt ?? Infinity) <= now()) return deposit
      // Of the patient, due again and behind all others that are: by their pace there is no hurry to be kept from.
      const dueAt = isPatient(priority) ? now() : now() + BUDGET_RETRY_MS
      await store.reschedule(deposit, { ...deposit, dueAt })
      return deposit
    }
    const input = await inputFor(deposit)
    const present = (await store.deposit(deposit.id)) ?? deposit
    return mover.move(present, input)
  }

  function ask(deposit: Deposit, priority: Priority): Promise<Deposit> {
    if (isAbsorbing(deposit.phase)) return Promise.resolve(deposit)
    const running = flights.get(deposit.id)
    if (running !== undefined) return running
    const flight = askNow(deposit, priority).finally(() => flights.delete(deposit.id))
    flights.set(deposit.id, flight)
    return flight
  }

  function priorityOf(deposit: Deposit): Priority {
    if (isInDoubt(deposit.phase)) return 'confirm'
    return isWatched(deposit.id) ? 'watch' : 'sweep'
  }

  async function askOne(deposit: Deposit): Promise<void> {
    try {
      // Still `creating` when due: the process that made the call died, or is slow. The outcome is unknown (money rule 1).
      const row =
        deposit.phase === 'creating'
          ? await mover.move(deposit, {
              kind: 'create-unknown',
              reason: 'The call did not end in time; its process may have stopped.',
            })
          : deposit
      await ask(row, priorityOf(row))
    } catch (error) {
      logger.error({ depositId: deposit.id, err: error }, 'a status query could not be carried out; it stays due')
    } finally {
      asking -= 1
    }
  }

  /** One at a time: a database that is silent has one lease to answer, whatever is due meanwhile. */
  const leaseDue = oneAtATime(async (): Promise<readonly Deposit[]> => {
    // What nobody may ask about now stays due, instead of being leased and put back.
    const most = Math.min(BATCH, MOST_AT_ONCE - asking, budget.left('confirm'))
    if (most <= 0 || upstream.isDown()) return []
    const patient = budget.left('watch')
    endedPart += patient * ENDED_PART
    const ended = Math.floor(endedPart)
    endedPart -= ended
    return store.leaseDeposits(now(), now() + LEASE_MS, most, patient, ended)
  }, [])

  async function askDue(): Promise<number> {
    const round = (begun += 1)
    rounds.add(round)
    try {
      const due = await leaseDue()
      asking += due.length
      await Promise.all(due.map(askOne))
      return due.length
    } finally {
      rounds.delete(round)
    }
  }

  return { ask, askDue, begun: () => begun, areOver: (until) => [...rounds].every((round) => round > until) }
}
