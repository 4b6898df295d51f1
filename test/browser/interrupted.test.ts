// Interruptions before the end of a payment, in a real browser: frozen and hidden pages, pages left
// and reopened, lost networks, a restarted companion, a result that changes later.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { browser, context, eachTestAtTheShop, system, shop } from './at-the-shop.ts'
import { STANDING_TIMERS, TOLD, widgetOf } from './customer.ts'
import { openPlainTab } from './plain-tab.ts'
import type { PlainTab } from './plain-tab.ts'

eachTestAtTheShop({
  // The driver switches the back-forward cache off unless told otherwise.
  without: ['--disable-back-forward-cache'],
  prepare: () => context.addInitScript(`${TOLD};${STANDING_TIMERS}`),
})

let widget: ReturnType<typeof widgetOf>
beforeEach(() => {
  widget = widgetOf(shop)
})

const told = (): Promise<string[]> => shop.evaluate('told')

/**
 * Pays in the shop up to the point where the payment page is open beside it, or a link leads there.
 */
async function begin(attributes: Readonly<Record<string, string>> = {}): Promise<void> {
  await shop.goto(system.shop(attributes))
  await widget.fill()
  await widget.payButton.click()
  await widget.element.locator('[part~=open-link]').waitFor()
}

async function watched(streams: number): Promise<void> {
  await expect.poll(() => system.watching()).toBe(streams)
}

/**
 * From now on no timer of the page's moves it: what it shows, it learnt from what happened to it.
 */
const standTimers = (): Promise<unknown> => shop.evaluate('timersStand = true')

describe('a tab that the phone puts to sleep', () => {
  /** In a tab that can be hidden and frozen, up to the open payment page. */
  async function beginInPlainTab(): Promise<PlainTab> {
    const tab = await openPlainTab(browser, `${TOLD};${STANDING_TIMERS};window.open = () => null`)
    onTestFinished(() => tab.close())
    await tab.goto(system.shop({ presentation: 'tab' }))
    await tab.until(`${CARD}.querySelector('[part~=pay-button]')`, 'the form is there')
    await tab.evaluate(`(() => {
      for (const [id, value] of [['amount', '2500'], ['name', 'Achieng Otieno'], ['phone', '0712345678']]) {
        const field = ${CARD}.querySelector('#' + id)
        field.value = value
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
      ${CARD}.querySelector('[part~=pay-button]').click()
    })()`)
    await tab.until(`${CARD}.querySelector('[part~=open-link]')`, 'the payment is open')
    await watched(1)
    return tab
  }
  const CARD = `(document.querySelector('hc-checkout')?.shadowRoot ?? document)`
  const title = (tab: PlainTab): Promise<string> => tab.evaluate(`${CARD}.querySelector('h2').textContent.trim()`)

  test('frozen while the payment ends: holds no connection, and says Paid as soon as it is seen again', async () => {
    const tab = await beginInPlainTab()
    const before = await title(tab)
    await tab.freeze()
    await watched(0)
    const asked = system.requests.length
    await system.pays()
    expect(system.requests).toHaveLength(asked)

    await tab.evaluate('timersStand = true')
    await tab.thaw()
    expect(await title(tab)).toBe(before)
    await tab.show()
    await tab.until(`${CARD}.querySelector('[part~=success]')`, 'the tab says Paid')
    expect(await tab.evaluate('told')).toEqual(['hc-deposit-created', 'hc-success'])
    expect(system.creates()).toBe(1)
  })

  test('frozen and thawed while nothing happened: follows the payment again', async () => {
    const tab = await beginInPlainTab()
    await tab.freeze()
    await watched(0)
    await tab.thaw()
    await tab.show()
    await watched(1)
    await system.pays()
    await tab.until(`${CARD}.querySelector('[part~=success]')`, 'the tab says Paid')
  })

  test('hidden until the agent is overdue: says that it still waits, warns of a second payment, and then Paid', async () => {
    const tab = await beginInPlainTab()
    await system.act('lock')
    await tab.hide()
    // No word comes through while nobody looks, and no timer runs.
    await tab.evaluate('timersStand = true')
    await system.stopCompanion()
    await system.startCompanion()
    await system.advance(16 * 60, 15)
    expect(await system.deposit()).toMatchObject({ phase: 'open', overdue: true })

    await tab.show()
    await tab.until(`/Still waiting/.test(${CARD}.querySelector('h2').textContent)`, 'the tab says that it waits')
    const words = await tab.evaluate<string>(`${CARD}.querySelector('[part~=waiting]').textContent`)
    expect(words).toContain('Do not pay again.')
    expect(words).toContain('I have not sent money')
    expect(words).not.toContain('Choose an agent before')
    await tab.evaluate('timersStand = false')

    await system.act('paid')
    await system.act('confirm')
    await system.until('succeeded')
    await tab.until(`${CARD}.querySelector('[part~=success]')`, 'the tab says Paid')
    expect(system.creates()).toBe(1)
  })
})

