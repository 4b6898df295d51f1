// Counters shared by all instances: takes by one process that wait while another is in flight are combined, because each one locks the counter's row
// until it is on disk.

export type Take = (name: string, windowStart: number, want: number, limit: number) => Promise<number>

interface Wait {
  readonly want: number
  readonly resolve: (granted: number) => void
  readonly reject: (error: unknown) => void
}

/** @param take takes once from the database; returns how many were granted */
export function gatherTakes(take: Take): Take {
  const waiting = new Map<string, Wait[]>()

  async function run(key: string, name: string, windowStart: number, limit: number): Promise<void> {
    for (;;) {
      const waits = waiting.get(key) ?? []
      if (waits.length === 0) {
        waiting.delete(key)
        return
      }
      waiting.set(key, [])
      const wanted = waits.reduce((sum, { want }) => sum + want, 0)
      try {
        let left = await take(name, windowStart, wanted, limit)
        for (const { want, resolve } of waits) {
          const granted = Math.min(want, left)
          left -= granted
          resolve(granted)
        }
      } catch (error) {
        for (const { reject } of waits) reject(error)
      }
    }
  }

  return (name, windowStart, want, limit) =>
    new Promise((resolve, reject) => {
      const key = `${windowStart} ${limit} ${name}`
      const waits = waiting.get(key)
      if (waits !== undefined) {
        waits.push({ want, resolve, reject })
        return
      }
      waiting.set(key, [{ want, resolve, reject }])
      void run(key, name, windowStart, limit)
    })
}
