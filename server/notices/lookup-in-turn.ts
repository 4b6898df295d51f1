// Looks up the names of receivers and chats one after the other, so that those whose DNS never
// answers hold up no payment: Node looks names up in libuv's thread pool, and gives lookups two of
// its four threads.
import { ADDRCONFIG, type LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

/** By name: many notices to one receiver wait for one lookup. */
const asked = new Map<string, Promise<LookupAddress[]>>()
let last: Promise<unknown> = Promise.resolve()

function addressesOf(hostname: string): Promise<LookupAddress[]> {
  const present = asked.get(hostname)
  if (present !== undefined) return present
  const addresses = last
    .then(() => lookup(hostname, { all: true, hints: ADDRCONFIG }))
    .finally(() => asked.delete(hostname))
  asked.set(hostname, addresses)
  last = addresses.catch(() => {})
  return addresses
}

const lookUp = callbackify(addressesOf)

/** The `lookup` of connections with `autoSelectFamily`: they ask for all addresses of a name. */
export const lookupInTurn: LookupFunction = (hostname, _options, callback) => lookUp(hostname, callback)
