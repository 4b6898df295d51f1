// Listens on one port with many sockets. Node accepts one connection per listening socket in each turn of its event loop: behind a thousand
// slow or hostile connections a customer would wait for seconds, and behind a proxy that opens a connection for each request, always.
import type { Server } from 'node:http'
import type { AddressInfo, ListenOptions, Server as TcpServer } from 'node:net'
import { createServer as createTcpServer } from 'node:net'

const LISTENING_SOCKETS = 16
/** Accept queue of one socket; the system may limit it further. */
const BACKLOG = 2048

export interface Listening {
  readonly address: AddressInfo
  /** Stops accepting connections; resolves when the last one has ended. */
  close(): Promise<void>
}

/**
 * Makes `server` listen on `host` and `port`; with many sockets on Linux, the only system that distributes connections evenly.
 *
 * @throws the system's error if the address is not available. A port in use by any other program is refused, although the system
 * would let two programs of one user share it.
 */
export async function listenWide(server: Server, host: string, port: number): Promise<Listening> {
  if (process.platform !== 'linux') {
    const address = await listen(server, { host, port })
    return { address, close: () => closed(server) }
  }
  // Without reusePort, so that a port in use by another program is refused.
  const probe = createTcpServer()
  const { address, port: given, family } = await listen(probe, { host, port })
  await closed(probe)
  const where = { host: address, port: given, reusePort: true }
  await listen(server, where)
  const others = Array.from({ length: LISTENING_SOCKETS - 1 }, () =>
    createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
  )
  try {
    await Promise.all(others.map((other) => listen(other, where)))
  } catch (error) {
    // Sockets already listening would keep the process alive although it could not start.
    for (const one of [server, ...others]) one.close()
    throw error
  }
  return {
    address: { address, port: given, family },
    async close() {
      await Promise.all([server, ...others].map(closed))
    },
  }
}

function listen(server: TcpServer, options: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    // Stays attached: a connection that cannot be accepted later (too many open files) must not end the process.
    server.on('error', reject)
    server.listen({ ...options, backlog: BACKLOG }, () => resolve(server.address() as AddressInfo))
  })
}

function closed(server: TcpServer): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()))
}

/** How this machine reaches a server that listens on `host` and `port`: not every program can call 0.0.0.0 or ::. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
