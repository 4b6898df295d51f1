// A cheap phone: an unreliable network, parts that load late, large text, a page that styles
// everything, a keyboard with other digits.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { expect, fixture, html, waitUntil } from '@open-wc/testing'
import type { HcCheckout } from 'hc-checkout'
import { sampleBanks, sampleMarkets } from '../helpers/sample-payment.ts'
import { created, lamp, later, problem, slow, view } from './companion.ts'
import { asked, show, text, type, useBanks, within } from './shown.ts'

const realTimeout = window.setTimeout
const realFrame = window.requestAnimationFrame
afterEach(() => {
  window.setTimeout = realTimeout
  window.requestAnimationFrame = realFrame
})

const banksOf = ({ _offer: { banks } }: HcCheckout): boolean => Array.isArray(banks)
const lost = (): never => {
  throw new TypeError('fetch failed')
}

/** No pause ends by itself: only the browser's word wakes who waits. */
const noPauseEnds = (): void => {
  window.setTimeout = ((work: () => void, ms = 0) => (ms < 500 ? realTimeout(work, ms) : 0)) as never
}

describe('a network that is back', () => {
  it('brings the offer and the banks at once', async () => {
    noPauseEnds()
    let isDown = true
    const element = await show({
      'GET /v1/markets': () => (isDown ? lost() : sampleMarkets),
      'GET /v1/banks': () => (isDown ? lost() : sampleBanks),
    })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    within(element, '#bank').focus()
    await waitUntil(() => asked('GET /v1/banks').length && asked('GET /v1/markets').length, '', slow)
    await waitUntil(() => text(element).includes('List unavailable'), '', slow)
    isDown = false
    window.dispatchEvent(new Event('online'))
    await waitUntil(() => within(element, '.test') && !text(element).includes('List unavailable'), '', slow)
  })

  it('brings the session at once', async () => {
    noPauseEnds()
    const session = { ...lamp, amount: 2300 }
    let isDown = true
    const element = await show({ 'GET /v1/session': () => (isDown ? lost() : session) }, { session: 'ses_1' })
    await waitUntil(() => asked('GET /v1/session').length, '', slow)
    await element.updateComplete
    isDown = false
    await waitUntil(() => {
      window.dispatchEvent(new Event('online'))
      return text(element).includes('Lamp')
    }, '', slow) // prettier-ignore
  })

  it('and until then the customer reads why there is no amount, also where nothing else has come, and the page hears of it once', async () => {
    noPauseEnds()
    const session = { ...lamp, amount: 2300 }
    let isDown = true
    const codes: string[] = []
    const tell = (event: Event): void => void codes.push((event as Event & { code: string }).code)
    window.addEventListener('hc-error', tell)
    const element = await show({ 'GET /v1/session': () => (isDown ? lost() : session) }, { session: 'ses_1' })
    const { _checkout: checkout } = element
    Object.defineProperty(checkout, 'flow', { value: undefined, writable: true })
    await waitUntil(() => within(element, '[role=alert]'), '', slow)
    expect(within(element, '[role=alert]').textContent).to.contain('No connection. Trying again.')
    // The reason stands in the place of the empty box.
    expect(within(element, '[part~=locked]')).to.equal(null)
    for (let tries = 2; tries < 5; tries += 1) {
      await waitUntil(() => {
        window.dispatchEvent(new Event('online'))
        return asked('GET /v1/session').length >= tries
      }, '', slow) // prettier-ignore
    }
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => asked('GET /v1/session').length > 4, '', slow)
    await element.updateComplete
    expect(text(element)).to.contain('No connection')
    isDown = false
    await waitUntil(() => {
      window.dispatchEvent(new Event('online'))
      return text(element).includes('Lamp')
    }, '', slow) // prettier-ignore
    window.removeEventListener('hc-error', tell)
    expect(within(element, '[role=alert]')).to.equal(null)
    expect(codes).to.deep.equal(['network'])
  })

  it('asks at once what became of a payment whose answer was lost, under the same key', async () => {
    noPauseEnds()
    let isDown = true
    const element = await show(
      { 'POST /v1/deposits': () => (isDown ? lost() : created()), 'GET /v1/deposits/dep_1': () => view() },
      { amount: '2500' },
    )
    type(element, 'name', 'Achieng')
    await waitUntil(() => text(element).includes('no real money'), '', slow)
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => text(element).includes('No connection'), '', slow)
    isDown = false
    window.dispatchEvent(new Event('online'))
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    const creates = asked('POST /v1/deposits')
    expect(creates.length).to.equal(2)
    expect(new Set(creates.map(({ headers }) => headers.get('idempotency-key'))).size).to.equal(1)
  })
})

