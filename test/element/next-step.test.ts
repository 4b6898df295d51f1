// What a customer is told before Pay and at each end, what is asked in the open, and where focus
// and height stay.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { expect, waitUntil } from '@open-wc/testing'
import type { HcCheckout } from 'hc-checkout'
import { created, lamp, slow, view } from './companion.ts'
import { asked, said, show, text, type, within } from './shown.ts'
import { sampleMarkets } from '../helpers/sample-payment.ts'

const root = 'hc-checkout:https://pay.example'
const paid = { phase: 'succeeded', status: 'SUCCESS', version: 5, settledAt: '2030-01-01T11:20:00Z' } as const
const failed = { phase: 'failed', status: 'FAILED', version: 5, result: { code: '2001', description: '' } } as const
const heading = (element: HcCheckout): string => within(element, 'h2').textContent
const focused = (element: HcCheckout): Element | null => element.shadowRoot!.activeElement

/** Pays in this page, by a press on Pay, and waits for the step after it. */
async function pay(element: HcCheckout, name = 'Amina Otieno'): Promise<void> {
  await waitUntil(() => within(element, '#name'), '', slow)
  type(element, 'name', name)
  if (!(within<HTMLInputElement>(element, '#amount')?.readOnly ?? true)) type(element, 'amount', '2500')
  within(element, '[part~=pay-button]').focus()
  within(element, '[part~=pay-button]').click()
  await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
}

/** The companion's answers for one payment, which the test moves on. */
function payment(): { doors: Record<string, () => unknown>; become: (over: object) => void } {
  let now = view({ createdAt: new Date().toISOString() })
  return {
    doors: {
      'POST /v1/deposits': () => created({ createdAt: now.createdAt }),
      'GET /v1/deposits/dep_1': () => now,
      'POST /v1/deposits/dep_1/check': () => now,
    },
    become: (over) => (now = { ...now, ...over }),
  }
}

describe('before Pay', () => {
  it('the card names mobile money and agent, and says that nothing is charged yet', async () => {
    const element = await show({}, { country: 'KE' })
    await waitUntil(() => within(element, '[part~=next]').textContent.includes('M-Pesa · Airtel Money'), '', slow)
    expect(within(element, '[part~=next]').textContent).to.contain(
      'you choose a verified agent. Nothing is charged yet.',
    )
    await expect(element).to.be.accessible()
  })

  it('where none are known the sentence stands alone', async () => {
    const markets = sampleMarkets.markets.map((market) => ({ ...market, operators: [] }))
    const element = await show({ 'GET /v1/markets': () => ({ ...sampleMarkets, markets }) })
    await waitUntil(() => within(element, '.chips button'), '', slow)
    expect(within(element, '[part~=next]').textContent.trim()).to.equal(
      'On the next page you choose a verified agent. Nothing is charged yet.',
    )
  })

  it('the phone field shows a number of the country; the name field asks for capitals', async () => {
    const element = await show({}, { country: 'SN' })
    await waitUntil(() => within<HTMLInputElement>(element, '#phone').placeholder === '70 123 45 67', '', slow)
    const name = within(element, '#name')
    const of = (attribute: string): string | null => name.getAttribute(attribute)
    expect([of('autocapitalize'), of('spellcheck'), of('enterkeyhint')]).to.deep.equal(['words', 'false', 'go'])
  })
})

describe('a form whose amount is fixed', () => {
  const doors = { 'GET /v1/session': () => ({ ...lamp, country: 'KE' }) }
  const isSeen = (element: HcCheckout, id: string): boolean => {
    const details = within(element, id).closest('details')
    return !details || details.open
  }

  it('asks for the name alone in the open, and is accessible', async () => {
    const element = await show(doors, { session: 'ses_1' })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    const open = ['#name', '#bank', '#phone', '#email'].filter((id) => isSeen(element, id))
    expect(open).to.deep.equal(['#name'])
    expect(text(element)).to.contain('Your bank, for the shop’s records. You pay with mobile money')
    await expect(element).to.be.accessible()
  })

  it('opens the banks by one press on their row, which then names the choice', async () => {
    const element = await show(doors, { session: 'ses_1' })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    const row = within(element, '.folds summary')
    row.click()
    await waitUntil(() => within(element, '[role=option]'), '', slow)
    expect(focused(element)).to.equal(within(element, '#bank'))
    within(element, '[role=option]').click()
    await element.updateComplete
    expect(row.textContent).to.contain('Kenya Commercial Bank Limited')
  })

  it('begins each line of a row’s text beside the mark of the row', async () => {
    const element = await show(doors, { session: 'ses_1', style: 'width: 320px' })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    const row = within(element, '.folds summary')
    const [first, second] = [...row.querySelector('span')!.getClientRects()]
    expect(second!.left - row.getBoundingClientRect().left).to.equal(15)
    // Each engine draws a mark of its own width; without a hanging line this is the whole of it.
    expect(Math.abs(second!.left - first!.left)).to.be.at.most(5)
  })

  it('has a required bank in the open', async () => {
    const element = await show(doors, { session: 'ses_1', 'bank-choice': 'required' })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    expect(isSeen(element, '#bank')).to.equal(true)
  })

  it('shows a wrong e-mail address although its row is closed', async () => {
    const element = await show({ ...doors, ...payment().doors }, { session: 'ses_1', 'payer-email': 'amina@' })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    expect(within(element, '.folds details + details summary').textContent).to.contain('amina@')
    type(element, 'name', 'Amina Otieno')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => focused(element)?.id === 'email', '', slow)
    expect(isSeen(element, '#email')).to.equal(true)
    expect(asked('POST /v1/deposits').length).to.equal(0)
  })

  it('asks for country, bank and amount where the amount is open', async () => {
    const element = await show()
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    const fields = [...element.shadowRoot!.querySelectorAll('form select, form input')].map(({ id }) => id)
    expect(fields).to.deep.equal(['country', 'bank', 'amount', 'name', 'phone', 'email'])
    expect(fields.every((id) => isSeen(element, `#${id}`))).to.equal(true)
  })
})

