// The element as a control of the shop's form that must be paid before the form is sent, and its
// states for style sheets.
// chai-a11y-axe types every assertion as a promise.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { expect, waitUntil } from '@open-wc/testing'
import 'hc-checkout/define'
import type { HcCheckout } from 'hc-checkout'
import { created, lamp, later, problem, slow, view } from './companion.ts'
import type { Doors } from './companion.ts'
import { show, text, type, within } from './shown.ts'

interface Shown {
  readonly element: HcCheckout
  readonly form: HTMLFormElement
  /** How often the form was sent. */
  sent(): number
}

/** In a form, whose page stays where it is. */
async function inForm(doors: Doors = {}, attributes: Record<string, string> = {}): Promise<Shown> {
  const element = await show(doors, { name: 'payment', required: '', ...attributes })
  const form = document.createElement('form')
  let sent = 0
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sent++
  })
  element.replaceWith(form)
  form.append(element)
  await waitUntil(() => within(element, '[role=combobox],.card'), '', slow)
  await element.updateComplete
  return { element, form, sent: () => sent }
}

async function shown(element: HcCheckout, selector: string): Promise<HTMLElement> {
  await waitUntil(() => within(element, selector), selector, slow)
  await element.updateComplete
  return within(element, selector)
}

const focused = (element: HcCheckout): Element | null => element.shadowRoot!.activeElement

const states = (element: HcCheckout): string[] =>
  ['form', 'waiting', 'paid', 'failed'].filter((name) => element.matches(`:state(${name})`))

describe('a form of the shop’s that requires the payment', () => {
  it('is not sent before: Pay has the focus, and the message is in the customer’s language', async () => {
    const { element, form, sent } = await inForm({}, { locale: 'sw' })
    await waitUntil(() => text(element).includes('Endelea kwenye malipo'), '', slow)
    const pay = await shown(element, '[part~=pay-button]')
    form.requestSubmit()
    expect(sent()).to.equal(0)
    expect(form.checkValidity()).to.equal(false)
    expect([...form.querySelectorAll(':invalid')]).to.deep.equal([element])
    expect(element.validity?.valueMissing).to.equal(true)
    expect(element.validationMessage).to.equal('Endelea kwenye malipo')
    expect(focused(element)).to.equal(pay)
  })

  it('is sent once it is paid, with the id of the payment', async () => {
    const { element, form, sent } = await inForm({
      'GET /v1/deposits/dep_1': () => view({ phase: 'succeeded', status: 'SUCCESS' }),
    })
    element.resume('dep_1', 'tok_1')
    await shown(element, '[part~=success]')
    form.requestSubmit()
    expect([sent(), new FormData(form).get('payment')]).to.deep.equal([1, 'dep_1'])
    expect([element.checkValidity(), element.reportValidity(), element.validationMessage]).to.deep.equal([
      true,
      true,
      '',
    ])
  })

  it('waits for a payment that has begun: the link to its page has the focus, and the message is the card’s', async () => {
    const { element, form, sent } = await inForm({ 'GET /v1/deposits/dep_1': () => view() })
    element.resume('dep_1', 'tok_1')
    const link = await shown(element, '[part~=open-link].main')
    form.requestSubmit()
    expect(sent()).to.equal(0)
    expect(element.validationMessage).to.equal(within(element, 'h2').textContent)
    expect(focused(element)).to.equal(link)
  })

  it('leads to another try after a failure', async () => {
    const { element, form, sent } = await inForm({
      'GET /v1/deposits/dep_1': () => view({ phase: 'failed', status: 'FAILED' }),
    })
    element.resume('dep_1', 'tok_1')
    const again = await shown(element, '[part~=again]')
    form.requestSubmit()
    expect([sent(), element.validationMessage]).to.deep.equal([0, 'Not paid'])
    expect(focused(element)).to.equal(again)
  })

  it('leads to what the card says where nothing can be pressed', async () => {
    const { element, form, sent } = await inForm(
      { 'GET /v1/session': () => problem(401, 'session_expired') },
      { session: 'ses_1' },
    )
    const note = await shown(element, '[role=alert]')
    expect(within(element, 'form')).to.equal(null)
    form.requestSubmit()
    expect([sent(), element.validationMessage]).to.deep.equal([0, note.textContent])
    expect(focused(element)).to.equal(note)
  })

  it('is sent where the order is paid already, by this session or by another payment', async () => {
    const paid = await inForm({ 'GET /v1/session': () => problem(409, 'session_paid') }, { session: 'ses_1' })
    const note = await shown(paid.element, '[role=alert]')
    // Good news wears no sign of a fault.
    expect(getComputedStyle(note).borderInlineStartWidth).to.equal('0px')
    paid.form.requestSubmit()
    expect([paid.sent(), states(paid.element)]).to.deep.equal([1, ['paid']])
    paid.form.remove()
    const result = { code: 'order_paid', description: '' }
    const { element, form, sent } = await inForm({
      'GET /v1/deposits/dep_1': () => view({ phase: 'abandoned', result }),
    })
    element.resume('dep_1', 'tok_1')
    await shown(element, '[part~=failure]')
    form.requestSubmit()
    expect([sent(), states(element)]).to.deep.equal([1, ['paid']])
  })

  it('is held back from the first moment, before the card is drawn', () => {
    const form = document.createElement('form')
    form.innerHTML = '<hc-checkout companion="https://pay.example" required></hc-checkout>'
    document.body.append(form)
    expect(form.checkValidity()).to.equal(false)
    form.remove()
  })

  it('hears of each change of `required` at once from the element itself, and at the next render', async () => {
    const { element, form } = await inForm()
    let told = 0
    element.addEventListener('invalid', () => told++)
    element.required = false
    expect([element.checkValidity(), element.hasAttribute('required')]).to.deep.equal([true, true])
    await element.updateComplete
    expect([form.checkValidity(), element.hasAttribute('required'), told]).to.deep.equal([true, false, 0])
    element.required = true
    expect([element.checkValidity(), told]).to.deep.equal([false, 1])
  })

  it('is sent while the element is disabled, as with any other control', async () => {
    const { element, form, sent } = await inForm({}, { disabled: '' })
    form.requestSubmit()
    expect(sent()).to.equal(1)
    element.disabled = false
    await element.updateComplete
    form.requestSubmit()
    expect(sent()).to.equal(1)
  })
})

