// Wrong settings of a page, another tab or a lost network must not lead a customer to pay wrongly.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { aTimeout, expect, oneEvent, waitUntil } from '@open-wc/testing'
import type { ErrorEvent, HcCheckout } from 'hc-checkout'
import { sampleMarkets } from '../helpers/sample-payment.ts'
import { created, lamp, later, problem, slow, view } from './companion.ts'
import { asked, show, text, type, within } from './shown.ts'

const root = 'hc-checkout:https://pay.example'
const press = (element: HcCheckout): void => within(element, '[part~=pay-button]').click()
const known = (element: HcCheckout): Promise<unknown> =>
  waitUntil(() => within(element, '.test') && element.shadowRoot!.textContent.includes('no real money'), '', slow)

describe('a page that names what nobody offers', () => {
  // With the codes that the companion answers: test/server/bad-input.test.ts.
  for (const [name, value, code, sent] of [
    ['currency', 'UGX', 'country_not_offered', { currency: 'UGX' }],
    ['country', 'Kenya', 'country_not_offered', { country: 'KENYA' }],
    // Not KES 5,000 in place of TZS 5,000.
    ['country', 'KE', 'currency_mismatch', { country: 'KE', currency: 'TZS' }],
  ] as const)
    it(`${name}="${value}" is never paid in another currency, and the customer is told`, async () => {
      const element = await show(
        { 'POST /v1/deposits': () => problem(422, code, 'country') },
        { ...('currency' in sent ? { currency: sent.currency } : {}), [name]: value, amount: '5000' },
      )
      await known(element)
      expect(within(element, '[part~=pay-button]').textContent).not.to.match(/KES|KSh/)
      // A choice of nothing is none.
      expect(within(element, '#country')).to.equal(null)
      type(element, 'name', 'Achieng')
      const told = oneEvent(element, 'hc-error')
      press(element)
      expect(((await told) as unknown as { code: string }).code).to.equal(code)
      await waitUntil(() => within(element, '[role=alert]'), '', slow)
      expect(text(element)).to.contain('not set up for payments from this page')
      const { body } = asked('POST /v1/deposits')[0]!
      expect(body).to.deep.include(sent)
      expect(JSON.stringify(body)).not.to.contain('KES')
    })

  it('shows a session in its own currency, and says what the companion refuses', async () => {
    const session = { ...lamp, amount: 2300 }
    const element = await show(
      {
        'GET /v1/session': () => session,
        'POST /v1/deposits': () => problem(422, 'session_conflict', 'country'),
      },
      { session: 'ses_1', country: 'SN' },
    )
    await waitUntil(() => text(element).includes('KSh'), '', slow)
    await element.updateComplete
    expect(within(element, '[part~=pay-button]').textContent).to.contain('KSh 2,300')
    type(element, 'name', 'Achieng')
    press(element)
    await waitUntil(() => within(element, '[role=alert]'), '', slow)
    expect(text(element)).to.contain('not set up for payments from this page')
  })

  it('asks for an amount that the page does not write as a number', async () => {
    const element = await show({}, { amount: '2,300' })
    const field = within<HTMLInputElement>(element, '#amount')
    expect(field.value).to.equal('')
    expect(field.readOnly).to.equal(false)
  })
})

