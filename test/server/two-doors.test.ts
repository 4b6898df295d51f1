// Odd requests over a raw socket: the endpoints on Node and the same ones through Hono answer them alike, and what is no HTTP reaches neither.
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { silentMetrics } from '../../server/metrics.ts'
import { nodeListener } from '../../server/node.ts'
import { createTestSystem, kenyanDeposit, newKey, SHOP_URL } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
let server: Server
let port: number
/** What the companion has counted as its own fault. */
const faults: string[] = []
/** Requests that the endpoints on Node took. */
let taken = 0
let events: string
let token: string

beforeAll(async () => {
  const metrics = { ...silentMetrics, count: (name: string) => void (name === 'faults' && faults.push(name)) }
  system = await createTestSystem({ companion: { metrics } })
  const { app, nodeEndpoints } = system.companion
  const listener = nodeListener({
    app,
    nodeEndpoints(request, response) {
      const took = nodeEndpoints(request, response)
      if (took) taken += 1
      return took
    },
  })
  server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
  const answer = await system.browser('/v1/deposits', {
    method: 'POST',
    headers: { 'idempotency-key': newKey() },
    body: JSON.stringify(kenyanDeposit()),
  })
  const created = (await answer.json()) as CreatedDeposit
  events = `/v1/deposits/${created.id}/events`
  token = created.token
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await system.close()
})

/** All that comes until the connection ends, or the first event of a stream. */
async function send(raw: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (/text\/event-stream[^]*\ndata: .*\n\n/.test(text)) socket.destroy()
  })
  socket.on('error', () => {})
  socket.write(raw, 'latin1')
  await once(socket, 'close')
  return text
}

interface Odd {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  readonly host?: string | null
  /** In place of `content-type: application/json`. */
  readonly type?: readonly string[]
  readonly headers?: readonly string[]
  readonly body?: string
  /** In place of a Content-Length that is right. */
  readonly sized?: string
}

