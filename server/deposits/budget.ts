// One upstream budget for everything we ask of the service (SERVICE.txt "Limits", money rule 11):
// confirm before create before check before watch before sweep; what is less urgent stops earlier as it empties.
import type { Store } from '../store/store.ts'

export type Priority = 'confirm' | 'create' | 'check' | 'watch' | 'sweep'

const share: Readonly<Record<Priority, number>> = { confirm: 1, create: 0.95, check: 0.88, watch: 0.8, sweep: 0.6 }

const BUCKET_MS = 1000
/** One more than a minute has: requests of the first and the last second may be 60 s apart to the millisecond. */
const BUCKETS = 61
const CHUNK = 10
/** Seven windows of 10 s cover any 60 s. */
const SHARED_WINDOW_MS = 10_000
const SHARED_WINDOWS = 7
/** So much of the minute's patient asks may come at once after a calm time: more would hold up those who look on. */
const BURST_MS = 1_000
const LEAST_BURST = 5

export interface Budget {
  /** Takes one request's worth; false means: not now. */
  take(priority: Priority): Promise<boolean>
  /** Requests that this process could make now at most, by its own count, and by what it knows of the others'. */
  left(priority: Priority): number
  /** Requests made in the last 60 s by this process. */
  used(): number
}

/** Asks that no proven money waits for: they are spread over the minute, so that who comes later in it is watched as well. */
export const isPatient = (priority: Priority): boolean => priority === 'watch' || priority === 'sweep'

/** Of the patient asks this part is the sweep's even while a crowd looks on without end: who has left the page has paid as well. */
const SWEEP_PART = 1 / 8

/** A bucket that fills evenly, by `perMinute`. */
function createPace(perMinute: number, now: () => number): { left(): number; take(): boolean } {
  const perMs = perMinute / 60_000
  const most = Math.max(LEAST_BURST, perMs * BURST_MS)
  let tokens = most
  let filledAt = now()

  function left(): number {
    const at = now()
    // A clock that steps back fills nothing.
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
 * `rate` requests in any 60 s of this process (a sliding window, exact), and `rate` a minute over all instances by
 * the store's shared counter, taken in chunks.
 */
export function createBudget(options: {
  readonly store: Pick<Store, 'take'>
  readonly now: () => number
  readonly rate: number
  readonly shared: boolean
}): Budget {
  const { store, now, rate, shared } = options
  const buckets = new Float64Array(BUCKETS)
  const pace = createPace(rate * share.watch, now)
  const sweepPace = createPace(rate * share.watch * SWEEP_PART, now)
  let newest = -1
  let total = 0
  /** Of the shared window: what this process has taken for its next requests, and up to which share the window is used up. */
  let pool = 0
  let poolWindow = -1
  let dry = 0
  let filling: Promise<void> | undefined

  function slide(at: number): number {
    const bucket = Math.floor(at / BUCKET_MS)
    // A small step back of the clock counts into the newest second; only a large jump begins anew.
    if (newest < 0 || bucket - newest >= BUCKETS || newest - bucket >= BUCKETS) {
      buckets.fill(0)
      total = 0
      newest = bucket
    }
    while (newest < bucket) {
      newest += 1
      const index = newest % BUCKETS
      total -= buckets[index] ?? 0
      buckets[index] = 0
    }
    return newest % BUCKETS
  }

  const fits = (priority: Priority): boolean => total + 1 <= Math.floor(rate * share[priority])

  /** What it is taken as: a sweep that comes too late for its share may have a part of the watchers'. */
  function standingOf(priority: Priority): Priority | undefined {
    if (fits(priority)) return priority
    return priority === 'sweep' && fits('watch') && sweepPace.take() ? 'watch' : undefined
  }

  /** What was counted was not asked. */
  function giveBack(second: number): void {
    const index = second % BUCKETS
    if (second > newest || newest - second >= BUCKETS || (buckets[index] ?? 0) === 0) return
    buckets[index] = (buckets[index] ?? 0) - 1
    total -= 1
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
    // Of the least HC_RATE, 10, one in each window is no more than 7 of 10.
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
      // Until the next window the others have it all: the database need not be asked again.
      if (share[priority] <= dry) return false
      // One at a time: what many take side by side and do not need, the other instances would miss.
      await (filling ??= fill(priority).finally(() => (filling = undefined)))
    }
  }

  return {
    async take(priority) {
      // Asked for in vain counts as well: what is refused comes again, and must not do so all the time.
      if (isPatient(priority) && !pace.take()) return false
      const index = slide(now())
      const standing = standingOf(priority)
      if (standing === undefined) return false
      total += 1
      buckets[index] = (buckets[index] ?? 0) + 1
      if (!shared) return true
      const second = newest
      let granted = false
      try {
        granted = await takeShared(standing)
      } finally {
        // A minute of refusals would else be a minute in which this process may ask for nothing.
        if (!granted) giveBack(second)
      }
      return granted
    },
    left(priority) {
      slide(now())
      const own = Math.max(0, Math.floor(rate * share[priority]) - total)
      if (shared) turnWindow()
      const left = shared && share[priority] <= dry ? Math.min(own, pool) : own
      return isPatient(priority) ? Math.min(left, pace.left()) : left
    },
    used() {
      slide(now())
      return total
    },
  }
}
