// The presenter mode, the phone beside the shop, and the way to the shop owner's screen.
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { chromiumArgs, chromiumPath } from '../helpers/chromium.ts'
import { type Picture, pictureOf, readCode } from '../helpers/read-code.ts'
import { type LocalSystem, startLocalSystem } from '../helpers/start-local-system.ts'
import { axeFaults } from './axe.ts'
import { PATIENCE_MS } from './customer.ts'

let system: LocalSystem
let browser: Browser
let context: BrowserContext
let shop: Page

beforeAll(async () => {
  system = await startLocalSystem()
  // By this name the page is not on this machine's own address, as with --lan.
  const args = [...chromiumArgs, '--host-resolver-rules=MAP shop.test 127.0.0.1']
  browser = await chromium.launch({ executablePath: await chromiumPath(), args })
})
afterAll(async () => {
  await browser?.close()
  await system?.remove()
})
beforeEach(async () => {
  context = await browser.newContext({
    locale: 'en-KE',
    timezoneId: 'Africa/Nairobi',
    viewport: { width: 1280, height: 720 },
  })
  context.setDefaultTimeout(PATIENCE_MS)
  shop = await context.newPage()
  await shop.goto(system.credentials.shopUrl)
  await shop.locator('[data-buy]:enabled').first().waitFor()
})
afterEach(() => context.close())

const step = (at: number): Promise<void> => shop.locator('#presenter').getByText(`${at} / 11`).waitFor()

test('a clicker leads through the whole pitch, from the shops to the code', async () => {
  const small = await shop.evaluate('parseFloat(getComputedStyle(document.documentElement).fontSize)')
  await shop.getByRole('button', { name: 'Present' }).click()
  await step(1)
  expect(await shop.evaluate('parseFloat(getComputedStyle(document.documentElement).fontSize)')).toBeGreaterThan(
    Number(small),
  )
  const next = () => shop.keyboard.press('PageDown')
  await next()
  await shop.getByRole('heading', { name: 'The sun goes down.' }).waitFor()
  await next()
  await shop.getByRole('heading', { name: 'Fees paid from the phone.' }).waitFor()
  await next()
  await shop.getByRole('heading', { name: 'Coupé à Dakar.' }).waitFor()
  expect(await shop.locator('#presenter').textContent()).toContain('Huit langues')
  await next()
  await shop.locator('hc-checkout [part~=locked]').waitFor()
  const bought = /order\/(NURU-\w+)/.exec(shop.url())?.[1]
  await next()
  await step(6)
  expect(shop.url()).toContain(`order/${bought}`)
  await shop.locator('#scenarios button').first().click()
  const opening = context.waitForEvent('page')
  await shop.locator('hc-checkout [part~=pay-button]').click()
  await (await opening).close()
  await shop.locator('#paid').waitFor()
  expect(await axeFaults(shop)).toEqual([])
  for (const what of ['forge', 'restart']) {
    await next()
    await shop.locator('#verdict [data-state=right]').waitFor()
    await shop.locator(`[data-break=${what}] [data-state=right]`).waitFor()
  }
  await next()
  await shop.getByRole('heading', { name: 'Buy on your own phone' }).waitFor()
  await next()
  await next()
  await step(11)
  // A link to a step shows that step, and does nothing.
  const other = await context.newPage()
  await other.goto(shop.url())
  await other.locator('#presenter').getByText('11 / 11').waitFor()
  await other.close()
  await shop.keyboard.press('PageUp')
  await step(10)
  await shop.keyboard.press('Escape')
  await shop.locator('#presenter').waitFor({ state: 'hidden' })
})

/** @returns lets requests of that name go on to the shop, which wait until then */
async function held(name: 'orders' | 'breaks'): Promise<() => void> {
  let release = (): void => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await shop.route(`**/api/${name}`, async (route) => {
    await isReleased
    await route.continue()
  })
  return release
}

/** Two presses before the browser tells the page of a new address. */
async function pressTwice(): Promise<void> {
  await shop.evaluate(
    `for (const key of ['PageDown', 'PageDown']) dispatchEvent(new KeyboardEvent('keydown', { key }))`,
  )
}

