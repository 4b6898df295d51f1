// What staff print: a list fills the sheet, however it lies, and says what it was asked for and
// when.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { atTheConsole, eachTestAtTheConsole, signIn, start, system } from './console-system.ts'

eachTestAtTheConsole()

/** Widths of A4 in CSS pixels, upright and lying, without margins, and lying at half the scale. */
const SHEETS = [718, 1047, 2094]

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.locator('main h1').waitFor()
  await expect.poll(() => page.locator('.waiting, [aria-busy=true]').count()).toBe(0)
}

test('each view fills the sheet, without the menu and the buttons', async () => {
  const { id } = await start()
  await system.pays()
  const now = Date.now()
  await system.store.apply(
    creation(depositRecord({ phase: 'succeeded', duplicate: true, createdAt: now, updatedAt: now, settledAt: now })),
  )
  const page = await atTheConsole()
  await signIn(page, 'owner')
  for (const view of ['/payments', `/payments/${id}`, '/owed', '/links', '/figures', '/health', '/audit']) {
    await goTo(page, view)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const width of SHEETS) {
      await page.setViewportSize({ width, height: 800 })
      const where = `${view} ${width}`
      expect((await page.locator('main').boundingBox())!.width, where).toBe(width)
      expect(
        await page.locator('aside, .top, main button, main input, main select').filter({ visible: true }).count(),
        where,
      ).toBe(0)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), where).toBeLessThanOrEqual(0)
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
      await page
        .locator('.printed', { hasText: /Printed .* by the\.owner\. All times are those of Africa\/Nairobi\./ })
        .waitFor()
    }
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
    expect(await page.locator('.printed').filter({ visible: true }).count(), view).toBe(0)
  }
})

test('a printed list says its filters and days, and when it was printed', async () => {
  await start()
  const page = await atTheConsole()
  await signIn(page, 'owner')
  const says = async (text: string | RegExp) => {
    await page.emulateMedia({ media: 'print' })
    await page.locator('.printed', { hasText: text }).waitFor()
    await page.emulateMedia({ media: 'screen' })
  }
  await says('Everything: no filter was set.')
  await page.getByRole('searchbox').fill('5678')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Country' }).selectOption('KE')
  await page.getByLabel('From day').fill('2026-01-31')
  await page.keyboard.press('Tab')
  await says('Find a payment: 5678 · Country: Kenya · From day: 2026-01-31')
  await page.getByRole('navigation').getByRole('link', { name: 'Owed back' }).click()
  await says('State: Still owed')
  await page.getByRole('navigation').getByRole('link', { name: 'Figures' }).click()
  await says('Days: Today')
  await page.emulateMedia({ media: 'print' })
  for (const width of [360, ...SHEETS]) {
    await page.setViewportSize({ width, height: 800 })
    await page.locator('.totals').waitFor()
    // No sum is cut off at the edge of the sheet.
    const beyond = await page.evaluate(
      "document.querySelector('.totals').scrollWidth - document.querySelector('.totals').parentElement.clientWidth",
    )
    expect(beyond, `${width}`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('navigation').getByRole('link', { name: 'Who did what' }).click()
  await page.getByLabel('Who (user name)').fill('the.owner')
  await page.keyboard.press('Tab')
  await says('Who (user name): the.owner')
  // It was left open over night.
  await page.clock.setFixedTime('2026-12-24T10:00:00Z')
  await page.pdf({ landscape: true })
  await says(/Printed 24 Dec 2026, 13:00 by the\.owner\./)
})
