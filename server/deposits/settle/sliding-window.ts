// How many of something there were in the last 60 s, in constant memory.
const BUCKET_MS = 1000
/**
 * One more than the seconds of a minute: what falls into the first and the last bucket can be less
 * than 60 s apart.
 */
const BUCKETS = 61

export type SecondCount = readonly [second: number, count: number]

/** `now`: the machine's clock in ms, which may be set back. */
export function createSlidingWindow(now: () => number) {
  const buckets = new Float64Array(BUCKETS)
  let newest = -1
  let total = 0

  function slide(): void {
    const bucket = Math.floor(now() / BUCKET_MS)
    // After a small step back of the clock, all count in the newest second; only a large jump
    // resets the window.
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

  function addTo(index: number, by: number): void {
    buckets[index] = (buckets[index] ?? 0) + by
    total += by
  }

  return {
    total(): number {
      slide()
      return total
    },
    /** What was counted, by seconds since 1970, for another process to go on with. */
    counted(): readonly SecondCount[] {
      slide()
      const seconds = Array.from({ length: Math.min(BUCKETS, newest + 1) }, (_, age) => newest - age)
      return seconds.map((second) => [second, buckets[second % BUCKETS] ?? 0] as const).filter(([, count]) => count > 0)
    },
    /**
     * Adds what another process has counted: what is older than the window is left out, what lies
     * ahead counts as now.
     */
    add(counted: readonly SecondCount[]): void {
      slide()
      for (const [second, count] of counted)
        // A clock that was set back by more than the window says nothing of when it was.
        if (Math.abs(newest - second) < BUCKETS) addTo(Math.min(second, newest) % BUCKETS, count)
    },
    /** Counts one. Returns how to take it out again, if it did not happen after all. */
    count(): () => void {
      slide()
      const second = newest
      const index = second % BUCKETS
      addTo(index, 1)
      return () => {
        if (second > newest || newest - second >= BUCKETS || (buckets[index] ?? 0) === 0) return
        addTo(index, -1)
      }
    },
  }
}

export type SlidingWindow = ReturnType<typeof createSlidingWindow>
