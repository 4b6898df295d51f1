// One checkout in a page whose companion, network and storage the test plays, on a clock that it
// moves.
import type { ReactiveControllerHost } from 'lit'
import { afterEach, beforeEach, vi } from 'vitest'
import { CheckoutController } from '../../widget/controller/checkout-controller.ts'
import type { CheckoutHost } from '../../widget/controller/checkout.ts'
import * as parts from '../../widget/controller/flow.ts'
import type { Flow } from '../../widget/controller/flow.ts'

export const body = { country: 'KE', currency: 'KES', amount: 2500, payer: { name: 'Achieng Otieno' } } as const
export const deposit = {
  id: 'dep_1', reference: 'HCT0', mode: 'test', status: 'PENDING', phase: 'open', amount: 2500, currency: 'KES', country: 'KE',
  payer: { name: 'A•••' }, payUrl: 'https://pay.example/pay/x', checkoutUrl: 'https://hosted.example/c/1',
  expiresAt: '2026-01-01T00:15:00Z', createdAt: '2026-01-01T00:00:00Z', version: 2, token: 'tok',
} as const // prettier-ignore

/** The companion and the browser of one test. */
export const fake: {
  /**
   * Answers of the companion to the create call and to the question about its key, in order; the
   * last one stays.
   */
  answers: (() => Promise<Response>)[]
  /** Its requests so far. */
  asked: { path: string; key: string | null; signal: AbortSignal | null | undefined }[]
  /** The answer about the markets, which are not among the requests. */
  markets: () => Promise<Response>
  /** What the browser has stored. */
  kept: Map<string, string>
} = { answers: [], asked: [], markets: () => cut(), kept: new Map() }

export const json = (status: number, value: unknown) => () =>
  Promise.resolve(new Response(JSON.stringify(value), { status }))
export const cut = () => Promise.reject(new TypeError('Failed to fetch'))
export const problem = (status: number, code: string) =>
  json(status, { code, detail: code, title: code, type: `/problems/${code}`, status })
export const proxyPage = () => Promise.resolve(new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
export const halfAnswer = () => Promise.resolve(new Response('{"id":"dep_1","tok', { status: 201 }))

/**
 * A checkout that is connected to the companion; the tab that it opens leads nowhere, and the code
 * of its later steps does not come.
 */
export function openPage(attributes: { deposit?: string; presentation?: 'redirect' } = {}): {
  checkout: CheckoutController
  /** The element, as far as the checkout knows it. */
  host: EventTarget & { isConnected: boolean }
  events: string[]
  tab: { close: ReturnType<typeof vi.fn>; location: { replace: ReturnType<typeof vi.fn> } }
} {
  const tab = {
    closed: false,
    close: vi.fn(),
    opener: {},
    document: { createElement: () => ({ style: {} }), body: { append: () => {} } },
    location: { replace: vi.fn() },
  }
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('window', { open: () => tab, addEventListener: () => {}, removeEventListener: () => {} })
  const target = new EventTarget()
  const events: string[] = []
  const host = Object.assign(target, {
    companion: 'https://pay.example', session: undefined, presentation: 'auto', isConnected: true, _locale: 'en', _words: {}, _offer: { shop: undefined, markets: undefined },
    _form: { _isShown: true, _isPressed: false },
    addController: () => {}, removeController: () => {}, requestUpdate: () => {}, updateComplete: Promise.resolve(true), ...attributes,
  }) as unknown as CheckoutHost & ReactiveControllerHost & { isConnected: boolean } // prettier-ignore
  for (const type of ['hc-deposit-created', 'hc-checkout-opened', 'hc-error'])
    target.addEventListener(type, () => events.push(type))
  const checkout = new CheckoutController(host)
  checkout.flow = { parts } as unknown as Flow
  checkout.loadFlow = () => new Promise(() => {})
  checkout.connect()
  return { checkout, host, events, tab }
}

/** Long enough for a repeated request, and for words that do not come. */
export async function checkoutAfter(submitted: Promise<void>): Promise<void> {
  await vi.advanceTimersByTimeAsync(10_000)
  await submitted
}

beforeEach(() => {
  vi.useFakeTimers()
  fake.answers = []
  fake.asked = []
  fake.markets = cut
  fake.kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => fake.kept.get(name) ?? null,
    setItem: (name: string, value: string) => fake.kept.set(name, value),
    removeItem: (name: string) => fake.kept.delete(name),
  })
  // Where storage refuses, the page's history entry does too.
  vi.stubGlobal('history', { state: null })
  vi.stubGlobal('navigator', { userAgent: 'Chrome' })
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (url.endsWith('/v1/markets')) return fake.markets()
    fake.asked.push({
      path: new URL(url).pathname,
      key: new Headers(init?.headers).get('idempotency-key'),
      signal: init?.signal,
    })
    const answer = fake.answers.length > 1 ? fake.answers.shift() : fake.answers[0]
    return (answer ?? cut)()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
