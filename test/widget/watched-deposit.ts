// Follows a payment as the widget does, at a companion and in a page that the test plays, on a
// clock that it moves.
import { afterEach, beforeEach, vi } from 'vitest'
import type { DepositView } from '../../server/contract/index.ts'
import type { PaymentClient } from '../../widget/client/payment-client.ts'
import { watchDeposit } from '../../widget/client/deposit-stream.ts'
import type { Deposit } from '../../widget/base/types.ts'

export const MINUTE = 60_000
export const open = {
  id: 'dep_1', reference: 'HCT0', mode: 'test', status: 'PENDING', phase: 'open', amount: 2500, currency: 'KES', country: 'KE',
  payer: { name: 'A•••' }, payUrl: 'https://pay.example/pay/x', expiresAt: '2026-01-01T00:15:00Z', createdAt: '2026-01-01T00:00:00Z',
  version: 3,
} as const satisfies DepositView // prettier-ignore
export const event = (deposit: Deposit): string =>
  `id: ${deposit.version}\nevent: deposit\ndata: ${JSON.stringify(deposit)}\n\n`
export const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

/** A stream that the test writes to. */
export function wire(): {
  response: () => Promise<Response>
  write(text: string | Uint8Array): void
  end(): void
  readonly isLeft: boolean
} {
  let to: ReadableStreamDefaultController<Uint8Array>
  let isLeft = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (to = controller),
    cancel: () => void (isLeft = true),
  })
  return {
    response: async () => new Response(body),
    write: (text) => to.enqueue(typeof text === 'string' ? new TextEncoder().encode(text) : text),
    end: () => to.close(),
    get isLeft() {
      return isLeft
    },
  }
}

/**
 * Anew for each test: what the companion answers, which the test sets, and what was asked and
 * heard.
 */
export interface Watched {
  /** The answer to a question, and to a stream. */
  answer: () => Promise<Deposit>
  connect: () => Promise<Response>
  /** What is said to the news that the token is not the payment’s: whether it is given up. */
  isGivenUp: boolean
  /** When each was asked, in ms. */
  asked: number[]
  streams: { at: number; signal: AbortSignal | undefined }[]
  /** Phase and version of each view, whether the companion is silent, and `gone`. */
  heard: (string | boolean)[]
  /** The payer's name in each view. */
  names: string[]
  page: EventTarget & { hidden: boolean }
  frame: EventTarget
  /** Begins to follow the payment, until the returned function is called or the test ends. */
  watch(): () => void
}

export function watchedDeposit(): Watched {
  let begun = 0
  let stops: (() => void)[] = []
  const seen = {
    watch() {
      const stop = watchDeposit(client, 'dep_1', 'tok', {
        onDeposit: ({ phase, version, payer }) => {
          seen.heard.push(`${phase} ${version}`)
          seen.names.push(payer.name)
        },
        onSilence: (silent) => seen.heard.push(silent),
        onGone: () => {
          seen.heard.push('gone')
          return seen.isGivenUp
        },
        onTold: ({ code }) => seen.heard.push(code),
        onLeave: () => {},
      })
      stops.push(stop)
      return stop
    },
  } as Watched
  const client = {
    get: async () => {
      seen.asked.push(Date.now() - begun)
      return seen.answer()
    },
    events: async (_id: string, _token: string, signal: AbortSignal | undefined) => {
      seen.streams.push({ at: Date.now() - begun, signal })
      return seen.connect()
    },
  } as Partial<PaymentClient> as PaymentClient

  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(1)
    begun = Date.now()
    stops = []
    Object.assign(seen, {
      answer: async () => open,
      connect: () => new Promise(() => {}),
      asked: [],
      streams: [],
      heard: [],
      isGivenUp: true,
      names: [],
      page: Object.assign(new EventTarget(), { hidden: false }),
      frame: new EventTarget(),
    })
    vi.stubGlobal('document', seen.page)
    vi.stubGlobal('window', seen.frame)
    vi.stubGlobal('navigator', {})
    vi.stubGlobal('BroadcastChannel', undefined)
  })
  afterEach(() => {
    for (const stop of stops) stop()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  return seen
}
