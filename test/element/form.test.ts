// The form: what it offers, and what it says about what was typed.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { aTimeout, expect, waitUntil } from '@open-wc/testing'
import { created, problem, slow, view } from './companion.ts'
import type { HcCheckout } from 'hc-checkout'
import { asked, show, text, type, useBanks, within } from './shown.ts'

const realTimeout = window.setTimeout
/** Delay of a message about a field that was just left (form-controller.ts). */
const CLICK_MS = 300
afterEach(() => {
  window.setTimeout = realTimeout
})

describe('the list of banks', () => {
  it('breaks a long word where its row ends, on a page as narrow as 160 px', async () => {
    const element = await show({}, { 'data-country': 'KE' })
    await useBanks(element)
    element.style.width = '160px'
    type(element, 'bank', 'bank')
    await waitUntil(() => within(element, '[role=option]'), '', slow)
    const rows = [...element.shadowRoot!.querySelectorAll<HTMLElement>('[role=option]')]
    expect(rows.map(({ textContent }) => textContent).join()).to.contain('Commercial')
    const card = within(element, '.card').getBoundingClientRect()
    for (const row of rows) {
      expect(row.scrollWidth).to.equal(row.clientWidth)
      const { left, right } = row.querySelector('span')!.getBoundingClientRect()
      expect(left).to.be.above(card.left)
      expect(right).to.be.below(card.right)
    }
  })
})

describe('a country that a page begins with', () => {
  it('is chosen, and can be changed', async () => {
    const element = await show({}, { 'data-country': 'SN' })
    const select = within<HTMLSelectElement>(element, '#country')
    expect(select.value).to.equal('SN')
    select.value = 'KE'
    select.dispatchEvent(new Event('change', { bubbles: true }))
    await element.updateComplete
    expect(within(element, '.money span').textContent).to.equal('KSh')
  })

  it('takes with it what was wrong by its own limits', async () => {
    const element = await show({}, { 'data-country': 'SN' })
    await waitUntil(() => within(element, '.test'), '', slow)
    const select = within<HTMLSelectElement>(element, '#country')
    type(element, 'amount', '50')
    within(element, '[part~=pay-button]').click()
    await element.updateComplete
    expect(within(element, '#amount').getAttribute('aria-invalid')).to.equal('true')
    select.value = 'KE'
    select.dispatchEvent(new Event('change', { bubbles: true }))
    await element.updateComplete
    expect(within(element, '#amount').getAttribute('aria-invalid')).to.equal('false')
    expect(within(element, '#amount-note').className).to.equal('hint')
    expect(within(element, '#amount-note').textContent).to.contain('KSh')
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

describe('the amount', () => {
  async function after(before: string, value: string, caret: number, inputType: string): Promise<readonly unknown[]> {
    const element = await show({}, { country: 'KE' })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    type(element, 'amount', before)
    const input = within<HTMLInputElement>(element, '#amount')
    input.value = value
    input.setSelectionRange(caret, caret)
    input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType }))
    await element.updateComplete
    return [input.value, input.selectionStart]
  }

  it('is deleted past a separator, in either direction', async () => {
    expect(await after('1250', '1250', 1, 'deleteContentBackward')).to.deep.equal(['1,250', 1])
    expect(await after('1250', '1250', 1, 'deleteContentForward')).to.deep.equal(['1,250', 2])
  })

  it('stays as it was pasted, also where the paste looks like one key', async () => {
    expect(await after('12500', '12,50', 5, 'insertFromPaste')).to.deep.equal(['12,50', 5])
    expect(await after('12500', '12,50', 5, 'deleteContentBackward')).to.deep.equal(['1,250', 5])
  })
})

describe('before all words have come', () => {
  it('a press is answered at once, and a fault at a field said as soon as what reads the fields is there', async () => {
    const element = await show()
    within(element, '[part~=pay-button]').click()
    await element.updateComplete
    expect(text(element)).to.contain('Preparing your payment')
    await waitUntil(() => within(element, '#name-note').textContent.trim(), '', slow)
    expect(within(element, '#name').getAttribute('aria-invalid')).to.equal('true')
  })

  it('a refusal is said once, in its true words', async () => {
    const element = await show({ 'POST /v1/deposits': () => problem(409, 'session_paid') })
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

  it('too many attempts are said with the time to wait', async () => {
    const refusal = (): Response => problem(429, 'too_many_attempts', undefined, 805)
    const element = await show({ 'POST /v1/deposits': refusal })
    type(element, 'amount', '2500')
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, '[role=alert]'), '', slow)
    const said = 'There were several attempts to pay this order. You can try again in 14 min.'
    expect(within(element, '[role=alert]').textContent).to.equal(said)
  })
})

describe('a phone number', () => {
  function typeAndLeave(element: HcCheckout, value: string): void {
    type(element, 'phone', value)
    within(element, '#phone').dispatchEvent(new Event('change', { bubbles: true }))
  }

  it('is remarked on after the click that the field was left by, for the button would move away under it', async () => {
    const element = await show({}, { country: 'KE' })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    // The offer is there: nothing else draws the form meanwhile.
    await waitUntil(() => within(element, '.test'), '', slow)
    const later: (() => void)[] = []
    window.setTimeout = ((work: () => void, ms = 0) =>
      ms === CLICK_MS ? later.push(work) : realTimeout(work, ms)) as never
    const input = within<HTMLInputElement>(element, '#phone')
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
    const element = await show(
      { 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() },
      { country: 'KE' },
    )
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    typeAndLeave(element, '0712 34')
    // What knows the numbers of a country comes after the form.
    await waitUntil(() => within(element, '#phone-note').textContent.includes('looks unusual'), '', slow)
    // A screen reader is elsewhere by then, and reads no description of a field that it has left.
    expect(within(element, '.sr[role=status]').textContent).to.contain('looks unusual')
    expect(within(element, '#phone').getAttribute('aria-invalid')).to.equal('false')
    typeAndLeave(element, '0712 345 678')
    await element.updateComplete
    expect(within(element, '#phone-note').textContent.trim()).to.equal('')
    expect(within(element, '.sr[role=status]').textContent.trim()).to.equal('')
    typeAndLeave(element, '0712 345')
    await element.updateComplete
    expect(within(element, '#phone-note').textContent).to.contain('looks unusual')
    type(element, 'amount', '2500')
    type(element, 'name', 'Achieng')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => asked('POST /v1/deposits').length > 0, '', slow)
    const { body } = asked('POST /v1/deposits')[0]!
    expect((body as { payer: { phone: string } }).payer.phone).to.equal('+254712345')
  })

  it('without a digit is remarked on, and no number is made of it', async () => {
    const element = await show(
      { 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() },
      { country: 'KE', amount: '2500', 'payer-name': 'Achieng', 'bank-choice': 'hidden' },
    )
    await waitUntil(() => within(element, '#phone-note'), 'the field is there', slow)
    typeAndLeave(element, 'none')
    await waitUntil(() => within(element, '#phone-note').textContent.includes('looks unusual'), '', slow)
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => asked('POST /v1/deposits').length > 0, '', slow)
    const { body } = asked('POST /v1/deposits')[0]!
    expect((body as { payer: unknown }).payer).to.deep.equal({ name: 'Achieng' })
  })
})

