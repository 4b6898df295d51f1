// How the widget follows a payment where streams do not get through: it asks, without hurry, and tries a stream only now and then.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CompanionClient } from '../../widget/companion-client.ts'
import { watchDeposit } from '../../widget/deposit-stream.ts'
import { samplePayment } from '../helpers/sample-payment.ts'

const MINUTE_MS = 60_000

let snapshots: number
let streams: number
let stream: () => Promise<Response>
let stop: () => void

const client = {
  get: async () => {
    snapshots += 1
    return samplePayment
  },
  events: () => {
    streams += 1
    return stream()
  },
} as Partial<CompanionClient> as CompanionClient

const proxyPage = async (): Promise<Response> => new Response('<h1>404 Not Found</h1>', { status: 404 })

/** As a proxy's own answer arrives on another origin: without CORS headers it looks like no network. */
const refused = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'))

/** One event, then open, like the companion's. */
const following = async (): Promise<Response> =>
  new Response(
    new ReadableStream({
      start: (lines) => lines.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(samplePayment)}\n\n`)),
    }),
  )

beforeEach(() => {
  vi.useFakeTimers()
  snapshots = 0
  streams = 0
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function watch(): { silence: boolean[] } {
  const silence: boolean[] = []
  stop = watchDeposit(client, 'dep_1', 'tok_1', {
    onDeposit: () => {},
    onSilence: (silent) => silence.push(silent),
    onGone: () => silence.push(true),
  })
  return { silence }
}

it.each<[string, () => Promise<Response>]>([
  ['refuses the stream with a page of its own', proxyPage],
  ['refuses it on another origin, where nobody may read why', refused],
  ['ends it at once', async () => new Response('')],
  ['holds it back', () => new Promise(() => {})],
])('behind a proxy that %s, the payment is asked for every five seconds', async (_, answer) => {
  stream = answer
  const { silence } = watch()
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect(streams).toBe(2)
  const before = snapshots
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect(snapshots - before).toBeGreaterThanOrEqual(10)
  expect(snapshots - before).toBeLessThanOrEqual(12)
  expect(silence).not.toContain(true)
  // A stream is tried again, though seldom.
  await vi.advanceTimersByTimeAsync(20 * MINUTE_MS)
  expect(streams).toBeGreaterThanOrEqual(5)
  expect(streams).toBeLessThanOrEqual(6)
})

it('a stream that gets through again takes the place of the questions', async () => {
  stream = proxyPage
  watch()
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  stream = following
  await vi.advanceTimersByTimeAsync(6 * MINUTE_MS)
  const before = snapshots
  // A heartbeat that fails to come ends a stream after 40 seconds, and a new one begins.
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS)
  expect(streams).toBeGreaterThan(8)
  expect(snapshots - before).toBeLessThanOrEqual(8)
})
