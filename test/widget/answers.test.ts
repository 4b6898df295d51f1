// The table of answers, row by row: whatever a request of the widget is answered, a stored payment
// is forgotten only where the table says so, and never while it may still be paid.
import type { ReactiveControllerHost } from 'lit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { problems } from '../../server/contract/index.ts'
import { CheckoutController } from '../../widget/controller/checkout-controller.ts'
import type { CheckoutHost } from '../../widget/controller/checkout.ts'
import { createCompanionClient } from '../../widget/client/companion-client.ts'
import type { Flow } from '../../widget/controller/flow.ts'
import * as parts from '../../widget/controller/flow.ts'

const NAME = 'hc-checkout:https://pay.example'
const MINUTE = 60_000
const view = {
  id: 'dep_1', reference: 'HCT0', mode: 'live', status: 'PENDING', phase: 'open', amount: 2500, currency: 'KES', country: 'KE', payer: { name: 'A•••' },
  payUrl: 'https://pay.example/pay/x', checkoutUrl: 'https://hosted.example/c/1', expiresAt: '2026-01-01T00:15:00Z', createdAt: '2026-01-01T00:00:00Z', version: 2,
} // prettier-ignore
const made = { ...view, id: 'dep_2', token: 'tok_2' }

type Answer = () => Promise<Response>
const answer =
  (status: number, text: string | null): Answer =>
  async () =>
    new Response(text, { status })

/** Every kind of answer that is not the companion's. */
const foreign: [string, Answer][] = [
  ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['no answer at all', () => new Promise(() => {})],
  ['half an answer', answer(200, '{"id":"dep_1","pha')],
  ['another one’s JSON', answer(200, '{"status":"UP"}')],
  ['nothing', answer(204, null)],
  ['a payment that is another one', answer(200, JSON.stringify({ ...view, id: 'dep_9', status: 'SUCCESS', phase: 'succeeded' }))],
  ...[200, 201, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 413, 415, 418, 421, 422, 425, 429, 431, 451, 500, 501, 502, 503, 504, 520, 522]
    .flatMap((status): [string, Answer][] => [
      [`${status} with a page`, answer(status, '<h1>No</h1>')],
      [`${status} with the JSON of a gateway`, answer(status, JSON.stringify({ code: 'forbidden', message: 'No' }))],
      [`${status} with a code of ours in another one’s format`, answer(status, JSON.stringify({ type: 'about:blank', code: status === 404 ? 'not_found' : 'bearer_wrong' }))],
    ]),
] // prettier-ignore

/**
 * Every word of the companion's own; the bearer arrived where it says `bearer_wrong`, and did not
 * where it says one of the other two.
 */
const own = Object.entries(problems).map(([code, { status }]): [string, Answer] => [
  code,
  answer(status, JSON.stringify({ type: `/problems/${code}`, code, status, title: '', detail: '' })),
])
const all = [...foreign, ...own]

/** What may be under way, or was paid: no answer at all may erase it. */
const underWay: [string, object][] = [
  ['under way', { id: 'dep_1', token: 'tok_1' }],
  ['paid', { id: 'dep_1', token: 'tok_1', told: 'SUCCESS', eraseAt: Date.UTC(2040) }],
]
const over: [string, object][] = [
  ['ended without payment', { id: 'dep_1', token: 'tok_1', told: 'FAILED', eraseAt: Date.UTC(2040) }],
  ['named by the page, and never confirmed', { id: 'dep_1', token: 'tok_1', given: true }],
]

