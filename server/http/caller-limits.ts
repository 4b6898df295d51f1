// How often one caller may do what costs the others: read the database, try to start payments, or
// have the service asked, through the JSON API and the /pay pages together. Strangers are counted
// by address, and by the network that has many of them. The total number of starts is limited in
// deposits/create/open-share.ts.
import type { Deposit } from '../deposits/machine/deposit.ts'
import { isAbsorbing } from '../deposits/machine/phases.ts'
import { createOpenShare } from '../deposits/create/open-share.ts'
import type { Store } from '../deposits/ports/store.ts'
import { bucketOf, networkOf } from './address.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** Generous: thousands of customers can share one operator's address. */
const MOST_PER_ADDRESS = 120

/** `use` takes the caller's address. A network has twice as much. */
function createAddressLimit({ now }: { readonly now: () => number }): RateLimit {
  const perAddress = createRateLimit({ most: MOST_PER_ADDRESS, now })
  // A home or office often has 256 IPv6 buckets of its own.
  const perNetwork = createRateLimit({ most: 2 * MOST_PER_ADDRESS, now })
  return {
    use(address) {
      if (address === undefined) return
      perAddress.use(bucketOf(address))
      perNetwork.use(networkOf(address))
    },
  }
}

const MOST_READS = 1200

export function createReadLimit(parts: { readonly now: () => number }) {
  const reads = createRateLimit({ most: MOST_READS, now: parts.now })
  /** Counts one public read; throws `rate_limited`. */
  const read = (address: string): void => reads.use(bucketOf(address))
  return {
    read,
    /**
     * Opens what a token or link leads to. Throws `rate_limited`, and whatever `open` throws. A
     * genuine token is counted by what it opens: thousands share the address of a mobile operator,
     * and one of them could use up its reads. All else is counted by address.
     */
    async opened<Row extends { readonly id: string }>(address: string, open: () => Promise<Row>): Promise<Row> {
      const row = await open().catch((error: unknown) => {
        read(address)
        throw error
      })
      reads.use(row.id)
      return row
    },
  }
}

/**
 * Half of what an address may: one session, one deposit. But everybody who has its link may press
 * at once, and is answered with the live attempt (money rule 6). The shop created the session, so
 * customers who share an address do not hold each other back.
 */
const MOST_PER_SESSION = 60

/** Counts one attempt; throws `rate_limited` after too many of this kind. `session`: its id. */
export type CountStart = (address: string, session: string | undefined) => void

export function createStartLimit(parts: { readonly now: () => number }): CountStart {
  const { now } = parts
  const perAddress = createAddressLimit(parts)
  const perSession = createRateLimit({ most: MOST_PER_SESSION, now })
  return function countStart(address, session) {
    if (session === undefined) perAddress.use(address)
    else perSession.use(session)
  }
}

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
  const perCustomer = createRateLimit({ most: MOST_PER_CUSTOMER, now })
  // Apart: strangers must not use up what customers with a session share at an operator's address.
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
