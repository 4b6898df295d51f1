// What the demo loads and when: the first view without what it does not show, and goods that can be
// bought although a later part never comes.
import { expect, test } from 'vitest'
import { eachTestAtTheDemo, shop, system } from './at-the-demo.ts'
import { axeFaults } from './axe.ts'

const INCOMPLETE = 'A part of this page did not come.'

eachTestAtTheDemo()

const open = (hash = ''): Promise<unknown> => shop.goto(`${system.credentials.shopUrl}/${hash}`)

/** No file of the page whose name begins like this comes. */
const lose = (name: string): Promise<unknown> =>
  shop.route(new RegExp(`/assets/${name}-[^/]*$`), (route) => route.abort('connectionfailed'))

/** @returns lets the shop answer, which waits until then */
async function hold(): Promise<() => void> {
  let answer = (): void => {}
  const isReleased = new Promise<void>((resolve) => (answer = resolve))
  await shop.route('**/api/shop', async (route) => {
    await isReleased
    await route.continue()
  })
  return answer
}

async function buys(): Promise<void> {
  await shop.locator('[data-buy]:enabled').first().click()
  await shop.locator('hc-checkout [part~=locked]').waitFor()
}

test('the goods can be bought before the page has what no first view needs', async () => {
  const names: string[] = []
  shop.on('request', (request) => names.push(/\/assets\/(\w+)-/.exec(request.url())?.[1] ?? ''))
  const answer = await hold()
  await open()
  await shop.locator('[data-buy]').first().waitFor()
  for (const late of ['later', 'stage', 'fr', 'sw', 'am']) expect(names).not.toContain(late)
  answer()
  await shop.locator('#code-tabs button').first().waitFor()
  expect(names).toContain('later')
  for (const late of ['stage', 'fr', 'sw', 'am']) expect(names).not.toContain(late)
  await shop.selectOption('#language', 'sw')
  await shop.getByRole('button', { name: 'Nunua' }).first().waitFor()
  expect(names).toContain('sw')
  expect(names).not.toContain('fr')
})

test('a page without its later parts says so, sells all the same, and loads them when it is asked to', async () => {
  await lose('later')
  await open()
  await shop.getByText(INCOMPLETE).waitFor()
  expect(await axeFaults(shop)).toEqual([])
  await buys()
  await shop.unrouteAll()
  await shop.getByRole('button', { name: 'Load again' }).click()
  await shop.locator('#scenarios button').first().waitFor()
  await shop.locator('hc-checkout [part~=locked]').waitFor()
  expect(await shop.getByText(INCOMPLETE).count()).toBe(0)
})

test('a visitor whose language does not come reads English, is told so, and can buy', async () => {
  await lose('fr')
  await open('#/dakar?lang=fr')
  await shop.getByText(INCOMPLETE).waitFor()
  await shop.getByRole('heading', { name: 'Cut in Dakar.' }).waitFor()
  expect(await shop.locator('html').getAttribute('lang')).toBe('en')
  await buys()
  // Another language is another file.
  await shop.selectOption('#language', 'sw')
  await shop.getByRole('button', { name: 'Rudi dukani' }).waitFor()
})

test('a visitor who speaks French never sees the goods in English', async () => {
  await shop.addInitScript(`addEventListener('DOMContentLoaded', () => {
    window.seen = []
    new MutationObserver(() => seen.push(document.querySelector('#front').textContent))
      .observe(document.querySelector('#front'), { childList: true, subtree: true, characterData: true })
  })`)
  await open('#/nairobi?lang=fr')
  await shop.getByRole('button', { name: 'Acheter' }).first().waitFor()
  const seen = await shop.evaluate<string[]>('seen')
  expect(seen.length).toBeGreaterThan(0)
  for (const text of seen) expect(text).not.toContain('The light stays.')
})

test('who wants to present, and cannot, is told so', async () => {
  await lose('stage')
  await open()
  await shop.getByRole('button', { name: 'Present' }).click()
  await shop.getByText(INCOMPLETE).waitFor()
  expect(await shop.locator('#presenter').isVisible()).toBe(false)
  await buys()
})

test('what is ticked before the list has come is ticked when it comes', async () => {
  const answer = await hold()
  await open()
  await shop.locator('[data-buy]').first().waitFor()
  await shop.locator('#technical').check()
  expect(await shop.locator('#copy').isDisabled()).toBe(true)
  answer()
  await buys()
  await shop
    .locator('#happenings')
    .getByText(/^Order NURU-/)
    .first()
    .waitFor()
  expect(await shop.locator('#technical').isChecked()).toBe(true)
  expect(await shop.locator('#copy').isEnabled()).toBe(true)
})

test.each([360, 1280])('at %i px an order that waits moves nothing when it comes', async (width) => {
  await shop.setViewportSize({ width, height: 740 })
  await open()
  await buys()
  await shop.locator('#back').click()
  const answer = await hold()
  await shop.reload()
  const button = shop.locator('[data-buy]').first()
  await button.waitFor()
  const before = await button.boundingBox()
  answer()
  await shop.getByText(/Your order NURU-\w+ is waiting for payment/).waitFor()
  await shop.locator('#code-tabs button').first().waitFor()
  expect(await button.boundingBox()).toEqual(before)
  expect(await axeFaults(shop)).toEqual([])
})

test('an outcome can be chosen once there is a card to be filled in, not before', async () => {
  await open()
  await shop.locator('#code-tabs button').first().waitFor()
  let answer = (): void => {}
  const isReleased = new Promise<void>((resolve) => (answer = resolve))
  await shop.route('**/api/orders', async (route) => {
    await isReleased
    await route.continue()
  })
  await shop.locator('[data-buy=lantern]').click()
  await shop.locator('#checkout-title', { hasText: 'Nuru Lantern' }).waitFor()
  expect(await shop.locator('#play').isVisible()).toBe(false)
  answer()
  await shop.locator('#scenarios button').first().click()
  expect(await shop.locator('hc-checkout #name').inputValue()).toBe('Amina Test')
})