describe('an element that the page has taken out', () => {
  it('asks for nothing more and leaves no timer that comes again, and goes on when it is back', async () => {
    const due: (() => void)[] = []
    window.setTimeout = ((work: () => void, ms = 0) =>
      ms >= 5000 && ms < 25_000 ? due.push(work) : realTimeout(work, ms)) as never
    const pass = async (): Promise<void> => {
      for (const work of due.splice(0)) work()
      await new Promise((resolve) => realTimeout(resolve, 50))
    }
    let isDown = true
    const doors = ['GET /v1/markets', 'GET /v1/banks', 'GET /v1/session']
    const session = { ...lamp, amount: 2300 }
    const answers = [sampleMarkets, sampleBanks, session]
    const element = await show(
      Object.fromEntries(doors.map((door, n) => [door, () => (isDown ? lost() : answers[n])])),
      { session: 'ses_1', 'bank-choice': 'required' },
    )
    await waitUntil(() => doors.every((door) => asked(door).length === 1) && due.length > 2, '', slow)
    const parent = element.parentElement!
    element.remove()
    for (let turns = 0; turns < 3; turns += 1) await pass()
    expect(doors.map((door) => asked(door).length)).to.deep.equal([1, 1, 1])
    expect(due).to.have.lengthOf(0)
    isDown = false
    parent.append(element)
    await waitUntil(() => text(element).includes('Lamp') && within(element, '.test') && banksOf(element), '', slow)
    expect(doors.map((door) => asked(door).length)).to.deep.equal([2, 2, 2])
  })

  it('before its first frame asks for nothing until it is back', async () => {
    const frames: FrameRequestCallback[] = []
    window.requestAnimationFrame = (work) => frames.push(work)
    const element = await show({}, { 'bank-choice': 'hidden' })
    const parent = element.parentElement!
    const turn = async (): Promise<void> => {
      for (const work of frames.splice(0)) work(performance.now())
      await new Promise((resolve) => realTimeout(resolve, 50))
    }
    await waitUntil(() => frames.length > 0, '', slow)
    element.remove()
    await turn()
    expect(asked('GET /v1/markets')).to.have.lengthOf(0)
    parent.append(element)
    await waitUntil(() => within(element, '.test'), '', slow)
    await turn()
    expect(asked('GET /v1/markets')).to.have.lengthOf(1)
  })

  it('draws no clock while a payment waits', async () => {
    const waits: number[] = []
    window.setTimeout = ((work: () => void, ms = 0) => {
      waits.push(ms)
      return realTimeout(work, ms)
    }) as never
    const element = await show({ 'GET /v1/deposits/dep_1': () => view() })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    element.remove()
    await element.updateComplete
    waits.length = 0
    element.requestUpdate()
    await element.updateComplete
    expect(waits).not.to.include(15_000)
  })

  it('of an order that is over: what failed for it is not asked for beside what failed for the next', async () => {
    const due: (() => void)[] = []
    window.setTimeout = ((work: () => void, ms = 0) =>
      ms === 15_000 ? due.push(work) : realTimeout(work, ms)) as never
    const element = await show({ 'GET /v1/markets': lost }, { 'bank-choice': 'hidden' })
    await waitUntil(() => due.length === 1, '', slow)
    element.clientReference = 'cart-2'
    await waitUntil(() => due.length === 2, '', slow)
    for (const work of due.splice(0)) work()
    await waitUntil(() => due.length > 0, '', slow)
    await new Promise((resolve) => realTimeout(resolve, 50))
    expect(asked('GET /v1/markets')).to.have.lengthOf(3)
  })
})

