// The form at /pay for a person without JavaScript. What is refused, and how that is said, is in
// pay-form-faults.test.ts.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { COMPANION_URL, kenyanDeposit, newKey, pay, SANDBOX_URL, SHOP_URL } from '../helpers/create-test-system.ts'
import { textsOf } from '../../server/pages/texts/index.ts'
import { formsOf, textOf, valueOf, visitor } from './visitor.ts'
import { asked, deposits, open, openForEach, payer, person, session, system } from './pay-system.ts'

openForEach()

describe('a person pays without JavaScript', () => {
  it('chooses the country, fills in the form and is sent to the hosted page', async () => {
    const first = await person.get('/pay')
    expect(first.status).toBe(200)
    expect(textOf(first.html)).toContain('Which country are you paying from?')
    expect(first.html).toMatch(/<option value="KE" *>Kenya<\/option>/)
    expect(textOf((await person.get('/pay/')).html)).toBe(textOf(first.html))
    const form = await person.get('/pay?lang=en&country=KE')
    expect(textOf(form.html)).toContain('From KSh 10 to KSh 150,000')
    expect(textOf(form.html)).toContain('For your receipt.')
    const sent = await person.submit(form, payer)
    expect(sent.status).toBe(303)
    expect(sent.location).toMatch(new RegExp(`^${SANDBOX_URL}/checkout/`))
    const [made, ...others] = await deposits()
    expect(others).toEqual([])
    expect(made).toMatchObject({
      phase: 'open',
      amount: 2500,
      currency: 'KES',
      country: 'KE',
      locale: 'en',
      payer: { name: 'Achieng Otieno', phone: '254712345678' },
    })
    expect(sent.location).toBe(made?.checkoutUrl)
  })

  it('a second click on the button is the same payment', async () => {
    const form = await person.get('/pay?country=KE')
    const [first, second] = await Promise.all([person.submit(form, payer), person.submit(form, payer)])
    const later = await person.submit(form, payer)
    expect([first.status, second.status, later.status]).toEqual([303, 303, 303])
    expect(new Set([first.location, second.location, later.location]).size).toBe(1)
    expect(await deposits()).toHaveLength(1)
  })

  it('an address that HC_CHECKOUT_ORIGINS no longer has is not gone to when the form is sent again', async () => {
    const form = await person.get('/pay?country=KE')
    await person.submit(form, payer)
    const [made] = await deposits()
    const row = { ...made!, checkoutUrl: 'https://earlier.example/c/1', version: made!.version + 1 }
    await system.store.apply({ deposit: { row, expect: made!.version } })
    const again = await person.submit(form, payer)
    expect(again.status).toBe(303)
    expect(textOf((await person.get(again.location ?? '')).html)).toContain('KES 2,500')
  })

  it('a second click while the service is slow leads to the payment that is being started, not to an error', async () => {
    await system.close()
    const slow = Promise.withResolvers<void>()
    await open({
      network: async (request, next) => {
        if (request.url.endsWith('/api/v2/payment/')) await slow.promise
        return next()
      },
    })
    const form = await person.get('/pay?country=KE')
    const first = person.submit(form, payer)
    const second = person.submit(form, payer)
    await system.advance(10)
    const { status, location, headers } = await second
    expect(status).toBe(303)
    expect(headers.get('set-cookie')).toContain('hc-started=')
    const page = await person.get(location!)
    expect(textOf(page.html)).toContain('Preparing your payment…')
    expect(page.html).toContain('http-equiv="refresh"')
    slow.resolve()
    expect((await first).location).toMatch(/\/checkout\//)
    expect((await person.get(location!)).html).toMatch(/\/checkout\//)
    expect(await deposits()).toHaveLength(1)
  })

  it('each form that is shown has its own key', async () => {
    const keys = new Set<string>()
    for (let n = 0; n < 3; n++) keys.add(formsOf((await person.get('/pay?country=KE')).html)[0]?.hidden['key'] ?? '')
    expect(keys.size).toBe(3)
    for (const key of keys) expect(key).toMatch(/^[\w-]{32}$/)
  })

  it('sending the form again with another amount starts nothing, and shows the first payment', async () => {
    const form = await person.get('/pay?country=KE')
    await person.submit(form, payer)
    const changed = await person.submit(form, { ...payer, amount: '3000' })
    expect(changed.status).toBe(422)
    expect(textOf(changed.html)).toContain('A payment was already started with this form')
    const link = /href="([^"]*)">Look at the first payment/.exec(changed.html)?.[1] ?? ''
    expect(textOf((await person.get(link)).html)).toContain('KES 2,500')
    expect(await deposits()).toHaveLength(1)
    // The button of this page has a new key: now it is the customer's own decision.
    expect((await person.submit(changed, { ...payer, amount: '3000' })).status).toBe(303)
    expect(await deposits()).toHaveLength(2)
  })
})

