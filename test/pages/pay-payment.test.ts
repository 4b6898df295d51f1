// The page of a payment, /pay/<link>, without JavaScript: its text in each state, and its forms.
import { describe, expect, it } from 'vitest'
import { createCompanion } from '../../server/companion.ts'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { createStartAgain } from '../../server/deposits/create/start-again.ts'
import { COMPANION_URL, createSession, kenyanDeposit, newKey, pay, SANDBOX_URL } from '../helpers/create-test-system.ts'
import { open, openForEach, person, system } from './pay-system.ts'
import { formsOf, textOf, visitor } from './visitor.ts'

openForEach()

async function create(changes: Record<string, unknown> = {}): Promise<CreatedDeposit> {
  const response = await pay(system, changes)
  expect(response.status).toBe(201)
  return (await response.json()) as CreatedDeposit
}
const phone = (number: string) => ({ payer: { name: 'Achieng Otieno', phone: `2547000000${number}` } })
const row = async (deposit: CreatedDeposit) => (await system.store.deposit(deposit.id)) as Deposit
const all = () => system.store.payments({ limit: 50 })
const refresh = (html: string) => /<noscript><meta\s+http-equiv="refresh"\s+content="(\d+)"/.exec(html)?.[1]
async function read(deposit: CreatedDeposit, query = ''): Promise<string> {
  return textOf((await person.get(deposit.payUrl + query)).html)
}
/** Puts a deposit into a state whose own way is told elsewhere. */
async function put(deposit: CreatedDeposit, change: Partial<Deposit>): Promise<void> {
  const old = await row(deposit)
  const { applied } = await system.store.apply({
    deposit: { row: { ...old, ...change, version: old.version + 1 }, expect: old.version },
  })
  expect(applied).toBe(true)
}
const session = (changes: Record<string, unknown> = {}) =>
  createSession(system, { country: 'KE', orderId: 'A-77', description: 'Two pairs of shoes', ...changes })

/** A try from that address that starts nothing. */
async function tryInVain(address: string, session?: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': newKey() }
  const body = JSON.stringify(kenyanDeposit({ amount: 1, ...(session === undefined ? {} : { session }) }))
  const env = { incoming: { socket: { remoteAddress: address } } }
  return (await system.companion.app.request(`${COMPANION_URL}/v1/deposits`, { method: 'POST', headers, body }, env))
    .status
}