describe('the bank field, when its list comes late', () => {
  /** The form while the list is on its way. */
  async function early(): Promise<{ element: HcCheckout; come: () => Promise<void> }> {
    const list = later(() => sampleBanks)
    const element = await show({ 'GET /v1/banks': list.answer })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    within(element, '#bank').focus()
    type(element, 'bank', 'equ')
    await waitUntil(() => asked('GET /v1/banks').length, '', slow)
    return {
      element,
      come: async () => {
        list.come()
        await waitUntil(() => banksOf(element), '', slow)
        await element.updateComplete
      },
    }
  }

  it('is the same field, keeps what was typed and the caret, and opens the list there', async () => {
    const { element, come } = await early()
    const field = within<HTMLInputElement>(element, '#bank')
    await come()
    expect(within(element, '#bank') === field, 'it is the same').to.equal(true)
    expect(element.shadowRoot!.activeElement === field, 'it has the focus').to.equal(true)
    expect(field.value).to.equal('equ')
    expect(field.selectionStart).to.equal(3)
    expect(field.selectionEnd).to.equal(3)
    expect(field.getAttribute('aria-expanded')).to.equal('true')
    expect(within(element, '[role=option]').textContent).to.contain('Équité')
  })

  it('opens no list over the field that the customer has gone on to', async () => {
    const { element, come } = await early()
    within(element, '#amount').focus()
    await come()
    expect(element.shadowRoot!.activeElement!.id).to.equal('amount')
    expect(within(element, '[role=listbox]') === null, 'no list').to.equal(true)
    expect(element.bank, 'the only one that is meant').to.equal('68')
  })

  it('asks for no list before somebody uses the field', async () => {
    const element = await show()
    await waitUntil(() => within(element, '[role=combobox]') && within(element, '.test'), '', slow)
    type(element, 'name', 'Achieng')
    await element.updateComplete
    expect(asked('GET /v1/banks')).to.have.lengthOf(0)
    within(element, '#bank').focus()
    await waitUntil(() => within(element, '[role=option]'), '', slow)
    expect(asked('GET /v1/banks')).to.have.lengthOf(1)
  })

  it('asks again when it is entered again, if the list could not be had', async () => {
    noPauseEnds()
    let isDown = true
    const element = await show({ 'GET /v1/banks': () => (isDown ? lost() : sampleBanks) })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    within(element, '#bank').focus()
    await waitUntil(() => text(element).includes('List unavailable'), '', slow)
    isDown = false
    within(element, '#name').focus()
    within(element, '#bank').focus()
    within(element, '#bank').click()
    await waitUntil(() => within(element, '[role=option]'), '', slow)
    expect(text(element)).not.to.contain('List unavailable')
  })
})

describe('the list of banks at the lower edge of the window', () => {
  it('is moved up until three of its rows are seen, when it opens and when one types', async () => {
    const element = await show()
    await useBanks(element)
    const field = within(element, '#bank')
    element.style.marginTop = `${innerHeight}px`
    element.style.marginBottom = `${innerHeight}px`
    const toTheEdge = (): void => field.scrollIntoView({ block: 'end' })
    const seen = (row: number): boolean =>
      [...element.shadowRoot!.querySelectorAll('li')][row]!.getBoundingClientRect().bottom <= innerHeight
    toTheEdge()
    field.focus({ preventScroll: true })
    field.click()
    expect(seen(2)).to.equal(true)
    toTheEdge()
    expect(seen(0)).to.equal(false)
    type(element, 'bank', 'bank')
    expect(seen(2)).to.equal(true)
    toTheEdge()
    type(element, 'bank', 'uba')
    expect(seen(0)).to.equal(true)
    expect(field.getBoundingClientRect().top).to.be.least(0)
  })
})

