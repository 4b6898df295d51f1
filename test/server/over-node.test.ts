// On a Node server the same request gets the same answer as from the app itself, wherever it is
// mounted.
import { once } from 'node:events'
import { Agent, request as send } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { createCapabilities } from '../../server/deposits/identity.ts'
import type { Metrics } from '../../server/platform/metrics.ts'
import { silentMetrics } from '../../server/platform/metrics.ts'
import { nodeListener } from '../../server/node.ts'
import {
  COMPANION_URL,
  createSession,
  createTestSystem,
  kenyanDeposit,
  keys,
  newKey,
  pay,
  SHOP_URL,
} from '../helpers/create-test-system.ts'
import type { TestSystem, TestSystemOptions } from '../helpers/create-test-system.ts'
import { signed, success } from '../upstream/material.ts'

let system: TestSystem
let server: Server
let port: number

async function open(options: TestSystemOptions = {}, insecureHTTPParser = false): Promise<void> {
  system = await createTestSystem(options)
  const { companion } = system
  const listener = nodeListener(companion)
  server = createServer({ insecureHTTPParser }, (request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ;({ port } = server.address() as AddressInfo)
}

beforeEach(() => open())
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await system.close()
})

async function openBehindProxy(): Promise<void> {
  server.close()
  await system.close()
  await open({ settings: { trustedProxies: ['127.0.0.1'] } })
}

interface Sent {
  readonly path: string
  readonly method?: 'POST' | 'PUT'
  readonly headers?: Record<string, string>
  readonly body?: string
  /** Without a Content-Length. */
  readonly chunked?: true
}
interface Told {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: Record<string, unknown>
}

/** What differs from one answer to the next by right. */
const OWN = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'x-request-id', 'location']

function told(status: number, headers: IncomingHttpHeaders | Record<string, string>, text: string): Told {
  const body = JSON.parse(text) as Record<string, unknown>
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  if (body['requestId'] !== undefined) expect(body['requestId']).toBe(headers['x-request-id'])
  const own = ['requestId', 'id', 'reference', 'token', 'checkoutUrl', 'payUrl']
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name))),
    body: Object.fromEntries(Object.entries(body).filter(([name]) => !own.includes(name))),
  }
}

async function overNode({ path, method, headers = {}, body = '', chunked }: Sent): Promise<Told> {
  return new Promise((resolve, reject) => {
    const init = { port, host: '127.0.0.1', method: method ?? 'POST', path, headers: { ...headers } }
    const out = send(init, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve(told(answer.statusCode ?? 0, answer.headers, Buffer.concat(chunks).toString('utf8'))),
      )
    })
    out.on('error', reject)
    if (chunked) {
      out.write(body.slice(0, 1))
      out.end(body.slice(1))
    } else {
      out.setHeader('content-length', Buffer.byteLength(body))
      out.end(body)
    }
  })
}

async function overHono({ path, method = 'POST', headers = {}, body = '' }: Sent): Promise<Told> {
  const answer = await system.companion.app.request(path, { method, headers, body })
  return told(answer.status, Object.fromEntries(answer.headers), await answer.text())
}

const json = { 'content-type': 'application/json' }
const deposit = (headers: Record<string, string> = {}, body = JSON.stringify(kenyanDeposit())): Sent => ({
  path: '/v1/deposits',
  headers: { ...json, 'idempotency-key': newKey(), ...headers },
  body,
})

