// The parts loaded on demand: the payment on another phone, the receipt, the help; as a customer
// sees them, in a real browser.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { aTimeout, expect, fixture, html, waitUntil } from '@open-wc/testing'
import 'hc-checkout/define'
import type { HcCheckout } from 'hc-checkout'
import type { DepositView } from '../../server/contract/index.ts'
import { sampleMarkets } from '../helpers/sample-payment.ts'
import { companion, view, slow } from './companion.ts'

let network: ReturnType<typeof companion>
const [kenya] = sampleMarkets.markets
const uganda = { ...kenya, country: 'UG', currency: 'UGX', operators: ['MTN MoMo', 'Airtel Money'] }
const withUganda = { ...sampleMarkets, markets: [...sampleMarkets.markets, uganda] }

/** Resumes a payment that stands as given; `move` lets it go on. */
async function at(
  over: Partial<DepositView>,
  attributes: Record<string, string> = {},
): Promise<{ element: HcCheckout; move: (over: Partial<DepositView>) => void }> {
  let now = view(over)
  network = companion({ 'GET /v1/deposits/dep_1': () => now, 'GET /v1/markets': () => withUganda })
  const element = await fixture<HcCheckout>(html`<hc-checkout companion="https://pay.example"></hc-checkout>`)
  element.setAttribute('locale', 'en')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.resume('dep_1', 'tok_1')
  await waitUntil(() => element.shadowRoot!.querySelector('h2[tabindex]'), 'the status is shown', slow)
  return {
    element,
    move: (next) => {
      now = view({ ...next, version: now.version + 1 })
      window.dispatchEvent(new Event('online'))
    },
  }
}

const button = (element: HcCheckout, value: string): HTMLButtonElement =>
  element.shadowRoot!.querySelector<HTMLButtonElement>(`button[value=${value}]`)!
const sheet = (element: HcCheckout): ShadowRoot | undefined =>
  element.shadowRoot!.querySelector('.sheet')?.shadowRoot ?? undefined
// Nodes are compared by hand: a failed assertion would carry the whole page to the runner, which
// never ends.
const isOpen = (element: HcCheckout): boolean => Boolean(sheet(element))
const text = (element: HcCheckout): string => sheet(element)!.querySelector('.inside')!.textContent.replace(/\s+/g, ' ')

async function open(element: HcCheckout, value: string): Promise<ShadowRoot> {
  button(element, value).click()
  await waitUntil(() => sheet(element), 'the sheet is open', slow)
  return sheet(element)!
}
/** The button of that name. */
function press(root: ShadowRoot, name: string): void {
  const all = [...root.querySelectorAll<HTMLElement>('button, a')]
  all.find((one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) === name)!.click()
}

const paid = { phase: 'succeeded', status: 'SUCCESS', settledAt: '2030-01-01T11:20:00Z' } as const

/** Puts something in the place of a member of `target` until the test has ended. */
const undo: (() => void)[] = []
function replace(target: object, name: string, value: unknown): void {
  const own = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { configurable: true, value })
  undo.push(() => {
    if (own) Object.defineProperty(target, name, own)
    else Reflect.deleteProperty(target, name)
  })
}

let printed = 0
beforeEach(() => {
  localStorage.clear()
  printed = 0
  // A real one would wait for a person.
  replace(window, 'print', () => printed++)
})
afterEach(() => {
  network.close()
  for (const act of undo.splice(0)) act()
})

const sheets = [['share', {}], ['help', {}], ['receipt', paid]] as const // prettier-ignore

describe('everybody can use', () => {
  for (const [value, over] of sheets)
    it(`the ${value} sheet`, async () => {
      const { element } = await at(over)
      const root = await open(element, value)
      // It rises as it opens: half-way up its colours are half there.
      for (const animation of root.querySelector('dialog')!.getAnimations()) animation.finish()
      await expect(element).to.be.accessible()
      // In a dialog that has not the page's main part around it, a <header> is announced as the
      // head of the page.
      expect(root.querySelector('header')).to.equal(null)
    })

  for (const locale of ['fr', 'sw'])
    it(`all sheets in ${locale}, without a gap in a sentence`, async () => {
      for (const [value, over] of sheets) {
        const { element } = await at(over, { locale })
        await open(element, value)
        expect(text(element)).not.to.match(/undefined|\{\w+\}|\bClose\b|payment/)
        network.close()
      }
    })
})

