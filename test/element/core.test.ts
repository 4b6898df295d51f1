// What must never mislead a customer: which payment is shown, what was opened, how much time is left, and that starting over is deliberate.
/* oxlint-disable typescript/no-floating-promises -- chai-a11y-axe types every assertion as a promise; those that are one are awaited */
import { aTimeout, expect, fixture, html, nextFrame, oneEvent, waitUntil } from '@open-wc/testing'
import 'hc-checkout/define'
import type { ErrorEvent, HcCheckout, SuccessEvent } from 'hc-checkout'
import { companion, created, problem, view, slow } from './companion.ts'
import type { Doors } from './companion.ts'

let network: ReturnType<typeof companion> | undefined
const realOpen = window.open
const realNow = Date.now
const realTimeout = window.setTimeout
/** Delay of a message about a field that was just left (views/form.ts). */
const CLICK_MS = 300

async function show(doors: Doors = {}, attributes: Record<string, string> = {}): Promise<HcCheckout> {
  network = companion(doors)
  const element = document.createElement('hc-checkout')
  element.setAttribute('companion', 'https://pay.example')
  element.setAttribute('locale', 'en')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return fixture<HcCheckout>(html`${element}`)
}

// The caller names what its selector finds, as with querySelector itself.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const within = <T extends HTMLElement = HTMLElement>(element: HcCheckout, selector: string): T =>
  element.shadowRoot!.querySelector<T>(selector)!
const text = (element: HcCheckout): string => within(element, '.card').textContent.replace(/\s+/g, ' ')
const said = (element: HcCheckout): string => within(element, '[role=status]').textContent

