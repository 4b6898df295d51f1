// Reconciles deposits with the service by status query: at once after a callback, often while
// someone watches, otherwise by schedule. open-points.md "Transaction query"; only our own signed
// status query decides (money rule 3).
import { oneAtATime } from '../../platform/one-at-a-time.ts'
import type { Upstream } from '../ports/upstream.ts'
import type { Budget, Priority } from './budget.ts'
import { isPatient } from './budget.ts'
import type { Deposit } from '../machine/deposit.ts'
import { isAbsorbing, isInDoubt } from '../machine/phases.ts'
import type { Input } from '../machine/transition.ts'
import type { Mover } from './mover.ts'
import type { Tools } from '../ports/machine.ts'

/**
 * Longer than the client's total deadline: if the lease ended earlier, the deposit would be queried
 * twice.
 */
const LEASE_MS = 45_000
/**
 * Deposits in a lease are queried concurrently, so that none outlives its lease behind a slow one.
 */
const BATCH = 48
/** Limit of concurrent queries: below it slow answers delay no other deposit. */
const MOST_AT_ONCE = 4 * BATCH
/**
 * Where other companions share the database: how long a create that is due is left alone after it
 * was first seen. A companion whose clock is half a minute ahead would otherwise give up creates of
 * the others that are still under way.
 */
const SEEN_FOR_MS = 20_000
const MOST_SEEN = 10_000
/** Different unknown words that are logged. */
const MOST_STATUSES = 100
/** Delay before the next try when the budget says "not now". */
const BUDGET_RETRY_MS = 2_000

/**
 * Share of the patient queries reserved for payments that had ended before a restore, however many
 * customers are watching.
 */
const ENDED_PART = 1 / 8

interface Parts {
  readonly upstream: Upstream
  readonly mover: Mover
  readonly budget: Budget
  /**
   * `HC_CONFIRM=callback`: the contract may have no status query, so open deposits wait for their
   * callback. Default false.
   */
  readonly callbacksDecide?: boolean
  /** Other companions, with other clocks, create payments in the same database. Default false. */
  readonly shared?: boolean
}

export function createReconciler(tools: Tools, parts: Parts) {
  const { store, now, isWatched, logger, count, observe, hear } = tools
  const { upstream, mover, budget, callbacksDecide = false, shared = false } = parts
  const flights = new Map<string, Promise<Deposit>>()
  let begun = 0
  const rounds = new Set<number>()
  let asking = 0
  /**
   * Unused fraction of `ENDED_PART`, carried over so that a small budget adds up to whole queries.
   */
  let endedPart = 0

  const seenCreating = new Set<string>()
  function isFirstSight({ id, version }: Deposit): boolean {
    // Only a restore raises the version of one that is being created: who made it has nothing to do
    // with this database any more.
    if (!shared || version > 1 || seenCreating.delete(id)) return false
    if (seenCreating.size >= MOST_SEEN) seenCreating.clear()
    seenCreating.add(id)
    return true
  }

  /**
   * What the service said of each deposit in place of an answer: repeated at each query, it would
   * fill the timeline.
   */
  const lastSaid = new Map<string, string>()
  function newWords({ id }: Deposit, message: string | undefined): string | undefined {
    if (message === undefined || lastSaid.get(id) === message) return undefined
    if (lastSaid.size >= MOST_SEEN) lastSaid.clear()
    lastSaid.set(id, message)
    return message
  }

  const unknownStatuses = new Set<string>()

  /** Each word once: a service that has a word of its own says it in every answer. */
  function noteStatus(status: string): void {
    if (unknownStatuses.has(status) || unknownStatuses.size >= MOST_STATUSES) return
    unknownStatuses.add(status)
    logger.warn({ status }, 'the service answers a status query with a status that is not known; it counts as PENDING')
  }

  async function inputFor(deposit: Deposit): Promise<Input> {
    const { walletNo, reference, amount, currency, payer } = deposit
    const started = now()
    const outcome = await upstream.query({ walletNo, reference, sum: { amount, currency }, payer })
    observe('upstream', (now() - started) / 1000, { call: 'query' })
    hear(deposit, { call: 'query', outcome })
    if (outcome.kind === 'found' && outcome.unknownStatus !== undefined) noteStatus(outcome.unknownStatus)
    count('upstream_calls', { call: 'query', outcome: outcome.kind === 'found' ? outcome.status : outcome.kind })
    switch (outcome.kind) {
      case 'found':
        return { ...outcome, kind: 'answered' }
      case 'not_found':
        return { kind: 'not-found' }
      case 'path_missing':
        // A deposit in doubt cannot be settled any other way: a person must look (money rule 3).
        return { kind: callbacksDecide && !isInDoubt(deposit.phase) ? 'no-query' : 'query-missing' }
      case 'failed':
        return { kind: 'query-failed', retryAfterMs: outcome.retryAfterMs, said: newWords(deposit, outcome.message) }
    }
  }

  async function askNow(deposit: Deposit, priority: Priority): Promise<Deposit> {
    // A call that the circuit breaker would refuse is no request, and must not use up budget.
    if (upstream.isDown() || !(await budget.take(priority))) {
      count('upstream_budget', { purpose: priority, granted: 'false' })
      // Patient queries are due again at once, behind all others: their own pace already keeps them
      // from retrying too often.
      const dueAt = isPatient(priority) ? now() : now() + BUDGET_RETRY_MS
      // Due by then as it is: the scheduler takes it once there is budget. Otherwise each callback
      // beyond the budget would cost a second write.
      if ((deposit.dueAt ?? Infinity) <= dueAt) return deposit
      await store.reschedule(deposit, { ...deposit, dueAt })
      return deposit
    }
    const input = await inputFor(deposit)
    const present = (await store.deposit(deposit.id)) ?? deposit
    return mover.move(present, input)
  }

  /**
   * Queries now and applies the answer; joins a query that is already in flight for this deposit.
   */
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
      if (deposit.phase === 'creating' && isFirstSight(deposit)) {
        await store.reschedule(deposit, { ...deposit, dueAt: now() + SEEN_FOR_MS })
        return
      }
      // Still `creating` when due: the process that made the call died, or is slow. The outcome is
      // unknown (money rule 1).
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

  /** One lease at a time, so that calls do not pile up on a database that does not answer. */
  const leaseDue = oneAtATime(async (): Promise<readonly Deposit[]> => {
    // Deposits beyond the budget stay due, instead of being leased and put back.
    const most = Math.min(BATCH, MOST_AT_ONCE - asking, budget.left('confirm'))
    if (most <= 0 || upstream.isDown()) return []
    const others = budget.left('watch')
    endedPart += others * ENDED_PART
    const ended = Math.floor(endedPart)
    endedPart -= ended
    return store.leaseDeposits(now(), now() + LEASE_MS, most, { others, ended })
  }, [])

  /**
   * Queries a batch of due deposits; returns how many it took. May be called again while it runs,
   * so a query that hangs delays only its own deposit.
   */
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

  return {
    ask,
    askDue,
    /** Number of rounds started so far. */
    begun: (): number => begun,
    /** Whether the first `until` rounds are over: none of their queries is running any more. */
    areOver: (until: number): boolean => [...rounds].every((round) => round > until),
  }
}

export type Reconciler = ReturnType<typeof createReconciler>