describe('a deposit', () => {
  it.each<[string, () => Sent, number]>([
    ['that is made', () => deposit(), 201],
    ['from the page of a shop', () => deposit({ origin: SHOP_URL }), 201],
    ['from the page of a stranger', () => deposit({ origin: 'https://stranger.example' }), 403],
    ['without a key', () => ({ path: '/v1/deposits', headers: json, body: '{}' }), 400],
    ['with a wrong field, from the page of a shop', () => deposit({ origin: SHOP_URL }, '{"country":"KE"}'), 422],
    ['that is no JSON', () => deposit({}, '{'), 400],
    ['that is no UTF-8 text', () => deposit({ 'content-type': 'text/plain' }), 415],
    ['that is too long', () => deposit({}, `"${'x'.repeat(9000)}"`), 413],
    ['that is far too long', () => deposit({}, `"${'x'.repeat(90_000)}"`), 413],
    ['that comes in pieces', () => ({ ...deposit(), chunked: true }), 201],
    ['that is as long as it may be', () => deposit({}, JSON.stringify(kenyanDeposit()).padEnd(8192)), 201],
    ['that is compressed', () => deposit({ 'content-encoding': 'gzip' }), 415],
    ['that is put', () => ({ ...deposit(), method: 'PUT' }), 405],
    ['behind a proxy that nobody trusts', () => deposit({ 'x-forwarded-for': '10.0.0.1' }), 201],
  ])('%s is answered the same by both ways', async (_name, make, status) => {
    const [node, hono] = [await overNode(make()), await overHono(make())]
    expect(node.status).toBe(status)
    expect(node).toEqual(hono)
  })

  describe('too many of them in a minute', () => {
    const tooLittle = JSON.stringify(kenyanDeposit({ amount: 1 }))
    const from = (address: string, body = tooLittle) => deposit({ 'x-forwarded-for': address }, body)
    it('from one address are refused, and nobody else is', async () => {
      await openBehindProxy()
      for (let n = 0; n < 120; n += 1) expect((await overNode(from('203.0.113.9'))).status).toBe(422)
      expect((await overNode(from('203.0.113.9'))).status).toBe(429)
      expect((await overNode(from('203.0.113.10'))).status).toBe(422)
    })

    it('from one address for which the shop has made sessions are its customers behind one operator', async () => {
      await openBehindProxy()
      for (let n = 0; n < 121; n += 1) await overNode(from('203.0.113.9'))
      const { token } = await createSession(system)
      const body = JSON.stringify(kenyanDeposit({ amount: 2500, session: token }))
      expect((await overNode(from('203.0.113.9', body))).status).toBe(201)
    })

    it('from this machine are all customers of a proxy that the settings forgot', async () => {
      for (let n = 0; n < 121; n += 1) expect((await overNode(deposit({}, tooLittle))).status).toBe(422)
    })
  })
})

