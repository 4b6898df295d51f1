// Finds the client of a request: the peer's address, or the one a trusted proxy names
// (HC_TRUSTED_PROXIES), and the keys by which it is counted.
import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'

/** A set of addresses and CIDR blocks; IPv4-mapped IPv6 addresses count as IPv4. */
export function addressSet(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) throw new Error(`Not an address or CIDR block: ${entry}`)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => {
    const plain = plainAddress(address)
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}

function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}

/** Some proxies (Azure's) append the port to the address. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, '$1')
}

/** The other end of the socket; undefined for a request that came without a network. */
export function peerOf(c: Context): string | undefined {
  return (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress
}

/** Added by proxies and content networks only. Each adds some of these. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded',
  'x-forwarded-by',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-scheme',
  'x-forwarded-server',
  'x-cluster-client-ip',
  'x-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-envoy-external-address',
  'x-azure-clientip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
]

/** Whether a proxy has passed the request on: then the peer is not its caller. */
export function isForwarded(header: (name: string) => string | undefined): boolean {
  return PROXY_HEADERS.some((name) => header(name) !== undefined)
}

const NO_NETWORK = 'local'

/**
 * Walks X-Forwarded-For from the right while the hop is a trusted proxy; the first other hop is the
 * client.
 * @param peer the socket's other end; without one the result is {@link NO_NETWORK}
 */
export function clientAddress(
  peer: string | undefined,
  forwarded: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  let address = plainAddress(peer ?? NO_NETWORK)
  if (forwarded === undefined) return address
  const hops = forwarded.split(',').map((part) => part.trim())
  while (isTrusted(address)) {
    const next = withoutPort(hops.pop() ?? '')
    if (isIP(next) === 0) break
    address = plainAddress(next)
  }
  return address
}

/** This machine: a proxy missing from `HC_TRUSTED_PROXIES`, or the shop's own server. */
const isOwn = addressSet(['127.0.0.0/8', '::1'])

/** Whether a Host header names this machine, by `localhost` or an address; true without one. */
export function isOwnHost(header: string | undefined): boolean {
  if (header === undefined) return true
  const hostname = URL.parse(`http://${header}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return hostname === 'localhost' || isOwn(hostname)
}

/**
 * The key under which an address is counted: one for each IPv6 /64, because a household or handset
 * has a whole one. Undefined where all customers would share it: on this machine, and without a
 * network (`app.fetch` in another program).
 */
export function bucketOf(address: string): string | undefined {
  if (address === NO_NETWORK || isOwn(address)) return undefined
  if (isIP(address) !== 6) return address
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const groups = [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
  return groups.slice(0, 4).join(':')
}

/**
 * The IPv6 /56 of an address, because a home or office often has a whole one; undefined for others.
 */
export function networkOf(address: string): string | undefined {
  const groups = bucketOf(address)?.split(':')
  if (groups?.length !== 4) return undefined
  return [...groups.slice(0, 3), (groups[3] ?? '').padStart(4, '0').slice(0, 2)].join(':')
}
