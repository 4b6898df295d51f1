// The retry schedule of notices: that of Standard Webhooks, ten attempts over 75 h 35 min, then
// daily to 30 days.
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Delay after the first, second, … failed attempt, in ms. */
export const WAITS: readonly number[] = [
  5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR,
] // prettier-ignore

/** How long a notice is retried, from when it was written. */
const LIFETIME = 30 * DAY

/** Jitter of ±10 %, so that notices that failed together are not retried together. */
const SPREAD = 0.1

/** The longest delay that a receiver's Retry-After may cause. */
const LONGEST_RETRY_AFTER = DAY

/**
 * When to try next, or undefined when the notice is given up: after at least ten attempts, once the
 * next one would be later than 30 days after it was written. A companion that was down for a month
 * still makes its ten attempts.
 *
 * @param notice `attempts`: how many failed so far, including this one; `createdAt`: ms since 1970
 * @param times `trustedNow`: the trusted time (operations/clock-watch.ts), by which a notice is
 *   given up
 * @param unit a random number from 0 to 1
 * @param retryAfter ms the receiver asked us to wait
 * @returns ms since 1970
 */
export function nextAttempt(
  notice: { readonly createdAt: number; readonly attempts: number },
  times: { readonly now: number; readonly trustedNow: number },
  unit: number,
  retryAfter = 0,
): number | undefined {
  const { now, trustedNow } = times
  const wait = WAITS[notice.attempts - 1] ?? DAY
  const spread = Math.round(wait * (1 - SPREAD + 2 * SPREAD * unit))
  const next = Math.max(spread, Math.min(retryAfter, LONGEST_RETRY_AFTER))
  if (notice.attempts > WAITS.length && trustedNow + next > notice.createdAt + LIFETIME) return undefined
  return now + next
}
