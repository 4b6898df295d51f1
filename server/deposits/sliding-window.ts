// How many of something there were in the last 60 s, in constant memory.
const BUCKET_MS = 1000
/** One more than the seconds of a minute: what falls into the first and the last bucket can be less than 60 s apart. */
const BUCKETS = 61

export interface SlidingWindow {
  total(): number
  /** Counts one. Returns how to take it out again, if it did not happen after all. */
  count(): () => void
}

/** `now`: the machine's clock in ms, which may be set back. */
export function createSlidingWindow(now: () => number): SlidingWindow {
  const buckets = new Float64Array(BUCKETS)
  let newest = -1
  let total = 0

  function slide(): void {
    const bucket = Math.floor(now() / BUCKET_MS)
    // After a small step back of the clock, all count in the newest second; only a large jump resets the window.
    if (newest < 0 || bucket - newest >= BUCKETS || newest - bucket >= BUCKETS) {
      buckets.fill(0)
      total = 0
      newest = bucket
    }
    while (newest < bucket) {
      newest += 1
      const index = newest % BUCKETS
      total -= buckets[index] ?? 0
      buckets[index] = 0
    }
  }

  function add(index: number, by: 1 | -1): void {
    buckets[index] = (buckets[index] ?? 0) + by
    total += by
  }

  return {
    total() {
      slide()
      return total
    },
    count() {
      slide()
      const second = newest
      const index = second % BUCKETS
      add(index, 1)
      return () => {
        if (second > newest || newest - second >= BUCKETS || (buckets[index] ?? 0) === 0) return
        add(index, -1)
      }
    },
  }
}