describe('waiting without JavaScript', () => {
  it('leads to the hosted page, refreshes itself, and shows the receipt in the end', async () => {
    const deposit = await create(phone('01'))
    const first = await person.get(deposit.payUrl)
    expect(textOf(first.html)).toContain('Your payment is open')
    // Who comes back may have sent the money already.
    expect(textOf(first.html)).toContain('If you have sent the money, do not pay again')
    expect(first.html).toMatch(
      new RegExp(`<a[^>]*href="${deposit.checkoutUrl}"[^>]*target="_blank"[^>]*rel="noopener noreferrer"`),
    )
    expect(refresh(first.html)).toBe('5')
    await system.advance(20)
    const last = await person.get(deposit.payUrl)
    const text = textOf(last.html)
    // In the words of the card, the sum once. The tab says it too.
    expect(last.html).toContain('<title>✓ Payment received</title>')
    expect(text).toContain('✓ Thank you KES 2,500 We have received your payment.')
    expect(text.split('KES 2,500')).toHaveLength(2)
    for (const fact of ['KES 2,500', 'Duka la Jua', 'Kenya', deposit.reference, '21 November 2026'])
      expect(text).toContain(fact)
    expect(refresh(last.html)).toBeUndefined()
    expect(last.html).not.toContain(SANDBOX_URL + '/checkout')
    expect(formsOf(last.html)).toEqual([])
  })

  it('looks less often as the payment grows older, and not at all when the customer pauses it', async () => {
    const deposit = await create(phone('06'))
    await system.advance(301)
    expect(refresh((await person.get(deposit.payUrl)).html)).toBe('15')
    await system.advance(900)
    expect(refresh((await person.get(deposit.payUrl)).html)).toBe('60')
    const paused = await person.get(`${deposit.payUrl}?refresh=off`)
    expect(refresh(paused.html)).toBeUndefined()
    expect(textOf(paused.html)).toContain('Resume updates')
  })

  it('"Check now" asks the service, and shows what it says', async () => {
    let callbacks = true
    await system.close()
    await open({
      network: async (request, next) =>
        !callbacks && request.url.includes('/v1/webhook/') ? new Response(null, { status: 503 }) : next(),
    })
    const deposit = await create({ payer: { name: 'Achieng Otieno', phone: '0712345678' } })
    callbacks = false
    const { data } = (await (await system.service('/console/api/transactions')).json()) as {
      data: { id: string; reference: string }[]
    }
    const id = data.find(({ reference }) => reference === deposit.reference)?.id ?? ''
    const confirmed = await system.service(`/console/api/transactions/${id}/confirm`, { method: 'POST' })
    expect(confirmed.status).toBeLessThan(300)
    const page = await person.get(deposit.payUrl)
    expect(textOf(page.html)).toContain('Your payment is open')
    const checked = await person.submit(page, {}, 'check')
    expect([checked.status, checked.location]).toEqual([303, `${deposit.payUrl}?lang=en`])
    expect(await read(deposit)).toContain('Payment received')
  })

  it('"Check now" that brings no news is seen to have been done', async () => {
    const deposit = await create()
    const page = await person.get(deposit.payUrl)
    const time = (html: string) => /As of (\d\d:\d\d:\d\d)\./.exec(textOf(html))?.[1]
    expect(time(page.html)).toBeDefined()
    await system.advance(3)
    const { location } = await person.submit(page, {}, 'check')
    const after = await person.get(location ?? '')
    expect(textOf(after.html)).toContain('Your payment is open')
    expect(time(after.html)).toBeDefined()
    expect(time(after.html)).not.toBe(time(page.html))
  })

  it('"Check now" says no more than to wait where others have used up what all strangers share', async () => {
    await system.close()
    await open({ settings: { rate: 10 } })
    const [theirs, deposit] = [await create(), await create()]
    expect((await person.submit(await person.get(theirs.payUrl), {}, 'check')).status).toBe(303)
    const answer = await person.submit(await person.get(deposit.payUrl), {}, 'check')
    expect(answer.status).toBe(429)
    expect(textOf(answer.html)).toContain('Wait a moment before you check again')
    // Nothing has been asked for this customer.
    expect(textOf(answer.html)).not.toMatch(/have just asked/i)
  })

  it('"Check now" seven times a minute is answered from what is known', async () => {
    const deposit = await create()
    const page = await person.get(deposit.payUrl)
    for (let n = 0; n < 6; n++) expect((await person.submit(page, {}, 'check')).status).toBe(303)
    const answer = await person.submit(page, {}, 'check')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(textOf(answer.html)).toContain('Wait a moment before you check again')
    // The answer to a form never loads itself again: that would send the form again.
    expect(refresh(answer.html)).toBeUndefined()
  })

  it('the forms of a payment are taken from its own page only', async () => {
    const deposit = await create()
    for (const action of ['check', 'again']) {
      expect(
        (await person.post(deposit.payUrl, { action, unpaid: 'yes' }, { origin: 'https://evil.example' })).status,
      ).toBe(403)
    }
    expect(await all()).toHaveLength(1)
    expect((await row(deposit)).phase).toBe('open')
  })
})

