// A customer at the demo shop, in a real browser, with the system that `npm start` starts.
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Language, loadWords } from '../../demo/app/words/index.ts'
import { textsOf } from '../../widget/locales/index.ts'
import { linesOf } from '../helpers/lines-of.ts'
import { browser, system, withTheDemo } from './at-the-demo.ts'
import { axeFaults } from './axe.ts'
import { PATIENCE_MS, fillPhone, routeOnce } from './customer.ts'

let context: BrowserContext
let shop: Page
const faults: string[] = []

withTheDemo({ env: { HC_LOCALES: 'en,fr,sw,am' } })

beforeEach(async () => {
  context = await browser.newContext({ locale: 'en-KE', timezoneId: 'Africa/Nairobi' })
  context.setDefaultTimeout(PATIENCE_MS)
  shop = await context.newPage()
  shop.on('pageerror', (error) => faults.push(error.message))
  shop.on('console', (message) => {
    // A system that was killed refuses connections; the browser says so, and the page copes.
    if (message.type() === 'error' && !/ERR_CONNECTION|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE/.test(message.text()))
      faults.push(message.text())
  })
  await shop.goto(system.credentials.shopUrl)
  await shop.locator('#market option').first().waitFor({ state: 'attached' })
  // What happened is told in the developers' words, which name what each test looks for.
  await shop.locator('#technical').check()
})

afterEach(async () => {
  await context.close()
  expect(faults.splice(0)).toEqual([])
})

test('a person whose browser runs no scripts reads so before the buttons that do nothing', async () => {
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await plain.goto(system.credentials.shopUrl)
  const needs = plain.locator('noscript p')
  expect(await needs.textContent()).toContain('This demonstration needs JavaScript')
  const top = async (one: Locator) => (await one.boundingBox())!.y
  expect(await top(needs)).toBeLessThan(await top(plain.locator('button').first()))
  await plain.context().close()
})

test('HC_LOCALES of npm start is for /pay and for the hosted page', async () => {
  const { companionUrl, sandboxUrl } = system.credentials
  for (const page of [`${companionUrl}/pay`, `${sandboxUrl}/checkout/nobody`]) {
    const said = async (language: string) =>
      (await fetch(`${page}?lang=${language}`, { headers: { Accept: 'text/html' } })).text()
    expect(await said('am'), page).toContain('<html lang="am"')
    expect(await said('so'), page).toContain('<html lang="en"')
  }
})

test('everything that the page needs is asked for as soon as the page has come, and once', async () => {
  const asked: string[] = []
  shop.on('request', (request) => asked.push(new URL(request.url()).pathname))
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await shop.route('**/assets/index-*.js', async (route) => {
    await held
    await route.continue()
  })
  await shop.reload({ waitUntil: 'commit' })
  const script =
    /src="\.(\/assets\/index-[^"]+)"/.exec(await (await fetch(system.credentials.shopUrl)).text())?.[1] ?? ''
  const needed = [script, '/api/shop', '/widget/v1/hc-checkout.js']
  await expect.poll(() => needed.filter((path) => !asked.includes(path)), { timeout: PATIENCE_MS }).toEqual([])
  answer()
  await shop.locator('[data-buy=lantern]:enabled').waitFor()
  for (const path of needed) expect(asked.filter((one) => one === path).length, path).toBe(1)
})

test.each([
  ['Africa/Kampala', 'en-GB', 'UG'],
  ['Europe/Paris', 'fr-SN', 'SN'],
  ['Europe/Berlin', 'de-DE', 'KE'],
])(
  'a visitor in %s whose browser speaks %s is first shown the prices of %s, and then of what was chosen',
  async (timezoneId, locale, country) => {
    const visitor = await (await browser.newContext({ timezoneId, locale })).newPage()
    const chosen = async () => {
      await visitor.locator('[data-buy=lantern]:enabled').waitFor()
      return visitor.locator('#market').inputValue()
    }
    await visitor.goto(system.credentials.shopUrl)
    expect(await chosen()).toBe(country)
    await visitor.selectOption('#market', 'TZ')
    await visitor.reload()
    expect(await chosen()).toBe('TZ')
    await visitor.context().close()
  },
)

