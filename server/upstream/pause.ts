// Honours Retry-After of a 429 or 503 (SERVICE.txt, "Errors"): until then nothing at all is sent, because the limit is for the whole API.

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
      const ms = retryAfterMs(retryAfter, now())
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

/** Milliseconds of a Retry-After header, seconds or HTTP date (RFC 9110, 10.2.3), between 0 and 15 minutes. */
function retryAfterMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? ''
  const ms = /^\d{1,15}$/.test(text)
    ? Number(text) * 1_000
    : text.endsWith(' GMT')
      ? Date.parse(text) - now
      : Number.NaN
  return Number.isNaN(ms) ? UNNAMED_IN_MS : Math.min(Math.max(ms, 0), LONGEST_IN_MS)
}
