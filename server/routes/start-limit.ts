// Limits how often one caller may try to start payments, through the JSON API and the /pay form
// together. The total number of starts is limited in deposits/open-share.ts.
import { createAddressLimit } from './address-limit.ts'
import { createRateLimit } from './rate-limit.ts'

const MINUTE = 60_000
/**
 * Half of what an address may: one session, one deposit. But everybody who has its link may press
 * at once, and is answered with the live attempt (money rule 6). The shop created the session, so
 * customers who share an address do not hold each other back.
 */
const MOST_PER_SESSION = 60

/** Counts one attempt; throws `rate_limited` after too many of this kind in the minute. `session`: the session's id. */
export type CountStart = (address: string, session: string | undefined) => void

export function createStartLimit(parts: { readonly now: () => number }): CountStart {
  const { now } = parts
  const perAddress = createAddressLimit(parts)
  const perSession = createRateLimit({ most: MOST_PER_SESSION, windowMs: MINUTE, now })
  return function countStart(address, session) {
    if (session === undefined) perAddress.use(address)
    else perSession.use(session)
  }
}
