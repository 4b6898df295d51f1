// The pages in a real Chromium: the whole payment with JavaScript off, accessibility in every
// state, and the widget with it on.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type CreatedDeposit, languages } from '../../server/contract/index.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { axeFaults } from '../browser/axe.ts'
import { PATIENCE_MS } from '../browser/customer.ts'
import { chromiumArgs, chromiumPath } from '../helpers/chromium.ts'
import { COMPANION_URL, createSession, createTestSystem, pay, SANDBOX_URL } from '../helpers/create-test-system.ts'
import { linesOf } from '../helpers/lines-of.ts'
import type { TestSystem, TestSystemOptions } from '../helpers/create-test-system.ts'

let browser: Browser
let system: TestSystem
let context: BrowserContext
beforeAll(async () => {
  // A redirect may pass the route by: no name leads anywhere, or a shop that runs on this machine
  // would answer it.
  browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: [...chromiumArgs, '--host-resolver-rules=MAP * ~NOTFOUND'],
  })
})
afterAll(() => browser.close())
afterEach(async () => {
  await context.close()
  await system.close()
})

/** A browser whose network is the system itself: no sockets, the clock moved by hand. */
async function open(
  options: { readonly system?: TestSystemOptions; readonly browser?: Parameters<Browser['newContext']>[0] } = {},
): Promise<Page> {
  system = await createTestSystem({ agent: false, ...options.system })
  context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'en',
    viewport: { width: 360, height: 740 },
    ...options.browser,
  })
  await context.route('**/*', async (route) => {
    const request = route.request()
    const { origin } = new URL(request.url())
    const init = {
      method: request.method(),
      headers: await request.allHeaders(),
      ...(request.postDataBuffer() === null ? {} : { body: new Uint8Array(request.postDataBuffer() ?? []) }),
    }
    const app =
      origin === COMPANION_URL ? system.companion.app : origin === SANDBOX_URL ? system.sandbox.app : undefined
    if (app === undefined) return route.abort()
    const response = await app.request(request.url(), init)
    const headers = Object.fromEntries(response.headers)
    const { location } = headers
    // Not every Chromium asks us again after a redirect, and there is nobody at that address but
    // us.
    if (location !== undefined && response.status === 303)
      return route.fulfill({ headers: { ...headers, location: '', refresh: `0;url=${location}` }, body: '' })
    return route.fulfill({
      status: response.status,
      headers,
      body: Buffer.from(await response.arrayBuffer()),
    })
  })
  context.setDefaultTimeout(PATIENCE_MS)
  return context.newPage()
}

async function create(changes: Record<string, unknown> = {}): Promise<CreatedDeposit> {
  const response = await pay(system, changes)
  return (await response.json()) as CreatedDeposit
}

/** Faults of accessibility, of the size of targets, and anything wider than the screen. */
async function faultsOf(page: Page): Promise<string[]> {
  // A page without our script looks for news by itself; it can be paused (WCAG 2.2.2), which the
  // rule does not see.
  const violations = (await axeFaults(page)).filter((fault) => !fault.startsWith('meta-refresh:'))
  const small =
    await page.evaluate(`[...document.querySelectorAll('a, button, input:not([type=hidden]):not([type=checkbox]), select, summary, label.tick')]
    .filter((one) => one.getBoundingClientRect().width > 0 && one.getBoundingClientRect().height < 43.5)
    .map((one) => 'small: ' + one.outerHTML)`)
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : []')
  return [...violations, ...(small as string[]), ...(wide as string[])]
}

