// What the form at /pay refuses: every fault is said beside its field, with what was typed, and
// only our own form is taken.
import { describe, expect, it } from 'vitest'
import { COMPANION_URL, SANDBOX_URL, SHOP_URL } from '../helpers/create-test-system.ts'
import { CompanionError } from '../../server/platform/errors.ts'
import { textsOf } from '../../server/pages/texts/index.ts'
import type { Change } from '../../server/deposits/ports/store.ts'
import { textOf, valueOf } from './visitor.ts'
import { asked, deposits, open, openForEach, openLogged, payer, person, system } from './pay-system.ts'

openForEach()

describe('what is wrong is said beside the field, with what was typed', () => {
  it('all faults at once, in the language of the page', async () => {
    const form = await person.get('/pay?country=KE&lang=fr')
    const answer = await person.submit(form, { amount: '5', name: 'A', phone: 'zero seven', email: 'achieng@' })
    expect(answer.status).toBe(422)
    const text = textOf(answer.html)
    expect(text).toContain('Veuillez revoir ceci')
    for (const fault of [
      'Indiquez un montant entier de 10 KSh à 150 000 KSh.',
      'Indiquez votre nom complet.',
      'Indiquez le numéro de téléphone en chiffres seulement.',
      'Vérifiez cette adresse.',
    ]) {
      // Once in the summary, once at its field.
      expect(text.split(fault)).toHaveLength(3)
    }
    expect(['amount', 'name', 'phone', 'email'].map((name) => valueOf(answer.html, name))).toEqual([
      '5',
      'A',
      'zero seven',
      'achieng@',
    ])
    expect(answer.html).toMatch(/aria-invalid="true"/)
    expect(await deposits()).toEqual([])
    // Else the browser would say it first, in its own language.
    expect(form.html).toMatch(/<form method="post"[^>]* novalidate>/)
    // The form keeps its key: nothing was started with it.
    expect(valueOf(answer.html, 'key')).toBe(valueOf(form.html, 'key'))
    expect((await person.submit(answer, payer)).status).toBe(303)
  })

  it('not what was pasted along with an address and cannot be seen; in a name it may join letters', async () => {
    const sent = await person.submit(await person.get('/pay?country=KE'), {
      ...payer,
      name: 'نیک\u200cپی',
      email: '\u2066achieng@shop.example\u2069\u00a0',
    })
    expect(sent.status).toBe(303)
    expect((await deposits())[0]?.payer).toMatchObject({ name: 'نیک\u200cپی', email: 'achieng@shop.example' })
  })

  it.each([
    ['2500', 2500],
    ['2,500', 2500],
    ['2.500', 2500],
    ['2 500', 2500],
    ['2\u202f500', 2500],
    ['2500.00', 2500],
    ['2,500.00', 2500],
    ["2'500", 2500],
    ['2’500', 2500],
    ['2500/=', 2500],
    ['2,500/-', 2500],
    ['2,500.00 /=', 2500],
    ['1.000/=', 1000],
    ['10,005', 10_005],
    ['150.000', 150_000],
    ['25', 25],
    ['10', 10],
    ['٢٥٠٠', 2500],
    ['۲٬۵۰۰', 2500],
    ['\u202a2,500\u202c', 2500],
    ['\ufeff2\u00a0500\u200f', 2500],
  ])('"%s" is an amount of %i', async (amount, expected) => {
    const sent = await person.submit(await person.get('/pay?country=KE'), { ...payer, amount })
    expect(sent.status).toBe(303)
    expect((await deposits())[0]?.amount).toBe(expected)
  })

  const noAmounts =
    '| 0 | -500 | 2,50 | 2.5 | 25,00,0 | 1,500,00 | 1.500.00 | 2,5,00 | 2,500,5 | 0025,000 | 0.500 | 0,500 | 000,500 | 1e3 | 0x10 | ٢٫٥ | ۲٬۵۰ | ٢٥٬٠٠ | NaN | 2500 KES | KES 2500 | 25/50 | -/50 | 25.50/= | 2500- | 2500/=50 | 99999999999999'
  it.each(noAmounts.split('|').map((text) => text.trim()))('"%s" is not taken for an amount', async (amount) => {
    const answer = await person.submit(await person.get('/pay?country=KE'), { ...payer, amount })
    expect(answer.status).toBe(422)
    expect(textOf(answer.html)).toContain('Enter a whole amount from KSh 10 to KSh 150,000.')
    expect(await deposits()).toEqual([])
  })

  it.each([
    ['1,250,000', 303],
    ['1.250.000', 303],
    ['1,250.000', 422],
    ['1.250,000', 422],
  ])('of millions "%s" is answered %i: one sign between the groups, whichever', async (amount, status) => {
    expect((await person.submit(await person.get('/pay?country=RW'), { ...payer, amount })).status).toBe(status)
    expect((await deposits()).map((made) => made.amount)).toEqual(status === 303 ? [1_250_000] : [])
  })

  it('a shop that takes any amount does not take a group of six digits for two', async () => {
    await system.close()
    await open({ settings: { limits: { ...system.settings.limits, KES: { min: 10, max: 2_000_000_000 } } } })
    const answer = await person.submit(await person.get('/pay?country=KE'), { ...payer, amount: '1,000,000000' })
    expect([answer.status, await deposits()]).toEqual([422, []])
  })

  it('what is left empty is not given', async () => {
    const form = await person.get('/pay?country=KE')
    const sent = await person.submit(form, { ...payer, phone: '', email: '  ', bank: '' })
    expect(sent.status).toBe(303)
    expect((await deposits())[0]?.payer).toEqual({ name: payer.name })
  })

  it('a typed name cannot break out of the page', async () => {
    const name = '"><script>alert(1)</script>'
    const answer = await person.submit(await person.get('/pay?country=KE'), { ...payer, amount: '1', name })
    expect(answer.html).not.toContain('<script>alert')
    expect(valueOf(answer.html, 'name')).toBe(name)
  })

  it('a bank that is not in the list', async () => {
    await system.browser('/v1/banks?country=KE')
    const answer = await person.submit(await person.get('/pay?country=KE'), { ...payer, bank: 'no-such-bank' })
    expect(answer.status).toBe(422)
    expect(textOf(answer.html)).toContain('Choose one from the list, or leave it empty.')
  })

  it('a name longer than the payment service takes', async () => {
    await system.close()
    await open({ settings: { maxName: 20 } })
    const form = await person.get('/pay?country=KE')
    const answer = await person.submit(form, { ...payer, name: 'A'.repeat(21) })
    expect(answer.status).toBe(422)
    expect(textOf(answer.html)).toContain('Enter a shorter name.')
    expect(await deposits()).toEqual([])
    expect((await person.submit(answer, { ...payer, name: 'A'.repeat(20) })).status).toBe(303)
  })

  it.each(['', 'XX', 'ke'])('a country that is not on offer, "%s", is asked for again', async (country) => {
    const answer = await person.post('/pay', { key: 'k'.repeat(32), ...payer, country })
    expect(answer.status).toBe(422)
    expect(textOf(answer.html)).toContain('Choose a country from the list.')
    expect(answer.html).toMatch(/<option value="KE" *>Kenya<\/option>/)
    expect(await deposits()).toEqual([])
  })

  it('when nothing can be written down the form stays as it was, and the same form starts the payment afterwards', async () => {
    const form = await person.get('/pay?country=KE')
    const { apply } = system.store
    const fails = () => Promise.reject(new CompanionError('store_unavailable', { detail: 'The disk is full.' }))
    Object.assign(system.store, { apply: fails })
    const answer = await person.submit(form, payer)
    expect(answer.status).toBe(503)
    expect(textOf(answer.html)).toContain(textsOf('en').ends.unavailable.title)
    for (const name of ['key', 'name', 'amount'])
      expect(valueOf(answer.html, name)).toBe(name === 'key' ? valueOf(form.html, name) : payer[name as 'name'])
    expect(asked).not.toContain('/api/v2/payment/')
    Object.assign(system.store, { apply })
    expect((await person.submit(answer, payer)).location).toMatch(/\/checkout\//)
    expect(await deposits()).toHaveLength(1)
  })

  it('a form that is shown again because of a fault of ours is in the log of the operator', async () => {
    const warned = await openLogged('warn')
    const form = await person.get('/pay?country=KE')
    const fails = () => Promise.reject(new CompanionError('store_unavailable', { detail: 'The disk is full.' }))
    Object.assign(system.store, { apply: fails })
    expect((await person.submit(form, payer)).status).toBe(503)
    expect(warned).toMatchObject([{ code: 'store_unavailable', path: '/pay', detail: 'The disk is full.' }])
  })

  it('a fault that nobody expected shows the request id under which the log has its cause, and nothing of the cause', async () => {
    const failed = await openLogged('error')
    const form = await person.get('/pay?country=KE')
    const cause = new TypeError('canary-7f3a of undefined')
    Object.assign(system.store, { deposit: () => Promise.reject(cause) })
    const answer = await person.submit(form, payer)
    expect([answer.status, failed]).toMatchObject([500, [{ code: 'internal_error', path: '/pay', err: cause }]])
    expect(failed[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(textOf(answer.html)).toContain(failed[0]?.requestId)
    expect(answer.html).not.toContain('canary')
  })

  it('when the started payment cannot be read, the same form leads to it afterwards, and to no second one', async () => {
    const form = await person.get('/pay?country=KE')
    const { deposit } = system.store
    const fails = () => Promise.reject(new CompanionError('store_unavailable', { detail: 'The database is away.' }))
    Object.assign(system.store, { deposit: fails })
    const answer = await person.submit(form, payer)
    expect(answer.status).toBe(503)
    expect(valueOf(answer.html, 'key')).toBe(valueOf(form.html, 'key'))
    Object.assign(system.store, { deposit })
    expect((await person.submit(answer, payer)).location).toMatch(/\/checkout\//)
    expect(await deposits()).toHaveLength(1)
  })

  it('sent twice before anything is written down, starts one payment, and keeps its key until that is known', async () => {
    const form = await person.get('/pay?country=KE')
    const { apply } = system.store
    const slow = Promise.withResolvers<void>()
    Object.assign(system.store, { apply: async (change: Change) => slow.promise.then(() => apply(change)) })
    const first = person.submit(form, payer)
    const changed = await person.submit(form, { ...payer, amount: '3000' })
    expect(changed.status).toBe(422)
    expect(textOf(changed.html)).toContain(textsOf('en').faults.used)
    const second = person.submit(form, payer)
    await system.advance(10)
    const answer = await second
    expect([answer.status, valueOf(answer.html, 'key')]).toEqual([409, valueOf(form.html, 'key')])
    slow.resolve()
    const { location } = await first
    expect(location).toMatch(/\/checkout\//)
    expect((await person.submit(answer, payer)).location).toBe(location)
    expect(await deposits()).toHaveLength(1)
  })

  it('when the service is down the form stays as it was, and the same form works afterwards', async () => {
    await system.close()
    let down = true
    await open({
      network: async (request, next) => {
        if (down && new URL(request.url).origin === SANDBOX_URL)
          throw Object.assign(new TypeError('fetch failed'), {
            cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
          })
        return next()
      },
    })
    const form = await person.get('/pay?country=KE')
    const running = person.submit(form, payer)
    for (let second = 0; second < 40; second++) await system.advance(1)
    const answer = await running
    // Either refused before a row was written (the form again) or ended as not processed (its page
    // says so, once the sending was given up).
    let shown = answer
    await expect
      .poll(async () => {
        await system.advance(5)
        if (answer.status === 303) shown = await person.get(answer.location ?? '')
        return textOf(shown.html)
      })
      .toMatch(/Nothing was (created and nothing was )?charged/)
    down = false
    await system.advance(60)
    const retried = answer.status === 303 ? await person.submit(shown, {}, 'again') : await person.submit(answer, payer)
    expect(retried.location).toMatch(new RegExp(`^${SANDBOX_URL}/checkout/`))
  })
})

describe('only our own form is taken', () => {
  const form = { key: 'k'.repeat(32), country: 'KE', ...payer }
  it.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['from the shop', { origin: SHOP_URL }],
    ['from a frame without an origin', { origin: 'null' }],
    ['from another site by its fetch metadata', { origin: COMPANION_URL, 'sec-fetch-site': 'cross-site' }],
  ])('%s: 403, nothing started', async (_, headers) => {
    const answer = await person.post('/pay', form, headers)
    expect(answer.status).toBe(403)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(await deposits()).toEqual([])
  })

  async function without(headers: Record<string, string>): Promise<Response> {
    return system.companion.app.request(`${COMPANION_URL}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    })
  }
  it('without an Origin only when the browser says that it came from the same origin', async () => {
    expect((await without({})).status).toBe(403)
    expect((await without({ 'sec-fetch-site': 'none' })).status).toBe(403)
    expect((await without({ 'sec-fetch-site': 'same-site', referer: `${COMPANION_URL}/pay` })).status).toBe(403)
    expect((await without({ referer: 'https://evil.example/pay' })).status).toBe(403)
    expect(await deposits()).toEqual([])
    expect((await without({ origin: COMPANION_URL, 'sec-fetch-site': 'same-origin' })).status).toBe(303)
    expect((await without({ 'sec-fetch-site': 'same-origin' })).status).toBe(303)
    // Opera Mini and old browsers send neither; the referring page is ours then.
    expect((await without({ referer: `${COMPANION_URL}/pay` })).status).toBe(303)
    expect(await deposits()).toHaveLength(1)
  })

  it.each([
    ['JSON', { 'content-type': 'application/json' }, 415],
    ['multipart', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ['of no type', { 'content-type': '' }, 415],
    ['a type that names ours', { 'content-type': 'text/plain; as=application/x-www-form-urlencoded' }, 415],
    ['compressed', { 'content-encoding': 'gzip' }, 415],
  ])('%s is refused', async (_, headers, status) => {
    const answer = await person.post('/pay', form, headers)
    expect([answer.status, answer.headers.get('content-type')?.includes('text/html')]).toEqual([status, true])
  })

  it('a form that is not UTF-8 is refused, and starts nothing', async () => {
    const answer = await system.companion.app.request(`${COMPANION_URL}/pay`, {
      method: 'POST',
      headers: { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`${new URLSearchParams({ ...form, name: '' }).toString()}Ren\u00e9`, 'latin1'),
    })
    expect(answer.status).toBe(422)
    expect(textOf(await answer.text())).toContain(textsOf('en').ends.unreadable.title)
    expect(await deposits()).toEqual([])
  })

  it('a body past 8 kB, a key that is not ours, and a missing key start nothing', async () => {
    expect((await person.post('/pay', { ...form, name: 'a'.repeat(9000) })).status).toBe(413)
    for (const key of ['', 'short', 'k'.repeat(31) + ' ', 'k'.repeat(33)]) {
      const answer = await person.post('/pay', { ...form, key })
      expect(answer.status).toBe(422)
      expect(textOf(answer.html)).toContain(textsOf('en').faults.key)
      expect(valueOf(answer.html, 'key')).toMatch(/^[\w-]{32}$/)
      expect(valueOf(answer.html, 'name')).toBe(payer.name)
    }
    expect(await deposits()).toEqual([])
  })
})
