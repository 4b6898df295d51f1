// The hosted checkout for a browser without JavaScript: plain requests, forms and cookies.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { CHECKOUT_TEXTS, LANGUAGES } from '../../demo/sandbox/checkout/texts/index.ts'
import { phoneOf, SCENARIOS } from '../../demo/sandbox/engine/scenarios.ts'
import { createSandboxFixture, type SandboxFixture } from './sandbox-fixture.ts'

let fixture: SandboxFixture
beforeEach(() => {
  fixture = createSandboxFixture()
})
afterEach(() => fixture.sandbox.close())

/** A browser with cookies, that follows the answer of a form. */
function browser(one: SandboxFixture = fixture) {
  const cookies = new Map<string, string>()
  const go = async (
    path: string,
    init: RequestInit = {},
  ): Promise<{ status: number; text: string; headers: Headers }> => {
    const headers = new Headers(init.headers)
    headers.set('Accept-Language', 'en')
    headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await one.request(path, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    if (response.status === 303) return go(response.headers.get('Location') ?? '')
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    go(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  return { go, submit, cookies }
}
const open = async (changes: Parameters<SandboxFixture['create']>[0] = {}) => {
  const { json } = await fixture.create({ reference: 'PAGE', ...changes })
  return new URL(json.data.redirect_url as string).pathname
}
const heading = (text: string): string => /<h2[^>]*>([^<]*)</.exec(text)?.[1] ?? ''
const status = async () => (await fixture.query('PAGE')).json.data.status as string
const agentOf = (text: string): string => /name="agent" value="([^"]+)"/.exec(text)?.[1] ?? ''

async function lock(path: string, one = browser()) {
  await one.go(path)
  const agents = await one.submit(path, { action: 'operator', operator: 'M-Pesa (Safaricom)' })
  return { one, page: await one.submit(path, { action: 'lock', agent: agentOf(agents.text) }) }
}

test('French has its space before the colon', async () => {
  const path = await open()
  const { one } = await lock(path)
  expect((await one.go(`${path}?lang=fr`)).text).toContain('Envoyer à\u00a0: ')
})

test('no page names its address, which opens a payment, in the Referer of a request', async () => {
  const path = await open()
  for (const { headers } of [await browser().go(path), (await lock(path)).page])
    expect(headers.get('Referrer-Policy')).toBe('strict-origin')
})

test.each([
  ['KES', '254712345678', '12:00'],
  ['RWF', '250712345678', '11:00'],
  ['XOF', '22997123456', '10:00'],
  ['XOF', '221771234567', '09:00'],
])('the end of a locked order is told in the time of the country: %s, %s', async (currency, acc_no, time) => {
  const path = await open({ currency, acc_no })
  const one = browser()
  await one.go(path)
  await fixture.console('POST', 'transactions/PAGE/lock')
  expect((await one.go(path)).text).toContain(`You have until 22 November 2026 at ${time}.`)
})

describe('the journey', () => {
  test('goes from operator to agent, to paying, to waiting, to done, and never promises a way back', async () => {
    const path = await open()
    const one = browser()
    const first = await one.go(path)
    expect(heading(first.text)).toBe('Choose your mobile money')
    expect(first.text).toContain('Duka la Achieng')
    expect(first.text).toContain('KES')
    expect(first.text).toContain('Achieng Otieno')
    expect(first.text).not.toContain('254712345678')
    expect(first.text).toContain('15:00')
    const agents = await one.submit(path, { action: 'operator', operator: 'M-Pesa (Safaricom)' })
    expect(heading(agents.text)).toBe('Choose an agent')
    expect(agents.text).not.toMatch(/Rate/)
    const how = await one.submit(path, { action: 'lock', agent: agentOf(agents.text) })
    expect(heading(how.text)).toBe('How to pay')
    expect(how.text).toContain('M-Pesa (Safaricom)')
    const waiting = await one.submit(path, { action: 'paid' })
    expect(heading(waiting.text)).toBe('Waiting for the agent')
    expect(waiting.text).toMatch(/<noscript><meta http-equiv="refresh" content="5"/)
    await fixture.sandbox.clock.advance(4)
    const done = await one.go(path)
    expect(heading(done.text)).toBe('Payment received')
    expect(done.text).toMatch(/aria-current="step"\s*>\s*Done/)
    expect(done.text).toContain('You can close this page and go back to the shop.')
    expect(done.text).not.toContain('merchant.example')
    expect(await status()).toBe('SUCCESS')
    expect(fixture.callbacks.map(({ body }) => [body.result_code, body.fees])).toEqual([[0, '50']])
  })
  test('offers the operators of the country that currency and phone give, and asks where XOF leaves it open', async () => {
    expect(
      (await browser().go(await open({ reference: 'A', currency: 'XOF', acc_no: '221771234567' }))).text,
    ).toContain('Wave')
    const path = await open({ reference: 'B', currency: 'XOF', acc_no: '' })
    const one = browser()
    expect(heading((await one.go(path)).text)).toBe('Which country is your mobile money in?')
    const mali = await one.submit(path, { action: 'country', country: 'ML' })
    expect(mali.text).toContain('Orange Money')
    expect(heading((await one.submit(path, { action: 'country', country: 'KE' })).text)).toBe(
      'Choose your mobile money',
    )
    expect((await one.go(path)).text).not.toContain('Safaricom')
  })
  test.each(['operator', 'agent', 'locked'])(
    'can be cancelled at the step "%s", and is FAILED with 1032 at once',
    async (step) => {
      const path = await open()
      const one = browser()
      await one.go(path)
      if (step !== 'operator') await one.submit(path, { action: 'operator', operator: 'M-Pesa (Safaricom)' })
      if (step === 'locked') await lock(path, one)
      expect((await one.go(path)).text).toContain('?ask=cancel')
      expect(heading((await one.go(`${path}?ask=cancel`)).text)).toBe('Cancel this payment?')
      expect(await status()).toBe('PENDING')
      expect(heading((await one.submit(path, { action: 'cancel' })).text)).toBe('You cancelled this payment')
      await fixture.sandbox.tick()
      expect(await status()).toBe('FAILED')
      expect(fixture.callbacks.map(({ body }) => body.result_code)).toEqual([1032])
    },
  )
  test('cannot be cancelled once the customer has said that the money is sent', async () => {
    const path = await open()
    const { one } = await lock(path)
    const paid = await one.submit(path, { action: 'paid' })
    expect(heading(paid.text)).toBe('Waiting for the agent')
    expect(paid.text).not.toMatch(/ask=cancel|Cancel/)
    expect(heading((await one.go(`${path}?ask=cancel`)).text)).toBe('Waiting for the agent')
    expect(heading((await one.submit(path, { action: 'cancel' })).text)).toBe('Waiting for the agent')
    expect(await status()).toBe('PENDING')
  })
  test('each step has its own title, and its heading takes the focus', async () => {
    const path = await open()
    const one = browser()
    const title = (text: string) => /<title>([^<]*)</.exec(text)?.[1]?.replaceAll('\u00a0', ' ')
    const steps = [
      await one.go(path),
      await one.submit(path, { action: 'operator', operator: 'M-Pesa (Safaricom)' }),
      (await lock(path, one)).page,
      await one.submit(path, { action: 'paid' }),
    ]
    expect(steps.map(({ text }) => title(text))).toEqual([
      'Choose your mobile money · Step 1 of 4 · KES 2,500 · Sandbox Pay (TEST)',
      'Choose an agent · Step 2 of 4 · KES 2,500 · Sandbox Pay (TEST)',
      'How to pay · Step 3 of 4 · KES 2,500 · Sandbox Pay (TEST)',
      'Waiting for the agent · Step 3 of 4 · KES 2,500 · Sandbox Pay (TEST)',
    ])
    for (const { text } of steps) expect(text).toMatch(/<h2 tabindex="-1" autofocus>/)
  })
  test('speaks plainly: local agents, no rate, and a reason only where one is asked for', async () => {
    const { one, page } = await lock(await open())
    expect(page.text).toContain('If you are asked for a reason')
    expect(page.text).toContain('The agent is waiting for your payment.')
    const lagos = await open({ reference: 'LAGOS', currency: 'NGN', acc_no: '2348012345678' })
    await one.go(lagos)
    const operator = /name="operator" value="([^"]+)"/.exec((await one.go(lagos)).text)?.[1] ?? ''
    const agents = (await one.submit(lagos, { action: 'operator', operator })).text
    expect(agents).toMatch(/(Adebayo|Chidi|Emeka|Folake|Ngozi|Sani|Tunde) Agency/)
    expect(agents).toContain('Choose this agent')
    expect(agents).not.toMatch(/Rate|Lock|Zawadi|Karibu/)
  })
  test('puts the fastest agent first, and says how long each takes', async () => {
    const one = browser()
    const path = await open()
    await one.go(path)
    const { text } = await one.submit(path, { action: 'operator', operator: 'M-Pesa (Safaricom)' })
    const minutes = [...text.matchAll(/Confirms in about (\d+) min\u00a0· [\d,]+ orders completed/g)].map(([, n]) =>
      Number(n),
    )
    expect(minutes).toHaveLength(3)
    expect(minutes).toEqual(minutes.toSorted((a, b) => a - b))
    expect(/<input[^>]* checked[^>]*>[^]*?in about (\d+) min/.exec(text)?.[1]).toBe(String(minutes[0]))
  })
  test('leads to the menu of an operator whose code is known, and to no other', async () => {
    const { page } = await lock(await open())
    expect(page.text).toContain('href="tel:*334%23"')
    const dakar = await open({ reference: 'DAKAR', currency: 'XOF', acc_no: '221771234567' })
    const one = browser()
    const operators = (await one.go(dakar)).text
    const operator = /name="operator" value="([^"]+)"/.exec(operators)?.[1] ?? ''
    const agents = await one.submit(dakar, { action: 'operator', operator })
    const { text } = await one.submit(dakar, { action: 'lock', agent: agentOf(agents.text) })
    expect(text).toContain('<ol class="todo">')
    expect(text).not.toContain('tel:')
  })
  test('ends with a clear word when the agent declines, and when the time is over', async () => {
    const path = await open()
    const { one } = await lock(path)
    await fixture.console('POST', 'transactions/PAGE/decline')
    const declined = await one.go(path)
    expect(heading(declined.text)).toBe('The agent has not received your payment')
    expect(declined.text).toContain('If you have sent money')
    // What has failed is not at the step "Done".
    expect(declined.text).not.toContain('Done')
    const other = await open({ reference: 'LATE' })
    await fixture.sandbox.clock.advance(900)
    const expired = await one.go(other)
    expect(heading(expired.text)).toBe('The time for this payment is over')
    expect(expired.text).toContain('If you have sent no money')
  })
  test('goes on in the tab that was open when a scenario locked the order; other browsers watch', async () => {
    const path = await open({ acc_no: '254700000005' })
    const [one, other] = [browser(), browser()]
    await one.go(path)
    await fixture.sandbox.clock.advance(1)
    expect(heading((await one.go(path)).text)).toBe('How to pay')
    expect(heading((await other.go(path)).text)).toBe('Payment in progress')
    await fixture.sandbox.clock.advance(1)
    expect(heading((await one.go(path)).text)).toBe('Waiting for the agent')
  })
  test('takes a form that is behind the times for what it is', async () => {
    const path = await open()
    const { one } = await lock(path)
    await one.submit(path, { action: 'paid' })
    expect(heading((await one.submit(path, { action: 'paid' })).text)).toBe('Waiting for the agent')
    expect(heading((await one.submit(path, { action: 'lock', agent: 'x' })).text)).toBe('Waiting for the agent')
    expect(heading((await one.submit(path, { action: 'nonsense' })).text)).toBe('Waiting for the agent')
  })
})

