// A link that opens a payment is in no request but the one for its page: no server on the way
// writes it down as `Referer`.
import { expect, test } from 'vitest'
import { browser, eachTestAtTheShop, shop, system } from './at-the-shop.ts'
import { customer, widgetOf } from './customer.ts'

eachTestAtTheShop()

/** The Referer of every request that reaches the companion from now on, by address. */
function listen(): Map<string, string[]> {
  const heard = new Map<string, string[]>()
  system.between = (request, next) => {
    const { pathname } = new URL(request.url)
    heard.set(pathname, [...(heard.get(pathname) ?? []), request.headers.get('referer') ?? ''])
    return next()
  }
  return heard
}

test('no request of a payment page names its link, with the widget and without', async () => {
  const { payUrl } = await system.session()
  const link = new URL(payUrl).pathname
  const heard = listen()
  await shop.goto(payUrl)
  await widgetOf(shop).says('A lantern')
  // Where the amount is fixed, the bank is behind a row.
  await widgetOf(shop).element.locator('summary', { hasText: 'Your bank, for the shop’s records' }).click()
  await widgetOf(shop).element.getByRole('combobox', { name: /bank/ }).waitFor()
  const plain = await customer(browser, { javaScriptEnabled: false })
  const page = await plain.newPage()
  await page.goto(payUrl)
  await page.getByLabel('Full name').fill('A')
  await page.locator('button[type=submit]').click()
  await page.locator('[aria-invalid=true]').first().waitFor()

  // The page loads much: its script, the bundles, markets, banks and the session.
  expect([...heard.keys()]).toEqual(expect.arrayContaining([link, '/pay/page.js', '/v1/session']))
  expect(heard.size).toBeGreaterThan(5)
  const said = [...heard].flatMap(([path, referers]) => referers.map((referer) => [path, referer]))
  expect(said.filter(([, referer]) => referer?.includes('/pay'))).toEqual([])
  // The form arrives: its Origin was not taken away together with the Referer.
  expect(system.requests).toContain(`POST ${link}`)
})
