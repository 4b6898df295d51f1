// From the click on Pay to the payment page, in a real browser: blocked tabs, in-app browsers,
// repeated presses, reloaded pages.
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { customer, openChromium, TOLD, widgetOf } from './customer.ts'
import { openSystem } from './fixture.ts'
import type { BrowserSystem } from './fixture.ts'

let browser: Browser
let system: BrowserSystem
let context: BrowserContext
let shop: Page
let widget: ReturnType<typeof widgetOf>

beforeAll(async () => {
  browser = await openChromium()
})
afterAll(() => browser.close())
beforeEach(async () => {
  system = await openSystem()
})
afterEach(async () => {
  await context?.close()
  await system?.close()
})

/** A customer in the shop, all fields filled in. */
async function atTheShop(
  attributes: Readonly<Record<string, string>> = {},
  options: BrowserContextOptions & { before?: string } = {},
): Promise<void> {
  const { before = '', ...rest } = options
  context = await customer(browser, rest)
  await context.addInitScript(`${TOLD};${before}`)
  shop = await context.newPage()
  widget = widgetOf(shop)
  await shop.goto(system.shop(attributes))
  await widget.fill()
}

const told = (): Promise<string[]> => shop.evaluate('told')
const openLink = (): Locator => widget.element.getByRole('link', { name: 'Open the payment page', exact: true })
const hostedPage = /\/checkout\//

/** What a browser does that refuses tabs. */
const NO_TABS = 'window.open = () => null'
/** What apps and popup blockers leave of it. */
const BROKEN_OPEN = {
  missing: 'window.open = undefined',
  'throwing an error': `window.open = () => { throw new Error('blocked') }`,
}

describe('a browser that refuses tabs', () => {
  test('goes to the payment page in the same tab; Back returns to the payment, not to an empty form', async () => {
    await atTheShop({}, { before: NO_TABS })
    await widget.payButton.click()
    await shop.waitForURL(hostedPage)
    expect(await shop.textContent('body')).toContain('2,500')

    await shop.goBack()
    await widget.heading('Your payment is open')
    await openLink().waitFor()
    await system.pays()
    await widget.heading(/^Thank you/)
    expect(context.pages()).toHaveLength(1)
    expect(system.creates()).toBe(1)
    expect(await told()).toEqual(['hc-success resumed'])
  })

  test.each(Object.entries(BROKEN_OPEN))(
    'goes to the payment page in the same tab too when window.open is %s',
    async (_, before) => {
      await atTheShop({}, { before })
      await widget.payButton.click()
      await shop.waitForURL(hostedPage)
      expect(system.creates()).toBe(1)
    },
  )

  test('goes there in the same tab, and Back returns to the shop, in an app that has one window only', async () => {
    // Android's WebView, unless its app allows several.
    await atTheShop({}, { before: 'window.open = () => top' })
    await widget.payButton.click()
    await shop.waitForURL(hostedPage)
    await shop.goBack()
    await widget.heading('Your payment is open')
    await openLink().waitFor()
    expect(await shop.textContent('body')).not.toContain('Opening the payment page')
    expect(system.creates()).toBe(1)
  })

  test('shows a link where the shop asked for a tab; the link leads to the same payment', async () => {
    await atTheShop({ presentation: 'tab' }, { before: NO_TABS })
    await widget.payButton.click()
    await openLink().waitFor()
    await widget.heading('Continue to payment')
    expect(shop.url()).toBe(system.shop({ presentation: 'tab' }))
    expect(await told()).toEqual(['hc-deposit-created'])

    const opening = context.waitForEvent('page')
    await openLink().click()
    const hosted = await opening
    await hosted.waitForURL(hostedPage)
    expect(await hosted.evaluate('opener')).toBeNull()
    expect(hosted.url()).toBe((await system.deposit()).checkoutUrl)
    await widget.heading('Pay on the page that opened')
    await system.pays()
    await widget.heading(/^Thank you/)
    expect(system.creates()).toBe(1)
    expect(await told()).toEqual(['hc-deposit-created', 'hc-checkout-opened', 'hc-success'])
  })

  test('a tab closed by the customer before the payment is ready leaves a link, and the page stays', async () => {
    await atTheShop()
    const answer = holdCreates('before')
    const opening = context.waitForEvent('page')
    await widget.payButton.click()
    await (await opening).close()
    answer.release()
    await openLink().waitFor()
    expect(shop.url()).toBe(system.shop())
    await system.pays()
    await widget.heading(/^Thank you/)
    expect(system.creates()).toBe(1)
  })
})

