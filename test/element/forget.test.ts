// What an element forgets, and what it asks before; what it says where it can neither pay nor show
// a payment; what its events carry.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { aTimeout, expect, oneEvent, waitUntil } from '@open-wc/testing'
import type { ErrorEvent, HcCheckout } from 'hc-checkout'
import { sampleMarkets } from '../helpers/sample-payment.ts'
import { created, lamp, problem, slow, view } from './companion.ts'
import type { Doors } from './companion.ts'
import { asked, said, show, text, type, within } from './shown.ts'

const root = 'hc-checkout:https://pay.example'
const waiting: Doors = { 'GET /v1/deposits/dep_1': () => view() }
const keep = (over: object = {}): void =>
  localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1', ...over }))
const question = (element: HcCheckout): HTMLElement | null => within(element, '[part~=question]')
const copy = (): unknown => (history.state as Record<string, unknown> | null)?.[root]

describe('a payment that may still be paid', () => {
  async function shownAndAsked(): Promise<{ element: HcCheckout; answer: Promise<boolean> }> {
    const element = await show(waiting)
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    const answer = element.reset()
    await waitUntil(() => question(element), '', slow)
    return { element, answer }
  }

  it('is forgotten by reset() only once the customer has said that no money was sent', async () => {
    const { element, answer } = await shownAndAsked()
    expect(text(element)).to.contain('Forget this payment?')
    expect(text(element)).to.contain('Do not pay again')
    expect([localStorage.getItem(root), JSON.stringify(copy())].join()).to.match(/tok_1.*tok_1/)
    within(element, '[part~=question] [value=forget]').click()
    expect(await answer).to.equal(true)
    await waitUntil(() => within(element, 'form'), '', slow)
    expect([localStorage.getItem(root), copy()]).to.deep.equal([null, undefined])
  })

  it('is kept and shown on where the customer keeps it; asked twice is asked once', async () => {
    const { element, answer } = await shownAndAsked()
    const again = element.reset()
    within(element, '[part~=question] .main').click()
    expect(await Promise.all([answer, again])).to.deep.equal([false, false])
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(localStorage.getItem(root)).to.contain('tok_1')
  })

  it('that is paid meanwhile is shown as paid, and the question is over', async () => {
    let deposit = view()
    const element = await show({ 'GET /v1/deposits/dep_1': () => deposit })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    const answer = element.reset()
    await waitUntil(() => question(element), '', slow)
    deposit = view({ status: 'SUCCESS', phase: 'succeeded', version: 4 })
    window.dispatchEvent(new Event('online'))
    expect(await answer).to.equal(false)
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
    // Then nobody has to be asked.
    expect(await element.reset()).to.equal(true)
    expect(localStorage.getItem(root)).to.equal(null)
  })

  it('although it was given up is asked about by "Start another payment", and not by "Try again", which keeps it', async () => {
    keep()
    const element = await show({ 'GET /v1/deposits/dep_1': () => view({ phase: 'abandoned', version: 3 }) })
    await waitUntil(() => within(element, '[part~=failure]'), '', slow)
    within(element, '[part~=failure] .quiet').click()
    await waitUntil(() => question(element), '', slow)
    within(element, '[part~=question] .main').click()
    await waitUntil(() => within(element, '[part~=again]'), '', slow)
    within(element, '[part~=again]').click()
    await waitUntil(() => within(element, 'form'), '', slow)
    expect(localStorage.getItem(root)).to.contain('tok_1')
  })

  it('is found after a reload although the shop has cleared its storage', async () => {
    keep()
    const before = await show(
      { ...waiting, 'POST /v1/deposits': () => created() },
      { 'client-reference': 'cart-1', amount: '2500' },
    )
    history.replaceState({ idx: 3 }, '')
    await waitUntil(() => within(before, '[role=combobox]'), '', slow)
    type(before, 'name', 'Achieng')
    within(before, '[part~=pay-button]').click()
    await waitUntil(() => within(before, '[part~=waiting]'), '', slow)
    before.remove()
    localStorage.clear()
    expect(history.state).to.deep.include({ idx: 3 })
    const after = document.createElement('hc-checkout')
    Object.assign(after, { companion: 'https://pay.example', clientReference: 'cart-1', locale: 'en' })
    document.body.append(after)
    await waitUntil(() => within(after, '[part~=waiting]'), '', slow)
    after.remove()
  })
})