function written(odd: Odd, after = ''): string {
  const { method = 'POST', target = '/v1/deposits', version = '1.1', host = 'x', headers = [] } = odd
  const { type = ['content-type: application/json'], body = JSON.stringify(kenyanDeposit()) } = odd
  const lines = [
    `${method} ${target}${after} HTTP/${version}`,
    ...(host === null ? [] : [`host: ${host}`]),
    'connection: close',
    ...type,
    ...(method === 'POST' ? [odd.sized ?? `content-length: ${body.length}`, `idempotency-key: ${newKey()}`] : []),
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Without what differs from one answer to the next by right, and without the order of headers. */
function plain(answer: string): readonly string[] {
  return answer
    .replaceAll(/"(?:requestId|id|reference|token|checkoutUrl|payUrl)":"[^"]*"/g, '')
    .replace(/\nretry: \d+/, '')
    .replaceAll(/\r\n[0-9a-f]{2,4}\r\n/g, '\r\n')
    .split('\r\n')
    .map((line) => line.replace(/^([\w-]+):.*/i, (whole, name: string) => (isOwn(name) ? name.toLowerCase() : whole)))
    .toSorted()
}
const isOwn = (name: string) => /^(?:date|x-request-id|location|content-length)$/i.test(name)

const bearer = () => `authorization: Bearer ${token}`
const deposit = JSON.stringify(kenyanDeposit())
const chunked = (more = '') => ({
  sized: 'transfer-encoding: chunked',
  body: `${deposit.length.toString(16)}${more}\r\n${deposit}\r\n0\r\n\r\n`,
})

describe('an odd request is answered the same by both ways', () => {
  it.each<[string, () => Odd, number]>([
    ['of HTTP/1.0 without Host', () => ({ version: '1.0', host: null }), 201],
    ['with an empty Host', () => ({ host: '' }), 201],
    ['with a Host in capitals and a port', () => ({ host: 'Pay.Shop.Example:8443' }), 201],
    ['with an IPv6 address as Host', () => ({ host: '[::1]:8787' }), 201],
    ['with a Host that no certificate would name', () => ({ host: 'companion_1' }), 201],
    ['with two types', () => ({ headers: ['Content-Type: text/plain'] }), 415],
    ['without a type', () => ({ type: [] }), 415],
    ['of a form', () => ({ type: ['content-type: application/x-www-form-urlencoded'] }), 415],
    ['with two keys', () => ({ headers: ['idempotency-key: another-key-of-another-page'] }), 400],
    ['with a length that begins with noughts', () => ({ sized: `content-length: 000${deposit.length}` }), 201],
    ['in pieces', chunked, 201],
    ['in pieces with extensions', () => chunked(';a="b"'), 201],
    ['that waits for leave to send its body', () => ({ headers: ['expect: 100-continue'] }), 201],
    ['that would become a WebSocket', () => ({ headers: ['upgrade: websocket'] }), 201],
    ['whose body is said to be encoded as it is', () => ({ headers: ['content-encoding: identity'] }), 201],
    ['with an origin of null', () => ({ headers: ['origin: null'] }), 403],
    ['with an empty origin', () => ({ headers: ['origin:'] }), 403],
    ['with two origins', () => ({ headers: [`origin: ${SHOP_URL}`, 'origin: https://stranger.example'] }), 403],
    ['with an origin that begins like a shop', () => ({ headers: [`origin: ${SHOP_URL}.stranger.example`] }), 403],
    ['with an origin that ends in a slash', () => ({ headers: [`origin: ${SHOP_URL}/`] }), 403],
    ['with an origin in capitals', () => ({ headers: [`origin: ${SHOP_URL.toUpperCase()}`] }), 403],
    ['with an origin of 8-bit characters', () => ({ headers: ['origin: \u009b'] }), 403],
    ['that only asks what may be sent', () => ({ method: 'OPTIONS', body: '', headers: [`origin: ${SHOP_URL}`] }), 204],
    ['that is deleted', () => ({ method: 'DELETE', body: '' }), 405],
    ['a callback of another site', () => ({ target: '/v1/webhook/key', headers: ['origin: https://a.example'] }), 401],
    ['a callback with two types', () => ({ target: '/v1/webhook/key', headers: ['content-type: text/plain'] }), 401],
    ['a callback without Host', () => ({ target: '/v1/webhook/key', version: '1.0', host: null }), 401],
    ['a stream', () => ({ method: 'GET', target: events, body: '', headers: [bearer()] }), 200],
    ['a stream with a body', () => ({ method: 'GET', target: events, headers: [bearer(), chunked().sized], body: chunked().body }), 200],
    ['a stream of HTTP/1.0', () => ({ method: 'GET', target: events, body: '', version: '1.0', headers: [bearer()] }), 200],
    ['a stream for a shop', () => ({ method: 'GET', target: events, body: '', headers: [bearer(), `origin: ${SHOP_URL}`] }), 200],
    ['a stream with two tokens', () => ({ method: 'GET', target: events, body: '', headers: [bearer(), 'Authorization: Bearer x'] }), 401],
    ['a stream without a token', () => ({ method: 'GET', target: events, body: '', headers: ['origin: https://a.example'] }), 401],
  ])('%s', async (_what, make, status) => {
    const odd = make()
    const node = await send(written(odd))
    const before = taken
    // An empty query is not for the endpoints on Node.
    const hono = await send(written(odd, '?'))
    expect(taken).toBe(before)
    expect(node).toMatch(new RegExp(`^(HTTP/1.1 100 Continue\r\n\r\n)?HTTP/1.1 ${status} `))
    expect(plain(node)).toEqual(plain(hono))
  })
}) // prettier-ignore

describe('a request that is no HTTP is refused, and nothing after it is read', () => {
  it.each<[string, Odd]>([
    ['two Hosts', { headers: ['Host: y'] }],
    ['a space in Host', { host: 'a b' }],
    ['a user in Host', { host: 'a@b' }],
    ['a path in Host', { host: 'a/b' }],
    ['a query in Host', { host: 'a?b' }],
    ['half an IPv6 address as Host', { host: '[::1' }],
    ['a port that is none', { host: 'x:99999' }],
    ['an address with a user', { target: 'http://user:word@x/v1/deposits' }],
    ['an address of a page with a user', { method: 'GET', target: 'http://user@x/pay', body: '' }],
    ['an address of another scheme', { target: 'ftp://x/v1/deposits' }],
    ['a target that is no path', { method: 'OPTIONS', target: '*', body: '' }],
    ['a backslash in the path', { target: '/v1\\deposits' }],
  ])('%s', async (_what, odd) => {
    const answer = await send(`${written(odd).replace('connection: close\r\n', '')}${written({})}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\n$/)
    expect(answer).toContain('\r\nx-request-id: ')
    expect(answer).toContain('\r\nx-content-type-options: nosniff\r\n')
    expect(answer.split('HTTP/1.1')).toHaveLength(2)
    expect(faults).toEqual([])
  })

  it.each<[string, string]>([
    ['a length and pieces', written({ headers: ['transfer-encoding: chunked'] })],
    ['two lengths', written({ headers: ['content-length: 1'] })],
    ['the same length twice', written({ headers: [`content-length: ${deposit.length}`] })],
    ['a length with a sign', written({ sized: `content-length: +${deposit.length}` })],
    ['pieces of another name', written({ sized: 'transfer-encoding: xchunked' })],
    ['a header that goes on in the next line', written({ headers: ['x-a: b', ' c'] })],
    ['a space before the colon', written({ headers: ['transfer-encoding : chunked'] })],
    ['lines that end without a carriage return', written({}).replaceAll('\r\n', '\n')],
    ['a carriage return within a header', written({ headers: ['x-a: b\rorigin: c'] })],
    ['no Host', written({ host: null })],
  ])('by Node itself: %s', async (_what, raw) => {
    const answer = await send(raw.replace('connection: close\r\n', '') + written({}))
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer.split('HTTP/1.1')).toHaveLength(2)
  })

  it('a whole address as target is one of ours, whatever its host', async () => {
    expect(await send(written({ target: 'http://proxy.example/v1/deposits' }))).toMatch(/^HTTP\/1\.1 201 /)
  })
})