describe('a callback', () => {
  let path: string
  let genuine: string

  async function payAndSign(): Promise<void> {
    const answer = await pay(system)
    const { id, reference } = (await answer.json()) as CreatedDeposit
    const row = await system.store.deposit(id)
    path = `/v1/webhook/${createCapabilities(keys.secret).webhookKey(reference)}`
    const fields = { ...success, reference, transaction_id: row?.transactionId ?? '', currency: 'KES', amount: '2500' }
    genuine = Buffer.from(signed(fields, keys.consumerKey)).toString()
  }
  beforeEach(payAndSign)

  it.each<[string, (genuine: string) => string, number]>([
    ['that is genuine', (body) => body, 200],
    ['with another amount', (body) => body.replace('"2500"', '"9500"'), 401],
    ['that is no JSON', () => 'x', 401],
    ['of nothing', () => '', 401],
    ['as long as it may be', (body) => body.padEnd(16_384), 200],
    ['of 20,000 bytes', (body) => body + ' '.repeat(20_000), 413],
  ])('%s is answered the same by both ways', async (_name, change, status) => {
    const sent = { path, headers: json, body: change(genuine) }
    const [node, hono] = [await overNode(sent), await overHono(sent)]
    expect(node).toEqual(hono)
    expect(node.status).toBe(status)
  })

  it('is durable before its 200, and moves the payment', async () => {
    await overNode({ path, headers: json, body: genuine })
    const [row] = await system.store.payments({ limit: 1 })
    expect(row?.reportedFees).toBe(String(success['fees']))
  })

  it('from an address that is not allowed is answered the same by both ways', async () => {
    server.close()
    await system.close()
    await open({ settings: { webhookAllow: ['10.9.9.9'] } })
    const sent = { path, headers: json, body: genuine }
    const [node, hono] = [await overNode(sent), await overHono(sent)]
    expect(node.status).toBe(403)
    expect(node).toEqual(hono)
  })

  it('that breaks off does not block the next, and is no fault of ours', async () => {
    server.close()
    await system.close()
    const faults: unknown[] = []
    const count: Metrics['count'] = (name, labels) => name === 'faults' && faults.push(labels)
    await open({ companion: { metrics: { ...silentMetrics, count } } })
    await payAndSign()
    await breakOff(path, [`content-length: ${genuine.length}`], genuine.slice(0, 9))
    expect((await overNode({ path, headers: json, body: genuine })).status).toBe(200)
    expect(faults).toEqual([])
  })

  it('with a query after its address is answered the same by both ways', async () => {
    const sent = { path: `${path}?try=2`, headers: json, body: genuine }
    const [node, hono] = [await overNode(sent), await overHono(sent)]
    expect(node).toEqual(hono)
    expect(node.status).toBe(200)
  })

  it('in chunks without end is refused, although a lenient server takes a short length beside them', async () => {
    server.close()
    await system.close()
    await open({}, true)
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1')
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`)
    socket.write(`5000\r\n${' '.repeat(0x5000)}\r\n`)
    const [answer] = (await once(socket, 'data')) as [string]
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('whose bytes come one after the other is read to its end', async () => {
    const headers = { ...json, 'content-length': genuine.length }
    const out = send({ port, host: '127.0.0.1', method: 'POST', path, headers })
    out.write(genuine.slice(0, 9))
    await once(server, 'request')
    setImmediate(() => out.end(genuine.slice(9)))
    const [answer] = (await once(out, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(200)
  })
})

it('payments, callbacks and streams are measured the same by both ways', async () => {
  server.close()
  await system.close()
  const measured: string[] = []
  const metrics: Metrics = {
    ...silentMetrics,
    count: (name, labels) => name === 'http_requests' && measured.push(JSON.stringify({ name, ...labels })),
    observe: (name, value, labels) => name === 'http' && measured.push(JSON.stringify({ name, value, ...labels })),
  }
  await open({ companion: { metrics } })
  const stream = `/v1/deposits/dep_${'0'.repeat(26)}/events`
  await overNode(deposit())
  await overNode({ path: '/v1/webhook/key', headers: json, body: '{}' })
  await (await fetch(`http://127.0.0.1:${port}${stream}`)).text()
  const overNodeMeasured = measured.splice(0)
  await overHono(deposit())
  await overHono({ path: '/v1/webhook/key', headers: json, body: '{}' })
  await (await system.companion.app.request(stream)).text()
  expect(overNodeMeasured).toHaveLength(6)
  expect(overNodeMeasured.toSorted()).toEqual(measured.toSorted())
})

/** Sends a part of a body and leaves. */
async function breakOff(path: string, headers: readonly string[], part: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write([`POST ${path} HTTP/1.1`, 'host: x', ...headers, '', part].join('\r\n'), () => socket.destroy()),
    )
    socket.on('close', () => resolve())
  })
}

const FORM = ['content-type: application/x-www-form-urlencoded', `origin: ${COMPANION_URL}`]

describe('a body that breaks off', () => {
  it.each<[string, () => [string, readonly string[], string]]>([
    ['the form of /pay in pieces', () => ['/pay', [...FORM, 'transfer-encoding: chunked'], '5\r\nkey=']],
    ['the form of /pay', () => ['/pay', [...FORM, 'content-length: 90'], 'key=']],
  ])('is no fault of ours: %s', async (_what, make) => {
    const counted: string[] = []
    const ended = Promise.withResolvers<void>()
    server.close()
    await system.close()
    await open({
      companion: {
        metrics: {
          ...silentMetrics,
          count(name) {
            counted.push(name)
            if (name === 'http_requests') ended.resolve()
          },
        },
      },
    })
    await breakOff(...make())
    await ended.promise
    expect(counted).toEqual(['http_requests'])
  })
})

describe('the rest of a body that is answered before its end', () => {
  it('is in the way of no other request of a client that keeps its connections, such as a proxy', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const answer = (path: string, body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { ...json, 'idempotency-key': newKey(), 'content-length': Buffer.byteLength(body) }
        const out = send({ agent, port, host: '127.0.0.1', method: 'POST', path, headers }, (got) => {
          got.resume().once('end', () => resolve(got.statusCode))
        })
        out.once('error', reject)
        out.end(body)
      })
    expect(await answer('/nothing', 'x'.repeat(300_000))).toBe(404)
    // The agent keeps a connection from the next turn on.
    await new Promise((later) => setImmediate(later))
    expect(await answer('/v1/deposits', JSON.stringify(kenyanDeposit()))).toBe(201)
    agent.destroy()
  })

  it('leaves a body alone that is read to its end: the connection is used again', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const _ of [1, 2]) {
      const got = await new Promise<IncomingMessage>((resolve, reject) => {
        const out = send({ agent, port, host: '127.0.0.1', method: 'POST', path: '/v1/webhook/key' }, resolve)
        out.once('error', reject)
        out.write('x'.repeat(4_000))
        out.end('x'.repeat(4_000))
      })
      expect([got.statusCode, got.headers.connection]).toEqual([401, 'keep-alive'])
      await once(got.resume(), 'end')
    }
    agent.destroy()
  })
})

