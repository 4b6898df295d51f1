// Rate limits for payments without a session: a stranger must not flood the service in the merchant's name or use up other customers' capacity.
import { isRecent } from '../clock.ts'
import { CompanionError } from '../errors.ts'
import type { Store } from '../store/store.ts'

const MINUTE = 60_000
/**
 * Shares of HC_RATE; the rest is for the shop's own sessions and for status queries. Together they stay below the share of watched payments
 * (budget.ts): those of which no callback came are proven only within that.
 */
const SHARE = { open: 0.6, check: 0.1 } as const
const REFUSAL = {
  open: 'Many payments are starting just now. Wait a minute; nothing was charged.',
  check: 'Many customers are asking just now. Wait a minute; the result comes by itself.',
} as const

/**
 * Takes one start, or one "Check now", from the share: of any 60 s in this process, as its budget counts, and of the minute over all instances. Call it only for checked, new payments, or those that are
 * queried: a request that causes none to the service must not use up the share. Throws `rate_limited`.
 */
export type TakeOpenShare = () => Promise<void>

/** @param rate HC_RATE, requests a minute */
export function createOpenShare(
  of: keyof typeof SHARE,
  parts: {
    readonly store: Pick<Store, 'take'>
    readonly now: () => number
    readonly rate: number
  },
): TakeOpenShare {
  const { store, now, rate } = parts
  const most = Math.floor(rate * SHARE[of])
  /** When those of the last 60 s were taken: two shares around the turn of a minute would leave nothing of the budget for others. */
  const recent = new Set<{ readonly at: number }>()

  async function isTaken(): Promise<boolean> {
    const one = { at: now() }
    for (const earlier of recent) {
      if (isRecent(earlier.at, one.at, MINUTE)) break
      recent.delete(earlier)
    }
    if (recent.size >= most) return false
    recent.add(one)
    let granted = 0
    try {
      granted = await store.take(of, Math.floor(one.at / MINUTE) * MINUTE, 1, most)
    } finally {
      // Otherwise those who are refused would use up the share.
      if (granted === 0) recent.delete(one)
    }
    return granted > 0
  }

  return async function takeOpenShare() {
    if (!(await isTaken())) throw new CompanionError('rate_limited', { detail: REFUSAL[of], retryAfter: 30 })
  }
}
