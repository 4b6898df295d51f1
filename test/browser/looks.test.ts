// The customer's display settings: text twice as large, forced colours, reduced motion.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { linesOf } from '../helpers/lines-of.ts'
import { readCode, type Picture } from '../helpers/read-code.ts'
import { samplePayment, sampleSession } from '../helpers/sample-payment.ts'
import { browser, context, eachTestAtTheShop, system, shop, toThePaymentPage } from './at-the-shop.ts'
import { customer, widgetOf } from './customer.ts'

eachTestAtTheShop()

/** Pixels that the page is wider than its window, and what of the card sticks out of it. */
function sticksOut(page: Page): Promise<{ scroll: number; parts: string[] }> {
  return page.evaluate(() => {
    const card = document.querySelector('hc-checkout')
    const { right } = card?.getBoundingClientRect() ?? { right: 0 }
    const all = [...(card?.shadowRoot?.querySelectorAll<HTMLElement>('h2,label,p,button,a,input,select,dt,dd') ?? [])]
    const parts = all
      // The quick amounts are one row that is pushed sideways.
      .filter((part) => part.closest('.chips') === null && part.getBoundingClientRect().right > right + 1)
      .map((part) => `${part.tagName} ${part.textContent}`)
    return { scroll: document.documentElement.scrollWidth - innerWidth, parts }
  })
}

