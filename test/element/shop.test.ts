// Who is paid: the shop on the card in every step, in the opening tab, in the message to another
// phone, after a failure, on the receipt.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { expect, fixture, html, waitUntil } from '@open-wc/testing'
import type { HcCheckout } from 'hc-checkout'
import type { Shop } from '../../server/contract/index.ts'
import { linesOf } from '../helpers/lines-of.ts'
import { sampleMarkets } from '../helpers/sample-payment.ts'
import { created, lamp, later, problem, slow, view } from './companion.ts'
import { show, text, type, within } from './shown.ts'

const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
const nuru: Shop = {
  name: 'Nuru <b>',
  logo: picture,
  accent: '#f2b33d',
  onAccent: '#000000',
  phone: '+254 712 345 678',
  email: 'help@nuru.example',
  helpUrl: 'https://nuru.example/help',
}
const withShop = (shop: Shop = nuru) => ({ 'GET /v1/markets': () => ({ ...sampleMarkets, shop }) })
const mark = (element: HcCheckout): string => within(element, '.shop')?.textContent.trim() ?? ''
const named = async (element: HcCheckout, name = 'Nuru <b>') => waitUntil(() => mark(element) === name, '', slow)
const paid = { phase: 'succeeded', status: 'SUCCESS', settledAt: '2030-01-01T11:20:00Z' } as const
const failed = { phase: 'failed', status: 'FAILED', result: { code: '2001', description: '' } } as const

async function at(over: Parameters<typeof view>[0], shop: Shop = nuru, attributes = {}): Promise<HcCheckout> {
  const element = await show({ ...withShop(shop), 'GET /v1/deposits/dep_1': () => view(over) }, attributes)
  element.resume('dep_1', 'tok_1')
  await waitUntil(() => within(element, '[part=details]'), '', slow)
  return element
}

