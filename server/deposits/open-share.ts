// Rate limit for payments without a session: a stranger must not flood the service in the merchant's name or use up other customers' capacity.
import { CompanionError } from '../errors.ts'
import type { Store } from '../store/store.ts'

const MINUTE = 60_000
/** Share of HC_RATE; the rest is for the shop's own sessions and for status queries. */
const OPEN_SHARE = 0.6

/**
 * Takes one start from this minute's share, over all instances. Call it only for checked, new payments: a request that starts nothing must
 * not use up the share. Throws `rate_limited`.
 */
export type TakeOpenShare = () => Promise<void>

/** @param rate HC_RATE, requests a minute */
export function createOpenShare(parts: {
  readonly store: Pick<Store, 'take'>
  readonly now: () => number
  readonly rate: number
}): TakeOpenShare {
  const { store, now, rate } = parts
  return async function takeOpenShare() {
    const window = Math.floor(now() / MINUTE) * MINUTE
    if ((await store.take('open', window, 1, Math.floor(rate * OPEN_SHARE))) === 0)
      throw new CompanionError('rate_limited', {
        detail: 'Many payments are starting just now. Wait a minute; nothing was charged.',
        retryAfter: 30,
      })
  }
}