describe('with JavaScript off', () => {
  it('from the country to the hosted page, and by the payment’s own page to the receipt', async () => {
    const page = await open()
    await page.goto(`${COMPANION_URL}/pay`)
    await page.getByLabel('Which country are you paying from?').selectOption('KE')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Amount (KES)').fill('2 500')
    await page.getByLabel('Full name').fill('Achieng Otieno')
    await page.getByLabel('Mobile number').fill('254700000001')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.waitForURL(`${SANDBOX_URL}/checkout/*`)
    expect(await page.content()).toContain('2,500')
    const [made] = await system.store.payments({ limit: 1 })
    expect(made).toMatchObject({ phase: 'open', amount: 2500 })
    await system.advance(20)
    // Back: a fresh form, which knows of the payment that was just started.
    await page.goBack()
    await page.getByRole('link', { name: 'See its status' }).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(page.url()).toMatch(/\/pay\/d[\w-]{48}/)
    expect(await system.store.payments({ limit: 5 })).toHaveLength(1)
  })

  it('stands in line, and beside the shop’s colour there is no other', async () => {
    const shop = { shopName: 'Nuru', shopLogo: { url: 'https://shop.example/logo.png' }, shopAccent: '#b5432a' }
    const settings = { ...shop, shopPhone: '+254 712 345 678' }
    const page = await open({ system: { settings }, browser: { viewport: { width: 320, height: 740 } } })
    const box = async (place: string) => (await page.locator(place).boundingBox())!
    const middle = ({ y, height }: { y: number; height: number }) => y + height / 2

    await page.goto(`${COMPANION_URL}/pay?country=KE`)
    expect(middle(await box('header b'))).toBeCloseTo(middle(await box('header img')), 0)
    // The link begins a line of its own, where the lines of text begin.
    const link = page.locator('footer a')
    expect(await link.evaluate((one) => getComputedStyle(one).paddingLeft)).toBe('0px')

    const deposit = await create()
    await page.goto(deposit.payUrl)
    const colour = (place: string) => page.locator(place).evaluate((one) => getComputedStyle(one).color)
    expect(await colour('button.second >> nth=0')).toBe(await colour('h2'))
    expect(await colour('footer a')).toBe(await colour('footer'))

    const row = (await system.store.deposit(deposit.id))!
    const paid = { ...row, phase: 'succeeded', settledAt: system.now(), version: row.version + 1 } as const
    await system.store.apply({ deposit: { row: paid, expect: row.version } })
    await page.goto(deposit.payUrl)
    const words = await page.locator('h2').evaluate((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      const { y, height } = range.getBoundingClientRect()
      return { y, height }
    })
    expect(Math.abs(middle(words) - middle(await box('.mark')))).toBeLessThan(2)
  })

  it('the outline of the link that changes the country is seen whole', async () => {
    const page = await open()
    await page.goto(`${COMPANION_URL}/pay?country=KE`)
    const link = page.getByRole('link', { name: 'Change' })
    await link.focus()
    const cut = await link.evaluate((one) => {
      const around = []
      for (let box = one.parentElement; box; box = box.parentElement)
        if (getComputedStyle(box).overflow !== 'visible') around.push(box.outerHTML)
      return around
    })
    expect(cut).toEqual([])
  })

  it('a refused form takes the focus to what is wrong', async () => {
    const page = await open()
    await page.goto(`${COMPANION_URL}/pay?country=KE`)
    await page.getByLabel('Amount (KES)').fill('5')
    await page.getByLabel('Full name').fill('Achieng Otieno')
    await page.getByLabel('Full name').press('Enter')
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/#amount$/)
  })

  it('a refused form that Back and a reload bring again speaks of the payment started since', async () => {
    const page = await open()
    await page.goto(`${COMPANION_URL}/pay?country=KE`)
    await page.getByLabel('Amount (KES)').fill('5')
    await page.getByLabel('Full name').fill('Achieng Otieno')
    await page.getByLabel('Full name').press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await page.getByText('You have just started a payment here.').count()).toBe(0)
    await page.getByLabel('Amount (KES)').fill('2500')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.waitForURL(`${SANDBOX_URL}/checkout/*`)
    // The browser keeps no page that answered a form: it asks to send the wrong one again.
    await page.goBack().catch(() => undefined)
    await page.reload()
    await page.getByText('You have just started a payment here.').waitFor()
    expect(await system.store.payments({ limit: 5 })).toHaveLength(1)
  })

  it('in forced colours the note of a payment just started has an edge in place of its ground', async () => {
    const page = await open({ browser: { forcedColors: 'active' } })
    await page.goto(`${COMPANION_URL}/pay?country=KE`)
    await page.getByLabel('Amount (KES)').fill('2500')
    await page.getByLabel('Full name').fill('Achieng Otieno')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.waitForURL(`${SANDBOX_URL}/checkout/*`)
    await page.goto(`${COMPANION_URL}/pay?country=KE`)
    expect(await page.locator('.earlier').evaluate((note) => getComputedStyle(note).borderTopStyle)).toBe('solid')
  })

  it('the receipt is printed dark on white from a dark phone too, without the advice to print it', async () => {
    const page = await open({ browser: { colorScheme: 'dark' } })
    const deposit = await create({ payer: { name: 'Achieng Otieno', phone: '254700000001' } })
    await system.advance(20)
    await page.goto(deposit.payUrl)
    const advice = page.getByText('Keep this page, or print it, as your receipt.')
    await advice.waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await advice.isVisible()).toBe(false)
    const ground = await page.locator('.card').evaluate((card) => getComputedStyle(card).backgroundColor)
    const ink = await page
      .locator('td')
      .first()
      .evaluate((cell) => getComputedStyle(cell).color)
    expect([ground, ink]).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
  })

  it('the waiting page loads itself again, and shows the result without a touch', async () => {
    const page = await open()
    const deposit = await create({ payer: { name: 'Achieng Otieno', phone: '254700000001' } })
    await page.goto(deposit.payUrl)
    await page.getByRole('heading', { name: 'Your payment is open' }).waitFor()
    await system.advance(20)
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  })

  it('starts again by the customer’s word, and shows what is wrong without it', async () => {
    const page = await open()
    const deposit = await create()
    await page.goto(`${deposit.payUrl}?refresh=off`)
    await page.getByText('Is the payment page not working?').click()
    await page.getByLabel('I have not sent any money for this payment.').check()
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.waitForURL(`${SANDBOX_URL}/checkout/*`)
    expect((await system.store.deposit(deposit.id))?.phase).toBe('abandoned')
  })
})