describe('a payment that waits', () => {
  it('is greeted as one to pay on another phone, and as an open one after that', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view() })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(heading(element)).to.equal('Pay KSh 2,500')
    expect(text(element)).to.contain('If the money is already sent, do not pay again')
    element.resume('dep_1', 'tok_1')
    await element.updateComplete
    expect(heading(element), 'of the same visit').to.equal('Pay KSh 2,500')
    await waitUntil(
      () => localStorage.getItem(root)?.includes('dep_1') && !localStorage.getItem(root)!.includes('given'),
    )
    const again = document.createElement('hc-checkout')
    Object.assign(again, { companion: 'https://pay.example', locale: 'en' })
    document.body.append(again)
    await waitUntil(() => within(again, '[part~=waiting]'), '', slow)
    again.resume('dep_1', 'tok_1')
    await again.updateComplete
    expect(heading(again)).to.equal('Your payment is open')
    again.remove()
  })

  it('is still waited for only once it is overdue', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view({ overdue: true }) })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(heading(element)).to.equal('Still waiting')
  })

  it('tells the minutes left, and offers a check after the first, at a kept place', async () => {
    const realNow = Date.now
    const { doors, become } = payment()
    become({ expiresAt: new Date(realNow() + 13.5 * 60_000).toISOString() })
    const element = await show(doors)
    await pay(element)
    const check = within(element, 'button[value=check]')
    await waitUntil(() => text(element).includes('Choose an agent within 14 min'), '', slow)
    expect(getComputedStyle(check).visibility).to.equal('hidden')
    const { height } = within(element, '.card').getBoundingClientRect()
    Date.now = () => realNow() + 61_000
    element.requestUpdate()
    await element.updateComplete
    Date.now = realNow
    expect(getComputedStyle(check).visibility).to.equal('visible')
    expect(text(element)).to.contain('Choose an agent within 13 min')
    expect(within(element, '.card').getBoundingClientRect().height).to.equal(height)
  })

  it('whose page never came is said not to have been opened, with nothing charged', async () => {
    const lost = { phase: 'abandoned', version: 4, result: { code: 'address_lost', description: '' } } as const
    const element = await show({ 'GET /v1/deposits/dep_1': () => view(lost) })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=failure]'), '', slow)
    expect(heading(element)).to.equal('The payment could not be opened')
    expect(text(element)).to.contain('Nothing was charged. Try again.')
  })
})

describe('success', () => {
  it('thanks by name, says the sum once, and leads back to the shop', async () => {
    const { doors, become } = payment()
    const element = await show(doors, { 'return-url': '/orders/7' })
    await pay(element)
    become({ ...paid, payer: { name: 'A••• O•••', email: 'a•••@example.com' } })
    await element.check()
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
    expect(heading(element)).to.equal('Thank you, Amina')
    expect(text(element)).to.contain('The receipt goes to a•••@example.com.')
    expect(text(element).match(/KSh 2,500(?!\.)/g)?.length).to.equal(1)
    const back = within<HTMLAnchorElement>(element, '[part~=return-link]')
    expect([back.textContent.trim(), back.href]).to.deep.equal(['Back to the shop', `${location.origin}/orders/7`])
    const { strokeDasharray, animationDuration } = getComputedStyle(within(element, '.mark path'))
    expect([strokeDasharray, animationDuration]).to.deep.equal(['1px', '0.4s'])
    await expect(element).to.be.accessible()
  })

  it('found again is thanked for without a name: it was this page’s alone', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view(paid) }, { 'payer-name': 'Amina Otieno' })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
    expect(heading(element)).to.equal('Thank you')
    expect(text(element)).not.to.contain('Amina')
  })

  it('leads to the shop too where another payment of the order came first', async () => {
    const result = { code: 'order_paid', description: '' }
    const doors = { 'GET /v1/deposits/dep_1': () => view({ phase: 'abandoned', result }) }
    const element = await show(doors, { 'return-url': '/orders/7' })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=return-link]'), '', slow)
    expect(within(element, '[part~=again]') === null).to.equal(true)
  })

  it('keeps the same room above its first button, whatever the button is', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view({ ...paid, duplicate: true }) })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, 'button[value=receipt]'), '', slow)
    const receipt = within(element, 'button[value=receipt]')
    const above = receipt.previousElementSibling!.getBoundingClientRect()
    expect(receipt.getBoundingClientRect().top - above.bottom).to.equal(16)
  })

  it('has a mark in a colour of its own, which the page may set', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view(paid) })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '.mark'), '', slow)
    const colour = (): string => getComputedStyle(within(element, '.mark')).color
    element.style.setProperty('--hc-accent', '#b5432a')
    expect(colour()).not.to.equal('rgb(181, 67, 42)')
    element.style.setProperty('--hc-success', '#123456')
    expect(colour()).to.equal('rgb(18, 52, 86)')
  })

  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'https://'])
    it(`leads nowhere by ${address}`, async () => {
      const element = await show({ 'GET /v1/deposits/dep_1': () => view(paid) }, { 'return-url': address })
      element.resume('dep_1', 'tok_1')
      await waitUntil(() => within(element, '[part~=success]'), '', slow)
      expect(within(element, '[part~=return-link]')).to.equal(null)
    })
})

