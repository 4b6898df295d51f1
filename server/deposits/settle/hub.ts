// Tells the listeners of this instance about changed deposits. A change event may be lost or
// repeated, so listeners always get the stored row.
import type { Store } from '../ports/store.ts'
import type { Deposit } from '../machine/deposit.ts'

export type Listener = (deposit: Deposit) => void

export function createHub(store: Pick<Store, 'onChange' | 'deposit'>, onError: (error: unknown) => void) {
  /**
   * Thousands of deposits, nearly always with one listener each: a replaced array takes a quarter
   * of the memory of a Set.
   */
  const listenersOf = new Map<string, readonly Listener[]>()

  function tell(deposit: Deposit | undefined): void {
    if (deposit !== undefined) listenersOf.get(deposit.id)?.forEach((listener) => listener(deposit))
  }

  let isClosed = false
  function failed(error: unknown): void {
    // Nobody is left to hear of the row, and the store may have been closed since.
    if (!isClosed) onError(error)
  }

  const stop = store.onChange((depositId, _version, row) => {
    if (!listenersOf.has(depositId)) return
    // Written by another instance: one read serves all listeners of this deposit.
    if (row === undefined) store.deposit(depositId).then(tell).catch(failed)
    else tell(row)
  })

  return {
    /** Calls `listener` with the row after each change. Returns a function that unsubscribes it. */
    listen(depositId: string, listener: Listener): () => void {
      listenersOf.set(depositId, [...(listenersOf.get(depositId) ?? []), listener])
      return () => {
        const all = listenersOf.get(depositId) ?? []
        const left = all.filter((other) => other !== listener)
        if (left.length === all.length) return
        if (left.length === 0) listenersOf.delete(depositId)
        else listenersOf.set(depositId, left)
      }
    },
    isWatched: (depositId: string): boolean => listenersOf.has(depositId),
    close(): void {
      isClosed = true
      stop()
    },
  }
}

export type Hub = ReturnType<typeof createHub>
