// The playground: the card follows each setting at once, and so do the code and the address.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { textsOf } from '../../widget/locales/index.ts'
import { describedElement } from '../helpers/docs-element.ts'
import { browser, system, withTheDemo } from './at-the-demo.ts'
import { axeFaults } from './axe.ts'
import { PATIENCE_MS } from './customer.ts'

let page: Page

withTheDemo()
beforeEach(async () => {
  page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(`${system.credentials.shopUrl}/playground.html`)
  await page.locator('hc-checkout [part~=pay-button]').waitFor()
})

test('offers the attributes and tokens of the manifest', async () => {
  const { element } = await describedElement()
  const offered = await page
    .locator('[data-set]')
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['set']))
  expect(offered).toEqual(expect.arrayContaining(element.cssProperties.map(({ name }) => `t.${name}`)))
  const own = ['companion', 'session', 'deposit', 'name', 'return-url']
  const names = element.attributes.map(({ name }) => name).filter((name) => !own.includes(name))
  expect(names.length).toBeGreaterThan(10)
  expect(offered).toEqual(expect.arrayContaining(names.map((name) => `a.${name}`)))
})

test('in a browser without style sheets made by script the card has its looks, under the policy of the page', async () => {
  const other = await browser.newPage()
  await other.addInitScript('delete Document.prototype.adoptedStyleSheets')
  await other.goto(page.url())
  const button = other.locator('hc-checkout [part~=pay-button]')
  await button.waitFor()
  expect((await button.boundingBox())?.height).toBeGreaterThan(43)
  await other.close()
})

test('what is set is on the card, in the code of each kind of page, and in a link', async () => {
  await page.locator('[data-set="a.country"]').fill('SN')
  await page.locator('[data-set="a.locale"]').fill('fr')
  await page.locator('[data-set="a.theme"]').selectOption('dark')
  await page.locator('[data-set="t.--hc-accent"]').fill('#8a2f6b')
  const card = page.locator('hc-checkout')
  await card.getByLabel('Nom complet').waitFor()
  expect(await card.getAttribute('country')).toBe('SN')
  const ground = (one: Page) =>
    one.locator('hc-checkout [part~=pay-button]').evaluate((button) => getComputedStyle(button).backgroundColor)
  await expect.poll(() => ground(page)).toBe('rgb(138, 47, 107)')
  for (const kind of ['Script tag', 'React', 'Vue', 'Svelte', 'Angular', 'PHP']) {
    await page.getByRole('tab', { name: kind }).click()
    const code = (await page.locator('#code').textContent()) ?? ''
    expect(code, kind).toContain(' country="SN" locale="fr" theme="dark"')
    expect(code, kind).toContain('--hc-accent: #8a2f6b;')
  }
  await page.getByRole('tab', { name: 'Companion' }).click()
  expect(await page.locator('#code').textContent()).toContain('HC_SHOP_ACCENT="#8a2f6b"')
  const other = await browser.newPage()
  await other.goto(page.url())
  await other.locator('hc-checkout').getByLabel('Nom complet').waitFor()
  await expect.poll(() => ground(other)).toBe('rgb(138, 47, 107)')
  await other.close()
})

test('speaks English, French and Swahili, and keeps the language in its link', async () => {
  expect(await page.locator('h1').textContent()).toBe('Playground')
  for (const [language, title, about, button] of [
    ['fr', 'Atelier', 'Zones calmes.', 'Copier le lien'],
    ['sw', 'Uwanja wa kujaribu', 'Maeneo tulivu.', 'Nakili kiungo'],
  ] as const) {
    await page.selectOption('#language', language)
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByText(about, { exact: true }).waitFor()
    // The card is in the page's language until another is set.
    await page.locator('hc-checkout').getByLabel(textsOf(language).name).waitFor()
    expect(await axeFaults(page)).toEqual([])
    const other = await (await browser.newContext()).newPage()
    await other.goto(page.url())
    await other.getByRole('button', { name: button }).waitFor()
    expect(await other.locator('html').getAttribute('lang')).toBe(language)
    await other.context().close()
  }
})