it('a form that does not require it is sent unpaid', async () => {
  const { element, form, sent } = await inForm()
  element.required = false
  await element.updateComplete
  form.requestSubmit()
  expect(sent()).to.equal(1)
})

describe('the state for style sheets', () => {
  it('is form, then waiting from the press on', async () => {
    const { come, answer } = later(() => created())
    const element = await show({ 'POST /v1/deposits': answer })
    await shown(element, '.chips button')
    expect(states(element)).to.deep.equal(['form'])
    type(element, 'amount', '2500')
    type(element, 'name', 'Achieng Otieno')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, 'form') === null, '', slow)
    expect(states(element)).to.deep.equal(['waiting'])
    come()
    await shown(element, '[part~=waiting]')
    expect(states(element)).to.deep.equal(['waiting'])
  })

  it('is paid or failed at the end, and form after a reset', async () => {
    let answer = view({ phase: 'succeeded', status: 'SUCCESS' })
    const element = await show({ 'GET /v1/deposits/dep_1': () => answer, 'GET /v1/session': () => lamp })
    element.resume('dep_1', 'tok_1')
    await shown(element, '[part~=success]')
    expect(states(element)).to.deep.equal(['paid'])
    await element.reset()
    await shown(element, '[part~=pay-button]')
    expect(states(element)).to.deep.equal(['form'])
    answer = view({ phase: 'expired', status: 'FAILED', version: 9 })
    element.resume('dep_1', 'tok_1')
    await shown(element, '[part~=failure]')
    expect(states(element)).to.deep.equal(['failed'])
  })
})

describe('a browser', () => {
  const { attachInternals } = HTMLElement.prototype
  afterEach(() => {
    HTMLElement.prototype.attachInternals = attachInternals
  })

  it('without form-associated elements shows the card, and the element says itself whether it is valid', async () => {
    HTMLElement.prototype.attachInternals = undefined as never
    const element = await show({}, { required: '' })
    await shown(element, '[part~=pay-button]')
    expect([element.checkValidity(), element.reportValidity()]).to.deep.equal([false, false])
    expect([element.validity, element.validationMessage]).to.deep.equal([undefined, ''])
    element.required = false
    expect(element.checkValidity()).to.equal(true)
  })

  it('that takes only states with two hyphens, or none, has the form held back all the same', async () => {
    for (const kept of [{ states: undefined }, { states: new Set() }] as const) {
      HTMLElement.prototype.attachInternals = function (this: HTMLElement) {
        const internals = attachInternals.call(this)
        const refused = () => {
          throw new SyntaxError('no dashed ident')
        }
        if (kept.states) kept.states.add = refused
        return Object.defineProperty(internals, 'states', { value: kept.states })
      }
      const { element, form, sent } = await inForm()
      await shown(element, '[part~=pay-button]')
      form.requestSubmit()
      expect([sent(), element.checkValidity()]).to.deep.equal([0, false])
      form.remove()
    }
  })
})
