// What a customer is told while a payment waits: what was opened, how much time is left, and that
// starting over is deliberate.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { expect, oneEvent, waitUntil } from '@open-wc/testing'
import { linesOf } from '../helpers/lines-of.ts'
import { created, slow, view } from './companion.ts'
import { asked, said, show, text, type, within } from './shown.ts'

const realNow = Date.now
afterEach(() => {
  Date.now = realNow
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

  for (const [how, isOpened] of [
    ['that was opened from here', true],
    ['that was not opened yet', false],
  ] as const)
    it(`${how}, before the shop’s page was left and Back has brought it again as it was: who has paid meanwhile is not told to send the money`, async () => {
      const element = await show({ 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() })
      type(element, 'name', 'Achieng Otieno')
      type(element, 'amount', '2500')
      within(element, '[part~=pay-button]').click()
      await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
      within(element, '[part~=open-link]').addEventListener('click', (event) => event.preventDefault())
      if (isOpened) within(element, '[part~=open-link]').click()
      await waitUntil(() => asked('GET /v1/deposits/dep_1/events').length > 0, '', slow)
      expect(text(element)).to.contain('Choose an agent there and send the money.')
      const told: unknown[] = []
      element.addEventListener('hc-status-change', (event) => void told.push(event))
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      await waitUntil(() => within(element, 'h2').textContent === 'Your payment is open', '', slow)
      expect(text(element)).to.contain('If you have sent the money, do not pay again')
      expect(text(element)).to.contain('If not, open the payment page.')
      expect(text(element)).not.to.contain('send the money.')
      expect(within(element, '[part~=open-link]').textContent.trim()).to.equal('Open the payment page')
      // It is the payment that was begun here all the same.
      expect(told).to.deep.equal([])
      within(element, '[part~=open-link]').click()
      await waitUntil(() => text(element).includes('Pay on the page that opened'), '', slow)
    })

  it('is no longer the main thing to press where the advice is not to pay again', async () => {
    let deposit = view()
    const element = await show({
      'GET /v1/deposits/dep_1': () => deposit,
      'POST /v1/deposits/dep_1/check': () => deposit,
    })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
    const link = within(element, '[part~=open-link]')
    const filled = getComputedStyle(link).backgroundColor
    deposit = view({ overdue: true, version: deposit.version + 1 })
    await element.check()
    await element.updateComplete
    expect(text(element)).to.contain('Do not pay again')
    const { backgroundColor, display, textDecorationLine } = getComputedStyle(link)
    expect(backgroundColor).not.to.equal(filled)
    // It looks as the buttons around it.
    expect(backgroundColor).to.equal(getComputedStyle(within(element, 'details .plain')).backgroundColor)
    expect([display, textDecorationLine]).to.deep.equal(['block', 'none'])
    // Where a note would stand there is no second room.
    const advice = within(element, '[part~=waiting] > div > p').getBoundingClientRect()
    expect(link.getBoundingClientRect().top - advice.bottom).to.equal(16)
    const stuck = within<HTMLDetailsElement>(element, 'details')
    stuck.open = true
    expect(within(element, 'details .plain').offsetWidth).to.equal(stuck.offsetWidth)
  })
})

describe('the language of the page', () => {
  it('breaks no word of a heading within, on the narrowest phone', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view() }, { locale: 'so' })
    element.style.width = '288px'
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    await waitUntil(() => within(element, 'h2').textContent.includes('bixintaadu'), '', slow)
    expect(linesOf(within(element, 'h2'), 'bixintaadu')).to.equal(1)
  })

  it('may change while a payment waits: every word follows', async () => {
    const element = await show(
      { 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() },
      { country: 'KE' },
    )
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

  it('is followed also where the page alone names it: at the next news no sentence is left in the old one', async () => {
    const { lang } = document.documentElement
    document.documentElement.lang = 'en'
    let deposit = view()
    const element = await show({
      'GET /v1/deposits/dep_1': () => deposit,
      'POST /v1/deposits/dep_1/check': () => deposit,
    })
    element.locale = undefined
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => text(element).includes('Check now'), '', slow)
    document.documentElement.lang = 'fr'
    deposit = view({ version: deposit.version + 1 })
    await element.check()
    await waitUntil(() => text(element).includes('Vérifier maintenant'), '', slow)
    expect(text(element)).not.to.contain('Check now')
    document.documentElement.lang = lang
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
    const element = await show({
      'GET /v1/deposits/dep_1': () => view(),
      'POST /v1/deposits': () => created({ id: 'dep_2' }),
    })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting] details summary'), '', slow)
    within(element, '[part~=waiting] details summary').click()
    await element.updateComplete
    expect(within(element, 'form')).to.equal(null)
    expect(text(element)).to.contain('Only if no money has left your account')
    const opened = oneEvent(element, 'hc-deposit-created')
    within(element, '[part~=waiting] details button').click()
    await waitUntil(() => within(element, 'form'), '', slow)
    type(element, 'amount', '2500')
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    await opened
    const { body } = asked('POST /v1/deposits')[0]!
    expect(body).to.deep.include({ replaces: 'dep_1' })
  })
})
