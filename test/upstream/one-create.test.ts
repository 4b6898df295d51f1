// A create reaches the service once, whatever is answered: over a real server, by our own
// connections.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUpstreamClient } from '../../server/upstream/client.ts'
import type { Upstream } from '../../server/deposits/ports/upstream.ts'
import { contract, order, testKey } from './material.ts'
import { createManualTimers } from './service.ts'

const data = {
  transaction_id: 'CP7S36ULT8P',
  reference: order.reference,
  status: 'PENDING',
  redirect_url: 'https://checkout.example/s/abc',
}
const created = JSON.stringify({ success: true, message: '', data })
const login = JSON.stringify({ success: true, data: { access_token: 'token', token_type: 'bearer', expires_in: 60 } })
const answer = (head: string, body: string) => `HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`

let server: Server
let sockets: Socket[]
/** What arrived, over all connections: whole requests, since each is small. */
let requests: string[]
let respond: (socket: Socket) => void
let timers: ReturnType<typeof createManualTimers>
let upstream: Upstream

beforeEach(async () => {
  sockets = []
  requests = []
  server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      const request = bytes.toString()
      requests.push(request)
      if (request.startsWith('POST /api/v2/auth/login ')) socket.write(answer('200 OK', login))
      else respond(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  timers = createManualTimers()
  upstream = createUpstreamClient({
    authUrl: base,
    baseUrl: base,
    consumerKey: 'ck',
    consumerSecret: 'cs',
    privateKey: testKey,
    ...contract,
    businessId: 'BIZ-0042',
    now: () => 0,
    random: (count) => new Uint8Array(count),
    timers,
  })
  await upstream.warmUp()
})

afterEach(async () => {
  await upstream.close()
  for (const socket of sockets) socket.destroy()
  server.close()
})

const creates = () => requests.filter((request) => request.startsWith('POST /api/v2/payment/ '))
/** Time for what would be sent again by itself. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 50))

it.each<[string, (socket: Socket) => void, string]>([
  ['421', (socket) => socket.write(answer('421 Misdirected Request', created)), 'http_421_not_in_the_envelope'],
  ['307', (socket) => socket.write(answer('307 Temporary Redirect\r\nlocation: /api/v2/payment/', '')), 'http_307'],
  ['308', (socket) => socket.write(answer('308 Permanent Redirect\r\nlocation: /api/v2/payment/', '')), 'http_308'],
  ['303', (socket) => socket.write(answer('303 See Other\r\nlocation: /api/v2/payment/', '')), 'http_303'],
  ['600', (socket) => socket.write(answer('600 Unheard Of', created)), 'invalid_answer'],
  ['999', (socket) => socket.write(answer('999 Unheard Of', created)), 'invalid_answer'],
  ['204 with a body', (socket) => socket.write(answer('204 No Content', created)), 'unreadable'],
  ['205 with a body', (socket) => socket.write(answer('205 Reset Content', created)), 'unreadable'],
  ['304 with a body', (socket) => socket.write(answer('304 Not Modified', created)), 'http_304'],
  ['a hang-up before the headers', (socket) => socket.destroy(), 'reset'],
  ['a reset before the headers', (socket) => socket.resetAndDestroy(), 'reset'],
  [
    'a hang-up after the headers',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{', () => socket.destroy()),
    'reset',
  ],
  [
    'a reset after the headers',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{', () => socket.resetAndDestroy()),
    'reset',
  ],
])('a create answered by %s is unknown, and was sent once', async (_name, respondSo, reason) => {
  respond = respondSo
  expect(await upstream.create(order)).toMatchObject({ kind: 'unknown', reason })
  await settle()
  expect(creates()).toHaveLength(1)
  // The next call has a connection that works, and the same outcome for itself.
  respond = (socket) => socket.write(answer('200 OK', created))
  expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
  expect(creates()).toHaveLength(2)
})

it('a create answered by 199 and nothing more is given up at its deadline, and was sent once', async () => {
  const arrived = Promise.withResolvers<void>()
  respond = (socket) => socket.write('HTTP/1.1 199 Wait\r\n\r\n', () => arrived.resolve())
  const outcome = upstream.create(order)
  await arrived.promise
  await settle()
  timers.advance(10_000)
  expect(await outcome).toEqual({ kind: 'unknown', reason: 'timeout' })
  await settle()
  expect(creates()).toHaveLength(1)
})

it('goes out with its length, and never in chunks', async () => {
  respond = (socket) => socket.write(answer('200 OK', created))
  await upstream.create(order)
  const [head = '', body = ''] = creates()[0]?.split('\r\n\r\n') ?? []
  expect(head.toLowerCase()).toContain(`\r\ncontent-length: ${Buffer.byteLength(body)}`)
  expect(head.toLowerCase()).not.toContain('transfer-encoding')
})