describe('an order that is paid for in another tab', () => {
  it('is shown when Pay is pressed here, and no second payment is made', async () => {
    const element = await show(
      { 'GET /v1/deposits/dep_1': () => view(), 'POST /v1/deposits': () => created({ id: 'dep_2' }) },
      { 'client-reference': 'cart-1', amount: '2500' },
    )
    await known(element)
    type(element, 'name', 'Achieng')
    localStorage.setItem(`${root}:cart-1`, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    press(element)
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(asked('POST /v1/deposits')).to.deep.equal([])
    expect(localStorage.getItem(`${root}:cart-1`)).to.contain('dep_1')
  })

  it('is shown as well while it is being started there, also in the place of the same earlier one', async () => {
    const element = await show(
      {
        'GET /v1/deposits/dep_1': () => view(),
        'GET /v1/attempt': () => created({ id: 'dep_2' }),
        'GET /v1/deposits/dep_2': () => view({ id: 'dep_2' }),
        'POST /v1/deposits': () => created({ id: 'dep_3' }),
      },
      { 'client-reference': 'cart-1', amount: '2500' },
    )
    await known(element)
    type(element, 'name', 'Achieng')
    localStorage.setItem(`${root}:cart-1`, JSON.stringify({ key: 'k'.repeat(24), createdAt: new Date().toISOString() }))
    press(element)
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(asked('POST /v1/deposits')).to.deep.equal([])
    expect(localStorage.getItem(`${root}:cart-1`)).to.contain('dep_2')
  })

  it('is kept and shown also when this tab has waited for another one that the companion never got', async () => {
    const name = `${root}:cart-1`
    const minuteAgo = new Date(Date.now() - 61_000).toISOString()
    const element = await show(
      {
        'GET /v1/attempt': () => {
          localStorage.setItem(name, JSON.stringify({ id: 'dep_2', token: 'tok_1', createdAt: minuteAgo }))
          return problem(404, 'not_found')
        },
        'GET /v1/deposits/dep_2': () => view({ id: 'dep_2' }),
      },
      { 'client-reference': 'cart-1', amount: '2500' },
    )
    await known(element)
    type(element, 'name', 'Achieng')
    localStorage.setItem(name, JSON.stringify({ key: 'k'.repeat(24), createdAt: minuteAgo }))
    press(element)
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(localStorage.getItem(name)).to.contain('dep_2')
  })
})

describe('a payment whose answer a gateway replaced', () => {
  it('by its own code is asked for again with the same key', async () => {
    const answers = [Response.json({ code: 504, message: 'upstream request timeout' }, { status: 504 }), created()]
    const element = await show(
      { 'POST /v1/deposits': () => answers.shift(), 'GET /v1/deposits/dep_1': () => view() },
      { amount: '2500' },
    )
    await known(element)
    type(element, 'name', 'Achieng')
    press(element)
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    const keys = asked('POST /v1/deposits').map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).to.have.lengthOf(2)
    expect(keys[0]).to.equal(keys[1])
  })
})

describe('a customer who gives no e-mail address', () => {
  it('is told what it is for', async () => {
    const element = await show()
    const email = within(element, '#email')
    const hint = within(element, `#${email.getAttribute('aria-describedby')}`)
    expect(hint.textContent.trim()).to.equal('For your receipt.')
  })
})

