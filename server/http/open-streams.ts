// The status streams that are open in this process, however their bytes are sent
// (deposit-events.ts): a snapshot first, then the whole view at each change, with comments in
// between against idle timeouts.
import { isWaiting } from '../platform/clock.ts'
import type { Deposit } from '../deposits/machine/deposit.ts'
import { isAbsorbing, yieldsToSuccess } from '../deposits/machine/phases.ts'
import type { Hub } from '../deposits/settle/hub.ts'
import type { DepositService } from '../deposits/create/service.ts'
import { CompanionError } from '../platform/errors.ts'
import { bucketOf, networkOf } from './address.ts'

/** How long a stream stays open after a review, or an end that a late success can override. */
const AFTER_PAUSE_MS = 5 * 60_000
const HEARTBEAT_MS = 15_000
/** Of one payment, or of all attempts of one session. */
const MOST_PER_CUSTOMER = 6
/**
 * Heartbeats in one round. They are few, because status updates wait for all of them (some 40 µs
 * each), and more after a longer pause, so that a busy event loop does not fall behind.
 */
const BEATS = { least: 4, perMs: 2, most: 40 }

/** Where the bytes of one stream go. */
export interface Sink {
  /** False when the reader is too slow: it is cut off, reconnects and gets a snapshot. */
  write(text: string): boolean
  end(): void
}

export interface Stream {
  readonly sink: Sink
  readonly depositId: string
  /** By which it is counted among those of one payment or session. */
  readonly customer: string
  /** Counts it among those of one address; undefined where all customers would share it. */
  readonly caller: string | undefined
  stop: () => void
  /** The version sent last. */
  sent: number
  beatAt: number
  /** When a heartbeat ends it, after its payment has paused; Infinity until then. */
  endAt: number
}

export interface OpenStreamsParts {
  readonly deposits: Pick<DepositService, 'view'>
  readonly hub: Pick<Hub, 'listen'>
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  /** A customer started watching: the next query may come sooner. */
  readonly onWatch: (deposit: Deposit) => void
  readonly mostStreams: number
  readonly read: (id: string) => Promise<Deposit | undefined>
  readonly onError: (error: unknown) => void
  /** We ended a stream: the reader was `slow` or gone, or the stream too `old` after an end. */
  readonly onCut: (reason: 'slow' | 'old') => void
}

/** Not final, but with no news to expect soon. */
const isPausing = (phase: Deposit['phase']): boolean => phase === 'review' || yieldsToSuccess(phase)

/** Whether or not there is a session: one address may have the links of many. */
const callerOf = (address: string): string | undefined => networkOf(address) ?? bucketOf(address)

const customerOf = ({ id, sessionId }: Deposit): string => sessionId ?? id

/** Numbers by key, without those that are zero. */
function createTally() {
  const numbers = new Map<string, number>()
  const of = (key: string | undefined): number => (key === undefined ? 0 : (numbers.get(key) ?? 0))
  return {
    of,
    add(key: string | undefined, by: 1 | -1): void {
      if (key === undefined) return
      const number = of(key) + by
      if (number === 0) numbers.delete(key)
      else numbers.set(key, number)
    },
  }
}

