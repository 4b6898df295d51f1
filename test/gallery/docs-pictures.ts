// `npm run docs:pictures`: the pictures that the documentation shows, taken of the running demo,
// into demo/docs/pictures: at a desk of 1280 by 800, by day, in English. A test compares them with
// what the pages show.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { PATIENCE_MS, customer, openChromium } from '../browser/customer.ts'
import { root } from '../helpers/run-quietly.ts'
import { startLocalSystem } from '../helpers/start-local-system.ts'

interface Desk {
  readonly context: BrowserContext
  readonly page: Page
  readonly shopUrl: string
  /** Where the shop's people sign in. */
  readonly consoleUrl: string
}

/** Buys a lamp and pays it by the number that the sandbox plays as paid. */
async function paid({ context, page }: Desk): Promise<void> {
  await page.locator('[data-buy=lantern]:enabled').click()
  await page.locator('#scenarios button').first().click()
  const opening = context.waitForEvent('page')
  await page.locator('hc-checkout [part~=pay-button]').click()
  await (await opening).close()
  await page.locator('#paid').waitFor()
  await page.locator('#happenings').getByText('into its books, once').waitFor()
}

/** What is done before each picture is taken, by its name. */
export const pictures: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  async shop({ page }) {
    await page.locator('[data-buy]:enabled').first().waitFor()
    await page.locator('.operators[aria-busy=false]').waitFor()
  },
  async pay({ page }) {
    await page.locator('[data-buy=lantern]:enabled').click()
    await page.locator('hc-checkout [part~=locked]').waitFor()
    await page.locator('#scenarios button').first().click()
    // The outcomes stand below the card, which is what is shown.
    await page.locator('#checkout').evaluate((one) => one.scrollIntoView())
  },
  paid,
  async 'break-it'({ page }) {
    await page.locator('[data-break=forge]:enabled').click()
    await page.locator('#verdict [data-state=right]').waitFor()
    await page.locator('hc-checkout [part~=failure]').waitFor()
  },
  async presenter({ page, shopUrl }) {
    await page.goto(`${shopUrl}/#/nairobi?present=1`)
    await page.locator('#presenter').waitFor()
    await page.locator('[data-buy]:enabled').first().waitFor()
  },
  async playground({ page, shopUrl }) {
    await page.goto(`${shopUrl}/playground.html#/?a.country=SN&a.locale=fr&t.--hc-accent=%238a2f6b`)
    await page.locator('hc-checkout').getByLabel('Nom complet').waitFor()
  },
  async console(desk) {
    const { page, consoleUrl } = desk
    await paid(desk)
    await page.goto(consoleUrl)
    await page.getByLabel('User name').fill('demo')
    await page.getByLabel('Password').fill('demo-console')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor()
    await page.getByText('Amina').first().waitFor()
  },
}

if (import.meta.main) {
  const folder = join(root, 'demo/docs/pictures')
  mkdirSync(folder, { recursive: true })
  const system = await startLocalSystem()
  const browser = await openChromium()
  try {
    const { shopUrl, companionUrl } = system.credentials
    for (const [name, prepare] of Object.entries(pictures)) {
      const context = await customer(browser, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
      context.setDefaultTimeout(PATIENCE_MS)
      const page = await context.newPage()
      await page.goto(shopUrl)
      await prepare({ context, page, shopUrl, consoleUrl: `${companionUrl}/console/` })
      await page.evaluate(() => document.fonts.ready)
      await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
      console.log(`demo/docs/pictures/${name}.png`)
      await context.close()
    }
  } finally {
    await browser.close()
    await system.remove()
  }
}
