// Who listens to which deposit on this instance. The bell may be lost or ring twice: listeners get the row, the truth.
import type { Store } from '../store/store.ts'
import type { Deposit } from './deposit.ts'

export type Listener = (deposit: Deposit) => void

export interface Hub {
  /** Calls `listener` with the row after each change. Answers a function that stops it. */
  listen(depositId: string, listener: Listener): () => void
  isWatched(depositId: string): boolean
  /** Streams open here. */
  size(): number
  close(): void
}

export function createHub(store: Pick<Store, 'onChange' | 'deposit'>, onError: (error: unknown) => void): Hub {
  const rooms = new Map<string, Set<Listener>>()
  let listeners = 0

  const stop = store.onChange((depositId) => {
    if (!rooms.has(depositId)) return
    // One read serves all tabs that listen to this deposit.
    store.deposit(depositId).then((deposit) => {
      const room = rooms.get(depositId)
      if (deposit === undefined || room === undefined) return
      for (const listener of room) listener(deposit)
    }, onError)
  })

  return {
    listen(depositId, listener) {
      const room = rooms.get(depositId) ?? new Set()
      room.add(listener)
      rooms.set(depositId, room)
      listeners += 1
      return () => {
        if (!room.delete(listener)) return
        listeners -= 1
        if (room.size === 0 && rooms.get(depositId) === room) rooms.delete(depositId)
      }
    },
    isWatched: (depositId) => rooms.has(depositId),
    size: () => listeners,
    close: stop,
  }
}
