// A shop whose page has a service worker that keeps every answer, also of the companion: the answer
// about one order must not be taken for that about another.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eachTestAtTheShop, shop, system } from './at-the-shop.ts'
import { widgetOf } from './customer.ts'

eachTestAtTheShop()

/** Answers from its cache, and asks for the next time: as many generated workers do. */
const worker = (options: string): string => `
  self.addEventListener('install', () => self.skipWaiting())
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
  self.addEventListener('fetch', (event) => {
    if (event.request.method !== 'GET') return
    event.respondWith((async () => {
      const kept = await caches.match(event.request, ${options})
      const asked = fetch(event.request).then(async (answer) => {
        if (answer.ok) await (await caches.open('all')).put(event.request, answer.clone()).catch(() => {})
        return answer
      })
      if (!kept) return asked
      asked.catch(() => {})
      return kept
    })())
  })`

async function install(page: Page, options: string): Promise<void> {
  system.page('/worker.js', worker(options), { 'content-type': 'text/javascript' })
  await page.goto(system.page('/install', '<!doctype html><title>install</title>'))
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js')
    if (navigator.serviceWorker.controller === null)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })
}

async function pay(page: Page): Promise<void> {
  await widgetOf(page).fill()
  await widgetOf(page).payButton.click()
  await widgetOf(page).element.locator('[part~=open-link]').waitFor()
}

const fridge = { orderId: 'ORDER-B', amount: 90_000, description: 'A solar fridge' }

test.each([
  ['its cache heeds Vary', '{}'],
  ['its cache ignores Vary', '{ ignoreVary: true }'],
])('an order is not said to be paid by the payment of another, where %s', async (_what, options) => {
  await install(shop, options)
  const [lantern, other] = [await system.session(), await system.session(fridge)]
  await shop.goto(system.shop({ session: lantern.token, presentation: 'tab' }))
  await pay(shop)
  await system.pays()
  await widgetOf(shop).heading(/^Thank you/)
  // Kept with its payment.
  await shop.reload()
  await widgetOf(shop).heading(/^Thank you/)

  await shop.goto(system.shop({ session: other.token, presentation: 'tab' }))
  await widgetOf(shop).says('A solar fridge')
  expect(await widgetOf(shop).payButton.textContent()).toContain('90,000')
  await pay(shop)
  expect((await system.deposits()).map(({ orderId, phase }) => [orderId, phase])).toEqual([
    ['ORDER-B', 'open'],
    [expect.anything(), 'succeeded'],
  ])
})

test.each([
  ['its cache heeds Vary', '{}'],
  ['its cache ignores Vary', '{ ignoreVary: true }'],
])('the answer to one attempt is not taken for that to another, where %s', async (_what, options) => {
  await install(shop, options)
  for (const [order, amount, shown] of [
    ['BASKET-A', '2500', '2,500'],
    ['BASKET-B', '90000', '90,000'],
  ] as const) {
    // The payment is made, and its answer does not come before the page is loaded again.
    system.between = async (request, next) => {
      const answer = await next()
      return request.method === 'POST' ? new Promise<never>(() => {}) : answer
    }
    await shop.goto(system.shop({ 'client-reference': order, presentation: 'tab' }))
    const { fill, payButton } = widgetOf(shop)
    await fill({ amount })
    await payButton.click()
    const made = async () => (await system.deposits()).find((deposit) => deposit.amount === Number(amount))?.id
    await expect.poll(made).toBeDefined()
    system.between = (_, next) => next()
    await shop.reload()
    await widgetOf(shop).element.locator('[part~=open-link]').waitFor()
    await widgetOf(shop).says(shown)
    expect(JSON.stringify(await shop.context().storageState())).toContain(await made())
  }
})
