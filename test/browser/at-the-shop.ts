// Common setup of browser tests: a running system, a customer's browser without any data, and an
// empty tab for the shop's page.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { customer, openChromium, widgetOf } from './customer.ts'
import { openSystem } from './fixture.ts'
import type { BrowserSystem } from './fixture.ts'

export let browser: Browser
/** Of the running test, like the two after it. */
export let system: BrowserSystem
export let context: BrowserContext
export let shop: Page

/** For the head of a file: each of its tests begins so, and leaves nothing behind. */
export function eachTestAtTheShop(
  options: {
    /** Flags of the driver's own that are in the way. */
    readonly without?: readonly string[]
    /** Before the tab is opened. */
    readonly prepare?: () => Promise<unknown>
  } = {},
): void {
  const { without = [], prepare } = options
  beforeAll(async () => {
    browser = await openChromium({ without })
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    system = await openSystem()
    context = await customer(browser)
    await prepare?.()
    shop = await context.newPage()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((one) => one.close()))
    await system?.close()
  })
}

/**
 * Fills in, pays, and waits until the card waits beside the payment page. @returns that page's tab
 */
export async function toThePaymentPage(page: Page = shop): Promise<Page> {
  const widget = widgetOf(page)
  await widget.fill()
  const opening = page.context().waitForEvent('page')
  await widget.payButton.click()
  const hosted = await opening
  await hosted.waitForURL(/\/checkout\//)
  await widget.heading('Pay on the page that opened')
  return hosted
}