test('a tab that a sandboxed frame may not navigate is closed, and a link is left', async () => {
  const before = `{
    const open = window.open.bind(window)
    window.open = (...how) => {
      const tab = open(...how)
      const location = { replace() { throw new DOMException('not allowed', 'SecurityError') } }
      return { location, document: tab.document, get closed() { return tab.closed }, close: () => tab.close() }
    }
  }`
  await atTheShop({}, { before })
  await widget.payButton.click()
  await openLink().waitFor()
  await expect.poll(() => context.pages()).toHaveLength(1)
  expect(shop.url()).toBe(system.shop())
  expect(system.creates()).toBe(1)
})

describe('an in-app browser', () => {
  const ANDROID = 'Mozilla/5.0 (Linux; Android 13; TECNO BG6'
  const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/119.0.6045.193 Mobile Safari/537.36'
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
  const agents = {
    'Facebook on Android': `${ANDROID}; wv) ${CHROME} [FB_IAB/FB4A;FBAV/468.0.0.38.109;]`,
    'Instagram on an iPhone': `${IPHONE} Instagram 339.0.3.12.91 (iPhone14,5; iOS 17_5; en_KE)`,
    'another app’s WebView': `${ANDROID} Build/TP1A; wv) ${CHROME}`,
  }

  test.each(Object.entries(agents))(
    'pays in the same tab without asking for another, and finds back: %s',
    async (_, userAgent) => {
      // Such browsers give a tab that leads nowhere.
      const before = `window.open = () => { localStorage.opened = 'yes'; return { document, location: { replace() {} } } }`
      await atTheShop({}, { userAgent, before, hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })
      await widget.payButton.tap()
      await shop.waitForURL(hostedPage)
      await system.pays()
      await shop.goBack()
      await widget.heading(/^Thank you/)
      expect(await shop.evaluate('localStorage.opened')).toBeUndefined()
      expect(context.pages()).toHaveLength(1)
      expect(system.creates()).toBe(1)
    },
  )
})