describe('a screen reader', () => {
  const received = 'KSh 2,500. We have received your payment.'
  for (const [how, over, title, thanks, meaning] of [
    ['success', paid, 'Thank you', 'Thank you, Amina', received],
    ['failure', failed, 'Not paid', 'Not paid', 'The agent did not confirm the payment.'],
  ] as const) {
    it(`hears title and meaning of a ${how} that it did not follow`, async () => {
      const element = await show({ 'GET /v1/deposits/dep_1': () => view(over) })
      element.resume('dep_1', 'tok_1')
      await waitUntil(() => said(element) === `${title}. ${meaning}`, said(element), slow)
    })

    it(`hears the meaning of a ${how} where the title takes the focus, and is read for that`, async () => {
      const { doors, become } = payment()
      const element = await show(doors)
      await pay(element)
      await waitUntil(() => focused(element)?.tagName === 'H2', '', slow)
      become(over)
      await element.check()
      await waitUntil(() => within(element, '[part~=again],[part~=success]'), '', slow)
      await element.updateComplete
      expect(said(element)).to.equal(meaning)
      expect(focused(element)!.textContent).to.equal(thanks)
    })
  }
})

describe('after a failure', () => {
  it('one button tries again, and focuses no field that may stay empty', async () => {
    const { doors, become } = payment()
    const element = await show(doors)
    await pay(element)
    become(failed)
    await element.check()
    await waitUntil(() => within(element, '[part~=again]'), '', slow)
    const buttons = [...element.shadowRoot!.querySelectorAll('button:not([hidden])')].map(
      ({ textContent }) => textContent,
    )
    expect(buttons).to.deep.equal(['Try again', 'Not you? Forget'])
    const named = [...element.shadowRoot!.querySelectorAll('dt')].map(({ textContent }) => textContent)
    expect(named, 'what one may have to name').to.deep.equal(['Amount', 'Reference'])
    within(element, '[part~=again]').focus()
    within(element, '[part~=again]').click()
    await waitUntil(() => within(element, 'form'), '', slow)
    await element.updateComplete
    expect(focused(element)).to.equal(within(element, 'form'))
  })

  it('whoever begins anew does so at the first field that must be filled in', async () => {
    const { doors, become } = payment()
    const element = await show(doors)
    await pay(element)
    become(paid)
    await element.check()
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
    element.payerName = undefined
    await element.updateComplete
    within(element, '[part~=success] > .quiet').focus()
    within(element, '[part~=success] > .quiet').click()
    await waitUntil(() => focused(element)?.id === 'name', '', slow)
  })
})

describe('the height of the card', () => {
  it('is no greater than the window shows, where a payment is found in the place of a longer form', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view({ phase: 'confirming' }) })
    await waitUntil(() => within(element, '.chips button'), '', slow)
    const card = (): DOMRect => within(element, '.card').getBoundingClientRect()
    const tall = card()
    expect(tall.bottom).to.be.above(innerHeight)
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(card().height).to.be.below(tall.height)
    expect(card().bottom).to.be.at.least(innerHeight)
  })

  it('stays the greatest until the next tap, and then is its own again', async () => {
    const { doors, become } = payment()
    const element = await show(doors)
    await waitUntil(() => within(element, '.chips button'), '', slow)
    const height = (): number => within(element, '.card').offsetHeight
    const tall = height()
    // Below a low window nothing is kept.
    const seen = Math.min(tall, Math.floor(innerHeight - within(element, '.card').getBoundingClientRect().top))
    await pay(element)
    expect(height()).to.be.at.least(seen)
    become(paid)
    await element.check()
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
    expect(height()).to.be.at.least(seen)
    within(element, 'h2').click()
    expect(height()).to.be.below(tall)
  })
})
