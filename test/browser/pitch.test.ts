// The demo as a pitch: three shops in two languages, what happened in plain words, and an address
// for every view.
import { beforeEach, expect, test } from 'vitest'
import { products, shops } from '../../demo/shop/catalogue.ts'
import { browser, context, eachTestAtTheDemo, shop, system } from './at-the-demo.ts'
import { axeFaults } from './axe.ts'

eachTestAtTheDemo()
beforeEach(() => open(''))

async function open(hash: string, tab = shop): Promise<void> {
  await tab.goto('about:blank')
  await tab.goto(`${system.credentials.shopUrl}/${hash}`)
  await tab.locator('#market option').first().waitFor({ state: 'attached' })
}

/** Buys the first thing, and pays it by the number that the sandbox plays as paid. */
async function pays(): Promise<void> {
  await shop.locator('[data-buy]:enabled').first().click()
  await shop.locator('#scenarios button').first().click()
  const opening = context.waitForEvent('page')
  await shop.locator('hc-checkout [part~=pay-button]').click()
  await (await opening).close()
  await shop.locator('#paid').waitFor()
}

test.each([
  [360, 640, 'nairobi', 'en'],
  [360, 640, 'dakar', 'fr'],
  [1280, 800, 'kampala', 'en'],
])('Pay is in view after Buy at %i × %i, in %s', async (width, height, id, language) => {
  await shop.setViewportSize({ width, height })
  await open(`#/${id}?lang=${language}`)
  await shop.locator('[data-buy]:enabled').first().click()
  const button = shop.locator('hc-checkout [part~=pay-button]')
  await button.waitFor()
  await expect
    .poll(async () => {
      const { y, height: tall } = (await button.boundingBox())!
      return y >= 0 && y + tall <= height
    })
    .toBe(true)
  // Scrolling ends between two pixels.
  expect((await shop.locator('#back').boundingBox())!.y).toBeGreaterThan(-1)
})

test.each([
  ['nairobi', 'en', 'Paid. Thank you! Your order is on its way.', 'wrote it into its books, once'],
  ['kampala', 'en', 'Paid. Thank you! The school office has your receipt.', 'wrote it into its books, once'],
  ['dakar', 'fr', 'Payé. Merci\u00A0! L’atelier commence aujourd’hui.', 'inscrite dans ses comptes, une fois'],
] as const)(
  'the shop in %s sells in its own words and money, in %s, and says what happened in plain words',
  async (id, language, paid, inTheBooks) => {
    await open(`#/${id}?lang=${language}`)
    const { name, city, country } = shops.find((one) => one.id === id)!
    expect(await shop.locator('#shops [aria-current]').textContent()).toContain(city)
    expect(await shop.locator('#shop-name').textContent()).toContain(name)
    expect(await shop.locator('#market').inputValue()).toBe(country)
    expect(await shop.locator('[data-product] h3').allTextContents()).toEqual(
      expect.arrayContaining(products.filter((one) => one.shop === id).map((one) => one.name)),
    )
    await pays()
    expect(await shop.locator('#paid').textContent()).toBe(paid)
    await shop.locator('#happenings').getByText(inTheBooks).waitFor()
    expect(await shop.locator('#happenings').textContent()).not.toContain('payment.succeeded')
    // The other words are one switch away.
    await shop.locator('#technical').check()
    await shop.locator('#happenings').getByText('Signed notice: payment.succeeded').waitFor()
    expect(await shop.title()).toMatch(/^✓ /)
  },
)

test('an outcome stands there from when there is a card to fill in: no press is lost', async () => {
  const held = Promise.withResolvers<void>()
  await shop.route('**/api/orders', async (route) => {
    await held.promise
    await route.continue()
  })
  await shop.locator('[data-buy=lantern]:enabled').click()
  await shop.locator('#checkout').waitFor()
  const outcome = shop.locator('#scenarios button').first()
  expect(await outcome.isVisible()).toBe(false)
  held.resolve()
  await outcome.click()
  await expect.poll(() => shop.locator('hc-checkout #name').inputValue()).toBe('Amina Test')
})

test('on a phone the outcomes stand before what happened; the code has the order', async () => {
  await shop.setViewportSize({ width: 360, height: 640 })
  await shop.locator('[data-buy=lantern]:enabled').click()
  const card = shop.locator('hc-checkout')
  await card.locator('[part~=locked]').waitFor()
  const top = async (place: string) => (await shop.locator(place).boundingBox())!.y
  expect(await top('#play')).toBeGreaterThan(await top('hc-checkout'))
  expect(await top('.behind')).toBeGreaterThan(await top('#play'))
  const session = (await card.getAttribute('session')) ?? ''
  expect(session.length).toBeGreaterThan(20)
  expect(await shop.locator('#code').textContent()).toContain(`session="${session}"`)
})

