// Remembers which receivers have accepted a notice while another failed, so that this process does not deliver it to them again.
import type { NoticeRow } from '../store/store.ts'

export interface Reached<Receiver> {
  /** The receivers that have accepted it; the caller adds to the set. Empty for a notice that a person resent: it goes to all. */
  of(notice: Pick<NoticeRow, 'id' | 'attempts'>): Set<Receiver>
  /** An attempt failed and `attempts` is stored. */
  failed(id: string, attempts: number): void
  /** The notice was delivered or given up. */
  forget(id: string): void
}

/** How many notices are remembered: some may have been ended by another instance. One forgotten too early is delivered twice, with the same id. */
const MOST_REMEMBERED = 10_000

/** See {@link Reached}. */
export function createReached<Receiver>(most = MOST_REMEMBERED): Reached<Receiver> {
  const notices = new Map<string, { attempts: number; readonly receivers: Set<Receiver> }>()
  return {
    of({ id, attempts }) {
      const known = notices.get(id)
      // The stored number of attempts falls only when a notice is resent.
      const receivers = known === undefined || attempts < known.attempts ? new Set<Receiver>() : known.receivers
      // Moved to the end, so that the least recently used is dropped first.
      notices.delete(id)
      notices.set(id, { attempts, receivers })
      const [oldest] = notices.keys()
      if (notices.size > most && oldest !== undefined) notices.delete(oldest)
      return receivers
    },
    failed(id, attempts) {
      const known = notices.get(id)
      if (known === undefined) return
      if (known.receivers.size === 0) notices.delete(id)
      else known.attempts = attempts
    },
    forget(id) {
      notices.delete(id)
    },
  }
}