describe('a stored payment that cannot be shown', () => {
  for (const [code, status] of [
    ['bearer_missing', 401],
    ['bearer_malformed', 401],
    ['bearer_wrong', 401],
    ['not_found', 404],
  ] as const)
    it(`because the companion says ${code} is kept, no form comes, and the developer is told once`, async () => {
      const told: string[] = []
      const tell = (event: Event): void => void told.push((event as ErrorEvent).code)
      addEventListener('hc-error', tell)
      keep()
      const element = await show({ 'GET /v1/deposits/dep_1': () => problem(status, code) })
      await waitUntil(() => text(element).includes('Do not pay again'), '', slow)
      await waitUntil(() => asked('GET /v1/deposits/dep_1').length > 2, '', slow)
      removeEventListener('hc-error', tell)
      expect(told).to.deep.equal([code])
      expect(within(element, 'form')).to.equal(null)
      expect(localStorage.getItem(root)).to.contain('tok_1')
      // The way on asks first.
      within(element, '.quiet').click()
      await waitUntil(() => question(element), '', slow)
      within(element, '[part~=question] [value=forget]').click()
      await waitUntil(() => within(element, 'form'), '', slow)
      expect(localStorage.getItem(root)).to.equal(null)
    })

  for (const [what, end] of [
    ['may still be paid', {}],
    ['was paid', { told: 'SUCCESS' }],
  ] as const)
    it(`refused by a firewall is not called unpaid where it ${what}, and is asked again`, async () => {
      keep(end)
      const blocked = (): Response => new Response('<h1>403 Forbidden</h1>', { status: 403 })
      const element = await show({
        'GET /v1/deposits/dep_1': blocked,
        'POST /v1/deposits/dep_1/check': () => view(),
      })
      await waitUntil(() => text(element).includes('Do not pay again'), '', slow)
      expect(text(element)).not.to.match(/not paid|nothing was charged/i)
      expect(said(element)).to.equal('We are checking')
      // No way to a form that begins another payment.
      expect(within(element, 'a')).to.equal(null)
      expect(asked('POST /v1/deposits/dep_1/check').length).to.equal(0)
      within(element, 'button.plain').click()
      await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
      expect(asked('POST /v1/deposits/dep_1/check').length).to.equal(1)
      expect(text(element)).to.contain('Your payment is open')
    })

  it('refused by a firewall says after each check that it did not get through', async () => {
    keep({})
    const blocked = (): Response => new Response('<h1>403 Forbidden</h1>', { status: 403 })
    const element = await show({ 'GET /v1/deposits/dep_1': blocked, 'POST /v1/deposits/dep_1/check': blocked })
    await waitUntil(() => text(element).includes('Do not pay again'), '', slow)
    within(element, 'button.plain').click()
    await waitUntil(() => text(element).includes('This check did not get through. The payment continues.'), '', slow)
  })

  it('through a proxy that takes its token away after it was made stays on the screen', async () => {
    const element = await show(
      { 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => problem(401, 'bearer_missing') },
      { amount: '2500' },
    )
    type(element, 'name', 'Achieng')
    const told = oneEvent(element, 'hc-error')
    within(element, '[part~=pay-button]').click()
    expect(((await told) as unknown as ErrorEvent).code).to.equal('bearer_missing')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(localStorage.getItem(root)).to.contain('tok_1')
  })
})

describe('a firewall that refuses the create', () => {
  it('is said as what it is, with a way on, and the same request goes through when it lets it', async () => {
    let isShut = true
    const element = await show(
      {
        'POST /v1/deposits': () => (isShut ? new Response('<h1>403 Forbidden</h1>', { status: 403 }) : created()),
        ...waiting,
      },
      { amount: '2500' },
    )
    type(element, 'name', 'Achieng')
    const told = oneEvent(element, 'hc-error')
    within(element, '[part~=pay-button]').click()
    const { code, detail } = (await told) as unknown as ErrorEvent
    expect(code).to.equal('blocked')
    expect(detail).to.contain('https://pay.example/v1/deposits was answered 403')
    await waitUntil(() => text(element).includes('refuses this request'), '', slow)
    expect(text(element)).not.to.contain('No connection')
    expect(within<HTMLAnchorElement>(element, 'a').href).to.equal('https://pay.example/pay')
    isShut = false
    within(element, 'button.main').click()
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    const keys = asked('POST /v1/deposits').map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).to.equal(1)
  })

  it('leads on by the link that the page shows where there is no script', async () => {
    const blocked = (): Response => new Response('', { status: 403 })
    const element = await show({ 'GET /v1/session': () => lamp, 'POST /v1/deposits': blocked }, { session: 'ses_1' })
    element.innerHTML = '<a href="https://pay.example/pay/sXYZ">Pay with mobile money</a>'
    await waitUntil(() => text(element).includes('Lamp'), '', slow)
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, 'a'), '', slow)
    expect(within<HTMLAnchorElement>(element, 'a').href).to.equal('https://pay.example/pay/sXYZ')
  })
})

