// Remembers which receivers have accepted a notice while another failed, so that this process does
// not deliver it to them again.
import type { NoticeRow } from '../deposits/ports/store.ts'

/**
 * How many notices are remembered: some may have been ended by another instance. One forgotten too
 * early is delivered twice, with the same id.
 */
const MOST_REMEMBERED = 10_000

interface Known<Receiver> {
  attempts: number
  /** When the lease of the last attempt ends, or until when it was put off. */
  dueAt: number
  readonly receivers: Set<Receiver>
}

/** @param leaseMs how long a notice is leased for an attempt */
export function createReached<Receiver>(leaseMs: number, most = MOST_REMEMBERED) {
  const notices = new Map<string, Known<Receiver>>()

  /**
   * A resend sets the stored number of attempts to 0. If the outcome of the first attempt was lost,
   * that number was 0 already: then a resent notice is due before the lease of that attempt ends.
   * So is one after the clock was set back; it goes out once more, with the same id.
   */
  function isResent(known: Known<Receiver>, attempts: number, dueAt: number): boolean {
    return attempts < known.attempts || (attempts === 0 && dueAt - leaseMs < known.dueAt)
  }

  return {
    /**
     * The receivers that have accepted it; the caller adds to the set. Empty for a notice that a
     * person resent: it goes to all.
     */
    of({ id, attempts, dueAt }: Pick<NoticeRow, 'id' | 'attempts' | 'dueAt'>): Set<Receiver> {
      const known = notices.get(id)
      const receivers = known === undefined || isResent(known, attempts, dueAt) ? new Set<Receiver>() : known.receivers
      // Moved to the end, so that the least recently used is dropped first.
      notices.delete(id)
      notices.set(id, { attempts, dueAt, receivers })
      const [oldest] = notices.keys()
      if (notices.size > most && oldest !== undefined) notices.delete(oldest)
      return receivers
    },
    /** An attempt failed and `attempts` is stored. */
    failed(id: string, attempts: number): void {
      const known = notices.get(id)
      if (known === undefined) return
      if (known.receivers.size === 0) notices.delete(id)
      else known.attempts = attempts
    },
    /** The attempt was put off, and `dueAt` is stored. */
    putOff(id: string, dueAt: number): void {
      const known = notices.get(id)
      if (known !== undefined) known.dueAt = dueAt
    },
    /** The notice was delivered or given up. */
    forget(id: string): void {
      notices.delete(id)
    },
  }
}
