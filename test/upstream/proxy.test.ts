// Calls through an HTTP proxy (HC_UPSTREAM_PROXY), for hosts without an address of their own on the
// service's allow-list.
import * as http from 'node:http'
import * as https from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createAgent } from '../../server/upstream/agent.ts'
import { createServiceFetch } from '../../server/upstream/service-fetch.ts'
import { createTransport, systemTimers } from '../../server/upstream/transport.ts'
import { freePort } from '../helpers/free-port.ts'
import { selfSigned } from './material.ts'

const AUTHORIZATION = `Basic ${Buffer.from('shop:p@ss word').toString('base64')}`
const REFUSED = { fault: 'refused_connection', notSent: true }
const FOREIGN = { fault: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT', notSent: true }

let servers: http.Server[]
let sockets: Set<Socket>
let agent: ReturnType<typeof createAgent> | undefined
/** What the proxy was asked for. */
let tunnels: string[]
/** User and password that it was told. */
let told: string[]
/** What arrived at the service. */
let calls: string[]

async function listen(made: http.Server): Promise<number> {
  servers.push(made)
  made.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return (made.address() as AddressInfo).port
}

const answer: http.RequestListener = (request, response) => {
  calls.push(`${request.method} ${request.headers.host} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`)
  request.resume().on('end', () => response.end('{}'))
}

/** Tunnels for those who know the password. */
function proxyServer(): http.Server {
  return http.createServer().on('connect', (request, client: Socket) => {
    tunnels.push(String(request.url))
    told.push(Buffer.from((request.headers['proxy-authorization'] ?? '').replace('Basic ', ''), 'base64').toString())
    client.on('error', () => {})
    if (request.headers['proxy-authorization'] !== AUTHORIZATION) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const { hostname, port } = new URL(`http://${request.url}`)
    const service = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(service).pipe(client)
    })
    service.on('error', () => client.destroy())
    client.on('close', () => service.destroy())
  })
}

function through(proxy: string) {
  const options = { deadlines: { headers: 10_000, total: 20_000 }, timers: systemTimers, maxBytes: 1000, proxy }
  agent = createAgent(options)
  const { send } = createTransport(createServiceFetch(agent, options.maxBytes), options)
  return (base: string, path = '/pay') => send({ url: `${base}${path}`, headers: { signature: 's' }, body: '{}' })
}

beforeEach(() => {
  servers = []
  sockets = new Set()
  tunnels = []
  told = []
  calls = []
})

afterEach(async () => {
  vi.unstubAllEnvs()
  void agent?.destroy()
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))))
})

it('goes through a tunnel, and keeps it for the next call', async () => {
  const service = await listen(http.createServer(answer))
  const port = await listen(proxyServer())
  const send = through(`http://shop:p%40ss%20word@127.0.0.1:${port}`)
  expect(await send(`http://127.0.0.1:${service}`)).toMatchObject({ ok: true, status: 200, text: '{}' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(await send(`http://127.0.0.1:${service}`, '/query')).toMatchObject({ ok: true })
  expect(tunnels).toEqual([`127.0.0.1:${service}`])
  expect(calls).toEqual([`POST 127.0.0.1:${service} /pay `, `POST 127.0.0.1:${service} /query `])
})

it('is certain that the service was told nothing when the proxy refuses', async () => {
  const service = await listen(http.createServer(answer))
  const port = await listen(proxyServer())
  const send = through(`http://shop:wrong@127.0.0.1:${port}`)
  expect(await send(`http://127.0.0.1:${service}`)).toEqual({ ok: false, ...REFUSED })
  expect(tunnels).toHaveLength(1)
  expect(calls).toEqual([])
})

it.each([
  ['ends', (client: Socket) => client.end()],
  ['destroys', (client: Socket) => client.destroy()],
])(
  'asks once for a tunnel when the proxy %s the connection, and is certain that nothing was sent',
  async (_, close) => {
    const proxy = http.createServer().on('connect', (request, client: Socket) => {
      tunnels.push(String(request.url))
      close(client)
    })
    const port = await listen(proxy)
    const send = through(`http://127.0.0.1:${port}`)
    expect(await send('https://service.example')).toEqual({ ok: false, ...REFUSED })
    expect(tunnels).toEqual(['service.example:443'])
  },
)

it.each([
  ['nothing', '', { fault: 'reset' }],
  ['an answer that nobody asked for', 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n', REFUSED],
  ['bytes that are no HTTP', 'x', REFUSED],
])('asks once for a tunnel that opens with %s and is closed', async (_, bytes, met) => {
  const proxy = http.createServer().on('connect', (request, client: Socket) => {
    tunnels.push(String(request.url))
    client.on('error', () => {})
    client.end(`HTTP/1.1 200 Connection established\r\n\r\n${bytes}`)
  })
  const port = await listen(proxy)
  const send = through(`http://127.0.0.1:${port}`)
  for (const base of ['http://127.0.0.1:9', 'https://service.example']) {
    tunnels = []
    expect(await send(base)).toEqual({ ok: false, ...met })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(tunnels).toHaveLength(1)
  }
})

it.each([
  ['a key in place of a user', 'key', 'key:'],
  ['an empty password', 'key:', 'key:'],
  ['a password with a bare percent sign', 'shop:100%zz', 'shop:100%zz'],
  ['colons and encoded signs', 'shop:a:b%40c', 'shop:a:b@c'],
])('tells the proxy %s', async (_name, userinfo, expected) => {
  const port = await listen(proxyServer())
  const send = through(`http://${userinfo}@127.0.0.1:${port}`)
  await send('http://127.0.0.1:9')
  expect(told).toEqual([expected])
})

it('is certain that nothing was sent when there is no proxy', async () => {
  const send = through(`http://127.0.0.1:${await freePort()}`)
  expect(await send('https://service.example')).toEqual({ ok: false, ...REFUSED })
})

it.each([undefined, '0'])(
  'checks the certificate of the service at the end of the tunnel, with NODE_TLS_REJECT_UNAUTHORIZED=%s',
  async (environment) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', environment)
    const service = await listen(https.createServer(selfSigned, answer))
    const port = await listen(proxyServer())
    const send = through(`http://shop:p%40ss%20word@127.0.0.1:${port}`)
    expect(await send(`https://127.0.0.1:${service}`)).toEqual({ ok: false, ...FOREIGN })
    expect(tunnels).toHaveLength(1)
    expect(calls).toEqual([])
  },
)

it.each([undefined, '0'])(
  'checks the certificate of a proxy that is spoken to by TLS, with NODE_TLS_REJECT_UNAUTHORIZED=%s',
  async (environment) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', environment)
    const port = await listen(https.createServer(selfSigned, answer).on('connect', (_, client) => client.end()))
    const send = through(`https://127.0.0.1:${port}`)
    expect(await send('http://127.0.0.1:9')).toEqual({ ok: false, ...FOREIGN })
  },
)
