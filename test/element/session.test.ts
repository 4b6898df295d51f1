// A session in the element: loaded late or not at all, and over.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
/* oxlint-disable no-console -- a warning is read here */
import { aTimeout, expect, waitUntil } from '@open-wc/testing'
import type { ErrorEvent, HcCheckout } from 'hc-checkout'
import { created, lamp, later, problem, slow, view } from './companion.ts'
import { asked, said, show, text, type, within } from './shown.ts'

const session = { ...lamp, country: 'KE' }
const creates = (): number => asked('POST /v1/deposits').length
const boots = { ...session, amount: 900, orderId: '8', description: 'Boots' }

describe('a session that has not come yet', () => {
  const pay = (element: HcCheckout): HTMLElement => within(element, '[part~=pay-button]')
  const sessions = (): number => asked('GET /v1/session').length

  it('does not swallow the press on Pay: the payment begins when it has come, once', async () => {
    const { come, answer } = later(() => session)
    const element = await show(
      {
        'GET /v1/session': answer,
        'POST /v1/deposits': () => created(),
        'GET /v1/deposits/dep_1': () => view(),
      },
      { session: 'ses_1' },
    )
    type(element, 'name', 'Amina Otieno')
    type(element, 'phone', '0712345678')
    for (let presses = 0; presses < 3; presses += 1) pay(element).click()
    await element.updateComplete
    expect(pay(element).textContent).to.contain('Preparing your payment…')
    expect(said(element)).to.contain('Preparing your payment…')
    await waitUntil(() => sessions() > 0, '', slow)
    pay(element).click()
    come()
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    await aTimeout(50)
    expect(creates()).to.equal(1)
    expect(sessions()).to.equal(1)
  })

  it('leaves the button without a sum until then, whatever amount was named before', async () => {
    const { come, answer } = later(() => session)
    const element = await show({ 'GET /v1/session': answer })
    type(element, 'amount', '500')
    await element.updateComplete
    expect(pay(element).textContent).to.contain('500')
    element.session = 'ses_1'
    await waitUntil(() => sessions() > 0, '', slow)
    expect(pay(element).textContent).not.to.match(/\d/)
    element.amount = 600
    await element.updateComplete
    expect(pay(element).textContent).not.to.match(/\d/)
    come()
    await waitUntil(() => pay(element).textContent.includes('2,500'), '', slow)
  })

  it('makes one payment also in a browser that goes on with other work while it opens a tab', async () => {
    const element = await show(
      {
        'GET /v1/session': () => session,
        'POST /v1/deposits': () => created(),
        'GET /v1/deposits/dep_1': () => view(),
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => text(element).includes('Lamp'), '', slow)
    let tabs = 0
    window.open = () => {
      tabs += 1
      if (tabs < 3) pay(element).click()
      return null
    }
    type(element, 'name', 'Amina Otieno')
    pay(element).click()
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(tabs).to.equal(1)
    expect(creates()).to.equal(1)
  })

  const portal = async (): Promise<Response> => new Response('<h1>Welcome to our Wi-Fi</h1>')
  const noNetwork = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'))
  const gateway = async (): Promise<Response> => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
  const busy = async (): Promise<Response> =>
    new Response('{"type":"/problems/rate_limited","code":"rate_limited","detail":"","retryAfter":1}', { status: 429 })
  const obstacles: Record<string, [instead: () => Promise<Response>, said: string]> = {
    'for want of a network': [noNetwork, 'No connection'],
    'in a captive portal': [portal, 'No connection'],
    'while the companion is restarted behind a gateway': [gateway, 'No connection'],
    'while too many others ask': [busy, 'Many people are paying right now'],
  }
  for (const [what, [instead, said]] of Object.entries(obstacles))
    it(`and that cannot be asked for ${what} is said, with all that was typed kept, and the press forgotten`, async () => {
      let cut = true
      const element = await show(
        {
          'GET /v1/session': () => (cut ? instead() : session),
          'POST /v1/deposits': () => created(),
          'GET /v1/deposits/dep_1': () => view(),
        },
        { session: 'ses_1' },
      )
      type(element, 'name', 'Amina Otieno')
      element.style.marginBottom = '3000px'
      scrollTo(0, 3000)
      pay(element).click()
      await waitUntil(() => within(element, '[role=alert]'), '', slow)
      expect(within(element, '[role=alert]').textContent).to.contain(said)
      // Far from the button that was pressed, and seen all the same.
      await waitUntil(() => within(element, '[role=alert]').getBoundingClientRect().top >= 0, '', slow)
      expect(within<HTMLInputElement>(element, '#name').value).to.equal('Amina Otieno')
      expect(pay(element).textContent).not.to.contain('Preparing')
      cut = false
      // Asked for again without a press: then the amount is shown, and nothing is paid.
      await waitUntil(() => text(element).includes('Lamp'), '', slow)
      expect(text(element)).not.to.contain(said)
      expect(creates()).to.equal(0)
      pay(element).click()
      await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
      expect(creates()).to.equal(1)
    })

  it('and that is refused for the moment is told once, however often it is asked for again', async () => {
    const told: string[] = []
    const tell = (event: Event): void => void told.push((event as ErrorEvent).code)
    addEventListener('hc-error', tell)
    await show({ 'GET /v1/session': busy }, { session: 'ses_1' })
    await waitUntil(() => asked('GET /v1/session').length > 2, '', slow)
    removeEventListener('hc-error', tell)
    expect(told).to.deep.equal(['rate_limited'])
  })

  it('has its country asked only when it fixes none, and no field goes away again', async () => {
    const never = (): Promise<never> => new Promise(() => {})
    const element = await show(
      { 'GET /v1/markets': never, 'GET /v1/session': never },
      { session: 'ses_1', currency: 'XOF' },
    )
    await waitUntil(() => asked('GET /v1/session').length > 0, '', slow)
    await element.updateComplete
    expect(Boolean(within(element, '#name'))).to.equal(true)
    expect(Boolean(within(element, '#country'))).to.equal(false)
    const other = await show(
      { 'GET /v1/markets': never, 'GET /v1/session': () => ({ ...session, currency: 'XOF', country: undefined }) },
      { session: 'ses_2' },
    )
    await waitUntil(() => within(other, '#country'), '', slow)
  })

  it('is not taken for another one that the page has named meanwhile', async () => {
    const { come, answer } = later(() => session)
    let asks = 0
    const element = await show(
      {
        'GET /v1/session': () => ((asks += 1) === 1 ? answer() : boots),
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => asks === 1, '', slow)
    element.session = 'ses_2'
    await waitUntil(() => text(element).includes('Boots'), '', slow)
    come()
    await aTimeout(50)
    expect(text(element)).to.contain('Boots')
    expect(text(element)).to.contain('900')
  })
})

describe('a session that is over', () => {
  it('is no form to fill in for nothing: the reason alone, until the page names another', async () => {
    let over = true
    const element = await show(
      {
        'GET /v1/session': () => (over ? problem(404, 'session_invalid') : boots),
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => text(element).includes('This payment link is no longer valid.'), '', slow)
    expect(Boolean(within(element, 'form'))).to.equal(false)
    over = false
    element.session = 'ses_2'
    await waitUntil(() => text(element).includes('Boots'), '', slow)
    expect(Boolean(within(element, '[part~=pay-button]'))).to.equal(true)
    expect(text(element)).not.to.contain('no longer valid')
  })

  it('or was never one is a warning to whoever builds the page, without the token; an expired one is none', async () => {
    const own = console.warn
    const warned: string[] = []
    console.warn = (text: string) => void warned.push(text)
    try {
      const garbled = await show(
        { 'GET /v1/session': () => problem(404, 'session_invalid') },
        { session: 'ses_garbled' },
      )
      await waitUntil(() => text(garbled).includes('This payment link is no longer valid.'), '', slow)
      const expired = await show({ 'GET /v1/session': () => problem(410, 'session_expired') }, { session: 'ses_1' })
      await waitUntil(() => text(expired).includes('This payment link is no longer valid.'), '', slow)
    } finally {
      console.warn = own
    }
    expect(warned).to.deep.equal(['hc-checkout: session_invalid. The companion says session_invalid.'])
  })

  it('is told in the middle of the room that the form had', async () => {
    const element = await show({ 'GET /v1/session': () => problem(410, 'session_expired') }, { session: 'ses_1' })
    await waitUntil(() => within(element, '.note'), '', slow)
    const room = within(element, '.stack').getBoundingClientRect()
    const note = within(element, '.note').getBoundingClientRect()
    expect(room.height).to.be.at.least(560)
    expect(note.top - room.top).to.be.closeTo(room.bottom - note.bottom, 2)
  })

  it('as the companion says when Pay is pressed, is the same', async () => {
    const element = await show(
      {
        'GET /v1/session': () => boots,
        'POST /v1/deposits': () => problem(410, 'session_expired'),
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => text(element).includes('Boots'), '', slow)
    type(element, 'name', 'Amina Otieno')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => text(element).includes('This payment link is no longer valid.'), '', slow)
    expect(Boolean(within(element, 'form'))).to.equal(false)
  })
})

describe('a payment that has failed, of a session that comes only after "Try again"', () => {
  it('is told to the page once', async () => {
    const failed = view({ status: 'FAILED', phase: 'failed', version: 4 })
    const deposit = { id: 'dep_1', token: 'tok_1', createdAt: '' }
    localStorage.setItem('hc-checkout:https://pay.example:ses_1', JSON.stringify(deposit))
    const told: string[] = []
    const tell = (event: Event): void => void told.push(event.type)
    addEventListener('hc-failure', tell)
    const { come, answer } = later(() => ({ ...session, deposit }))
    const element = await show(
      { 'GET /v1/session': answer, 'GET /v1/deposits/dep_1': () => failed },
      { session: 'ses_1' },
    )
    await waitUntil(() => within(element, '[part~=again]'), '', slow)
    within(element, '[part~=again]').click()
    await waitUntil(() => within(element, 'form'), '', slow)
    come()
    await waitUntil(() => within(element, '[part~=again]'), '', slow)
    removeEventListener('hc-failure', tell)
    expect(told).to.deep.equal(['hc-failure'])
  })
})

describe('a session whose last attempt has come to nothing, as its page never came', () => {
  const lost = { phase: 'abandoned', version: 4, result: { code: 'address_lost', description: '' } } as const
  const deposit = { id: 'dep_1', token: 'tok_1', createdAt: '2030-01-01T11:17:00Z' }

  it('says so, and says thanks by itself when that attempt is paid after all: nobody pays again', async () => {
    let now = view(lost)
    const element = await show(
      { 'GET /v1/session': () => ({ ...session, deposit }), 'GET /v1/deposits/dep_1': () => now },
      { session: 'ses_1' },
    )
    await waitUntil(() => text(element).includes('The payment could not be opened'), '', slow)
    now = view({ phase: 'succeeded', status: 'SUCCESS', late: true, version: 5 })
    window.dispatchEvent(new Event('online'))
    await waitUntil(() => text(element).includes('Thank you'), '', slow)
    expect(creates()).to.equal(0)
  })

  it('takes another attempt in the place of that one', async () => {
    const element = await show(
      {
        'GET /v1/session': () => ({ ...session, deposit }),
        'GET /v1/deposits/dep_1': () => view(lost),
        'POST /v1/deposits': () => created({ id: 'dep_2' }),
      },
      { session: 'ses_1' },
    )
    await waitUntil(() => within(element, '[part~=again]'), '', slow)
    within(element, '[part~=again]').click()
    await waitUntil(() => within(element, '[part=form]'), '', slow)
    type(element, 'name', 'Amina Otieno')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => creates() === 1, '', slow)
    expect(asked('POST /v1/deposits')[0]!.body).to.deep.include({ replaces: 'dep_1', session: 'ses_1' })
  })
})