/** The page's next question to the shop waits. @returns what lets it be answered */
async function holdShop(): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await shop.route('**/api/shop', async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

test('before the shop has answered, the page speaks the customer’s language, and shows no shelf to who is paying', async () => {
  await shop.locator('#top-up-button').click()
  await shop.locator('hc-checkout [part~=pay-button]').waitFor()
  await shop.selectOption('#language', 'sw')
  // The counter stands below the shelf of what can be broken, and has been brought into view.
  await expect.poll(() => shop.evaluate('scrollY')).toBeGreaterThan(100)
  const answer = await holdShop()
  await shop.reload()
  await shop.getByRole('button', { name: 'Rudi dukani' }).waitFor()
  expect(await shop.locator('#shelf').isVisible()).toBe(false)
  expect(await shop.evaluate('scrollY')).toBe(0)
  const top = async () => (await shop.locator('.behind').boundingBox())!.y
  await shop.setViewportSize({ width: 360, height: 640 })
  expect(await top()).toBeGreaterThan(800)
  await shop.selectOption('#language', 'fr')
  await shop.getByRole('button', { name: 'Retour à la boutique' }).click()
  await shop.getByText('Recharger le crédit lumière').waitFor()
  await shop.goBack()
  answer()
  await shop.locator('hc-checkout [part~=pay-button]').waitFor()
  expect(await shop.locator('#language').inputValue()).toBe('fr')
  await expect.poll(async () => Math.round((await shop.locator('#checkout').boundingBox())!.y)).toBe(0)
})

test('in forced colours Buy is seen as a button', async () => {
  await shop.emulateMedia({ forcedColors: 'active' })
  const edge = await shop
    .locator('.card button')
    .first()
    .evaluate((button) => {
      const { borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(button)
      return { borderTopStyle, isSeen: borderTopColor !== backgroundColor }
    })
  expect(edge).toEqual({ borderTopStyle: 'solid', isSeen: true })
})

test('the shop speaks every language of the widget, and the widget at its counter follows', async () => {
  await shop.locator('#top-up-button').click()
  const offered = await shop
    .locator('#language option')
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
  expect(offered.toSorted()).toEqual(['am', 'en', 'fr', 'ha', 'rn', 'rw', 'so', 'sw'])
  for (const language of offered) {
    const { shop: words } = await loadWords(language as Language)
    expect(Object.keys(words), language).toEqual(Object.keys((await loadWords('en')).shop))
    await shop.selectOption('#language', language)
    await shop.getByRole('button', { name: words['back'] ?? '' }).waitFor()
    await shop.locator('hc-checkout').getByLabel(textsOf(language).name).waitFor()
  }
})

test('a browser that does not know the countries in its language shows their English names, not their codes', async () => {
  const other = await browser.newContext({ locale: 'rw-RW', timezoneId: 'Africa/Kigali' })
  const page = await other.newPage()
  await page.goto(system.credentials.shopUrl)
  await page.getByRole('button', { name: 'Kugura' }).first().waitFor()
  await page.locator('#market option[value=RW]', { hasText: /^\S{3,} · RWF$/ }).waitFor({ state: 'attached' })
  await other.close()
})

test.each([180, 320, 768, 1280])(
  'at %i px the shop shows every price whole, the chosen country with its currency, and nothing sideways',
  async (width) => {
    await shop.setViewportSize({ width, height: 800 })
    const market = shop.locator('#market')
    // Unshortened, a select is as wide as its longest entry: the chosen one alone is measured.
    const missing = await market.evaluate((select: HTMLSelectElement) => {
      const alone = select.cloneNode() as HTMLSelectElement
      alone.append(new Option(select.selectedOptions[0]?.text))
      alone.style.cssText = 'position: absolute; width: auto; max-width: none'
      select.after(alone)
      const missing = alone.offsetWidth - select.offsetWidth
      alone.remove()
      return missing
    })
    expect(missing).toBeLessThanOrEqual(0)
    for (const country of ['KE', 'BI', 'SN']) {
      await market.selectOption(country)
      for (const price of await shop.locator('.price').all())
        expect(await price.evaluate(linesOf, (await price.textContent()) ?? ''), country).toBe(1)
      const wider = await shop.evaluate(
        `[...document.querySelectorAll('html, .card, .price')].filter((one) => one.scrollWidth > one.clientWidth).length`,
      )
      expect(wider, country).toBe(0)
    }
    // Buttons of one row of cards stand at one height, however long a price.
    const tops = await shop
      .locator('[data-buy]')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(width < 768 ? 3 : 1)
  },
)

test('at the largest zoom of a small phone the sum is no smaller than the words around it, the amount on Pay is not broken within its number, and what happened is read whole', async () => {
  await shop.setViewportSize({ width: 180, height: 640 })
  await buy('UG', 'home')
  const sum = shop.locator('hc-checkout .sum', { hasText: '350,000' })
  expect(await sum.evaluate(linesOf, '350,000')).toBe(1)
  const heights = await sum.evaluate((one) =>
    [one, one.nextElementSibling!].map((each) => parseFloat(getComputedStyle(each).fontSize)),
  )
  expect(heights[0]).toBeGreaterThanOrEqual(heights[1]!)
  expect(await shop.locator('hc-checkout .main', { hasText: '350,000' }).evaluate(linesOf, '350,000')).toBe(1)
  await shop.locator('#happenings .what').first().waitFor()
  expect(await shop.locator('#happenings').evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0)
})

test.each(['light', 'dark'] as const)(
  'the shop is accessible at a desk, by keyboard too, in %s',
  async (colorScheme) => {
    await shop.setViewportSize({ width: 1280, height: 800 })
    await shop.emulateMedia({ colorScheme })
    await buy('KE', 'lantern')
    // More than fits.
    await shop.locator('#happenings .what').first().waitFor()
    await shop.locator('#happenings').evaluate((list) => {
      for (let line = 0; line < 40; line += 1) list.append(list.firstElementChild!.cloneNode(true))
    })
    expect(await shop.locator('#happenings').evaluate((list) => list.scrollHeight > list.clientHeight)).toBe(true)
    await shop.locator('#happenings').focus()
    expect(await shop.evaluate('document.activeElement.id')).toBe('happenings')
    await shop.locator('#paid').evaluate((paid: HTMLElement) => {
      paid.hidden = false
      paid.textContent = 'Paid'
    })
    expect(await axeFaults(shop)).toEqual([])
  },
)

describe('a person at the shop', () => {
  test('pays KES with a Kenyan bank of the real list, and the shop’s tab says paid without being touched', async () => {
    await buy('KE', 'lantern')
    await shop.locator('hc-checkout .folds summary').first().click()
    const bank = shop.getByLabel('Your bank (optional)')
    await bank.fill('victoria')
    await shop.getByRole('option', { name: 'Victoria Commercial Bank' }).first().click()
    expect(await shop.locator('#play').isVisible()).toBe(true)
    await fillPayer('Amina Otieno', '0712 345 678')
    const hosted = await pay()
    expect(await hosted.textContent('body')).toContain('2,300')
    const reference = await payAtHostedPage(hosted)
    await agentConfirms(reference)

    await widgetSays(/^Thank you/)
    // Another outcome can be chosen for a payment that is still to be made, not for one that is
    // paid.
    await shop.locator('#play').waitFor({ state: 'hidden' })
    expect(await shop.locator('hc-checkout').getByText('Victoria Commercial Bank').count()).toBeGreaterThan(0)
    await shop.locator('#paid').waitFor()
    // The shop's accent is close to red: the tick is in the green of its own word for paid.
    const colour = (place: string) => shop.locator(place).evaluate((one) => getComputedStyle(one).color)
    await expect.poll(() => colour('hc-checkout .mark')).toBe(await colour('#paid'))
    await happened(/credited to order NURU-\w+, once/)
    await happened(/Our own signed status query says SUCCESS/)
    await happened(/Callback received/)
  })

  test('who presses Buy before the shop can listen finds the button asleep, not deaf', async () => {
    const answer = await holdShop()
    await shop.reload()
    const buttons = shop.locator('#shelf button')
    // They may be drawn after the page has loaded.
    await expect.poll(() => buttons.count()).toBeGreaterThan(3)
    for (const button of await buttons.all()) expect(await button.isDisabled()).toBe(true)
    answer()
    await buy('KE', 'lantern')
  })

  test('pays XOF in Senegal, in French', async () => {
    await buy('SN', 'charger')
    // Whoever changes the language at the counter finds it changed on both sides of it.
    await shop.selectOption('#language', 'fr')
    await shop.locator('#summary-order', { hasText: /^Commande NURU-/ }).waitFor()
    expect(await shop.locator('#market option[value=SN]').textContent()).toBe('Sénégal · XOF')
    const widget = shop.locator('hc-checkout')
    await widget.getByLabel('Nom complet').waitFor()
    await widget.locator('#name').fill('Awa Diop')
    await fillPhone(shop, '70 123 45 67')
    const hosted = await pay()
    expect(await hosted.textContent('body')).toMatch(/Payer à\s+Nuru/)
    const reference = await payAtHostedPage(hosted)
    await agentConfirms(reference)
    await widget.locator('[part~=success]').waitFor()
    expect(await shop.locator('#paid').textContent()).toContain('Merci')
    await happened(/XOF 19,000 credited to order NURU-\w+, once/)
  })

  test('sees the whole of a payment in the console, on a narrow phone too', async () => {
    await buy('KE', 'lantern')
    await fillPayer('Amina Otieno', '0712 345 678')
    await pay()
    const phone = await context.newPage()
    await phone.setViewportSize({ width: 360, height: 720 })
    await phone.goto(`${system.credentials.sandboxUrl}/console`)
    await phone.getByRole('link', { name: /^HCT/ }).first().click()
    await phone.getByRole('heading', { name: /^HCT/ }).waitFor()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })

  test('comes Back from a payment page that took the place of the shop, and finds the payment', async () => {
    // As in the browser within another app, which opens no second page.
    await shop.addInitScript(() => {
      window.open = () => null
    })
    await shop.reload()
    await buy('KE', 'lantern')
    await fillPayer('Amina Otieno', '0712 345 678')
    await shop.locator('hc-checkout [part~=pay-button]').click()
    await shop.waitForURL(/\/checkout\//)
    await shop.goBack()
    await shop.locator('hc-checkout [part~=waiting]').waitFor()
  })

  test('buys two things in two tabs, and each tab keeps its own through a reload', async () => {
    await buy('KE', 'lantern')
    const other = await context.newPage()
    await other.goto(system.credentials.shopUrl)
    await other.locator('[data-buy=charger]').click()
    await other.locator('hc-checkout [part~=locked]').waitFor()
    await shop.reload()
    await shop.getByRole('heading', { name: 'Nuru Lantern' }).first().waitFor()
    await fillPayer('Amina Otieno', '0712 345 678')
    await agentConfirms(await payAtHostedPage(await pay()))
    await shop.locator('#paid').waitFor()
    expect(await other.locator('#paid').isHidden()).toBe(true)
  })

  test('can buy although the network was gone when the page came', async () => {
    await routeOnce(shop, '**/api/shop', (route) => route.abort('connectionfailed'))
    await shop.reload()
    await buy('KE', 'lantern')
  })

  test('pays on the companion’s page where the widget’s script does not come', async () => {
    await shop.route('**/hc-checkout*.js', (route) => route.abort('connectionfailed'))
    await shop.reload()
    await shop.locator('[data-buy=lantern]').click()
    await shop.selectOption('#language', 'fr')
    const link = shop.getByRole('link', { name: 'Payer par mobile money' })
    // It looks like what pays, since it is all that does.
    const ground = (one: Locator) => one.evaluate((node) => getComputedStyle(node).backgroundColor)
    expect(await ground(link)).toBe(await ground(shop.locator('[data-buy=lantern]')))
    await link.click()
    await shop.waitForURL(/\/pay\/./)
    await shop.getByText('KSh 2,300').first().waitFor()
    await shop.goBack()
    await shop.locator('#back').click()
    await shop.locator('#top-up-button').click()
    await shop.getByRole('link', { name: 'Payer par mobile money' }).click()
    await shop.waitForURL(/\/pay\?country=KE$/)
  })

  test('reads that nothing can be bought just now, and comes back to the shelf', async () => {
    await routeOnce(shop, '**/api/orders', (route) => route.abort('connectionfailed'))
    await shop.locator('[data-buy=lantern]').click()
    await shop.getByText('The checkout is not available right now.').waitFor()
    await shop.locator('#back').click()
    await buy('KE', 'lantern')
  })

  test('who has paid for one thing and cannot buy another is not told that this is paid', async () => {
    await buy('KE', 'lantern')
    await fillPayer('Amina Otieno', '0712 345 678')
    await payAtHostedPage(await pay())
    await shop.getByText('Paid. Thank you!').waitFor()
    await shop.locator('#back').click()
    await routeOnce(shop, '**/api/orders', (route) => route.abort('connectionfailed'))
    await shop.locator('[data-buy=home]').click()
    await shop.getByText('The checkout is not available right now.').waitFor()
    expect(await shop.locator('#paid').isVisible()).toBe(false)
    expect(await shop.locator('#summary-art svg').count()).toBe(0)
  })

  test('cancels, reads why, and tries again', async () => {
    await buy('KE', 'lantern')
    await fillPayer('Amina Otieno', '0712 345 678')
    const hosted = await pay()
    await hosted.goto(`${hosted.url().split('?')[0]}?ask=cancel`)
    await hosted.locator('button.stop').click()

    const failure = shop.locator('hc-checkout [part~=failure]')
    await failure.waitFor()
    expect(await failure.textContent()).toContain(
      'The payment was cancelled, or the phone could not be reached. If money left your account, contact the shop with the reference. If not, try again.',
    )
    await happened(/payment\.failed. Nothing credited/)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await shop.locator('hc-checkout [part~=pay-button]').waitFor()
    expect(await shop.locator('hc-checkout #name').inputValue()).toBe('Amina Otieno')
  })

  test('waits through a power cut of the whole system; the tab finds back by itself', async () => {
    await buy('KE', 'home')
    await fillPayer('Amina Otieno', '0712 345 678')
    const hosted = await pay()
    const reference = await payAtHostedPage(hosted)
    await system.kill()
    await system.start()
    await agentConfirms(reference)
    await widgetSays(/^Thank you/)
    await shop.locator('#paid').waitFor()
  })
})

test('the system stops on a signal with code 0, and has told no secret', async () => {
  expect(await system.stop()).toBe(0)
  const { consumerKey, consumerSecret, merchantKey, notifySecret } = system.credentials
  for (const secret of [consumerKey, consumerSecret, merchantKey, notifySecret])
    expect(system.output()).not.toContain(secret)
})

async function buy(country: string, product: string): Promise<void> {
  await shop.selectOption('#market', country)
  await shop.locator(`[data-buy=${product}]`).click()
  await shop.locator('hc-checkout [part~=locked]').waitFor()
}

async function fillPayer(name: string, phone: string): Promise<void> {
  await shop.getByLabel('Full name').fill(name)
  await fillPhone(shop, phone)
}

/** Presses Pay. @returns the page that opens beside the shop */
async function pay(): Promise<Page> {
  const opening = context.waitForEvent('page')
  await shop.locator('hc-checkout [part~=pay-button]').click()
  const hosted = await opening
  await hosted.waitForURL(/\/checkout\//)
  expect(await hosted.evaluate(() => window.opener)).toBeNull()
  return hosted
}

/** Operator, agent, lock, "I have paid". @returns the reference of the payment */
async function payAtHostedPage(hosted: Page): Promise<string> {
  await hosted.locator('input[type=radio]').first().check({ force: true })
  await hosted.locator('form:has([value=operator]) button').click()
  await hosted.locator('form:has([value=lock])').waitFor()
  await hosted.locator('input[type=radio]').first().check({ force: true })
  await hosted.locator('form:has([value=lock]) button').click()
  await hosted.locator('form:has([value=paid]) button').click()
  await hosted.locator('form:has([value=paid])').waitFor({ state: 'detached' })
  const reference = await shop
    .locator('hc-checkout')
    .getByText(/^HCT[0-9A-Z]{21}$/)
    .textContent()
  return reference ?? ''
}

/** The agent confirms, in the sandbox's panel, unless the automatic one was faster. */
async function agentConfirms(reference: string): Promise<void> {
  const { sandboxUrl } = system.credentials
  const list = (await (await fetch(`${sandboxUrl}/console/api/transactions`)).json()) as {
    data: { transaction_id: string; reference: string }[]
  }
  const id = list.data.find((transaction) => transaction.reference === reference)?.transaction_id
  const answer = await fetch(`${sandboxUrl}/console/api/transactions/${id}/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: sandboxUrl },
    body: '{}',
  })
  const { success, message } = (await answer.json()) as { success: boolean; message: string }
  expect(success || /is ended/.test(message), message).toBe(true)
}

async function widgetSays(title: string | RegExp): Promise<void> {
  await shop.locator('hc-checkout').getByRole('heading', { name: title, exact: true }).waitFor()
}

async function happened(words: RegExp): Promise<void> {
  await shop.locator('#happenings').getByText(words).first().waitFor()
}
