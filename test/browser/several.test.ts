// Several of everything: tabs of one browser, browsers with one session, copies of the script on
// one page.
import { expect, test } from 'vitest'
import { browser, context, eachTestAtTheShop, system, toThePaymentPage } from './at-the-shop.ts'
import { customer, widgetOf } from './customer.ts'

eachTestAtTheShop()

test('eight tabs over HTTP/1.1 share one stream, and requests to the same server still pass', async () => {
  // The shop and its companion under one address, where a browser has six connections and no more.
  system.between = (request, next) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/shop')
      return new Response(
        `<!doctype html><title>Shop</title><script type="module" src="/widget/v1/hc-checkout.js"></script>
        <hc-checkout companion="${system.companionUrl}"></hc-checkout>`,
        { headers: { 'content-type': 'text/html' } },
      )
    return pathname === '/shop/stock' ? new Response('seven left') : next()
  }
  const first = await context.newPage()
  await first.goto(`${system.companionUrl}/shop`)
  const hosted = await toThePaymentPage(first)
  const tabs = [first]
  for (let count = 1; count < 8; count += 1) {
    const tab = await context.newPage()
    await tab.goto(`${system.companionUrl}/shop`)
    await widgetOf(tab).element.locator('[part~=waiting]').waitFor()
    tabs.push(tab)
  }
  await expect.poll(() => system.watching()).toBe(1)
  for (const tab of tabs)
    expect(await tab.evaluate(`fetch('/shop/stock', { cache: 'no-store' }).then((answer) => answer.text())`)).toBe(
      'seven left',
    )
  // One that was silent for 40 s, as with a clock that stands, is opened anew.
  await expect.poll(() => system.watching()).toBe(1)

  // The tab that has the stream goes; another takes its place, and all hear of the end.
  await first.close()
  await hosted.close()
  await expect.poll(() => system.watching()).toBe(1)
  await system.pays()
  for (const tab of tabs.slice(1)) await widgetOf(tab).heading(/^Thank you/)
  expect(system.creates()).toBe(1)
})

test('one session in two browsers is one payment, and both see its end', async () => {
  const { token } = await system.session()
  const phone = await context.newPage()
  const laptop = await (await customer(browser)).newPage()
  await phone.goto(system.shop({ session: token }))
  await laptop.goto(system.shop({ session: token }))
  // Both have the form before either pays.
  await widgetOf(laptop).says('A lantern')
  const first = await toThePaymentPage(phone)
  const second = await toThePaymentPage(laptop)
  expect(second.url()).toBe(first.url())
  const { reference } = await system.deposit()
  await widgetOf(phone).says(reference)
  await widgetOf(laptop).says(reference)
  expect(system.creates()).toBe(2)
  expect(system.upstream.filter((one) => one === 'POST /api/v2/payment/')).toHaveLength(1)

  // A third one, later, is shown the payment without being asked anything.
  const tablet = await (await customer(browser)).newPage()
  await tablet.goto(system.shop({ session: token }))
  await widgetOf(tablet).says(reference)

  await system.pays()
  for (const page of [phone, laptop, tablet]) await widgetOf(page).heading(/^Thank you/)
  expect((await system.told()).map(({ type }) => type)).toEqual(['payment.succeeded'])
})

test('two versions of the script and the legacy one on a page are one checkout', async () => {
  const shop = await context.newPage()
  const faults: string[] = []
  shop.on('pageerror', (error) => faults.push(error.message))
  const widget = `${system.companionUrl}/widget`
  // The parts of the first build are beside its own script only.
  system.between = (request, next) =>
    /0\.0\.0-test\/hc-(?!checkout)/.test(request.url) ? new Response('', { status: 404 }) : next()
  await shop.goto(
    system.page(
      '/thrice',
      `<!doctype html><title>Shop</title>
      <script type="module" src="${widget}/v1/hc-checkout.js"></script>
      <script type="module" src="${widget}/0.0.0-test/hc-checkout.js"></script>
      <script defer src="${widget}/v1/hc-checkout-legacy.js"></script>
      <hc-checkout companion="${system.companionUrl}"></hc-checkout>
      <script>addEventListener('hc-deposit-created', () => { document.title += '!' })</script>`,
    ),
  )
  await toThePaymentPage(shop)
  expect(system.requests.filter((one) => /hc-checkout(-legacy)?\.js$/.test(one))).toHaveLength(3)
  await system.pays()
  await widgetOf(shop).heading(/^Thank you/)
  expect(system.creates()).toBe(1)
  expect(await shop.title()).toBe('Shop!')
  expect(await shop.locator('hc-checkout [part~=card]').count()).toBe(1)
  expect(faults).toEqual([])
})