test('each shop keeps its country; the address names shop, country, language, light', async () => {
  await shop.selectOption('#market', 'GH')
  await shop.getByRole('link', { name: /Maison Teranga/ }).click()
  expect(await shop.locator('#market').inputValue()).toBe('SN')
  await shop.selectOption('#market', 'CI')
  await shop.selectOption('#language', 'fr')
  await shop.locator('#theme').click()
  const other = await (await browser.newContext()).newPage()
  await other.goto(shop.url())
  await other.getByRole('heading', { name: 'Coupé à Dakar' }).waitFor()
  expect(await other.locator('#market').inputValue()).toBe('CI')
  expect(await other.locator('html').getAttribute('data-theme')).toBe('dark')
  await other.context().close()
  await shop.getByRole('link', { name: /Nuru/ }).click()
  expect(await shop.locator('#market').inputValue()).toBe('GH')
})

test('a returning customer finds the waiting order; another browser reads whose it is', async () => {
  await shop.locator('[data-buy=lantern]:enabled').click()
  await shop.locator('hc-checkout [part~=locked]').waitFor()
  const address = shop.url()
  await shop.close()
  const later = await context.newPage()
  await open('', later)
  const order = /order\/(NURU-\w+)/.exec(address)?.[1] ?? ''
  await later.getByText(`Your order ${order} is waiting for payment.`).waitFor()
  await later.getByRole('button', { name: 'Continue' }).click()
  await later.locator('hc-checkout [part~=locked]').waitFor()
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(address)
  await stranger.getByText('This order was opened on another device.').waitFor()
  expect(await stranger.locator('hc-checkout').count()).toBe(0)
  await stranger.context().close()
})

test('the shop says what an open amount was paid for', async () => {
  await open('#/kampala/top-up')
  const card = shop.locator('hc-checkout')
  await card.locator('#amount').fill('20000')
  await shop.locator('#scenarios button').first().click()
  const opening = context.waitForEvent('page')
  await card.locator('[part~=pay-button]').click()
  await (await opening).close()
  await shop.getByText('UGX 20,000 paid towards the balance of Namata Grace.').waitFor()
})

test.each([
  ['light', 320],
  ['dark', 320],
  ['light', 1280],
  ['dark', 1280],
] as const)('every shop is accessible in %s at %i px', async (colorScheme, width) => {
  await shop.emulateMedia({ colorScheme })
  await shop.setViewportSize({ width, height: 800 })
  for (const { id } of shops) {
    await open(`#/${id}`)
    await shop.locator('[data-buy]:enabled').first().waitFor()
    expect(await axeFaults(shop), id).toEqual([])
    expect(await shop.evaluate('document.documentElement.scrollWidth - innerWidth'), id).toBeLessThanOrEqual(0)
  }
})

test.each(['en', 'fr'])(
  'no row of the head is half empty for the language and the light alone: in %s',
  async (language) => {
    for (const width of [1000, 1265, 1280]) {
      await shop.setViewportSize({ width, height: 800 })
      await open(`#/nairobi?lang=${language}`)
      const middle = async (what: string) => {
        const { y, height } = (await shop.locator(what).boundingBox())!
        return y + height / 2
      }
      // The name of the demo, language and light are in one line.
      await expect.poll(async () => Math.abs((await middle('.brand')) - (await middle('.controls')))).toBeLessThan(5)
      if (language === 'en' && width > 1240)
        expect((await shop.locator('.top').boundingBox())?.height, String(width)).toBeLessThan(90)
    }
  },
)

test('what happened has an end on a phone, and each line names its order once there are two', async () => {
  await shop.setViewportSize({ width: 360, height: 640 })
  const lines = shop.locator('#happenings li')
  const names = () => lines.locator('.of').allTextContents()
  const orderOf = async () => /[A-Z]+-\w+/.exec((await shop.locator('#summary-order').textContent()) ?? '')?.[0]
  await pays()
  const first = await orderOf()
  await shop.getByText('wrote it into its books').first().waitFor()
  expect(new Set(await names())).toEqual(new Set(['']))
  await shop.locator('#back').click()
  await pays()
  const second = await orderOf()
  await expect.poll(async () => new Set(await names())).toEqual(new Set([first, second]))
  const list = shop.locator('#happenings')
  expect((await list.boundingBox())?.height).toBeLessThanOrEqual(640 * 0.7 + 1)
  expect(await list.evaluate((all) => all.scrollHeight > all.clientHeight)).toBe(true)
  expect(await axeFaults(shop)).toEqual([])
})