export function createOpenStreams(parts: OpenStreamsParts) {
  const { deposits, hub, now, random, onWatch, mostStreams, read, onError, onCut } = parts
  const streams = new Set<Stream>()
  const perCustomer = createTally()
  const perCaller = createTally()
  /** When the last round of heartbeats was. */
  let roundAt = -Infinity

  function drop(stream: Stream, end: boolean): void {
    if (!streams.delete(stream)) return
    stream.stop()
    perCustomer.add(stream.customer, -1)
    perCaller.add(stream.caller, -1)
    if (!end) return
    try {
      stream.sink.end()
    } catch (error) {
      onError(error)
    }
  }

  /** False when the reader is too slow or gone. A fault of one stream must not affect others. */
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
    rest(stream, now())
    const written = push(
      stream,
      `${before}id: ${deposit.version}\nevent: deposit\ndata: ${JSON.stringify(deposits.view(deposit))}\n\n`,
    )
    if (!written) onCut('slow')
    if (!written || isAbsorbing(deposit.phase)) drop(stream, true)
    else stream.endAt = isPausing(deposit.phase) ? now() + AFTER_PAUSE_MS : Infinity
  }

  /** Schedules the next heartbeat. The set begins with the streams that are due soonest. */
  function rest(stream: Stream, at: number): void {
    stream.beatAt = at + HEARTBEAT_MS
    streams.delete(stream)
    streams.add(stream)
  }

  /** Sends the snapshot, and from then on every change. */
  async function begin(deposit: Deposit, address: string, sink: Sink): Promise<Stream> {
    const stream: Stream = {
      sink,
      depositId: deposit.id,
      customer: customerOf(deposit),
      caller: callerOf(address),
      stop: () => {},
      sent: 0,
      beatAt: now() + HEARTBEAT_MS,
      endAt: Infinity,
    }
    perCustomer.add(stream.customer, 1)
    perCaller.add(stream.caller, 1)
    stream.stop = hub.listen(deposit.id, (row) => send(stream, row))
    // Between 1 and 5 s, so that after a restart not everyone reconnects at once.
    const retry = 1000 + ((random(2)[0] ?? 0) / 255) * 4000
    // In one write, because each takes a buffer and thousands reconnect at once after a restart. It
    // also puts the stream among the open ones.
    send(stream, deposit, `retry: ${Math.round(retry)}\n\n`)
    // Catches changes between the first read and the start of listening.
    await refresh(stream).catch(onError)
    return stream
  }

  /** Reads the row again: a notification may be lost. Queries stay frequent meanwhile. */
  async function refresh(stream: Stream): Promise<void> {
    if (!streams.has(stream)) return
    const row = await read(stream.depositId)
    if (row === undefined) return
    send(stream, row)
    if (!isAbsorbing(row.phase)) onWatch(row)
  }

  return {
    /**
     * Throws `rate_limited` when too many streams are open. Call it in the same event-loop turn as
     * `begin`, so that of many simultaneous requests each counts those before it.
     */
    admit(deposit: Deposit, address: string): void {
      // A caller may hold at most as many streams as remain free. So one caller gets at most half,
      // and the last free stream is never taken.
      const free = mostStreams - streams.size
      if (perCaller.of(callerOf(address)) < free && perCustomer.of(customerOf(deposit)) < MOST_PER_CUSTOMER) return
      throw new CompanionError('rate_limited', {
        detail: 'Too many streams are open. Ask for the status instead.',
        retryAfter: 5,
      })
    },
    begin,
    /** The reader has gone. */
    drop: (stream: Stream): void => drop(stream, false),
    /** Sends due heartbeats and ends old streams, a batch at a time; returns how many. */
    beat(): number {
      const at = now()
      const most = Math.min(Math.max((at - roundAt) * BEATS.perMs, BEATS.least), BEATS.most)
      roundAt = at
      let beaten = 0
      for (const stream of streams) {
        if (isWaiting(stream.beatAt, at, HEARTBEAT_MS) || beaten >= most) break
        beaten += 1
        if (at >= stream.endAt) {
          onCut('old')
          drop(stream, true)
          continue
        }
        // By the time of this round. A later one would be more than a heartbeat ahead, which reads
        // as a clock that was set back.
        rest(stream, at)
        if (push(stream, ': still here\n\n')) void refresh(stream).catch(onError)
        else {
          onCut('slow')
          drop(stream, true)
        }
      }
      return beaten
    },
    open: (): number => streams.size,
    /** Ends all streams: browsers reconnect to another instance or after the restart. */
    close(): void {
      for (const stream of streams) drop(stream, true)
    },
  }
}

export type OpenStreams = ReturnType<typeof createOpenStreams>
