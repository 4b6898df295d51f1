// From one step to the next on a small, slow phone: nothing jumps, and what matters is seen.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { languages } from '../../server/contract/index.ts'
import { textsOf } from '../../widget/locales/index.ts'
import { browser, eachTestAtTheShop, system } from './at-the-shop.ts'
import { customer, widgetOf } from './customer.ts'
import { isInView, shiftsOf, slowDown, watchShifts } from './shifts.ts'

eachTestAtTheShop()

/** A page of the shop's that keeps no room for the card, and has something above and below it. */
function pageWith(attributes: string, above = ''): string {
  return system.page(
    '/steps',
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Duka la Jua</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script type="module" src="${system.companionUrl}/widget/v1/hc-checkout.js"></script></head>
<body>${above}<hc-checkout companion="${system.companionUrl}" ${attributes}></hc-checkout>
<p>${'Maelezo ya bidhaa. '.repeat(60)}</p></body></html>`,
  )
}

/** A small phone in Nairobi. */
async function onThePhone(address: string): Promise<Page> {
  const context = await customer(browser, { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  await watchShifts(page)
  await page.goto(address)
  return page
}

/** Taps Pay, and waits until the card waits beside the payment page. */
async function pay(page: Page): Promise<void> {
  const { payButton, heading } = widgetOf(page)
  const opening = page.context().waitForEvent('page')
  await payButton.tap()
  await (await opening).waitForURL(/\/checkout\//)
  await heading('Pay on the page that opened')
  await page.bringToFront()
}

describe.each([
  ['with a fixed amount', true],
  ['with an open amount', false],
])('a whole payment %s on a slow phone', (_, isFixed) => {
  test('moves nothing on the screen, neither by itself nor after a tap', async () => {
    const token = isFixed ? (await system.session()).token : ''
    const page = await onThePhone('about:blank')
    await slowDown(page)
    await page.goto(pageWith(isFixed ? `session="${token}"` : 'country="KE"'))
    const { element, fill, heading } = widgetOf(page)
    // The place that the form takes when it comes is the page's to keep; later it is the card's.
    await element.locator('.names').filter({ hasText: 'M-Pesa' }).waitFor()
    await element.getByRole('combobox', { name: /bank/, includeHidden: true }).waitFor({ state: 'attached' })
    await page.evaluate('shifts.length = 0')
    if (isFixed) await element.locator('#name').fill('Achieng Otieno')
    else await fill()
    await pay(page)
    await system.until('open')
    await system.pays()
    await heading(/^Thank you/)
    await page.waitForFunction('document.querySelector("hc-checkout").shadowRoot.getAnimations().length === 0')
    const shifts = await shiftsOf(page)
    expect(shifts.reduce((sum, { value }) => sum + value, 0)).toBeLessThanOrEqual(0.02)
  })
})

test('a small phone shows Pay of a fixed amount unscrolled, in every language', async () => {
  const { token } = await system.session()
  const page = await onThePhone('about:blank')
  for (const language of languages) {
    await page.goto(pageWith(`session="${token}" locale="${language}"`))
    const { element, payButton } = widgetOf(page)
    await payButton.filter({ hasText: /2[,\u202f]500/ }).waitFor()
    await element.getByText(textsOf(language).next).waitFor()
    await element.locator('.test').waitFor()
    expect([language, await isInView(page, payButton)]).toEqual([language, true])
  }
})

test.each([320, 360, 390, 412])(
  'on a phone of %i px the card does not grow after Pay, in any language',
  async (width) => {
    const page = await onThePhone('about:blank')
    await page.setViewportSize({ width, height: 640 })
    const heights: Record<string, number[]> = {}
    for (const language of languages) {
      const { token } = await system.session({ orderId: `ORDER-${language}` })
      await page.goto(pageWith(`session="${token}" locale="${language}"`))
      const { element, payButton } = widgetOf(page)
      await payButton.filter({ hasText: /2[,\u202f]500/ }).waitFor()
      await element.getByText(textsOf(language).next).waitFor()
      await element.locator('#name').fill('Achieng Otieno')
      const height = (): Promise<number> =>
        element.locator('.card').evaluate((card) => (card as HTMLElement).offsetHeight)
      const before = await height()
      const opening = page.context().waitForEvent('page')
      await payButton.tap()
      // Left open: the card says something else once it is closed.
      const hosted = await opening
      await element.getByText(textsOf(language).openTitle).first().waitFor({ state: 'attached' })
      await element.locator('[part~=open-link]').waitFor()
      heights[language] = [before, await height()]
      await hosted.close()
    }
    // Nor does a phone on which no language needs it keep the room of the narrowest one.
    expect(heights['en']![0]).toBeLessThan(width < 390 ? 740 : 640)
    expect(heights).toEqual(
      Object.fromEntries(Object.entries(heights).map(([name, [before]]) => [name, [before, before]])),
    )
  },
)

describe('success is seen, with its mark and its title', () => {
  /** In the middle of a long page, filled in. */
  async function onALongPage(): Promise<Page> {
    const { token } = await system.session()
    const page = await onThePhone(pageWith(`session="${token}"`, `<p>${'Maelezo. '.repeat(300)}</p>`))
    const { element, payButton } = widgetOf(page)
    await payButton.filter({ hasText: '2,500' }).waitFor()
    await element.locator('#name').fill('Achieng Otieno')
    // Pay stands near the lower edge, and the top of the card is out of sight.
    await payButton.evaluate((button) => window.scrollBy(0, button.getBoundingClientRect().bottom - 120))
    return page
  }
  async function isSeen(page: Page): Promise<void> {
    const { element, heading } = widgetOf(page)
    await heading(/^Thank you/)
    for (const place of ['[part~=mark]', 'h2', '.test'])
      await expect.poll(() => isInView(page, element.locator(place))).toBe(true)
  }

  test('after a press on Pay', async () => {
    const page = await onALongPage()
    await pay(page)
    await system.pays()
    await isSeen(page)
  })

  test('after a check', async () => {
    const page = await onALongPage()
    await pay(page)
    await page.reload()
    const check = widgetOf(page).element.getByRole('button', { name: 'Check now' })
    await check.waitFor()
    for (const what of ['lock', 'paid', 'confirm'] as const) await system.act(what)
    await check.evaluate((button) => window.scrollBy(0, button.getBoundingClientRect().bottom - 60))
    await check.tap()
    await system.until('succeeded')
    await isSeen(page)
  })

  test('without a tap, where only the end of the card was on the screen', async () => {
    const page = await onALongPage()
    await pay(page)
    await page.evaluate('document.activeElement.blur()')
    await page.evaluate(
      `scrollTo(0, scrollY + document.querySelector('hc-checkout').getBoundingClientRect().bottom - 200)`,
    )
    await system.pays()
    await isSeen(page)
  })

  test('of one that came late, after it had failed', async () => {
    const page = await onALongPage()
    await pay(page)
    await system.act('cancel')
    await system.until('failed')
    await widgetOf(page).heading('Not paid')
    await system.act('confirm')
    await system.until('succeeded')
    await isSeen(page)
  })

  test('but does not pull back who reads elsewhere on the page', async () => {
    const page = await onALongPage()
    await pay(page)
    await page.evaluate('document.activeElement.blur()')
    await page.evaluate('scrollTo(0, 0)')
    await system.pays()
    await widgetOf(page).heading(/^Thank you/)
    expect(await page.evaluate('scrollY')).toBe(0)
  })
})
