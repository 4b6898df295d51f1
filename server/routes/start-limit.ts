// How often payments may be started, for the JSON door and the form of /pay together: what came by one counts at the other.
import { CompanionError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { bucketOf, createRateLimit } from './address.ts'

const MINUTE = 60_000
/** Wide: thousands of customers stand behind one operator's address. */
const MOST_PER_ADDRESS = 120
/** Tight: one session, one deposit; the shop made it, so nobody else is held back by an address that its customers share. */
const MOST_PER_SESSION = 20
/** A stranger can't flood the service in the merchant's name: payments without a session have a share of the budget, no more. */
const OPEN_SHARE = 0.6

/** Counts one start; throws `rate_limited` when there have been too many of this kind in the minute. */
export type CountStart = (address: string, session: string | undefined) => Promise<void>

/** @param rate HC_RATE, requests a minute */
export function createStartLimit(parts: {
  readonly store: Pick<Store, 'take'>
  readonly now: () => number
  readonly rate: number
}): CountStart {
  const { store, now, rate } = parts
  const perAddress = createRateLimit({ most: MOST_PER_ADDRESS, windowMs: MINUTE, now })
  const perSession = createRateLimit({ most: MOST_PER_SESSION, windowMs: MINUTE, now })
  return async function countStart(address, session) {
    if (session !== undefined) {
      perSession.use(session)
      return
    }
    perAddress.use(bucketOf(address))
    const window = Math.floor(now() / MINUTE) * MINUTE
    if ((await store.take('open', window, 1, Math.floor(rate * OPEN_SHARE))) === 0)
      throw new CompanionError('rate_limited', {
        detail: 'Many payments are starting just now. Wait a minute; nothing was charged.',
        retryAfter: 30,
      })
  }
}
