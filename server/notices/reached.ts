// Which receivers have taken a notice while another of them failed: not told twice for that within this process.
import type { NoticeRow } from '../store/store.ts'

export interface Reached<Receiver> {
  /** The receivers that have taken it; to be added to. Empty for a notice that a person had sent again: all shall be told then. */
  of(notice: Pick<NoticeRow, 'id' | 'attempts'>): Set<Receiver>
  /** An attempt has failed and that many are written down. */
  failed(id: string, attempts: number): void
  /** It is over: delivered, or given up. */
  forget(id: string): void
}

/** Notices that are remembered. Others may have been ended by another instance; one forgotten too early is told twice, by the same id. */
const MOST_REMEMBERED = 10_000

/** See {@link Reached}. */
export function createReached<Receiver>(most = MOST_REMEMBERED): Reached<Receiver> {
  const notices = new Map<string, { attempts: number; readonly receivers: Set<Receiver> }>()
  return {
    of({ id, attempts }) {
      const known = notices.get(id)
      // The number of attempts only falls when it begins anew.
      const receivers = known === undefined || attempts < known.attempts ? new Set<Receiver>() : known.receivers
      // The latest last, so that the oldest goes first.
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