test('two quick presses lead two steps on, and the purchase comes into the second', async () => {
  await shop.goto(`${system.credentials.shopUrl}/#/dakar?present=3`)
  await step(4)
  const release = await held('orders')
  await pressTwice()
  await step(6)
  release()
  await shop.locator('hc-checkout [part~=locked]').waitFor()
  await step(6)
})

test('who has gone on is not led back by what was broken before', async () => {
  await shop.goto(`${system.credentials.shopUrl}/#/nairobi?present=6`)
  await step(7)
  const release = await held('breaks')
  await pressTwice()
  await step(9)
  const answer = shop.waitForResponse('**/api/breaks')
  release()
  await (await answer).finished()
  await shop.locator('[data-break=restart] [data-state=right]').waitFor()
  await step(9)
  expect(shop.url()).not.toContain('order/')
})

test('keys that are typed into the card turn no page', async () => {
  await shop.goto(`${system.credentials.shopUrl}/#/kampala/top-up?present=2`)
  const name = shop.locator('hc-checkout #name')
  await name.fill('Amina')
  await name.press('ArrowLeft')
  await step(3)
})

test('the phone frame says how to start on loopback, and shows a code elsewhere', async () => {
  await shop.getByRole('button', { name: 'On your phone' }).click()
  await shop.getByText('npm start -- --lan').waitFor()
  expect(await shop.locator('#qr svg').count()).toBe(0)
  expect(await axeFaults(shop)).toEqual([])
  const { port } = new URL(system.credentials.shopUrl)
  // Chromium has it from 86 on, and the demo runs in 64.
  await context.addInitScript('delete Element.prototype.replaceChildren')
  await shop.goto(`http://shop.test:${port}/#/dakar?phone=yes&lang=fr`)
  const code = shop.locator('#qr svg')
  await code.waitFor()
  const read = async () => readCode(await shop.evaluate<Picture>(pictureOf(`document.querySelector('#qr svg')`)))
  expect(await read()).toBe(`http://shop.test:${port}/#/dakar?lang=fr`)
  await shop.evaluate(`location.hash = '#/kampala?phone=yes&lang=en'`)
  await expect.poll(read).toBe(`http://shop.test:${port}/#/kampala?lang=en`)
  expect(await code.count()).toBe(1)
})

test('the owner’s console opens in its own window, for the user of npm start', async () => {
  const opening = context.waitForEvent('page')
  const link = shop.getByRole('link', { name: 'Shop owner’s screen' })
  expect(await link.getAttribute('title')).toBe('Sign in as demo, password demo-console')
  await link.click()
  const screen = await opening
  await screen.waitForURL((address) => address.href.startsWith(`${system.credentials.companionUrl}/console/`))
  await screen.locator('input:not([type=password])').first().fill('demo')
  await screen.locator('input[type=password]').fill('demo-console')
  await screen.locator('input[type=password]').press('Enter')
  await screen.locator('input[type=password]').waitFor({ state: 'detached' })
  expect(await screen.evaluate('opener')).toBeNull()
})

/** Leads from the step that buys to step `to`. */
async function leadTo(to: number): Promise<void> {
  await shop.goto(`${system.credentials.shopUrl}/#/dakar?present=3`)
  await step(4)
  await shop.keyboard.press('PageDown')
  await shop.locator('hc-checkout [part~=pay-button]').waitFor()
  for (let at = 6; at <= to; at++) {
    await shop.keyboard.press('PageDown')
    await step(at)
  }
}

test.each([1280, 1600, 1920, 2560])('on a screen %i px wide the card is not crushed in any step', async (width) => {
  await shop.setViewportSize({ width, height: (width * 9) / 16 })
  const cardWidth = async () => (await shop.locator('hc-checkout [part~=card]').boundingBox())?.width
  await leadTo(5)
  expect(await cardWidth()).toBeGreaterThanOrEqual(380)
  for (const at of [6, 7, 8]) {
    await shop.keyboard.press('PageDown')
    await step(at)
    if (at > 6) await shop.locator('#verdict').waitFor()
    expect(await cardWidth()).toBeGreaterThanOrEqual(380)
  }
  for (const hash of ['#/kampala/top-up?present=2', '#/dakar/top-up?present=3&lang=fr']) {
    await shop.goto(`${system.credentials.shopUrl}/${hash}`)
    await shop.locator('hc-checkout [part~=pay-button]').waitFor()
    expect(await cardWidth()).toBeGreaterThanOrEqual(380)
  }
})

