// Circuit breaker: after some failed connections in a row, calls fail at once for a while instead
// of waiting for a service that is down; then one call may try.

/**
 * `reached`: something answered. `failed`: refused, unreachable, broken off or too slow. `unknown`:
 * the call was not made.
 */
export type Leave = (outcome: 'reached' | 'failed' | 'unknown') => void

export interface BreakerOptions {
  readonly now: () => number
  /** Need not be strong: it only spreads the waits of several instances. */
  readonly random: (bytes: number) => Uint8Array
}

/** Consecutive failures that open it. */
const THRESHOLD = 5
/** Doubles with every failed attempt. */
const FIRST_WAIT_MS = 1_000
/** Before jitter. */
const LONGEST_WAIT_MS = 60_000

export function createBreaker({ now, random }: BreakerOptions) {
  let failures = 0
  let openings = 0
  let openUntil: number | undefined
  let probing = false
  /** Results of calls that began before the breaker opened must not affect it. */
  let era = {}

  // A clock that was set back must not keep it open for a day.
  const remaining = () => {
    const waitMs = openUntil === undefined ? 0 : openUntil - now()
    return waitMs > LONGEST_WAIT_MS * 2 ? 0 : Math.max(0, waitMs)
  }
  /** Milliseconds until `enter` may permit a call; 0 when it would now. */
  const waitMs = () => (probing ? FIRST_WAIT_MS : remaining())
  const open = () => {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** openings, LONGEST_WAIT_MS)
    // Jitter from 0.75 to 1.25, so that instances do not return at the same moment.
    openUntil = now() + Math.round(wait * (0.75 + (random(1)[0] ?? 0) / 510))
    openings += 1
    era = {}
  }
  const close = () => {
    failures = 0
    openings = 0
    openUntil = undefined
    probing = false
  }

  return {
    /**
     * Returns `leave`, to be called when the call ends; or, when no call may be made, the
     * milliseconds to wait.
     */
    enter(): { readonly leave: Leave } | { readonly waitMs: number } {
      if (openUntil === undefined) return { leave: leaving(era) }
      const wait = waitMs()
      if (wait > 0) return { waitMs: wait }
      probing = true
      return { leave: leaving(era) }
    },
    state(): 'closed' | 'open' | 'half_open' {
      if (openUntil === undefined) return 'closed'
      return remaining() > 0 ? 'open' : 'half_open'
    },
    waitMs,
  }

  function leaving(entered: object): Leave {
    let left = false
    return function leave(outcome) {
      if (left) return
      left = true
      // Any answer proves that the service is up, however old the call.
      if (outcome === 'reached') return close()
      if (entered !== era) return
      probing = false
      if (outcome === 'unknown') return
      failures += 1
      // Opened, it still counts: the one call that may try opens it again when it fails.
      if (failures >= THRESHOLD) open()
    }
  }
}

export type Breaker = ReturnType<typeof createBreaker>
