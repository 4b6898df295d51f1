// A rule for waits by the clock of the machine, which may be set back.

/** Whether a wait until then still goes on. One that would last longer than its longest is over: the clock was set back meanwhile. */
export function isWaiting(until: number, now: number, longestMs: number): boolean {
  return until > now && until - now <= longestMs
}