it.each([
  ['rw', ['Etiyopiya', 'U Rwanda', 'Tanzaniya']],
  ['rn', ['Etiyopiya', 'u Rwanda', 'Tanzaniya']],
  ['so', ['Itoobiya', 'Ruwanda', 'Tansaaniya']],
] as const)('the countries have their names in the language of the page: %s', async (lang, names) => {
  await system.close()
  await open({ settings: { locales: ['en', lang] } })
  const { html } = await person.get(`/pay?lang=${lang}`)
  for (const name of names) expect(html).toContain(name)
  expect(html).not.toContain('Ethiopia')
})

describe('coming back from the hosted page', () => {
  it('a fresh form in the same browser tells of the payment that was just started; in another browser it does not', async () => {
    const sent = await person.submit(await person.get('/pay?country=KE'), payer)
    const [pair = '', ...flags] = (sent.headers.get('set-cookie') ?? '').split('; ')
    expect(flags).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Path=/pay', 'Max-Age=3600']))
    const back = await person.get('/pay?country=KE', { cookie: pair })
    expect(textOf(back.html)).toContain('You have just started a payment here')
    const link = /href="([^"]*)">See its status/.exec(back.html)?.[1] ?? ''
    expect(textOf((await person.get(link)).html)).toContain('KES 2,500')
    expect(back.html).not.toMatch(/Achieng|712345678/)
    for (const cookie of ['', 'hc-started=nothing', `${pair}x`]) {
      expect(textOf((await person.get('/pay?country=KE', { cookie })).html)).not.toContain(
        'You have just started a payment here',
      )
    }
  })

  it('a cookie that names a payment without the mark of its form is not believed, whoever has set it', async () => {
    const note = 'You have just started a payment here'
    const answer = await pay(system)
    const link = new URL(((await answer.json()) as CreatedDeposit).payUrl).pathname.slice('/pay/'.length)
    const { payUrl } = await session()
    const ofOrder = await person.submit(await person.get(payUrl), { ...payer, phone: '254700000003' })
    const [own = ''] = (ofOrder.headers.get('set-cookie') ?? '').split('; ')
    const mark = own.split('.')[1] ?? ''
    // A link alone; with the mark of another payment; the cookie of an order at the open form.
    for (const cookie of [`hc-started=${link}`, `hc-started=${link}.`, `hc-started=${link}.${mark}`, own])
      expect(textOf((await person.get('/pay?country=KE', { cookie })).html)).not.toContain(note)
    await system.advance(20)
    expect(textOf((await person.get(payUrl, { cookie: own })).html)).toContain(note)
  })

  it('over https no other host of the domain can set the cookie', async () => {
    await system.close()
    await open({ settings: { publicUrl: 'https://pay.shop.example' } })
    const own = { origin: 'https://pay.shop.example' }
    const [form] = formsOf((await person.get('/pay?country=KE')).html)
    const sent = await person.post('/pay?country=KE', { ...form?.hidden, ...payer }, own)
    const [pair = '', ...flags] = (sent.headers.get('set-cookie') ?? '').split('; ')
    expect(pair).toMatch(/^__Host-hc-started=/)
    // For the shop's privacy page.
    const page = readFileSync(new URL('../../demo/docs/security.md', import.meta.url), 'utf8')
    expect(page).toContain(`\`${pair.split('=')[0]}\``)
    expect(flags).toEqual(expect.arrayContaining(['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']))
    expect(flags.join()).not.toMatch(/domain/i)
    const note = 'You have just started a payment here'
    expect(textOf((await person.get('/pay?country=KE', { cookie: pair })).html)).toContain(note)
    const set = pair.replace('__Host-', '')
    expect(textOf((await person.get('/pay?country=KE', { cookie: set })).html)).not.toContain(note)
  })

  it('the form of an order tells who comes back of the payment for it that failed meanwhile, and of no other order’s', async () => {
    const { payUrl } = await session()
    const sent = await person.submit(await person.get(payUrl), { ...payer, phone: '254700000003' })
    const [cookie = ''] = (sent.headers.get('set-cookie') ?? '').split('; ')
    const note = 'You have just started a payment here'
    expect(textOf((await person.get(payUrl, { cookie })).html)).toContain('Your payment is open')
    await system.advance(20)
    const back = await person.get(payUrl, { cookie })
    expect(textOf(back.html)).toContain(note)
    const link = /href="([^"]*)">See its status/.exec(back.html)?.[1] ?? ''
    expect(textOf((await person.get(link)).html)).toContain('or the phone could not be reached')
    const other = await session({ orderId: 'another' })
    expect(textOf((await person.get(other.payUrl, { cookie })).html)).not.toContain(note)
    expect(textOf((await person.get(payUrl)).html)).not.toContain(note)
  })

  it('the same form, sent once more after the payment has ended, shows the result', async () => {
    const form = await person.get('/pay?country=KE')
    const paying = { ...payer, phone: '254700000001' }
    expect((await person.submit(form, paying)).location).toMatch(/\/checkout\//)
    await system.advance(20)
    const again = await person.submit(form, paying)
    expect(textOf((await person.get(again.location ?? '')).html)).toContain('Payment received')
    expect(await deposits()).toHaveLength(1)
  })
})