describe('a payment found again', () => {
  it('that cannot be loaded yet is being checked: no form whose Pay button does nothing', async () => {
    let isDown = true
    localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show({
      'GET /v1/deposits/dep_1': () => (isDown ? new Response('', { status: 502 }) : view()),
    })
    await waitUntil(() => text(element).includes('No connection. Trying again.'), '', slow)
    expect(Boolean(within(element, '[part~=pay-button]'))).to.equal(false)
    isDown = false
    window.dispatchEvent(new Event('online'))
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
  })

  it('that is not answered at all is being checked within seconds, without a press', async () => {
    localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show({ 'GET /v1/deposits/dep_1': () => new Promise(() => {}) })
    await waitUntil(() => text(element).includes('No connection. Trying again.'), '', slow)
    expect(Boolean(within(element, '[part~=pay-button]'))).to.equal(false)
  })

  it('gives way to the newer payment of its session, whose answer comes later than its own is missed', async () => {
    localStorage.setItem(`${root}:ses_1`, JSON.stringify({ id: 'dep_1', token: 'tok_1', told: 'FAILED' }))
    const newer = { id: 'dep_2', token: 'tok_2', createdAt: '2026-01-01T00:00:00Z' }
    const element = await show(
      {
        'GET /v1/session': async () => {
          await aTimeout(4_000)
          return { ...lamp, deposit: newer }
        },
        'GET /v1/deposits/dep_1': () => new Promise(() => {}),
        'GET /v1/deposits/dep_2': () => view({ id: 'dep_2' }),
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(localStorage.getItem(`${root}:ses_1`)).to.contain('dep_2')
  })

  it('that is not answered is being checked at once where Pay is pressed, and then shown', async () => {
    let answer = (_: unknown): void => {}
    const element = await show(
      { 'GET /v1/deposits/dep_1': () => new Promise((resolve) => (answer = resolve)) },
      { 'client-reference': 'cart-1', amount: '2500' },
    )
    await known(element)
    type(element, 'name', 'Achieng')
    // Started in another tab meanwhile.
    localStorage.setItem(`${root}:cart-1`, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    press(element)
    await waitUntil(() => !within(element, '[part~=pay-button]'), '', slow)
    await waitUntil(() => asked('GET /v1/deposits/dep_1').length > 0, '', slow)
    answer(view())
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(asked('POST /v1/deposits')).to.deep.equal([])
  })

  it('that cannot be loaded yet takes no focus from the page', async () => {
    localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const search = document.body.appendChild(document.createElement('input'))
    const element = await show({ 'GET /v1/deposits/dep_1': () => new Response('', { status: 502 }) })
    search.focus()
    await waitUntil(() => text(element).includes('No connection. Trying again.'), '', slow)
    expect(document.activeElement === search).to.equal(true)
    search.remove()
  })

  it('that ended without payment, and whose token fits no more, gives way to the form at once', async () => {
    localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1', told: 'FAILED' }))
    const element = await show({ 'GET /v1/deposits/dep_1': () => problem(401, 'bearer_wrong') })
    await waitUntil(() => !localStorage.getItem(root), '', slow)
    expect(Boolean(within(element, '[part~=pay-button]'))).to.equal(true)
  })

  for (const stored of ['dep_1', 'dep_2'])
    it(`by a token that is not its own takes the place of no payment that is stored, ${stored}`, async () => {
      const entry = JSON.stringify({ id: stored, token: 'tok_1', createdAt: '2030-01-01T11:17:00Z', told: 'FAILED' })
      const known = ({ headers }: RequestInit): unknown =>
        new Headers(headers).get('authorization') === 'Bearer tok_1'
          ? view({ id: stored })
          : problem(401, 'bearer_wrong')
      const doors = { 'GET /v1/deposits/dep_1': known, 'GET /v1/deposits/dep_2': known }
      const element = await show(doors)
      localStorage.setItem(root, entry)
      element.resume('dep_1', 'tok_wrong')
      await waitUntil(() => asked('GET /v1/deposits/dep_1').length > 0, '', slow)
      await waitUntil(() => within(element, '[part~=pay-button]'), '', slow)
      expect(localStorage.getItem(root)).to.equal(entry)
      // With the right one it is shown, and stored as it was.
      element.resume(stored, 'tok_1')
      await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
      expect(localStorage.getItem(root)).to.equal(entry)
    })

  for (const [what, id] of [
    ['the same', 'dep_1'],
    ['another', 'dep_2'],
  ] as const)
    for (const isKept of [true, false])
      it(`by a token that is not its own, ${what} as the one on the screen${isKept ? '' : ', where nothing is stored'}: that stays, and is followed on`, async () => {
        const entry = JSON.stringify({ id: 'dep_1', token: 'tok_1', createdAt: '2030-01-01T11:17:00Z' })
        let answer = view()
        const known = ({ headers }: RequestInit): unknown =>
          new Headers(headers).get('authorization') === 'Bearer tok_1' ? answer : problem(401, 'bearer_wrong')
        const element = await show({ 'GET /v1/deposits/dep_1': known, 'GET /v1/deposits/dep_2': known })
        if (isKept) localStorage.setItem(root, entry)
        element.resume('dep_1', 'tok_1')
        await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
        if (!isKept) localStorage.clear()
        let isGone = false
        const watching = new MutationObserver(() => (isGone ||= !within(element, '[part~=waiting]')))
        watching.observe(element.shadowRoot!, { childList: true, subtree: true })
        const before = asked(`GET /v1/deposits/${id}`).length
        // Two in a row, and moved meanwhile.
        element.resume(id, 'tok_bad')
        element.resume(id, 'tok_wrong')
        const parent = element.parentElement!
        element.remove()
        parent.append(element)
        await waitUntil(() => asked(`GET /v1/deposits/${id}`).length > before, '', slow)
        await aTimeout(50)
        watching.disconnect()
        expect(isGone).to.equal(false)
        if (isKept) expect(localStorage.getItem(root)).to.equal(entry)
        answer = view({ phase: 'succeeded', status: 'SUCCESS', version: 9 })
        window.dispatchEvent(new Event('online'))
        await waitUntil(() => within(element, '[part~=success]'), '', slow)
      })

  it('by a new token is stored with it once the companion has confirmed it', async () => {
    const answers: ((answer: unknown) => void)[] = []
    const element = await show({ 'GET /v1/deposits/dep_1': () => new Promise((resolve) => answers.push(resolve)) })
    localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1', told: 'FAILED' }))
    element.resume('dep_1', 'tok_2')
    await waitUntil(() => answers.length > 0, '', slow)
    expect(localStorage.getItem(root)).to.contain('tok_1')
    answers[0]!(view())
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(JSON.parse(localStorage.getItem(root)!)).to.include({ id: 'dep_1', token: 'tok_2', told: 'FAILED' })
  })

  it('for the order that the page has set just before is shown, and stored for that order', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view() }, { 'client-reference': 'cart-1' })
    await known(element)
    element.clientReference = 'cart-2'
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(localStorage.getItem(`${root}:cart-1`)).to.equal(null)
    expect(localStorage.getItem(`${root}:cart-2`)).to.contain('dep_1')
  })

  it('may have been paid already, or not: the customer is told what to do in either case', async () => {
    let deposit = view()
    localStorage.setItem(root, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show({
      'GET /v1/deposits/dep_1': () => deposit,
      'POST /v1/deposits/dep_1/check': () => deposit,
    })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(within(element, 'h2').textContent).to.equal('Your payment is open')
    expect(text(element)).to.contain('If you have sent the money, do not pay again')
    expect(text(element)).to.contain('If not, open the payment page.')
    expect(within(element, '[part~=open-link]').className).to.equal('main')
    // Later nobody is sent there any more.
    deposit = view({ overdue: true, version: deposit.version + 1 })
    await element.check()
    await element.updateComplete
    expect(text(element)).not.to.contain('If not, open the payment page.')
    expect(text(element)).to.contain('Do not pay again.')
  })

  it('in the place of one whose page was opened from here may have been paid too: that page is not its page', async () => {
    const element = await show({
      'POST /v1/deposits': () => created(),
      'GET /v1/deposits/dep_1': () => view(),
      'GET /v1/deposits/dep_2': () => view({ id: 'dep_2' }),
    })
    await known(element)
    type(element, 'name', 'Achieng Otieno')
    type(element, 'amount', '2500')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
    within(element, '[part~=open-link]').addEventListener('click', (event) => event.preventDefault())
    within(element, '[part~=open-link]').click()
    await waitUntil(() => text(element).includes('Pay on the page that opened'), '', slow)
    element.resume('dep_2', 'tok_2')
    await waitUntil(() => text(element).includes('If the money is already sent, do not pay again'), '', slow)
    expect(within(element, '[part~=open-link]').textContent.trim()).to.equal('Open the payment page')
    // The first one's page stands open still.
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => text(element).includes('Pay on the page that opened'), '', slow)
  })

  it('that is asked for before or while another token is being tried is not said to be waiting still', async () => {
    let give: (answer: unknown) => void = () => {}
    let told: (answer: unknown) => void = () => {}
    const element = await show({
      'GET /v1/deposits/dep_1': () => view(),
      'GET /v1/deposits/dep_2': () => new Promise((resolve) => (give = resolve)),
      'POST /v1/deposits/dep_1/check': ({ headers }) =>
        new Headers(headers).get('authorization') === 'Bearer tok_1'
          ? new Promise((resolve) => (told = resolve))
          : problem(401, 'bearer_wrong'),
    })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    const before = element.check()
    await waitUntil(() => asked('POST /v1/deposits/dep_1/check').length > 0, '', slow)
    element.resume('dep_2', 'tok_wrong')
    await waitUntil(() => asked('GET /v1/deposits/dep_2').length > 0, '', slow)
    await element.check()
    told(view())
    await before
    // Nor once the first has its answer: the only token there is now is not that of what is shown.
    await element.check()
    expect(asked('POST /v1/deposits/dep_1/check').length).to.equal(1)
    const looks = asked('GET /v1/deposits/dep_1').length
    give(problem(401, 'bearer_wrong'))
    await waitUntil(() => asked('GET /v1/deposits/dep_1').length > looks, 'the first is followed again', slow)
    expect(text(element)).not.to.contain('Not confirmed yet. Checked at')
    expect(text(element)).not.to.contain('We are checking')
    // Back at what was shown before, it can be asked for as ever.
    const after = element.check()
    await waitUntil(() => asked('POST /v1/deposits/dep_1/check').length > 1, '', slow)
    told(view())
    await after
    await element.updateComplete
    expect(text(element)).to.contain('Not confirmed yet. Checked at')
  })

  it('whose order an earlier attempt has paid offers no further payment', async () => {
    const givenUp = { phase: 'abandoned', version: 4 } as const
    const element = await show({
      'GET /v1/deposits/dep_1': () => view({ ...givenUp, result: { code: 'order_paid', description: '' } }),
      'GET /v1/deposits/dep_2': () => view({ ...givenUp, id: 'dep_2' }),
    })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => text(element).includes('This order is already paid. There is nothing more to do.'), '', slow)
    expect(within(element, 'h2').textContent).to.equal('Paid')
    expect(text(element)).not.to.contain('You can start again')
    expect(Boolean(within(element, '[part~=again]'))).to.equal(false)
    element.resume('dep_2', 'tok_1')
    await waitUntil(() => text(element).includes('You can start again.'), '', slow)
    expect(Boolean(within(element, '[part~=again]'))).to.equal(true)
  })

  it('that failed for a reason nobody knows is not simply tried again: money may have been sent', async () => {
    const failed = { phase: 'failed', status: 'FAILED', version: 4, result: { code: '9999', description: '' } } as const
    const element = await show({ 'GET /v1/deposits/dep_1': () => view(failed) })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => text(element).includes('If money left your account, contact the shop'), '', slow)
    expect(text(element)).not.to.contain('You can try again.')
  })

  it('that the customer has given up does not come back when its session is loaded at last: the press makes the next one', async () => {
    let come: (answer: unknown) => void = () => {}
    localStorage.setItem(`${root}:ses_1`, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show(
      {
        'GET /v1/session': () => new Promise((resolve) => (come = resolve)),
        'GET /v1/deposits/dep_1': () => view(),
        'GET /v1/deposits/dep_2': () => view({ id: 'dep_2' }),
        'POST /v1/deposits': () => created({ id: 'dep_2' }),
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => within(element, '[part~=waiting] details button'), '', slow)
    within(element, '[part~=waiting] details button').click()
    await waitUntil(() => within(element, '#name'), '', slow)
    type(element, 'name', 'Achieng Otieno')
    press(element)
    const deposit = { id: 'dep_1', token: 'tok_1', createdAt: '' }
    come({ amount: 2500, currency: 'KES', orderId: '7', description: 'Lamp', payer: {}, expiresAt: '', deposit })
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(asked('POST /v1/deposits').map(({ body }) => (body as { replaces: string }).replaces)).to.deep.equal([
      'dep_1',
    ])
  })

  it('nor does it when the page names that payment too', async () => {
    const { come, answer } = later(() => ({ ...lamp, deposit: { id: 'dep_1', token: 'tok_1', createdAt: '' } }))
    localStorage.setItem(`${root}:ses_1`, JSON.stringify({ id: 'dep_1', token: 'tok_1' }))
    const element = await show(
      { 'GET /v1/session': answer, 'GET /v1/deposits/dep_1': () => view() },
      { session: 'ses_1', deposit: 'dep_1' },
    )
    await waitUntil(() => within(element, '[part~=waiting] details button'), '', slow)
    within(element, '[part~=waiting] details button').click()
    await waitUntil(() => within(element, '#name'), '', slow)
    type(element, 'name', 'Achieng Otieno')
    press(element)
    come()
    await waitUntil(() => asked('POST /v1/deposits').length > 0 || within(element, '[part~=waiting]'), '', slow)
    expect(asked('POST /v1/deposits').length).to.equal(1)
  })

  it('that has paid its session offers no other', async () => {
    const paid = view({ status: 'SUCCESS', phase: 'succeeded', version: 4 })
    const deposit = { id: 'dep_1', token: 'tok_1', createdAt: '' }
    const again = (element: HcCheckout): boolean =>
      [...element.shadowRoot!.querySelectorAll('button')].some(
        ({ textContent, hidden }) => !hidden && textContent.includes('Start another'),
      )
    const element = await show(
      { 'GET /v1/session': () => ({ ...lamp, deposit }), 'GET /v1/deposits/dep_1': () => paid },
      { session: 'ses_1' },
    )
    await waitUntil(() => within(element, '[part~=success]'), '', slow)
    expect(again(element)).to.equal(false)
    const open = await show({ 'GET /v1/deposits/dep_1': () => paid })
    open.resume('dep_1', 'tok_1')
    await waitUntil(() => within(open, '[part~=success]'), '', slow)
    expect(again(open)).to.equal(true)
  })
})

