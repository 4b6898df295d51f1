// The sheets in a real browser: the payment moves to another phone and its result appears on the
// first screen; the receipt is printed, saved and read; the legacy file has its sheets too; a
// button works again when the network is back.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browser, context, eachTestAtTheShop, system, shop } from './at-the-shop.ts'
import { customer, widgetOf } from './customer.ts'

eachTestAtTheShop()

/** A payment that waits for its agent. */
async function waiting(url = system.shop()): Promise<void> {
  await shop.goto(url)
  const widget = widgetOf(shop)
  await widget.fill()
  const opening = context.waitForEvent('page')
  await widget.payButton.click()
  await (await opening).close()
  await widget.element.locator('[part~=waiting]').waitFor()
}
const open = async (page: Page, what: 'share' | 'help' | 'receipt') => {
  await widgetOf(page).element.locator(`button[value=${what}]`).click()
  const dialog = widgetOf(page).element.locator('dialog')
  await dialog.waitFor()
  return dialog
}

test('a payment is handed to another phone, is paid there, and both screens show it', async () => {
  await waiting()
  expect(system.requests.some((one) => one.includes('hc-extras'))).toBe(false)
  const sheet = await open(shop, 'share')
  await sheet.locator('svg[role=img]').waitFor()
  const link = await sheet.locator('textarea').inputValue()
  expect(link).toMatch(new RegExp(`^${system.companionUrl}/pay/[\\w-]+$`))

  const friend = await (await customer(browser)).newPage()
  await friend.goto(link)
  const theirs = widgetOf(friend)
  await theirs.element.locator('[part~=waiting]').waitFor()
  const hosted = await theirs.element.locator('[part~=open-link]').getAttribute('href')
  expect(hosted).toBe((await system.deposit()).checkoutUrl)

  await system.pays()
  await theirs.heading(/^Thank you/)
  await widgetOf(shop).heading(/^Thank you/)
  await expect.poll(() => shop.locator('hc-checkout dialog').count()).toBe(0)
  expect((await system.deposits()).length).toBe(1)
})

test('each sheet is closed by its button, by Escape, beside it and by the payment, and the card goes on when the page moves it', async () => {
  const thrown: string[] = []
  shop.on('pageerror', ({ message }) => thrown.push(message))
  await waiting()
  const sheets = shop.locator('hc-checkout .sheet')
  await (await open(shop, 'help')).locator('.close').click()
  await expect.poll(() => sheets.count()).toBe(0)
  await open(shop, 'share')
  await shop.keyboard.press('Escape')
  await expect.poll(() => sheets.count()).toBe(0)
  await open(shop, 'help')
  await shop.mouse.click(5, 5)
  await expect.poll(() => sheets.count()).toBe(0)
  const move = () => widgetOf(shop).element.evaluate((element) => document.body.append(element))
  await move()
  await open(shop, 'help')
  await move()
  await expect.poll(() => sheets.count()).toBe(0)
  await open(shop, 'share')
  await system.pays()
  await widgetOf(shop).heading(/^Thank you/)
  await expect.poll(() => sheets.count()).toBe(0)
  expect(thrown).toEqual([])
})

test('on a low window, as at 400 % zoom, what a sheet says covers nothing that gets focus', async () => {
  await shop.setViewportSize({ width: 320, height: 256 })
  await waiting()
  const sheet = await open(shop, 'share')
  await sheet.locator('svg[role=img]').waitFor()
  await sheet.locator('button', { hasText: 'Copy' }).click()
  const said = sheet.locator('.said:not(:empty)')
  await said.waitFor()
  const link = sheet.getByRole('link')
  // Where it is in the window already, a browser scrolls no further by itself.
  await link.evaluate((one) => {
    const below = one.getBoundingClientRect().bottom - innerHeight
    one.closest('dialog')!.scrollBy(0, below)
    one.focus()
  })
  const room = async () =>
    ((await said.boundingBox())?.y ?? 0) - (await link.evaluate((one) => one.getBoundingClientRect().bottom))
  await expect.poll(room).toBeGreaterThanOrEqual(0)
})

