// <hc-checkout> in a browser, as a customer sees it: the content of each step, and its
// accessibility.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { aTimeout, expect, fixture, html, oneEvent, waitUntil } from '@open-wc/testing'
import 'hc-checkout/define'
import type { HcCheckout } from 'hc-checkout'
import type { DepositView } from '../../server/contract/index.ts'
import { companion, created, lamp, problem, view, slow } from './companion.ts'
import type { Doors } from './companion.ts'
import { text, type, within } from './shown.ts'

let network: ReturnType<typeof companion>
const opened: { url: string; closed: boolean; opener: unknown }[] = []
const realOpen = window.open

function tabs(): void {
  window.open = (() => {
    const tab = { url: '', closed: false, opener: {} as unknown }
    opened.push(tab)
    return Object.assign(tab, {
      document: document.implementation.createHTMLDocument(),
      location: { replace: (url: string) => (tab.url = url) },
      close: () => (tab.closed = true),
    })
  }) as never
}

async function show(doors: Doors = {}, attributes: Record<string, string> = {}): Promise<HcCheckout> {
  network = companion(doors)
  const element = await fixture<HcCheckout>(
    html`<hc-checkout companion="https://pay.example" locale="en"></hc-checkout>`,
  )
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  await waitUntil(
    () => within(element, '[role=combobox]') || attributes['bank-choice'] || attributes['session'],
    'the rest of the form has come',
    slow,
  )
  // The companion's answers, which come after the first drawing.
  await waitUntil(() => within(element, '.test'), 'the companion has answered', slow)
  await aTimeout(20)
  await element.updateComplete
  return element
}

async function pay(
  element: HcCheckout,
  fields: Record<string, string> = { amount: '2500', name: 'Achieng Otieno' },
): Promise<void> {
  for (const [id, value] of Object.entries(fields)) type(element, id, value)
  await element.updateComplete
  within(element, '[part~=pay-button]').click()
  await element.updateComplete
}

/** Resumes a payment that stands as given. */
async function at(over: Partial<DepositView>): Promise<HcCheckout> {
  const element = await show({ 'GET /v1/deposits/dep_1': () => view(over) })
  element.resume('dep_1', 'tok_1')
  await waitUntil(() => within(element, 'h2[tabindex]'), 'the status is shown', slow)
  await aTimeout(0)
  return element
}

beforeEach(() => {
  localStorage.clear()
  opened.length = 0
  tabs()
})
afterEach(() => {
  network.close()
  window.open = realOpen
})

/** What is asked again and again, and stored each time, is not the next test's. */
function abandon({ _checkout: checkout }: HcCheckout): void {
  checkout.reset(true)
}