describe('the shop', () => {
  it('stands on the card as text, with its logo', async () => {
    const element = await show(withShop())
    await named(element)
    expect(within(element, '.shop b')).to.equal(null)
    expect(within<HTMLImageElement>(element, '.shop img').src).to.equal(picture)
    await expect(element).to.be.accessible()
  })

  it('moves nothing when it comes', async () => {
    const markets = later(() => ({ ...sampleMarkets, shop: nuru }))
    const element = await show({ 'GET /v1/markets': markets.answer })
    const top = () => within(element, 'form').getBoundingClientRect().top
    const before = top()
    markets.come()
    await named(element)
    expect(top()).to.equal(before)
  })

  it('stands below the TEST mark where it has no room beside it, in line with it and not against it', async () => {
    const element = await show(withShop({ ...nuru, name: 'Nuru Solar Lights and More' }))
    await named(element, 'Nuru Solar Lights and More')
    element.style.width = '300px'
    const [test, shop] = ['.test', '.shop'].map((place) => within(element, place).getBoundingClientRect())
    expect(shop!.left).to.equal(test!.left)
    expect(shop!.top - test!.bottom).to.equal(4)
  })

  it('is asked by whole numbers, addresses and words, on the narrowest phone too', async () => {
    const element = await at(failed, nuru, { locale: 'sw' })
    await waitUntil(() => within(element, '.support'), '', slow)
    const [phone, email, help] = within(element, '.support').querySelectorAll('a')
    // In line with the sentence, where it begins one of its own.
    element.style.width = '240px'
    expect(Math.min(...[phone!, email!, help!].map((link) => link.getBoundingClientRect().left))).to.equal(
      within(element, '.support').getBoundingClientRect().left,
    )
    for (const width of [320, 280, 240]) {
      element.style.width = `${width}px`
      expect(linesOf(phone!, '+254 712 345 678')).to.equal(1)
      expect(linesOf(email!, 'help@nuru.example')).to.equal(1)
      expect(linesOf(help!, 'Ukurasa')).to.equal(1)
    }
  })

  it('is named in each step', async () => {
    for (const over of [{}, { phase: 'confirming' }, paid, failed] as const) await named(await at(over))
  })

  it('is the session’s where that names another, and unnamed before it has come', async () => {
    const session = later(() => ({ ...lamp, shop: { name: 'Asha Crafts' } }))
    const element = await show({ ...withShop(), 'GET /v1/session': session.answer }, { session: 's' })
    await waitUntil(() => within(element, '.test'), '', slow)
    expect(mark(element)).to.equal('')
    session.come()
    await named(element, 'Asha Crafts')
  })

  it('gives way to a header of the page’s own', async () => {
    const element = await show(withShop())
    await named(element)
    const own = document.createElement('p')
    own.slot = 'header'
    element.append(own)
    await waitUntil(() => !within(element, '.shop'), '', slow)
  })

  it('is its name alone where the logo does not come', async () => {
    const element = await show(withShop({ name: 'Nuru', logo: 'data:image/png;base64,AAAA' }))
    await named(element, 'Nuru')
    await waitUntil(() => !within(element, '.shop img'), '', slow)
    expect(mark(element)).to.equal('Nuru')
  })

  it('is not there where nobody has named it', async () => {
    const element = await show()
    await waitUntil(() => within(element, '.test'), '', slow)
    expect(within(element, '.shop')).to.equal(null)
    expect(text(await at(failed, {}))).not.to.contain('Questions?')
  })

  it('gives the button its accent with black or white text, unless the page sets one', async () => {
    const color = (element: HcCheckout) => {
      const { backgroundColor, color: own } = getComputedStyle(within(element, '[part~=pay-button]'))
      return [backgroundColor, own]
    }
    const element = await show(withShop())
    await named(element)
    await element.updateComplete
    expect(color(element)).to.deep.equal(['rgb(242, 179, 61)', 'rgb(0, 0, 0)'])
    const styled = await show(withShop(), { style: '--hc-accent: #123456; --hc-on-accent: #abcdef' })
    await named(styled)
    await styled.updateComplete
    expect(color(styled)).to.deep.equal(['rgb(18, 52, 86)', 'rgb(171, 205, 239)'])
  })

  it('says after a failure where to ask it', async () => {
    const element = await at(failed)
    await named(element)
    const links = [...element.shadowRoot!.querySelectorAll<HTMLAnchorElement>('.support a')]
    expect(links.map(({ href }) => href)).to.deep.equal([
      'tel:+254712345678',
      'mailto:help@nuru.example',
      'https://nuru.example/help',
    ])
    expect(within(element, '.support').textContent).to.contain('Questions? Contact the shop: +254')
    await expect(element).to.be.accessible()
    expect(text(await at(paid))).not.to.contain('Questions?')
  })

  it('can be asked for the money of a second payment, and while a person looks at one', async () => {
    for (const over of [{ ...paid, duplicate: true }, { phase: 'review' }] as const) {
      const element = await at(over)
      await waitUntil(() => within(element, '.support'), '', slow)
      expect(within<HTMLAnchorElement>(element, '.support a').href).to.equal('tel:+254712345678')
    }
  })

  it('can be asked where a link is no longer valid, the shop takes no payments in a currency, or its page is wrong', async () => {
    const off = { ...sampleMarkets, shop: nuru, markets: sampleMarkets.markets.map((one) => ({ ...one, off: true })) }
    const doors = [
      [{ ...withShop(), 'GET /v1/session': () => problem(410, 'session_expired') }, { session: 's' }],
      [{ ...withShop(), 'GET /v1/session': () => problem(403, 'origin_not_allowed') }, { session: 's' }],
      [{ 'GET /v1/markets': () => off }, {}],
    ] as const
    for (const [answers, attributes] of doors) {
      const element = await show(answers, attributes)
      await waitUntil(() => within(element, '.support'), '', slow)
      expect(within(element, '[role=alert]').textContent).to.match(/shop/i)
      expect(within<HTMLAnchorElement>(element, '.support a').href).to.equal('tel:+254712345678')
      await expect(element).to.be.accessible()
    }
  })

  it('is not in the way of a form that can be tried again', async () => {
    const doors = { ...withShop(), 'POST /v1/deposits': () => problem(429, 'rate_limited') }
    const element = await show(doors, {
      amount: '2500',
      country: 'KE',
      'bank-choice': 'hidden',
      presentation: 'redirect',
    })
    await named(element)
    type(element, 'name', 'Achieng Otieno')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, '[role=alert]')?.textContent.includes('Wait a minute'), '', slow)
    expect(within(element, '.support')).to.equal(null)
  })

  it('is named in the tab that opens, with the amount', async () => {
    const doors = { ...withShop(), 'POST /v1/deposits': async () => new Promise(() => {}) }
    const element = await show(doors, { amount: '2500', country: 'KE', 'bank-choice': 'hidden' })
    await named(element)
    const page = document.implementation.createHTMLDocument()
    window.open = () => ({ document: page, closed: false, close() {} }) as unknown as Window
    type(element, 'name', 'Achieng Otieno')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => page.body.textContent.includes('Nuru'), '', slow)
    expect(page.querySelector('h1')!.textContent).to.match(/^Nuru <b> · \S+\s2,500$/)
    expect(page.title).to.equal('Opening the payment page…')
    expect(page.querySelector('p')!.textContent).to.equal('Opening the payment page…')
  })

  it('is awaited in that tab beside a ring that turns, in the light that the phone has', async () => {
    const doors = { ...withShop(), 'POST /v1/deposits': async () => new Promise(() => {}) }
    const element = await show(doors, { amount: '2500', country: 'KE', 'bank-choice': 'hidden' })
    await named(element)
    const frame = await fixture<HTMLIFrameElement>(html`<iframe title="the tab"></iframe>`)
    window.open = () => frame.contentWindow
    type(element, 'name', 'Achieng Otieno')
    within(element, '[part~=pay-button]').click()
    const page = frame.contentDocument!
    await waitUntil(() => page.body.textContent.includes('Nuru'), '', slow)
    const ring = page.querySelector('div')!
    const { width, height, borderRadius } = getComputedStyle(ring)
    expect([width, height, borderRadius]).to.deep.equal(['32px', '32px', '50%'])
    // It goes round once and again.
    expect(ring.getAnimations().map(({ effect }) => effect!.getTiming().iterations)).to.deep.equal([Infinity])
    expect(getComputedStyle(page.documentElement).colorScheme).to.equal('light dark')
    const order = [...page.body.children].map(({ localName }) => localName)
    expect(order).to.deep.equal(['div', 'h1', 'p'])
  })

  it('has its amount in one line of the heading of a payment that was handed over', async () => {
    const element = await at({}, { name: 'Nuru Solar Lights' }, { locale: 'rw' })
    await named(element, 'Nuru Solar Lights')
    await waitUntil(() => within(element, 'h2').textContent.includes('Nuru'), '', slow)
    for (const width of [360, 320, 300, 280]) {
      element.style.width = `${width - 32}px`
      expect(linesOf(within(element, 'h2'), 'KSh 2,500')).to.equal(1)
    }
  })

  it('is named in the message to another phone, with what is paid for', async () => {
    const element = await at({})
    await named(element)
    within(element, 'button[value=share]').click()
    await waitUntil(() => within(element, '.sheet'), '', slow)
    const sheet = within(element, '.sheet').shadowRoot!
    const link = sheet.querySelector<HTMLAnchorElement>('a[href^="https://wa.me/"]')!
    expect(new URL(link.href).searchParams.get('text')).to.match(
      /^Please pay \S+\s2,500 to Nuru <b> \(Order 7\): https:\/\/pay\.example\/pay\/abc$/,
    )
  })
})

