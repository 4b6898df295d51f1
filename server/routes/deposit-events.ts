// The status stream: a snapshot first, then the whole view at each change, with comments in between against idle timeouts. Writes to Node's own
// response where there is one: a third of the memory of a web stream per customer.
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { isWaiting } from '../clock.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { isAbsorbing } from '../deposits/deposit.ts'
import type { Hub } from '../deposits/hub.ts'
import type { DepositService } from '../deposits/service.ts'
import { CompanionError } from '../errors.ts'
import { bearer } from './http.ts'
import type { Env } from './http.ts'

/** DESIGN.md: how long a stream stays open after an end that a late success can still override. */
const AFTER_SOFT_END_MS = 5 * 60_000
const HEARTBEAT_MS = 15_000
/** A reader with this much unread is cut off; it reconnects and gets a snapshot. */
const MOST_WAITING_BYTES = 64 * 1024
const MOST_PER_DEPOSIT = 8
/** Most heartbeats per event-loop turn: thousands at once would delay every status update. */
const MOST_BEATS = 40

/** One open stream, independent of how its bytes are sent. */
interface Sink {
  /** False when the reader is too slow. */
  write(text: string): boolean
  end(): void
}

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
export interface StreamRequest {
  readonly id: string
  readonly token: string
  readonly requestId: string
  /** Origin of the page, if it is a shop's. */
  readonly corsOrigin: string | undefined
}

export interface Streams {
  readonly app: Hono<Env>
  /** Answers on Node's own response, which stays open after this resolves. Throws only before anything is written. */
  serve(outgoing: ServerResponse, asked: StreamRequest): Promise<void>
  /** Sends due heartbeats and ends streams that have stayed long enough, a batch at a time; returns how many it handled. */
  beat(): number
  open(): number
  /** Ends all streams: browsers reconnect to another instance or after the restart. */
  close(): void
}

interface Stream {
  readonly sink: Sink
  readonly depositId: string
  stop: () => void
  sent: number
  beatAt: number
  /** When to end after a soft end, checked at the next heartbeat; Infinity while the payment runs. */
  endAt: number
}

