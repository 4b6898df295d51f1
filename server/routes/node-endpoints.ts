// The busiest endpoints on Node's own request and response: web streams and Response objects around a callback cost more than storing it, and around an
// event stream more than the stream. Unusual requests are left to Hono, which serves the same endpoints.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '../metrics.ts'
import { clientAddress } from './address.ts'
import type { Cors } from './cors.ts'
import type { Streams } from './deposit-events.ts'
import type { Answer, Endpoint, EndpointRequest } from './endpoint.ts'
import { isMalformed, isRepeated } from './malformed.ts'
import type { ProblemAnswers } from './problem-answers.ts'
import { bearerOf, tooLarge } from './read-request.ts'

/** Takes the request and answers it, or leaves it untouched and returns false. */
export type NodeEndpoints = (request: IncomingMessage, response: ServerResponse) => boolean

export interface NodeEndpointParts {
  /** `POST /v1/deposits`, for browsers. */
  readonly deposits: Endpoint
  /** `POST /v1/webhook/:key`, for the service. */
  readonly webhook: Endpoint
  /** `GET /v1/deposits/:id/events`, for browsers. */
  readonly streams: Pick<Streams, 'serve'>
  readonly cors: Cors
  /** Added to every answer that does not set its own. */
  readonly headers: Readonly<Record<string, string>>
  readonly problems: ProblemAnswers
  readonly isTrusted: (address: string) => boolean
  readonly now: () => number
  readonly metrics: Pick<Metrics, 'count' | 'observe'>
  /** Runs the work so that each of its log lines carries the request id. */
  readonly inScope: (requestId: string, work: () => Promise<Answer>) => Promise<Answer>
}

const DEPOSITS = '/v1/deposits'
const WEBHOOK = '/v1/webhook/'
const EVENTS = '/v1/deposits/:id/events'
const EVENTS_OF = /^\/v1\/deposits\/(dep_[0-9a-z]{26})\/events$/

export function createNodeEndpoints(parts: NodeEndpointParts): NodeEndpoints {
  const { streams, cors, headers, problems, isTrusted, now, metrics, inScope } = parts

  async function answer(request: IncomingMessage, response: ServerResponse, found: Found) {
    const started = now()
    const requestId = randomUUID()
    const { route, endpoint, param } = found
    let answered: Answer
    let more: Readonly<Record<string, string>> = {}
    try {
      if (endpoint === parts.deposits) more = cors.headers(request.headers.origin, 'POST')
      answered = await inScope(requestId, () => endpoint(endpointRequestOf(request, param, isTrusted)))
    } catch (error) {
      if (error instanceof Gone) return
      answered = problems(error, requestId, route)
    }
    send(response, answered, { ...headers, ...more, 'x-request-id': requestId })
    measure(route, answered.status, started)
  }

  function measure(route: string, status: number, started: number): void {
    metrics.count('http_requests', { route, status: String(status) })
    metrics.observe('http', (now() - started) / 1000, { route })
  }

  /** An open stream retains everything in scope here, so only the response is handed on. */
  async function openStream(request: IncomingMessage, response: ServerResponse, id: string) {
    const started = now()
    const requestId = randomUUID()
    const { origin, authorization } = request.headers
    const address = addressOf(request, isTrusted)
    try {
      const corsOrigin = cors.knows(origin) ? origin : undefined
      await streams.serve(response, { id, token: bearerOf(authorization), address, requestId, corsOrigin })
      measure(EVENTS, 200, started)
    } catch (error) {
      const answered = problems(error, requestId, EVENTS)
      send(response, answered, { ...headers, ...cors.headers(origin, 'GET'), 'x-request-id': requestId })
      measure(EVENTS, answered.status, started)
    }
  }

  /** As Node answers what its parser refuses: whoever sends such requests means to mislead a proxy, so nothing more is read from the connection. */
  function refuse(response: ServerResponse): void {
    const unread = { 'x-request-id': randomUUID(), connection: 'close', 'content-length': 0 }
    response.writeHead(400, { ...headers, ...unread })
    response.end()
    measure('/*', 400, now())
  }

  return function take(request, response) {
    if (isMalformed(request)) {
      refuse(response)
      return true
    }
    // Hono joins them, and refuses the result where it looks at them.
    if (isRepeated(request, 'authorization') || isRepeated(request, 'content-type')) return false
    const events = request.method === 'GET' ? EVENTS_OF.exec(request.url ?? '')?.[1] : undefined
    if (events !== undefined) {
      openStream(request, response, events).catch(() => response.destroy())
      return true
    }
    const found = isPlainPost(request) ? find(request.url ?? '', parts) : undefined
    if (found === undefined) return false
    // Only a fault of our own ends here; the connection is then useless.
    answer(request, response, found).catch(() => response.destroy())
    return true
  }
}

interface Found {
  readonly route: string
  readonly endpoint: Endpoint
  readonly param: string
}

function find(url: string, { deposits, webhook }: NodeEndpointParts): Found | undefined {
  if (url === DEPOSITS) return { route: DEPOSITS, endpoint: deposits, param: '' }
  if (!url.startsWith(WEBHOOK)) return undefined
  const param = url.slice(WEBHOOK.length)
  return /^[\w-]{1,128}$/.test(param) ? { route: '/v1/webhook/:key', endpoint: webhook, param } : undefined
}

/** Whether it is a POST with a body as it is, which no other program has read yet. */
function isPlainPost({ method, headers, readableDidRead }: IncomingMessage): boolean {
  if (method !== 'POST' || readableDidRead || headers['content-encoding'] !== undefined) return false
  const coding = headers['transfer-encoding']
  return coding === undefined ? headers['content-length'] !== undefined : coding.toLowerCase() === 'chunked'
}

function endpointRequestOf(
  request: IncomingMessage,
  param: string,
  isTrusted: (address: string) => boolean,
): EndpointRequest {
  return {
    address: addressOf(request, isTrusted),
    param,
    header: (name) => headerOf(request, name),
    body: (limit) => read(request, limit),
  }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function addressOf(request: IncomingMessage, isTrusted: (address: string) => boolean): string {
  return clientAddress(request.socket.remoteAddress, headerOf(request, 'x-forwarded-for'), isTrusted)
}

/** The client left before its request was complete: there is nobody to answer. */
class Gone extends Error {}

/** Node passes on no more bytes than Content-Length declares. */
function read(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const declared = request.headers['content-length']
    if (Number(declared) > limit) return reject(tooLarge(limit))
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return chunks.push(chunk)
      request.pause()
      request.socket.pause()
      reject(tooLarge(limit))
    })
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', () => reject(new Gone()))
    request.on('close', () => {
      if (!request.complete) reject(new Gone())
    })
  })
}

function send(
  response: ServerResponse,
  { status, text, headers }: Answer,
  base: Record<string, string | number>,
): void {
  if (response.destroyed) return
  response.writeHead(status, {
    'content-type': 'application/json',
    ...base,
    ...headers,
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
