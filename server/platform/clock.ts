// Comparisons of times by the machine's clock, which may be set back: no wait is prolonged by the
// step.

/**
 * Whether a wait until `until` is still on. If it would last longer than `longestMs`, the clock was
 * set back and the wait is over.
 */
export function isWaiting(until: number, now: number, longestMs: number): boolean {
  return until > now && until - now <= longestMs
}

/** Whether `at` was less than `ms` ago; false where the clock was set back behind it. */
export function isRecent(at: number, now: number, ms: number): boolean {
  return now >= at && now - at < ms
}