describe('each state in honest words, with one next step', () => {
  it.each<[string, Partial<Deposit>, string, boolean]>([
    ['unknown', { phase: 'unknown' }, 'you will not be charged twice', true],
    ['overdue', { phase: 'open', overdue: true }, 'If you have sent the money, wait', true],
    ['confirming', { phase: 'confirming' }, 'Confirming your payment', true],
    ['review', { phase: 'review', reviewReason: 'redirect_origin' }, 'Do not pay again; keep the reference', true],
    ['abandoned', { phase: 'abandoned' }, 'This attempt is closed', false],
    ['address lost', { phase: 'abandoned', resultCode: 'address_lost' }, 'The payment could not be opened', false],
    ['cancelled', { phase: 'failed', resultCode: '1032', settledAt: 0 }, 'cancelled', false],
    [
      'failed',
      { phase: 'failed', resultCode: '7', settledAt: 0 },
      'If money left your account, contact the shop',
      false,
    ],
    [
      'expired at the operator',
      { phase: 'failed', resultCode: '1019', settledAt: 0 },
      'If money left your account',
      false,
    ],
    [
      'declined by the agent',
      { phase: 'failed', resultCode: '2001', settledAt: 0 },
      'contact the shop with the reference',
      false,
    ],
    ['expired', { phase: 'expired', resultCode: '1037', settledAt: 0 }, 'The 15 minutes are over', false],
    [
      'expired by the service’s clock',
      { phase: 'failed', resultCode: '1037', settledAt: 0 },
      'The 15 minutes are over',
      false,
    ],
    [
      'rejected',
      { phase: 'rejected', resultCode: 'invalid_fields', settledAt: 0 },
      'Nothing was charged. Try again.',
      false,
    ],
    [
      'market off',
      { phase: 'rejected', resultCode: 'market_off', settledAt: 0 },
      'The shop cannot take payments in this currency right now',
      false,
    ],
    [
      'login refused',
      { phase: 'rejected', resultCode: 'account_refused', settledAt: 0 },
      'Nothing was charged. Try again.',
      false,
    ],
    [
      'service down',
      { phase: 'rejected', resultCode: 'upstream_unavailable', settledAt: 0 },
      'The payment service could not be reached. Nothing was charged',
      false,
    ],
  ])('%s', async (_, change, words, waiting) => {
    const deposit = await create()
    await put(deposit, change)
    const page = await person.get(deposit.payUrl)
    const text = textOf(page.html)
    expect(text).toContain(words)
    expect(text).toContain(deposit.reference)
    expect(refresh(page.html) !== undefined).toBe(waiting)
    // One next step: news while it waits, a new try when it has ended.
    expect(formsOf(page.html).some(({ hidden }) => hidden['action'] === 'check')).toBe(waiting)
    expect(text.includes('Try again')).toBe(!waiting)
    // The mark of the card; an exclamation mark is for a page that cannot be shown.
    expect(page.html.includes('aria-hidden="true">×<')).toBe(/failed|expired|rejected/.test(change.phase!))
    // No way to the hosted page but while it is open.
    expect(page.html.includes('/checkout/')).toBe(change.phase === 'open')
    // Neither the end of a payment nor the details of the payer are ever shown.
    expect(page.html).not.toMatch(/Achieng|Otieno|A•••|712345678|•••678/)
  })

  it('whose order another attempt has paid leads to no further payment', async () => {
    const deposit = await create()
    await put(deposit, { phase: 'abandoned', resultCode: 'order_paid' })
    const page = await person.get(deposit.payUrl)
    expect(textOf(page.html)).toContain('This order is already paid')
    expect(formsOf(page.html).filter(({ hidden }) => hidden['action'] !== undefined)).toEqual([])
    expect(page.html).not.toContain('/checkout/')
  })

  it('late and paid twice are said', async () => {
    const deposit = await create()
    await put(deposit, { phase: 'succeeded', settledAt: system.now(), late: true, duplicate: true })
    const text = await read(deposit)
    expect(text).toContain('! You paid twice KES 2,500 This order was already paid.')
    expect(text).toContain('Ask for a refund and quote the reference. It arrived later than expected.')
    expect(text).not.toContain('Thank you')
  })

  it('in French and Swahili too', async () => {
    const deposit = await create()
    expect(await read(deposit, '?lang=fr')).toContain('Votre paiement est en cours')
    expect(await read(deposit, '?lang=sw')).toContain('Malipo yako yako wazi')
  })

  it('the description of an order cannot break out of the page', async () => {
    const { payUrl, token } = await session({ description: '<img src=x onerror=alert(1)>&"' })
    for (const page of [await person.get(payUrl), await person.get((await create({ session: token })).payUrl)]) {
      expect(page.html).not.toContain('<img')
      expect(page.html).toContain('&lt;img src=x onerror=alert(1)&gt;&amp;&quot;')
    }
  })
})

