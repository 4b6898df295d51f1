// Limits how often one caller may have the service asked about payments, through the JSON API and
// the /pay page together: each time is a request of HC_RATE, and goes before those for all who only
// wait.
import type { Deposit } from '../deposits/deposit.ts'
import { isAbsorbing } from '../deposits/phases.ts'
import { createOpenShare } from '../deposits/open-share.ts'
import type { Store } from '../store/store.ts'
import { createAddressLimit } from './address-limit.ts'
import { createRateLimit } from './rate-limit.ts'

const MINUTE = 60_000
/** Of one payment, or of all attempts of one session. */
const MOST_PER_CUSTOMER = 6

/** Counts one; rejects with `rate_limited` after too many of this kind in the minute. */
export type CountCheck = (address: string, payment: Pick<Deposit, 'id' | 'sessionId' | 'phase'>) => Promise<void>

export function createCheckLimit(parts: {
  readonly store: Pick<Store, 'take'>
  readonly now: () => number
  /** HC_RATE. */
  readonly rate: number
}): CountCheck {
  const { now } = parts
  const perCustomer = createRateLimit({ most: MOST_PER_CUSTOMER, windowMs: MINUTE, now })
  // Apart, so that strangers do not use up what the customers of a shop's sessions share an operator's address for.
  const perAddress = { open: createAddressLimit(parts), session: createAddressLimit(parts) }
  const takeShare = { open: createOpenShare('check', parts), session: createOpenShare('sessionCheck', parts) }
  return async function countCheck(address, { id, sessionId, phase }) {
    const kind = sessionId === undefined ? 'open' : 'session'
    // Who is refused still sees each change when it comes.
    perCustomer.use(sessionId ?? id)
    perAddress[kind].use(address)
    // Nothing is asked about the others any more.
    if (!isAbsorbing(phase)) await takeShare[kind]()
  }
}