describe('a page without a session, in a shop that takes payments by session only', () => {
  const doors: Doors = { 'GET /v1/markets': () => ({ ...sampleMarkets, sessionsOnly: true }), ...waiting }

  for (const [what, attributes] of [
    ['absent', {}],
    ['empty', { session: '' }],
  ] as const)
    it(`is told at once, where the attribute is ${what}, and its developer why`, async () => {
      const told = new Promise<Event>((resolve) => addEventListener('hc-error', resolve, { once: true }))
      const element = await show({ ...doors, 'GET /v1/session': () => lamp }, attributes)
      const { code, detail } = (await told) as ErrorEvent
      expect([code, /session.*HC_MODE=sessions.*POST \/v1\/sessions/.test(detail)]).to.deep.equal([
        'session_required',
        true,
      ])
      await waitUntil(() => text(element).includes('not set up for payments from this page'), '', slow)
      expect(within(element, 'form')).to.equal(null)
      // The page has got its token.
      element.session = 'ses_1'
      await waitUntil(() => text(element).includes('Lamp'), '', slow)
      expect(within(element, 'form')).not.to.equal(null)
    })

  it('shows a payment that this browser has stored all the same', async () => {
    keep()
    const element = await show(doors)
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(text(element)).not.to.contain('not set up')
  })
})

describe('what passes by on a page', () => {
  /**
   * Each text that leads from a value, over own and inherited properties, accessors and maps
   * included.
   */
  function* textsOf(value: unknown, seen = new Set<unknown>()): Generator<string> {
    if (typeof value === 'string') yield value
    if (value === null || typeof value !== 'object' || seen.has(value)) return
    // The page itself, its documents and the shadow tree belong to everybody; what is stored is the
    // shop's origin's.
    if (value instanceof Node && !(value instanceof HTMLElement && value.localName === 'hc-checkout')) return
    if (value === window || value instanceof Storage || value instanceof History) return
    seen.add(value)
    if (value instanceof Map) for (const pair of value) yield* textsOf(pair, seen)
    for (
      let owner: object | null = value;
      owner && owner !== Object.prototype;
      owner = Object.getPrototypeOf(owner) as object
    )
      for (const name of Reflect.ownKeys(owner)) {
        try {
          yield* textsOf(Reflect.get(value, name), seen)
        } catch {
          /* An accessor of another kind of object. */
        }
      }
    if (value instanceof Element) for (const { value: written } of value.attributes) yield written
  }
  const session = `ses_${'0'.repeat(26)}.secret`
  const secrets = /tok_[12]|\.secret|\/pay\/abc|hosted\.example/
  /**
   * The session's token is there only where the page itself has put it: in that property and
   * attribute.
   */
  const isOwn = (text: string): boolean => text === session || text.startsWith('<hc-checkout ')
  const leaks = (value: unknown): string[] => [...textsOf(value)].filter((one) => secrets.test(one) && !isOwn(one))

  it('carries no token and no link of a payment: no event, no property and no attribute', async () => {
    const types = [
      'hc-ready',
      'hc-change',
      'hc-deposit-created',
      'hc-checkout-opened',
      'hc-status-change',
      'hc-success',
      'hc-failure',
      'hc-error',
    ]
    const found: string[] = []
    const heard = new Set<string>()
    const links: unknown[] = []
    const scan = (event: Event): void => {
      heard.add(event.type)
      found.push(...leaks(event).map((one) => `${event.type}: ${one}`))
      if (event.type === 'hc-deposit-created') links.push((event.target as HcCheckout).paymentLink())
    }
    for (const one of types) addEventListener(one, scan)
    let deposit = view()
    const element = await show(
      {
        'POST /v1/deposits': () => created(),
        'GET /v1/deposits/dep_1': () => deposit,
        'POST /v1/deposits/dep_1/check': () => deposit,
      },
      { amount: '2500' },
    )
    type(element, 'name', 'Achieng')
    expect(element.paymentLink()).to.equal(undefined)
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
    within(element, '[part~=open-link]').addEventListener('click', (event) => event.preventDefault())
    within(element, '[part~=open-link]').click()
    element.resume('dep_7', 'tok_2')
    await waitUntil(() => heard.has('hc-error'), '', slow)
    await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
    expect(element.paymentLink()).to.equal('https://pay.example/pay/abc')
    for (const [phase, status] of [
      ['failed', 'FAILED'],
      ['succeeded', 'SUCCESS'],
    ] as const) {
      deposit = view({ phase, status, version: deposit.version + 1 })
      window.dispatchEvent(new Event('online'))
      await waitUntil(() => heard.has(status === 'FAILED' ? 'hc-failure' : 'hc-success'), '', slow)
    }
    // A session brings its payment's token of its own.
    const other = await show(
      { 'GET /v1/session': () => ({ ...lamp, deposit: { id: 'dep_1', token: 'tok_1', createdAt: '' } }), ...waiting },
      { session },
    )
    await waitUntil(() => within(other, '[part~=waiting]'), '', slow)
    for (const one of types) removeEventListener(one, scan)
    expect([...heard].toSorted()).to.deep.equal(types.toSorted())
    expect(links).to.deep.equal(['https://pay.example/pay/abc'])
    found.push(...leaks(element), ...leaks(other))
    expect(found).to.deep.equal([])
    await aTimeout(0)
  })
})