describe('a bank of no list', () => {
  async function unknownBank(attributes: Record<string, string> = {}): Promise<HcCheckout> {
    const element = await show(
      { 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() },
      { amount: '2500', ...attributes },
    )
    await useBanks(element)
    type(element, 'name', 'Achieng')
    within(element, '#bank').focus()
    type(element, 'bank', 'Chama yetu')
    within(element, '#name').focus()
    await element.updateComplete
    return element
  }

  it('stops no payment, and that is said, to ears as well', async () => {
    const element = await unknownBank()
    expect(within(element, '#bank-note[role=status]').textContent).to.contain('You can continue without one')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    const { body } = asked('POST /v1/deposits')[0]!
    expect(body).not.to.have.property('bankCode')
  })

  it('does not do where the shop wants a bank', async () => {
    const element = await unknownBank({ 'bank-choice': 'required' })
    expect(within(element, '#bank-note').textContent).to.contain('Choose a bank from the list')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => element.shadowRoot!.activeElement === within(element, '#bank[aria-invalid=true]'), '', slow)
    expect(asked('POST /v1/deposits').length).to.equal(0)
  })

  it('gives way to the next letter, as a chosen one does', async () => {
    const element = await unknownBank()
    const field = within<HTMLInputElement>(element, '#bank')
    const marked = (): string => field.value.slice(field.selectionStart!, field.selectionEnd!)
    field.click()
    expect(marked()).to.equal('Chama yetu')
    type(element, 'bank', 'equ')
    within(element, '[role=option]').click()
    field.click()
    expect(marked()).to.equal('Équité Bank')
  })
})

