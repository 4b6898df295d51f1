// How often one caller may try to start payments, for the JSON door and the form of /pay together: what came by one counts at the other.
// How many may start in all is for deposits/open-share.ts.
import { bucketOf, createRateLimit, networkOf } from './address.ts'

const MINUTE = 60_000
/** Wide: thousands of customers stand behind one operator's address. */
const MOST_PER_ADDRESS = 120
/** A home or office often has 256 IPv6 buckets of its own. */
const MOST_PER_NETWORK = 240
/** Tight: one session, one deposit; the shop made it, so nobody else is held back by an address that its customers share. */
const MOST_PER_SESSION = 20

/** Counts one try; throws `rate_limited` when there have been too many of this kind in the minute. `session` is its id. */
export type CountStart = (address: string, session: string | undefined) => void

export function createStartLimit(parts: { readonly now: () => number }): CountStart {
  const { now } = parts
  const perAddress = createRateLimit({ most: MOST_PER_ADDRESS, windowMs: MINUTE, now })
  const perNetwork = createRateLimit({ most: MOST_PER_NETWORK, windowMs: MINUTE, now })
  const perSession = createRateLimit({ most: MOST_PER_SESSION, windowMs: MINUTE, now })
  return function countStart(address, session) {
    if (session !== undefined) {
      perSession.use(session)
      return
    }
    perAddress.use(bucketOf(address))
    perNetwork.use(networkOf(address))
  }
}