describe('start again', () => {
  it('beside an open payment only with the customer’s explicit word', async () => {
    const deposit = await create()
    const page = await person.get(deposit.payUrl)
    const refused = await person.submit(page, {}, 'again')
    expect(refused.status).toBe(422)
    expect(textOf(refused.html)).toContain('Tick the box if you have not sent any money.')
    expect(await all()).toHaveLength(1)
    const started = await person.submit(page, { unpaid: 'yes' }, 'again')
    expect(started.status).toBe(303)
    expect(started.location).toMatch(new RegExp(`^${SANDBOX_URL}/checkout/`))
    expect(started.location).not.toBe(deposit.checkoutUrl)
    expect((await row(deposit)).phase).toBe('abandoned')
    const [fresh] = (await all()).filter(({ id }) => id !== deposit.id)
    expect(fresh).toMatchObject({
      phase: 'open',
      amount: 2500,
      country: 'KE',
      bankCode: '01',
      payer: { name: 'Achieng Otieno', phone: '254712345678' },
    })
  })

  it('by two tabs and two clicks starts one new payment', async () => {
    const deposit = await create()
    const tabs = [await person.get(deposit.payUrl), await person.get(deposit.payUrl)] as const
    const answers = await Promise.all(
      tabs.flatMap((tab) => [
        person.submit(tab, { unpaid: 'yes' }, 'again'),
        person.submit(tab, { unpaid: 'yes' }, 'again'),
      ]),
    )
    expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1)
    expect(await all()).toHaveLength(2)
    // And so does the old page later on, and after the new payment has ended its result is shown.
    const later = await person.submit(await person.get(deposit.payUrl), {}, 'again')
    expect(later.location).toBe(answers[0]?.location)
    expect(await all()).toHaveLength(2)
  })

  /**
   * A new system. @returns what holds its creates back from then on, and returns what lets them go
   */
  async function openWithHold(): Promise<() => () => void> {
    await system.close()
    let held = Promise.resolve()
    await open({
      network: async (request, next) => {
        if (request.url.endsWith('/api/v2/payment/')) await held
        return next()
      },
    })
    return () => {
      const gate = Promise.withResolvers<void>()
      held = gate.promise
      return gate.resolve
    }
  }

  it('by two clicks while the service is slow leads the second to the payment that is being started', async () => {
    const holdCreates = await openWithHold()
    const deposit = await create()
    const page = await person.get(deposit.payUrl)
    const letCreatesGo = holdCreates()
    const first = person.submit(page, { unpaid: 'yes' }, 'again')
    const second = person.submit(page, { unpaid: 'yes' }, 'again')
    await system.advance(10)
    const { status, location } = await second
    expect(status).toBe(303)
    expect(textOf((await person.get(location!)).html)).toContain('Preparing your payment…')
    letCreatesGo()
    expect((await first).location).toMatch(new RegExp(`^${SANDBOX_URL}/checkout/`))
    expect(await all()).toHaveLength(2)
  })

  it.each(['an order', 'no order'])(
    'of %s, before and after HC_SECRET was changed, starts one new payment',
    async (of) => {
      const deposit = await create(of === 'an order' ? { session: (await session()).token } : {})
      await put(deposit, { phase: 'failed', resultCode: '1032', settledAt: system.now() })
      const started = await person.submit(await person.get(deposit.payUrl), {}, 'again')
      const { settings, store, now } = system
      const changed = {
        ...settings,
        secret: 'is_new_0123456789abcdef0123456789abcdef',
        previousSecret: settings.secret,
      }
      const companion = createCompanion({ settings: changed, store, now, sleep: () => new Promise(setImmediate) })
      const later = visitor({ ...system, companion })
      expect((await later.submit(await later.get(deposit.payUrl), {}, 'again')).location).toBe(started.location)
      expect(await all()).toHaveLength(2)
      await companion.close()
    },
  )

  it('is not led to the payment of a stranger, who would have it paid by the customer: nobody can send its key', async () => {
    const deposit = await create()
    await put(deposit, { phase: 'failed', resultCode: '1032', settledAt: system.now() })
    const unused = () => Promise.reject(new Error())
    const { keyOf } = createStartAgain({ create: unused, recover: unused }, { sessionToken: () => '' })
    const body = JSON.stringify(kenyanDeposit({ clientReference: "the stranger's order" }))
    const key = keyOf(await row(deposit))
    for (const sent of [key, `"${key}"`, encodeURI(key), key.replace(' ', '+')])
      await system.browser('/v1/deposits', { method: 'POST', body, headers: { 'idempotency-key': sent } })
    await person.submit(await person.get(deposit.payUrl), {}, 'again')
    const started = (await all()).find(({ replaces }) => replaces?.includes(deposit.id))
    expect(started).toMatchObject({ phase: 'open' })
    expect(started?.clientReference).toBeUndefined()
  })

  it('with a bank that has left the list counts as one start', async () => {
    const deposit = await create()
    await put(deposit, { bankCode: 'closed', phase: 'failed', resultCode: '1032', settledAt: system.now() })
    const page = await person.get(deposit.payUrl)
    const address = '203.0.113.9'
    for (let n = 0; n < 119; n++) await tryInVain(address)
    expect((await visitor(system, address).submit(page, {}, 'again')).status).toBe(303)
  })

  it('with a bank that has left the list starts one new payment without it, however often it is clicked', async () => {
    const deposit = await create()
    await put(deposit, { bankCode: 'closed', phase: 'failed', resultCode: '1032', settledAt: system.now() })
    const page = await person.get(deposit.payUrl)
    const started = await person.submit(page, {}, 'again')
    expect([started.status, started.location]).toEqual([303, expect.stringMatching(`^${SANDBOX_URL}/checkout/`)])
    expect((await person.submit(page, {}, 'again')).location).toBe(started.location)
    const fresh = (await all()).filter(({ id }) => id !== deposit.id)
    expect(fresh).toMatchObject([{ phase: 'open', replaces: [deposit.id] }])
    expect(fresh[0]?.bankCode).toBeUndefined()
    // Nor if the bank is in the list again, or its address has started as many as it may.
    await put(deposit, { ...(await row(deposit)), bankCode: '01' })
    expect((await person.submit(page, {}, 'again')).location).toBe(started.location)
    await put(deposit, { ...(await row(deposit)), bankCode: 'closed' })
    const address = '203.0.113.9'
    for (let n = 0; n < 120; n++) await tryInVain(address)
    expect((await visitor(system, address).submit(page, {}, 'again')).location).toBe(started.location)
    expect(await all()).toHaveLength(2)
  })

  it('with a bank that has left the list, by two clicks while the service is slow, leads both to the one payment', async () => {
    const holdCreates = await openWithHold()
    const deposit = await create()
    await put(deposit, { bankCode: 'closed', phase: 'failed', resultCode: '1032', settledAt: system.now() })
    const page = await person.get(deposit.payUrl)
    const letCreatesGo = holdCreates()
    const first = person.submit(page, {}, 'again')
    await expect.poll(async () => (await all()).length).toBe(2)
    const second = person.submit(page, {}, 'again')
    await system.advance(10)
    letCreatesGo()
    const { status, location } = await second
    expect([status, location]).toEqual([303, (await first).location])
    expect(await all()).toHaveLength(2)
  })

  it('keeps all details, the reference of the shop and the language', async () => {
    const payer = { name: 'Achieng Otieno', phone: '254712345678', email: 'achieng@example.com' }
    const same = { payer, clientReference: 'cart-7', locale: 'sw', amount: 2500, country: 'KE' }
    const deposit = await create({ payer, clientReference: 'cart-7', locale: 'sw' })
    await put(deposit, { phase: 'failed', resultCode: '1032', settledAt: system.now() })
    await person.submit(await person.get(deposit.payUrl), {}, 'again')
    expect(await all()).toMatchObject([same, same])
  })

  it('counts as a try of its address', async () => {
    const [page, other] = [await person.get((await create()).payUrl), await person.get((await create()).payUrl)]
    const address = '203.0.113.9'
    const one = visitor(system, address)
    for (let n = 0; n < 119; n++) expect(await tryInVain(address)).toBe(422)
    const again = async (of: typeof page) => (await one.submit(of, { unpaid: 'yes' }, 'again')).status
    expect([await again(page), await tryInVain(address)]).toEqual([303, 429])
    // A second click is a repeat, and leads where the first one did.
    expect([await again(other), await again(page)]).toEqual([429, 303])
    expect(await all()).toHaveLength(3)
  })

  it('a foreign number stays what it was', async () => {
    const deposit = await create({ payer: { name: 'Ola Nordmann', phone: '+4791234567' } })
    await put(deposit, { phase: 'failed', resultCode: '1032', settledAt: system.now() })
    await person.submit(await person.get(deposit.payUrl), {}, 'again')
    expect((await all()).map(({ payer }) => payer?.phone)).toEqual(['4791234567', '4791234567'])
  })

  it('while it is being confirmed, or once it is paid, starts nothing', async () => {
    const deposit = await create()
    const page = await person.get(deposit.payUrl)
    await put(deposit, { phase: 'confirming' })
    const refused = await person.submit(page, { unpaid: 'yes' }, 'again')
    expect(refused.status).toBe(422)
    expect(textOf(refused.html)).toContain('This payment can no longer be given up')
    expect(refused.html).toContain(`href="${new URL(deposit.payUrl).pathname}?lang=en"`)
    await put(deposit, { phase: 'succeeded', settledAt: system.now() })
    const shown = await person.submit(page, { unpaid: 'yes' }, 'again')
    expect([shown.status, shown.location]).toEqual([303, `${deposit.payUrl}?lang=en`])
    expect(await all()).toHaveLength(1)
  })

  it('for an order: the new payment is of the same order, and never one beside the paid one', async () => {
    const { token } = await session()
    const deposit = await create({ session: token })
    await put(deposit, { phase: 'failed', resultCode: '1032', settledAt: system.now() })
    const page = await person.get(deposit.payUrl)
    expect((await person.submit(page, {}, 'again')).location).toMatch(/\/checkout\//)
    const [second] = (await all()).filter(({ id }) => id !== deposit.id)
    expect(second).toMatchObject({ orderId: 'A-77', phase: 'open', sessionId: (await row(deposit)).sessionId })
    if (second === undefined) return
    await system.store.apply({
      deposit: {
        row: { ...second, phase: 'succeeded', settledAt: system.now(), version: second.version + 1 },
        expect: second.version,
      },
    })
    const old = await person.get(deposit.payUrl)
    expect(textOf(old.html)).not.toContain('Try again')
    const stale = await person.submit(page, {}, 'again')
    expect(stale.status).toBe(303)
    expect(textOf((await person.get(stale.location ?? '')).html)).toContain('Payment received')
    expect(await all()).toHaveLength(2)
  })

  it('for an order that another attempt has paid meanwhile leads to what was paid, and starts nothing', async () => {
    const { token, payUrl } = await session()
    const deposit = await create({ session: token })
    await put(deposit, { phase: 'failed', resultCode: '1032', settledAt: system.now() })
    const page = await person.get(deposit.payUrl)
    await put(await create({ session: token }), { phase: 'succeeded', settledAt: system.now() })
    const answer = await person.submit(page, {}, 'again')
    expect([answer.status, answer.location]).toEqual([303, `${payUrl}?lang=en`])
    expect(textOf((await person.get(payUrl)).html)).toContain('Payment received')
    expect(await all()).toHaveLength(2)
  })

  it('for an order counts as a try of that order, wherever it comes from', async () => {
    const { token } = await session()
    const deposit = await create({ session: token })
    await put(deposit, { phase: 'failed', resultCode: '1032', settledAt: system.now() })
    const page = await person.get(deposit.payUrl)
    for (let n = 0; n < 58; n++) expect(await tryInVain('203.0.113.9', token)).toBe(422)
    const elsewhere = visitor(system, '203.0.113.10')
    expect((await elsewhere.submit(page, {}, 'again')).status).toBe(303)
    expect(await tryInVain('203.0.113.11', token)).toBe(429)
    expect((await elsewhere.submit(page, {}, 'again')).status).toBe(303)
    expect(await all()).toHaveLength(2)
  })

  it('for an order that was tried too often starts nothing', async () => {
    const { token } = await session()
    const deposit = await create({ session: token })
    await put(deposit, { phase: 'failed', resultCode: '1032', settledAt: system.now() })
    const page = await person.get(deposit.payUrl)
    for (let n = 0; n < 59; n++) expect(await tryInVain('203.0.113.9', token)).toBe(422)
    expect((await person.submit(page, {}, 'again')).status).toBe(429)
    expect(await all()).toHaveLength(1)
  })

  it('for an order whose details were purged leads to the page of the order', async () => {
    const { token, payUrl } = await session()
    const deposit = await create({ session: token })
    await put(deposit, { phase: 'failed', resultCode: '7', settledAt: system.now() })
    expect(await system.store.purgePayers(system.now() + 1)).toBe(1)
    const answer = await person.submit(await person.get(deposit.payUrl), {}, 'again')
    expect([answer.status, answer.location]).toEqual([303, `${payUrl}?lang=en`])
    expect(await all()).toHaveLength(1)
  })

  it('for an order is in the name that the shop gave it', async () => {
    const { token } = await session({ payer: { name: 'Achieng Otieno' } })
    const deposit = await create({ session: token, payer: { phone: '254712345678' } })
    await put(deposit, { phase: 'failed', resultCode: '1032', settledAt: system.now() })
    await person.submit(await person.get(deposit.payUrl), {}, 'again')
    const payer = { name: 'Achieng Otieno', phone: '254712345678' }
    expect(await all()).toMatchObject([{ payer }, { payer }])
  })

  it('after the details were purged asks for them anew, with amount and country kept', async () => {
    const deposit = await create()
    await put(deposit, { phase: 'failed', resultCode: '7', settledAt: system.now() })
    expect(await system.store.purgePayers(system.now() + 1)).toBe(1)
    const answer = await person.submit(await person.get(deposit.payUrl), {}, 'again')
    expect([answer.status, answer.location]).toEqual([303, `${COMPANION_URL}/pay?lang=en&country=KE&amount=2500`])
    expect((await person.get(answer.location ?? '')).html).toMatch(/name="amount"[\s\S]*?value="2500"/)
  })
})