describe('a page that is left and come back to', () => {
  const KEPT = `addEventListener('pageshow', ({ persisted }) => { window.kept = persisted })`

  /**
   * Why the browser loaded a page anew instead of keeping it, and whether the page itself is to
   * blame.
   */
  const hindrances: { readonly type: string; readonly reason: string }[] = []
  async function prepare(more = ''): Promise<void> {
    hindrances.length = 0
    await shop.addInitScript(`${KEPT};${more}`)
    const devtools = await context.newCDPSession(shop)
    await devtools.send('Page.enable')
    devtools.on('Page.backForwardCacheNotUsed', (event) => void hindrances.push(...event.notRestoredExplanations))
  }

  /**
   * @returns whether the page is the one that was left; some Chromiums, and any without memory or
   *   time to spare, load it anew.
   */
  async function back(): Promise<boolean> {
    await shop.goBack({ waitUntil: 'commit' })
    await shop.waitForFunction('window.kept !== undefined')
    const kept = await shop.evaluate<boolean>('kept')
    if (kept) return true
    await expect.poll(() => hindrances).not.toEqual([])
    const all = hindrances.map(({ reason }) => reason).join(', ')
    process.stderr.write(`Chromium ${browser.version()} has loaded the page anew: ${all}.\n`)
    // A stream, a lock, a channel that was not let go of.
    expect(hindrances.filter(({ type }) => type !== 'Circumstantial')).toEqual([])
    return false
  }

  test('paid in the same tab: Back shows the page as it was left, and it says Paid at once', async () => {
    await prepare()
    await shop.goto(system.shop({ presentation: 'redirect' }))
    await widget.fill()
    await widget.payButton.click()
    await shop.waitForURL(/\/checkout\//)
    await watched(0)
    await system.pays()
    const kept = await back()
    await widget.heading(/^Thank you/)
    expect(system.creates()).toBe(1)
    const [last] = (await told()).slice(-1)
    expect(last).toBe(kept ? 'hc-success' : 'hc-success resumed')
  })

  test('left while it waits: lets go of its stream, and follows again after Back', async () => {
    await prepare('window.open = () => null')
    await begin({ presentation: 'tab' })
    await watched(1)
    await shop.goto(system.page('/delivery', '<title>Delivery</title>'))
    await watched(0)
    await back()
    await watched(1)
    await widget.heading('Your payment is open')
    await system.pays()
    await widget.heading(/^Thank you/)
    expect(system.creates()).toBe(1)
  })
})

describe('a browser that stores nothing, where Back loads the page again', () => {
  const refusal = `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })`
  /** Never kept in memory by the browser; its router has a state of its own. */
  const PAGE = `addEventListener('unload', () => {})
    if (!history.state) history.replaceState({ route: 7 }, '')`

  test.each([
    ['refuses storage', refusal],
    ['has none', `Object.defineProperty(window, 'localStorage', { value: null })`],
  ])(
    'one that %s: the payment that was begun is shown, not an empty form, until the customer goes on',
    async (_, script) => {
      await shop.addInitScript(`if (location.origin === '${system.shopUrl}') { ${script};${PAGE} }`)
      const address = system.shop({ presentation: 'redirect' })
      await shop.goto(address)
      await widget.fill()
      await widget.payButton.click()
      await shop.waitForURL(/\/checkout\//)
      await shop.goBack()
      await widget.heading('Your payment is open')
      const { id } = await system.deposit()
      expect(await shop.evaluate('history.state')).toMatchObject({ route: 7 })
      expect(await shop.evaluate('JSON.stringify(history.state)')).toContain(id)
      expect(shop.url()).toBe(new URL(address).href)
      await system.pays()
      await widget.heading(/^Thank you/)
      await widget.element.getByRole('button', { name: 'Start another payment' }).click()
      await widget.payButton.waitFor()
      expect(await shop.evaluate('JSON.stringify(history.state)')).toBe('{"route":7}')
      expect(system.creates()).toBe(1)
    },
  )
})

describe('a network that goes away', () => {
  test('offline while the payment ends: says so, and says Paid when the network is back', async () => {
    await begin()
    await watched(1)
    await context.setOffline(true)
    await widget.says('No connection. The payment continues.')
    await system.pays()
    await widget.heading('Pay on the page that opened')
    // Not its next turn, up to 30 s later, but the network itself wakes it.
    await standTimers()
    await context.setOffline(false)
    await widget.heading(/^Thank you/)
    expect(await told()).toEqual(['hc-deposit-created', 'hc-checkout-opened', 'hc-success'])
    expect(system.creates()).toBe(1)
  })

  test('companion restarted while the customer pays: the page finds back by itself', async () => {
    await begin()
    await watched(1)
    await system.stopCompanion()
    await widget.says('Connecting…')
    for (const what of ['lock', 'paid', 'confirm'] as const) await system.act(what)
    await system.advance(3)
    await system.startCompanion()
    await system.until('succeeded')
    await widget.heading(/^Thank you/)
    expect(await told()).toEqual(['hc-deposit-created', 'hc-checkout-opened', 'hc-success'])
    expect((await system.told()).map(({ type }) => type)).toEqual(['payment.succeeded'])
    expect(system.creates()).toBe(1)
  })

  test('companion restarted while the payment is made: the click is one payment all the same', async () => {
    await shop.goto(system.shop())
    await widget.fill()
    let arrived = (): void => {}
    const acted = new Promise<void>((resolve) => (arrived = resolve))
    system.between = async (request, next) => {
      const answer = await next()
      if (request.method !== 'POST') return answer
      arrived()
      return new Promise<never>(() => {})
    }
    await widget.payButton.click()
    await acted
    await system.stopCompanion()
    system.between = (_, next) => next()
    await widget.heading('We are checking')
    await system.startCompanion()
    await widget.heading('Pay on the page that opened')
    await system.pays()
    await widget.heading(/^Thank you/)
    expect(await system.deposits()).toHaveLength(1)
    expect((await system.told()).map(({ type }) => type)).toEqual(['payment.succeeded'])
  })
})

describe('a success after a failure', () => {
  const late = 'It arrived later than expected.'

  test('turns “Not paid” into Paid before the customer’s eyes, and says that it came late', async () => {
    await begin()
    await system.act('cancel')
    await system.until('failed')
    await widget.heading('Not paid')
    await widget.says(
      'The payment was cancelled, or the phone could not be reached. If money left your account, contact the shop with the reference. If not, try again.',
    )
    await system.act('confirm')
    await system.until('succeeded')
    await widget.heading(/^Thank you/)
    await widget.says(late)
    expect(await widget.element.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(await told()).toEqual(['hc-deposit-created', 'hc-checkout-opened', 'hc-failure', 'hc-success'])
  })

  test('is told to a customer who comes back after the page was closed on “Not paid”', async () => {
    await begin()
    await system.act('cancel')
    await system.until('failed')
    await widget.heading('Not paid')
    await shop.close()
    await system.act('confirm')
    await system.until('succeeded')
    const again = await context.newPage()
    await again.goto(system.shop())
    await widgetOf(again).heading(/^Thank you/)
    await widgetOf(again).says(late)
    expect(await again.evaluate('told')).toEqual(['hc-success resumed'])
    expect(system.creates()).toBe(1)
  })
})

test('a payment that was given up, but is paid before the next one begins, is shown and not lost', async () => {
  await begin()
  await widget.element.getByText('Page not opening? Start over').click()
  await widget.element.getByRole('button', { name: 'I have not sent money: start over' }).click()
  await widget.payButton.waitFor()
  await system.pays()
  await widget.payButton.click()
  await widget.heading(/^Thank you/)
  expect(await system.deposits()).toHaveLength(1)
  await shop.reload()
  await widget.heading(/^Thank you/)
})
