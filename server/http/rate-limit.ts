// Counts requests by key in each minute, in this process.
import { CompanionError } from '../platform/errors.ts'

/** Bounds the memory that a stranger can make us use. */
const MOST_KEYS = 100_000

const MINUTE = 60_000

/** At most `most` per minute and key. */
export function createRateLimit({ most, now }: { readonly most: number; readonly now: () => number }) {
  let minute = -1
  let used = new Map<string, number>()
  return {
    /** Counts one, unless there is no key. Throws `rate_limited` when none is left. */
    use(key: string | undefined): void {
      if (key === undefined) return
      const at = now()
      const present = Math.floor(at / MINUTE)
      if (present !== minute || used.size >= MOST_KEYS) {
        minute = present
        used = new Map()
      }
      const count = (used.get(key) ?? 0) + 1
      if (count > most) {
        const retryAfter = Math.max(1, Math.ceil(((present + 1) * MINUTE - at) / 1000))
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
