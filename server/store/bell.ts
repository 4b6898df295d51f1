// Tells listeners in this process that a deposit changed. A signal, not a record: listeners read changes made elsewhere from the store.
import type { Logger } from '../logger.ts'
import type { Ring } from './engine.ts'
import type { OnChange } from './store.ts'

export interface Bell {
  ring(ring: Ring): void
  listen(listener: OnChange): () => void
  readonly listeners: number
}

export function createBell(logger: Logger): Bell {
  const listeners = new Set<OnChange>()
  return {
    ring({ id, version, row }) {
      for (const listener of listeners) {
        try {
          listener(id, version, row)
        } catch (error) {
          logger.error(
            { err: error, depositId: id },
            'A listener of deposit changes failed; the change itself is stored.',
          )
        }
      }
    },
    listen(listener) {
      // Wrapped, so that a function registered twice counts as two listeners.
      const own: OnChange = (...change) => listener(...change)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    get listeners() {
      return listeners.size
    },
  }
}