describe('a sheet', () => {
  it('takes the focus to its heading, and gives it back to the button on Escape', async () => {
    const { element } = await at({})
    button(element, 'share').focus()
    const root = await open(element, 'share')
    expect(root.activeElement!.textContent.trim()).to.equal('Pay on another phone')
    const dialog = root.querySelector('dialog')!
    expect(dialog.matches(':modal')).to.equal(true)
    root.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    expect(isOpen(element)).to.equal(false)
    expect(element.shadowRoot!.activeElement === button(element, 'share')).to.equal(true)
  })

  it('is one, however often its button is clicked while it loads', async () => {
    const { element } = await at({})
    for (const _ of [1, 2, 3]) button(element, 'help').click()
    await waitUntil(() => sheet(element), 'the sheet is open', slow)
    await aTimeout(20)
    expect(element.shadowRoot!.querySelectorAll('.sheet').length).to.equal(1)
  })

  it('gives way when the payment moves on, and the focus goes to the news', async () => {
    const { element, move } = await at({})
    await open(element, 'share')
    move(paid)
    await waitUntil(() => element.shadowRoot!.querySelector('[part~=success]'), '', slow)
    await waitUntil(() => !sheet(element), 'the sheet has gone', slow)
    expect(element.shadowRoot!.activeElement!.textContent.trim()).to.match(/^Thank you/)
  })

  it('goes with an element that leaves the page', async () => {
    const { element } = await at({})
    await open(element, 'help')
    const holder = element.parentElement!
    element.remove()
    holder.append(element)
    await element.updateComplete
    expect(isOpen(element)).to.equal(false)
  })

  it('that was still loading when the element left the page opens there at the next press', async () => {
    const { element } = await at({})
    const holder = element.parentElement!
    button(element, 'help').click()
    element.remove()
    await waitUntil(() => !button(element, 'help').hasAttribute('aria-busy'), 'it has loaded', slow)
    holder.append(element)
    await element.updateComplete
    expect(isOpen(element)).to.equal(false)
    const root = await open(element, 'help')
    expect(root.querySelector('dialog')!.matches(':modal')).to.equal(true)
  })

  it('says so when a test payment is no real money', async () => {
    const { element } = await at({})
    await open(element, 'share')
    expect(text(element)).to.contain('TEST · no real money')
  })

  it('takes the page’s own words', async () => {
    const { element } = await at(paid)
    element.texts = { shopName: 'Duka la Amani', print: 'Print it' }
    await element.updateComplete
    await open(element, 'receipt')
    expect(text(element)).to.contain('Duka la Amani')
    expect(text(element)).to.contain('Print it')
  })

  it('keeps the TEST mark in every form of the receipt, whatever the page’s own words are', async () => {
    const { element } = await at(paid)
    element.texts = { test: ' ' }
    await element.updateComplete
    const root = await open(element, 'receipt')
    const marks = [...root.querySelectorAll('.test, .paper .mark')].map((mark) => mark.textContent)
    expect(marks).to.deep.equal(['TEST · no real money', 'TEST · no real money'])
    expect(root.querySelector('textarea')!.value).to.match(/^TEST · no real money\n/)
  })
})

describe('the payment on another phone', () => {
  it('is a code, a link to copy, and a message for WhatsApp with the amount', async () => {
    let copied = ''
    replace(navigator, 'clipboard', { writeText: async (value: string) => void (copied = value) })
    const { element } = await at({})
    const root = await open(element, 'share')
    const code = root.querySelector('svg[role=img]')!
    expect(code.getAttribute('aria-label')).to.contain('QR')
    expect(code.getBoundingClientRect().width).to.be.greaterThan(150)
    press(root, 'Copy link')
    await waitUntil(() => root.querySelector('[role=status]')!.textContent === 'Copied', '', slow)
    expect(copied).to.equal('https://pay.example/pay/abc')
    const link = [...root.querySelectorAll('a')].find((one) => one.host === 'wa.me')!
    const message = new URL(link.href).searchParams.get('text')!
    expect(message.replace(/\s/g, ' ')).to.equal('Please pay KSh 2,500 here: https://pay.example/pay/abc')
    expect(link.rel).to.contain('noopener')
  })

  it('is a link to copy alone where it is too long for a code', async () => {
    const payUrl = `https://pay.example/pay/${'x'.repeat(3000)}`
    const { element } = await at({ payUrl })
    const root = await open(element, 'share')
    expect(root.querySelector('svg[role=img]')).to.equal(null)
    expect(root.querySelector('textarea')!.value).to.equal(payUrl)
  })

  it('marks the link for copying by hand where the browser refuses to copy', async () => {
    replace(navigator, 'clipboard', undefined)
    replace(document, 'execCommand', () => false)
    const { element } = await at({})
    const root = await open(element, 'share')
    press(root, 'Copy link')
    await waitUntil(() => root.querySelector('[role=status]')!.textContent.includes('hold'), '', slow)
    const field = root.querySelector('textarea')!
    expect(root.activeElement === field).to.equal(true)
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).to.equal('https://pay.example/pay/abc')
  })

  it('goes by the share sheet where there is one, and a closed one is no fault', async () => {
    const shared: ShareData[] = []
    replace(navigator, 'share', async (data: ShareData) => {
      shared.push(data)
      throw new DOMException('', 'AbortError')
    })
    const { element } = await at({})
    press(await open(element, 'share'), 'Share')
    await waitUntil(() => shared.length, '', slow)
    await aTimeout(20)
    expect(shared[0]!.text).to.contain('https://pay.example/pay/abc')
    expect(isOpen(element)).to.equal(true)
  })
})

