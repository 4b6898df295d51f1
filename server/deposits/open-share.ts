// Rate limits for payments without a session: a stranger must not flood the service in the merchant's name or use up other customers' capacity.
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
 * Takes one start, or one "Check now", from this minute's share, over all instances. Call it only for checked, new payments, or those that are
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
  return async function takeOpenShare() {
    const window = Math.floor(now() / MINUTE) * MINUTE
    if ((await store.take(of, window, 1, Math.floor(rate * SHARE[of]))) === 0)
      throw new CompanionError('rate_limited', { detail: REFUSAL[of], retryAfter: 30 })
  }
}