describe('"Check now"', () => {
  const said = (element: HcCheckout): string =>
    [...element.shadowRoot!.querySelectorAll('[part~=waiting] [role=status]')]
      .map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())
      .filter(Boolean)
      .join()
  const check = (element: HcCheckout): void =>
    [...element.shadowRoot!.querySelectorAll('button')].find((one) => one.textContent.includes('Check now'))!.click()

  async function waiting(answer: () => unknown, over: Parameters<typeof view>[0] = {}): Promise<HcCheckout> {
    const element = await show({
      'GET /v1/deposits/dep_1': () => view(over),
      'POST /v1/deposits/dep_1/check': answer,
    })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    // Before the stream is open the card asks for the status, perhaps twice: a late answer would
    // take away what a check has said.
    await waitUntil(() => asked('GET /v1/deposits/dep_1/events').length, '', slow)
    // A region that comes with its words is not read out.
    expect(said(element)).to.equal('')
    return element
  }

  it('says that it asks, and that nothing is new, to eyes and ears', async () => {
    let answered: (() => void) | undefined
    const element = await waiting(() => new Promise((resolve) => (answered = () => resolve(view()))))
    check(element)
    await element.updateComplete
    expect(said(element)).to.equal('We are checking')
    await waitUntil(() => answered, '', slow)
    answered!()
    await waitUntil(() => said(element).startsWith('Not confirmed yet. Checked at '), '', slow)
  })

  it('says so too when it was pressed too often', async () => {
    const element = await waiting(() => problem(429, 'rate_limited'))
    check(element)
    await waitUntil(() => said(element).startsWith('Not confirmed yet. Checked at '), '', slow)
  })

  it('says that it did not get through where something refuses it alone, and that the payment goes on', async () => {
    const element = await waiting(() => new Response('<h1>403 Forbidden</h1>', { status: 403 }))
    check(element)
    await waitUntil(() => said(element).includes('This check did not get through. The payment continues.'), '', slow)
  })

  it('shows what is new instead', async () => {
    const element = await waiting(() => view({ phase: 'confirming', version: 3 }))
    check(element)
    await waitUntil(() => text(element).includes('Confirming your payment'), '', slow)
    expect(said(element)).to.equal('')
  })

  const portal = (): Response => new Response('<h1>Welcome to our Wi-Fi</h1>')
  for (const [where, answer] of Object.entries({ 'without network': lost, 'in a captive portal': portal }))
    it(`${where} says that, to ears as well`, async () => {
      noPauseEnds()
      const element = await waiting(answer)
      check(element)
      await waitUntil(() => /^(Connecting…|No connection)/.test(said(element)), '', slow)
    })

  for (const order of ['before', 'after'])
    it(`says once that the network is gone, ${order} the card has found out by itself`, async () => {
      noPauseEnds()
      const isGone = 'No connection. The payment continues.'
      const element = await waiting(lost)
      const { _checkout: checkout } = element
      Object.defineProperty(navigator, 'onLine', { value: false, configurable: true })
      try {
        const silent = (): boolean => 'silent' in checkout.state.screen && checkout.state.screen.silent
        if (order === 'after') {
          checkout.state = { ...checkout.state, screen: { ...checkout.state.screen, silent: true } as never }
          element.requestUpdate()
          await waitUntil(() => said(element) === isGone, '', slow)
        }
        check(element)
        await waitUntil(() => within(element, '.found').textContent.includes(isGone), '', slow)
        await waitUntil(silent, '', slow)
        await element.updateComplete
        expect(within(element, '.stack').textContent.split(isGone).length).to.equal(2)
      } finally {
        Reflect.deleteProperty(navigator, 'onLine')
      }
    })

  it('says once that it asks where the heading says so', async () => {
    const element = await waiting(() => new Promise(() => {}), { phase: 'unknown' })
    expect(within(element, 'h2').textContent).to.contain('We are checking')
    check(element)
    await element.updateComplete
    const lines = [...element.shadowRoot!.querySelectorAll('.stack h2, .stack p')].map(({ textContent }) => textContent)
    expect(lines.filter((line) => line.trim() === 'We are checking').length).to.equal(1)
  })
})

it('a payment whose answer was lost says to a screen reader that there is no connection', async () => {
  const element = await show({ 'POST /v1/deposits': lost }, { amount: '2500' })
  type(element, 'name', 'Achieng')
  await waitUntil(() => text(element).includes('no real money'), '', slow)
  within(element, '[part~=pay-button]').click()
  await waitUntil(() => within(element, '.sr[role=status]').textContent.includes('No connection'), '', slow)
})