describe('the receipt', () => {
  const bank = { code: '76', name: 'UBA Kenya Bank Ltd' }

  it('names shop, purpose, amount, bank and reference, and no masked payer', async () => {
    const { element } = await at({ ...paid, bank })
    await open(element, 'receipt')
    for (const part of [location.host, 'Order 7', 'UBA Kenya Bank Ltd', 'HCT0123456789ABCDEFGHJK', '2030'])
      expect(text(element)).to.contain(part)
    expect(text(element).replace(/\s/g, ' ')).to.contain('KES 2,500')
  })

  it('is printed alone, and leaves nothing on the page', async () => {
    const { element } = await at(paid)
    press(await open(element, 'receipt'), 'Print')
    press(sheet(element)!, 'Print')
    expect(printed).to.equal(2)
    const papers = document.querySelectorAll('hc-paper')
    expect(papers.length).to.equal(1)
    expect(getComputedStyle(papers[0]!).display).to.equal('none')
    expect(papers[0]!.shadowRoot!.textContent).to.contain('HCT0123456789ABCDEFGHJK')
    expect(papers[0]!.shadowRoot!.textContent).to.contain('TEST')
    press(sheet(element)!, 'Close')
    expect(document.querySelectorAll('hc-paper').length).to.equal(0)
    expect(document.documentElement.hasAttribute('data-hc-paper')).to.equal(false)
  })

  it('is saved as a page of its own, in which nothing that was typed is markup', async () => {
    let saved: Blob | undefined
    let name = ''
    replace(URL, 'createObjectURL', (blob: Blob) => ((saved = blob), 'blob:x'))
    replace(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
      name = this.download
    })
    const { element } = await at({ ...paid, description: '<img src=x onerror=alert(1)>' })
    const root = await open(element, 'receipt')
    press(root, 'Save as a file')
    const page = await saved!.text()
    expect(name).to.equal('HCT0123456789ABCDEFGHJK.html')
    const read = new DOMParser().parseFromString(page, 'text/html')
    expect(read.querySelectorAll('img, script').length).to.equal(0)
    expect(read.body.textContent).to.contain('<img src=x')
    expect(read.body.textContent).to.contain('TEST')
    expect(root.querySelector('[role=status]')!.textContent).to.contain('downloads')
  })

  it('as text has one line for each thing', async () => {
    const { element } = await at(paid)
    const root = await open(element, 'receipt')
    const lines = root.querySelector('textarea')!.value.split('\n')
    expect(lines).to.include('Reference: HCT0123456789ABCDEFGHJK')
    expect(lines[0]).to.contain('TEST')
  })

  it('in a browser inside another app is offered as text, since nothing is printed or saved there', async () => {
    replace(navigator, 'userAgent', 'Mozilla/5.0 (Linux; Android 13; wv) [FB_IAB/FB4A;FBAV/400]')
    const { element } = await at(paid)
    const root = await open(element, 'receipt')
    expect(text(element)).not.to.match(/\bPrint\b|Save as a file/)
    expect(root.querySelector('details')!.open).to.equal(true)
  })

  it('of a second payment says that it was one too many', async () => {
    const { element } = await at({ ...paid, duplicate: true })
    await open(element, 'receipt')
    expect(text(element)).to.contain('You paid twice')
  })

  it('is offered for no payment that has not arrived', async () => {
    for (const phase of ['failed', 'expired', 'rejected', 'abandoned', 'confirming', 'review'] as const) {
      const { element } = await at({ phase })
      expect(Boolean(button(element, 'receipt')), phase).to.equal(false)
      network.close()
    }
  })
})

describe('the help', () => {
  it('names the amount and speaks of the mobile money that the customer chooses', async () => {
    const { element } = await at({ country: 'UG', currency: 'UGX' })
    const { _offer: offer } = element
    await waitUntil(() => offer.mode, '', slow)
    const root = await open(element, 'help')
    const step = (): string => root.querySelector('ol')!.textContent.replace(/\s+/g, ' ')
    expect(step()).to.contain('your mobile money')
    expect(step()).to.contain('USh 2,500')
    expect(text(element)).not.to.contain('five minutes')
    root.querySelector<HTMLInputElement>('input[type=radio]')!.click()
    await waitUntil(() => step().includes('MTN MoMo'), '', slow)
    expect(text(element)).to.contain('five minutes')
  })

  it('asks nothing where no source names an operator', async () => {
    const { element } = await at({ country: 'GW', currency: 'XOF' })
    const root = await open(element, 'help')
    expect(root.querySelectorAll('input').length).to.equal(0)
    expect(text(element)).to.contain('your mobile money')
  })
})
