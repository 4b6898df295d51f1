// Staff leave many tabs of the console open, switch between them and reload them: each loads, and
// is live while it is looked at.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { atTheConsole, eachTestAtTheConsole, signIn, start, system } from './console-system.ts'

eachTestAtTheConsole()

const LIVE = 'Live: new payments appear by themselves.'

/** Without a window a browser shows all its tabs: the page is told so instead. */
const turn = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

test('ten tabs of the console are open, and the one that is looked at is live', async () => {
  const first = await atTheConsole()
  await signIn(first, 'viewer')
  await first.getByText(LIVE).waitFor()
  const tabs = [first]
  for (let n = 2; n <= 10; n++) {
    await turn(tabs.at(-1)!, true)
    const page = await first.context().newPage()
    await page.goto(`${system.companionUrl}/console`)
    await page.getByText(LIVE).waitFor()
    tabs.push(page)
  }
  // Shown again, it has what came meanwhile.
  await start()
  await tabs
    .at(-1)!
    .getByRole('link', { name: /Achieng Otieno/ })
    .waitFor()
  expect(await first.getByRole('link', { name: /Achieng Otieno/ }).count()).toBe(0)
  await turn(tabs.at(-1)!, true)
  await turn(first, false)
  await first.getByText(LIVE).waitFor()
  await first.getByRole('link', { name: /Achieng Otieno/ }).waitFor()
})

test('a tab that is loaded unseen is live once it is shown', async () => {
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  await page.addInitScript(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`)
  const opened: string[] = []
  page.on('request', (request) => opened.push(new URL(request.url()).pathname))
  await page.reload()
  await page.getByText('No payment yet').first().waitFor()
  expect(opened).toContain('/v1/payments')
  expect(opened).not.toContain('/v1/payments/events')
  await turn(page, false)
  await page.getByText(LIVE).waitFor()
})

test('a page that is reloaded many times in a row is live each time', async () => {
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  for (let n = 0; n < 15; n++) {
    await page.reload()
    await page.getByText(LIVE).waitFor()
  }
})