describe('a request of HTTP/1.0 without Host, as HAProxy checks health', () => {
  it('is answered', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /healthz HTTP/1.0\r\n\r\n'))
      socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"ok":true\}$/)
  })
})

describe('a stream', () => {
  let path: string
  let token: string
  async function start(): Promise<void> {
    const answer = await pay(system)
    const created = (await answer.json()) as CreatedDeposit
    path = `/v1/deposits/${created.id}/events`
    token = created.token
  }
  beforeEach(start)

  /** Status, the headers that a page or a proxy acts on, and what comes first. */
  async function first(answer: Response): Promise<unknown> {
    const reader = answer.body?.getReader()
    const chunk = (await reader?.read())?.value as Uint8Array | undefined
    await reader?.cancel()
    const names = ['content-type', 'cache-control', 'x-accel-buffering', 'vary', 'access-control-allow-origin']
    return {
      status: answer.status,
      headers: names.map((name) => answer.headers.get(name)),
      event: Buffer.from(chunk ?? [])
        .toString()
        .replace(/^retry: \d+/, 'retry'),
    }
  }

  it.each([SHOP_URL, undefined, 'https://stranger.example'])('from %s is the same by both ways', async (origin) => {
    const headers = { authorization: `Bearer ${token}`, ...(origin === undefined ? {} : { origin }) }
    const hono = await first(await system.companion.app.request(path, { headers }))
    const node = await first(await fetch(`http://127.0.0.1:${port}${path}`, { headers }))
    expect(node).toEqual(hono)
    expect(node).toMatchObject({ status: 200, event: expect.stringContaining('"phase":"open"') as string })
  })

  it.each([
    ['without a token', () => path, () => ({})],
    ['of the page of a stranger', () => path, () => ({ origin: 'https://stranger.example' })],
    ['with the token of another', () => path, () => ({ authorization: `Bearer ${'x'.repeat(43)}` })],
    ['of nothing', () => `/v1/deposits/dep_${'0'.repeat(26)}/events`, () => ({ authorization: `Bearer ${token}` })],
  ])('%s is refused the same by both ways', async (_name, where, headers) => {
    const sent = { headers: { origin: SHOP_URL, ...headers() } }
    const answers = [
      await system.companion.app.request(where(), sent),
      await fetch(`http://127.0.0.1:${port}${where()}`, sent),
    ]
    const [hono, node] = await Promise.all(
      answers.map(async (answer) => told(answer.status, Object.fromEntries(answer.headers), await answer.text())),
    )
    expect(node).toEqual(hono)
    expect(node?.status).toBeGreaterThanOrEqual(400)
  })

  it('asked for in vain is limited as other reading is, by both ways and by HEAD together; a genuine token is not', async () => {
    await openBehindProxy()
    await start()
    const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
    const headers = (bearer: string) => ({ authorization: `Bearer ${bearer}`, 'x-forwarded-for': '203.0.113.9' })
    const hono = async (method: 'GET' | 'HEAD') =>
      (await system.companion.app.request(path, { method, headers: headers('guess') }, env)).status
    const node = async (bearer: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: headers(bearer) })
      await answer.body?.cancel()
      return answer.status
    }
    for (let n = 0; n < 1198; n += 1) expect(await hono('GET')).toBe(401)
    expect([await hono('HEAD'), await node('guess')]).toEqual([401, 401])
    expect([await hono('GET'), await hono('HEAD'), await node('guess')]).toEqual([429, 429, 429])
    expect(await node(token)).toBe(200)
  })

  describe('by each way', () => {
    let mounted: Server
    let ways: (() => Promise<Response>)[]
    beforeEach(async () => {
      const listener = nodeListener(system.companion)
      mounted = createServer((request, response) => void listener(request, response))
      await new Promise<void>((resolve) => mounted.listen(0, '127.0.0.1', resolve))
      const init = { headers: { authorization: `Bearer ${token}`, origin: SHOP_URL } }
      const ports = [port, (mounted.address() as AddressInfo).port]
      ways = [
        async () => system.companion.app.request(path, init),
        ...ports.map((one) => async () => fetch(`http://127.0.0.1:${one}${path}`, init)),
      ]
    })
    afterEach(() => {
      mounted.closeAllConnections()
      mounted.close()
    })

    it('ends with the payment, and the page of the shop may read it', async () => {
      const answers = await Promise.all(ways.map(async (ask) => ask()))
      for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBe(SHOP_URL)
      const [before] = await system.store.payments({ limit: 1 })
      if (before === undefined) throw new Error('No payment.')
      const row = { ...before, phase: 'succeeded', version: before.version + 1 } as const
      await system.store.apply({ deposit: { row, expect: before.version } })
      for (const answer of answers) expect(await answer.text()).toContain('"phase":"succeeded"')
    })

    it('makes room for others when its readers have left', async () => {
      for (const ask of [...ways, ...ways])
        await expect
          .poll(async () => {
            const answers = await Promise.all(Array.from({ length: 6 }, ask))
            await Promise.all(answers.map(async ({ body }) => body?.cancel()))
            return answers.filter(({ status }) => status === 200).length
          })
          .toBe(6)
    })
  })

  it('that is asked for by HEAD tells its headers and ends', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'HEAD',
      headers,
      signal: AbortSignal.timeout(120_000),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect((await fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD' })).status).toBe(401)
  })

  it('is one of six of its payment, however many are asked for at once', async () => {
    const init = { headers: { authorization: `Bearer ${token}` } }
    const answers = await Promise.all(Array.from({ length: 20 }, async () => system.companion.app.request(path, init)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(14)
    await Promise.all(answers.map(async ({ body }) => body?.cancel()))
  })

  it('of each of many who wait gets its heartbeat', async () => {
    const readers: ReadableStreamDefaultReader<string>[] = []
    for (let n = 0; n < 20; n += 1) {
      const answer = await pay(system)
      const created = (await answer.json()) as CreatedDeposit
      for (let tab = 0; tab < 6; tab += 1) {
        const stream = await fetch(`http://127.0.0.1:${port}/v1/deposits/${created.id}/events`, {
          headers: { authorization: `Bearer ${created.token}` },
        })
        if (stream.body === null) throw new Error('No stream.')
        readers.push(stream.body.pipeThrough(new TextDecoderStream()).getReader())
      }
    }
    await Promise.all(readers.map((reader) => reader.read()))
    await system.advance(16)
    const beats = await Promise.all(readers.map((reader) => reader.read()))
    expect(beats.map(({ value }) => value)).toEqual(readers.map(() => ': still here\n\n'))
    await Promise.all(readers.map((reader) => reader.cancel()))
  })
})

describe('mounted before other handlers', () => {
  const handed: (Error | undefined)[] = []
  async function mount(before: (request: IncomingMessage) => Promise<void>): Promise<void> {
    handed.length = 0
    server.close()
    const listener = nodeListener(system.companion)
    server = createServer((request, response) => {
      void before(request).then(() =>
        listener(request, response, (error) => {
          handed.push(error)
          response.writeHead(error === undefined ? 200 : 500).end()
        }),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ;({ port } = server.address() as AddressInfo)
  }

  it('leaves to them what is not its own, and answers for its own areas alone', async () => {
    await mount(async () => {})
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    expect(await Promise.all(['/', '/cart?v1=/v1', '/payments', '/v2/deposits', '/v1x', '/*'].map(status))).toEqual(
      Array.from({ length: 6 }, () => 200),
    )
    expect(handed).toHaveLength(6)
    expect(await Promise.all(['/v1/markets', '/v1/nothing', '/pay/nothing', '/healthz'].map(status))).toEqual([
      200, 404, 404, 200,
    ])
    expect(handed).toHaveLength(6)
  })

  it('says what is wrong when a body was read before it came to its turn', async () => {
    await mount(async (request) => {
      for await (const _ of request);
    })
    const answer = await fetch(`http://127.0.0.1:${port}/v1/deposits`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(500)
    expect(handed).toEqual([
      expect.objectContaining({ message: expect.stringContaining('before anything that reads') }),
    ])
  })
})