describe('redirect_url', () => {
  test('opens again, also elsewhere, until an order is locked; then other browsers only watch', async () => {
    const path = await open()
    expect(heading((await browser().go(path)).text)).toBe('Choose your mobile money')
    const { one } = await lock(path)
    const other = browser()
    const watching = await other.go(path)
    expect(heading(watching.text)).toBe('Payment in progress')
    expect(watching.text).not.toContain('<form')
    expect(watching.text).not.toContain('Achieng Otieno')
    await other.submit(path, { action: 'cancel' })
    await other.submit(path, { action: 'paid' })
    expect(await status()).toBe('PENDING')
    expect(heading((await one.go(path)).text)).toBe('How to pay')
    await one.submit(path, { action: 'paid' })
    await fixture.sandbox.clock.advance(4)
    expect(heading((await other.go(path)).text)).toBe('Payment received')
  })
  test('is for one browser alone where that fault is on: another gets 410', async () => {
    await fixture.console('POST', 'faults', { strict_session: true })
    const path = await open()
    // A program that looks whether the page is there does not open it.
    expect((await fixture.request(path, { method: 'HEAD' })).status).toBe(200)
    const one = browser()
    expect((await one.go(path)).status).toBe(200)
    expect((await one.go(path)).status).toBe(200)
    expect((await browser().go(path)).status).toBe(410)
    expect((await browser().submit(path, { action: 'cancel' })).status).toBe(410)
    expect(await status()).toBe('PENDING')
  })
  test('cannot be guessed, and an unknown one is 404', async () => {
    expect((await open()).split('/').at(-1)).toMatch(/^[\w-]{32}$/)
    expect((await browser().go(`/checkout/${'A'.repeat(32)}`)).status).toBe(404)
    expect((await browser().go('/checkout/..%2f..%2fetc')).status).toBe(404)
  })
})

