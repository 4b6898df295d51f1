// Delays responses until enough time has passed, on the real clock or on the moved one.
export interface Waiting {
  /** Resolves after `ms`, or at once when `signal` aborts because the caller has left. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Releases those whose time has passed on the moved clock. */
  look(): void
  /** Releases all. */
  release(): void
}

export function createWaiting(now: () => number): Waiting {
  const held = new Set<{ until: number; go: () => void }>()
  return {
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const go = (): void => {
          clearTimeout(timer)
          held.delete(entry)
          resolve()
        }
        const timer = setTimeout(go, ms)
        const entry = { until: now() + ms, go }
        held.add(entry)
        signal?.addEventListener('abort', go, { once: true })
        if (signal?.aborted) go()
      }),
    look() {
      for (const entry of held) if (entry.until <= now()) entry.go()
    },
    release() {
      for (const entry of held) entry.go()
    },
  }
}
