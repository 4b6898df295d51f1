// Defaults from the machine: timers that end with the companion, and random bytes.
import { randomBytes } from 'node:crypto'

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

/** Random bytes from a pool of 4 KiB, to save system calls; each byte is handed out once. */
export function pooledRandom(): (bytes: number) => Uint8Array {
  let pool = randomBytes(0)
  return (bytes) => {
    if (pool.length < bytes) pool = randomBytes(Math.max(4096, bytes))
    const given = Uint8Array.from(pool.subarray(0, bytes))
    pool = pool.subarray(bytes)
    return given
  }
}
