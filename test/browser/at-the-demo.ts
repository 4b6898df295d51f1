// Common setup of the demo's browser tests: the system that `npm start` starts, once for a file,
// and a customer's browser.
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { chromiumArgs, chromiumPath } from '../helpers/chromium.ts'
import { type LocalSystem, startLocalSystem } from '../helpers/start-local-system.ts'
import { PATIENCE_MS } from './customer.ts'

export let system: LocalSystem
export let browser: Browser
/** Of the running test, with the tab below. */
export let context: BrowserContext
export let shop: Page

/** For the head of a file. */
export function withTheDemo(options?: Parameters<typeof startLocalSystem>[0]): void {
  beforeAll(async () => {
    system = await startLocalSystem(options)
    browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
  })
  afterAll(async () => {
    await browser?.close()
    await system?.remove()
  })
}

/** The same, and each test begins with an empty tab; no script may fail in it. */
export function eachTestAtTheDemo(): void {
  withTheDemo()
  const faults: string[] = []
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-KE', timezoneId: 'Africa/Nairobi' })
    context.setDefaultTimeout(PATIENCE_MS)
    shop = await context.newPage()
    shop.on('pageerror', (error) => faults.push(error.message))
  })
  afterEach(async () => {
    await context.close()
    expect(faults.splice(0)).toEqual([])
  })
}