describe('a page reloaded between the press and the answer', () => {
  it('says that the payment is being started, and blames no network that is there', async () => {
    localStorage.setItem(`${root}:cart-1`, JSON.stringify({ key: 'k'.repeat(48), createdAt: new Date().toISOString() }))
    const element = await show(
      { 'GET /v1/attempt': () => problem(404, 'not_found') },
      { 'client-reference': 'cart-1', amount: '2500' },
    )
    await waitUntil(() => asked('GET /v1/attempt').length > 2, '', slow)
    expect(text(element)).not.to.contain('No connection')
    expect(within(element, 'h2').textContent).to.contain('Preparing your payment')
    // And it is not started a second time.
    expect(asked('POST /v1/deposits')).to.deep.equal([])
    localStorage.removeItem(`${root}:cart-1`)
  })

  it('says over the empty form that nothing was charged, when the request can no longer arrive', async () => {
    localStorage.setItem(`${root}:cart-1`, JSON.stringify({ key: 'k'.repeat(48), createdAt: '2026-01-01T00:00:00Z' }))
    const element = await show(
      { 'GET /v1/attempt': () => problem(404, 'not_found') },
      { 'client-reference': 'cart-1', amount: '2500' },
    )
    await waitUntil(() => within(element, 'form [role=alert]'), '', slow)
    expect(within(element, '[role=alert]').textContent).to.contain('Nothing was charged. Try again')
  })
})

