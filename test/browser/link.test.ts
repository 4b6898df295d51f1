// The payment's own URL (/pay/…): fetched by chat previews, opened in another browser, and used
// without JavaScript.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browser, context, eachTestAtTheShop, system, shop, toThePaymentPage } from './at-the-shop.ts'
import { customer, STANDING_TIMERS, widgetOf } from './customer.ts'

eachTestAtTheShop()

/**
 * From now on the hosted page is one-time to the letter: another browser than the first gets 410.
 */
async function strict(): Promise<void> {
  const answer = await fetch(`${system.sandboxUrl}/console/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ strict_session: true }),
  })
  expect(answer.status).toBe(200)
}

const bots = ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'WhatsApp/2.23.20.0']

test('a chat that previews the link starts nothing, uses nothing up, and learns nothing of the payer', async () => {
  await strict()
  const session = await system.session()
  // No tab opens, so that nobody is at the hosted page before the bots come.
  const banks = shop.waitForResponse(/\/v1\/banks/)
  await shop.goto(system.shop({ presentation: 'tab' }))
  await shop.evaluate('window.open = () => null')
  await widgetOf(shop).element.locator('#bank').focus()
  // The companion has them from here on: it is not the bots that it asks the service for.
  await banks
  await widgetOf(shop).fill()
  await widgetOf(shop).payButton.click()
  await widgetOf(shop).element.getByRole('link', { name: 'Open the payment page' }).waitFor()
  const before = await system.deposit()
  const upstream = [...system.upstream]
  const { payUrl } = await paymentOf(shop)

  for (const agent of bots)
    for (const address of [payUrl, session.payUrl, `${system.companionUrl}/pay`])
      for (const method of ['HEAD', 'GET']) {
        const answer = await fetch(address, { method, redirect: 'manual', headers: { 'user-agent': agent } })
        expect(answer.status, `${method} ${address}`).toBe(200)
        expect(answer.headers.get('x-robots-tag')).toContain('noindex')
        expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
        expect(await answer.text()).not.toMatch(/Achieng|Otieno|712345678/)
      }
  // One that runs the page's script too.
  const preview = await customer(browser, { userAgent: bots[0] ?? '' })
  const seen: string[] = []
  preview.on('request', (request) => seen.push(`${request.method()} ${new URL(request.url()).origin}`))
  for (const address of [payUrl, session.payUrl]) {
    const page = await preview.newPage()
    await page.goto(address)
    await widgetOf(page).element.locator('[part~=card]').waitFor()
    await widgetOf(page).says(address === payUrl ? before.reference : 'A lantern')
  }
  expect(preview.pages()).toHaveLength(2)
  expect(seen.filter((one) => one.startsWith('POST'))).toEqual([])
  expect(seen.filter((one) => one.includes(system.sandboxUrl))).toEqual([])
  await preview.close()

  // Whoever watches a payment brings its next look forward; nothing else of it has moved.
  expect({ ...(await system.deposit()), dueAt: 0 }).toEqual({ ...before, dueAt: 0 })
  expect(system.upstream).toEqual(upstream)
  // The one-time page is still there for the customer.
  const opening = context.waitForEvent('page')
  await widgetOf(shop).element.getByRole('link', { name: 'Open the payment page' }).click()
  const hosted = await opening
  await hosted.locator('form:has([value=operator])').waitFor()
  await system.pays()
  await widgetOf(shop).heading(/^Thank you/)
})

test('where the hosted page opens once only, the second browser reads what to do, and pays without paying twice', async () => {
  await strict()
  await shop.goto(system.shop())
  const hosted = await toThePaymentPage()
  const first = await system.deposit()
  // The browser that opened it may come back to it.
  expect((await hosted.reload())?.status()).toBe(200)

  const laptop = await customer(browser)
  const page = await laptop.newPage()
  await page.goto((await paymentOf(shop)).payUrl)
  const widget = widgetOf(page)
  await widget.element.locator('[part~=waiting]').waitFor()
  const opening = laptop.waitForEvent('page')
  const refusal = laptop.waitForEvent('response', (answer) => answer.url().includes('/checkout/'))
  await widget.element.getByRole('link', { name: 'Open the payment page' }).click()
  expect((await refusal).status()).toBe(410)
  await (await opening).getByRole('heading', { name: 'This page was opened before' }).waitFor()

  await page.bringToFront()
  await widget.element.getByText('Page not opening? Start over').click()
  await widget.says('Only if no money has left your account.')
  await widget.element.getByRole('button', { name: 'I have not sent money: start over' }).click()
  await toThePaymentPage(page)
  const second = (await system.deposits()).find(({ reference }) => reference !== first.reference)
  if (second === undefined) throw new Error('There is no second payment.')
  await widget.says(second.reference)
  await system.pays(second.reference)
  await widget.heading(/^Thank you/)
  await widgetOf(shop).heading('This attempt is closed')
  expect((await system.told()).map(({ type, data }) => `${type} ${data.reference}`)).toEqual([
    `payment.succeeded ${second.reference}`,
  ])
})

test('after another try on the page of a payment its address is that of the new one: a reload, or another language, shows it', async () => {
  await shop.goto(system.shop())
  await toThePaymentPage()
  const first = await system.deposit()
  const phone = await customer(browser)
  const page = await phone.newPage()
  await page.goto(`${(await paymentOf(shop)).payUrl}?lang=en`)
  const widget = widgetOf(page)
  await widget.element.getByText('Page not opening? Start over').click()
  await widget.element.getByRole('button', { name: 'I have not sent money: start over' }).click()
  await toThePaymentPage(page)
  const second = (await system.deposits()).find(({ reference }) => reference !== first.reference)
  if (second === undefined) throw new Error('There is no second payment.')
  await widget.says(second.reference)
  for (const move of [() => page.reload(), () => page.getByRole('link', { name: 'Français' }).click()]) {
    await move()
    await widget.element.locator('[part~=waiting]').waitFor()
    await widget.says(second.reference)
  }
  expect(page.url()).toMatch(/\?lang=fr$/)
  await phone.close()
})

test('without JavaScript the whole payment goes from the form to the result, which comes by itself', async () => {
  const plain = await customer(browser, { javaScriptEnabled: false })
  const page = await plain.newPage()
  await page.goto(`${system.companionUrl}/pay`)
  await page.getByLabel('Amount (KES)').fill('2 500')
  await page.getByLabel('Full name').fill('Achieng Otieno')
  await page.getByLabel('Mobile number').fill('0712 345 678')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.waitForURL(/\/checkout\//)
  for (const step of ['operator', 'lock']) {
    await page.locator('input[type=radio]').first().check({ force: true })
    await page.locator(`form:has([value=${step}]) button`).click()
    await page.locator(`form:has([value=${step}])`).waitFor({ state: 'detached' })
  }
  await page.locator('form:has([value=paid]) button').click()
  await page.locator('form:has([value=paid])').waitFor({ state: 'detached' })

  await page.goto(`${system.companionUrl}/pay`)
  await page.getByRole('link', { name: 'See its status' }).click()
  await page.getByRole('heading', { name: 'Your payment is open' }).waitFor()
  await system.act('confirm')
  await system.until('succeeded')
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  expect(await page.getByText((await system.deposit()).reference).count()).toBeGreaterThan(0)
  expect((await system.told()).map(({ type }) => type)).toEqual(['payment.succeeded'])
})

/** What the widget knows of the payment it shows. */
async function paymentOf(page: Page): Promise<{ payUrl: string }> {
  const [stored] = (await page.evaluate(
    `Object.keys(localStorage).filter((key) => key.startsWith('hc-checkout:http')).map((key) => JSON.parse(localStorage[key]))`,
  )) as { id: string; token: string }[]
  const answer = await fetch(`${system.companionUrl}/v1/deposits/${stored?.id}`, {
    headers: { authorization: `Bearer ${stored?.token}` },
  })
  return (await answer.json()) as { payUrl: string }
}

test('while the widget comes, the languages below it do not rise into the first screen and fall out of it again', async () => {
  const phone = await customer(browser, { viewport: { width: 360, height: 640 }, isMobile: true })
  const page = await phone.newPage()
  // The element is there and has drawn nothing yet.
  await page.addInitScript(STANDING_TIMERS)
  await page.addInitScript('window.timersStand = true')
  await page.goto(`${system.companionUrl}/pay`)
  await page.evaluate("customElements.whenDefined('hc-checkout').then(() => {})")
  expect(await page.evaluate("document.querySelector('hc-checkout').shadowRoot?.querySelector('form') ?? 0")).toBe(0)
  expect((await page.locator('nav').boundingBox())?.y).toBeGreaterThanOrEqual(640)
})