describe('a link from the shop', () => {
  it('shows what is locked and asks for the rest only', async () => {
    const { payUrl } = await session({ payer: { name: 'Achieng Otieno', email: 'a@shop.example' } })
    const page = await person.get(payUrl)
    const text = textOf(page.html)
    expect(text).toContain('KSh 12,500')
    expect(text).toContain('Two pairs of shoes')
    expect(page.html).not.toMatch(/name="(amount|name|email)"/)
    expect(page.html).toContain('name="phone"')
    // Payer details of the session stay on the server.
    expect(page.html).not.toMatch(/Achieng|shop\.example/)
    const sent = await person.submit(page, { phone: '0712345678', amount: '1' })
    expect(sent.location).toMatch(new RegExp(`^${SANDBOX_URL}/checkout/`))
    expect((await deposits())[0]).toMatchObject({
      amount: 12_500,
      orderId: 'A-77',
      payer: { name: 'Achieng Otieno', phone: '254712345678', email: 'a@shop.example' },
    })
  })

  it('leads every further visit, in any browser, to the payment that runs', async () => {
    const { payUrl } = await session()
    const form = await person.get(payUrl)
    const other = await person.get(payUrl)
    const sent = await person.submit(form, payer)
    const second = await person.submit(other, { ...payer, name: 'Somebody Else' })
    expect(second.location).toBe(sent.location)
    expect(await deposits()).toHaveLength(1)
    const page = await person.get(payUrl)
    expect(textOf(page.html)).toContain('Your payment is open')
    expect(page.html).toContain(`href="${sent.location}"`)
  })

  it('once it is paid, leads a form that was opened before to the payment, and starts no other', async () => {
    const { payUrl } = await session()
    const [form, other] = [await person.get(payUrl), await person.get(payUrl)]
    await person.submit(form, { ...payer, phone: '254700000001' })
    await system.advance(20)
    const sent = await person.submit(other, payer)
    expect([sent.status, sent.location]).toEqual([303, `${payUrl}?lang=en`])
    expect(textOf((await person.get(payUrl)).html)).toContain('Payment received')
    expect(await deposits()).toHaveLength(1)
  })

  it('asks for the country when the currency has several', async () => {
    const { payUrl } = await session({ currency: 'XOF', country: undefined })
    const page = await person.get(payUrl)
    const offered = [...page.html.matchAll(/<option value="([A-Z]{2})"/g)].map(([, code]) => code)
    expect(new Set(offered)).toEqual(new Set(['BF', 'BJ', 'CI', 'GW', 'ML', 'NE', 'SN', 'TG']))
    const sent = await person.submit(await person.get(`${payUrl}?country=SN`), payer)
    expect(sent.status).toBe(303)
    expect((await deposits())[0]).toMatchObject({ country: 'SN', currency: 'XOF', amount: 12_500 })
  })

  it('says that it has expired, and starts nothing', async () => {
    const { payUrl } = await session({ expiresIn: 1 })
    const form = await person.get(payUrl)
    await system.advance(2)
    const page = await person.get(payUrl)
    expect(page.status).toBe(410)
    expect(textOf(page.html)).toContain('This payment link has expired')
    const sent = await person.submit(form, payer)
    expect(sent.status).toBe(410)
    expect(await deposits()).toEqual([])
  })

  it('a shop that takes payments by session only has no open form', async () => {
    await system.close()
    await open({ settings: { mode: 'sessions' } })
    for (const answer of [
      await person.get('/pay'),
      await person.post('/pay', { key: 'k'.repeat(32), country: 'KE', ...payer }),
    ]) {
      expect(answer.status).toBe(403)
      expect(textOf(answer.html)).toContain('Please start from the shop')
    }
    const { payUrl } = await session()
    expect((await person.submit(await person.get(payUrl), payer)).status).toBe(303)
  })
})

