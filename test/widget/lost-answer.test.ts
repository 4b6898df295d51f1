// A create call whose answer is lost: the same purchase is retried, and the form that could start a second one does not come back.
import type { ReactiveControllerHost } from 'lit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CheckoutController } from '../../widget/checkout-controller.ts'
import type { CheckoutHost } from '../../widget/checkout-controller.ts'
import type { StreamHandlers } from '../../widget/deposit-stream.ts'
import type { Flow } from '../../widget/flow.ts'
import type { Deposit } from '../../widget/types.ts'

const body = { country: 'KE', currency: 'KES', amount: 2500, payer: { name: 'Achieng Otieno' } } as const
const deposit = {
  id: 'dep_1', reference: 'HCT0', mode: 'test', status: 'PENDING', phase: 'open', amount: 2500, currency: 'KES', country: 'KE',
  payer: { name: 'A•••' }, payUrl: 'https://pay.example/pay/x', checkoutUrl: 'https://hosted.example/c/1',
  expiresAt: '2026-01-01T00:15:00Z', createdAt: '2026-01-01T00:00:00Z', version: 2, token: 'tok',
} as const // prettier-ignore

/** Answers of the companion to the create call and to the question about its key, in order; the last one stays. */
let answers: (() => Promise<Response>)[]
let asked: { path: string; key: string | null; signal: AbortSignal | null | undefined }[]
let kept: Map<string, string>

const json = (status: number, value: unknown) => () => Promise.resolve(new Response(JSON.stringify(value), { status }))
const cut = () => Promise.reject(new TypeError('Failed to fetch'))
const problem = (status: number, code: string) =>
  json(status, { code, detail: code, title: code, type: `/problems/${code}`, status })
const proxyPage = () => Promise.resolve(new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
const halfAnswer = () => Promise.resolve(new Response('{"id":"dep_1","tok', { status: 201 }))

function openPage(attributes: { deposit?: string } = {}): {
  checkout: CheckoutController
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
    companion: 'https://pay.example', session: undefined, presentation: 'auto', _locale: 'en', _words: {},
    addController: () => {}, removeController: () => {}, requestUpdate: () => {}, updateComplete: Promise.resolve(true), ...attributes,
  }) as unknown as CheckoutHost & ReactiveControllerHost // prettier-ignore
  for (const type of ['hc-deposit-created', 'hc-checkout-opened', 'hc-error'])
    target.addEventListener(type, () => events.push(type))
  const checkout = new CheckoutController(host)
  checkout.loadFlow = () => new Promise(() => {})
  checkout.connect()
  return { checkout, events, tab }
}

