// Opens customers' browsers, and operates the widget as a customer does.
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Route } from 'playwright-core'
import { chromiumArgs, chromiumPath } from '../helpers/chromium.ts'

/** Longest that a machine which runs everything at once may take for one step. */
export const PATIENCE_MS = 60_000

/** @param options.without flags of playwright's own that are in the way */
export async function openChromium(
  options: { readonly args?: readonly string[]; readonly without?: readonly string[] } = {},
): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    args: [...chromiumArgs, ...(options.args ?? [])],
    ...(options.without === undefined ? {} : { ignoreDefaultArgs: [...options.without] }),
  })
}

/** A browser of somebody in Nairobi, with nothing in it. */
export async function customer(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-KE', timezoneId: 'Africa/Nairobi', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  return context
}

/**
 * Handles the first request to `url`; later ones go on. With Playwright's own `times: 1` the
 * interception ends while the page loads. Then 4 of 100 reloads never end.
 */
export async function routeOnce(page: Page, url: string, handle: (route: Route) => Promise<void>): Promise<void> {
  let isFirst = true
  await page.route(url, (route) => {
    const handled = isFirst ? handle(route) : route.fallback()
    isFirst = false
    return handled
  })
}

/** Where the amount is fixed, the phone is behind a row. */
export async function fillPhone(page: Page, phone: string): Promise<void> {
  const field = page.locator('hc-checkout #phone')
  await field.waitFor({ state: 'attached' })
  const row = page.locator('hc-checkout .folds details').filter({ has: page.locator('#phone') })
  if (!(await field.isVisible())) await row.locator('summary').click()
  await field.fill(phone)
}

/** The element of a page, and what one does with it. Playwright looks through its shadow root. */
export function widgetOf(page: Page): {
  readonly element: Locator
  /** Types amount (unless a session has it), name and phone. */
  fill(fields?: { amount?: string; name?: string; phone?: string }): Promise<void>
  readonly payButton: Locator
  /** Waits until the card says this. */
  says(words: string | RegExp): Promise<void>
  heading(title: string | RegExp): Promise<void>
} {
  const element = page.locator('hc-checkout')
  return {
    element,
    payButton: element.locator('[part~=pay-button]'),
    async fill({ amount = '2500', name = 'Achieng Otieno', phone = '0712345678' } = {}) {
      await element.locator('#name').fill(name)
      await fillPhone(page, phone)
      if ((await element.locator('#amount').count()) > 0) await element.locator('#amount').fill(amount)
    },
    // What stands in the element for browsers without the script says much the same, unseen.
    says: (words) => element.getByText(words).filter({ visible: true }).first().waitFor(),
    heading: (title) => element.getByRole('heading', { name: title, exact: true }).waitFor(),
  }
}

/**
 * For `addInitScript`: a page whose timers stand still once `timersStand` is set, so that only what
 * happens can move it, however slow the machine.
 */
export const STANDING_TIMERS = `{
  const real = window.setTimeout
  window.setTimeout = (work, ms) => real(() => window.timersStand || work(), ms)
}`

/**
 * In a page with STANDING_TIMERS: waits until the form has loaded all that it loads by itself; from
 * then on its timers stand.
 */
export async function standTimersAtTheForm(page: Page): Promise<void> {
  const { element } = widgetOf(page)
  await element.locator('.chips button').first().waitFor()
  await element.getByRole('combobox', { name: /bank/ }).waitFor()
  await page.evaluate('timersStand = true')
}

/** For `addInitScript`: the widget's events, by name, in `told`. */
export const TOLD = `window.told = []
for (const name of ['hc-deposit-created', 'hc-checkout-opened', 'hc-success', 'hc-failure', 'hc-error'])
  document.addEventListener(name, ({ resumed }) => told.push(name + (resumed ? ' resumed' : '')))`
