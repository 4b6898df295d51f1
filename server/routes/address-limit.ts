// Limits how often a stranger may do what costs the others: by address, and by the network that has many of them.
import { bucketOf, networkOf } from './address.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

const MINUTE = 60_000
/** Generous: thousands of customers can share one operator's address. */
const MOST_PER_ADDRESS = 120
/** A home or office often has 256 IPv6 buckets of its own. */
const MOST_PER_NETWORK = 240

/** `use` takes the caller's address. */
export function createAddressLimit({ now }: { readonly now: () => number }): RateLimit {
  const perAddress = createRateLimit({ most: MOST_PER_ADDRESS, windowMs: MINUTE, now })
  const perNetwork = createRateLimit({ most: MOST_PER_NETWORK, windowMs: MINUTE, now })
  return {
    use(address) {
      if (address === undefined) return
      perAddress.use(bucketOf(address))
      perNetwork.use(networkOf(address))
    },
  }
}