describe('a page reloaded between the press and the answer, whose session cannot be loaded', () => {
  const refusals = {
    'for want of a network': () => Promise.reject(new TypeError('Failed to fetch')),
    'because too many ask': () => problem(429, 'rate_limited'),
    'because it has been paid': () => problem(409, 'session_paid'),
  }
  for (const [why, refuse] of Object.entries(refusals))
    it(`${why}: the payment that may have started is not taken off the screen, and no form comes`, async () => {
      const key = 'k'.repeat(48)
      localStorage.setItem(`${root}:ses_1`, JSON.stringify({ key, createdAt: new Date().toISOString() }))
      const element = await show(
        { 'GET /v1/attempt': () => Promise.reject(new TypeError('Failed to fetch')), 'GET /v1/session': refuse },
        { session: 'ses_1' },
      )
      await waitUntil(() => asked('GET /v1/session').length && asked('GET /v1/attempt').length > 1, '', slow)
      await waitUntil(() => text(element).includes('You will not be charged twice.'), '', slow)
      expect(within(element, 'h2')).not.to.equal(null)
      expect(within(element, 'form')).to.equal(null)
      expect(within(element, '[role=alert]')).to.equal(null)
    })
})

describe('what the network has lost', () => {
  it('is asked for again: the offer, and the banks with it', async () => {
    let isDown = true
    const lost = (): never => {
      throw new TypeError('fetch failed')
    }
    const element = await show({
      'GET /v1/markets': () => (isDown ? lost() : sampleMarkets),
      'GET /v1/banks': () => (isDown ? lost() : { banks: [{ code: '01', name: 'Kenya Commercial Bank' }] }),
    })
    await waitUntil(() => within(element, '[role=combobox]'), '', slow)
    within(element, '#bank').focus()
    await waitUntil(() => asked('GET /v1/banks').length > 0, '', slow)
    expect(within(element, '.test')).to.equal(null)
    isDown = false
    await known(element)
    await waitUntil(() => asked('GET /v1/banks').length > 1, '', slow)
  })

  it('leaves the countries their names', async () => {
    const lost = (): never => {
      throw new TypeError('Failed to fetch')
    }
    const element = await show({ 'GET /v1/markets': lost })
    await waitUntil(() => within(element, '#country option')?.textContent === 'Kenya · KES', '', slow)
  })
})

