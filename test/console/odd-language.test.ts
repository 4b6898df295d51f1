// A browser whose own language is no language tag, as Chromium has it on a machine without any.
import { expect, test } from 'vitest'
import { atTheConsole, eachTestAtTheConsole, signIn, start } from './console-system.ts'

eachTestAtTheConsole()

test('a browser without a usable language shows payments and figures', async () => {
  await start()
  const page = await atTheConsole()
  await page.addInitScript(`Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' })`)
  await page.reload()
  await signIn(page, 'operator')
  await page.getByRole('navigation').getByRole('link', { name: 'Figures' }).click()
  await page.locator('.plot details[open] table').first().waitFor()
  expect(await page.locator('.plot .canvas:visible').count()).toBe(0)
})