/** Whole within the window, and not under the bar. */
function isSeen(selector: string): Promise<boolean> {
  return shop.locator(selector).evaluateAll((found) => {
    const bar = document.querySelector('#presenter')!.getBoundingClientRect()
    const end = bar.height > 0 ? bar.top : innerHeight
    return (
      found.length > 0 &&
      found.every((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return top >= 0 && bottom > top && bottom <= end
      })
    )
  })
}

test.each([
  [1280, 720],
  [1920, 1080],
])('at %i × %i a step begins with what it talks about above the bar', async (width, height) => {
  await shop.setViewportSize({ width, height })
  await leadTo(6)
  await expect.poll(() => isSeen('#scenarios')).toBe(true)
  await shop.locator('#scenarios button').first().click()
  await expect.poll(() => isSeen('hc-checkout [part~=pay-button]')).toBe(true)
  for (const at of [7, 8]) {
    await shop.keyboard.press('PageDown')
    await step(at)
    await shop.locator('#verdict [data-state=right]').waitFor()
    await expect.poll(() => isSeen('#verdict')).toBe(true)
  }
})

test.each(['no-preference', 'reduce'] as const)(
  'an outcome brings the card and Pay into view, and the focus stays, where motion is: %s',
  async (reducedMotion) => {
    await shop.emulateMedia({ reducedMotion })
    await shop.locator('[data-buy]:enabled').first().click()
    await shop.locator('hc-checkout [part~=pay-button]').waitFor()
    const outcome = shop.locator('#scenarios button').first()
    await outcome.evaluate((one) => {
      one.scrollIntoView()
      const button = one as HTMLElement
      button.focus()
      button.click()
    })
    if (reducedMotion === 'no-preference') await expect.poll(() => isSeen('hc-checkout [part~=pay-button]')).toBe(true)
    // At once, not on the way there.
    else expect(await isSeen('hc-checkout [part~=pay-button]')).toBe(true)
    await expect.poll(async () => (await shop.locator('hc-checkout').boundingBox())?.y).toBeGreaterThanOrEqual(0)
    expect(await outcome.evaluate((one) => one === document.activeElement)).toBe(true)
  },
)

test.each([
  ['en', 'Shop owner’s screen', 'Sign in as demo, password demo-console'],
  ['fr', 'Écran du commerçant', 'Connectez-vous comme demo, mot de passe demo-console'],
])('the step about the owner’s console leads there, and says who signs in, in %s', async (language, name, signIn) => {
  await shop.goto(`${system.credentials.shopUrl}/#/nairobi?present=9&lang=${language}`)
  await step(10)
  const bar = shop.locator('#presenter')
  expect(await bar.getByText(signIn).isVisible()).toBe(true)
  expect(await axeFaults(shop)).toEqual([])
  const opening = context.waitForEvent('page')
  await bar.getByRole('link', { name }).click()
  const screen = await opening
  await screen.waitForURL((address) => address.href.startsWith(`${system.credentials.companionUrl}/console/`))
  await shop.keyboard.press('PageUp')
  await step(9)
  expect(await bar.getByRole('link').count()).toBe(0)
})

test.each([1024, 1280, 1920])('on a screen %i px wide no figure of the pitch stands alone', async (width) => {
  await shop.setViewportSize({ width, height: 720 })
  await shop.goto(`${system.credentials.shopUrl}/#/nairobi?present=0`)
  await step(1)
  const tops = await shop
    .locator('#figures dl > div')
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop))
  expect(tops).toHaveLength(4)
  for (const top of tops) expect(tops.filter((one) => one === top).length).toBeGreaterThan(1)
})
