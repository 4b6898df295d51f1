// Limits the requests to the service that strangers and holders of a link can cause, each kind to a
// share of HC_RATE: nobody may flood it in the merchant's name, or use up what others need.
import { CompanionError } from '../../platform/errors.ts'
import type { Store } from '../ports/store.ts'
import { createSlidingWindow } from '../settle/sliding-window.ts'

const MINUTE = 60_000
/**
 * Shares of HC_RATE; the rest is for the shop's own sessions and for status queries. Together they
 * stay below the share of watched payments (budget.ts): those of which no callback came are proven
 * only within that.
 */
const SHARE = { open: 0.6, check: 0.1, repeat: 0.05, sessionCheck: 0.04 } as const
const REFUSAL = {
  open: 'Many payments are starting just now. Wait a minute; nothing was charged.',
  check: 'Many customers are asking just now. Wait a minute; the result comes by itself.',
  repeat:
    'Many customers are trying again just now, and this shop keeps its requests (HC_RATE) for first attempts. ' +
    'Wait a minute; nothing was charged.',
  sessionCheck: 'Many customers are asking just now. Wait a minute; the result comes by itself.',
} as const

/** @param rate HC_RATE, requests a minute */
export function createOpenShare(
  of: keyof typeof SHARE,
  { store, now, rate }: { readonly store: Pick<Store, 'take'>; readonly now: () => number; readonly rate: number },
) {
  const most = Math.max(1, Math.floor(rate * SHARE[of]))
  /**
   * A sliding window. With fixed minutes, two bursts around the turn of a minute could use the
   * whole budget.
   */
  const taken = createSlidingWindow(now)

  async function isTaken(): Promise<boolean> {
    if (taken.total() >= most) return false
    const undo = taken.count()
    let granted = 0
    try {
      granted = await store.take(of, Math.floor(now() / MINUTE) * MINUTE, 1, most)
    } finally {
      // Otherwise those who are refused would use up the share.
      if (granted === 0) undo()
    }
    return granted > 0
  }

  /**
   * Takes one start, or one "Check now", from the share: of any 60 s in this process, as its budget
   * counts, and of the minute over all instances. Call it only for checked, new payments, or those
   * that are queried: a request that causes none to the service must not use up the share. Throws
   * `rate_limited`.
   */
  return async function takeOpenShare(): Promise<void> {
    if (!(await isTaken())) throw new CompanionError('rate_limited', { detail: REFUSAL[of], retryAfter: 30 })
  }
}