describe('a property that a framework sets as its page has it', () => {
  it('is read: an amount written as text, a phone, a bank and a reference that are numbers', async () => {
    const element = await show({ 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() })
    const given = { country: 'KE', amount: '2500', payerName: 'Achieng', payerPhone: 254712345678 }
    Object.assign(element, given, { bank: 68, clientReference: 42 })
    await element.updateComplete
    expect(within<HTMLInputElement>(element, '#amount').readOnly).to.equal(true)
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => asked('POST /v1/deposits').length > 0, '', slow)
    expect(asked('POST /v1/deposits')[0]!.body).to.deep.include({
      amount: 2500,
      payer: { name: 'Achieng', phone: '+254712345678' },
      bankCode: '68',
      clientReference: '42',
    })
  })

  it('is read too where a server has written its name as an attribute, which HTML has in small letters', async () => {
    const element = await show(
      { 'POST /v1/deposits': () => created(), 'GET /v1/deposits/dep_1': () => view() },
      { country: 'KE', minAmount: '1000', payerName: 'Achieng', clientReference: 'cart-1', bankChoice: 'hidden' },
    )
    expect(element.getAttributeNames()).to.include('clientreference')
    await waitUntil(() => within(element, '#amount-note').textContent.includes('1,000'), '', slow)
    expect(within(element, '[part~=bank]')).to.equal(null)
    type(element, 'amount', '2500')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => asked('POST /v1/deposits').length > 0, '', slow)
    expect(asked('POST /v1/deposits')[0]!.body).to.deep.include({
      payer: { name: 'Achieng' },
      clientReference: 'cart-1',
    })
    // An element of another test may still be storing the end of its own payment.
    expect(Object.keys(localStorage)).to.include('hc-checkout:https://pay.example:cart-1')
    expect(Object.keys(localStorage)).not.to.include('hc-checkout:https://pay.example')
  })

  for (const missing of [undefined, null])
    it(`and that is ${missing}, as the address of a companion that is not configured: the form says that it has no connection`, async () => {
      const element = await show()
      Object.assign(element, { companion: missing })
      await waitUntil(() => within(element, '[role=alert]')?.textContent.includes('No connection'), '', slow)
    })
})
