// The status stream: snapshot first, then the whole view at each change, a comment against idle cuts in between.
// Written to Node's own response where there is one: a third of the memory of a web stream for each customer.
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Deposit } from '../deposits/deposit.ts'
import { isAbsorbing } from '../deposits/deposit.ts'
import type { Hub } from '../deposits/hub.ts'
import type { DepositService } from '../deposits/service.ts'
import { CompanionError } from '../errors.ts'
import { bearer } from './http.ts'
import type { Env } from './http.ts'

/** DESIGN.md: a stream stays this long after an end that a late success can still overtake. */
const AFTER_SOFT_END_MS = 5 * 60_000
const HEARTBEAT_MS = 15_000
/** A reader that has not taken this much is cut; it comes back and gets a snapshot. */
const MOST_WAITING_BYTES = 64 * 1024
const MOST_PER_DEPOSIT = 8

/** One open stream, however its bytes leave. */
interface Sink {
  /** False when the reader is too slow. */
  write(text: string): boolean
  end(): void
}

/** A class, since each open stream holds one: a closure would hold on to all that its request has read. */
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

export interface Streams {
  readonly app: Hono<Env>
  /** Sends the heartbeat and ends what has stayed long enough; called every few seconds. */
  beat(): void
  open(): number
  /** Ends all streams: browsers come back to another instance or to the next start. */
  close(): void
}

interface Stream {
  readonly sink: Sink
  readonly depositId: string
  stop: () => void
  sent: number
  beatAt: number
  /** When to end after a soft end; Infinity while it runs. */
  endAt: number
}

export function createStreams(parts: {
  readonly deposits: DepositService
  readonly hub: Hub
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  /** Somebody began to watch: the next ask may come sooner. */
  readonly onWatch: (deposit: Deposit) => void
  readonly mostStreams: number
  readonly read: (id: string) => Promise<Deposit | undefined>
  readonly onError: (error: unknown) => void
  /** A stream was ended from our side: `slow` or gone reader, `old` age after an end. */
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

  /** False when the reader is too slow or gone; a fault of one stream must not reach the others. */
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
    stream.beatAt = now() + HEARTBEAT_MS
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
    // Between 1 and 5 s, so that a restart is not answered by everyone at once.
    const retry = 1000 + ((random(2)[0] ?? 0) / 255) * 4000
    // One write: each takes a buffer of its own, and thousands come back at once after a restart.
    send(stream, deposit, `retry: ${Math.round(retry)}\n\n`)
    // What changed between the first read and the first listening would else be missed.
    await refresh(stream).catch(onError)
    return stream
  }

  /** Reads the row again: heals a lost bell, and keeps the asking quick while somebody watches here. */
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

  /** Over Node's own response, below Hono. */
  async function overNode(outgoing: ServerResponse, deposit: Deposit, more: Record<string, string>): Promise<Response> {
    outgoing.writeHead(200, { ...headers(), ...more })
    watchEnd(outgoing, await begin(deposit, new NodeSink(outgoing)))
    // A copy: the headers that are set on the way out would else pile up on the one object of all streams.
    return RESPONSE_ALREADY_SENT.clone()
  }

  /** Of its own, so that what waits for the end remembers nothing but the stream. */
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
    const deposit = await deposits.open(c.req.param('id'), bearer(c))
    if (streams.size >= mostStreams || (perDeposit.get(deposit.id) ?? 0) >= MOST_PER_DEPOSIT) {
      throw new CompanionError('rate_limited', {
        detail: 'Too many streams are open. Ask for the status instead.',
        retryAfter: 5,
      })
    }
    const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing
    if (outgoing === undefined || typeof outgoing.writeHead !== 'function')
      return c.body(overWebStream(deposit), 200, headers())
    const origin = c.get('corsOrigin')
    return overNode(outgoing, deposit, {
      vary: 'Origin',
      'x-request-id': c.get('requestId'),
      ...(origin === undefined
        ? {}
        : { 'access-control-allow-origin': origin, 'cross-origin-resource-policy': 'cross-origin' }),
    })
  })

  return {
    app,
    beat() {
      const at = now()
      for (const stream of streams) {
        if (at >= stream.endAt) {
          onCut('old')
          drop(stream, true)
        } else if (at >= stream.beatAt) {
          stream.beatAt = at + HEARTBEAT_MS
          if (push(stream, ': still here\n\n')) void refresh(stream).catch(onError)
          else {
            onCut('slow')
            drop(stream, true)
          }
        }
      }
    },
    open: () => streams.size,
    close() {
      for (const stream of streams) drop(stream, true)
    },
  }
}