describe('accessible, in every state, at every width', () => {
  const states: [string, Partial<Deposit>][] = [
    ['open', {}],
    ['overdue', { overdue: true }],
    ['confirming', { phase: 'confirming' }],
    ['review', { phase: 'review', reviewReason: 'redirect_origin' }],
    ['succeeded', { phase: 'succeeded', settledAt: 0, late: true, duplicate: true }],
    ['failed', { phase: 'failed', resultCode: '1032', settledAt: 0 }],
  ]
  it.each([
    ['light, 320 px, English', { colorScheme: 'light', viewport: { width: 320, height: 640 } }, 'en'],
    ['dark, 360 px, French', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }, 'fr'],
    ['light, 1280 px, Swahili', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }, 'sw'],
    ['forced colours, 360 px', { forcedColors: 'active', viewport: { width: 360, height: 740 } }, 'en'],
  ] as const)('%s', async (_, look, lang) => {
    // axe is a script itself: the pages are the same with JavaScript on where no widget is mounted.
    const page = await open({ browser: { javaScriptEnabled: true, bypassCSP: true, ...look } })
    await system.browser('/v1/banks?country=NG')
    const faults: Record<string, string[]> = {}
    const look1 = async (name: string, path: string) => {
      await page.goto(new URL(path, COMPANION_URL).href)
      faults[name] = await faultsOf(page)
    }
    await look1('country', `/pay?lang=${lang}`)
    await look1('form', `/pay?lang=${lang}&country=NG`)
    await page.locator('[name=amount]').fill('1')
    await page.locator('[name=name]').fill('A')
    await page.locator('[name=email]').fill('a@b')
    await page.locator('main button').click()
    await page.locator('.faults').waitFor()
    faults['faults'] = await faultsOf(page)
    await look1('wrong link', `/pay/nothing?lang=${lang}`)
    for (const [name, change] of states) {
      const deposit = await create({ payer: { name: 'Achieng Otieno', phone: '254700000006' } })
      const old = await system.store.deposit(deposit.id)
      if (old === undefined) throw new Error('no deposit')
      await system.store.apply({
        deposit: { row: { ...old, ...change, version: old.version + 1 }, expect: old.version },
      })
      await look1(name, `${deposit.payUrl}?lang=${lang}`)
    }
    expect(Object.fromEntries(Object.entries(faults).filter(([, list]) => list.length > 0))).toEqual({})
  })

  it.each([
    ['en', '999,999,999,999'],
    ['fr', '999\u202f999\u202f999\u202f999'],
  ])('the largest amount is not broken within its number at 320 px: %s', async (lang, number) => {
    const page = await open({ browser: { viewport: { width: 320, height: 640 } } })
    const { payUrl } = await createSession(system)
    const deposit = await create()
    // As a service without our limits would have it: what is on the page is the text alone.
    await context.route('**/pay/**', async (route) => {
      const path = new URL(route.request().url())
      const answer = await system.companion.app.request(path)
      const body = (await answer.text()).replaceAll(/2[,\u202f]500/g, number)
      await route.fulfill({ status: answer.status, contentType: 'text/html; charset=utf-8', body })
    })
    for (const [address, place, unit] of [
      [payUrl, '.sum b', 'KSh'],
      [deposit.payUrl, 'td', 'KES'],
    ] as const) {
      await page.goto(`${address}?lang=${lang}`)
      for (const words of [number, unit])
        expect(await page.locator(place).first().evaluate(linesOf, words), `${words} ${address}`).toBe(1)
    }
  })

  it('no word of a heading or a button is broken at 320 px, in any language', async () => {
    const page = await open({
      system: { settings: { locales: languages } },
      browser: { viewport: { width: 320, height: 640 } },
    })
    const deposit = await create()
    const old = await system.store.deposit(deposit.id)
    if (old === undefined) throw new Error('no deposit')
    const row = { ...old, phase: 'failed' as const, resultCode: '1032', settledAt: 0, version: old.version + 1 }
    await system.store.apply({ deposit: { row, expect: old.version } })
    const broken: string[] = []
    for (const lang of languages)
      for (const address of [`${COMPANION_URL}/pay?country=KE`, deposit.payUrl]) {
        await page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${lang}`)
        expect(await page.locator('html').getAttribute('lang')).toBe(lang)
        for (const place of await page.locator('h1, h2, main button').all())
          for (const word of (await place.innerText()).split(/\s+/))
            if ((await place.evaluate(linesOf, word)) > 1) broken.push(`${lang} ${word}`)
      }
    expect(broken).toEqual([])
  })

  it('at the largest zoom of a small phone no number and no word of the details is broken, in any language', async () => {
    const page = await open({
      system: { settings: { locales: languages } },
      browser: { viewport: { width: 180, height: 320 } },
    })
    const deposit = await create({ amount: 149_999 })
    const broken: string[] = []
    for (const lang of languages) {
      await page.goto(`${deposit.payUrl}?lang=${lang}`)
      for (const place of await page.locator('th, td:not(:has(.reference))').all())
        for (const word of (await place.innerText()).split(/\s+/))
          if ((await place.evaluate(linesOf, word)) > 1) broken.push(`${lang} ${word}`)
    }
    expect(broken).toEqual([])
  })

  it('twice the text size still fits 320 px', async () => {
    const page = await open({
      browser: { javaScriptEnabled: true, bypassCSP: true, viewport: { width: 320, height: 640 } },
    })
    const deposit = await create()
    for (const path of ['/pay?country=KE&lang=fr', deposit.payUrl]) {
      await page.goto(new URL(path, COMPANION_URL).href)
      await page.evaluate('document.documentElement.style.fontSize = "200%"')
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(320)
    }
  })
})

describe('with JavaScript on', () => {
  const elementThatAnswers = `customElements.define('hc-checkout', class extends HTMLElement {
    resume(id, token) { document.body.dataset.resumed = [id, token, this.getAttribute('payer-name')].join(' ') }
  })`
  /**
   * Mounts bundles of a folder's stead: what the page does, whatever the widget's own version does.
   */
  async function withBundle(script: string | undefined): Promise<Page> {
    const page = await open({
      system: { companion: { widget: { folder: new URL('../vectors/', import.meta.url), version: '1.2.3' } } },
      browser: { javaScriptEnabled: true },
    })
    await context.route('**/widget/**', (route) =>
      script === undefined
        ? route.fulfill({ status: 404 })
        : route.fulfill({ contentType: 'text/javascript', body: script }),
    )
    return page
  }

  it('hands the deposit’s token to the element, without an inline script', async () => {
    const page = await withBundle(elementThatAnswers)
    const deposit = await create()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(deposit.payUrl)
    await page.locator('body[data-resumed]').waitFor()
    expect(await page.evaluate('document.body.dataset.resumed')).toBe(`${deposit.id} ${deposit.token} `)
    expect(await page.locator('hc-checkout').getAttribute('data-token')).toBeNull()
    expect(complaints).toEqual([])
  })

  it('gives the plain form at once when the widget does not come', async () => {
    const page = await withBundle(undefined)
    await page.goto(`${COMPANION_URL}/pay?country=KE`)
    await page.getByLabel('Full name').fill('Achieng Otieno')
    await page.getByLabel('Amount (KES)').fill('2500')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.waitForURL(`${SANDBOX_URL}/checkout/*`)
  })

  /**
   * A bundle that does not load before `release()`. It registers the tag as the widget does: unless
   * it is taken.
   */
  async function withLateBundle(): Promise<{ page: Page; release: () => void }> {
    const page = await withBundle(undefined)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await context.route('**/widget/**', async (route) => {
      await held
      const body = `window.late = true; if (!customElements.get('hc-checkout')) ${elementThatAnswers}`
      await route.fulfill({ contentType: 'text/javascript', body })
    })
    return { page, release }
  }

  it.each(['after 8 s', 'once the customer is in it'])(
    'the plain form stays, %s, when the widget loads later',
    async (when) => {
      const { page, release } = await withLateBundle()
      await page.clock.install()
      await page.goto(`${COMPANION_URL}/pay?country=KE`, { waitUntil: 'commit' })
      const amount = page.getByLabel('Amount (KES)')
      if (when === 'after 8 s') await page.clock.fastForward(8000)
      // As the style sheet does 8 s after the first paint.
      else await page.locator('hc-checkout .card').evaluate((card) => (card.style.animation = 'none'))
      await amount.fill('2500')
      release()
      await expect.poll(() => page.evaluate('window.late')).toBe(true)
      await page.getByLabel('Full name').fill('Achieng Otieno')
      expect(await amount.inputValue()).toBe('2500')
      expect(await page.evaluate('customElements.get("hc-checkout").prototype.resume')).toBeUndefined()
      await page.getByRole('button', { name: 'Continue to payment' }).click()
      await page.waitForURL(`${SANDBOX_URL}/checkout/*`)
    },
  )

  it('the plain form does not flash before the widget', async () => {
    const { page, release } = await withLateBundle()
    // In the first frame that has it: whoever comes to look on a slow machine is late by the eight
    // seconds after which it is shown.
    await page.addInitScript(`{
      const look = () => {
        const card = document.querySelector('hc-checkout .card')
        if (card) document.documentElement.dataset.seen = getComputedStyle(card).visibility
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }`)
    await page.goto(`${COMPANION_URL}/pay?country=KE`, { waitUntil: 'commit' })
    await expect.poll(() => page.locator('html').getAttribute('data-seen')).toBe('hidden')
    release()
    // Not waitForFunction: when it has to ask twice it evaluates a text, which the page's policy
    // forbids.
    await page.evaluate('customElements.whenDefined("hc-checkout").then(() => true)')
  })
})
