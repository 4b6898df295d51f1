// Limits how often one caller may have the service asked about payments, through the JSON API and the /pay page together: each time is a request of
// HC_RATE, and goes before those for all who only wait.
import type { Deposit } from '../deposits/deposit.ts'
import { isAbsorbing } from '../deposits/deposit.ts'
import { createOpenShare } from '../deposits/open-share.ts'
import type { Store } from '../store/store.ts'
import { createAddressLimit } from './address-limit.ts'
import { createRateLimit } from './rate-limit.ts'

const MINUTE = 60_000
const MOST_PER_PAYMENT = 6

/** Counts one; rejects with `rate_limited` after too many of this kind in the minute. */
export type CountCheck = (address: string, payment: Pick<Deposit, 'id' | 'sessionId' | 'phase'>) => Promise<void>

export function createCheckLimit(parts: {
  readonly store: Pick<Store, 'take'>
  readonly now: () => number
  /** HC_RATE. */
  readonly rate: number
}): CountCheck {
  const { now } = parts
  const perPayment = createRateLimit({ most: MOST_PER_PAYMENT, windowMs: MINUTE, now })
  const perAddress = createAddressLimit(parts)
  const takeOpenShare = createOpenShare('check', parts)
  return async function countCheck(address, { id, sessionId, phase }) {
    perPayment.use(id)
    // The shop has made the session: a stranger cannot have any number of them. Who is refused still sees each change when it comes.
    if (sessionId !== undefined) return
    perAddress.use(address)
    // Nothing is asked about the others any more.
    if (!isAbsorbing(phase)) await takeOpenShare()
  }
}
