// In-memory counters of one process: how much of a limit was used in a window of time.

/** Counters of one kind that are kept before those of other windows are dropped. */
const MOST_OF_KIND = 10_000

type Counters = Map<string, { readonly windowStart: number; count: number }>

export function createMemoryCounters() {
  /** Apart, so that a stranger who fills up one kind neither clears nor blocks another. */
  const kinds = new Map<string, Counters>()

  return {
    /** @param name its first word is the kind: windows of one kind have one length */
    take(name: string, windowStart: number, want: number, limit: number): number {
      const [kind = ''] = name.split(' ', 1)
      const used: Counters = kinds.get(kind) ?? new Map()
      kinds.set(kind, used)
      const key = `${windowStart} ${name}`
      let counter = used.get(key)
      if (counter === undefined) {
        // Others and not older ones only: after a clock was set back, later windows must go too.
        if (used.size >= MOST_OF_KIND)
          for (const [other, of] of used) if (of.windowStart !== windowStart) used.delete(other)
        // What is counted in this window must stay so: what would need room gets nothing.
        if (used.size >= MOST_OF_KIND) return 0
        used.set(key, (counter = { windowStart, count: 0 }))
      }
      const granted = Math.max(0, Math.min(want, limit - counter.count))
      counter.count += granted
      return granted
    },
  }
}
