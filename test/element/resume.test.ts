// Which payment an element shows: one that the page names, one that this browser has stored, that
// of the next order.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { aTimeout, expect, nextFrame, waitUntil } from '@open-wc/testing'
import type { HcCheckout, SuccessEvent } from 'hc-checkout'
import { created, lamp, later, problem, slow, view } from './companion.ts'
import type { Doors } from './companion.ts'
import { asked, show, text, type, within } from './shown.ts'

const root = 'hc-checkout:https://pay.example'

describe('a deposit named by the page', () => {
  const doors: Doors = { 'GET /v1/deposits/dep_1': () => view() }

  it('is shown when this browser holds its token', async () => {
    localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show(doors, { deposit: 'dep_1' })
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
  })

  it('is shown on a page that writes the companion with a slash at its end, which begins none of its own', async () => {
    localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show(doors, { companion: 'https://pay.example/' })
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    element.companion = 'https://pay.example'
    await element.updateComplete
    expect(within(element, '[part~=waiting]')).not.to.equal(null)
  })

  it('is shown when the session knows it, in any browser', async () => {
    const deposit = { id: 'dep_1', token: 'tok_1', createdAt: '' }
    const element = await show(
      { ...doors, 'GET /v1/session': () => ({ ...lamp, deposit }) },
      { deposit: 'dep_1', session: 'ses_1' },
    )
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
  })

  it('that this browser may not see is no other payment and no form to pay a second time', async () => {
    localStorage.setItem(root, JSON.stringify({ id: 'dep_9', token: 'tok_9' }))
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

describe('a token of the page that opens nothing', () => {
  /** All that the page is told of what is done, and one that it would be told too much. */
  const codes = async (work: () => void): Promise<string[]> => {
    const told: string[] = []
    const tell = (event: Event): void => void told.push((event as Event & { code: string }).code)
    addEventListener('hc-error', tell)
    try {
      work()
      await waitUntil(() => told.length > 0, '', slow)
      await aTimeout(50)
    } finally {
      removeEventListener('hc-error', tell)
    }
    return told
  }

  it('is told to the page, and the form is there', async () => {
    const element = await show()
    const told = await codes(() => element.resume('dep_1', 'tok_x'))
    expect(asked('GET /v1/deposits/dep_1').length).to.be.greaterThan(0)
    expect(told).to.deep.equal(['deposit_unknown'])
    expect(within(element, 'form')).not.to.equal(null)
    expect(localStorage.getItem(root)).to.equal(null)
  })

  it('is told to the page over a payment that is shown, and leaves that on the screen', async () => {
    localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show({ 'GET /v1/deposits/dep_1': () => view() })
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    const told = await codes(() => element.resume('dep_2', 'tok_x'))
    // The payment on the screen is followed on.
    await waitUntil(() => asked('GET /v1/deposits/dep_1').length > 1, '', slow)
    expect(told).to.deep.equal(['deposit_unknown'])
    expect(within(element, '[part~=waiting]')).not.to.equal(null)
    expect(within(element, '[role=alert]')).to.equal(null)
  })

  it('is told to the page also where it is none that a header can carry', async () => {
    const element = await show()
    const told = await codes(() => element.resume('dep_1', 'tok\u200b_\u0142\n'))
    expect(asked('GET /v1/deposits/dep_1').length).to.be.greaterThan(0)
    expect(told).to.deep.equal(['deposit_unknown'])
    expect(within(element, 'form')).not.to.equal(null)
  })
})

it('a payment that is named before the first render is asked for at its companion alone, once', async () => {
  // Our code is here by then, as on the second visit to a page of a shop that does not reload.
  const before = await show()
  await waitUntil(() => within(before, '[role=combobox]'), '', slow)
  before.remove()
  const element = document.createElement('hc-checkout')
  element.companion = 'https://pay.example'
  const { fetch } = window
  const elsewhere: string[] = []
  window.fetch = (input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : input, location.href)
    if (href.startsWith(`${location.origin}/v1/`)) elsewhere.push(href)
    return fetch(input, init)
  }
  document.body.append(element)
  element.resume('dep_1', 'tok_1')
  await waitUntil(() => asked('GET /v1/deposits/dep_1').length > 0, '', slow)
  await element.updateComplete
  expect(elsewhere).to.deep.equal([])
  expect(asked('GET /v1/deposits/dep_1').length).to.equal(1)
  element.remove()
  window.fetch = fetch
})

describe('a deposit named by a page that knows no order, such as a page of thanks', () => {
  const keep = (name: string, id: string): void =>
    localStorage.setItem(name, JSON.stringify({ id, token: `tok_${id}` }))
  const token = (): string | null | undefined => asked('GET /v1/deposits/dep_1')[0]?.headers.get('authorization')
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
    const element = await show(
      {
        'GET /v1/deposits/dep_1': () => view(),
        'GET /v1/deposits/dep_2': () => view({ id: 'dep_2' }),
        'POST /v1/deposits': () => created({ id: 'dep_2' }),
      },
      { deposit: 'dep_1' },
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
  const keep = (name: string, hours?: number): void =>
    localStorage.setItem(
      name,
      JSON.stringify({
        id: 'dep_1',
        token: 'tok_1',
        ...(hours && { eraseAt: Date.now() + hours * 3_600_000 }),
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
    localStorage.setItem(`${root}:cart-1`, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
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
  const paid = view({ status: 'SUCCESS', phase: 'succeeded', version: 4 })
  const keep = (order: string, kept: object): void => localStorage.setItem(`${root}:${order}`, JSON.stringify(kept))
  const first = { id: 'dep_1', token: 'tok_1' }

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
    const element = await show(
      {
        'GET /v1/session': ({ headers }) =>
          new Headers(headers).get('authorization') === 'Bearer ses_1'
            ? lamp
            : { ...lamp, description: 'Boots', amount: 900 },
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
    await waitUntil(() => asked('GET /v1/attempt').length > 0, '', slow)
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
    const { come, answer } = later(() => problem(401, 'bearer_wrong'))
    const element = await show(
      { 'GET /v1/deposits/dep_1': answer, 'GET /v1/deposits/dep_2': () => view({ id: 'dep_2' }) },
      { 'client-reference': 'cart-1' },
    )
    await waitUntil(() => asked('GET /v1/deposits/dep_1').length > 0, '', slow)
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
    const markets = () => asked('GET /v1/markets').length
    const before = markets()
    expect(before).to.be.greaterThan(0)
    phase = 'confirming'
    putBack(element, {})
    await waitUntil(() => !within(element, '[part~=open-link]'), '', slow)
    expect(within(element, '[part~=waiting]')).not.to.equal(null)
    expect(markets()).to.equal(before)
  })
})

describe('an element that the page has taken out', () => {
  it('watches nothing when its request is answered only then, and goes on once it is back', async () => {
    localStorage.setItem(root, JSON.stringify({ key: 'k'.repeat(48), createdAt: new Date().toISOString() }))
    const { come, answer } = later(() => created())
    const element = await show({ 'GET /v1/attempt': answer, 'GET /v1/deposits/dep_1': () => view() })
    await waitUntil(() => asked('GET /v1/attempt').length > 0, '', slow)
    const parent = element.parentElement!
    element.remove()
    come()
    // The answer is kept, for whoever comes next.
    await waitUntil(() => (localStorage.getItem(root) || '').includes('tok_1'), '', slow)
    await aTimeout(50)
    expect(asked('GET /v1/deposits/dep_1').length).to.equal(0)
    parent.append(element)
    await waitUntil(() => asked('GET /v1/deposits/dep_1/events').length === 1, '', slow)
    expect(within(element, '[part~=waiting]')).not.to.equal(null)
  })
})
