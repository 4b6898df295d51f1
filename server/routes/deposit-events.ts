// The status stream over HTTP. Writes to Node's own response where there is one: a third of the
// memory of a web stream per customer.
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Deposit } from '../deposits/deposit.ts'
import type { DepositService } from '../deposits/service.ts'
import { withToken } from './bearer.ts'
import type { Env } from './http.ts'
import { outgoingOf } from './http.ts'
import type { OpenStreams, OpenStreamsParts, Sink, Stream } from './open-streams.ts'
import { createOpenStreams } from './open-streams.ts'
import { createReadLimit } from './caller-limits.ts'

/** A reader with this much unread is too slow (open-streams.ts). */
const MOST_WAITING_BYTES = 64 * 1024

/** A class, since each open stream holds one: a closure would retain everything that its request has read. */
class NodeSink implements Sink {
  readonly #outgoing: ServerResponse

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
  }

  write(text: string): boolean {
    this.#outgoing.write(text)
    return this.#outgoing.writableLength < MOST_WAITING_BYTES
  }

  end(): void {
    this.#outgoing.end()
  }
}

/** `GET /v1/deposits/:id/events`. */
interface StreamRequest {
  readonly id: string
  readonly token: string
  /** Who asks: a wrong token counts against this address, and an open stream. */
  readonly address: string
  readonly requestId: string
  /** Origin of the page, if it is a shop's. */
  readonly corsOrigin: string | undefined
}

export interface Streams extends Pick<OpenStreams, 'beat' | 'open' | 'close'> {
  readonly app: Hono<Env>
}

export function createStreams(parts: OpenStreamsParts & { readonly deposits: DepositService }): Streams {
  const { deposits } = parts
  const { admit, begin, drop, beat, open, close } = createOpenStreams(parts)
  const reads = createReadLimit(parts)

  const opened = async (address: string, id: string, token: string): Promise<Deposit> =>
    reads.opened(address, async () => deposits.open(id, token))

  function headers(): Record<string, string> {
    return {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }
  }

  /** Answers on Node's own response, which stays open after this resolves. Throws only before anything is written. */
  async function serve(outgoing: ServerResponse, asked: StreamRequest): Promise<void> {
    const { id, token, address, requestId, corsOrigin } = asked
    const deposit = await opened(address, id, token)
    admit(deposit, address)
    outgoing.writeHead(200, {
      ...headers(),
      vary: 'Origin',
      'x-request-id': requestId,
      ...(corsOrigin === undefined
        ? {}
        : { 'access-control-allow-origin': corsOrigin, 'cross-origin-resource-policy': 'cross-origin' }),
    })
    watchEnd(outgoing, await begin(deposit, address, new NodeSink(outgoing)))
  }

  /** A separate function, so that the close listener retains nothing but the stream. */
  function watchEnd(outgoing: ServerResponse, stream: Stream): void {
    outgoing.on('close', () => drop(stream))
    // The customer may have left while the row was read.
    if (outgoing.destroyed) drop(stream)
  }

  function overWebStream(deposit: Deposit, address: string): ReadableStream<Uint8Array> {
    admit(deposit, address)
    let stream: Stream | undefined
    return new ReadableStream<Uint8Array>(
      {
        async start(controller) {
          const encoder = new TextEncoder()
          stream = await begin(deposit, address, {
            write(text) {
              controller.enqueue(encoder.encode(text))
              return (controller.desiredSize ?? 0) > -MOST_WAITING_BYTES
            },
            end: () => controller.close(),
          })
        },
        cancel() {
          if (stream !== undefined) drop(stream)
        },
      },
      { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
    )
  }

  const app = new Hono<Env>()
  app.get('/deposits/:id/events', withToken, async (c) => {
    const address = c.get('address')
    // Node holds back the headers of a HEAD response until it ends, and a stream does not end.
    if (c.req.method === 'HEAD') {
      admit(await opened(address, c.req.param('id'), c.get('token')), address)
      return c.body(null, 200, headers())
    }
    const outgoing = outgoingOf(c)
    if (outgoing === undefined)
      return c.body(overWebStream(await opened(address, c.req.param('id'), c.get('token')), address), 200, headers())
    await serve(outgoing, {
      id: c.req.param('id'),
      token: c.get('token'),
      address,
      requestId: c.get('requestId'),
      corsOrigin: c.get('corsOrigin'),
    })
    // A copy: headers set on the way out would otherwise pile up on the one shared object.
    return RESPONSE_ALREADY_SENT.clone()
  })

  return { app, beat, open, close }
}
