// Tells listeners in this process that a deposit changed. A signal, not a record: listeners read
// changes made elsewhere from the store.
import type { Logger } from '../../platform/logging/logger.ts'
import type { ChangedDeposit } from './engine.ts'
import type { OnChange } from '../../deposits/ports/store.ts'

export function createChangeListeners(logger: Logger) {
  const listeners = new Set<OnChange>()
  return {
    notify({ id, version, row }: ChangedDeposit): void {
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
    /** Returns a function that removes it. */
    add(listener: OnChange): () => void {
      // Wrapped, so that a function registered twice counts as two listeners.
      const own: OnChange = (...change) => listener(...change)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    get size() {
      return listeners.size
    },
  }
}

export type ChangeListeners = ReturnType<typeof createChangeListeners>
