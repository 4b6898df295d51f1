// What comes between a customer and the end of a payment, in a real browser: refused tabs, in-app browsers, frozen pages, lost networks.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { customer, openChromium, TEST_PATIENCE_MS, widgetOf } from './customer.ts'
import { openHouse } from './fixture.ts'
import type { BrowserHouse } from './fixture.ts'

vi.setConfig({ testTimeout: TEST_PATIENCE_MS })

let browser: Browser
let house: BrowserHouse
let context: BrowserContext
let shop: Page

beforeAll(async () => {
  browser = await openChromium()
}, TEST_PATIENCE_MS)
afterAll(() => browser.close())
beforeEach(async () => {
  house = await openHouse()
  context = await customer(browser)
  shop = await context.newPage()
})
afterEach(async () => {
  await context.close()
  await house.close()
})

test('smoke', async () => {
  await shop.goto(house.shop())
  const widget = widgetOf(shop)
  await widget.fill()
  const opening = context.waitForEvent('page')
  await widget.payButton.click()
  const hosted = await opening
  await hosted.waitForURL(/\/checkout\//)
  await widget.heading('Pay on the page that has opened')
  await house.pays()
  await widget.heading('Paid')
  expect(house.creates()).toBe(1)
  expect(house.notices.map(({ type }) => type)).toEqual(['payment.succeeded'])
})