describe('the receipt', () => {
  async function receipt(element: HcCheckout): Promise<ShadowRoot> {
    within(element, 'button[value=receipt]').click()
    await waitUntil(() => within(element, '.sheet'), '', slow)
    return within(element, '.sheet').shadowRoot!
  }

  it('bears the shop, its logo and contacts, and the reference as code and in groups', async () => {
    const element = await at(paid)
    await named(element)
    const root = await receipt(element)
    expect(root.querySelector('.paper .payee')!.textContent.replace(/\s+/g, ' ')).to.contain('Paid to Nuru <b>')
    expect(root.querySelector<HTMLImageElement>('.paper img')!.src).to.equal(picture)
    expect(root.querySelector('.paper .qr')!.getAttribute('aria-label')).to.contain('reference of this payment')
    const groups = [...root.querySelectorAll('.code span')].map((group) => group.textContent)
    expect(groups).to.deep.equal(['HCT0', '1234', '5678', '9ABC', 'DEFG', 'HJK'])
    expect(root.querySelector('.paper')!.textContent).to.contain(
      '+254\u00a0712\u00a0345\u00a0678\u00a0· help@nuru.example',
    )
  })

  it('copies the reference alone', async () => {
    const root = await receipt(await at(paid))
    let copied = ''
    const { clipboard } = navigator
    const writeText = (all: string) => ((copied = all), Promise.resolve())
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
    try {
      root.querySelector<HTMLElement>('.paper button')!.click()
      await waitUntil(() => root.querySelector('.said')!.textContent === 'Copied', '', slow)
    } finally {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })
    }
    expect(copied).to.equal('HCT0123456789ABCDEFGHJK')
  })

  it('bears the payer’s whole name while it is remembered, and the named operator', async () => {
    const doors = {
      ...withShop(),
      'POST /v1/deposits': () => created({ payer: { name: 'A••• O•••' } }),
      'GET /v1/deposits/dep_1': () => view(paid),
    }
    const element = await show(doors, { amount: '2500', country: 'KE', 'bank-choice': 'hidden' })
    await named(element)
    type(element, 'name', 'Achieng Otieno')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, 'button[value=receipt]'), '', slow)
    const words = (await receipt(element)).querySelector('.paper')!.textContent
    expect(words).to.contain('Achieng Otieno')
    expect(words).not.to.contain('•')
  })
})

describe('an amount that is typed', () => {
  it('is grouped in its field, and stands on the button', async () => {
    const element = await show({}, { country: 'KE' })
    await waitUntil(() => within(element, '.chips button'), '', slow)
    const button = () => within(element, '[part~=pay-button]').textContent.trim().replace(/\s/g, ' ')
    expect(button()).to.equal('Continue to payment')
    type(element, 'amount', '2500')
    await element.updateComplete
    expect(within<HTMLInputElement>(element, '#amount').value).to.equal('2,500')
    expect(button()).to.equal('Pay KSh 2,500')
    expect(within(element, '.chips [aria-pressed=true]').textContent).to.equal('2,500')
  })

  for (const [amount, said] of [
    ['5', 'Enter at least KSh 10.'],
    ['900000', 'Enter at most KSh 150,000.'],
  ] as const)
    it(`out of the limits is told which: ${amount}`, async () => {
      const element = await show({}, { country: 'KE', 'bank-choice': 'hidden' })
      await waitUntil(() => within(element, '.chips button'), '', slow)
      type(element, 'name', 'Achieng Otieno')
      type(element, 'amount', amount)
      within(element, '[part~=pay-button]').click()
      await waitUntil(() => within(element, '#amount[aria-invalid=true]'), '', slow)
      expect(within(element, '#amount-note').textContent.replace(/\s/g, ' ')).to.equal(said)
    })
})
