// Defaults from the machine: timers that end with the companion, and random bytes.

/** The machine's timers; after `end` none of them keeps the process alive. */
export function machineTimers(): { sleep(ms: number): Promise<void>; end(): void } {
  const timers = new Set<NodeJS.Timeout>()
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          timers.delete(timer)
          resolve()
        }, ms)
        timers.add(timer)
      }),
    end() {
      for (const timer of timers) timer.unref()
    },
  }
}

/** Cryptographically strong. */
export const machineRandom = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes))