test('arrow keys turn its tabs; light and dark go from the page to the card', async () => {
  await page.getByRole('tab', { name: 'Script tag' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('React')
  expect(await page.locator('#code').textContent()).toContain("import 'hc-checkout/define'")
  await page.locator('#theme').click()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await page.locator('hc-checkout').getAttribute('theme')).toBe('dark')
})

test('at a desk the card stays in sight beside the last of the settings', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.locator('[data-set="t.--hc-font"]').focus()
  await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(500)
  const { y } = (await page.locator('hc-checkout').boundingBox())!
  expect(y).toBeGreaterThanOrEqual(0)
  expect(y).toBeLessThan(200)
})

test('on a phone the settings begin folded, and the card is near', async () => {
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.goto(`${system.credentials.shopUrl}/playground.html`)
  const card = phone.locator('hc-checkout')
  await card.locator('[part~=pay-button]').waitFor()
  expect((await card.boundingBox())!.y).toBeLessThan(740)
  await phone.locator('summary').first().click()
  await phone.locator('[data-set="a.country"]').fill('GH')
  await phone.locator('hc-checkout[country=GH]').waitFor()
  expect(await phone.locator('[data-set="a.country"]').isVisible()).toBe(true)
  await phone.close()
})

test('it leads back to the shops, and to the documentation', async () => {
  await page.getByRole('link', { name: 'Docs' }).click()
  await page.waitForURL(/\/docs\/widget$/)
  await page.goBack()
  await page.getByRole('link', { name: 'Shops' }).click()
  await page.locator('[data-buy]:enabled').first().waitFor()
})

test('a link sets what is offered and nothing else: no script, and no other companion', async () => {
  const before = await page.locator('hc-checkout').getAttribute('companion')
  const stray = ['a.onclick=document.title=1', 'a.companion=https://evil.example', 'a.session=ses_1', 'a.x%20y=1']
  const other = await browser.newPage()
  const url = `${system.credentials.shopUrl}/playground.html#/?${stray.join('&')}&a.country=SN&a.locale=fr`
  await other.goto(url)
  await other.locator('hc-checkout').getByLabel('Nom complet').waitFor()
  const names = await other.locator('hc-checkout').evaluate((card) => card.getAttributeNames())
  expect(names).toEqual(expect.arrayContaining(['companion', 'country', 'locale']))
  expect(names.filter((name) => /^(on|session|x)/.test(name))).toEqual([])
  expect(await other.locator('hc-checkout').getAttribute('companion')).toBe(before)
  expect(await other.locator('#code').textContent()).not.toMatch(/onclick|evil|ses_1/)
  await other.close()
})

test.each([
  ['light', 320],
  ['dark', 1280],
] as const)('is accessible in %s at %i px', async (colorScheme, width) => {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 800 })
  expect(await axeFaults(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
})

test('on a phone the focus of a link is seen whole', async () => {
  await page.setViewportSize({ width: 360, height: 640 })
  const isFocused = () => page.evaluate(`document.activeElement.id === 'docs'`)
  for (let tabs = 0; tabs < 10 && !(await isFocused()); tabs += 1) await page.keyboard.press('Tab')
  const ring = await page.evaluate<{ width: number; offset: number }>(`(() => {
    const { outlineWidth, outlineOffset } = getComputedStyle(document.activeElement)
    return { width: parseFloat(outlineWidth), offset: parseFloat(outlineOffset) }
  })()`)
  expect(await isFocused()).toBe(true)
  // The row of the links scrolls: what stands out of it would be cut off.
  expect(ring.width).toBeGreaterThan(0)
  expect(ring.width + ring.offset).toBeLessThanOrEqual(0)
})
