// In-memory counters of one process: how much of a limit was used in a window of time.

/** Windows kept before older ones are dropped. */
const MOST_WINDOWS = 10_000

export interface MemoryCounters {
  take(name: string, windowStart: number, want: number, limit: number): number
}

export function createMemoryCounters(): MemoryCounters {
  const used = new Map<string, { readonly windowStart: number; count: number }>()

  function dropOlder(windowStart: number): void {
    for (const [key, counter] of used) if (counter.windowStart < windowStart) used.delete(key)
  }

  return {
    take(name, windowStart, want, limit) {
      const key = `${windowStart} ${name}`
      let counter = used.get(key)
      if (counter === undefined) {
        if (used.size >= MOST_WINDOWS) dropOlder(windowStart)
        used.set(key, (counter = { windowStart, count: 0 }))
      }
      const granted = Math.max(0, Math.min(want, limit - counter.count))
      counter.count += granted
      return granted
    },
  }
}
