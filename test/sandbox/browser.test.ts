// Hosted checkout and console in a real browser: accessible, paid with JavaScript, without it, and
// by keyboard alone.
import { serve, type ServerType } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults } from '../browser/axe.ts'
import { PATIENCE_MS, routeOnce } from '../browser/customer.ts'
import { chromiumArgs, chromiumPath } from '../helpers/chromium.ts'
import { linesOf } from '../helpers/lines-of.ts'
import { createSandboxFixture, type SandboxFixture } from './sandbox-fixture.ts'

let fixture: SandboxFixture
let server: ServerType
let base: string
let browser: Browser

beforeAll(async () => {
  fixture = createSandboxFixture({ now: Date.now, agent: false, locales: ['en', 'fr', 'sw', 'so', 'rw', 'rn'] })
  server = serve({ fetch: fixture.sandbox.app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise((ready) => server.once('listening', ready))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fixture.sandbox.start()
  browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
})
afterAll(async () => {
  await browser?.close()
  await new Promise((closed) => {
    server.close(closed)
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  await fixture.sandbox.close()
})

const address = async (changes: Parameters<SandboxFixture['create']>[0] = {}) =>
  base +
  new URL((await fixture.create({ reference: `B${Math.random()}`, ...changes })).json.data.redirect_url as string)
    .pathname

/**
 * The agent says yes when the test has seen that the page waits for it: no page has to be faster
 * than an agent.
 */
const agentConfirms = (reference: string) => fixture.console('POST', `transactions/${reference}/confirm`)

async function withPage(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale: 'en-KE', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await work(page)
  expect(faults).toEqual([])
  await context.close()
}

async function expectAccessible(page: Page, where: string): Promise<void> {
  expect(await axeFaults(page), where).toEqual([])
  const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(wider, `${where}: no sideways scrolling`).toBe(0)
  await expectTargets(page, where)
}

/**
 * Whatever is pressed has 44 pixels each way; a link inside a sentence or a list's cell on a desk
 * has its line.
 */
async function expectTargets(page: Page, where: string): Promise<void> {
  const small = await page.evaluate<string[]>(
    `[...document.querySelectorAll('a, button, summary, select, input:not([type=hidden]):not([type=checkbox]):not([type=radio]), label.check, label.option')]
       .filter((one) => one.getClientRects().length > 0 && !one.closest('p:not(.more)') && (innerWidth < 700 || !one.closest('td, dd')))
       .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width < 44 || height < 44 })
       .map((one) => one.outerHTML.slice(0, 100))`,
  )
  expect(small, where).toEqual([])
}

const LOOKS = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

test.each(['fr', 'sw'])(
  'at the largest zoom of a small phone nothing of the hosted checkout is cut off, in %s',
  (lang) =>
    withPage({ viewport: { width: 180, height: 320 }, hasTouch: true }, async (page) => {
      const whole = async (step: string) => {
        const cut = await page.evaluate<string[]>(
          `[...document.querySelectorAll('.sheet *')].filter((one) => one.getBoundingClientRect().right > document.querySelector('.sheet').getBoundingClientRect().right || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline').map((one) => one.outerHTML.slice(0, 100))`,
        )
        expect(cut, step).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), step).toBe(180)
        // The way of the payment is one row.
        const rows = await page
          .locator('.way li')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
        expect(new Set(rows).size, step).toBe(1)
      }
      const reference = `zoom-${lang}`
      await page.goto(`${await address({ reference, acc_no: '254712345678' })}?lang=${lang}`)
      for (const next of ['operator', 'lock', 'paid']) {
        const radio = page.locator('input[type=radio]').first()
        await whole(next)
        if ((await radio.count()) > 0) await radio.check({ force: true })
        await page.locator(`form:has([value=${next}]) button`).click()
        await page.locator(`form:has([value=${next}])`).waitFor({ state: 'detached' })
      }
      await whole('waiting')
      await agentConfirms(reference)
      await page.locator('.end.good').first().waitFor()
      await whole('done')
    }),
)

test('nor are the names of operators and buttons broken within a word there', () =>
  withPage({ viewport: { width: 180, height: 320 }, hasTouch: true }, async (page) => {
    await page.goto(`${await address({ reference: 'zoom-words', acc_no: '254712345678' })}?lang=en`)
    for (const [place, words] of [
      ['.option', ['Airtel', 'Money']],
      ['.body button', ['Continue']],
    ] as const)
      for (const word of words)
        expect(await page.locator(place).filter({ hasText: word }).first().evaluate(linesOf, word), word).toBe(1)
  }))

test('nor is an operator’s name broken at its hyphen in a sentence, and a heading ends in no lone word', () =>
  withPage({ viewport: { width: 320, height: 640 }, hasTouch: true }, async (page) => {
    const reference = 'hyphen'
    await page.goto(`${await address({ reference, acc_no: '254712345678' })}?lang=so`)
    await page.getByLabel('M-Pesa').check()
    await page.locator('form:has([value=operator]) button').click()
    await page.locator('form:has([value=lock]) button').click()
    expect(await page.locator('.todo li').first().evaluate(linesOf, 'M\u2011Pesa')).toBe(1)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${await address({ reference: 'lone-word', currency: 'XOF', acc_no: '' })}?lang=en`)
    expect(await page.getByRole('heading', { level: 2 }).evaluate(linesOf, 'money in?')).toBe(1)
  }))

test.each([180, 240, 280, 360])('every language in the menu of the hosted checkout can be read, at %i px', (width) =>
  withPage({ viewport: { width, height: 640 }, hasTouch: true }, async (page) => {
    await page.goto(await address({ reference: `menu-${width}` }))
    await page.locator('.languages summary').click()
    const sides = await page.locator('nav, nav a').evaluateAll((all) =>
      all.map((one) => {
        const { left, right } = one.getBoundingClientRect()
        return left >= 0 && right <= innerWidth && one.scrollWidth <= one.clientWidth + 1
      }),
    )
    expect(sides).toEqual(Array.from({ length: 6 }, () => true))
  }),
)

test.each(['en', 'so', 'rw', 'rn'])('on a small phone each Copy stands beside what it copies, in %s', (lang) =>
  withPage({ viewport: { width: 360, height: 740 } }, async (page) => {
    await page.goto(`${await address({ reference: `beside-${lang}`, acc_no: '254712345678' })}?lang=${lang}`)
    expect(await page.locator('html').getAttribute('lang')).toBe(lang)
    for (const next of ['operator', 'lock']) {
      await page.locator('input[type=radio]').first().check()
      await page.locator(`form:has([value=${next}]) button`).click()
      await page.locator(`form:has([value=${next}])`).waitFor({ state: 'detached' })
    }
    await page.locator('dd button').first().waitFor()
    const below = await page.locator('dd').evaluateAll((fields) =>
      fields
        .filter((field) => {
          const [value, button] = [...field.children].map((part) => part.getBoundingClientRect())
          return value === undefined || button === undefined || button.top >= value.bottom
        })
        .map((field) => field.textContent),
    )
    expect(below).toEqual([])
  }),
)

test.each(['fr', 'sw', 'so', 'rw', 'rn'])('on the smallest phone everything stands in line, in %s', (lang) =>
  withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
    const reference = `INLINE0123456789ABCDE${lang}`
    const tops = () => page.locator('.way li').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    const rightOf = async (place: string) =>
      page.locator(place).evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)))
    await page.goto(`${await address({ reference, acc_no: '254712345678' })}?lang=${lang}`)
    for (const next of ['operator', 'lock', 'paid']) {
      expect(new Set(await tops()).size, next).toBe(1)
      // What does not fit beside the operator stands at the right below it.
      if (next === 'lock') expect(await rightOf('.picked a')).toEqual(await rightOf('.picked'))
      // A line ends with the point between two texts, never begins with it.
      expect(await page.locator('.body').textContent()).not.toMatch(/ ·/)
      if (next !== 'paid') await page.locator('input[type=radio]').first().check()
      await page.locator(`form:has([value=${next}]) button`).click()
      await page.locator(`form:has([value=${next}])`).waitFor({ state: 'detached' })
    }
    await agentConfirms(reference)
    await page.locator('.end.good').first().waitFor()
    expect(new Set(await tops()).size, 'done').toBe(1)
    expect(new Set(await rightOf('.facts dd')).size).toBe(1)
  }),
)

describe.each(LOOKS)('at $width px, $colorScheme', ({ width, colorScheme }) => {
  const look = { viewport: { width, height: 800 }, colorScheme }

  test('the hosted checkout has no accessibility violation at any step', () =>
    withPage(look, async (page) => {
      const reference = `STEPS${width}`
      const step = async (heading: string) => {
        await page.getByRole('heading', { name: heading }).waitFor()
        await expectAccessible(page, heading)
      }
      await page.goto(await address({ reference, currency: 'XOF', acc_no: '' }))
      await step('Which country is your mobile money in?')
      await page.getByLabel('Senegal').check()
      await page.getByRole('button', { name: 'Continue' }).click()
      await step('Choose your mobile money')
      await page.getByLabel('Wave').check()
      await page.getByRole('button', { name: 'Continue' }).click()
      await step('Choose an agent')
      await page.getByRole('button', { name: 'Choose this agent' }).click()
      await step('How to pay')
      await page.getByRole('link', { name: 'Cancel payment' }).click()
      await step('Cancel this payment?')
      await page.getByRole('link', { name: 'No, keep paying' }).click()
      const top = async (one: Locator) => (await one.boundingBox())?.y ?? 0
      const paid = page.getByRole('button', { name: 'I have paid' })
      // A warning is read before the button that it is about.
      expect(await top(page.getByText('Press this only after'))).toBeLessThan(await top(paid))
      await paid.click()
      await step('Waiting for the agent')
      await agentConfirms(reference)
      await step('Payment received')
    }))

  test('the longest name, reference and amount are whole, and push nothing out of sight', () =>
    withPage(look, async (page) => {
      const reference = `L${width}`.padEnd(64, 'r')
      const longest = { reference, acc_name: 'W'.repeat(100), description: 'd'.repeat(255), amount: 999_999_999_999 }
      const cutOff = () =>
        page.evaluate<string[]>(
          `[...document.querySelectorAll('h1, p, td, dd, .sheet')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 100))`,
        )
      const hosted = await address(longest)
      await page.goto(hosted)
      expect(await cutOff(), 'checkout').toEqual([])
      const amount = page.getByRole('heading', { level: 1 })
      expect(await amount.evaluate(linesOf, '999,999,999,999')).toBe(1)
      await page.goto(`${hosted}?lang=fr`)
      expect(await amount.evaluate(linesOf, '999\u202f999\u202f999\u202f999')).toBe(1)
      for (const place of ['', `/transactions/${reference}`]) {
        await page.goto(`${base}/console${place}`)
        expect(await page.getByText(reference).count(), place).toBeGreaterThan(0)
        expect(await cutOff(), `console${place}`).toEqual([])
      }
    }))

  test('the console has no accessibility violation on any page', () =>
    withPage(look, async (page) => {
      await fixture.create({ reference: `C${width}${colorScheme}`, acc_no: '254700000003' })
      // More tokens than are shown, so that the link to the others is there.
      for (let n = 0; n < 11; n++) await fixture.login()
      for (const place of [
        '',
        '/inbox',
        '/deliveries',
        '/merchants',
        '/scenarios',
        '/faults',
        '/clock',
        `/transactions/C${width}${colorScheme}`,
      ]) {
        await page.goto(`${base}/console${place}`)
        await expectAccessible(page, place)
      }
    }))
})

test('on a desk the console writes a companion’s reference, a time and a duration in one line each', () =>
  withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
    const reference = 'HCT1M83VHRSD6GRPS83BEQRW'
    fixture.receiver.answer = () => new Response('a long answer '.repeat(40), { status: 500 })
    await fixture.create({ reference, acc_name: 'Wanjiku Nyambura Kamau', amount: 999_999_999_999 })
    await fixture.console('POST', `transactions/${reference}/confirm`)
    const lines = async (place: Locator) => {
      const text = (await place.textContent()) ?? ''
      return place.evaluate(linesOf, text)
    }
    await page.goto(`${base}/console`)
    const link = page.getByRole('link', { name: reference })
    expect(await lines(link)).toBe(1)
    expect(await lines(page.getByRole('row').filter({ has: link }).locator('time'))).toBe(1)
    await link.click()
    await page.getByRole('link', { name: /^#/ }).click()
    const took = page.locator('td[data-head=Took]').first()
    await expect.poll(async () => (await page.reload(), took.count())).toBe(1)
    expect(await lines(took)).toBe(1)
    expect(await lines(page.locator('td time').first())).toBe(1)
    fixture.receiver.answer = () => new Response()
  }))

test('the console follows what happens, and leaves a hand at work alone', () =>
  withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
    await page.goto(`${base}/console`)
    await fixture.create({ reference: 'LIVE' })
    await page.getByRole('link', { name: 'LIVE' }).click()
    const scenario = page.getByRole('combobox')
    await scenario.selectOption('declined')
    // In the select the hand is at work; out of it, what changed is shown and the choice stays.
    await page.getByRole('heading', { name: 'LIVE' }).click()
    await scenario.blur()
    await fixture.console('POST', 'transactions/LIVE/lock')
    await page.getByRole('cell', { name: 'locked', exact: true }).waitFor()
    expect(await scenario.inputValue()).toBe('declined')
    await fixture.console('POST', 'transactions/LIVE/confirm')
    await page.getByText('SUCCESS', { exact: true }).waitFor()
  }))

test('the fields of one row stand at one height and are as high, however long their labels', () =>
  withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
    await page.goto(`${base}/console/faults`)
    const edges = await page
      .locator('label:not(.check)')
      .locator('input, select')
      .evaluateAll((fields) =>
        fields.slice(0, 4).map((field) => {
          const { top, height } = field.getBoundingClientRect()
          return [top, height]
        }),
      )
    expect(new Set(edges.map(String)).size).toBe(1)
  }))

test('a deposit is paid with JavaScript off', () =>
  withPage({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } }, async (page) => {
    await page.goto(await address({ reference: 'PLAIN' }))
    await page.getByLabel('M-Pesa').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Choose this agent' }).click()
    await page.getByRole('button', { name: 'I have paid' }).click()
    await page.getByRole('heading', { name: 'Waiting for the agent' }).waitFor()
    await agentConfirms('PLAIN')
    // The page refreshes itself.
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  }))

test('a press that came to nothing, stopped on a slow line, can be made again', () =>
  withPage({}, async (page) => {
    await page.clock.install()
    await page.goto(await address())
    await page.getByLabel('Airtel Money').check()
    // As for a person who presses Stop: the browser stays on the page.
    await routeOnce(page, '**/checkout/*', (route) => route.fulfill({ status: 204 }))
    const next = page.getByRole('button', { name: 'Continue' })
    await next.click()
    await page.clock.fastForward(10_000)
    await next.click()
    await page.getByRole('heading', { name: 'Choose an agent' }).waitFor()
  }))

test('a deposit is paid by keyboard alone, and the news is told to the reader of the page', () =>
  withPage({ viewport: { width: 360, height: 740 } }, async (page) => {
    await page.goto(await address({ reference: 'KEYS' }))
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let presses = 0; presses < 20; presses += 1) {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate<string>(
          `(() => { const at = document.activeElement; return (at.labels && at.labels[0] || at).textContent })()`,
        )
        if (name.test(focused)) return
      }
      throw new Error(`The keyboard does not reach ${name}`)
    }
    await tabTo(/M-Pesa/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await tabTo(/^Continue/)
    await Promise.all([page.waitForURL(/checkout/), page.keyboard.press('Enter')])
    await page.getByRole('heading', { name: 'Choose an agent' }).waitFor()
    await tabTo(/Agency/)
    await tabTo(/^Choose this agent/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'How to pay' }).waitFor()
    await tabTo(/^I have paid/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Waiting for the agent' }).waitFor()
    await agentConfirms('KEYS')
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Payment received')
  }))

test('the page follows a payment that plays by itself, but takes no choice from under a hand', () =>
  withPage({ viewport: { width: 360, height: 740 } }, async (page) => {
    await page.goto(await address({ reference: 'PLAYED' }))
    await fixture.console('POST', 'transactions/PLAYED/lock')
    await page.getByRole('heading', { name: 'How to pay' }).waitFor()
    await page.goto(await address({ reference: 'TOUCHED' }))
    await page.getByLabel('M-Pesa').check()
    await page.getByLabel('M-Pesa').blur()
    const seen = () => page.waitForResponse(/\/state$/)
    await fixture.console('POST', 'transactions/TOUCHED/lock')
    await seen()
    await seen()
    expect(await page.getByLabel('M-Pesa').isChecked()).toBe(true)
  }))

test('the page follows by itself when somebody else ends the payment', () =>
  withPage({ viewport: { width: 360, height: 740 } }, async (page) => {
    await page.goto(await address({ reference: 'FOLLOW' }))
    await page.getByLabel('M-Pesa').check()
    await fixture.console('POST', 'transactions/FOLLOW/expire')
    await page.getByRole('heading', { name: 'The time for this payment is over' }).waitFor()
    // Late, and told all the same: who reads "start again" would pay twice.
    await fixture.console('POST', 'transactions/FOLLOW/confirm')
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    await expect(page.evaluate('document.querySelector("main").hasAttribute("data-version")')).resolves.toBe(false)
  }))