function type(element: HcCheckout, id: string, value: string): void {
  const input = within<HTMLInputElement>(element, `#${id}`)
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

afterEach(() => {
  network?.close()
  window.open = realOpen
  Date.now = realNow
  window.setTimeout = realTimeout
})

describe('a country that a page begins with', () => {
  it('is chosen, and can be changed', async () => {
    const element = await show({}, { 'data-country': 'SN' })
    const select = within<HTMLSelectElement>(element, '#country')
    expect(select.value).to.equal('SN')
    select.value = 'KE'
    select.dispatchEvent(new Event('change', { bubbles: true }))
    await element.updateComplete
    expect(within(element, '.money span').textContent).to.equal('KES')
  })

  it('is not asked when the shop has fixed it', async () => {
    const element = await show({}, { country: 'SN' })
    expect(within(element, '#country')).to.equal(null)
  })
})

describe('the quick amounts', () => {
  const shown = async (attributes: Record<string, string>): Promise<readonly HTMLButtonElement[]> => {
    const element = await show({}, { country: 'KE', ...attributes })
    await waitUntil(() => within(element, '.test'), '', slow)
    return [...element.shadowRoot!.querySelectorAll<HTMLButtonElement>('.chips button')]
  }
  const amounts = (buttons: readonly HTMLButtonElement[]): readonly string[] =>
    buttons.map((button) => button.textContent.trim())

  it('are those of the companion that the page allows too', async () => {
    const all = amounts(await shown({}))
    expect(all.length).to.be.greaterThan(2)
    const limit = (index: number): string => all[index]!.replace(/\D/g, '')
    expect(amounts(await shown({ 'min-amount': limit(1) }))).to.deep.equal(all.slice(1))
    expect(amounts(await shown({ 'max-amount': limit(1) }))).to.deep.equal(all.slice(0, 2))
  })

  it('cannot be pressed in a card that is switched off', async () => {
    expect((await shown({})).map(({ disabled }) => disabled)).not.to.include(true)
    expect((await shown({ disabled: '' })).map(({ disabled }) => disabled)).not.to.include(false)
  })
})

describe('a deposit named by the page', () => {
  const doors: Doors = { 'GET /v1/deposits/dep_1': () => view() }

  it('is shown when this browser holds its token', async () => {
    localStorage.setItem('hc-checkout:https://pay.example', JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show(doors, { deposit: 'dep_1' })
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
  })

  it('is shown when the session knows it, in any browser', async () => {
    const session = { amount: 2500, currency: 'KES', orderId: '7', description: 'Lamp', payer: {}, expiresAt: '' }
    const deposit = { id: 'dep_1', token: 'tok_1', createdAt: '' }
    const element = await show(
      { ...doors, 'GET /v1/session': () => ({ ...session, deposit }) },
      { deposit: 'dep_1', session: 'ses_1' },
    )
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
  })

  it('that this browser may not see is no other payment and no form to pay a second time', async () => {
    localStorage.setItem('hc-checkout:https://pay.example', JSON.stringify({ id: 'dep_9', token: 'tok_9' }))
    const told = new Promise<Event>((resolve) => addEventListener('hc-error', resolve, { once: true }))
    const element = await show(doors, { deposit: 'dep_1' })
    expect(((await told) as Event & { code: string }).code).to.equal('deposit_unknown')
    await waitUntil(() => within(element, '[role=alert]'), '', slow)
    expect(text(element)).to.contain('no longer valid')
    expect(within(element, 'form')).to.equal(null)
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
  })
})

describe('a deposit named by a page that knows no order, such as a page of thanks', () => {
  const root = 'hc-checkout:https://pay.example'
  const keep = (name: string, id: string): void =>
    localStorage.setItem(name, JSON.stringify({ id, token: `tok_${id}` }))
  const token = (): string | null | undefined =>
    network!.asked.find(({ door }) => door === 'GET /v1/deposits/dep_1')?.headers.get('authorization')
  const unknown = (): Promise<Event & { code: string }> =>
    new Promise((resolve) => addEventListener('hc-error', (event) => resolve(event as never), { once: true }))

  it('is found under whichever client-reference or session it was paid, and ends and is forgotten there', async () => {
    keep(root, 'dep_9')
    keep(`${root}:cart-1`, 'dep_1')
    const paid = view({ status: 'SUCCESS', phase: 'succeeded', version: 4 })
    const element = await show({ 'GET /v1/deposits/dep_1': () => paid }, { deposit: 'dep_1' })
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
    expect(token()).to.equal('Bearer tok_dep_1')
    expect(localStorage.getItem(`${root}:cart-1`)).to.contain('eraseAt')
    expect(localStorage.getItem(root)).not.to.contain('eraseAt')
    element.reset()
    expect(localStorage.getItem(`${root}:cart-1`)).to.equal(null)
    expect(localStorage.getItem(root)).to.contain('dep_9')
  })

  it('is found also when only the method names it, and goes on when the page moves the element', async () => {
    keep(`${root}:cart-1`, 'dep_1')
    let phase: 'open' | 'confirming' = 'open'
    const element = await show({ 'GET /v1/deposits/dep_1': () => view({ phase, version: phase === 'open' ? 2 : 3 }) })
    element.resume('dep_1')
    await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
    const parent = element.parentElement!
    element.remove()
    phase = 'confirming'
    parent.append(element)
    await waitUntil(() => !within(element, '[part~=open-link]') && within(element, '[part~=waiting]'), '', slow)
  })

  it('leaves its place to its own order: what is paid next on that page is kept as that page’s', async () => {
    keep(`${root}:cart-1`, 'dep_1')
    window.open = () => null
    const element = await show(
      {
        'GET /v1/deposits/dep_1': () => view(),
        'GET /v1/deposits/dep_2': () => view({ id: 'dep_2' }),
        'POST /v1/deposits': () => created({ id: 'dep_2' }),
      },
      { deposit: 'dep_1', presentation: 'tab' },
    )
    await waitUntil(() => within(element, 'details button'), '', slow)
    within(element, 'details button').click()
    await waitUntil(() => within(element, 'form'), '', slow)
    type(element, 'amount', '2500')
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => (localStorage.getItem(root) || '').includes('dep_2'), '', slow)
    expect(localStorage.getItem(`${root}:cart-1`)).to.contain('dep_1')
  })

  it('is not looked for among the payments of another companion', async () => {
    keep('hc-checkout:https://pay.example.org', 'dep_1')
    keep('hc-checkout:https://pay.example.org:cart-1', 'dep_1')
    const told = unknown()
    await show({ 'GET /v1/deposits/dep_1': () => view() }, { deposit: 'dep_1' })
    expect((await told).code).to.equal('deposit_unknown')
    expect(token()).to.equal(undefined)
  })
})

describe('what this browser keeps', () => {
  const root = 'hc-checkout:https://pay.example'
  const keep = (name: string, hours?: number): void =>
    localStorage.setItem(
      name,
      JSON.stringify({
        id: 'dep_1',
        token: 'tok_1',
        ...(hours && { eraseAt: realNow() + hours * 3_600_000 }),
      }),
    )

  it('of ended payments is erased when its day is over, whichever order is opened next', async () => {
    keep(`${root}:cart-1`, -1)
    keep(root, -1)
    keep('hc-checkout:https://pay.example.org:cart-1', -1)
    keep(`${root}:cart-3`, 1)
    keep(`${root}:cart-4`)
    keep('other-shop-script', -1)
    await show({}, { 'client-reference': 'cart-2' })
    expect(Object.keys(localStorage).toSorted()).to.deep.equal([
      `${root}:cart-3`,
      `${root}:cart-4`,
      'other-shop-script',
    ])
  })

  it('says of each payment by itself which end the page was told of, and nothing of one that is forgotten', async () => {
    const told: string[] = []
    const tell = (event: Event): void => void told.push((event as SuccessEvent).deposit.id)
    const paid = (id: string) => () => view({ id, status: 'SUCCESS', phase: 'succeeded', version: 4 })
    const doors: Doors = { 'GET /v1/deposits/dep_1': paid('dep_1'), 'GET /v1/deposits/dep_2': paid('dep_2') }
    for (const [cart, id] of [
      ['cart-1', 'dep_1'],
      ['cart-2', 'dep_2'],
    ])
      localStorage.setItem(`${root}:${cart}`, JSON.stringify({ id, token: 'tok' }))
    addEventListener('hc-success', tell)
    let element!: HcCheckout
    for (const cart of ['cart-1', 'cart-2', 'cart-1']) {
      const kept = Object.fromEntries(Object.entries(localStorage))
      network?.close()
      Object.assign(localStorage, kept)
      element = await show(doors, { 'client-reference': cart })
      await waitUntil(() => within(element, '[part~=success]'), '', slow)
    }
    removeEventListener('hc-success', tell)
    expect(told).to.deep.equal(['dep_1', 'dep_2'])
    element.reset()
    expect(Object.keys(localStorage)).to.deep.equal([`${root}:cart-2`])
  })

  it('is nothing where storage is refused: the form is there, and a payment that is named is shown all the same', async () => {
    const own = Object.getOwnPropertyDescriptor(window, 'localStorage')!
    try {
      Object.defineProperty(window, 'localStorage', {
        configurable: true,
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
      const element = await show({ 'GET /v1/deposits/dep_1': () => view() }, { 'client-reference': 'cart-1' })
      await waitUntil(() => within(element, 'form'), '', slow)
      element.resume('dep_1', 'tok_1')
      await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
      element.resume('dep_2')
      await element.updateComplete
      expect(within(element, '[part~=waiting]')).not.to.equal(null)
    } finally {
      Object.defineProperty(window, 'localStorage', own)
    }
  })
})

describe('a second purchase without a session', () => {
  const paid = view({ status: 'SUCCESS', phase: 'succeeded', version: 4 })
  const doors: Doors = { 'GET /v1/deposits/dep_1': () => paid }

  it('is not shown as paid because the first one was: each client-reference is a purchase of its own', async () => {
    localStorage.setItem('hc-checkout:https://pay.example:cart-1', JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show(doors, { 'client-reference': 'cart-1', amount: '2500' })
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
    element.setAttribute('client-reference', 'cart-2')
    await waitUntil(() => within(element, 'form'), '', slow)
    const another = await show(doors, { 'client-reference': 'cart-2', amount: '9000' })
    expect(within(another, 'form')).to.not.equal(null)
    // Whoever comes back to the first finds it as it was.
    const again = await show(doors, { 'client-reference': 'cart-1' })
    await waitUntil(() => within(again, '[part~=success]'), '', slow)
  })
})

describe('an element that a page takes out, gives the next order and puts back', () => {
  const root = 'hc-checkout:https://pay.example'
  const paid = view({ status: 'SUCCESS', phase: 'succeeded', version: 4 })
  const keep = (order: string, kept: object): void => localStorage.setItem(`${root}:${order}`, JSON.stringify(kept))
  const first = { id: 'dep_1', token: 'tok_1' }

  /** An answer that comes when it is told to. */
  function later<T>(answer: () => T): { come: () => void; answer: () => Promise<T> } {
    let come = (): void => {}
    const waiting = new Promise<void>((resolve) => (come = resolve))
    return { come: () => come(), answer: () => waiting.then(answer) }
  }
  function putBack(element: HcCheckout, attributes: Record<string, string>): void {
    const parent = element.parentElement!
    element.remove()
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    parent.append(element)
  }

  it('does not show the last one as paid', async () => {
    keep('cart-1', first)
    const element = await show({ 'GET /v1/deposits/dep_1': () => paid }, { 'client-reference': 'cart-1' })
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
    putBack(element, { 'client-reference': 'cart-2' })
    await waitUntil(() => within(element, 'form'), '', slow)
    await aTimeout(50)
    expect(within(element, '[part~=success]')).to.equal(null)
    putBack(element, { 'client-reference': 'cart-1' })
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
  })

  it('shows the next session’s amount, and not the last one’s', async () => {
    const session = { amount: 2500, currency: 'KES', orderId: '7', description: 'Lamp', payer: {}, expiresAt: '' }
    const element = await show(
      {
        'GET /v1/session': ({ headers }) =>
          new Headers(headers).get('authorization') === 'Bearer ses_1'
            ? session
            : { ...session, description: 'Boots', amount: 900 },
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => text(element).includes('Lamp'), '', slow)
    putBack(element, { session: 'ses_2' })
    await element.updateComplete
    expect(text(element)).not.to.contain('Lamp')
    await waitUntil(() => text(element).includes('Boots'), '', slow)
    expect(text(element)).to.contain('900')
  })

  it('does not keep an answer that was on its way as the next one’s payment', async () => {
    keep('cart-1', { key: 'k'.repeat(48), createdAt: new Date().toISOString() })
    const { come, answer } = later(() => created())
    const element = await show(
      { 'GET /v1/attempt': answer, 'GET /v1/deposits/dep_1': () => view() },
      { 'client-reference': 'cart-1' },
    )
    await waitUntil(() => network!.asked.some(({ door }) => door === 'GET /v1/attempt'), '', slow)
    putBack(element, { 'client-reference': 'cart-2' })
    await element.updateComplete
    come()
    await aTimeout(50)
    expect(localStorage.getItem(`${root}:cart-2`)).to.equal(null)
    expect(localStorage.getItem(`${root}:cart-1`)).to.contain('kkk')
    expect(within(element, 'form')).not.to.equal(null)
  })

  it('does not show what "Check now" was answered about the last one', async () => {
    keep('cart-1', first)
    const { come, answer } = later(() => paid)
    const element = await show(
      { 'GET /v1/deposits/dep_1': () => view(), 'POST /v1/deposits/dep_1/check': answer },
      { 'client-reference': 'cart-1' },
    )
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    const checked = element.check()
    putBack(element, { 'client-reference': 'cart-2' })
    await element.updateComplete
    come()
    await checked
    await element.updateComplete
    expect(within(element, 'form')).not.to.equal(null)
  })

  it('keeps the next one’s payment when the companion says late that it does not know the last one', async () => {
    keep('cart-1', first)
    keep('cart-2', { id: 'dep_2', token: 'tok_2' })
    const { come, answer } = later(() => problem(404, 'not_found'))
    const element = await show(
      { 'GET /v1/deposits/dep_1': answer, 'GET /v1/deposits/dep_2': () => view({ id: 'dep_2' }) },
      { 'client-reference': 'cart-1' },
    )
    await waitUntil(() => network!.asked.some(({ door }) => door === 'GET /v1/deposits/dep_1'), '', slow)
    putBack(element, { 'client-reference': 'cart-2' })
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    come()
    await aTimeout(50)
    expect(within(element, '[part~=waiting]')).not.to.equal(null)
    expect(localStorage.getItem(`${root}:cart-2`)).to.contain('dep_2')
  })

  it('goes on with the same one where it was, and asks for nothing twice', async () => {
    keep('cart-1', first)
    let phase: 'open' | 'confirming' = 'open'
    const element = await show(
      { 'GET /v1/deposits/dep_1': () => view({ phase, version: phase === 'open' ? 2 : 3 }) },
      { 'client-reference': 'cart-1' },
    )
    await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
    // On a busy machine the first requests of elements of the tests before may come now too.
    await nextFrame()
    await aTimeout(0)
    const markets = () => network!.asked.filter(({ door }) => door === 'GET /v1/markets').length
    const before = markets()
    expect(before).to.be.greaterThan(0)
    phase = 'confirming'
    putBack(element, {})
    await waitUntil(() => !within(element, '[part~=open-link]'), '', slow)
    expect(within(element, '[part~=waiting]')).not.to.equal(null)
    expect(markets()).to.equal(before)
  })
})

describe('a session that has not come yet', () => {
  const session = {
    amount: 2500,
    currency: 'KES',
    country: 'KE',
    orderId: '7',
    description: 'Lamp',
    payer: {},
    expiresAt: '',
  }
  const pay = (element: HcCheckout): HTMLElement => within(element, '[part~=pay-button]')
  const sessions = (): number => network!.asked.filter(({ door }) => door === 'GET /v1/session').length
  const creates = (): number => network!.asked.filter(({ door }) => door === 'POST /v1/deposits').length

  it('does not swallow the press on Pay: the payment begins when it has come, once', async () => {
    let come = (): void => {}
    const waiting = new Promise<void>((resolve) => (come = resolve))
    window.open = () => null
    const element = await show(
      {
        'GET /v1/session': () => waiting.then(() => session),
        'POST /v1/deposits': () => created(),
        'GET /v1/deposits/dep_1': () => view(),
      },
      { session: 'ses_1', presentation: 'tab' },
    )
    type(element, 'name', 'Amina Otieno')
    type(element, 'phone', '0712345678')
    for (let presses = 0; presses < 3; presses += 1) pay(element).click()
    await element.updateComplete
    expect(pay(element).textContent).to.contain('Preparing your payment…')
    expect(said(element)).to.contain('Preparing your payment…')
    await waitUntil(() => sessions() > 0, '', slow)
    pay(element).click()
    come()
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    await aTimeout(50)
    expect(creates()).to.equal(1)
    expect(sessions()).to.equal(1)
  })

  it('makes one payment also in a browser that goes on with other work while it opens a tab', async () => {
    const element = await show(
      {
        'GET /v1/session': () => session,
        'POST /v1/deposits': () => created(),
        'GET /v1/deposits/dep_1': () => view(),
      },
      { session: 'ses_1', presentation: 'tab' },
    )
    await waitUntil(() => text(element).includes('Lamp'), '', slow)
    let tabs = 0
    window.open = () => {
      tabs += 1
      if (tabs < 3) pay(element).click()
      return null
    }
    type(element, 'name', 'Amina Otieno')
    pay(element).click()
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(tabs).to.equal(1)
    expect(creates()).to.equal(1)
  })

  const portal = async (): Promise<Response> => new Response('<h1>Welcome to our Wi-Fi</h1>')
  const noNetwork = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'))
  const gateway = async (): Promise<Response> => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
  const busy = async (): Promise<Response> =>
    new Response('{"type":"/problems/rate_limited","code":"rate_limited","detail":"","retryAfter":1}', { status: 429 })
  const obstacles: Record<string, [instead: () => Promise<Response>, said: string]> = {
    'for want of a network': [noNetwork, 'No connection'],
    'in a captive portal': [portal, 'No connection'],
    'while the companion is restarted behind a gateway': [gateway, 'No connection'],
    'while too many others ask': [busy, 'Many people are paying right now'],
  }
  for (const [what, [instead, said]] of Object.entries(obstacles))
    it(`and that cannot be asked for ${what} is said, with all that was typed kept, and the press forgotten`, async () => {
      let cut = true
      const element = await show(
        {
          'GET /v1/session': () => (cut ? instead() : session),
          'POST /v1/deposits': () => created(),
          'GET /v1/deposits/dep_1': () => view(),
        },
        { session: 'ses_1', presentation: 'tab' },
      )
      window.open = () => null
      type(element, 'name', 'Amina Otieno')
      element.style.marginBottom = '3000px'
      scrollTo(0, 3000)
      pay(element).click()
      await waitUntil(() => within(element, '[role=alert]'), '', slow)
      expect(within(element, '[role=alert]').textContent).to.contain(said)
      // Far from the button that was pressed, and seen all the same.
      await waitUntil(() => within(element, '[role=alert]').getBoundingClientRect().top >= 0, '', slow)
      expect(within<HTMLInputElement>(element, '#name').value).to.equal('Amina Otieno')
      expect(pay(element).textContent).not.to.contain('Preparing')
      cut = false
      // Asked for again without a press: then the amount is shown, and nothing is paid.
      await waitUntil(() => text(element).includes('Lamp'), '', slow)
      expect(text(element)).not.to.contain(said)
      expect(creates()).to.equal(0)
      pay(element).click()
      await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
      expect(creates()).to.equal(1)
    })

  it('and that is refused for the moment is told once, however often it is asked for again', async () => {
    const told: string[] = []
    const tell = (event: Event): void => void told.push((event as ErrorEvent).code)
    addEventListener('hc-error', tell)
    await show({ 'GET /v1/session': busy }, { session: 'ses_1' })
    await waitUntil(() => network!.asked.filter(({ door }) => door === 'GET /v1/session').length > 2, '', slow)
    removeEventListener('hc-error', tell)
    expect(told).to.deep.equal(['rate_limited'])
  })

  it('has its country asked only when it fixes none, and no field goes away again', async () => {
    const never = (): Promise<never> => new Promise(() => {})
    const element = await show(
      { 'GET /v1/markets': never, 'GET /v1/session': never },
      { session: 'ses_1', currency: 'XOF' },
    )
    await waitUntil(() => network!.asked.some(({ door }) => door === 'GET /v1/session'), '', slow)
    await element.updateComplete
    expect(Boolean(within(element, '#name'))).to.equal(true)
    expect(Boolean(within(element, '#country'))).to.equal(false)
    const other = await show(
      { 'GET /v1/markets': never, 'GET /v1/session': () => ({ ...session, currency: 'XOF', country: undefined }) },
      { session: 'ses_2' },
    )
    await waitUntil(() => within(other, '#country'), '', slow)
  })

  it('is not taken for another one that the page has named meanwhile', async () => {
    let come = (): void => {}
    const waiting = new Promise<void>((resolve) => (come = resolve))
    let asks = 0
    const element = await show(
      {
        'GET /v1/session': () =>
          (asks += 1) === 1 ? waiting.then(() => session) : { ...session, description: 'Boots', amount: 900 },
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => asks === 1, '', slow)
    element.session = 'ses_2'
    await waitUntil(() => text(element).includes('Boots'), '', slow)
    come()
    await aTimeout(50)
    expect(text(element)).to.contain('Boots')
    expect(text(element)).to.contain('900')
  })
})

describe('a session that is over', () => {
  it('is no form to fill in for nothing: the reason alone, until the page names another', async () => {
    let over = true
    const element = await show(
      {
        'GET /v1/session': () =>
          over
            ? problem(404, 'session_invalid')
            : { amount: 900, currency: 'KES', orderId: '8', description: 'Boots', payer: {}, expiresAt: '' },
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => text(element).includes('This payment link is no longer valid.'), '', slow)
    expect(Boolean(within(element, 'form'))).to.equal(false)
    over = false
    element.session = 'ses_2'
    await waitUntil(() => text(element).includes('Boots'), '', slow)
    expect(Boolean(within(element, '[part~=pay-button]'))).to.equal(true)
    expect(text(element)).not.to.contain('no longer valid')
  })

  it('as the companion says when Pay is pressed, is the same', async () => {
    const element = await show(
      {
        'GET /v1/session': () => ({
          amount: 900,
          currency: 'KES',
          orderId: '8',
          description: 'Boots',
          payer: {},
          expiresAt: '',
        }),
        'POST /v1/deposits': () => problem(410, 'session_expired'),
      },
      { session: 'ses_1', presentation: 'tab' },
    )
    window.open = () => null
    await waitUntil(() => text(element).includes('Boots'), '', slow)
    type(element, 'name', 'Amina Otieno')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => text(element).includes('This payment link is no longer valid.'), '', slow)
    expect(Boolean(within(element, 'form'))).to.equal(false)
  })
})

describe('before all words have come', () => {
  it('a fault at a field is said all the same', async () => {
    const element = await show()
    within(element, '[part~=pay-button]').click()
    await element.updateComplete
    expect(within(element, '#name-note').textContent.trim()).not.to.equal('')
    expect(within(element, '#name').getAttribute('aria-invalid')).to.equal('true')
  })

  it('a refusal is said once, in its true words', async () => {
    window.open = () => null
    const element = await show({ 'POST /v1/deposits': () => problem(409, 'session_paid') }, { presentation: 'tab' })
    const alerts = new Set<string>()
    const seen = new MutationObserver(() => {
      const alert = within(element, '[role=alert]')
      if (alert) alerts.add(alert.textContent)
    })
    seen.observe(element.shadowRoot!, { childList: true, subtree: true, characterData: true })
    type(element, 'amount', '2500')
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, '[role=alert]'), '', slow)
    await aTimeout(50)
    seen.disconnect()
    expect([...alerts]).to.deep.equal(['This order is already paid. There is nothing more to do.'])
  })
})

describe('a payment page', () => {
  it('that was not opened from here is not said to be open', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view() })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
    expect(text(element)).not.to.contain('has opened')
    expect(within(element, '[part~=open-link]').textContent.trim()).to.equal('Open the payment page')
    within(element, '[part~=open-link]').addEventListener('click', (event) => event.preventDefault())
    within(element, '[part~=open-link]').click()
    await element.updateComplete
    expect(text(element)).to.contain('Pay on the page that opened')
    expect(within(element, '[part~=open-link]').textContent.trim()).to.equal('Open the payment page again')
  })
})

describe('the language of the page', () => {
  it('may change while a payment waits: every word follows', async () => {
    const element = await show(
      { 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() },
      { presentation: 'tab', country: 'KE' },
    )
    window.open = () => null
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    type(element, 'amount', '2500')
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(text(element)).to.contain('Check now')
    element.locale = 'fr'
    await waitUntil(() => text(element).includes('Vérifier maintenant'), '', slow)
    expect(text(element)).not.to.contain('Check now')
    expect(text(element)).not.to.contain('I have not sent money')
    expect(text(element)).to.contain('Référence')
  })
})

describe('a phone number', () => {
  it('is remarked on after the click that the field was left by, for the button would move away under it', async () => {
    const element = await show({}, { country: 'KE' })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    // The offer is there: nothing else draws the form meanwhile.
    const { _offer: offer } = element
    await waitUntil(() => within(element, '.test') && Array.isArray(offer.banks), '', slow)
    const later: (() => void)[] = []
    window.setTimeout = ((work: () => void, ms = 0) =>
      ms === CLICK_MS ? later.push(work) : realTimeout(work, ms)) as never
    const input = within(element, '#phone') as unknown as HTMLInputElement
    input.focus()
    type(element, 'phone', '0712 34')
    await element.updateComplete
    later.length = 0
    input.blur()
    input.dispatchEvent(new Event('change'))
    await element.updateComplete
    expect(within(element, '#phone-note').textContent.trim()).to.equal('')
    expect(later).to.have.lengthOf(1)
    later[0]!()
    await waitUntil(() => within(element, '#phone-note').textContent.includes('looks unusual'), '', slow)
  })

  it('that looks odd is remarked on when the field is left, and stops nobody', async () => {
    window.open = () => null
    const element = await show(
      { 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() },
      { presentation: 'tab', country: 'KE' },
    )
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    type(element, 'phone', '0712 34')
    await element.updateComplete
    expect(within(element, '#phone-note').textContent).to.contain('looks unusual')
    // A screen reader is elsewhere by then, and reads no description of a field that it has left.
    expect(within(element, '.sr[role=status]').textContent).to.contain('looks unusual')
    expect(within(element, '#phone').getAttribute('aria-invalid')).to.equal('false')
    type(element, 'phone', '0712 345 678')
    await element.updateComplete
    expect(within(element, '#phone-note').textContent.trim()).to.equal('')
    expect(within(element, '.sr[role=status]').textContent.trim()).to.equal('')
    type(element, 'phone', '0712 34')
    type(element, 'amount', '2500')
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => network!.asked.some(({ door }) => door === 'POST /v1/deposits'), '', slow)
    const { body } = network!.asked.find(({ door }) => door === 'POST /v1/deposits')!
    expect((body as { payer: { phone: string } }).payer.phone).to.equal('+25471234')
  })

  it('without a digit is remarked on, and no number is made of it', async () => {
    window.open = () => null
    const element = await show(
      { 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() },
      { presentation: 'tab', country: 'KE', amount: '2500', 'payer-name': 'Achieng', 'bank-choice': 'hidden' },
    )
    type(element, 'phone', 'none')
    await waitUntil(() => within(element, '#phone-note').textContent.includes('looks unusual'), '', slow)
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => network!.asked.some(({ door }) => door === 'POST /v1/deposits'), '', slow)
    const { body } = network!.asked.find(({ door }) => door === 'POST /v1/deposits')!
    expect((body as { payer: unknown }).payer).to.deep.equal({ name: 'Achieng' })
  })
})