/** As WCAG 2.2 reckons it, of two opaque colours. */
function contrastOf(a: string, b: string): number {
  const [lighter, darker] = [a, b].map(luminanceOf).toSorted((x, y) => y - x) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(color: string): number {
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color)
  expect(parts, color).not.to.equal(null)
  const [red, green, blue] = parts!.slice(1).map((part) => {
    const share = Number(part) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe('everybody can use it', () => {
  const steps: Record<string, Partial<DepositView>> = {
    waiting: {},
    overdue: { overdue: true },
    confirming: { phase: 'confirming' },
    'not known yet': { phase: 'unknown' },
    'in review': { phase: 'review' },
    paid: { phase: 'succeeded', status: 'SUCCESS', settledAt: '2030-01-01T11:20:00Z' },
    'paid twice': { phase: 'succeeded', status: 'SUCCESS', duplicate: true },
    failed: { phase: 'failed', status: 'FAILED', result: { code: '1032', description: 'Cancelled' } },
    expired: { phase: 'expired', status: 'FAILED' },
    rejected: { phase: 'rejected', status: 'FAILED', result: { code: 'upstream_unavailable', description: '' } },
    'paid late': { phase: 'succeeded', status: 'SUCCESS', late: true },
    abandoned: { phase: 'abandoned' },
    'not opened': { phase: 'abandoned', result: { code: 'address_lost', description: '' } },
    'paid by another': { phase: 'abandoned', result: { code: 'order_paid', description: '' } },
  }
  for (const locale of ['en', 'fr', 'sw']) {
    it(`the form in ${locale}`, async () => {
      const element = await show({}, { locale })
      await expect(element).to.be.accessible()
    })
  }
  for (const theme of ['light', 'dark']) {
    it(`the bank that Enter takes can be told from the others, ${theme}`, async () => {
      const element = await show({}, { theme })
      within(element, '#bank').focus()
      type(element, 'bank', 'ba')
      await waitUntil(() => within(element, '[role=option][aria-selected=true]'), '', slow)
      const { outlineColor, outlineStyle } = getComputedStyle(within(element, '[aria-selected=true]'))
      expect(outlineStyle).to.equal('solid')
      const ground = getComputedStyle(within(element, '[role=listbox]')).backgroundColor
      expect(contrastOf(outlineColor, ground)).to.be.at.least(3)
    })
    it(`the hint in the bank's field can be read, ${theme}`, async () => {
      const element = await show({}, { theme })
      const field = within(element, '#bank')
      const hint = getComputedStyle(field, '::placeholder')
      expect(field.getAttribute('placeholder')).not.to.equal('')
      expect(hint.opacity).to.equal('1')
      const contrast = contrastOf(hint.color, getComputedStyle(field).backgroundColor)
      expect(contrast).to.be.at.least(4.5)
    })
  }
  it('the form with faults, and with its list of banks open', async () => {
    const element = await show()
    await pay(element, { amount: '0', email: 'nobody' })
    await expect(element).to.be.accessible()
    within(element, '#bank').focus()
    type(element, 'bank', 'uba')
    await waitUntil(() => within(element, '[role=option]'), '', slow)
    await element.updateComplete
    await expect(element).to.be.accessible()
  })
  it('the form of a locked amount with its rows open, and refused', async () => {
    const doors = { 'GET /v1/session': () => lamp, 'POST /v1/deposits': () => problem(429, 'rate_limited') }
    const element = await show(doors, { session: 'ses_1' })
    for (const row of element.shadowRoot!.querySelectorAll('details')) row.open = true
    await expect(element).to.be.accessible()
    await pay(element, { name: 'Achieng Otieno' })
    await waitUntil(() => within(element, '[role=alert]'), '', slow)
    await expect(element).to.be.accessible()
  })
  it('a session that is over', async () => {
    const element = await show({ 'GET /v1/session': () => problem(410, 'session_expired') }, { session: 'ses_1' })
    await waitUntil(() => within(element, '[role=alert]'), '', slow)
    await expect(element).to.be.accessible()
  })
  it('a payment whose answer is lost', async () => {
    const lost = { 'POST /v1/deposits': () => new Response('', { status: 502 }) }
    const element = await show(lost)
    await pay(element)
    await waitUntil(() => text(element).includes('We are checking'), '', slow)
    await expect(element).to.be.accessible()
    abandon(element)
  })
  it('a create and a payment that a firewall refuses', async () => {
    const refused = (): Response => new Response('<h1>403</h1>', { status: 403 })
    const element = await show({ 'POST /v1/deposits': refused })
    await pay(element)
    await waitUntil(() => text(element).includes('refuses this request'), '', slow)
    await expect(element).to.be.accessible()
    abandon(element)
    network.close()
    const other = await show({ 'GET /v1/deposits/dep_1': refused })
    other.resume('dep_1', 'tok_1')
    await waitUntil(() => text(other).includes('Do not pay again'), '', slow)
    await expect(other).to.be.accessible()
  })
  it('a payment that is to be forgotten, one whose page was opened, and one that was checked', async () => {
    const element = await at({})
    within(element, '[part~=open-link]').addEventListener('click', (event) => event.preventDefault())
    within(element, '[part~=open-link]').click()
    await element.check()
    within<HTMLDetailsElement>(element, 'details').open = true
    await element.updateComplete
    await expect(element).to.be.accessible()
    void element.reset()
    await waitUntil(() => within(element, '[part~=question]'), '', slow)
    await expect(element).to.be.accessible()
  })
  for (const [name, over] of Object.entries(steps)) {
    it(`a payment that is ${name}`, async () => {
      const element = await at(over)
      await expect(element).to.be.accessible()
    })
  }
})

describe('paying', () => {
  it('opens a tab inside the click, cuts its opener and leads it to the payment page', async () => {
    const element = await show({ 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() })
    const told = oneEvent(element, 'hc-deposit-created')
    await pay(element)
    expect(opened.length).to.equal(1)
    expect(opened[0]!.opener).to.equal(null)
    await told
    await waitUntil(() => opened[0]!.url === 'https://hosted.example/c/1', '', slow)
    await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
    expect(within<HTMLAnchorElement>(element, '[part~=open-link]').href).to.equal('https://hosted.example/c/1')
    const { body, headers } = network.asked.find(({ door }) => door === 'POST /v1/deposits')!
    expect(body).to.deep.include({ country: 'KE', currency: 'KES', amount: 2500 })
    expect(headers.get('idempotency-key')!.length).to.be.at.least(32)
  })

  it('tells the token to nobody, and keeps no detail of the payer', async () => {
    const element = await show({ 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() })
    const told = oneEvent(element, 'hc-deposit-created')
    await pay(element)
    const event = await told
    expect(JSON.stringify((event as CustomEvent & { deposit: unknown }).deposit)).not.to.contain('tok_1')
    expect(Object.values(localStorage).join()).not.to.match(/Achieng|2500/)
  })

  it('a second click while the first is under way asks for nothing more', async () => {
    const element = await show({ 'POST /v1/deposits': () => new Promise(() => {}) })
    await pay(element)
    within(element, '[part~=pay-button]')?.click()
    await waitUntil(() => network.asked.some(({ door }) => door === 'POST /v1/deposits'), '', slow)
    await aTimeout(20)
    expect(network.asked.filter(({ door }) => door === 'POST /v1/deposits').length).to.equal(1)
    expect(opened.length).to.equal(1)
  })

  for (const [wrong, fields] of Object.entries<Record<string, string>>({
    'an amount of nothing': { amount: '0', name: 'Achieng' },
    'a negative amount': { amount: '-50', name: 'Achieng' },
    'a fraction, which nobody may read as a hundred times as much': { amount: '25.50', name: 'Achieng' },
    'an amount beyond the limits': { amount: '150001', name: 'Achieng' },
    'a name of one letter': { amount: '2500', name: 'A' },
    'half an address': { amount: '2500', name: 'Achieng', email: 'achieng@' },
    'a bank that is named but not chosen': { amount: '2500', name: 'Achieng', bank: 'kenya' },
  })) {
    it(`does not begin with ${wrong}, and says so at the field`, async () => {
      const element = await show()
      await pay(element, fields)
      await waitUntil(() => within(element, '[aria-invalid=true]'), '', slow)
      expect(network.asked.some(({ door }) => door === 'POST /v1/deposits')).to.equal(false)
      expect(opened.length).to.equal(0)
      const field = within(element, '[aria-invalid=true]')
      const note = within(element, `#${field.getAttribute('aria-describedby')}`)
      expect(note.textContent.trim()).not.to.equal('')
      await waitUntil(() => element.shadowRoot!.activeElement === field, '', slow)
    })
  }

  it('2,500 and 2 500 are the same amount', async () => {
    for (const amount of ['2,500', '2 500', '2500.00']) {
      const element = await show({ 'POST /v1/deposits': () => new Promise(() => {}) })
      await pay(element, { amount, name: 'Achieng' })
      await waitUntil(() => network.asked.some(({ door }) => door === 'POST /v1/deposits'), '', slow)
      expect(network.asked.at(-1)!.body).to.deep.include({ amount: 2500 })
      network.close()
    }
  })

  it('a refusal is said at the field that it concerns, and closes the tab', async () => {
    const element = await show({ 'POST /v1/deposits': () => problem(422, 'invalid_request', 'payer.name') })
    await pay(element)
    await waitUntil(() => within(element, '#name[aria-invalid=true]'), '', slow)
    expect(opened[0]!.closed).to.equal(true)
  })

  it('a refused phone number is said in the customer’s language, and not that one could go on with it', async () => {
    const element = await show(
      { 'POST /v1/deposits': () => problem(422, 'invalid_request', 'payer.phone') },
      { locale: 'fr' },
    )
    await pay(element)
    await waitUntil(() => within(element, '#phone[aria-invalid=true]'), '', slow)
    const note = within(element, '#phone-note').textContent
    expect(note).to.contain('Vérifiez\u2011le')
    expect(note).not.to.contain('continuer')
  })

  it('a whole name that is longer than the service takes is asked for shorter, not for whole', async () => {
    const element = await show(
      { 'POST /v1/deposits': () => problem(422, 'invalid_request', 'payer.name') },
      { locale: 'sw' },
    )
    await pay(element)
    await waitUntil(() => within(element, '#name[aria-invalid=true]'), '', slow)
    await waitUntil(() => within(element, '#name-note').textContent.includes('fupi zaidi'), '', slow)
  })

  it('and the customer stands at that field, not at the first one', async () => {
    const element = await show({ 'POST /v1/deposits': () => problem(422, 'invalid_request', 'payer.phone') })
    within<HTMLButtonElement>(element, '[type=submit]').focus()
    await pay(element)
    await waitUntil(() => within(element, '#phone[aria-invalid=true]'), '', slow)
    await element.updateComplete
    expect(element.shadowRoot!.activeElement!.id).to.equal('phone')
  })
})

describe('the bank', () => {
  it('is found with a slip and without its accent, and chosen by keyboard', async () => {
    const element = await show()
    const input = within<HTMLInputElement>(element, '#bank')
    input.focus()
    type(element, 'bank', 'equtie')
    await waitUntil(() => within(element, '[role=option]'), '', slow)
    expect(within(element, '[role=option]').textContent).to.contain('Équité Bank')
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    await element.updateComplete
    expect(element.bank).to.equal('68')
  })

  for (const [what, answer] of [
    ['that can’t be listed', () => problem(503, 'upstream_unavailable')],
    ['of a country whose list is empty', () => ({ banks: [] })],
  ] as const)
    it(`${what} stops no payment`, async () => {
      const element = await show(
        {
          'GET /v1/banks': answer,
          'POST /v1/deposits': () => created(),
          'GET /v1/deposits/dep_1': () => view(),
        },
        { 'bank-choice': 'required' },
      )
      const { _offer: offer } = element
      await waitUntil(() => offer.banks === 'failed', 'the list has failed', slow)
      await pay(element)
      await waitUntil(() => opened[0]?.url, '', slow)
    })
})

describe('the end', () => {
  it('of a paid one is told once in this browser, as resumed, and shown with its reference', async () => {
    let times = 0
    const count = () => times++
    addEventListener('hc-success', count)
    for (const _ of [1, 2]) {
      const element = await at({ phase: 'succeeded', status: 'SUCCESS' })
      expect(text(element)).to.contain('HCT0123456789ABCDEFGHJK')
      expect(within(element, '[role=status]').textContent).not.to.equal('')
    }
    removeEventListener('hc-success', count)
    expect(times).to.equal(1)
  })

  it('of a failed one offers to try again with what was typed', async () => {
    let phase: DepositView['phase'] = 'open'
    const element = await show({
      'POST /v1/deposits': () => created(),
      'GET /v1/deposits/dep_1': () => view(phase === 'open' ? {} : { phase, status: 'FAILED', version: 3 }),
    })
    await pay(element)
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    phase = 'failed'
    window.dispatchEvent(new Event('online'))
    await waitUntil(() => within(element, '[part~=again]'), '', slow)
    within(element, '[part~=again]').click()
    await waitUntil(() => within(element, '#name'), '', slow)
    expect(within<HTMLInputElement>(element, '#name').value).to.equal('Achieng Otieno')
    expect(within<HTMLInputElement>(element, '#amount').value).to.equal('2,500')
  })

  it('is not offered while money may be on its way', async () => {
    for (const over of [{ phase: 'confirming' }, { phase: 'review' }, { phase: 'unknown' }] as const) {
      const element = await at(over)
      expect(within(element, '[part~=again]'), over.phase).to.equal(null)
      expect(text(element), over.phase).not.to.contain('Pay on another phone')
      network.close()
    }
  })

  it('an address that is no web page is shown as no link', async () => {
    const element = await at({ checkoutUrl: 'javascript:alert(1)' })
    expect(within(element, 'a')).to.equal(null)
  })
})

describe('the TEST mark', () => {
  it('can’t be hidden by the page', async () => {
    const style = document.createElement('style')
    style.textContent =
      'hc-checkout{--hc-text:transparent} hc-checkout::part(card){color:transparent} hc-checkout .test{display:none!important}'
    document.head.append(style)
    const element = await show()
    element.texts = { test: ' ' }
    await waitUntil(() => within(element, '.test'), '', slow)
    await waitUntil(() => within(element, '.test').textContent.includes('no real money'), '', slow)
    const mark = getComputedStyle(within(element, '.test'))
    style.remove()
    expect(mark.display).to.equal('block')
    expect(mark.visibility + mark.opacity).to.equal('visible1')
    expect(mark.color).not.to.equal('rgba(0, 0, 0, 0)')
  })

  it('stands out no further than the margin of a bare page, whose first element it may be', async () => {
    const element = await show()
    await waitUntil(() => within(element, '.test'), '', slow)
    const top = (selector: string) => within(element, selector).getBoundingClientRect().top
    expect(Math.round(top('.card') - top('.test'))).to.be.within(0, 8)
  })
})
