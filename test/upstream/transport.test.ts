// The pool of connections below one call: what is certainly not sent is never sent afterwards, and
// nothing is sent twice.
import { once } from 'node:events'
import net, { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createAgent } from '../../server/upstream/agent.ts'
import { createServiceFetch } from '../../server/upstream/service-fetch.ts'
import { createTransport, systemTimers, type Timers, type Transport } from '../../server/upstream/transport.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const DEADLINES = { headers: 10_000, total: 20_000 }

let server: Server
let sockets: Socket[]
/** Every request that arrived, over all connections. */
let requests: string[]
let answer: (socket: Socket) => void
let agent: ReturnType<typeof createAgent> | undefined

const call = () => ({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`, headers: {}, body: '{}' })

function open(timers: Timers = systemTimers, deadlines = DEADLINES): Transport {
  const options = { deadlines, timers, maxBytes: 1000 }
  agent = createAgent(options)
  return createTransport(createServiceFetch(agent, options.maxBytes), options)
}

beforeEach(async () => {
  sockets = []
  requests = []
  answer = (socket) => void socket.write(OK)
  server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      requests.push(bytes.toString())
      answer(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  void agent?.destroy()
  for (const socket of sockets) socket.destroy()
  server.close()
})

it('gives each address of a name longer than a lost packet takes, and leaves time for another', async () => {
  const connect = vi.spyOn(net, 'connect')
  expect(await open().send(call())).toMatchObject({ ok: true })
  const [given] = connect.mock.calls[0] as unknown as [{ autoSelectFamilyAttemptTimeout?: number }]
  connect.mockRestore()
  expect(given.autoSelectFamilyAttemptTimeout).toBeGreaterThan(2_000)
  expect(given.autoSelectFamilyAttemptTimeout).toBeLessThan(DEADLINES.headers / 3)
})

it('does not send what was given up before there was a connection', async () => {
  const deadlines: (() => void)[] = []
  const timers: Timers = { setTimeout: (callback) => deadlines.push(callback), clearTimeout() {} }
  const { send } = open(timers)
  const connected = once(server, 'connection')
  const sent = send(call())
  deadlines[0]?.()
  expect(await sent).toEqual({ ok: false, fault: 'timeout' })
  await connected
  await pause(100)
  expect(requests).toEqual([])
  expect(await send(call())).toMatchObject({ ok: true, status: 200 })
  expect(requests).toHaveLength(1)
})

it('leaves no deadline running behind a call, and the next call is not ended by the deadline of the last', async () => {
  const running = new Map<number, () => void>()
  let made = 0
  const timers: Timers = {
    setTimeout: (callback) => {
      running.set((made += 1), callback)
      return made
    },
    clearTimeout: (handle) => void running.delete(handle as number),
  }
  const { send } = open(timers)
  const first = send(call())
  const late = [...running.values()]
  expect([late.length, await first]).toMatchObject([2, { ok: true }])
  expect(running.size).toBe(0)
  await pause(20)
  const arrived = Promise.withResolvers<Socket>()
  answer = (socket) => arrived.resolve(socket)
  const second = send(call())
  const socket = await arrived.promise
  for (const deadline of late) deadline()
  socket.write(OK)
  expect(await second).toMatchObject({ ok: true })
  expect([running.size, sockets.length]).toEqual([0, 1])
  answer = (socket) => socket.destroy()
  expect(await send(call())).toEqual({ ok: false, fault: 'reset' })
  expect(running.size).toBe(0)
})

it('closes the connection of a call that is given up while it waits for the answer', async () => {
  const deadlines: (() => void)[] = []
  const timers: Timers = { setTimeout: (callback) => deadlines.push(callback), clearTimeout() {} }
  const { send } = open(timers)
  const arrived = Promise.withResolvers<Socket>()
  answer = (socket) => arrived.resolve(socket)
  const sent = send(call())
  const socket = await arrived.promise
  const closed = once(socket, 'close')
  deadlines.at(-1)?.()
  expect(await sent).toEqual({ ok: false, fault: 'timeout' })
  await closed
  expect(requests).toHaveLength(1)
})

it.each([
  ['100 Continue', 'reset'],
  ['101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade', 'reset'],
  ['102 Processing', undefined],
  ['103 Early Hints\r\nlink: </a.css>', undefined],
])('takes an answer that begins with %s for no refusal, and sends once', async (head, fault) => {
  const { send } = open()
  answer = (socket) => void socket.write(`HTTP/1.1 ${head}\r\n\r\n${OK}`)
  expect(await send(call())).toMatchObject(fault === undefined ? { ok: true, status: 200 } : { ok: false, fault })
  await pause(50)
  expect(requests).toHaveLength(1)
  // The next call has a connection that works.
  answer = (socket) => void socket.write(OK)
  expect(await send(call())).toMatchObject({ ok: true, status: 200 })
})

it('does not send again what a kept connection broke under', async () => {
  const { send } = open()
  expect(await send(call())).toMatchObject({ ok: true })
  await pause(20)
  answer = (socket) => socket.destroy()
  expect(await send(call())).toEqual({ ok: false, fault: 'reset' })
  answer = (socket) => socket.resetAndDestroy()
  expect(await send(call())).toEqual({ ok: false, fault: 'reset' })
  await pause(100)
  expect(requests).toHaveLength(3)
  answer = (socket) => void socket.write(OK)
  expect(await send(call())).toMatchObject({ ok: true })
})

it('takes a new connection when the service has closed the kept one', async () => {
  const { send } = open()
  expect(await send(call())).toMatchObject({ ok: true })
  const [socket] = sockets
  const closed = once(socket as Socket, 'close')
  socket?.end()
  // By both sides: the transport knows of it then.
  await closed
  expect(await send(call())).toMatchObject({ ok: true })
  expect(sockets).toHaveLength(2)
})

it('gives up a connection that the service announces it will close', async () => {
  const { send } = open()
  answer = (socket) => void socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}')
  expect(await send(call())).toMatchObject({ ok: true })
  expect(await send(call())).toMatchObject({ ok: true })
  expect(sockets).toHaveLength(2)
  expect(requests).toHaveLength(2)
})

it('sends nothing more of a call that it has given up while it waits for the answer', async () => {
  const deadlines: (() => void)[] = []
  const timers: Timers = { setTimeout: (callback) => deadlines.push(callback), clearTimeout() {} }
  const { send } = open(timers)
  const arrived = new Promise<void>((resolve) => {
    answer = () => resolve()
  })
  const sent = send(call())
  await arrived
  deadlines[0]?.()
  expect(await sent).toEqual({ ok: false, fault: 'timeout' })
  await pause(100)
  // undici opens one connection in place of the one that it ended, and keeps it for the next call.
  expect(sockets.length).toBeLessThanOrEqual(2)
  expect(requests).toHaveLength(1)
  answer = (socket) => void socket.write(OK)
  expect(await send(call())).toMatchObject({ ok: true })
  expect(requests).toHaveLength(2)
})

it('answers at once when it is closed, and a handshake that hangs ends with the time to connect', async () => {
  answer = () => {}
  // Only the connection has a deadline: that of the call must not answer first on a busy machine.
  const { send } = open({ setTimeout: () => 0, clearTimeout() {} }, { headers: 2_000, total: 20_000 })
  const connected = once(server, 'connection')
  const sent = send({ ...call(), url: call().url.replace('http:', 'https:') })
  await connected
  const [socket] = sockets
  const order: string[] = []
  const ended = once(socket as Socket, 'close').then(() => order.push('connection ended'))
  void agent?.destroy()
  expect(await sent).toEqual({ ok: false, fault: 'network' })
  order.push('answered')
  await ended
  expect(order).toEqual(['answered', 'connection ended'])
})

it('reads the first of several Retry-After', async () => {
  const { send } = open()
  const twice = 'retry-after: 7\r\nretry-after: 9\r\n'
  answer = (socket) => void socket.write(`HTTP/1.1 429 Too Many\r\n${twice}content-length: 2\r\n\r\n{}`)
  expect(await send(call())).toMatchObject({ ok: true, status: 429, retryAfter: '7' })
})

it('asks for an answer as it is, and reads one that says that it is', async () => {
  const { send } = open()
  answer = (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: Identity\r\ncontent-length: 2\r\n\r\n{}')
  expect(await send(call())).toMatchObject({ ok: true, text: '{}' })
  expect(requests[0]?.toLowerCase()).toContain('\r\naccept-encoding: identity\r\n')
})

const zipped = (header: string, body: Buffer) => (socket: Socket) => {
  socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${header}\r\ncontent-length: ${body.length}\r\n\r\n`)
  socket.write(body)
}
const text = '{"a":"é"}'