/** Long enough for a repeated request, and for words that do not come. */
async function checkoutAfter(submitted: Promise<void>): Promise<void> {
  await vi.advanceTimersByTimeAsync(10_000)
  await submitted
}

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  asked = []
  kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  })
  vi.stubGlobal('navigator', { userAgent: 'Chrome' })
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    asked.push({
      path: new URL(url).pathname,
      key: new Headers(init?.headers).get('idempotency-key'),
      signal: init?.signal,
    })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    return (answer ?? cut)()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a create call without a clear answer', () => {
  it.each([
    ['no connection', cut],
    ['a proxy’s error page', proxyPage],
    ['an answer cut in the middle', halfAnswer],
    ['an error without a body of ours', json(502, null)],
    ['a gateway’s own word', json(504, { code: 'GATEWAY_TIMEOUT' })],
    ['a gateway’s own word in small letters', json(504, { code: 'timeout' })],
    ['a gateway’s problem details', json(403, { type: 'about:blank', status: 403, detail: 'No.', code: 'forbidden' })],
    ['a gateway’s word that the companion has too', json(404, { code: 'not_found' })],
    ['a gateway’s JSON in the place of the payment', json(200, { status: 'ok' })],
    ['a portal’s token in the place of the payment', json(200, { id: 'dep_1', token: 'portal', status: 'PENDING' })],
    ['a gateway’s nothing in the place of the payment', json(201, null)],
    ['the first request still running', problem(409, 'idempotency_key_in_progress')],
    ['a fault inside the companion', problem(500, 'internal_error')],
    ['a store that failed after the call', problem(503, 'store_unavailable')],
  ])('is repeated with the same key for as long as it takes: %s', async (_, answer) => {
    const { checkout, events, tab } = openPage()
    answers = [answer]
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(checkout.state.step).toBe('submitting')
    expect(asked.length).toBeGreaterThan(20)
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
    expect(tab.close).not.toHaveBeenCalled()

    answers = [json(201, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    expect(events).toEqual(['hc-deposit-created', 'hc-checkout-opened'])
    expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith('https://hosted.example/c/1')
  })

  it.each([
    ['its answer does not begin', () => new Promise<never>(() => {})],
    ['its answer does not end', () => Promise.resolve(new Response(new ReadableStream(), { status: 201 }))],
  ])('is ended after 25 s, so that it does not hold its repetition back, when %s', async (_, answer) => {
    const { checkout } = openPage()
    answers = [answer, json(201, deposit)]
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(24_000)
    expect(asked.map(({ signal }) => signal?.aborted)).toEqual([false])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked[0]).toMatchObject({ key: asked[1]?.key, signal: { aborted: true } })
    expect(checkout.state).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
  })

  it('is recovered by its key from a companion of another release, which reads the same body in another way', async () => {
    const { checkout, events } = openPage()
    answers = [cut, problem(422, 'idempotency_key_reused'), cut, problem(422, 'idempotency_key_reused')]
    answers.push(json(200, deposit))
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(checkout.state).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    expect(asked.slice(0, 5).map(({ path }) => path)).toEqual([
      '/v1/deposits',
      '/v1/deposits',
      '/v1/attempt',
      '/v1/deposits',
      '/v1/attempt',
    ])
    expect(new Set(asked.slice(0, 5).map(({ key }) => key)).size).toBe(1)
    expect(events).not.toContain('hc-error')
  })

  it('is not refused by “too many requests”, which the companion says before it looks at the key', async () => {
    const { checkout, events } = openPage()
    answers = [cut, problem(429, 'rate_limited')]
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(checkout.state.step).toBe('submitting')
    expect([...kept.values()].join()).toContain(asked[0]?.key)
    answers = [json(201, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    const creates = asked.filter(({ path }) => path === '/v1/deposits')
    expect(new Set(creates.map(({ key }) => key)).size).toBe(1)
    expect(events).not.toContain('hc-error')
  })

  it('opens nothing when the payment has ended meanwhile: the repeated answer says how it stood at first', async () => {
    const { checkout, events, tab } = openPage()
    const { checkoutUrl: _, token: _token, ...ended } = deposit
    answers = [cut, json(201, deposit), json(200, { ...ended, phase: 'expired', status: 'FAILED', version: 3 })]
    await checkoutAfter(checkout.submit(body, 'Opening'))
    expect(checkout.state).toMatchObject({ step: 'ended', deposit: { phase: 'expired' } })
    expect(events).toEqual(['hc-deposit-created'])
    expect(tab.location.replace).not.toHaveBeenCalled()
    expect(tab.close).toHaveBeenCalledOnce()
  })

  it('opens nothing by itself while it is not known how the payment stands; a link is shown', async () => {
    const { checkout, tab } = openPage()
    answers = [cut, json(201, deposit), cut]
    await checkoutAfter(checkout.submit(body, 'Opening'))
    expect(checkout.state).toMatchObject({ step: 'waiting' })
    expect(checkout.opened).toBe('')
    expect(tab.location.replace).not.toHaveBeenCalled()
    expect(tab.close).toHaveBeenCalledOnce()
  })

  it.each([true, false])('does not let a second click start a second payment; storage: %s', async (isStored) => {
    const { checkout } = openPage()
    if (!isStored) vi.stubGlobal('localStorage', undefined)
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(60_000)
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
  })

  it('gives the form back at once when the companion says clearly that nothing began', async () => {
    const { checkout, events, tab } = openPage()
    answers = [problem(422, 'amount_out_of_range')]
    await checkout.submit(body, 'Opening')
    expect(checkout.state.step).toBe('form')
    expect(checkout.fault?.code).toBe('amount_out_of_range')
    expect(events).toEqual(['hc-error'])
    expect(tab.close).toHaveBeenCalledOnce()
    expect(kept.size).toBe(0)
  })
})

it('a create call that is answered at once leads to the payment page without another question', async () => {
  const { checkout, tab } = openPage()
  answers = [json(201, deposit)]
  await checkout.submit(body, 'Opening')
  expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith('https://hosted.example/c/1')
  expect(asked).toHaveLength(1)
})

it.each([true, false])(
  'a payment named by the page whose token opens nothing does not bring the form back while an answer is awaited; storage: %s',
  async (isStored) => {
    const { checkout } = openPage()
    answers = [cut]
    if (!isStored) vi.stubGlobal('localStorage', undefined)
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(1000)
    const key = asked[0]?.key
    let gone = (): void => {}
    checkout.loadFlow = () =>
    Promise.resolve({
      parts: { watchDeposit: (...given: [unknown, string, string, StreamHandlers]) => ((gone = given[3].onGone), () => {}) },
    } as unknown as Flow) // prettier-ignore
    checkout.resume('dep_9', 'tok_wrong')
    await vi.advanceTimersByTimeAsync(1000)
    gone()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(checkout.state.step).toBe('submitting')
    // Without storage the request goes on itself: nothing else knows its key.
    expect(asked.at(-1)).toMatchObject({ path: isStored ? '/v1/attempt' : '/v1/deposits', key })
    answers = [json(200, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
  },
)

it('an element that the page moves meanwhile goes on: its tab gets the payment page', async () => {
  const { checkout, events, tab } = openPage()
  answers = [cut]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  checkout.hostDisconnected()
  checkout.hostConnected()
  answers = [json(201, deposit)]
  await vi.advanceTimersByTimeAsync(10_000)
  expect(events).toEqual(['hc-deposit-created', 'hc-checkout-opened'])
  expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith('https://hosted.example/c/1')
})

it('a page that goes on to another order leaves no tab behind that waits for ever', async () => {
  const { checkout, tab } = openPage()
  let come = (_: Response): void => {}
  answers = [() => new Promise((resolve) => (come = resolve))]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  checkout.reset(true)
  come(new Response(JSON.stringify(deposit), { status: 201 }))
  await vi.advanceTimersByTimeAsync(100)
  expect(tab.close).toHaveBeenCalledOnce()
  expect(tab.location.replace).not.toHaveBeenCalled()
})

it('a purchase that another tab has given up and started anew is not sent again: it could be paid twice', async () => {
  const first = openPage()
  /** What the companion has created, by key; the first tab's requests are lost. */
  const created: string[] = []
  let isLost = true
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { pathname } = new URL(url)
    const key = new Headers(init.headers).get('idempotency-key')!
    asked.push({ path: pathname, key, signal: undefined })
    if (pathname !== '/v1/deposits') return problem(404, 'not_found')()
    if (key === asked[0]!.key && isLost) return cut()
    created.push(key)
    return json(201, { ...deposit, id: `dep_${created.length}` })()
  })
  void first.checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(60_000)
  const second = openPage()
  for (let s = 0; s < 120 && second.checkout.state.step === 'submitting'; s += 1)
    await vi.advanceTimersByTimeAsync(1_000)
  void second.checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  expect(second.checkout.state).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
  isLost = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(created).toHaveLength(1)
  expect(first.tab.close).toHaveBeenCalled()
  expect([...kept.values()].join()).toContain('dep_1')
})

it.each([
  ['after it has slept: meanwhile another tab may have given it up, and its payment be forgotten', 90_000, false],
  ['at once, where the browser stores nothing', 0, true],
])('a purchase of which nothing is stored any more is sent again only %s', async (_, asleep, isSent) => {
  const { checkout, events, tab } = openPage()
  answers = [cut]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(500)
  kept.clear()
  // The page is frozen: its clock goes on, its timers do not.
  vi.setSystemTime(Date.now() + asleep)
  answers = [problem(404, 'not_found')]
  await vi.advanceTimersByTimeAsync(20_000)
  expect(asked.slice(1).some(({ path }) => path === '/v1/deposits')).toBe(isSent)
  if (isSent) return
  // It is asked for by its key, in case the request was the one that arrived; or is still on its way, and only the clock was put right meanwhile.
  expect(asked.at(-1)).toMatchObject({ path: '/v1/attempt', key: asked[0]?.key })
  expect(checkout.state.step).toBe('submitting')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(checkout.state.step).toBe('form')
  expect(events).toEqual(['hc-error'])
  expect(tab.close).toHaveBeenCalledOnce()
})

it('a payment in the place of another is stored though another tab has gone back to that one', async () => {
  kept.set('hc-checkout:https://pay.example', JSON.stringify({ id: 'dep_0', token: 'tok_0' }))
  const { checkout } = openPage()
  let come = (_: Response): void => {}
  answers = [() => new Promise((resolve) => (come = resolve))]
  checkout.reset(true)
  void checkout.submit({ ...body, replaces: 'dep_0' }, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  expect(asked.at(-1)?.path).toBe('/v1/deposits')
  kept.set('hc-checkout:https://pay.example', JSON.stringify({ id: 'dep_0', token: 'tok_0' }))
  come(new Response(JSON.stringify(deposit), { status: 201 }))
  await vi.advanceTimersByTimeAsync(100)
  expect([...kept.values()].join()).toContain('dep_1')
})

it('a page that goes on to another order between two tries sends the purchase no more', async () => {
  const { checkout, tab } = openPage()
  answers = [cut]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  checkout.reset(true)
  answers = [json(201, deposit)]
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(1)
  expect(tab.close).toHaveBeenCalledOnce()
})

it('nor is the payment opened or shown if it goes on while it is asked how that stands', async () => {
  const { checkout, tab } = openPage()
  const { token: _, ...now } = deposit
  let come = (_: Response): void => {}
  answers = [cut, json(201, deposit), () => new Promise((resolve) => (come = resolve))]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(5000)
  checkout.reset(true)
  come(new Response(JSON.stringify(now)))
  await vi.advanceTimersByTimeAsync(100)
  expect(checkout.state.step).toBe('form')
  expect(tab.location.replace).not.toHaveBeenCalled()
  expect(tab.close).toHaveBeenCalledOnce()
})

it('nor is it stored or opened over another payment that the page has named meanwhile; its key stays', async () => {
  const { checkout, tab } = openPage()
  let come = (_: Response): void => {}
  answers = [() => new Promise((resolve) => (come = resolve))]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  checkout.loadFlow = () =>
    Promise.resolve({
      parts: { watchDeposit: (...given: [unknown, string, string, StreamHandlers]) => (given[3].onDeposit({ ...deposit, id: 'dep_9' }), () => {}) },
    } as unknown as Flow) // prettier-ignore
  checkout.resume('dep_9', 'tok_9')
  await vi.advanceTimersByTimeAsync(100)
  come(new Response(JSON.stringify(deposit), { status: 201 }))
  await vi.advanceTimersByTimeAsync(100)
  expect(checkout.state).toMatchObject({ step: 'waiting', deposit: { id: 'dep_9' } })
  expect(tab.location.replace).not.toHaveBeenCalled()
  expect(tab.close).toHaveBeenCalledOnce()
  expect([...kept.values()].map((one) => JSON.parse(one) as object)).toEqual([
    expect.objectContaining({ key: asked[0]?.key }),
  ])
})

describe('a reload between click and answer', () => {
  async function reload(answer: () => Promise<Response>): Promise<CheckoutController> {
    const before = openPage()
    answers = [() => new Promise(() => {})]
    void before.checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(100)
    // The page dies; what it kept stays.
    before.checkout.reset(true)
    answers = [answer]
    return openPage().checkout
  }

  it('keeps the key and no detail of the payer', async () => {
    await reload(cut)
    expect([...kept.values()].join()).toContain(asked[0]?.key)
    expect([...kept.values()].join()).not.toMatch(/Achieng|2500/)
  })

  it('finds the payment by the key', async () => {
    const checkout = await reload(json(200, deposit))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked.at(-1)).toMatchObject({ path: '/v1/attempt', key: asked[0]?.key })
    expect(checkout.state).toMatchObject({ step: 'waiting', resumed: true })
  })

  it.each([
    ['nothing gets through', cut],
    ['a gateway says that it does not know the address', json(404, { code: 'not_found', message: 'no Route matched' })],
    ['a gateway says that all is well', json(200, { status: 'ok' })],
  ])('stays with “we are checking” while %s', async (_, answer) => {
    const checkout = await reload(answer)
    await vi.advanceTimersByTimeAsync(30 * 60_000)
    expect(checkout.state.step).toBe('submitting')
  })

  it('believes “nothing there” only when the request can no longer be on its way', async () => {
    const checkout = await reload(problem(404, 'not_found'))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(checkout.state.step).toBe('submitting')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(checkout.state.step).toBe('form')
    expect(kept.size).toBe(0)
  })

  it('counts that time from the last request that was sent, not from the press', async () => {
    const before = openPage()
    answers = [cut]
    void before.checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    before.checkout.reset(true)
    answers = [problem(404, 'not_found')]
    const { checkout } = openPage()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(checkout.state.step).toBe('submitting')
  })

  it('waits for it also after an outage: where the network comes back, another tab sends its request at the same moment', async () => {
    answers = [cut]
    void openPage().checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(100)
    const { checkout } = openPage()
    await vi.advanceTimersByTimeAsync(3 * 60_000)
    vi.stubGlobal('fetch', (url: string) =>
      url.endsWith('/attempt') ? problem(404, 'not_found')() : new Promise(() => {}),
    )
    await vi.advanceTimersByTimeAsync(20_000)
    expect(checkout.state.step).toBe('submitting')
    expect([...kept.values()].join()).toContain(asked[0]?.key)
  })

  it('believes it a minute later also where the clock of the phone was five hours ahead, and is right now', async () => {
    vi.setSystemTime(Date.now() + 5 * 3_600_000)
    const checkout = await reload(problem(404, 'not_found'))
    vi.setSystemTime(Date.now() - 5 * 3_600_000)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(checkout.state.step).toBe('submitting')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(checkout.state.step).toBe('form')
    expect(kept.size).toBe(0)
  })
})

describe('going back to the form', () => {
  it.each([
    ['forgets the payment of this tab', 'tok', undefined],
    ['keeps the payment that another tab has created since', 'tok_2', 'tok_2'],
  ])('%s', async (_, token, left) => {
    const { checkout } = openPage()
    answers = [json(201, deposit)]
    await checkoutAfter(checkout.submit(body, 'Opening'))
    const [name = ''] = kept.keys()
    kept.set(name, JSON.stringify({ id: 'dep_2', token, createdAt: deposit.createdAt }))
    checkout.reset()
    const after = JSON.parse(kept.get(name) ?? '{}') as { token?: string }
    expect(after.token).toBe(left)
  })
})

/** A page whose payments are watched; what the companion says of them comes from the test, to the last one that is watched. */
function watchingPage(): ReturnType<typeof openPage> & { watched: { id: string; handlers: StreamHandlers }[] } {
  const page = openPage()
  const watched: { id: string; handlers: StreamHandlers }[] = []
  const watchDeposit = (_: unknown, id: string, _token: string, handlers: StreamHandlers): (() => void) => {
    watched.push({ id, handlers })
    return () => {}
  }
  page.checkout.loadFlow = () => Promise.resolve({ parts: { watchDeposit }, rare: {} } as unknown as Flow)
  return { ...page, watched }
}
const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(100)
const entry = (name = 'hc-checkout:https://pay.example'): unknown => JSON.parse(kept.get(name) ?? '{}')
const put = (value: object, name = 'hc-checkout:https://pay.example'): unknown => kept.set(name, JSON.stringify(value))

/** A page that shows dep_9, which this browser keeps for another order. */
async function pageOfAnotherOrder(news: Partial<Deposit> = {}): Promise<ReturnType<typeof watchingPage>> {
  const other = 'hc-checkout:https://pay.example:other'
  put({ id: 'dep_9', token: 'tok_9' }, other)
  Object.assign(localStorage, { [other]: '' })
  const page = watchingPage()
  page.checkout.resume('dep_9')
  await soon()
  page.watched[0]!.handlers.onDeposit({ ...deposit, id: 'dep_9', ...news })
  await soon()
  return page
}

describe('what this browser has stored', () => {
  it('“Try again” in one tab leaves the key of the payment that another tab is starting, and asks what became of that', async () => {
    const { checkout, watched } = watchingPage()
    checkout.resume('dep_1', 'tok')
    await soon()
    watched[0]!.handlers.onDeposit({ ...deposit, phase: 'failed', status: 'FAILED' })
    await soon()
    expect(checkout.state.step).toBe('ended')
    put({ key: 'k'.repeat(48), createdAt: new Date().toISOString() })
    checkout.reset()
    expect(entry()).toMatchObject({ key: 'k'.repeat(48) })
    await soon()
    expect(asked.at(-1)).toMatchObject({ path: '/v1/attempt', key: 'k'.repeat(48) })
    expect(checkout.state.step).toBe('submitting')
    // What is on the screen is forgotten at the page's word.
    checkout.reset()
    expect(checkout.state.step).toBe('form')
    expect(kept.size).toBe(0)
  })

  it('“Try again” after a payment that the page brought asks what became of the create that was under way', async () => {
    const { checkout, watched } = watchingPage()
    answers = [cut]
    void checkout.submit(body, 'Opening')
    await soon()
    const key = asked[0]?.key
    checkout.resume('dep_9', 'tok_9')
    await soon()
    watched[0]!.handlers.onDeposit({ ...deposit, id: 'dep_9', phase: 'failed', status: 'FAILED' })
    await soon()
    expect(checkout.state).toMatchObject({ step: 'ended', deposit: { id: 'dep_9' } })
    checkout.reset()
    expect(entry()).toMatchObject({ key })
    answers = [json(200, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
  })

  it('is not overwritten by an older payment on the screen when the page moves the element', async () => {
    const { checkout, watched } = watchingPage()
    checkout.resume('dep_1', 'tok')
    await soon()
    watched[0]!.handlers.onDeposit(deposit)
    await soon()
    put({ id: 'dep_2', token: 'tok_2' })
    checkout.hostDisconnected()
    checkout.hostConnected()
    await soon()
    watched[1]!.handlers.onDeposit(deposit)
    await soon()
    expect(checkout.state).toMatchObject({ deposit: { id: 'dep_1' } })
    expect(entry()).toMatchObject({ id: 'dep_2' })
  })

  it.each([
    { id: 'dep_2', token: 'tok_2' },
    { id: 'dep_1', token: 'tok', key: 'n'.repeat(48) },
  ])('is not overwritten by a late answer when another tab has gone on from there: %o', async (newer) => {
    const { checkout } = watchingPage()
    answers = [cut]
    void checkout.submit(body, 'Opening')
    await soon()
    put(newer)
    answers = [json(201, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state).toMatchObject({ step: 'waiting' })
    expect(entry()).toEqual(newer)
  })

  it('is also what the page has brought while there was no network; a token that opens nothing is erased', async () => {
    watchingPage().checkout.resume('dep_1', 'tok')
    const { checkout, watched } = watchingPage()
    checkout.connect()
    expect(entry()).toMatchObject({ id: 'dep_1', token: 'tok' })
    checkout.hostConnected()
    await soon()
    expect(watched).toMatchObject([{ id: 'dep_1' }])
    watched[0]!.handlers.onGone()
    expect(kept.size).toBe(0)
    expect(checkout.state.step).toBe('form')
  })

  it.each([
    ['refused', problem(422, 'amount_out_of_range'), ['dep_1']],
    ['too late, for the first has been paid: that is shown', problem(409, 'replaces_invalid'), ['dep_1', 'dep_1']],
  ])('keeps the payment that a new one should have replaced when that is %s', async (_, answer, shown) => {
    const { checkout, watched } = watchingPage()
    checkout.resume('dep_1', 'tok')
    await soon()
    watched[0]!.handlers.onDeposit(deposit)
    await soon()
    checkout.reset(true)
    answers = [answer]
    await checkout.submit({ ...body, replaces: 'dep_1' }, 'Opening')
    expect(entry()).toMatchObject({ id: 'dep_1', token: 'tok' })
    expect(entry()).not.toHaveProperty('key')
    await soon()
    expect(watched.map(({ id }) => id)).toEqual(shown)
  })

  it('shows that payment again after a reload, when the companion never got the new one', async () => {
    put({ id: 'dep_1', token: 'tok', key: 'k'.repeat(48), createdAt: new Date(Date.now() - 61_000).toISOString() })
    answers = [problem(404, 'not_found')]
    const { checkout, watched } = watchingPage()
    await vi.advanceTimersByTimeAsync(90_000)
    expect(watched.at(-1)).toMatchObject({ id: 'dep_1' })
    expect(checkout.fault).toBeUndefined()
    expect(entry()).not.toHaveProperty('key')
  })

  it('and what the page names in an attribute wait for a create whose outcome is unknown', async () => {
    put({ key: 'k'.repeat(48), createdAt: new Date().toISOString() })
    answers = [json(200, deposit)]
    const { checkout, events } = openPage({ deposit: 'dep_9' })
    await soon()
    expect(checkout.state).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    expect(events).toEqual([])
  })

  it('for another order is shown again when it has been paid meanwhile and cannot be replaced', async () => {
    const { checkout, watched } = await pageOfAnotherOrder()
    checkout.reset(true)
    answers = [problem(409, 'replaces_invalid')]
    await checkout.submit({ ...body, replaces: 'dep_9' }, 'Opening')
    await soon()
    expect(watched.map(({ id }) => id)).toEqual(['dep_9', 'dep_9'])
  })

  it('for another order does not swallow the next press, nor hide the payment of this order', async () => {
    const { checkout, watched } = await pageOfAnotherOrder({ phase: 'failed', status: 'FAILED' })
    checkout.reset()
    // Started in another tab meanwhile.
    put({ id: 'dep_1', token: 'tok' })
    void checkout.submit(body, 'Opening')
    await soon()
    expect(asked).toEqual([])
    expect(watched.at(-1)).toMatchObject({ id: 'dep_1' })
  })
})

it('of two payments that the page names one after the other, before our code has come, only the second is followed', async () => {
  const { checkout } = openPage()
  const followed: string[] = []
  const flow = {
    parts: { watchDeposit: (_: unknown, id: string) => (followed.push(id), () => {}) },
  } as unknown as Flow
  let come = (_: Flow): void => {}
  const coming = new Promise<Flow>((resolve) => (come = resolve))
  checkout.loadFlow = () => coming
  checkout.resume('dep_8', 'tok_8')
  checkout.resume('dep_9', 'tok_9')
  come(flow)
  await vi.advanceTimersByTimeAsync(100)
  expect(followed).toEqual(['dep_9'])
})

it('a payment that is forgotten in another tab is not stored again by the next news of it', async () => {
  const { checkout } = openPage()
  let hear = (_: Deposit): void => {}
  checkout.loadFlow = () =>
    Promise.resolve({
      parts: { watchDeposit: (...given: [unknown, string, string, StreamHandlers]) => ((hear = given[3].onDeposit), () => {}) },
    } as unknown as Flow) // prettier-ignore
  checkout.resume('dep_1', 'tok')
  await vi.advanceTimersByTimeAsync(100)
  hear(deposit)
  expect([...kept.values()].join()).toContain('"dep_1"')
  kept.clear()
  hear({ ...deposit, version: 3 })
  expect(kept.size).toBe(0)
})

it('a payment that was to be replaced, and is being confirmed meanwhile, is shown instead of a form', async () => {
  const { checkout } = openPage()
  answers = [json(201, deposit)]
  await checkoutAfter(checkout.submit(body, 'Opening'))
  checkout.reset(true)
  const followed: string[][] = []
  checkout.loadFlow = () =>
    Promise.resolve({
      parts: { watchDeposit: (_: unknown, ...named: string[]) => (followed.push(named.slice(0, 2)), () => {}) },
    } as unknown as Flow) // prettier-ignore
  answers = [problem(409, 'replaces_invalid')]
  await checkoutAfter(checkout.submit({ ...body, replaces: 'dep_1' }, 'Opening'))
  expect(followed).toEqual([['dep_1', 'tok']])
})

it('what was shown before a payment that cannot be opened is told of and forgotten under its own name', async () => {
  const [own, other] = ['hc-checkout:https://pay.example', 'hc-checkout:https://pay.example:cart-2']
  const stored = {
    [own]: JSON.stringify({ id: 'dep_1', token: 'tok' }),
    [other]: JSON.stringify({ id: 'dep_2', token: 'tok_2' }),
  }
  const methods = {
    getItem: (name: string) => stored[name] ?? null,
    setItem: (name: string, value: string) => Reflect.set(stored, name, value),
    removeItem: (name: string) => Reflect.deleteProperty(stored, name),
  }
  vi.stubGlobal('localStorage', Object.setPrototypeOf(stored, methods))
  const { checkout } = openPage()
  let follow = {} as StreamHandlers
  checkout.loadFlow = () =>
    Promise.resolve({
      parts: { watchDeposit: (...given: [unknown, string, string, StreamHandlers]) => ((follow = given[3]), () => {}) },
    } as unknown as Flow) // prettier-ignore
  checkout.resume('dep_2')
  await vi.advanceTimersByTimeAsync(100)
  follow.onGone()
  await vi.advanceTimersByTimeAsync(100)
  follow.onDeposit({ ...deposit, phase: 'succeeded', status: 'SUCCESS', version: 3 })
  await vi.advanceTimersByTimeAsync(100)
  expect(checkout.state).toMatchObject({ step: 'ended', deposit: { id: 'dep_1' } })
  expect(JSON.parse(stored[own] ?? '')).toMatchObject({ id: 'dep_1', told: 'SUCCESS' })
  checkout.reset()
  expect(Object.keys(stored)).toEqual([other])
})

it('what was shown before is followed no more after a reset, whatever the page names next', async () => {
  const { checkout } = openPage()
  const done: string[] = []
  let follow = {} as StreamHandlers
  const watchDeposit = (_: unknown, id: string, _token: string, handlers: StreamHandlers) => {
    done.push(`begin ${id}`)
    follow = handlers
    return () => void done.push(`leave ${id}`)
  }
  checkout.loadFlow = () => Promise.resolve({ parts: { watchDeposit } } as unknown as Flow)
  checkout.resume('dep_1', 'tok')
  await vi.advanceTimersByTimeAsync(100)
  follow.onDeposit(deposit)
  checkout.resume('dep_8', 'tok_8')
  await vi.advanceTimersByTimeAsync(100)
  checkout.reset()
  expect(done).toEqual(['begin dep_1', 'leave dep_1', 'begin dep_8', 'leave dep_8'])
  checkout.resume('dep_9', 'tok_9')
  await vi.advanceTimersByTimeAsync(100)
  follow.onGone()
  await vi.advanceTimersByTimeAsync(100)
  expect(done.filter((one) => one === 'begin dep_1')).toHaveLength(1)
  expect(checkout.state.step).toBe('form')
})
