// From a payment back to the list: to the row that was opened, where it was on the screen.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { atTheConsole, eachTestAtTheConsole, signIn, system } from './console-system.ts'

eachTestAtTheConsole()

async function addPayments(from: number, to: number, createdAt: number): Promise<void> {
  for (let n = from; n < to; n++)
    await system.store.apply(
      creation(
        depositRecord({
          id: `dep_${n}`,
          createdAt: createdAt - n * 60_000,
          updatedAt: createdAt,
          payer: { name: `Payer ${n}`, phone: '254712345678' },
        }),
      ),
    )
}

const top = async (page: Page, n: number) => (await page.locator(`a[href="#/payments/dep_${n}"]`).boundingBox())!.y
const scrolled = (page: Page) => page.evaluate<number>('scrollY')

async function open(page: Page, n: number): Promise<void> {
  await page.locator(`a[href="#/payments/dep_${n}"]`).click()
  await page.getByRole('heading', { name: `from Payer ${n}` }).waitFor()
  await expect.poll(() => scrolled(page)).toBe(0)
}

test('back from a payment, by the link or by the browser, the list is where it was left', async () => {
  const now = Date.now()
  await addPayments(0, 40, now)
  const page = await atTheConsole({ viewport: { width: 360, height: 640 } })
  await signIn(page, 'viewer')
  await page.locator('a.item').first().waitFor()
  await page.evaluate(`scrollTo(0, ${await top(page, 25)} - 300)`)
  const before = await top(page, 25)
  expect(before).toBeCloseTo(300, -1)
  for (const back of ['link', 'browser'] as const) {
    await open(page, 25)
    if (back === 'link') await page.getByRole('link', { name: 'Back to the list' }).click()
    else await page.goBack()
    await expect.poll(() => scrolled(page)).toBeGreaterThan(1000)
    expect(Math.abs((await top(page, 25)) - before), back).toBeLessThan(3)
    expect(await page.evaluate('document.activeElement.getAttribute("href")'), back).toBe('#/payments/dep_25')
  }
  // Others have come meanwhile.
  await open(page, 25)
  await addPayments(40, 45, now + 3_600_000)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => scrolled(page)).toBeGreaterThan(1000)
  expect(Math.abs((await top(page, 25)) - before)).toBeLessThan(3)
})

test('who goes to the payments by the menu, or to another list of them, begins at its top', async () => {
  await addPayments(0, 40, Date.now())
  const page = await atTheConsole({ viewport: { width: 1280, height: 640 } })
  await signIn(page, 'viewer')
  await page.locator('a.item').first().waitFor()
  for (const link of ['Payments', 'All payments of this phone']) {
    await open(page, 25)
    await page.getByRole('link', { name: link, exact: true }).click()
    await page.locator('a.item').nth(30).waitFor()
    expect(await page.evaluate('document.activeElement.tagName'), link).toBe('H1')
    expect(await scrolled(page), link).toBe(0)
  }
})