it('a companion that cannot be reached is said before Pay is pressed, and no more once it answers', async () => {
  let cut = true
  const told: ErrorEvent[] = []
  const tell = (event: ErrorEvent): void => void told.push(event)
  addEventListener('hc-error', tell)
  const element = await show({
    'GET /v1/markets': () => (cut ? Promise.reject(new TypeError('Failed to fetch')) : sampleMarkets),
  })
  await waitUntil(() => within(element, '[role=alert]'), '', slow)
  expect(within(element, '[role=alert]').textContent).to.contain('No connection')
  expect(within(element, '[part~=pay-button]').hasAttribute('disabled')).to.equal(false)
  // No room is kept for limits and usual amounts that do not come.
  expect(within(element, '#amount-note').offsetHeight + within(element, '.chips').offsetHeight).to.equal(0)
  cut = false
  // The wait for the next request ends when the network is back.
  dispatchEvent(new Event('online'))
  await waitUntil(() => !within(element, '[role=alert]'), '', slow)
  expect(within(element, '#amount-note').textContent).to.contain('150,000')
  expect(told.map(({ code }) => code)).to.deep.equal(['network'])
  // A browser tells nobody that a companion does not admit the page. It looks like a lost network.
  expect(told[0]!.detail).to.contain('HC_ALLOWED_ORIGINS').and.to.contain(location.origin)
  removeEventListener('hc-error', tell)
})
