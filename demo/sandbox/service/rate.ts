// The rate limit: a number of requests in any 60 seconds, shared by all endpoints, per merchant.
// service.md "Limits".
export interface RateLimit {
  /**
   * Takes one request from the budget; returns 0 when granted, else the seconds until one is free
   * again.
   */
  take(who: string): number
}

const WINDOW_IN_MS = 60_000
const FORGET_AT = 10_000

/** @param limit requests a minute, read at each call; false: no limit. */
export function createRateLimit(limit: () => number | false, now: () => number): RateLimit {
  // Times of the granted requests, oldest first. Refused ones do not count, so Retry-After stays
  // true.
  const granted = new Map<string, number[]>()
  return {
    take(who) {
      const most = limit()
      if (most === false) return 0
      const at = now()
      const times = granted.get(who) ?? []
      let old = 0
      while (old < times.length && (times[old] ?? 0) <= at - WINDOW_IN_MS) old += 1
      times.splice(0, old)
      if (granted.size >= FORGET_AT && !granted.has(who)) granted.clear()
      granted.set(who, times)
      if (times.length >= most)
        return Math.max(1, Math.ceil(((times[times.length - most] ?? at) + WINDOW_IN_MS - at) / 1000))
      times.push(at)
      return 0
    },
  }
}