test('a receipt is saved as a page that another browser shows, and printed without the shop round it', async () => {
  await waiting()
  await system.pays()
  await widgetOf(shop).heading(/^Thank you/)
  const sheet = await open(shop, 'receipt')
  const { reference } = await system.deposit()

  // Sent or copied as text, each thing has its line in the built bundle too.
  const lines = (await sheet.getByRole('textbox', { includeHidden: true }).inputValue()).split('\n')
  expect(lines).toContain(`Reference: ${reference}`)
  const message = new URL((await sheet.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')) ?? '')
  expect(message.searchParams.get('text')?.split('\n')).toEqual(lines)

  // On a small phone the sheet is longer than the window; what a button has done is seen all the
  // same.
  await shop.setViewportSize({ width: 360, height: 640 })
  const saving = shop.waitForEvent('download')
  await sheet.getByRole('button', { name: 'Save as a file' }).click()
  const saved = await saving
  // The sheet may still be rising: as it is to be seen once it stands.
  await expect
    .poll(async () => {
      const said = await sheet.getByText('Look in your downloads').boundingBox()
      return (said?.y ?? Infinity) + (said?.height ?? 0)
    })
    .toBeLessThanOrEqual(640)
  expect(saved.suggestedFilename()).toBe(`${reference}.html`)
  const reader = await context.newPage()
  await reader.setContent(await readFile(await saved.path(), 'utf8'))
  expect(await reader.locator('body').innerText()).toContain(reference)
  await reader.close()

  await shop.evaluate('window.print = () => {}')
  await sheet.getByRole('button', { name: 'Print' }).click()
  await shop.emulateMedia({ media: 'print' })
  const printed = await shop.locator('hc-paper .paper').innerText()
  expect(printed).toContain(reference)
  expect(printed).toMatch(/^TEST · no real money\s+Paid to\s+127\.0\.0\.1:\d+\s+KES 2,500\s+Paid\s+For\s/)
  expect(await shop.locator('h1').isVisible()).toBe(false)
  await shop.emulateMedia({ media: 'screen' })
  expect(await shop.locator('hc-paper').isVisible()).toBe(false)
  expect(await shop.locator('h1').isVisible()).toBe(true)
})

test('the one file for old browsers brings its sheets when they are asked for', async () => {
  const page = `<!doctype html><html lang="en"><title>Shop</title><hc-checkout companion="${system.companionUrl}"></hc-checkout>
    <script src="${system.companionUrl}/widget/v1/hc-checkout-legacy.js"></script>`
  await waiting(system.page('/old', page))
  const sheet = await open(shop, 'help')
  await sheet.getByLabel('Airtel Money').check()
  await sheet.getByText('with Airtel Money').waitFor()
  expect(system.requests.filter((one) => one.includes('hc-extras')).length).toBe(1)
})

test('the one file for old browsers says why a payment was not made', async () => {
  const page = `<!doctype html><html lang="en"><title>Shop</title><hc-checkout companion="${system.companionUrl}"></hc-checkout>
    <script src="${system.companionUrl}/widget/v1/hc-checkout-legacy.js"></script>`
  await waiting(system.page('/old', page))
  await system.act('cancel')
  await system.until('failed')
  await widgetOf(shop).says(/The payment was cancelled, or the phone could not be reached/)
  await widgetOf(shop).element.getByRole('button', { name: 'Try again' }).waitFor()
})

test('the one file for old browsers lists the banks, and sends the one that is taken', async () => {
  const page = `<!doctype html><html lang="en"><title>Shop</title><hc-checkout companion="${system.companionUrl}"></hc-checkout>
    <script src="${system.companionUrl}/widget/v1/hc-checkout-legacy.js"></script>`
  await shop.goto(system.page('/old', page))
  const widget = widgetOf(shop)
  await widget.fill()
  // The list of banks is in the second of the two files.
  const bank = widget.element.getByRole('combobox', { name: /bank/i })
  await bank.fill('victoria')
  await widget.element.getByRole('option', { name: 'Victoria Commercial Bank' }).first().click()
  const created = shop.waitForRequest((request) => request.url().endsWith('/v1/deposits'))
  await widget.payButton.click()
  expect((await created).postDataJSON()).toMatchObject({ bankCode: expect.stringMatching(/./) })
})

test('the one file for old browsers loads its sheets from no address that markup in the page names', async () => {
  const page = `<!doctype html><html lang="en"><title>Shop</title><img name="currentScript" src="${system.sandboxUrl}/stranger/x.png">
    <hc-checkout companion="${system.companionUrl}"></hc-checkout>
    <script src="${system.companionUrl}/widget/v1/hc-checkout-legacy.js"></script>`
  await waiting(system.page('/clobbered', page))
  const asked: string[] = []
  shop.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await widgetOf(shop).element.locator('button[value=help]').click()
  // What the button does when there are no sheets.
  await expect.poll(() => asked.some((path) => path.endsWith('/check'))).toBe(true)
  expect(asked.filter((path) => path.endsWith('.js'))).toEqual([])
})

test('a button that found no network works when there is one', async () => {
  let cut = true
  system.between = (request, next) => {
    if (cut && request.url.includes('hc-extras')) throw new Error('no network')
    return next()
  }
  await waiting()
  const button = widgetOf(shop).element.locator('button[value=share]')
  const asking = shop.waitForRequest(/\/check$/)
  await button.click()
  await asking
  cut = false
  await button.click()
  await widgetOf(shop).element.locator('dialog').waitFor()
})

test('the list of banks that did not come stops no payment', async () => {
  system.between = (request, next) => {
    if (request.url.includes('hc-bank-picking')) throw new Error('no network')
    return next()
  }
  await shop.goto(system.shop())
  const { element, fill, payButton } = widgetOf(shop)
  await fill()
  await element.getByRole('combobox', { name: /bank/ }).fill('victoria')
  const opening = context.waitForEvent('page')
  await payButton.click()
  await (await opening).close()
  await element.locator('[part~=waiting]').waitFor()
  expect(system.creates()).toBe(1)
  expect((await system.deposit()).bankName).toBe(undefined)
})

test('the list of banks that did not come is loaded when its field is used again', async () => {
  let cut = true
  system.between = (request, next) => {
    if (cut && request.url.includes('hc-bank-picking')) throw new Error('no network')
    return next()
  }
  await shop.goto(system.shop())
  const { element } = widgetOf(shop)
  const bank = element.getByRole('combobox', { name: /bank/ })
  await bank.fill('victoria')
  await element.getByText('List unavailable. You can continue without one.').waitFor()
  cut = false
  await element.locator('#name').focus()
  await bank.click()
  await element.getByRole('option', { name: 'Victoria Commercial Bank' }).first().waitFor()
})

test.each(['hc-flow', 'hc-sw-'])('a payment goes on when %s did not come at first', async (part) => {
  let cut = true
  let refused = 0
  system.between = (request, next) => {
    if (!cut || !request.url.includes(part)) return next()
    refused += 1
    throw new Error('no network')
  }
  const page = `<!doctype html><html lang="sw"><title>Duka</title><hc-checkout companion="${system.companionUrl}"></hc-checkout>
    <script type="module" src="${system.companionUrl}/widget/v1/hc-checkout.js"></script>`
  await shop.goto(system.page('/duka', page))
  const widget = widgetOf(shop)
  await widget.fill()
  await expect.poll(() => refused).toBeGreaterThan(1)
  cut = false
  const opening = context.waitForEvent('page')
  await widget.payButton.click()
  await (await opening).close()
  await widget.element.locator('[part~=waiting]').waitFor()
  expect(system.creates()).toBe(1)
})

test('under a policy that allows the companion alone, and Trusted Types, no sheet breaks a rule', async () => {
  const complaints: string[] = []
  await shop.exposeFunction('complain', (what: string) => void complaints.push(what))
  await shop.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    complain(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))
    window.print = () => {}`)
  const from = system.companionUrl
  const policy = `default-src 'none'; script-src ${from}; connect-src ${from}; require-trusted-types-for 'script'; trusted-types lit-html`
  const page = `<!doctype html><html lang="en"><title>Shop</title><script type="module" src="${from}/widget/v1/hc-checkout.js"></script>
    <hc-checkout companion="${from}"></hc-checkout>`
  await waiting(system.page('/strict', page, { 'content-security-policy': policy }))
  const sheet = await open(shop, 'share')
  await sheet.locator('svg[role=img]').waitFor()
  expect((await sheet.locator('svg[role=img]').boundingBox())?.width).toBeGreaterThan(150)
  await shop.keyboard.press('Escape')
  await (await open(shop, 'help')).getByLabel('Airtel Money').check()
  await shop.keyboard.press('Escape')
  await system.pays()
  await widgetOf(shop).heading(/^Thank you/)
  const receipt = await open(shop, 'receipt')
  const saving = shop.waitForEvent('download')
  await receipt.getByRole('button', { name: 'Save as a file' }).click()
  await saving
  await receipt.getByRole('button', { name: 'Print' }).click()
  await shop.emulateMedia({ media: 'print' })
  await shop.locator('hc-paper').waitFor()
  expect(complaints).toEqual([])
})
