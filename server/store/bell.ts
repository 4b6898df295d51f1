// Tells listeners of this process that a deposit changed. A doorbell, not a record: listeners read the row.
import type { Logger } from '../logger.ts'

export type Listener = (depositId: string, version: number) => void

export interface Bell {
  ring(depositId: string, version: number): void
  listen(listener: Listener): () => void
  readonly listeners: number
}

export function createBell(logger: Logger): Bell {
  const listeners = new Set<Listener>()
  return {
    ring(depositId, version) {
      for (const listener of listeners) {
        try {
          listener(depositId, version)
        } catch (error) {
          logger.error({ err: error, depositId }, 'A listener of deposit changes failed; the change itself is stored.')
        }
      }
    },
    listen(listener) {
      // Wrapped, so that one function listening twice is two listeners.
      const own: Listener = (depositId, version) => listener(depositId, version)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    get listeners() {
      return listeners.size
    },
  }
}
