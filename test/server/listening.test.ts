// The port of the companion: its own alone, given back at its end, with all connections known to
// the server.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { listen } from '../../server/platform/listening.ts'

const servers: Server[] = []
const sockets: Socket[] = []

async function open(port = 0): Promise<{ server: Server; address: AddressInfo }> {
  const server = createServer((_request, response) => response.end('heard'))
  const address = await listen(server, '127.0.0.1', port)
  servers.push(server)
  return { server, address }
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function crowd(port: number, size: number): Promise<Socket[]> {
  const came = Array.from({ length: size }, () => connect(port, '127.0.0.1'))
  sockets.push(...came)
  await Promise.all(came.map((socket) => once(socket, 'connect')))
  return came
}

it('a server listens on the address that it is given, and no other', async () => {
  const { server, address } = await open()
  expect(address).toMatchObject({ address: '127.0.0.1', family: 'IPv4' })
  expect(server.address()).toEqual(address)
})

it('a server does not share its port with another, and gives it back at its end', async () => {
  const { server, address } = await open()
  await expect(open(address.port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await crowd(address.port, 20)
  const closed = once(server, 'close')
  server.close().closeAllConnections()
  await closed
  expect((await open(address.port)).address.port).toBe(address.port)
})

it('a server that cannot accept a connection goes on with the next', async () => {
  const { server, address } = await open()
  server.emit('error', Object.assign(new Error('too many open files'), { code: 'EMFILE' }))
  expect(await (await fetch(`http://127.0.0.1:${address.port}/`)).text()).toBe('heard')
})

it('a server knows all its connections: idle ones can be closed at a stop', async () => {
  const { server, address } = await open()
  const came = await crowd(address.port, 40)
  await Promise.all(
    came.map(async (socket) => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'data')
    }),
  )
  const ended = Promise.all([...came.map((socket) => once(socket, 'close')), once(server, 'close')])
  for (const socket of came) socket.resume()
  server.close().closeIdleConnections()
  await ended
})