export function createStreams(parts: {
  readonly deposits: DepositService
  readonly hub: Hub
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  /** A customer started watching: the next query may come sooner. */
  readonly onWatch: (deposit: Deposit) => void
  readonly mostStreams: number
  readonly read: (id: string) => Promise<Deposit | undefined>
  readonly onError: (error: unknown) => void
  /** We ended a stream: the reader was `slow` or gone, or the stream too `old` after an end. */
  readonly onCut: (reason: 'slow' | 'old') => void
}): Streams {
  const { deposits, hub, now, random, onWatch, mostStreams, read, onError, onCut } = parts
  const streams = new Set<Stream>()
  const perDeposit = new Map<string, number>()

  function drop(stream: Stream, end: boolean): void {
    if (!streams.delete(stream)) return
    stream.stop()
    const left = (perDeposit.get(stream.depositId) ?? 1) - 1
    if (left === 0) perDeposit.delete(stream.depositId)
    else perDeposit.set(stream.depositId, left)
    if (!end) return
    try {
      stream.sink.end()
    } catch (error) {
      onError(error)
    }
  }

  /** False when the reader is too slow or gone; a fault in one stream must not affect the others. */
  function push(stream: Stream, text: string): boolean {
    try {
      return stream.sink.write(text)
    } catch (error) {
      onError(error)
      return false
    }
  }

  function send(stream: Stream, deposit: Deposit, before = ''): void {
    if (deposit.version <= stream.sent) return
    stream.sent = deposit.version
    rest(stream)
    const written = push(
      stream,
      `${before}id: ${deposit.version}\nevent: deposit\ndata: ${JSON.stringify(deposits.view(deposit))}\n\n`,
    )
    if (!written) onCut('slow')
    if (!written || isAbsorbing(deposit.phase)) drop(stream, true)
    else if (['failed', 'expired', 'abandoned', 'review'].includes(deposit.phase))
      stream.endAt = now() + AFTER_SOFT_END_MS
    else stream.endAt = Infinity
  }

  /** Schedules the next heartbeat and moves the stream to the end of the set, so that the streams due soonest come first. */
  function rest(stream: Stream): void {
    stream.beatAt = now() + HEARTBEAT_MS
    streams.delete(stream)
    streams.add(stream)
  }

  async function begin(deposit: Deposit, sink: Sink): Promise<Stream> {
    const stream: Stream = {
      sink,
      depositId: deposit.id,
      stop: () => {},
      sent: 0,
      beatAt: now() + HEARTBEAT_MS,
      endAt: Infinity,
    }
    streams.add(stream)
    perDeposit.set(deposit.id, (perDeposit.get(deposit.id) ?? 0) + 1)
    stream.stop = hub.listen(deposit.id, (row) => send(stream, row))
    // Between 1 and 5 s, so that after a restart not everyone reconnects at once.
    const retry = 1000 + ((random(2)[0] ?? 0) / 255) * 4000
    // A single write: each one takes a buffer, and thousands reconnect at once after a restart.
    send(stream, deposit, `retry: ${Math.round(retry)}\n\n`)
    // Catches changes between the first read and the start of listening.
    await refresh(stream).catch(onError)
    return stream
  }

  /** Reads the row again: makes up for a lost bell, and keeps the queries frequent while somebody watches. */
  async function refresh(stream: Stream): Promise<void> {
    if (!streams.has(stream)) return
    const row = await read(stream.depositId)
    if (row === undefined) return
    send(stream, row)
    if (!isAbsorbing(row.phase)) onWatch(row)
  }

  function headers(): Record<string, string> {
    return {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }
  }

  /** Call in the same event-loop turn as `begin`, so that of many simultaneous requests each counts those before it. */
  function admit(deposit: Deposit): Deposit {
    if (streams.size >= mostStreams || (perDeposit.get(deposit.id) ?? 0) >= MOST_PER_DEPOSIT) {
      throw new CompanionError('rate_limited', {
        detail: 'Too many streams are open. Ask for the status instead.',
        retryAfter: 5,
      })
    }
    return deposit
  }

  async function serve(outgoing: ServerResponse, { id, token, requestId, corsOrigin }: StreamRequest): Promise<void> {
    const deposit = admit(await deposits.open(id, token))
    outgoing.writeHead(200, {
      ...headers(),
      vary: 'Origin',
      'x-request-id': requestId,
      ...(corsOrigin === undefined
        ? {}
        : { 'access-control-allow-origin': corsOrigin, 'cross-origin-resource-policy': 'cross-origin' }),
    })
    watchEnd(outgoing, await begin(deposit, new NodeSink(outgoing)))
  }

  /** A separate function, so that the close listener retains nothing but the stream. */
  function watchEnd(outgoing: ServerResponse, stream: Stream): void {
    outgoing.on('close', () => drop(stream, false))
    // The customer may have left while the row was read.
    if (outgoing.destroyed) drop(stream, false)
  }

  function overWebStream(deposit: Deposit): ReadableStream<Uint8Array> {
    let stream: Stream | undefined
    return new ReadableStream<Uint8Array>(
      {
        async start(controller) {
          const encoder = new TextEncoder()
          stream = await begin(deposit, {
            write(text) {
              controller.enqueue(encoder.encode(text))
              return (controller.desiredSize ?? 0) > -MOST_WAITING_BYTES
            },
            end: () => controller.close(),
          })
        },
        cancel() {
          if (stream !== undefined) drop(stream, false)
        },
      },
      { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
    )
  }

  const app = new Hono<Env>()
  app.get('/deposits/:id/events', async (c) => {
    // Node holds back the headers of a HEAD response until it ends, and a stream does not end.
    if (c.req.method === 'HEAD') {
      admit(await deposits.open(c.req.param('id'), bearer(c)))
      return c.body(null, 200, headers())
    }
    const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing
    if (outgoing === undefined || typeof outgoing.writeHead !== 'function')
      return c.body(overWebStream(admit(await deposits.open(c.req.param('id'), bearer(c)))), 200, headers())
    await serve(outgoing, {
      id: c.req.param('id'),
      token: bearer(c),
      requestId: c.get('requestId'),
      corsOrigin: c.get('corsOrigin'),
    })
    // A copy: headers set on the way out would otherwise pile up on the one shared object.
    return RESPONSE_ALREADY_SENT.clone()
  })

  return {
    app,
    serve,
    beat() {
      const at = now()
      let beaten = 0
      for (const stream of streams) {
        if (isWaiting(stream.beatAt, at, HEARTBEAT_MS) || beaten === MOST_BEATS) break
        beaten += 1
        if (at >= stream.endAt) {
          onCut('old')
          drop(stream, true)
          continue
        }
        rest(stream)
        if (push(stream, ': still here\n\n')) void refresh(stream).catch(onError)
        else {
          onCut('slow')
          drop(stream, true)
        }
      }
      return beaten
    },
    open: () => streams.size,
    close() {
      for (const stream of streams) drop(stream, true)
    },
  }
}