describe('a page that is looked at', () => {
  it('changes nothing, asks nobody, sends nobody on and is not kept (link previews fetch it)', async () => {
    const { payUrl } = await session({
      payer: { name: 'Achieng Otieno', phone: '0712345678', email: 'a@shop.example' },
    })
    const made = (await (
      await system.browser('/v1/deposits', {
        method: 'POST',
        body: JSON.stringify(
          kenyanDeposit({ payer: { name: 'Wanjiru Kamau', phone: '0733445566', email: 'wanjiru@mail.example' } }),
        ),
        headers: { 'idempotency-key': newKey() },
      })
    ).json()) as CreatedDeposit
    const before = JSON.stringify([await deposits(), await system.store.timeline(made.id), await system.store.stats()])
    asked.length = 0
    for (const path of [
      '/pay',
      '/pay?country=KE',
      '/pay?country=NG&lang=sw',
      payUrl,
      made.payUrl,
      `${made.payUrl}?refresh=off`,
      '/pay/page.js',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await system.companion.app.request(new URL(path, COMPANION_URL).href, {
          method,
          headers: { 'user-agent': 'WhatsApp/2.23.20.0' },
        })
        expect([path, answer.status]).toEqual([path, 200])
        if (path === '/pay/page.js') continue
        expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
        expect(answer.headers.get('x-robots-tag')).toContain('noindex')
        expect(answer.headers.get('referrer-policy')).toMatch(/^(strict-origin|no-referrer)$/)
        const html = await answer.text()
        expect(html).not.toMatch(/Achieng|Wanjiru|W•••|0?733445566|712345678|shop\.example|wanjiru@/)
      }
    }
    await system.companion.idle()
    expect(asked).toEqual([])
    expect(JSON.stringify([await deposits(), await system.store.timeline(made.id), await system.store.stats()])).toBe(
      before,
    )
  })

  it('has a policy that lets our own files in and nothing else, and forms out to the hosted page only', async () => {
    const { headers, html } = await person.get('/pay')
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '')
        .split('; ')
        .map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
    )
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': `'self' ${SANDBOX_URL}`,
      'require-trusted-types-for': "'script'",
    })
    // For browsers that do not know `frame-ancestors`.
    expect(headers.get('x-frame-options')).toBe('DENY')
    const nonce = /'nonce-([\w-]{22})'/.exec(policy['style-src'] ?? '')?.[1] ?? ''
    expect(html).toContain(`<style nonce="${nonce}">`)
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|javascript:|\sstyle=/i)
    expect((await person.get('/pay')).headers.get('content-security-policy')).not.toContain(nonce)
  })

  it('shows a bank list only when one is held already', async () => {
    expect((await person.get('/pay?country=KE')).html).not.toContain('name="bank"')
    await system.browser('/v1/banks?country=KE')
    const form = await person.get('/pay?country=KE')
    expect(form.html).toMatch(/<option value="01" *>Kenya Commercial Bank Limited<\/option>/)
    await person.submit(form, { ...payer, bank: '01' })
    expect((await deposits())[0]).toMatchObject({ bankCode: '01', bankName: 'Kenya Commercial Bank Limited' })
  })

  it('speaks the language that was asked for, then the browser’s, then the shop’s first', async () => {
    const lang = async (path: string, header?: string) =>
      /<html lang="(\w+)"/.exec(
        (await person.get(path, header === undefined ? {} : { 'accept-language': header })).html,
      )?.[1]
    expect(await lang('/pay')).toBe('en')
    expect(await lang('/pay', 'sw-KE,sw;q=0.9,en;q=0.8')).toBe('sw')
    expect(await lang('/pay', 'am,fr-CI;q=0.7,en;q=0.5')).toBe('fr')
    expect(await lang('/pay?lang=fr', 'sw')).toBe('fr')
    expect(await lang('/pay?lang=xx', 'de')).toBe('en')
    await system.close()
    await open({ settings: { locales: ['fr'] } })
    expect(await lang('/pay', 'en')).toBe('fr')
    expect((await person.get('/pay')).html).not.toContain('<nav')
  })

  it.each(['am', 'ha', 'rn', 'rw', 'so'] as const)('speaks %s where the shop offers it', async (language) => {
    await system.close()
    await open({ settings: { locales: ['en', language] } })
    const page = await person.get('/pay?country=RW', { 'accept-language': `${language},en;q=0.5` })
    const texts = textsOf(language)
    expect(page.html).toContain(`<html lang="${language}">`)
    expect(textOf(page.html)).toContain(texts.payTitle)
    expect(textOf(page.html)).toContain(texts.amountHint('FRw 100', 'FRw 2,000,000'))
    const [form] = formsOf(page.html)
    expect(form?.action).toContain(`lang=${language}`)
  })

  it.each(['٠٧١٢ ٣٤٥ ٦٧٨', '+۲۵۴۷۱۲۳۴۵۶۷۸'])(
    'takes the phone number that an Arabic or Persian keyboard writes: %s',
    async (phone) => {
      expect((await person.submit(await person.get('/pay?country=KE'), { ...payer, phone })).status).toBe(303)
      expect((await deposits())[0]?.payer?.phone).toBe('254712345678')
    },
  )

  it('guesses the country from the browser’s languages, and lets it be changed', async () => {
    const page = await person.get('/pay', { 'accept-language': 'sw-TZ,sw;q=0.9' })
    expect(formsOf(page.html)[0]?.hidden['country']).toBe('TZ')
    const change = /href="(\/pay\?[^"]*change=TZ[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(/<option value="(\w+)" +selected>/.exec((await person.get(change)).html)?.[1]).toBe('TZ')
  })

  it('carries the TEST mark in test mode, and not in live mode', async () => {
    expect(textOf((await person.get('/pay')).html)).toContain('TEST')
    await system.close()
    await open({ settings: { paymentMode: 'live' } })
    expect(textOf((await person.get('/pay')).html)).not.toContain('TEST')
  })

  it('a wrong link is a 404 that a person can read', async () => {
    const { payUrl } = await session()
    const wrong = payUrl.slice(0, -1) + (payUrl.endsWith('A') ? 'B' : 'A')
    for (const path of ['/pay/nothing', `/pay/d${'x'.repeat(48)}`, wrong, `${payUrl}A`, `${payUrl}/A`]) {
      const answer = await person.get(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
      expect(textOf(answer.html)).toContain('There is no payment at this address')
      expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
    }
    expect((await person.post(wrong, { key: 'k'.repeat(32), country: 'KE', ...payer })).status).toBe(404)
    for (const address of [`${COMPANION_URL}/pay`, payUrl]) {
      const { status, headers } = await system.companion.app.request(address, { method: 'DELETE' })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    }
  })

  it('a page for an error leads back to what is there, and nowhere else', async () => {
    const back = ({ html }: { readonly html: string }) =>
      /<a class="button second" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
    const foreign = { origin: 'https://evil.example' }
    const form = { key: 'k'.repeat(32), country: 'KE', ...payer }
    const { payUrl } = await session({ expiresIn: 1 })
    const { pathname } = new URL(payUrl)
    expect(back(await person.post('/pay?lang=fr', form, foreign))).toBe('/pay?lang=fr')
    expect(back(await person.post(`${payUrl}?lang=fr`, form, foreign))).toBe(`${pathname}?lang=fr`)
    expect(back(await person.post('/pay/d%22%3E%3Cb%3E', form, foreign))).toBe('/pay')
    // A genuine form of a link, whose last character is another's.
    const wrong = pathname.slice(0, -1) + (pathname.endsWith('A') ? 'B' : 'A')
    for (const path of ['/pay/nothing', wrong]) {
      const { status, html, headers } = await person.get(path)
      expect([status, back({ html }), html.includes(path)]).toEqual([404, undefined, false])
      expect(headers.get('retry-after')).toBeNull()
    }
    await system.advance(2)
    const expired = await person.get(payUrl)
    expect([expired.status, back(expired)]).toEqual([410, undefined])
    await system.close()
    await open({ settings: { mode: 'sessions' } })
    expect(back(await person.get('/pay'))).toBeUndefined()
  })

  it('a link with the slash that chats add is the link', async () => {
    const { payUrl } = await session()
    const answer = await person.get(`${payUrl}/`)
    expect([answer.status, textOf(answer.html)]).toEqual([200, textOf((await person.get(payUrl)).html)])
  })

  it('too many tries from one address are told to wait, and nothing is started', async () => {
    const stranger = visitor(system, '203.0.113.9')
    let last = await stranger.post('/pay', { key: newKey().padEnd(32, '0').slice(0, 32), country: 'KE', ...payer })
    for (let n = 0; n < 121 && last.status !== 429; n++)
      last = await stranger.post('/pay', { key: `${n}`.padStart(32, 'k'), country: 'KE', ...payer })
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(textOf(last.html)).toContain('Too many attempts')
    // What was typed is kept.
    expect(valueOf(last.html, 'name')).toBe(payer.name)
    expect(await deposits()).toHaveLength(50)
  })

  it('what came from that address by the JSON API counts as well', async () => {
    const env = { incoming: { socket: { remoteAddress: '203.0.113.9' } } }
    const headers = { 'content-type': 'application/json', origin: SHOP_URL }
    const body = JSON.stringify(kenyanDeposit({ amount: 1 }))
    for (let n = 0; n < 120; n++) {
      const init = { method: 'POST', headers: { ...headers, 'idempotency-key': newKey() }, body }
      expect((await system.companion.app.request(`${COMPANION_URL}/v1/deposits`, init, env)).status).toBe(422)
    }
    const form = { country: 'KE', ...payer }
    const here = await visitor(system, '203.0.113.9').post('/pay', { key: 'k'.repeat(32), ...form })
    const elsewhere = await visitor(system, '203.0.113.10').post('/pay', { key: 'm'.repeat(32), ...form })
    expect([here.status, elsewhere.status]).toEqual([429, 303])
  })

  it('what came for a session by the JSON API counts as well, wherever it came from', async () => {
    const { payUrl, token } = await session()
    const headers = { 'content-type': 'application/json', origin: SHOP_URL }
    const body = JSON.stringify(kenyanDeposit({ amount: 1, session: token }))
    for (let n = 0; n < 60; n++) {
      const env = { incoming: { socket: { remoteAddress: `203.0.113.${n}` } } }
      const init = { method: 'POST', headers: { ...headers, 'idempotency-key': newKey() }, body }
      expect((await system.companion.app.request(`${COMPANION_URL}/v1/deposits`, init, env)).status).toBe(422)
    }
    expect((await person.post(payUrl, { key: 'k'.repeat(32), country: 'KE', ...payer })).status).toBe(429)
  })
})