const AGAIN = 'You can start again in the shop.'
const ASK_FIRST = 'ask the shop before you pay again'
describe('a scenario that is over is told as it is, with what to do next:', () => {
  const ends: Record<string, [title: string, next: string]> = {
    declined: ['The agent has not received your payment', ASK_FIRST],
    cancelled: ['You cancelled this payment', AGAIN],
    expires: ['The time for this payment is over', AGAIN],
    'never-answered': ['Waiting for the agent', 'You can close it; nothing is lost.'],
    'callback-forged': ['You cancelled this payment', AGAIN],
  }
  test.each(
    SCENARIOS.filter(({ ending, create }) => ending !== 'NONE' && ['usual', 'after-callback'].includes(create)),
  )('$name', async (scenario) => {
    const path = await open({ acc_no: phoneOf(scenario) })
    const one = browser()
    await one.go(path)
    await fixture.sandbox.clock.advance(60)
    const { text } = await one.go(path)
    const [title, next] = ends[scenario.name] ?? ['Payment received', 'the shop is being told']
    expect(heading(text)).toBe(title)
    expect(text).toContain(next)
    expect(text.includes(AGAIN), 'pay again').toBe(next === AGAIN)
    // Only a success is final: the script goes on looking.
    expect(text.includes('data-version')).toBe(scenario.ending !== 'SUCCESS')
  })
  test('never-answered, 24 hours later', async () => {
    const path = await open({ acc_no: '254700000006' })
    const one = browser()
    await fixture.sandbox.clock.advance(24 * 3600 + 1)
    const { text } = await one.go(path)
    expect(heading(text)).toBe('The time for this payment is over')
    expect(text).toContain(ASK_FIRST)
  })
})

