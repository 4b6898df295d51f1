// A customer of the demo shop on a small, slow phone: nothing jumps from the shelf to the thanks,
// and Pay is in view as soon as the card is.
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { languages } from '../../server/contract/index.ts'
import { textsOf } from '../../widget/locales/index.ts'
import { browser, system, withTheDemo } from './at-the-demo.ts'
import { PATIENCE_MS, customer, widgetOf } from './customer.ts'
import { isInView, shiftsOf, slowDown, watchShifts } from './shifts.ts'

withTheDemo()
afterEach(async () => {
  await Promise.all(browser.contexts().map((one) => one.close()))
})

async function onThePhone(): Promise<Page> {
  const context = await customer(browser, { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  await watchShifts(page)
  return page
}

test('nothing jumps during a whole payment on a slow phone, neither in the shop nor in the card', async () => {
  const page = await onThePhone()
  await slowDown(page)
  await page.goto(system.credentials.shopUrl)
  await page.locator('[data-buy]:enabled').first().tap()
  const { element, payButton, heading } = widgetOf(page)
  await element.locator('.names').filter({ hasText: 'M-Pesa' }).waitFor()
  await element.locator('#name').fill('Amina Otieno')
  // The sandbox plays this number: paid within seconds.
  await element.evaluate((card) => card.setAttribute('payer-phone', '+254712000001'))
  const opening = page.context().waitForEvent('page')
  await payButton.tap()
  await (await opening).close()
  await heading('Thank you, Amina')
  // The page's policy forbids what waitForFunction does with a text.
  const moving = () => page.evaluate('document.querySelector("hc-checkout").shadowRoot.getAnimations().length')
  await expect.poll(moving, { timeout: PATIENCE_MS }).toBe(0)
  const shifts = await shiftsOf(page)
  const sum = (of: typeof shifts): number => of.reduce((all, { value }) => all + value, 0)
  expect(sum(shifts.filter(({ hadRecentInput }) => !hadRecentInput)), JSON.stringify(shifts)).toBeLessThanOrEqual(0.05)
  expect(sum(shifts.filter(({ isInCard }) => isInCard)), JSON.stringify(shifts)).toBeLessThanOrEqual(0.02)
})

test('after Buy the whole of Pay is in view, with the TEST mark and the name of the shop, in every language', async () => {
  const page = await onThePhone()
  for (const language of languages) {
    await page.goto('about:blank')
    await page.goto(`${system.credentials.shopUrl}/#/nairobi?lang=${language}`)
    await page.locator('[data-buy]:enabled').first().tap()
    const { element, payButton } = widgetOf(page)
    await element.getByText(textsOf(language).next).waitFor()
    await payButton.filter({ hasText: /\d[,\u202f]\d{3}/ }).waitFor()
    for (const place of [
      element.locator('.test'),
      element.locator('.shop'),
      page.locator('#checkout-title'),
      payButton,
    ])
      await expect.poll(async () => [language, await isInView(page, place)]).toEqual([language, true])
  }
})