test('with text twice as large on a small phone nothing is cut off, from the form to the receipt', async () => {
  const context = await customer(browser, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  await page.goto(system.shop())
  const widget = widgetOf(page)
  await widget.payButton.waitFor()
  const label = widget.element.locator('label').first()
  const before = (await label.boundingBox())?.height ?? 0
  await page.addStyleTag({ content: 'html { -webkit-text-size-adjust: 200%; text-size-adjust: 200% }' })
  await expect.poll(async () => (await label.boundingBox())?.height ?? 0).toBeGreaterThan(before * 1.5)
  expect(await sticksOut(page)).toEqual({ scroll: 0, parts: [] })
  const hosted = await toThePaymentPage(page)
  expect(await sticksOut(page)).toEqual({ scroll: 0, parts: [] })
  await hosted.close()
  await system.pays()
  await widget.heading(/^Thank you/)
  expect(await sticksOut(page)).toEqual({ scroll: 0, parts: [] })
  // An amount may stand in two lines, its number not: KSh 2,500 must not read as KSh 2,50.
  expect(await widget.element.locator('.sum').first().evaluate(linesOf, '2,500')).toBe(1)
})

test('with text twice as large the TEST mark is read to its end, over no field: in Somali and Amharic its last word is the "not" of "not real money"', async () => {
  const context = await customer(browser, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  await page.goto(system.shop())
  const { element } = widgetOf(page)
  const mark = element.locator('.test')
  const height = async (): Promise<number> => (await mark.boundingBox())?.height ?? 0
  await mark.waitFor()
  const before = await height()
  await page.addStyleTag({ content: 'html { -webkit-text-size-adjust: 200%; text-size-adjust: 200% }' })
  await expect.poll(height).toBeGreaterThan(before * 1.5)
  for (const [language, word] of [
    ['en', 'no real money'],
    ['so', 'ma aha'],
    ['am', 'አይደለም'],
  ] as const) {
    await element.evaluate((card, locale) => card.setAttribute('locale', locale), language)
    await mark.getByText(word).waitFor()
    const [cut, gap] = await mark.evaluate((p) => {
      const form = p.closest('.card')?.querySelector('form')?.getBoundingClientRect().top ?? 0
      return [p.scrollWidth - p.clientWidth, form - p.getBoundingClientRect().bottom]
    })
    expect({ language, cut }).toEqual({ language, cut: 0 })
    expect(gap).toBeGreaterThanOrEqual(8)
  }
})

test.each([
  ['en', '999,999,999,999'],
  ['fr', '999\u202f999\u202f999\u202f999'],
])(
  'the largest amount is not broken within its number on the smallest phone, before and after it is paid: %s',
  async (locale, number) => {
    const amount = 999_999_999_999
    const answers: Record<string, object> = {
      '/v1/session': { ...sampleSession, amount },
      '/v1/deposits/dep_1': { ...samplePayment, amount, phase: 'succeeded', status: 'SUCCESS', checkoutUrl: undefined },
    }
    system.between = (request, next) => {
      const answer = request.method === 'GET' ? answers[new URL(request.url).pathname] : undefined
      return answer ? Response.json(answer, { headers: { 'access-control-allow-origin': '*' } }) : next()
    }
    await shop.setViewportSize({ width: 320, height: 640 })
    await shop.goto(system.shop({ session: 'locked', locale }))
    await shop.addStyleTag({ content: 'body { margin: 16px }' })
    const { element } = widgetOf(shop)
    const lines = (place: string) => element.locator(place).first().evaluate(linesOf, number)
    await element.locator('[part~=locked]').getByText(number).waitFor()
    expect(await lines('.sum')).toBe(1)
    await element.evaluate((card) =>
      (card as unknown as { resume(id: string, token: string): void }).resume('dep_1', 't'),
    )
    await element.locator('[part~=success]').waitFor()
    expect(await lines('.sum')).toBe(1)
    await element.locator('button[value=receipt]').click()
    await element.locator('.paper').waitFor()
    expect(await lines('.paper .sum')).toBe(1)
  },
)

test('no word of a heading is broken on the smallest phone', async () => {
  const failed = {
    phase: 'failed',
    status: 'FAILED',
    result: { code: '1032', description: '' },
    checkoutUrl: undefined,
  }
  system.between = (request, next) =>
    new URL(request.url).pathname === '/v1/deposits/dep_1' && request.method === 'GET'
      ? Response.json({ ...samplePayment, ...failed }, { headers: { 'access-control-allow-origin': '*' } })
      : next()
  await shop.setViewportSize({ width: 320, height: 640 })
  await shop.goto(system.shop({ locale: 'sw' }))
  await shop.addStyleTag({ content: 'body { margin: 16px }' })
  const { element, payButton } = widgetOf(shop)
  await payButton.waitFor()
  await element.evaluate((card) =>
    (card as unknown as { resume(id: string, token: string): void }).resume('dep_1', 't'),
  )
  await element.locator('[part~=failure]').waitFor()
  expect(await element.locator('h2').evaluate(linesOf, 'hayakufanikiwa')).toBe(1)
})

/** How many characters of a place's text each of its lines has. */
function lineLengths(place: Element): number[] {
  const lines = new Map<number, number>()
  const words = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  while (words.nextNode())
    for (let at = 0; at < (words.currentNode.nodeValue ?? '').length; at++) {
      const one = document.createRange()
      one.setStart(words.currentNode, at)
      one.setEnd(words.currentNode, at + 1)
      const { top } = one.getBoundingClientRect()
      lines.set(top, (lines.get(top) ?? 0) + 1)
    }
  return [...lines.values()]
}

test('a reference fits one line or two like ones; a receipt keeps its groups whole', async () => {
  await shop.setViewportSize({ width: 320, height: 640 })
  await shop.goto(system.shop())
  const { element, heading } = widgetOf(shop)
  await toThePaymentPage()
  await system.pays()
  await heading(/^Thank you/)
  const linesAt = async (list: string, width: number) => {
    await shop.setViewportSize({ width, height: 640 })
    await expect.poll(() => shop.evaluate('innerWidth')).toBe(width)
    return element.locator(list).locator('dd').last().evaluate(lineLengths)
  }
  const inOneThenTwo = async (list: string) => {
    expect(await linesAt(list, 320)).toHaveLength(1)
    // At 240 px some references have room: their random letters differ in width.
    const lines = await linesAt(list, 200)
    expect(lines).toHaveLength(2)
    expect(Math.min(...lines)).toBeGreaterThanOrEqual(10)
  }
  await inOneThenTwo('[part~=details]')
  await element.locator('button[value=receipt]').click()
  const fours = element.locator('.paper .reference span')
  await expect.poll(() => fours.count()).toBe(6)
  for (const four of await fours.all()) expect(await four.evaluate(lineLengths)).toEqual([4])
})

test('on a small phone what a button has found out is seen, though it stands below the buttons', async () => {
  await shop.setViewportSize({ width: 360, height: 640 })
  await shop.goto(system.shop())
  const { element } = widgetOf(shop)
  const bottomOf = (words: string) =>
    element
      .locator('[part~=waiting]')
      .getByText(words)
      .evaluate((note) => note.getBoundingClientRect().bottom)
  await toThePaymentPage()
  await shop.bringToFront()
  // Who comes back may ask at once.
  await shop.reload()
  await element.locator('[part~=waiting]').waitFor()
  const top = () => shop.evaluate('scrollTo(0, 0)')
  await top()
  await element.getByRole('button', { name: 'Check now' }).click()
  await expect.poll(() => bottomOf('Not confirmed yet')).toBeLessThanOrEqual(640)
  await top()
  await context.setOffline(true)
  await element.getByRole('button', { name: 'How to pay' }).click()
  // First above the buttons, and by the button's answer there alone: never twice.
  const found = element.locator('.found')
  await found.getByText('No connection').waitFor()
  expect(await bottomOf('No connection')).toBeLessThanOrEqual(640)
})

test('phone and e-mail stand beside each other at the same height, in every language', async () => {
  await shop.setViewportSize({ width: 1280, height: 800 })
  for (const locale of ['en', 'fr', 'sw', 'am', 'ha', 'rn', 'rw', 'so']) {
    await shop.goto(system.shop({ locale }))
    const { element, payButton } = widgetOf(shop)
    await payButton.waitFor()
    // At one moment: what comes later, as the banks, moves both.
    const tops = await element
      .locator('#phone, #email')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
    expect([locale, ...tops]).toEqual([locale, tops[0], tops[0]])
  }
})

test('at the largest zoom of a small phone a typed amount is seen whole, and a sheet with a long title can be closed', async () => {
  await shop.setViewportSize({ width: 320, height: 640 })
  await shop.goto(system.shop({ locale: 'rw' }))
  const { element } = widgetOf(shop)
  await element.locator('.chips button').first().waitFor()
  const amount = element.locator('#amount')
  const currency = element.locator('.money span')
  const isBeside = async (): Promise<boolean> =>
    ((await currency.boundingBox())?.x ?? 0) < ((await amount.boundingBox())?.x ?? 0)
  expect(await isBeside()).toBe(true)
  await shop.setViewportSize({ width: 180, height: 320 })
  await element.locator('#name').fill('Uwase')
  await amount.fill('25000')
  // With its first digit out of sight it was another amount.
  expect(await amount.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0)
  const opening = context.waitForEvent('page')
  await widgetOf(shop).payButton.click()
  await (await opening).close()
  await element.locator('[part~=waiting]').waitFor()
  await system.pays()
  await element.locator('button[value=receipt]').click()
  const close = await element.locator('dialog .close').boundingBox()
  expect((close?.x ?? 0) + (close?.width ?? 999)).toBeLessThanOrEqual(180)
})

/** What is on the screen there, without so many pixels at its edges. */
async function seen(place: Locator, edge: number): Promise<Picture> {
  const png = (await place.screenshot()).toString('base64')
  return place.evaluate(
    async (_, [file, cut]) => {
      const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${file}`)).blob())
      const [width, height] = [picture.width - 2 * cut, picture.height - 2 * cut]
      const canvas = new OffscreenCanvas(width, height).getContext('2d')!
      canvas.drawImage(picture, -cut, -cut)
      return { width, height, data: Array.from(canvas.getImageData(0, 0, width, height).data) }
    },
    [png, edge] as const,
  )
}

/**
 * How much of what is on the screen there, its edges and corners apart, is nearly black: from 0 to
 * 1.
 */
async function blackness(place: Locator): Promise<number> {
  const { data } = await seen(place, 20)
  return data.filter((value, i) => i % 4 === 1 && value < 70).length / (data.length / 4)
}

test('on a phone that darkens pages the card keeps its own dark colours, and the code for another phone can be read: it was white on white', async () => {
  const context = await customer(browser, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  const page = await context.newPage()
  const phone = await context.newCDPSession(page)
  await phone.send('Emulation.setAutoDarkModeOverride', { enabled: true })
  await page.goto(system.shop())
  const { element } = widgetOf(page)
  await (await toThePaymentPage(page)).close()
  // Dark words on the accent; the browser made them white on it.
  expect(await blackness(element.locator('[part~=open-link]'))).toBeGreaterThan(0.01)
  const code = element.locator('svg.qr')
  for (const theme of ['', 'light']) {
    await element.evaluate((card, value) => card.setAttribute('theme', value), theme)
    await element.locator('button[value=share]').click()
    await code.waitFor()
    expect(await blackness(code)).toBeGreaterThan(0.2)
    expect(readCode(await seen(code, 0))).toBe(await element.locator('textarea').inputValue())
    await page.keyboard.press('Escape')
  }
})

test('in forced colours the button to press and the chosen amount have edges of their own', async () => {
  await shop.emulateMedia({ forcedColors: 'active' })
  await shop.goto(system.shop())
  const widget = widgetOf(shop)
  const edge = (part: Element) => {
    const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(part)
    return { line: `${borderTopWidth} ${borderTopStyle}`, isSeen: borderTopColor !== backgroundColor }
  }
  expect(await widget.payButton.evaluate(edge)).toEqual({ line: '2px solid', isSeen: true })
  const chip = widget.element.locator('.chips button').first()
  await chip.click()
  expect(await chip.getAttribute('aria-pressed')).toBe('true')
  expect(await chip.evaluate(edge)).toEqual({ line: '2px solid', isSeen: true })
})

test('in forced colours the TEST mark and the note of the time left have an outline in place of their ground', async () => {
  await shop.emulateMedia({ forcedColors: 'active' })
  await shop.goto(system.shop())
  const { element } = widgetOf(shop)
  await toThePaymentPage()
  const outline = (part: Element) => getComputedStyle(part).outlineStyle
  for (const part of ['.test', '.note'])
    expect(await element.locator(part).first().evaluate(outline), part).toBe('solid')
  await element.locator('button[value=help]').click()
  expect(await element.locator('dialog .test').evaluate(outline)).toBe('solid')
})

test('every field leaves the same room above the next one', async () => {
  await shop.setViewportSize({ width: 360, height: 640 })
  await shop.goto(system.shop())
  const { element, payButton } = widgetOf(shop)
  await payButton.waitFor()
  await element.locator('[role=combobox]').waitFor()
  const rooms = await element.evaluate((card) => {
    const box = (selector: string) => card.shadowRoot!.querySelector(selector)!.getBoundingClientRect()
    const roomAbove = (label: string, field: string) => box(`label[for=${label}]`).top - box(`#${field}`).bottom
    return [roomAbove('bank', 'country'), roomAbove('phone', 'name')]
  })
  expect(rooms[0]).toBe(rooms[1])
})

test('buttons in a row stand apart in a browser that knows no gap there, in line with the rest of the card', async () => {
  await shop.setViewportSize({ width: 360, height: 740 })
  await shop.goto(system.shop())
  const { element } = widgetOf(shop)
  const rooms = (row: string) =>
    element.locator(row).evaluate((box) => {
      box.style.gap = '0'
      const rects = [...box.querySelectorAll('button')].map((one) => one.getBoundingClientRect())
      const steps = rects
        .slice(1)
        .map((rect, i) => ({ right: rect.left - rects[i]!.right, down: rect.top - rects[i]!.bottom }))
      const whole = (box.parentElement as HTMLElement).getBoundingClientRect()
      return {
        // What begins a row of its own stands below, with the room that it has inside.
        least: Math.min(...steps.filter(({ down }) => down < 0).map(({ right }) => right)),
        edges: [rects[0]!.left - whole.left, rects[0]!.top - whole.top],
      }
    })
  await element.locator('.chips button').first().waitFor()
  const chips = await rooms('.chips')
  expect([chips.least, chips.edges[0]]).toEqual([8, 0])
  await toThePaymentPage()
  expect(await rooms('.links')).toEqual({ least: 12, edges: [0, 0] })
})

test('with little motion the sign of waiting hardly turns', async () => {
  const turning = (page: Page) =>
    widgetOf(page)
      .element.locator('.turn svg')
      .evaluate((sign) => getComputedStyle(sign).animationDuration)
  await shop.goto(system.shop())
  await toThePaymentPage()
  expect(await turning(shop)).toBe('1.1s')
  await shop.emulateMedia({ reducedMotion: 'reduce' })
  expect(await turning(shop)).toBe('6s')
})

/** On a small phone, in the middle of a long page, with everything filled in. */
async function onALongPage(): Promise<Page> {
  const context = await customer(browser, { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  const lines = `<p>${'Maelezo ya bidhaa. '.repeat(60)}</p>`
  await page.goto(
    system.page(
      '/long',
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Duka la Jua</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script type="module" src="${system.companionUrl}/widget/v1/hc-checkout.js"></script></head>
<body>${lines}<hc-checkout companion="${system.companionUrl}"></hc-checkout>${lines}</body></html>`,
    ),
  )
  await widgetOf(page).fill()
  return page
}

/** Whether all of a place is in the window. */
async function isInView(page: Page, place: Locator): Promise<boolean> {
  const { y = -1, height = 0 } = (await place.boundingBox()) ?? {}
  return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0)
}

test('who pressed Pay on an iPhone, which gives a button no focus, sees what to do next', async () => {
  const page = await onALongPage()
  const { element, payButton, heading } = widgetOf(page)
  await page.evaluate(`addEventListener('mousedown', (event) => event.preventDefault())`)
  await element.locator('#amount').blur()
  await payButton.tap()
  await heading('Pay on the page that opened')
  await page.bringToFront()
  await expect.poll(() => isInView(page, element.locator('h2'))).toBe(true)
  await system.pays()
  await heading(/^Thank you/)
  await expect.poll(() => isInView(page, element.locator('h2'))).toBe(true)
})

test('who pressed Pay at the end of a long page sees why nothing was paid', async () => {
  const page = await onALongPage()
  const widget = widgetOf(page)
  system.between = (request, next) =>
    request.method === 'POST' && request.url.endsWith('/v1/deposits')
      ? Response.json(
          { type: '/problems/rate_limited', code: 'rate_limited', title: 'Too many requests', status: 429 },
          { status: 429, headers: { 'access-control-allow-origin': '*' } },
        )
      : next()
  await widget.payButton.tap()
  const reason = widget.element.getByRole('alert')
  await reason.getByText('Many people are paying right now.').waitFor()
  await expect.poll(() => isInView(page, reason)).toBe(true)
})
