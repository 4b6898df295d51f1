// One port, many ears. Node takes one new connection a turn of its event loop from each socket that listens: behind a thousand slow or
// hostile ones a customer would stand for seconds, and behind a proxy that opens a connection for each request always.
import type { Server } from 'node:http'
import type { AddressInfo, ListenOptions, Server as Ear } from 'node:net'
import { createServer as createEar } from 'node:net'

const EARS = 16
/** Connections that wait for one ear; the system bounds it. */
const BACKLOG = 2048

export interface Listening {
  readonly address: AddressInfo
  /** Takes no new connections; resolves when the last has ended. */
  close(): Promise<void>
}

/**
 * Lets `server` listen at `host` and `port`; on Linux, the one system that shares a port out evenly, with many sockets.
 *
 * @throws the system's error when the address cannot be had. A port that any other program has is refused, though the system would
 * let two programs of one user share it.
 */
export async function listenWide(server: Server, host: string, port: number): Promise<Listening> {
  if (process.platform !== 'linux') {
    const address = await listen(server, { host, port })
    return { address, close: () => closed(server) }
  }
  const alone = createEar()
  const { address, port: given, family } = await listen(alone, { host, port })
  await closed(alone)
  const where = { host: address, port: given, reusePort: true }
  await listen(server, where)
  const ears = Array.from({ length: EARS - 1 }, () =>
    createEar({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
  )
  try {
    await Promise.all(ears.map((ear) => listen(ear, where)))
  } catch (error) {
    // Those that listen would keep a process alive that could not start.
    for (const ear of [server, ...ears]) ear.close()
    throw error
  }
  return {
    address: { address, port: given, family },
    async close() {
      await Promise.all([server, ...ears].map(closed))
    },
  }
}

function listen(ear: Ear, options: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    // Stays: a connection that cannot be taken later, for want of open files, must not end the others.
    ear.on('error', reject)
    ear.listen({ ...options, backlog: BACKLOG }, () => resolve(ear.address() as AddressInfo))
  })
}

function closed(ear: Ear): Promise<void> {
  return new Promise((resolve) => void ear.close(() => resolve()))
}
