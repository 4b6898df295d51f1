// The one budget for all requests to the service (service.md "Limits", money rule 11), in order of
// priority: confirm, create, check, repeat, watch, sweep. As the budget empties, lower priorities
// stop first.
import type { Store } from '../ports/store.ts'
import type { BudgetMemory } from './budget-memory.ts'
import { createSlidingWindow, type SlidingWindow } from './sliding-window.ts'

/** `repeat`: the create of an attempt that is not the first of its customer. */
export type Priority = 'confirm' | 'create' | 'check' | 'repeat' | 'watch' | 'sweep'

const share: Readonly<Record<Priority, number>> = {
  confirm: 1,
  create: 0.95,
  check: 0.88,
  repeat: 0.84,
  watch: 0.8,
  sweep: 0.6,
}

const CHUNK = 10
/** Seven windows of 10 s cover any 60 s. */
const SHARED_WINDOW_MS = 10_000
const SHARED_WINDOWS = 7
/**
 * How much of the patient rate may be used at once after a quiet time: a larger burst would delay
 * watched payments.
 */
const BURST_MS = 1_000
const LEAST_BURST = 5

/**
 * Queries that can wait are spread evenly over the minute, so that payments that start late in it
 * are watched as well.
 */
export const isPatient = (priority: Priority): boolean => priority === 'watch' || priority === 'sweep'

/**
 * Share of the patient rate reserved for sweeps however many customers are watching: those who left
 * the page may have paid too.
 */
const SWEEP_PART = 1 / 8

/** A token bucket that refills evenly at `perMinute`. */
function createPace(perMinute: number, now: () => number): { left(): number; take(): boolean } {
  const perMs = perMinute / 60_000
  const most = Math.max(LEAST_BURST, perMs * BURST_MS)
  let tokens = most
  let filledAt = now()

  function left(): number {
    const at = now()
    // A clock that steps back adds no tokens.
    tokens = Math.min(most, tokens + Math.max(0, at - filledAt) * perMs)
    filledAt = at
    return Math.floor(tokens)
  }
  return {
    left,
    take() {
      if (left() < 1) return false
      tokens -= 1
      return true
    },
  }
}

/**
 * At most `rate` requests in any 60 s by this process (an exact sliding window), and, if `shared`,
 * `rate` a minute over all instances by the store's shared counter, taken in chunks.
 */
export function createBudget(options: {
  readonly store: Pick<Store, 'take'>
  readonly now: () => number
  readonly rate: number
  readonly shared: boolean
  /**
   * Of a process that shares with none: makes what it has used last through a restart. Default:
   * forgotten.
   */
  readonly memory?: (used: SlidingWindow) => BudgetMemory
}) {
  const { store, now, rate, shared } = options
  const made = createSlidingWindow(now)
  const memory = options.memory?.(made)
  const pace = createPace(rate * share.watch, now)
  const sweepPace = createPace(rate * share.watch * SWEEP_PART, now)
  /**
   * In the current shared window: requests taken in advance by this process, and the highest share
   * known to be used up.
   */
  let pool = 0
  let poolWindow = -1
  let dry = 0
  let filling: Promise<void> | undefined

  const fits = (priority: Priority): boolean => made.total() + 1 <= Math.floor(rate * share[priority])

  /**
   * The priority to charge: a sweep that no longer fits its own share may use its reserved part of
   * the watch share.
   */
  function standingOf(priority: Priority): Priority | undefined {
    if (fits(priority)) return priority
    return priority === 'sweep' && fits('watch') && sweepPace.take() ? 'watch' : undefined
  }

  function turnWindow(): void {
    const window = Math.floor(now() / SHARED_WINDOW_MS) * SHARED_WINDOW_MS
    if (window === poolWindow) return
    poolWindow = window
    pool = 0
    dry = 0
  }

  async function fill(priority: Priority): Promise<void> {
    const window = poolWindow
    // At the smallest HC_RATE, 10, one in each window is at most 7 of 10.
    const limit = Math.max(1, Math.floor((rate * share[priority]) / SHARED_WINDOWS))
    const granted = await store.take('upstream', window, CHUNK, limit)
    if (window !== poolWindow) return
    pool += granted
    if (granted === 0) dry = Math.max(dry, share[priority])
  }

  async function takeShared(priority: Priority): Promise<boolean> {
    for (;;) {
      turnWindow()
      if (pool > 0) {
        pool -= 1
        return true
      }
      // The window is used up for this priority: no need to ask the database again before the next
      // one.
      if (share[priority] <= dry) return false
      // One fill at a time: concurrent callers would take more chunks than they need, at the
      // expense of the other instances.
      await (filling ??= fill(priority).finally(() => (filling = undefined)))
    }
  }

  return {
    /** Takes one request from the budget; false means: not now. */
    async take(priority: Priority): Promise<boolean> {
      if (memory !== undefined) await memory.recall()
      // The pace is charged even if the request is then refused: refused requests come back, and
      // must not do so constantly.
      if (isPatient(priority) && !pace.take()) return false
      const standing = standingOf(priority)
      if (standing === undefined) return false
      const undo = made.count()
      memory?.keep()
      if (!shared) return true
      let granted = false
      try {
        granted = await takeShared(standing)
      } finally {
        // Otherwise refused requests would use up this process's own window.
        if (!granted) undo()
      }
      return granted
    },
    /**
     * Upper bound of the requests this process could make now, by its own count and what it knows
     * of the other instances.
     */
    left(priority: Priority): number {
      const own = Math.max(0, Math.floor(rate * share[priority]) - made.total())
      if (shared) turnWindow()
      const left = shared && share[priority] <= dry ? Math.min(own, pool) : own
      return isPatient(priority) ? Math.min(left, pace.left()) : left
    },
  }
}

export type Budget = ReturnType<typeof createBudget>
