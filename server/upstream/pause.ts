// Honours Retry-After of a 429 or 503 (service.md, "Errors"): until then nothing at all is sent,
// because the limit is for the whole API.
import { isWaiting } from '../platform/clock.ts'
import { readRetryAfter } from '../platform/retry-after.ts'

/** For a 429 without a time, or with an unreadable one. */
const UNNAMED_IN_MS = 1_000
/** A typo at the service must not stop a shop for a day. */
const LONGEST_IN_MS = 15 * 60_000

export function createPause(now: () => number) {
  let until = 0
  /** How long it was when it began. */
  let asked = 0
  /** Milliseconds left; 0 when calls may go out. */
  const remaining = (): number => (isWaiting(until, now(), asked) ? until - now() : 0)
  return {
    /** Takes the header of an answer; returns how many milliseconds it asks for. */
    take(retryAfter: string | undefined): number {
      const ms = Math.min(readRetryAfter(retryAfter, now()) ?? UNNAMED_IN_MS, LONGEST_IN_MS)
      if (ms >= remaining()) {
        asked = ms
        until = now() + ms
      }
      return ms
    },
    remaining,
  }
}

export type Pause = ReturnType<typeof createPause>
