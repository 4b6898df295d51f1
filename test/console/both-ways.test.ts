// Names, orders and notes that run from right to left, beside phones and amounts: each is read in
// its own order, on a phone, at a desk and on paper.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { atTheConsole, eachTestAtTheConsole, signIn, start, system } from './console-system.ts'

eachTestAtTheConsole()

const NAME = 'محمد عبدي'

/** Phones and amounts whose first sign does not stand left of the last one. */
const reversed = `(() => {
  const left = (node, at) => {
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    return range.getBoundingClientRect().left
  }
  const found = []
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    for (const { 0: text, index } of node.data.matchAll(/\\+252[ \\d]*\\d|KSh\\s[\\d,]*\\d/g))
      if (node.parentElement.getClientRects().length > 0)
        found.push([text, left(node, index) < left(node, index + text.length - 1)])
  return found
})()`

/** Arabic that stands beside other text, and not in an element that keeps it apart. */
const mixed = `(() => {
  const found = []
  const walker = document.createTreeWalker(document.querySelector('hc-console'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (/[\\u0600-\\u06ff]/.test(node.data) && node.parentElement.closest('bdi, pre, textarea, td') === null)
      if (node.parentElement.textContent.trim() !== node.data.trim() || node.parentElement.tagName !== 'DD')
        found.push(node.data.trim())
  return found
})()`

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.locator('main h1').waitFor()
  await expect.poll(() => page.locator('.waiting, [aria-busy=true]').count()).toBe(0)
}

async function isReadable(page: Page, at: string, sums: number): Promise<void> {
  for (const width of [360, 1280])
    for (const media of ['screen', 'print'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ media })
      const where = `${at} ${width} ${media}`
      const found = await page.evaluate<[string, boolean][]>(reversed)
      expect(found.length, where).toBeGreaterThanOrEqual(sums)
      expect(
        found.filter(([, isOrdered]) => !isOrdered),
        where,
      ).toEqual([])
      expect(await page.evaluate(mixed), where).toEqual([])
    }
  await page.emulateMedia({ media: 'screen' })
}

test('a phone and an amount beside an Arabic name are not turned around, in any view', async () => {
  const now = Date.now()
  await system.store.apply(
    creation(
      depositRecord({
        id: 'dep_1',
        phase: 'succeeded',
        duplicate: true,
        createdAt: now,
        updatedAt: now,
        settledAt: now,
        payer: { name: NAME, phone: '252612000333' },
        orderId: 'طلب 17',
        description: 'حقيبة 3',
      }),
    ),
  )
  await start({ payer: { name: NAME, phone: '252612000333' } })
  const page = await atTheConsole()
  await signIn(page, 'owner')
  await goTo(page, '/payments')
  await isReadable(page, 'payments', 4)
  await goTo(page, '/owed')
  await isReadable(page, 'owed', 2)
  await goTo(page, '/payments/dep_1')
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('Note', { exact: true }).fill(`${NAME} 0612`)
  await page.locator('form.act').getByRole('button', { name: 'Add a note' }).click()
  await page.locator('.story').getByText(NAME).waitFor()
  await page.getByRole('button', { name: 'Mark as paid back' }).click()
  await page.getByLabel('How it was paid back').fill('محول 12')
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await page
    .getByText(/^Paid back on/)
    .first()
    .waitFor()
  await isReadable(page, 'payment', 3)
  await goTo(page, '/owed')
  await page.getByRole('button', { name: 'Paid back' }).click()
  await page.getByText(/^Paid back on/).waitFor()
  await isReadable(page, 'paid back', 2)
  await goTo(page, '/links')
  await page.getByLabel('Amount (KES)').fill('4500')
  await page.getByLabel('What for').fill('حقيبة')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByRole('heading', { name: /The link is ready/ }).waitFor()
  await page.getByRole('button', { name: 'Close this link' }).click()
  await page.getByLabel('Reason').fill('رقم خطأ')
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await page.getByText(/^Closed .* by the\.owner/).waitFor()
  await isReadable(page, 'links', 1)
  await goTo(page, '/audit')
  await page.getByText(NAME).first().waitFor()
  await isReadable(page, 'audit', 0)
})