it.each([
  ['GZIP', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
  ['identity, gzip', gzipSync(text)],
  ['gzip', gzipSync('x'.repeat(1000))],
])('reads %s, which nobody asked for', async (header, body) => {
  answer = zipped(header, body)
  expect(await open().send(call())).toMatchObject({
    ok: true,
    status: 200,
    text: expect.stringMatching(/^\{"a":"é"\}$|^x{1000}$/),
  })
})

it.each([
  ['longer when read than an answer may be', 'gzip', gzipSync('x'.repeat(1001)), 'too_large'],
  ['longer between its codings', 'br, gzip', gzipSync(brotliCompressSync(Buffer.alloc(9_000_000))), 'too_large'],
  ['cut off', 'gzip', gzipSync(text).subarray(0, -4), 'encoded'],
  ['not compressed at all', 'br', Buffer.from(text), 'encoded'],
  ['of a coding that is not known', 'zstd', Buffer.from(text), 'encoded'],
  ['compressed three times', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(text))), 'encoded'],
] as const)('believes no answer that is %s', async (_, header, body, fault) => {
  answer = zipped(header, body)
  const { send } = open()
  expect(await send(call())).toEqual({ ok: false, fault })
  answer = (socket) => void socket.write(OK)
  expect(await send(call())).toMatchObject({ ok: true })
})

