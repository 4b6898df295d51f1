// One rule for waits and pauses by the clock of the machine, which may be set back: none lasts for the length of the step.

/** Whether a wait until then still goes on. One that would last longer than its longest is over: the clock was set back meanwhile. */
export function isWaiting(until: number, now: number, longestMs: number): boolean {
  return until > now && until - now <= longestMs
}

/** Whether `at` was less than `ms` ago. What lies ahead was not: the clock was set back meanwhile. */
export function isRecent(at: number, now: number, ms: number): boolean {
  return now >= at && now - at < ms
}
