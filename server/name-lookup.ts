// How the name of a host becomes its addresses, for our own connections: no name whose lookup hangs may hold up a payment.
//
// Node looks names up in libuv's thread pool, one thread for each lookup, and gives lookups half of the threads. Where nobody answers for a name a lookup
// takes 10 s and more: a few notices to such a receiver took all of those threads, and no connection to the payment service could be opened. So a name is
// looked up once at a time, for all that wait for it; and while that takes long, or fails, its last addresses hold.
import { ADDRCONFIG, lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Logger } from './logging/logger.ts'

/** How long a lookup may take while addresses of the name are known from before. */
const KNOWN_AFTER_MS = 1_000
/** And while none are: the deadline of a call to the service is 10 s, and a lookup that failed before it proves that nothing was sent (money rule 1). */
const GIVE_UP_MS = 8_000
/** From the last good answer. Nothing else bounds it: whom we meet at an old address must prove by certificate that it is the name's. */
const KNOWN_FOR_MS = 24 * 60 * 60_000
/** More than any companion's settings name. */
const MOST_NAMES = 100

type Resolve = (
  hostname: string,
  options: { readonly family: number; readonly hints: number; readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface NameLookupOptions {
  /** Default: the system's, by getaddrinfo. */
  readonly resolve?: Resolve
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number
  /** Called when addresses from before are used, once until the name is answered in time. `code`: of getaddrinfo. */
  readonly onKnown?: (hostname: string, code: string) => void
}

type Waiter = (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void

/** One name, with what was asked of it. */
interface Name {
  readonly waiters: Set<Waiter>
  /** Since when it is being looked up. */
  since: number | undefined
  known: { readonly addresses: readonly LookupAddress[]; readonly at: number } | undefined
  isTold: boolean
}

/** Creates the `lookup` for connections of `node:net`; what it fails with has the codes of getaddrinfo. */
export function createNameLookup({
  resolve = lookup,
  now = () => performance.now(),
  onKnown,
}: NameLookupOptions = {}): LookupFunction {
  const names = new Map<string, Name>()

  function nameOf(key: string): Name {
    const present = names.get(key)
    if (present !== undefined) return present
    const [oldest] = names.keys()
    if (names.size >= MOST_NAMES && oldest !== undefined) names.delete(oldest)
    const name: Name = { waiters: new Set(), since: undefined, known: undefined, isTold: false }
    names.set(key, name)
    return name
  }

  const isKnown = ({ known }: Name): boolean => known !== undefined && now() - known.at < KNOWN_FOR_MS

  /** The addresses from before, in place of an answer. */
  function fallBack(name: Name, hostname: string, error: NodeJS.ErrnoException, waiter: Waiter): void {
    if (name.known === undefined || !isKnown(name)) {
      waiter(error, [])
      return
    }
    if (!name.isTold) onKnown?.(hostname, error.code ?? '')
    name.isTold = true
    waiter(null, name.known.addresses)
  }

  return (hostname, options, callback) => {
    const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0)
    const hints = options.hints ?? 0
    // Connections ask with the same hints.
    const name = nameOf(`${family} ${hostname}`)
    const waited = name.since === undefined ? 0 : now() - name.since
    const patience = isKnown(name) ? Math.max(KNOWN_AFTER_MS - waited, 0) : GIVE_UP_MS
    const timer = setTimeout(() => {
      name.waiters.delete(answer)
      fallBack(name, hostname, failure('EAI_AGAIN', hostname), answer)
    }, patience)
    const answer: Waiter = (error, addresses) => {
      clearTimeout(timer)
      const [first] = addresses
      if (error !== null || first === undefined) callback(error ?? failure('ENOTFOUND', hostname), '', 0)
      else if (options.all === true) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    }
    name.waiters.add(answer)
    if (name.since !== undefined) return
    const since = now()
    name.since = since
    resolve(hostname, { family, hints, all: true }, (error, addresses) => {
      name.since = undefined
      const waiters = [...name.waiters]
      name.waiters.clear()
      if (error === null) {
        name.known = { addresses, at: now() }
        // A resolver that is always slow would be told of with each connection.
        if (now() - since < KNOWN_AFTER_MS) name.isTold = false
      }
      for (const waiter of waiters) {
        if (error === null) waiter(null, addresses)
        else fallBack(name, hostname, error, waiter)
      }
    })
  }
}

/** A `lookup` that tells the log when it goes by addresses from before. */
export function loggedNameLookup(logger: Pick<Logger, 'warn'>): LookupFunction {
  return createNameLookup({
    onKnown: (host, code) =>
      logger.warn(
        { host, code },
        'nobody answers in time for the name of this host; its last addresses are used for a day',
      ),
  })
}

/**
 * Looks up the name in an address before there is a connection to it, with a `lookup` of `createNameLookup`. Whoever is looked up first waits for nobody
 * else's name.
 */
export function lookUpAhead(url: string, lookUp: LookupFunction): void {
  const { hostname } = new URL(url)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) === 0) lookUp(hostname, { hints: ADDRCONFIG, all: true }, () => {})
}

function failure(code: string, hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, syscall: 'getaddrinfo', hostname })
}
