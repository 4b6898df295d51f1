// The status stream over HTTP. Writes to Node's own response where there is one: a third of the
// memory of a web stream per customer.
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import type { Deposit } from '../deposits/machine/deposit.ts'
import type { DepositService } from '../deposits/create/service.ts'
import { withToken } from './bearer.ts'
import { VARY } from './cors.ts'
import type { Env } from './http.ts'
import { EVENT_STREAM, outgoingOf } from './http.ts'
import type { OpenStreamsParts, Sink, Stream } from './open-streams.ts'
import { createOpenStreams } from './open-streams.ts'
import { createReadLimit } from './caller-limits.ts'

/** A reader with this much unread is too slow (open-streams.ts). */
const MOST_WAITING_BYTES = 64 * 1024

/** A class, because each open stream holds one: a closure would retain its whole request. */
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

const HEADERS = {
  ...EVENT_STREAM,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

export type Streams = ReturnType<typeof createStreams>

export function createStreams(parts: OpenStreamsParts & { readonly deposits: DepositService }) {
  const { deposits } = parts
  const { admit, begin, drop, beat, open, close } = createOpenStreams(parts)
  const reads = createReadLimit(parts)

  const opened = async (c: Context<Env>): Promise<Deposit> =>
    reads.opened(c.get('address'), async () => deposits.open(c.req.param('id') ?? '', c.get('token')))

  /** Answers on Node's own response, which stays open after this resolves. */
  async function serve(outgoing: ServerResponse, deposit: Deposit, c: Context<Env>): Promise<void> {
    const address = c.get('address')
    const corsOrigin = c.get('corsOrigin')
    admit(deposit, address)
    outgoing.writeHead(200, {
      ...HEADERS,
      vary: VARY,
      'x-request-id': c.get('requestId'),
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
    const deposit = await opened(c)
    // Node holds back the headers of a HEAD response until it ends, and a stream does not end.
    if (c.req.method === 'HEAD') {
      admit(deposit, c.get('address'))
      return c.body(null, 200, HEADERS)
    }
    const outgoing = outgoingOf(c)
    if (outgoing === undefined) return c.body(overWebStream(deposit, c.get('address')), 200, HEADERS)
    await serve(outgoing, deposit, c)
    // A copy: headers set on the way out would otherwise pile up on the one shared object.
    return RESPONSE_ALREADY_SENT.clone()
  })

  return { app, beat, open, close }
}
