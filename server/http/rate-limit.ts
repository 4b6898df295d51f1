// Counts requests by key in fixed windows of time, in this process.
import { CompanionError } from '../platform/errors.ts'

/** Bounds the memory that a stranger can make us use. */
const MOST_KEYS = 100_000

/** At most `most` per window and key. */
export function createRateLimit(options: {
  readonly most: number
  readonly windowMs: number
  readonly now: () => number
}) {
  const { most, windowMs, now } = options
  let window = -1
  let used = new Map<string, number>()
  return {
    /**
     * Counts one; throws `rate_limited` with the seconds to wait when none is left. Calls without a
     * key are not counted.
     */
    use(key: string | undefined): void {
      if (key === undefined) return
      const at = now()
      const present = Math.floor(at / windowMs)
      if (present !== window || used.size >= MOST_KEYS) {
        window = present
        used = new Map()
      }
      const count = (used.get(key) ?? 0) + 1
      if (count > most) {
        const retryAfter = Math.max(1, Math.ceil(((present + 1) * windowMs - at) / 1000))
        throw new CompanionError('rate_limited', {
          detail: `Wait ${retryAfter} s, then try again. Nothing was charged.`,
          retryAfter,
        })
      }
      used.set(key, count)
    },
  }
}

export type RateLimit = ReturnType<typeof createRateLimit>
