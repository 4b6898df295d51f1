// Listening on a port, and the address under which this machine reaches what listens there.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Connections that wait to be accepted; the system may limit it further. */
const BACKLOG = 2048

/**
 * Makes `server` listen on `host` and `port`.
 *
 * @throws the system's error if the address is not available.
 */
export function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    // Stays attached: a connection that cannot be accepted later (too many open files) must not end
    // the process.
    server.on('error', reject)
    server.listen({ host, port, backlog: BACKLOG }, () => resolve(server.address() as AddressInfo))
  })
}

/** How this machine reaches a server: not every program can call 0.0.0.0 or ::. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
