// Comparisons of times by the machine's clock, which may be set back: no wait is prolonged by the
// step.

/**
 * Whether a wait until `until` is still on. It is over if it would last longer than `longestMs`:
 * then the clock was set back.
 */
export function isWaiting(until: number, now: number, longestMs: number): boolean {
  return until > now && until - now <= longestMs
}

/** Whether `at` was less than `ms` ago; false where the clock was set back behind it. */
export function isRecent(at: number, now: number, ms: number): boolean {
  return now >= at && now - at < ms
}