describe('the time to choose an agent', () => {
  it('is told to a screen reader at first, five minutes and two minutes before its end, and not between, in its language', async () => {
    const start = realNow()
    let minutes = 0
    Date.now = () => start + minutes * 60_000
    const expiresAt = new Date(start + 15 * 60_000).toISOString()
    const element = await show({ 'GET /v1/deposits/dep_1': () => view({ expiresAt }) }, { locale: 'sw' })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => said(element).includes('Chagua wakala'), '', slow)
    const told: string[] = []
    for (; minutes < 15; minutes += 0.25) {
      element.requestUpdate()
      // Each turn is another moment of the moved clock.
      await element.updateComplete
      if (told.at(-1) !== said(element)) told.push(said(element))
    }
    expect(told.length).to.equal(3)
    expect(told[1]).to.contain('(dakika 5)')
    expect(told[2]).to.contain('(dakika 2)')
  })

  it('is told without minutes on a phone whose clock is hours ahead', async () => {
    const expiresAt = new Date(realNow() - 3 * 3_600_000).toISOString()
    const element = await show({ 'GET /v1/deposits/dep_1': () => view({ expiresAt }) })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => said(element).includes('Choose an agent before'), '', slow)
    expect(said(element)).not.to.contain('min)')
  })
})

describe('"I have not sent money"', () => {
  it('has to be said twice before there is a form again, and names the payment that it replaces', async () => {
    window.open = () => null
    const element = await show(
      { 'GET /v1/deposits/dep_1': () => view(), 'POST /v1/deposits': () => created({ id: 'dep_2' }) },
      { presentation: 'tab' },
    )
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, 'summary'), '', slow)
    within(element, 'summary').click()
    await element.updateComplete
    expect(within(element, 'form')).to.equal(null)
    expect(text(element)).to.contain('only if no money has left your account')
    const opened = oneEvent(element, 'hc-deposit-created')
    within(element, 'details button').click()
    await waitUntil(() => within(element, 'form'), '', slow)
    type(element, 'amount', '2500')
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    await opened
    const { body } = network!.asked.find(({ door }) => door === 'POST /v1/deposits')!
    expect(body).to.deep.include({ replaces: 'dep_1' })
  })
})