describe('where no payment is', () => {
  const paths = [`/checkout/${'A'.repeat(32)}`, '/checkout/', '/checkout/a/b', `/checkout/${'A'.repeat(32)}/state`]
  test.each(paths)('%s: a person is told so in their language', async (path) => {
    const {
      status: code,
      text,
      headers,
    } = await browser().go(path, {
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    })
    expect(code).toBe(404)
    expect(text).toContain('There is no payment at this address')
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    const asked = await browser().go(`${path}?lang=fr`, { headers: { Accept: 'text/html' } })
    expect(asked.text).toContain('Il n’y a pas de paiement à cette adresse')
  })
  test.each(paths)('%s: a program gets the envelope', async (path) => {
    for (const Accept of ['application/json', '*/*']) {
      const { status: code, text } = await browser().go(path, { headers: { Accept } })
      expect([code, JSON.parse(text)]).toEqual([404, { success: false, message: 'Not found.' }])
    }
  })
  test('the strict one-time page sends nobody to pay a second time', async () => {
    await fixture.console('POST', 'faults', { strict_session: true })
    const path = await open()
    await browser().go(path)
    expect((await browser().go(path)).text).toContain('If you have sent money, do not pay again.')
  })
})

describe('the page', () => {
  test('takes forms from itself only', async () => {
    const path = await open()
    const one = browser()
    await one.go(path)
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]
    for (const headers of foreign) {
      expect((await one.submit(path, { action: 'cancel' }, headers)).status).toBe(403)
    }
    expect(await status()).toBe('PENDING')
    expect(
      (await one.submit(path, { action: 'cancel' }, { Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-origin' }))
        .status,
    ).toBe(200)
    expect(await status()).toBe('FAILED')
  })
  test('takes them behind a proxy that does not hand on its name, and so does the console', async () => {
    const behind = createSandboxFixture({ publicUrl: 'https://sandbox.example', openConsole: true })
    const path = new URL((await behind.create()).json.data.redirect_url as string).pathname
    const headers = { Host: '127.0.0.1:8788', Origin: 'https://sandbox.example', 'Sec-Fetch-Site': 'same-origin' }
    const one = browser(behind)
    const agents = await one.submit(path, { action: 'operator', operator: 'M-Pesa (Safaricom)' }, headers)
    expect(heading(agents.text)).toBe('Choose an agent')
    expect((await behind.request('/console/merchants', { method: 'POST', headers })).status).toBe(303)
    await behind.sandbox.close()
  })
  test('may not be framed, loads nothing from elsewhere, is kept by nobody and found by no search engine', async () => {
    const { text, headers } = await browser().go(await open())
    const csp = headers.get('Content-Security-Policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
    ])
      expect(csp).toContain(rule)
    expect(csp).not.toContain('unsafe')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(text).toContain('noindex')
    expect(text).not.toMatch(/(src|href)="https?:/)
    expect(text).not.toMatch(/<script(?![^>]*src=)|\sstyle=|\son\w+=/)
  })
  test('carries its TEST mark in every language', async () => {
    const path = await open()
    for (const [language, mark, title] of [
      ['en', 'TEST', 'Choose your mobile money'],
      ['fr', 'TEST', 'Choisissez votre mobile money'],
      ['sw', 'JARIBIO', 'Chagua huduma yako ya pesa za simu'],
    ] as const) {
      const one = browser()
      const { text } = await one.go(`${path}?lang=${language}`)
      expect(text).toContain(`<html lang="${language}"`)
      expect(text).toContain(mark)
      expect(heading(text)).toBe(title)
      expect(heading((await one.go(path)).text), 'the language stays').toBe(title)
    }
  })
  test('speaks the other languages where they are named, and offers no other', async () => {
    const path = await open()
    expect((await browser().go(`${path}?lang=am`)).text).toContain('<html lang="en"')
    const all = createSandboxFixture({ locales: LANGUAGES })
    const { json } = await all.create({ currency: 'RWF', amount: 2500 })
    const there = new URL(json.data.redirect_url as string).pathname
    const countries = await all.create({ currency: 'XOF', acc_no: '' })
    const choice = new URL(countries.json.data.redirect_url as string).pathname
    const ofSenegal = await all.create({ currency: 'XOF', acc_no: '221771234567' })
    const senegalese = new URL(ofSenegal.json.data.redirect_url as string).pathname
    for (const language of LANGUAGES) {
      const { text } = await browser(all).go(`${there}?lang=${language}`)
      expect(text).toContain(`<html lang="${language}"`)
      expect(heading(text)).toBe(CHECKOUT_TEXTS[language].chooseOperator)
      expect(text, 'thousands are not written with a point').not.toContain('2.500')
      const names = (await browser(all).go(`${choice}?lang=${language}`)).text
      expect(names, 'a country is no bare code').not.toMatch(/<b>[A-Z]{2}<\/b>/)
      const senegal = /<input[^>]* value="SN"[^>]*\/><span\s*><b>([^<]+)<\/b>/.exec(names)?.[1]
      const chosen = await browser(all).go(`${senegalese}?lang=${language}`)
      expect(chosen.text, 'the country chosen is called what the choice calls it').toContain(`<b>${senegal}</b><a`)
      const links = [...text.matchAll(/hreflang="(\w+)"/g)].map(([, code]) => code)
      expect(new Set([...links, language])).toEqual(new Set(LANGUAGES))
    }
    await all.sandbox.close()
  })
  test('shows texts of merchants and payers as text', async () => {
    const path = await open({ description: '<script>alert(1)</script>"&', acc_name: '<b>Ab' })
    const { text } = await browser().go(path)
    expect(text).toContain('&lt;script&gt;alert(1)')
    expect(text).not.toContain('<script>alert')
  })
  test('weighs under 30 kB with style and script, and much less on the wire', async () => {
    const { text } = await browser().go(await open({ currency: 'NGN' }))
    const files = await Promise.all(
      ['/assets/checkout.css', '/assets/checkout.js'].map(async (path) => (await fixture.request(path)).text()),
    )
    const bytes = [text, ...files].map((file) => Buffer.byteLength(file)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeLessThan(30_000)
    expect([text, ...files].map((file) => gzipSync(file).length).reduce((sum, size) => sum + size, 0)).toBeLessThan(
      10_000,
    )
  })
  test('tells the script how things stand, without secrets', async () => {
    const path = await open()
    expect(JSON.parse((await browser().go(`${path}/state`)).text)).toEqual({
      version: 1,
      status: 'PENDING',
      ended: false,
    })
  })
})