let kept: Map<string, string>
let doors: Record<string, Answer>
let told: string[]

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2030) })
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  kept = new Map()
  doors = {}
  told = []
  const page = Object.assign(new EventTarget(), { open: () => null })
  vi.stubGlobal('window', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  vi.stubGlobal('navigator', { userAgent: 'Chrome', onLine: true })
  vi.stubGlobal('BroadcastChannel', undefined)
  const entry = { state: null as unknown, replaceState: (state: unknown) => (entry.state = structuredClone(state)) }
  vi.stubGlobal('history', entry)
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  })
  vi.stubGlobal('fetch', (url: string, { method = 'GET' }: RequestInit = {}) => {
    const door = doors[`${method} ${new URL(url).pathname}`]
    return door ? door() : Promise.reject(new TypeError(`${method} ${url} was not expected`))
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const open = (): CheckoutController => {
  const target = new EventTarget()
  target.addEventListener('hc-error', (event) => void told.push((event as Event & { code: string }).code))
  const host = Object.assign(target, {
    companion: 'https://pay.example', session: undefined, presentation: 'tab', isConnected: true, _locale: 'en', _words: {}, _offer: { shop: undefined, markets: undefined },
    addController: () => {}, removeController: () => {}, requestUpdate: () => {}, updateComplete: Promise.resolve(true),
  }) as unknown as CheckoutHost & ReactiveControllerHost // prettier-ignore
  const checkout = new CheckoutController(host)
  const flow = { parts, texts: {}, rare: {}, loadRare: () => Promise.resolve({}) } as unknown as Flow
  checkout.flow = flow
  checkout.loadFlow = () => Promise.resolve(flow)
  checkout.connect()
  return checkout
}
const put = (entry: object): unknown => kept.set(NAME, JSON.stringify(entry))
const stored = (): Record<string, unknown> | undefined =>
  kept.has(NAME) ? (JSON.parse(kept.get(NAME)!) as Record<string, unknown>) : undefined
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

/** Each answer in a world of its own. */
async function each(
  answers: readonly (readonly [string, Answer])[],
  run: (answer: Answer, what: string) => Promise<void>,
) {
  expect(answers.length).toBeGreaterThan(0)
  for (const [what, given] of answers) {
    kept.clear()
    history.replaceState(null, '')
    told = []
    doors = {}
    await run(given, what)
    vi.clearAllTimers()
  }
}

it('the table is tried with far more than forty answers', () => {
  expect(all.length).toBeGreaterThan(100)
})

describe('GET /v1/deposits/:id', () => {
  it.each([...underWay, ...over])('forgets a payment only for a token that does not fit: %s', async (which, entry) => {
    await each(all, async (given, what) => {
      put(entry)
      doors['GET /v1/deposits/dep_1'] = given
      const checkout = open()
      await pass(3 * MINUTE)
      const mayForget = what === 'bearer_wrong' && over.some(([one]) => one === which)
      expect([what, stored()?.['token']]).toEqual([what, mayForget ? undefined : 'tok_1'])
      // No form in which it could be paid a second time.
      if (!mayForget) expect([what, checkout.state.screen.step]).toEqual([what, 'submitting'])
      checkout.reset(true)
    })
  })

  it('is told to the page where something takes the token away, or another database answers', async () => {
    await each(own, async (given, what) => {
      put({ id: 'dep_1', token: 'tok_1' })
      doors['GET /v1/deposits/dep_1'] = given
      const checkout = open()
      await pass(3 * MINUTE)
      expect([what, told]).toEqual([what, /^(bearer_\w+|not_found)$/.test(what) ? [what] : []])
      // It shows itself as soon as the fault is mended.
      doors['GET /v1/deposits/dep_1'] = answer(200, JSON.stringify(view))
      await pass(MINUTE)
      expect([what, checkout.state.screen.step, checkout.state.fault]).toEqual([what, 'waiting', undefined])
      checkout.reset(true)
    })
  })

  it.each([
    ['SUCCESS', 'succeeded'],
    ['FAILED', 'rejected'],
  ])('ends a payment by a view of it that says %s', async (status, phase) => {
    put({ id: 'dep_1', token: 'tok_1' })
    doors['GET /v1/deposits/dep_1'] = answer(200, JSON.stringify({ ...view, status, phase }))
    open()
    await pass(1000)
    expect(stored()).toMatchObject({ id: 'dep_1', told: status, eraseAt: expect.any(Number) as number })
  })
})

describe('what follows a payment besides', () => {
  it.each(['POST /v1/deposits/dep_1/check', 'GET /v1/deposits/dep_1/events'])('%s decides nothing', async (door) => {
    await each(all, async (given, what) => {
      put({ id: 'dep_1', token: 'tok_1' })
      doors['GET /v1/deposits/dep_1'] = answer(200, JSON.stringify(view))
      doors[door] = given
      const checkout = open()
      await pass(1000)
      const checked = checkout.check()
      await pass(MINUTE)
      await checked
      expect([what, stored()?.['token'], checkout.state.screen.step]).toEqual([what, 'tok_1', 'waiting'])
      checkout.reset(true)
    })
  })
})

/** Codes of the companion after which a create may have been processed. */
const UNCLEAR = /^(internal_error|store_unavailable|idempotency_key_(in_progress|reused))$/
const PASSING = /^(rate_limited|bearer_missing|bearer_malformed|not_found)$/

describe('POST /v1/deposits', () => {
  it.each([
    ['at once', false],
    ['after an answer that was lost', true],
  ])('forgets its key only for a clear word of the companion: %s', async (_, isRepeat) => {
    await each(all, async (given, what) => {
      put({ id: 'dep_1', token: 'tok_1' })
      doors['GET /v1/deposits/dep_1'] = answer(200, JSON.stringify(view))
      const checkout = open()
      await pass(1000)
      checkout.reset(true)
      let asked = 0
      doors['POST /v1/deposits'] = () =>
        isRepeat && (asked += 1) === 1 ? Promise.reject(new TypeError('Failed to fetch')) : given()
      doors['GET /v1/attempt'] = given
      void checkout.submit({ replaces: 'dep_1' } as never, '')
      await pass(3 * MINUTE)
      const isOurs = what in problems
      // With a key that is in use for another body, its payment is asked for by the key.
      const isAsked = !isOurs || UNCLEAR.test(what) || (isRepeat && PASSING.test(what))
      expect([what, 'key' in stored()!]).toEqual([what, isAsked])
      // What it was to replace may still be paid.
      expect([what, stored()!['token']]).toEqual([what, 'tok_1'])
      if (isAsked) expect([what, checkout.state.screen.step]).toEqual([what, 'submitting'])
      checkout.reset(true)
    })
  })

  it('says of a filter in between what it is, once, and of a lost answer nothing', async () => {
    await each(foreign, async (given, what) => {
      doors['POST /v1/deposits'] = given
      const checkout = open()
      void checkout.submit({} as never, '')
      await pass(3 * MINUTE)
      const status = Number(/^\d+/.exec(what))
      const isBlocked = status >= 400 && status < 500 && ![404, 408, 425, 429].includes(status)
      expect([what, told]).toEqual([what, isBlocked ? ['blocked'] : []])
      doors['POST /v1/deposits'] = answer(201, JSON.stringify(made))
      doors['GET /v1/deposits/dep_2'] = answer(200, JSON.stringify({ ...view, id: 'dep_2' }))
      await pass(MINUTE)
      expect([what, checkout.state.screen.step, stored()?.['token']]).toEqual([what, 'waiting', 'tok_2'])
      checkout.reset(true)
    })
  })
})

describe('GET /v1/attempt', () => {
  it.each([
    ['alone', {}],
    ['beside what it was to replace', { id: 'dep_1', token: 'tok_1' }],
  ])('forgets a key only where no payment has it: %s', async (_, replaced) => {
    await each(all, async (given, what) => {
      put({ ...replaced, key: 'k'.repeat(48), createdAt: '2029-12-31T23:00:00Z' })
      doors['GET /v1/attempt'] = given
      doors['GET /v1/deposits/dep_1'] = answer(200, JSON.stringify(view))
      const checkout = open()
      await pass(3 * MINUTE)
      expect([what, stored()?.['key'] !== undefined]).toEqual([what, what !== 'not_found'])
      expect([what, stored()?.['token']]).toEqual([what, (replaced as { token?: string }).token])
      checkout.reset(true)
    })
  })
})

describe('what the form is loaded with', () => {
  const client = createCompanionClient('https://pay.example')
  it.each<[string, () => Promise<unknown>]>([
    ['GET /v1/markets', () => client.markets()],
    ['GET /v1/banks', () => client.banks('KE')],
    ['GET /v1/session', () => client.session('ses_1')],
  ])('%s touches nothing that is stored', async (door, ask) => {
    await each(all, async (given, what) => {
      put({ id: 'dep_1', token: 'tok_1' })
      doors[door] = given
      const code = ask().then(
        () => 'answered',
        (error: { code: string }) => error.code,
      )
      await pass(MINUTE)
      expect([what, await code]).toEqual([what, what in problems ? what : expect.stringMatching(/^(network|blocked)$/)])
      expect(stored()).toEqual({ id: 'dep_1', token: 'tok_1' })
    })
  })
})