describe('an impatient customer', () => {
  async function oneOfEach(): Promise<void> {
    await widget.heading('Pay on the page that opened')
    await expect.poll(() => context.pages()).toHaveLength(2)
    await context.pages()[1]!.waitForURL(hostedPage)
    await system.pays()
    await widget.heading(/^Thank you/)
    expect(context.pages()).toHaveLength(2)
    expect(system.creates()).toBe(1)
    expect(await system.deposits()).toHaveLength(1)
    expect(await told()).toEqual(['hc-deposit-created', 'hc-checkout-opened', 'hc-success'])
  }

  test('who clicks twice makes one payment and opens one tab', async () => {
    await atTheShop()
    const answer = holdCreates('before')
    await widget.payButton.dblclick()
    await widget.heading('Preparing your payment…')
    answer.release()
    await oneOfEach()
  })

  test('whose second click comes before the page could draw anything makes one payment', async () => {
    await atTheShop()
    await widget.payButton.evaluate((button) => {
      if (!(button instanceof HTMLElement)) throw new TypeError('no button')
      button.click()
      button.click()
    })
    await oneOfEach()
  })

  test('who taps twice with a thumb makes one payment', async () => {
    await atTheShop({}, { hasTouch: true })
    const answer = holdCreates('before')
    await widget.payButton.scrollIntoViewIfNeeded()
    const box = await widget.payButton.boundingBox()
    const [x, y] = [box!.x + box!.width / 2, box!.y + box!.height / 2]
    await shop.touchscreen.tap(x, y)
    await shop.touchscreen.tap(x, y)
    await widget.heading('Preparing your payment…')
    answer.release()
    await oneOfEach()
  })

  test('who presses Enter in a field, and again, makes one payment', async () => {
    await atTheShop()
    const answer = holdCreates('before')
    await widget.element.locator('#phone').press('Enter')
    await shop.keyboard.press('Enter')
    await widget.heading('Preparing your payment…')
    answer.release()
    await oneOfEach()
  })

  test('who presses before the order’s answer has come is told so, and pays once when it has', async () => {
    const { token } = await system.session()
    const answer = hold('GET /v1/session', 'after')
    await atTheShop({ session: token })
    await answer.held
    await widget.payButton.dblclick()
    await widget.payButton.filter({ hasText: 'Preparing your payment…' }).waitFor()
    await widget.payButton.click()
    expect(system.creates()).toBe(0)
    answer.release()
    await oneOfEach()
  })

  test('who presses too early and has not filled in all is shown what is missing, and nothing is paid', async () => {
    const { token } = await system.session()
    const answer = hold('GET /v1/session', 'after')
    await atTheShop({ session: token })
    await answer.held
    await widget.element.locator('#name').fill('')
    await widget.payButton.click()
    answer.release()
    await widget.element.locator('#name[aria-invalid=true]').waitFor()
    await widget.payButton.filter({ hasText: '2,500' }).waitFor()
    await widget.fill()
    await widget.payButton.click()
    await oneOfEach()
  })
})

describe('a page reloaded between click and answer', () => {
  test.each([
    ['has arrived, and its answer is lost', 'after'],
    ['is still on its way, and arrives later', 'before'],
  ] as const)('finds the one payment again when the request %s', async (_, when) => {
    await atTheShop()
    const answer = holdCreates(when)
    await widget.payButton.click()
    await answer.held
    await shop.reload()
    // The tab that was opened for it would say "Opening the payment page…" for ever.
    await expect.poll(() => context.pages()).toEqual([shop])
    await widget.heading(when === 'after' ? 'Your payment is open' : /^(Preparing your payment…|We are checking)$/)
    expect(await widget.payButton.count()).toBe(0)
    answer.release()
    await widget.heading('Your payment is open')
    expect(await openLink().getAttribute('href')).toBe((await system.deposit()).checkoutUrl)
    await system.pays()
    await widget.heading(/^Thank you/)
    expect(system.creates()).toBe(1)
    expect(await told()).toEqual(['hc-success resumed'])
  })

  test('finds it by the session as well, where the browser keeps nothing', async () => {
    const { token } = await system.session()
    await atTheShop(
      { session: token },
      { before: `Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })` },
    )
    const answer = holdCreates('after')
    await widget.payButton.click()
    await answer.held
    await shop.reload()
    await widget.heading('Your payment is open')
    answer.release()
    await system.pays()
    await widget.heading(/^Thank you/)
    expect(system.creates()).toBe(1)
  })
})

/** Holds requests at a door before the companion sees them, or their answers after it has acted. */
function hold(door: string, when: 'before' | 'after'): { readonly held: Promise<void>; release(): void } {
  let release = (): void => {}
  let seen = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const held = new Promise<void>((resolve) => (seen = resolve))
  system.between = async (request, next) => {
    if (`${request.method} ${new URL(request.url).pathname}` !== door) return next()
    const answer = when === 'after' ? await next() : undefined
    seen()
    await released
    return answer ?? next()
  }
  return { held, release: () => release() }
}
const holdCreates = (when: 'before' | 'after'): ReturnType<typeof hold> => hold('POST /v1/deposits', when)
