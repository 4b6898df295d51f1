// Payments without a session: a stranger must not flood the service in the merchant's name, nor use up what other customers could start.
import { CompanionError } from '../errors.ts'
import type { Store } from '../store/store.ts'

const MINUTE = 60_000
/** Of HC_RATE; the rest is for sessions, which the shop made, and for asking. */
const OPEN_SHARE = 0.6

/**
 * Takes one start out of the share of a minute, over all instances. Called for what was checked and is new alone: a request that starts nothing
 * must take nothing from others. Throws `rate_limited`.
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
