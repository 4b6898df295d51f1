// A minimal PgBouncer in transaction mode: clients share a few connections of a real server, each
// for one transaction.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export interface TransactionPooler {
  /** The address of the database, through the pooler. */
  readonly url: string
  close(): Promise<void>
}

const AUTHENTICATION = 'R'
const READY = 'Z'
const CLEARTEXT = 3
/** Code of a TLS request, which is declined. */
const SSL_REQUEST = 80_877_103

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function startup(parameters: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(parameters).flat().join('\0')
  const body = Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from(`${text}\0\0`)])
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}

/** Calls `take` with each complete message. */
function onMessages(socket: Socket, take: (type: string, body: Buffer, raw: Buffer) => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1)
      const raw = rest.subarray(0, end)
      rest = rest.subarray(end)
      take(raw.toString('latin1', 0, 1), raw.subarray(5), raw)
    }
  })
}

interface Backend {
  readonly socket: Socket
  /** The client whose transaction it runs. */
  customer?: Socket
}

/**
 * Opens a connection to the server, which must ask for the password in clear text, as the embedded
 * one does.
 */
async function openBackend(target: URL): Promise<Backend> {
  const socket = connect(Number(target.port), target.hostname)
  const backend: Backend = { socket }
  const ready = new Promise<void>((resolve) => {
    onMessages(socket, (type, body, raw) => {
      const { customer } = backend
      const isIdle = type === READY && body.toString('latin1') === 'I'
      if (customer !== undefined) {
        if (isIdle) delete backend.customer
        customer.write(raw)
      } else if (type === AUTHENTICATION && body.readInt32BE() === CLEARTEXT)
        socket.write(message('p', Buffer.from(`${decodeURIComponent(target.password)}\0`)))
      else if (isIdle) resolve()
    })
  })
  socket.write(startup({ user: target.username, database: target.pathname.slice(1) }))
  await ready
  return backend
}

/** @param connections to the server, shared by all clients */
export async function startTransactionPooler(databaseUrl: string, connections = 4): Promise<TransactionPooler> {
  const target = new URL(databaseUrl)
  const backends = await Promise.all(Array.from({ length: connections }, () => openBackend(target)))
  const customers = new Set<Socket>()
  const server = createServer((customer) => {
    customers.add(customer)
    customer.on('close', () => customers.delete(customer))
    customer.on('error', () => undefined)
    let isKnown = false
    customer.on('data', (data: Buffer) => {
      if (!isKnown && data.readInt32BE(4) === SSL_REQUEST) return void customer.write('N')
      if (!isKnown) {
        isKnown = true
        customer.write(message(AUTHENTICATION, Buffer.alloc(4)))
        return void customer.write(message(READY, Buffer.from('I')))
      }
      if (data.toString('latin1', 0, 1) === 'X') return void customer.end()
      const backend =
        backends.find((one) => one.customer === customer) ?? backends.find((one) => one.customer === undefined)
      if (backend === undefined) throw new Error('More customers at once than connections: give it more.')
      backend.customer = customer
      backend.socket.write(data)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    async close() {
      for (const customer of customers) customer.destroy()
      for (const { socket } of backends) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
