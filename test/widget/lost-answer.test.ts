// A create call whose answer is lost: the same purchase is retried, and the form that could start a
// second one does not come back.
import { describe, expect, it, vi } from 'vitest'
import type { CheckoutController } from '../../widget/controller/checkout-controller.ts'
import type { StreamHandlers } from '../../widget/client/deposit-stream.ts'
import * as parts from '../../widget/controller/flow.ts'
import type { Flow } from '../../widget/controller/flow.ts'
import {
  body,
  checkoutAfter,
  cut,
  deposit,
  fake,
  halfAnswer,
  json,
  openPage,
  problem,
  proxyPage,
} from './opened-page.ts'

describe('a create call without a clear answer', () => {
  it.each([
    ['no connection', cut],
    ['a proxy’s error page', proxyPage],
    ['an answer cut in the middle', halfAnswer],
    ['an error without a body of ours', json(502, null)],
    ['a gateway’s own word', json(504, { code: 'GATEWAY_TIMEOUT' })],
    ['a gateway’s own word in small letters', json(504, { code: 'timeout' })],
    ['a gateway’s problem details', json(504, { type: 'about:blank', status: 504, detail: 'No.', code: 'forbidden' })],
    ['a gateway’s word that the companion has too', json(404, { code: 'not_found' })],
    ['a gateway’s JSON in the place of the payment', json(200, { status: 'ok' })],
    ['a portal’s token in the place of the payment', json(200, { id: 'dep_1', token: 'portal', status: 'PENDING' })],
    ['a gateway’s nothing in the place of the payment', json(201, null)],
    ['the first request still running', problem(409, 'idempotency_key_in_progress')],
    ['a fault inside the companion', problem(500, 'internal_error')],
    ['a store that failed after the call', problem(503, 'store_unavailable')],
  ])('is repeated with the same key for as long as it takes: %s', async (_, answer) => {
    const { checkout, events, tab } = openPage()
    fake.answers = [answer]
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(checkout.state.screen.step).toBe('submitting')
    expect(fake.asked.length).toBeGreaterThan(20)
    expect(new Set(fake.asked.map(({ key }) => key)).size).toBe(1)
    expect(tab.close).not.toHaveBeenCalled()

    fake.answers = [json(201, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    expect(events).toEqual(['hc-deposit-created', 'hc-checkout-opened'])
    expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith('https://hosted.example/c/1')
  })

  it.each([
    ['a page', () => new Response('<h1>Forbidden</h1>', { status: 403 })],
    ['JSON', () => Response.json({ code: 1020, message: 'Access denied' }, { status: 403 })],
    ['problem details', () => Response.json({ type: 'about:blank', code: 'forbidden' }, { status: 403 })],
    ['a demand for a login', () => new Response('Unauthorized', { status: 401 })],
    ['a word on its size', () => new Response('', { status: 413 })],
  ])(
    'is said as it is when a firewall answers with %s, and is repeated when the customer presses',
    async (_, refusal) => {
      const { checkout, events, tab } = openPage()
      fake.answers = [async () => refusal()]
      void checkout.submit(body, 'Opening')
      await vi.advanceTimersByTimeAsync(0)
      expect(checkout.state.fault).toMatchObject({
        code: 'blocked',
        message: expect.stringContaining('a firewall') as string,
      })
      expect(checkout.state.screen.step).toBe('submitting')
      // The empty tab would hide what the card says.
      expect(tab.close).toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(30 * 60_000)
      // Told once.
      expect(events).toEqual(['hc-error'])
      const before = fake.asked.length
      checkout.hurry()
      await vi.advanceTimersByTimeAsync(0)
      expect(fake.asked.length).toBe(before + 1)
      fake.answers = [json(201, deposit)]
      checkout.hurry()
      await vi.advanceTimersByTimeAsync(0)
      expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
      expect(checkout.state.fault).toBeUndefined()
      expect(new Set(fake.asked.flatMap(({ key }) => key ?? [])).size).toBe(1)
    },
  )

  it.each([
    ['other requests are answered: something refuses it', json(200, { markets: [] }), ['hc-error']],
    ['nothing is answered: there is no connection', cut, []],
  ])('that a browser reports as lost is told from a lost network: %s', async (_, markets, heard) => {
    const { checkout, events, tab } = openPage()
    fake.answers = [cut]
    fake.markets = markets
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(events).toEqual(heard)
    expect(checkout.state.fault?.code).toBe(heard.length > 0 ? 'blocked' : undefined)
    expect(tab.close.mock.calls.length).toBe(heard.length)
    expect(checkout.state.screen.step).toBe('submitting')
    fake.answers = [json(201, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    expect(checkout.state.fault).toBeUndefined()
  })

  it.each([
    ['its answer does not begin', () => new Promise<never>(() => {})],
    ['its answer does not end', () => Promise.resolve(new Response(new ReadableStream(), { status: 201 }))],
  ])('is ended after 25 s, so that it does not hold its repetition back, when %s', async (_, answer) => {
    const { checkout } = openPage()
    fake.answers = [answer, json(201, deposit)]
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(24_000)
    expect(fake.asked.map(({ signal }) => signal?.aborted)).toEqual([false])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(fake.asked[0]).toMatchObject({ key: fake.asked[1]?.key, signal: { aborted: true } })
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
  })

  it('is recovered by its key from a companion of another release, which reads the same body in another way', async () => {
    const { checkout, events } = openPage()
    fake.answers = [cut, problem(422, 'idempotency_key_reused'), cut, problem(422, 'idempotency_key_reused')]
    fake.answers.push(json(200, deposit))
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    expect(fake.asked.slice(0, 5).map(({ path }) => path)).toEqual([
      '/v1/deposits',
      '/v1/deposits',
      '/v1/attempt',
      '/v1/deposits',
      '/v1/attempt',
    ])
    expect(new Set(fake.asked.slice(0, 5).map(({ key }) => key)).size).toBe(1)
    expect(events).not.toContain('hc-error')
  })

  it('is not refused by “too many requests”, which the companion says before it looks at the key', async () => {
    const { checkout, events } = openPage()
    fake.answers = [cut, problem(429, 'rate_limited')]
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(checkout.state.screen.step).toBe('submitting')
    expect([...fake.kept.values()].join()).toContain(fake.asked[0]?.key)
    fake.answers = [json(201, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    const creates = fake.asked.filter(({ path }) => path === '/v1/deposits')
    expect(new Set(creates.map(({ key }) => key)).size).toBe(1)
    expect(events).not.toContain('hc-error')
  })

  it('opens nothing when the payment has ended meanwhile: the repeated answer says how it stood at first', async () => {
    const { checkout, events, tab } = openPage()
    const { checkoutUrl: _, token: _token, ...ended } = deposit
    fake.answers = [cut, json(201, deposit), json(200, { ...ended, phase: 'expired', status: 'FAILED', version: 3 })]
    await checkoutAfter(checkout.submit(body, 'Opening'))
    expect(checkout.state.screen).toMatchObject({ step: 'ended', deposit: { phase: 'expired' } })
    expect(events).toEqual(['hc-deposit-created'])
    expect(tab.location.replace).not.toHaveBeenCalled()
    expect(tab.close).toHaveBeenCalledOnce()
  })

  it('opens nothing by itself while it is not known how the payment stands; a link is shown', async () => {
    const { checkout, tab } = openPage()
    fake.answers = [cut, json(201, deposit), cut]
    await checkoutAfter(checkout.submit(body, 'Opening'))
    expect(checkout.state.screen).toMatchObject({ step: 'waiting' })
    expect(checkout.state.opened).toBeUndefined()
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
    expect(new Set(fake.asked.map(({ key }) => key)).size).toBe(1)
  })

  it('gives the form back at once when the companion says clearly that nothing began', async () => {
    const { checkout, events, tab } = openPage()
    fake.answers = [problem(422, 'amount_out_of_range')]
    await checkout.submit(body, 'Opening')
    expect(checkout.state.screen.step).toBe('form')
    expect(checkout.state.fault?.code).toBe('amount_out_of_range')
    expect(events).toEqual(['hc-error'])
    expect(tab.close).toHaveBeenCalledOnce()
    expect(fake.kept.size).toBe(0)
  })
})

it('a create call that is answered at once leads to the payment page without another question', async () => {
  const { checkout, tab } = openPage()
  fake.answers = [json(201, deposit)]
  await checkout.submit(body, 'Opening')
  expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith('https://hosted.example/c/1')
  expect(fake.asked).toHaveLength(1)
})

it.each([true, false])(
  'a payment named by the page whose token opens nothing does not bring the form back while an answer is awaited; storage: %s',
  async (isStored) => {
    const { checkout } = openPage()
    fake.answers = [cut]
    if (!isStored) vi.stubGlobal('localStorage', undefined)
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(1000)
    const key = fake.asked[0]?.key
    let gone = (): void => {}
    checkout.loadFlow = () =>
    Promise.resolve({
      parts: { ...parts, watchDeposit: (...given: [unknown, string, string, StreamHandlers]) => ((gone = given[3].onGone), () => {}) },
    } as unknown as Flow) // prettier-ignore
    checkout.resume('dep_9', 'tok_wrong')
    await vi.advanceTimersByTimeAsync(1000)
    gone()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(checkout.state.screen.step).toBe('submitting')
    // Without storage the request goes on itself: nothing else knows its key.
    expect(fake.asked.at(-1)).toMatchObject({ path: isStored ? '/v1/attempt' : '/v1/deposits', key })
    fake.answers = [json(200, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
  },
)

it('an element that the page moves meanwhile goes on: its tab gets the payment page', async () => {
  const { checkout, events, tab } = openPage()
  fake.answers = [cut]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  checkout.hostDisconnected()
  checkout.hostConnected()
  fake.answers = [json(201, deposit)]
  await vi.advanceTimersByTimeAsync(10_000)
  expect(events).toEqual(['hc-deposit-created', 'hc-checkout-opened'])
  expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith('https://hosted.example/c/1')
})

it('a page that goes on to another order leaves no tab behind that waits for ever', async () => {
  const { checkout, tab } = openPage()
  let come = (_: Response): void => {}
  fake.answers = [() => new Promise((resolve) => (come = resolve))]
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
    fake.asked.push({ path: pathname, key, signal: undefined })
    if (pathname !== '/v1/deposits') return problem(404, 'not_found')()
    if (key === fake.asked[0]!.key && isLost) return cut()
    created.push(key)
    return json(201, { ...deposit, id: `dep_${created.length}` })()
  })
  void first.checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(60_000)
  const second = openPage()
  for (let s = 0; s < 120 && second.checkout.state.screen.step === 'submitting'; s += 1)
    await vi.advanceTimersByTimeAsync(1_000)
  void second.checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  expect(second.checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
  isLost = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(created).toHaveLength(1)
  expect(first.tab.close).toHaveBeenCalled()
  expect([...fake.kept.values()].join()).toContain('dep_1')
})

it.each([
  ['after it has slept: meanwhile another tab may have given it up, and its payment be forgotten', 90_000, false],
  ['at once, where the browser stores nothing', 0, true],
])('a purchase of which nothing is stored any more is sent again only %s', async (_, asleep, isSent) => {
  const { checkout, events, tab } = openPage()
  fake.answers = [cut]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(500)
  fake.kept.clear()
  // The page is frozen: its clock goes on, its timers do not.
  vi.setSystemTime(Date.now() + asleep)
  fake.answers = [problem(404, 'not_found')]
  await vi.advanceTimersByTimeAsync(20_000)
  expect(fake.asked.slice(1).some(({ path }) => path === '/v1/deposits')).toBe(isSent)
  if (isSent) return
  // It is asked for by its key, in case the request was the one that arrived; or is still on its
  // way, and only the clock was put right meanwhile.
  expect(fake.asked.at(-1)).toMatchObject({ path: '/v1/attempt', key: fake.asked[0]?.key })
  expect(checkout.state.screen.step).toBe('submitting')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(checkout.state.screen.step).toBe('form')
  expect(events).toEqual(['hc-error'])
  expect(tab.close).toHaveBeenCalledOnce()
})

it('a payment in the place of another is stored though another tab has gone back to that one', async () => {
  fake.kept.set('hc-checkout:https://pay.example', JSON.stringify({ id: 'dep_0', token: 'tok_0' }))
  const { checkout } = openPage()
  let come = (_: Response): void => {}
  fake.answers = [() => new Promise((resolve) => (come = resolve))]
  checkout.reset(true)
  void checkout.submit({ ...body, replaces: 'dep_0' }, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  expect(fake.asked.at(-1)?.path).toBe('/v1/deposits')
  fake.kept.set('hc-checkout:https://pay.example', JSON.stringify({ id: 'dep_0', token: 'tok_0' }))
  come(new Response(JSON.stringify(deposit), { status: 201 }))
  await vi.advanceTimersByTimeAsync(100)
  expect([...fake.kept.values()].join()).toContain('dep_1')
})

it('a page that goes on to another order between two tries sends the purchase no more', async () => {
  const { checkout, tab } = openPage()
  fake.answers = [cut]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  checkout.reset(true)
  fake.answers = [json(201, deposit)]
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fake.asked).toHaveLength(1)
  expect(tab.close).toHaveBeenCalledOnce()
})

it('nor is the payment opened or shown if it goes on while it is asked how that stands', async () => {
  const { checkout, tab } = openPage()
  const { token: _, ...now } = deposit
  let come = (_: Response): void => {}
  fake.answers = [cut, json(201, deposit), () => new Promise((resolve) => (come = resolve))]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(5000)
  checkout.reset(true)
  come(new Response(JSON.stringify(now)))
  await vi.advanceTimersByTimeAsync(100)
  expect(checkout.state.screen.step).toBe('form')
  expect(tab.location.replace).not.toHaveBeenCalled()
  expect(tab.close).toHaveBeenCalledOnce()
})

it('nor is it stored or opened over another payment that the page has named meanwhile; its key stays', async () => {
  const { checkout, tab } = openPage()
  let come = (_: Response): void => {}
  fake.answers = [() => new Promise((resolve) => (come = resolve))]
  void checkout.submit(body, 'Opening')
  await vi.advanceTimersByTimeAsync(100)
  checkout.loadFlow = () =>
    Promise.resolve({
      parts: { ...parts, watchDeposit: (...given: [unknown, string, string, StreamHandlers]) => (given[3].onDeposit({ ...deposit, id: 'dep_9' }), () => {}) },
    } as unknown as Flow) // prettier-ignore
  checkout.resume('dep_9', 'tok_9')
  await vi.advanceTimersByTimeAsync(100)
  come(new Response(JSON.stringify(deposit), { status: 201 }))
  await vi.advanceTimersByTimeAsync(100)
  expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_9' } })
  expect(tab.location.replace).not.toHaveBeenCalled()
  expect(tab.close).toHaveBeenCalledOnce()
  expect([...fake.kept.values()].map((one) => JSON.parse(one) as object)).toEqual([
    expect.objectContaining({ key: fake.asked[0]?.key }),
  ])
})

describe('a reload between click and answer', () => {
  async function reload(answer: () => Promise<Response>): Promise<CheckoutController> {
    const before = openPage()
    fake.answers = [() => new Promise(() => {})]
    void before.checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(100)
    // The page dies; what it kept stays.
    before.checkout.reset(true)
    fake.answers = [answer]
    return openPage().checkout
  }

  it('keeps the key and no detail of the payer', async () => {
    await reload(cut)
    expect([...fake.kept.values()].join()).toContain(fake.asked[0]?.key)
    expect([...fake.kept.values()].join()).not.toMatch(/Achieng|\b2500\b/)
  })

  it('finds the payment by the key', async () => {
    const checkout = await reload(json(200, deposit))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(fake.asked.at(-1)).toMatchObject({ path: '/v1/attempt', key: fake.asked[0]?.key })
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', resumed: true })
  })

  it.each([
    ['nothing gets through', cut],
    ['a gateway says that it does not know the address', json(404, { code: 'not_found', message: 'no Route matched' })],
    ['a gateway says that all is well', json(200, { status: 'ok' })],
  ])('stays with “we are checking” while %s', async (_, answer) => {
    const checkout = await reload(answer)
    await vi.advanceTimersByTimeAsync(30 * 60_000)
    expect(checkout.state.screen.step).toBe('submitting')
  })

  it('believes “nothing there” only when the request can no longer be on its way', async () => {
    const checkout = await reload(problem(404, 'not_found'))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(checkout.state.screen.step).toBe('submitting')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(checkout.state.screen.step).toBe('form')
    expect(fake.kept.size).toBe(0)
  })

  it('counts that time from the last request that was sent, not from the press', async () => {
    const before = openPage()
    fake.answers = [cut]
    void before.checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    before.checkout.reset(true)
    fake.answers = [problem(404, 'not_found')]
    const { checkout } = openPage()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(checkout.state.screen.step).toBe('submitting')
  })

  it('waits for it also after an outage: where the network comes back, another tab sends its request at the same moment', async () => {
    fake.answers = [cut]
    void openPage().checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(100)
    const { checkout } = openPage()
    await vi.advanceTimersByTimeAsync(3 * 60_000)
    vi.stubGlobal('fetch', (url: string) =>
      url.endsWith('/attempt') ? problem(404, 'not_found')() : new Promise(() => {}),
    )
    await vi.advanceTimersByTimeAsync(20_000)
    expect(checkout.state.screen.step).toBe('submitting')
    expect([...fake.kept.values()].join()).toContain(fake.asked[0]?.key)
  })

  it('believes it a minute later also where the clock of the phone was five hours ahead, and is right now', async () => {
    vi.setSystemTime(Date.now() + 5 * 3_600_000)
    const checkout = await reload(problem(404, 'not_found'))
    vi.setSystemTime(Date.now() - 5 * 3_600_000)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(checkout.state.screen.step).toBe('submitting')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(checkout.state.screen.step).toBe('form')
    expect(fake.kept.size).toBe(0)
  })
})
