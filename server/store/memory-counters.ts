// In-memory counters of one process: how much of a limit was used in a window of time.

export interface MemoryCounters {
  take(name: string, windowStart: number, want: number, limit: number): number
}

export function createMemoryCounters(): MemoryCounters {
  /** Of each name the window that was counted in last: after the clock was set back, windows that had been used up would come again. */
  const used = new Map<string, { readonly windowStart: number; readonly count: number }>()

  return {
    take(name, windowStart, want, limit) {
      const last = used.get(name)
      const count = last?.windowStart === windowStart ? last.count : 0
      const granted = Math.max(0, Math.min(want, limit - count))
      used.set(name, { windowStart, count: count + granted })
      return granted
    },
  }
}