describe('the tab that is opened for the payment page', () => {
  it('says that there is no connection, when an answer was lost: it is what the customer looks at', async () => {
    const element = await show({ 'POST /v1/deposits': lost }, { amount: '2500' })
    const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`)
    window.open = () => frame.contentWindow
    type(element, 'name', 'Achieng')
    await waitUntil(() => text(element).includes('no real money'), '', slow)
    within(element, '[part~=pay-button]').click()
    const page = frame.contentDocument!
    await waitUntil(() => page.body.textContent.includes('No connection. Trying again.'), '', slow)
    expect(page.body.textContent).not.to.contain('Opening')
  })

  it('can be read on a phone meanwhile, and names its language', async () => {
    const frame = await fixture<HTMLIFrameElement>(html`<iframe title="the tab"></iframe>`)
    const element = await show({ 'POST /v1/deposits': () => new Promise(() => {}) }, { amount: '2500', locale: 'fr' })
    window.open = () => frame.contentWindow
    // Until the language has come, the card and its tab are in English.
    await waitUntil(() => text(element).includes('Payer'), '', slow)
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    const page = frame.contentDocument!
    expect(page.body.textContent).to.contain('Ouverture de la page de paiement')
    expect(page.documentElement.lang).to.equal('fr')
    expect(page.querySelector<HTMLMetaElement>('meta[name=viewport]')!.content).to.equal('width=device-width')
  })
})

describe('what is typed in large text, or on a page that styles everything', () => {
  it('stands beside its currency, however large', async () => {
    const element = await show()
    const style = document.createElement('style')
    style.textContent = '.money * { font-size: 52px !important }'
    element.shadowRoot!.append(style)
    const unit = within(element, '.money span').getBoundingClientRect()
    const field = within(element, '#amount')
    expect(field.getBoundingClientRect().left + parseFloat(getComputedStyle(field).paddingLeft)).to.be.least(unit.right)
    expect(field.getBoundingClientRect().right).to.be.most(within(element, '.money').getBoundingClientRect().right)
  })

  it('of an amount that the page has set leaves no empty line for its limits', async () => {
    const element = await show({}, { amount: '2500' })
    await waitUntil(() => within(element, '.test'), '', slow)
    expect(within<HTMLInputElement>(element, '#amount').value).to.equal('2,500')
    expect(within(element, '#amount-note').getBoundingClientRect().height).to.equal(0)
    element.amount = undefined
    await element.updateComplete
    expect(within(element, '#amount-note').getBoundingClientRect().height).to.be.greaterThan(0)
  })

  it('shows where the focus is, in browsers before :focus-visible too', async () => {
    const element = await show()
    within(element, '#amount').focus()
    expect(getComputedStyle(within(element, '.money')).outlineStyle).to.equal('solid')
    const rules = element.shadowRoot!.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules])
    const newer = rules.filter(({ cssText }) => cssText.includes(':focus-visible')) as CSSStyleRule[]
    expect(newer.map(({ selectorText }) => selectorText)).to.deep.equal([':focus-visible'])
  })

  it('is not covered by the TEST mark, which is not cut off above the card either', async () => {
    const element = await show()
    await waitUntil(() => text(element).includes('no real money'), '', slow)
    const mark = within(element, '.test')
    mark.style.fontSize = '26px'
    const { top, bottom } = mark.getBoundingClientRect()
    expect(bottom).to.be.most(within(element, 'label').getBoundingClientRect().top)
    expect(top).to.be.least(within(element, '.card').getBoundingClientRect().top - 16)
  })

  it('has the letters of a bank in one line', async () => {
    const element = await show()
    await useBanks(element)
    within(element, '#bank').click()
    const letters = within(element, 'li i')
    const { height } = letters.getBoundingClientRect()
    letters.style.fontSize = '24px'
    expect(letters.getBoundingClientRect().height).to.equal(height)
  })

  it('has the line of a field that is wrong', async () => {
    const element = await show()
    await waitUntil(() => text(element).includes('no real money'), '', slow)
    const line = (): string => getComputedStyle(within(element, '.money')).borderTopColor
    const before = line()
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, '#amount[aria-invalid=true]'), '', slow)
    expect(line()).not.to.equal(before)
  })

  it('has our spaces, case and lines, and the page’s typeface', async () => {
    const element = await show()
    element.style.cssText =
      'white-space:pre;text-transform:uppercase;letter-spacing:9px;word-spacing:9px;text-align:center;text-indent:50px;line-height:4;font-family:Georgia'
    for (const part of ['label', '.hint', '[part~=pay-button]']) {
      const seen = getComputedStyle(within(element, part))
      expect(seen.whiteSpace, part).to.equal('normal')
      expect(seen.textTransform, part).to.equal('none')
      expect(seen.letterSpacing, part).to.equal('normal')
      expect(parseFloat(seen.wordSpacing), part).to.equal(0)
      expect(parseFloat(seen.textIndent), part).to.equal(0)
      expect(parseFloat(seen.lineHeight), part).to.be.below(30)
      expect(seen.fontFamily, part).to.equal('Georgia')
    }
    expect(getComputedStyle(within(element, 'label')).textAlign).to.equal('start')
  })
})
