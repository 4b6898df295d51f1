// Honours Retry-After of a 429 or 503 (SERVICE.txt, "Errors"): until then nothing at all is sent, because the limit is for the whole API.
import { readRetryAfter } from '../retry-after.ts'

export interface Pause {
  /** Takes the header of an answer; returns how many milliseconds it asks for. */
  take(retryAfter: string | undefined): number
  /** Milliseconds left; 0 when calls may go out. */
  remaining(): number
}

/** For a 429 without a time, or with an unreadable one. */
const UNNAMED_IN_MS = 1_000
/** A typo at the service must not stop a shop for a day. */
const LONGEST_IN_MS = 15 * 60_000

export function createPause(now: () => number): Pause {
  let until = 0
  return {
    take(retryAfter) {
      const ms = Math.min(readRetryAfter(retryAfter, now()) ?? UNNAMED_IN_MS, LONGEST_IN_MS)
      until = Math.max(until, now() + ms)
      return ms
    },
    remaining() {
      const ms = Math.max(0, until - now())
      // More is left than was ever requested: the clock was set back.
      return ms > LONGEST_IN_MS ? 0 : ms
    },
  }
}