describe('with JavaScript the page is the widget', () => {
  const folder = new URL('./bundles/', import.meta.url)
  it('names our own files, and hands the token over in the page, never in an address', async () => {
    await system.close()
    await open({ companion: { widget: { folder, version: '1.2.3' } } })
    const deposit = await create()
    const { html } = await person.get(deposit.payUrl)
    expect(html).toContain('<script type="module" src="/widget/1.2.3/hc-checkout.js"></script>')
    expect(html).toMatch(/<script\s+nomodule\s+defer\s+src="\/widget\/1\.2\.3\/hc-checkout-legacy\.js"/)
    expect(html).toMatch(
      new RegExp(`<hc-checkout companion="" locale="en" data-deposit="${deposit.id}" data-token="${deposit.token}"`),
    )
    expect(
      [...html.matchAll(/(?:href|src|action)="([^"]*)"/g)].some(([, address]) => address?.includes(deposit.token)),
    ).toBe(false)
    const script = /src="(\/pay\/page\.js\?v=[\w-]+)"/.exec(html)?.[1] ?? ''
    const file = await person.get(script)
    expect([file.status, file.headers.get('content-type'), file.headers.get('cache-control')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
    // Of another release, or of none: what is kept for a year would be another script.
    for (const other of ['/pay/page.js', `${script}x`])
      expect((await person.get(other)).headers.get('cache-control')).toBe('public, max-age=300')
  })

  it('a session’s page gives the element the session; the open page gives it nothing', async () => {
    await system.close()
    await open({ companion: { widget: { folder, version: '1.2.3' } } })
    const { payUrl, token } = await session()
    expect((await person.get(payUrl)).html).toContain(`session="${token}"`)
    expect((await person.get('/pay')).html).toMatch(/<hc-checkout companion="" locale="en">/)
  })

  it('a wrong link and an answer to a form have no script', async () => {
    await system.close()
    await open({ companion: { widget: { folder, version: '1.2.3' } } })
    const faults = await person.submit(await person.get('/pay?country=KE'), { amount: '1', name: 'A' })
    for (const { html } of [await person.get('/pay/nothing'), faults]) expect(html).not.toContain('<script')
  })
})