it('sends the path with its query, and a header as it was given', async () => {
  const { send } = open()
  const { url } = call()
  await send({ url: `${url}/x?a=b`, headers: { 'x-signed': 'Zm9v' }, body: '{"a":1}' })
  expect(requests[0]).toMatch(/^POST \/pay\/x\?a=b HTTP\/1\.1\r\n/)
  expect(requests[0]).toContain('\r\nx-signed: Zm9v\r\n')
  expect(requests[0]).toMatch(/\r\n\r\n\{"a":1\}$/)
})

it('reads an answer of the most bytes that it may have, and believes none that is longer', async () => {
  const { send } = open()
  answer = (socket) => void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n${'x'.repeat(1000)}`)
  expect(await send(call())).toMatchObject({ ok: true, text: 'x'.repeat(1000) })
  answer = (socket) => void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n${'x'.repeat(1001)}`)
  expect(await send(call())).toEqual({ ok: false, fault: 'too_large' })
})

it('reads the last answer after an early hint', async () => {
  const { send } = open()
  answer = (socket) => void socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}`)
  expect(await send(call())).toMatchObject({ ok: true, status: 200, text: '{}' })
})

it('does not believe an answer that is cut short', async () => {
  const { send } = open()
  answer = (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{}')
  expect(await send(call())).toEqual({ ok: false, fault: 'reset' })
})

it('sends nothing when a header cannot be sent', async () => {
  const { send } = open()
  const sent = await send({ ...call(), headers: { signature: 'a\r\nx: y' } })
  expect(sent).toEqual({ ok: false, fault: 'network' })
  expect(requests).toEqual([])
})

it('sends to each host what is for it', async () => {
  const { send } = open()
  const other = createServer((socket) => void socket.once('data', () => socket.end(OK.replace('{}', '[]'))))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
  const texts = [await send(call()), await send({ ...call(), url }), await send(call())]
  other.close()
  expect(texts.map((sent) => sent.ok && sent.text)).toEqual(['{}', '[]', '{}'])
})

it('serves many at once, each on a connection of its own', async () => {
  const { send } = open()
  answer = (socket) => void setTimeout(() => socket.write(OK), 50)
  const sent = await Promise.all(Array.from({ length: 20 }, () => send(call())))
  expect(sent.every((one) => one.ok)).toBe(true)
  expect(sockets).toHaveLength(20)
})

it('closes a connection that nobody uses for three seconds', async () => {
  const { send } = open()
  expect(await send(call())).toMatchObject({ ok: true })
  const [socket] = sockets
  await once(socket as Socket, 'close')
  expect(requests).toHaveLength(1)
})
