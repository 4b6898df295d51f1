// What the people of a shop do at the console: find, note, pay back, make links, export, watch.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setImmediate } from 'node:timers/promises'
import type {
  Act,
  ActList,
  CreatedDeposit,
  Link,
  LinkList,
  Owed,
  OwedList,
  PaymentDetail,
  PaymentList,
  PaymentView,
  Problem,
} from '../../server/contract/index.ts'
import { secretsOf } from '../../server/settings/secrets.ts'
import { createLive } from '../../server/console/live.ts'
import { ask as askOf, type Asked, createConsoleSystem, signedIn } from '../helpers/console-users.ts'
import { COMPANION_URL, kenyanDeposit, keys, newKey, type TestSystem } from '../helpers/create-test-system.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'

type Browser = Awaited<ReturnType<typeof signedIn>>

let system: TestSystem
let viewer: Browser
let operator: Browser
let owner: Browser
beforeEach(async () => {
  system = await createConsoleSystem({ settings: { timeZone: 'Africa/Nairobi' } })
  viewer = await signedIn(system, 'viewer')
  operator = await signedIn(system, 'operator')
  owner = await signedIn(system, 'owner')
})
afterEach(() => system.close())

const ask = <Body = Problem>(path: string, headers: Browser, asked: Asked = {}) =>
  askOf<Body>(system, path, { headers, ...asked })

async function pay(changes: Record<string, unknown> = {}): Promise<CreatedDeposit> {
  const answer = await system.browser('/v1/deposits', {
    method: 'POST',
    body: JSON.stringify(kenyanDeposit(changes)),
    headers: { 'idempotency-key': newKey() },
  })
  return (await answer.json()) as CreatedDeposit
}

/** A payment of which money is owed. */
async function owedPayment(given: Parameters<typeof depositRecord>[0] = {}): Promise<string> {
  const row = depositRecord({
    phase: 'succeeded',
    duplicate: true,
    createdAt: system.now(),
    settledAt: system.now(),
    ...given,
  })
  await system.store.apply(creation(row))
  return row.id
}

describe('payments at the console', () => {
  it('are found by what a caller says, in the way that fits', async () => {
    const { id } = await pay({ amount: 2500, payer: { name: 'Achieng Otieno', phone: '0712345678' } })
    await pay({ amount: 345_6, payer: { name: 'Baraka', phone: '0733000111' } })
    const search = async (query: string) => (await ask<PaymentList>(`/v1/payments?${query}`, viewer)).body
    for (const [text, by] of [
      ['5678', 'phone'],
      ['%2B254 712 345 678', 'phone'],
      ['oti', 'name'],
      ['2,500', 'amount'],
    ])
      expect(await search(`search=${text}`)).toMatchObject({ payments: [{ id }], by })
    const row = depositRecord({
      reference: 'HCT1M8KK2D5Q5BHETEDV8XHT',
      orderId: 'NURU-2A055A95',
      transactionId: 'CPS36ULT8P',
      reportedThirdPartyId: 'SPQ7XK21',
    })
    await system.store.apply(creation(row))
    const letters = depositRecord({ id: 'dep_2', transactionId: 'CPSQXKULTP', reportedThirdPartyId: 'SPABCDEFGH' })
    await system.store.apply(creation(letters))
    for (const [text, by] of [
      ['cpsqxkultp', 'transaction'],
      ['SPAB CDEF GH', 'operator'],
    ])
      expect(await search(`search=${text}`)).toEqual({ payments: [expect.objectContaining({ id: 'dep_2' })], by })
    for (const [text, by] of [
      ['HCT1 M8KK 2D5Q 5BHE TEDV 8XHT', 'reference'],
      ['nuru-2a055a95', 'order'],
      ['cps36ult8p', 'transaction'],
      ['SPQ7XK21', 'operator'],
      ['\u202aHCT1\u00a0M8KK\u2060 2D5Q\u202c', 'reference'],
      ['\u2066nuru\u00ad-2a055a95\u2069', 'order'],
    ])
      expect(await search(`search=${text}`)).toEqual({ payments: [expect.objectContaining({ id: row.id })], by })
    const { payments, nextCursor } = await search('search=a&by=reference')
    expect([payments, nextCursor]).toEqual([[], undefined])
    const both = await search('search=HC&limit=1')
    expect(both).toMatchObject({ by: 'reference', nextCursor: expect.any(String) })
    const second = await search(`search=HC&by=reference&limit=1&cursor=${both.nextCursor}`)
    expect(second.payments.map(({ reference }) => reference)).not.toEqual(
      both.payments.map(({ reference }) => reference),
    )
    // Nothing is said of how where nothing was found.
    expect(await search('search=nobody')).toEqual({ payments: [] })
    expect(await search('search=nobody&by=order')).toEqual({ payments: [] })
  })

  it('are found however an order is spelt, page by page, and as it is written where that finds any', async () => {
    const orders = ['nuru-1001', 'nuru-1002', 'nuru1003', 'NURU 1004', 'nuru 100', 'other-1']
    for (const [n, orderId] of orders.entries())
      await system.store.apply(
        creation(depositRecord({ id: `dep_${n}`, orderId, ...(n === 1 ? { country: 'UG' } : {}) })),
      )
    const search = async (query: string) => (await ask<PaymentList>(`/v1/payments?${query}`, viewer)).body
    const found = async (query: string) => (await search(query)).payments.map(({ orderId }) => orderId)
    const all = ['nuru1003', 'nuru-1002', 'nuru-1001', 'NURU 1004', 'nuru 100']
    expect(await found('search=nuru_100')).toEqual(all)
    expect(await found('search=nuru_100&by=order&country=UG')).toEqual(['nuru-1002'])
    expect(await search('search=nuru%E2%80%931001')).toMatchObject({
      by: 'order',
      payments: [{ orderId: 'nuru-1001' }],
    })
    expect(await found('search=NURU100')).toEqual(['nuru1003'])
    expect(await found('search=nuru-100')).toEqual(['nuru-1002', 'nuru-1001'])
    expect(await found('search=nuru+1001')).toEqual(['nuru-1001'])
    const paged: unknown[] = []
    let cursor = ''
    do {
      const page = await search(`search=nuru_100&by=order&limit=2${cursor}`)
      paged.push(...page.payments.map(({ orderId }) => orderId))
      cursor = page.nextCursor === undefined ? '' : `&cursor=${page.nextCursor}`
    } while (cursor !== '' && paged.length < 9)
    expect(paged).toEqual(all)
    const table = await ask<string>('/v1/payments.csv?search=nuru_100', operator)
    expect(table.body.match(/^dep_\w+/gm)).toEqual(['dep_2', 'dep_1', 'dep_0', 'dep_3', 'dep_4'])
    expect(await search('search=HCT-O')).toEqual({ payments: [] })
  })

  it('are found by the numbers that customers keep, once they are paid', async () => {
    const { id } = await pay({ payer: { name: 'Achieng Otieno', phone: '254700000001' } })
    await pay({ payer: { name: 'Baraka', phone: '0733000111' } })
    await system.advance(20)
    const { transactionId, reported } = (await ask<PaymentDetail>(`/v1/payments/${id}`, viewer)).body
    for (const [number = '', by] of [
      [transactionId, 'transaction'],
      [reported.thirdPartyId, 'operator'],
    ] as const) {
      expect(number).toMatch(/^(CP|SP)\w{6,}$/)
      const found = (await ask<PaymentList>(`/v1/payments?search=${number.toLowerCase()}`, viewer)).body
      expect(found).toEqual({ payments: [expect.objectContaining({ id })], by })
    }
  })

  it('are found page by page, also where a filter leaves one among thousands', async () => {
    const row = (n: number, more: Parameters<typeof depositRecord>[0] = {}) =>
      depositRecord({ id: `dep_${n}`, reference: `HCT${String(n).padStart(5, '0')}`, createdAt: system.now(), ...more })
    for (let n = 1; n <= 5_000; n += 100)
      await Promise.all(Array.from({ length: 100 }, (_, i) => system.store.apply(creation(row(n + i)))))
    await system.store.apply(creation(row(0, { country: 'UG', currency: 'UGX' })))
    const path = '/v1/payments?search=HCT&by=reference&country=UG'
    const { body: first } = await ask<PaymentList>(path, viewer)
    expect(first).toEqual({ payments: [], by: 'reference', nextCursor: expect.any(String) })
    const { body: second } = await ask<PaymentList>(`${path}&cursor=${first.nextCursor}`, viewer)
    expect(second).toEqual({ payments: [expect.objectContaining({ id: 'dep_0' })], by: 'reference' })
    const table = await ask<string>(path.replace('?', '.csv?'), operator)
    expect(table.body.match(/dep_\w+/g)).toEqual(['dep_0'])
  })

  it('are listed by the day of the shop', async () => {
    // 00:30 of the 22nd in Nairobi is 21:30 of the 21st in UTC.
    const late = Date.UTC(2026, 10, 21, 21, 30)
    for (const [id, createdAt] of [
      ['dep_before', late - 3_600_000],
      ['dep_after', late],
    ] as const)
      await system.store.apply(creation(depositRecord({ id, createdAt })))
    const ids = async (query: string) =>
      (await ask<PaymentList>(`/v1/payments?${query}`, viewer)).body.payments.map(({ id }) => id)
    expect(await ids('fromDay=2026-11-22')).toEqual(['dep_after'])
    expect(await ids('toDay=2026-11-21')).toEqual(['dep_before'])
    expect(await ids('fromDay=2026-11-21&toDay=2026-11-22')).toEqual(['dep_after', 'dep_before'])
    expect((await ask('/v1/payments?fromDay=2026-11-21&from=2026-11-21T00:00:00Z', viewer)).status).toBe(422)
  })

  it('take a note, which stays with the payment under the name of who wrote it', async () => {
    const { id } = await pay()
    const note = await ask<Act>(`/v1/payments/${id}/notes`, operator, { json: { text: 'Called, waits.\n<img src=x>' } })
    expect([note.status, note.body]).toMatchObject([201, { act: 'note', by: 'the.operator', paymentId: id }])
    const { acts } = (await ask<PaymentDetail>(`/v1/payments/${id}`, viewer)).body
    expect(acts).toMatchObject([{ act: 'note', why: 'Called, waits.\n<img src=x>' }])
    for (const [json, status] of [
      [{ text: '' }, 422],
      [{ text: 'x'.repeat(1001) }, 422],
      [{}, 422],
    ] as const)
      expect((await ask(`/v1/payments/${id}/notes`, operator, { json })).status).toBe(status)
    expect((await ask('/v1/payments/dep_nothing/notes', operator, { json: { text: 'x' } })).status).toBe(404)
  })

  it('have evidence: what was asked for, each callback as it came, each answer that decided', async () => {
    const { id } = await pay({ amount: 2500, payer: { name: 'Achieng Otieno', phone: '254700000001' } })
    await system.advance(20)
    const detail = async () => (await ask<PaymentDetail>(`/v1/payments/${id}`, viewer)).body
    const { evidence, timeline, reference, transactionId } = await detail()
    expect(evidence.request).toMatchObject({ reference, amount: 2500, currency: 'KES', walletNo: expect.any(String) })
    expect(evidence.request.payer).toMatchObject({ name: 'Achieng Otieno', phone: '254700000001' })
    const [callback] = evidence.callbacks
    expect(evidence.callbacks).toHaveLength(1)
    expect(callback).toMatchObject({ verdict: 'rang', bytes: expect.any(Number) })
    expect(JSON.parse(callback!.text!)).toMatchObject({ reference, acc_name: 'Achieng Otieno', hash: '[hash]' })
    const proven = timeline.find(({ kind }) => kind === 'query_success')
    expect(proven?.detail).toContain(`transaction ${transactionId}`)

    // Whoever repeats a callback with other unsigned fields, at most so much of it is shown.
    const body = (text: string) => new TextEncoder().encode(text)
    const more = [body(`{"note":"${'x'.repeat(9_000)}"}`), new Uint8Array([0x1f, 0x8b, 0xff]), body('a\0b')]
    for (const [n, bytes] of more.entries())
      await system.store.apply({
        inbox: {
          id: `${reference}.${n}`,
          receivedAt: system.now() + n,
          reference,
          depositId: id,
          body: bytes,
          verdict: 'rang',
        },
      })
    const { callbacks } = (await detail()).evidence
    expect(callbacks.map(({ text, bytes }) => [text?.length, bytes]).slice(1)).toEqual([
      [4096, 9011],
      [undefined, 3],
      [undefined, 3],
    ])
    for (let n = 0; n < 30; n++)
      await system.store.apply({
        inbox: { id: `${reference}.b${n}`, receivedAt: system.now(), reference, body: body('{}'), verdict: 'rang' },
      })
    expect((await detail()).evidence.callbacks).toHaveLength(20)

    expect(await system.store.forgetPhone('254700000001')).toBe(1)
    const forgotten = await detail()
    expect(forgotten.evidence.callbacks.every(({ text, bytes }) => text === undefined && bytes === 0)).toBe(true)
    expect(JSON.stringify(forgotten)).not.toContain('Achieng')
  })

  it('show no callback of an erased payer that came before, or of another payment', async () => {
    const row = depositRecord({ createdAt: system.now(), payer: { name: 'Fatou Diop' } })
    await system.store.apply(creation(row))
    const { reference, id } = row
    const heard = {
      receivedAt: system.now(),
      body: new TextEncoder().encode('{"acc_name":"Fatou Diop"}'),
      verdict: 'rang',
    } as const
    await system.store.apply({ inbox: { ...heard, id: `${reference}.1`, reference, depositId: id } })
    await system.store.apply({ inbox: { ...heard, id: `${reference}A.1`, reference: `${reference}A` } })
    const callbacks = async () => (await ask<PaymentDetail>(`/v1/payments/${id}`, viewer)).body.evidence.callbacks
    expect(await callbacks()).toMatchObject([{ text: '{"acc_name":"Fatou Diop"}', bytes: 25 }])
    // By the days that payers are kept: the callbacks are kept for longer.
    await system.store.purgePayers(system.now() + 40 * 86_400_000)
    expect(await callbacks()).toMatchObject([{ bytes: 0 }])
    expect((await callbacks())[0]?.text).toBeUndefined()
  })

  it('are told live, new ones and each change, until the browser leaves', async () => {
    const leaving = new AbortController()
    const answer = await system.companion.app.request(
      new Request('http://127.0.0.1:8787/v1/payments/events', { headers: viewer, signal: leaving.signal }),
    )
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe('retry: 2000\n\n')
    const { id } = await pay()
    let text = ''
    while (!/"phase":"open"/.test(text)) text += (await reader.read()).value ?? ''
    const views = [...text.matchAll(/event: payment\ndata: (.*)\n\n/g)].map(
      ([, json = '']) => JSON.parse(json) as PaymentView,
    )
    expect(views.every((view) => view.id === id)).toBe(true)
    expect(views.map(({ phase }) => phase)).toEqual(['creating', 'open'])
    leaving.abort()
    await reader.cancel()
  })
})

describe('the live list', () => {
  const open = async (headers: Record<string, string>, signal: AbortSignal | null = null) => {
    const answer = await system.companion.app.request(
      new Request(`${COMPANION_URL}/v1/payments/events`, { headers, signal }),
    )
    return { status: answer.status, reader: answer.body!.pipeThrough(new TextDecoderStream()).getReader() }
  }

  it('ends when its user has signed out', async () => {
    const { reader } = await open(viewer)
    expect((await reader.read()).value).toBe('retry: 2000\n\n')
    await ask('/v1/console/sign-out', viewer, { method: 'POST' })
    const texts: string[] = []
    const reading = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) texts.push(next.value)
    })()
    await system.advance(20)
    await pay()
    await reading
    expect(texts.join('')).not.toContain('event: payment')
  })

  it('leaves room for the others, however often one user opens it', async () => {
    const opened = []
    for (let n = 0; n < 10; n++) opened.push(await open(viewer))
    for (const { reader } of opened) await reader.read()
    expect((await open(viewer)).status).toBe(429)
    const other = await open(operator)
    expect(other.status).toBe(200)
    for (const { reader } of [...opened, other]) await reader.cancel()
  })

  it('has the place of a tab free again when its connection closes, also for who reloads it often', async () => {
    for (let n = 0; n < 40; n++) {
      const leaving = new AbortController()
      const { status, reader } = await open(viewer, leaving.signal)
      expect([n, status]).toEqual([n, 200])
      await reader.read()
      leaving.abort()
    }
  })

  it('cannot be opened without end by one user', async () => {
    let opened = 0
    for (let status = 200; status === 200 && opened < 1000; opened++) {
      const leaving = new AbortController()
      const answer = await open(viewer, leaving.signal)
      status = answer.status
      await answer.reader.read()
      leaving.abort()
    }
    expect(opened).toBe(121)
    expect((await open(operator)).status).toBe(200)
  })

  it('cuts off who may not look any more and reads nothing', async () => {
    const heard: string[] = []
    let beat = (): void => {}
    const live = createLive({
      store: system.store,
      now: system.now,
      sleep: () => new Promise((resolve) => (beat = resolve)),
      onError: () => {},
    })
    const viewing = live.open({
      name: 'the.viewer',
      left: new AbortController().signal,
      mayLook: () => Promise.resolve(false),
      cut: () => heard.push('cut'),
    })
    await viewing.next()
    for (let n = 0; n < 2; n++) {
      expect(heard).toEqual([])
      beat()
      await setImmediate()
    }
    expect(heard).toEqual(['cut'])
    await viewing.return()
  })
})

describe('money owed back', () => {
  it('is a list, from which a person takes what was paid back, once', async () => {
    const id = await owedPayment()
    const wrong = await owedPayment({ duplicate: false, disputedSum: true, phase: 'failed' })
    await owedPayment({ duplicate: false })
    const { body } = await ask<OwedList>('/v1/owed', viewer)
    expect(body.owed.map(({ payment, kind }) => `${payment.id} ${kind}`).toSorted()).toEqual(
      [`${id} duplicate`, `${wrong} wrong_amount`].toSorted(),
    )
    const json = { on: '2026-11-21', amount: 1500, how: 'M-Pesa, QX12AB34CD', why: 'The customer asked for it.' }
    const marked = await ask<Owed>(`/v1/payments/${id}/paid-back`, operator, { json })
    expect([marked.status, marked.body.paidBack]).toMatchObject([201, { on: '2026-11-21', by: 'the.operator' }])
    expect((await ask(`/v1/payments/${id}/paid-back`, operator, { json })).body.code).toBe('already_paid_back')
    expect((await ask<OwedList>('/v1/owed', viewer)).body.owed.map(({ payment }) => payment.id)).toEqual([wrong])
    expect((await ask<OwedList>('/v1/owed?state=paid_back', viewer)).body.owed).toMatchObject([
      { payment: { id }, kind: 'duplicate', paidBack: { amount: 1500, how: 'M-Pesa, QX12AB34CD' } },
    ])
    const detail = (await ask<PaymentDetail>(`/v1/payments/${id}`, viewer)).body
    expect(detail.owed).toMatchObject({ kind: 'duplicate', paidBack: { on: '2026-11-21' } })
    expect(detail.acts?.map(({ act, result }) => `${act} ${result}`).toSorted()).toEqual([
      'paid_back already_paid_back',
      'paid_back done',
    ])
  })

  it('is nothing that a payment without a fault can be', async () => {
    const id = await owedPayment({ duplicate: false })
    const json = { on: '2026-11-21', amount: 1500, how: 'cash' }
    expect((await ask(`/v1/payments/${id}/paid-back`, operator, { json })).body.code).toBe('not_owed')
    const owed = await owedPayment()
    for (const changes of [
      { on: '2026-11-22' },
      { on: '2026-11-20' },
      { on: '2026-02-31' },
      { amount: -1 },
      { amount: 1501 },
      { how: '' },
    ])
      expect((await ask(`/v1/payments/${owed}/paid-back`, operator, { json: { ...json, ...changes } })).status).toBe(
        422,
      )
    expect((await ask<OwedList>('/v1/owed', viewer)).body.owed).toHaveLength(1)
  })

  it('is nothing of a payment whose review is open, and may be found to be nothing', async () => {
    const row = depositRecord({ phase: 'review', reviewReason: 'query_amount', createdAt: system.now() })
    await system.store.apply(creation(row))
    const json = { on: '2026-11-21', amount: 0, how: 'The portal says that all of it has arrived.' }
    const payBack = () => ask<Owed>(`/v1/payments/${row.id}/paid-back`, operator, { json })
    expect((await ask<OwedList>('/v1/owed', viewer)).body.owed).toEqual([])
    expect((await ask<PaymentDetail>(`/v1/payments/${row.id}`, viewer)).body.owed).toBeUndefined()
    expect((await payBack()).body).toMatchObject({ code: 'not_owed', detail: expect.stringContaining('review first') })
    await ask(`/v1/payments/${row.id}/decision`, operator, {
      json: { outcome: 'succeeded', reason: 'Seen in the portal.', by: 'the.operator' },
    })
    expect((await ask<OwedList>('/v1/owed', viewer)).body.owed).toHaveLength(1)
    expect((await payBack()).body.paidBack).toMatchObject({ amount: 0 })
    expect((await ask<OwedList>('/v1/owed', viewer)).body.owed).toEqual([])
  })

  it('is found for payments that ended before the list was kept', async () => {
    // As the mover writes it: first a success, then found to be the second of its order.
    const row = depositRecord({ phase: 'open', createdAt: system.now() })
    await system.store.apply(creation(row))
    const before = (await system.store.deposit(row.id))!
    const after = { ...before, phase: 'succeeded', duplicate: true, version: 2, settledAt: system.now() } as const
    await system.store.apply({ deposit: { row: after, expect: 1, before } })
    expect((await ask<OwedList>('/v1/owed', viewer)).body.owed.map(({ payment }) => payment.id)).toEqual([row.id])
  })
})

describe('a payment link', () => {
  const terms = { amount: 2500, currency: 'KES', country: 'KE', description: 'Solar lamp' }

  it('is made with an order number of its own, is paid, and says so', async () => {
    const { status, body: link } = await ask<Link>('/v1/links', operator, { json: { ...terms, language: 'sw' } })
    expect(status).toBe(201)
    expect(link).toMatchObject({ state: 'open', by: 'the.operator', attempts: 0, language: 'sw', amount: 2500 })
    expect(link.orderId).toMatch(/^LINK-[0-9A-HJKMNP-TV-Z]{10}$/)
    expect(link.message).toBe(`Tafadhali lipa KES 2,500 kwa ajili ya Solar lamp: ${link.payUrl}`)
    const page = await system.browser(new URL(link.payUrl!).pathname)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Solar lamp')])
    const { pathname } = new URL(link.payUrl!)
    const started = await system.browser(pathname, {
      method: 'POST',
      headers: { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        country: 'KE',
        name: 'Achieng Otieno',
        phone: '254700000001',
        key: 'k'.repeat(32),
      }).toString(),
    })
    expect(started.status).toBe(303)
    expect((await ask<Link>(`/v1/links/${link.id}`, viewer)).body).toMatchObject({ state: 'pending', attempts: 1 })
    await system.advance(20)
    const [deposit] = await system.store.payments({ limit: 1, orderId: link.orderId })
    const seen = (await ask<LinkList>('/v1/links', viewer)).body.links
    // Whoever has the address can start a payment.
    expect(seen.filter(({ payUrl, message }) => payUrl !== undefined || message !== undefined)).toEqual([])
    expect((await ask<Link>(`/v1/links/${link.id}`, operator)).body.payUrl).toBe(link.payUrl)
    expect(seen).toMatchObject([{ id: link.id, state: 'paid', attempts: 1, paymentId: deposit?.id }])
  })

  it('ends, and says so', async () => {
    const { body: link } = await ask<Link>('/v1/links', operator, { json: { ...terms, expiresIn: 300 } })
    await system.advance(301)
    expect((await ask<Link>(`/v1/links/${link.id}`, viewer)).body.state).toBe('expired')
  })

  /** As the form of the page sends it, without JavaScript. */
  const payBy = (link: Link, key = 'k'.repeat(32)) =>
    system.browser(new URL(link.payUrl!).pathname, {
      method: 'POST',
      headers: { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ country: 'KE', name: 'Achieng Otieno', phone: '254700000001', key }).toString(),
    })
  const close = <Body = Link>(link: Link, json: unknown = { why: 'Sent to the wrong person.' }, by = operator) =>
    ask<Body>(`/v1/links/${link.id}/close`, by, { json })

  it('is closed by hand: nobody can start a payment with it, and it says who closed it and why', async () => {
    const { body: link } = await ask<Link>('/v1/links', operator, { json: terms })
    expect((await close<Problem>(link, undefined, viewer)).body.code).toBe('role_too_low')
    for (const json of [{}, { why: '' }, { why: ' ' }, { why: 'x'.repeat(501) }])
      expect((await close<Problem>(link, json)).status).toBe(422)
    expect((await ask<Link>(`/v1/links/${link.id}`, viewer)).body).toMatchObject({ state: 'open' })
    const closed = await close(link)
    const how = { by: 'the.operator', why: 'Sent to the wrong person.', at: new Date(system.now()).toISOString() }
    expect([closed.status, closed.body]).toMatchObject([200, { id: link.id, state: 'closed', closed: how }])
    const { pathname } = new URL(link.payUrl!)
    for (const [language, words] of [
      ['en', 'The shop has closed it.'],
      ['fr', 'La boutique l’a fermé.'],
      ['sw', 'Duka limekifunga.'],
    ]) {
      const page = await system.browser(`${pathname}?lang=${language}`)
      expect([page.status, await page.text()]).toEqual([410, expect.stringContaining(words!)])
    }
    expect((await payBy(link)).status).toBe(410)
    expect(await system.store.payments({ limit: 1, orderId: link.orderId })).toEqual([])
    // The first one stands, whoever presses later.
    await system.advance(1)
    expect((await close(link, { why: 'Again.' }, owner)).body).toMatchObject({ state: 'closed', closed: how })
    const acts = (await ask<ActList>('/v1/acts', owner)).body.acts.filter(({ act }) => act === 'close_link')
    expect(acts.map(({ by, why, detail, result }) => [by, why, detail, result]).toReversed()).toEqual([
      ['the.operator', 'Sent to the wrong person.', link.orderId, 'done'],
      ['the.owner', 'Again.', link.orderId, 'done'],
    ])
    expect((await ask('/v1/links/ses_nothing/close', operator, { json: { why: 'x' } })).status).toBe(404)
  })

  it('is closed while it is being paid, and the payment counts', async () => {
    const { body: link } = await ask<Link>('/v1/links', operator, { json: terms })
    expect((await payBy(link)).status).toBe(303)
    const [{ id } = { id: '' }] = await system.store.payments({ limit: 1, orderId: link.orderId })
    const closed = (await close(link)).body
    expect(closed).toMatchObject({ state: 'pending', paymentId: id, closed: { by: 'the.operator' } })
    // Its page still leads to the payment that was started.
    const page = await system.browser(new URL(link.payUrl!).pathname)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('KES 2,500')])
    await system.advance(20)
    expect((await ask<Link>(`/v1/links/${link.id}`, viewer)).body).toMatchObject({ state: 'paid', paymentId: id })
    expect(system.notices.map(({ body }) => [body.type, body.data.paymentId])).toEqual([['payment.succeeded', id]])
    // The act stands in the payment's story.
    expect((await ask<PaymentDetail>(`/v1/payments/${id}`, viewer)).body.acts).toMatchObject([{ act: 'close_link' }])
  })

  it('is not closed once it is paid', async () => {
    const { body: link } = await ask<Link>('/v1/links', operator, { json: terms })
    await payBy(link)
    await system.advance(20)
    expect((await close<Problem>(link)).body.code).toBe('order_paid')
    const { body } = await ask<Link>(`/v1/links/${link.id}`, viewer)
    expect([body.state, body.closed]).toEqual(['paid', undefined])
  })

  it('is refused with the reason, and recorded either way', async () => {
    for (const changes of [
      { amount: 1 },
      { amount: 1.5 },
      { description: '' },
      { currency: 'USD' },
      { orderId: 'mine' },
    ])
      expect((await ask('/v1/links', operator, { json: { ...terms, ...changes } })).status).toBe(422)
    expect((await ask('/v1/links', viewer, { json: terms })).body.code).toBe('role_too_low')
    expect((await ask('/v1/links/ses_nothing', viewer)).status).toBe(404)
    const { acts } = (await ask<ActList>('/v1/acts', owner)).body
    expect(acts.filter(({ act }) => act === 'link').map(({ result }) => result)).toEqual(['amount_out_of_range'])
  })

  it('is made by a backend with the merchant key too', async () => {
    const answer = await system.backend('/v1/links', { method: 'POST', body: JSON.stringify(terms) })
    expect([answer.status, ((await answer.json()) as Link).by]).toEqual([201, 'merchant key'])
  })
})

describe('an act whose answer was lost', () => {
  const withKey = (key: string, by = operator) => ({ ...by, 'idempotency-key': key })
  const recorded = async (act: Act['act']) =>
    (await ask<ActList>('/v1/acts?limit=100', owner)).body.acts.filter((one) => one.act === act)

  async function once(path: string, json: Record<string, unknown>, act: Act['act']): Promise<void> {
    const send = async (key: string, body = json) => ask<Record<string, unknown>>(path, withKey(key), { json: body })
    // Pressed again while the first is on its way, and once more after it.
    const [first, second] = await Promise.all([send('k1'), send('k1')])
    const third = await send('k1')
    expect([first.status, second.status, third.status], act).toEqual(Array.from({ length: 3 }, () => first.status))
    expect(first.status, act).toBeLessThan(300)
    expect([second.body, third.body], act).toEqual([first.body, first.body])
    expect(await recorded(act), act).toMatchObject([{ by: 'the.operator', result: 'done' }])
  }

  it('is done and recorded once: a note, a decision, money paid back, a link and its closing', async () => {
    const { id } = await pay()
    await once(`/v1/payments/${id}/notes`, { text: 'Called at noon.' }, 'note')
    expect((await ask<PaymentDetail>(`/v1/payments/${id}`, viewer)).body.acts).toHaveLength(1)

    const review = depositRecord({ phase: 'review', reviewReason: 'query_amount', createdAt: system.now() })
    await system.store.apply(creation(review))
    const decision = { outcome: 'failed', reason: 'Not in the portal.', by: 'the.operator' }
    await once(`/v1/payments/${review.id}/decision`, decision, 'decision')
    const { timeline } = (await ask<PaymentDetail>(`/v1/payments/${review.id}`, viewer)).body
    expect(timeline.filter(({ kind }) => kind === 'decision')).toHaveLength(1)

    const owed = await owedPayment()
    await once(`/v1/payments/${owed}/paid-back`, { on: '2026-11-21', amount: 900, how: 'M-Pesa' }, 'paid_back')

    const terms = { amount: 2500, currency: 'KES', country: 'KE', description: 'Solar lamp' }
    await once('/v1/links', terms, 'link')
    const { links } = (await ask<LinkList>('/v1/links', operator)).body
    expect(links).toHaveLength(1)
    await once(`/v1/links/${links[0]!.id}/close`, { why: 'Paid in cash.' }, 'close_link')
  })

  it('is another act with other words, of another person, with another key and without one', async () => {
    const { id } = await pay()
    const note = (by: Browser, text: string) => ask<Act>(`/v1/payments/${id}/notes`, by, { json: { text } })
    const asked = [
      await note(withKey('k1'), 'Called.'),
      await note(withKey('k1'), 'Called again.'),
      await note(withKey('k1', owner), 'Called.'),
      await note(withKey('k2'), 'Called.'),
      await note(operator, 'Called.'),
      await note(operator, 'Called.'),
    ]
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 201))
    expect(new Set(asked.map(({ body }) => body.id)).size).toBe(6)
    expect((await note(withKey('k 1'), 'Called.')).body).toMatchObject({ code: 'idempotency_key_invalid' })
    const decide = (key: string, outcome: string) =>
      ask(`/v1/payments/${id}/decision`, withKey(key), { json: { outcome, reason: 'Seen.', by: 'x' } })
    // A refusal is no act that was done: it is tried again.
    for (const _ of [1, 2]) expect((await decide('k3', 'failed')).body.code).toBe('decision_not_open')
    expect(await recorded('decision')).toMatchObject([{ result: 'decision_not_open' }])
    const terms = { amount: 2500, currency: 'KES', country: 'KE', description: 'Solar lamp' }
    for (const json of [terms, { ...terms, amount: 900 }]) await ask('/v1/links', withKey('k1'), { json })
    expect((await ask<LinkList>('/v1/links', operator)).body.links.map(({ state }) => state)).toEqual(['open', 'open'])
  })

  it('answers as it was where a crash came before the record of its end', async () => {
    const review = depositRecord({ phase: 'review', reviewReason: 'query_amount', createdAt: system.now() })
    await system.store.apply(creation(review))
    const { desk } = system.store
    const endAct = vi.spyOn(desk!, 'endAct').mockRejectedValueOnce(new Error('gone'))
    const json = { outcome: 'failed', reason: 'Not in the portal.', by: 'the.operator' }
    const decide = () => ask<PaymentView>(`/v1/payments/${review.id}/decision`, withKey('k1'), { json })
    expect((await decide()).status).toBe(500)
    endAct.mockRestore()
    expect(await decide()).toMatchObject({ status: 200, body: { phase: 'failed' } })
    expect(await recorded('decision')).toHaveLength(1)
  })
})

describe('exports and the record', () => {
  it('are taken by an operator, and by name; formulas stay text', async () => {
    const payer = { name: '=HYPERLINK("http://evil.example")', phone: '0712345678' }
    const { id } = await pay({ payer, clientReference: '@SUM(A1)' })
    await owedPayment({ payer: { name: '+cmd|calc' } })
    const payments = (await ask<string>('/v1/payments.csv?search=hyperlink', operator)).body
    expect(payments).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    expect(payments).toContain(`,'@SUM(A1),`)
    expect(payments.trim().split('\r\n')).toHaveLength(2)
    const owed = (await ask<string>('/v1/owed.csv', operator)).body
    expect(owed.split('\r\n')[1]).toContain(`,'+cmd|calc,`)
    await ask(`/v1/payments/${id}/notes`, operator, { json: { text: '-2+3' } })
    const acts = (await ask<string>('/v1/acts.csv', owner)).body
    expect(acts).toContain(`,${id},'-2+3,,done`)
    expect(acts).toMatch(/the\.operator,operator,export,,,payments\.csv \?search=…,done/)
    for (const path of ['/v1/acts', '/v1/acts.csv']) expect((await ask(path, operator)).body.code).toBe('role_too_low')
    for (const path of ['/v1/owed.csv', '/v1/payments.csv'])
      expect((await ask(path, viewer)).body.code).toBe('role_too_low')
  })

  it('open in a spreadsheet: with the mark of UTF-8, and each time in UTC and in the zone of the shop', async () => {
    const id = await owedPayment({ payer: { name: 'አበበ Äbebe' }, createdAt: Date.UTC(2026, 10, 28, 21, 30, 5, 123) })
    await ask(`/v1/payments/${id}/notes`, operator, { json: { text: 'Called' } })
    const by = { authorization: `Bearer ${keys.merchantKey}` }
    for (const [path, column] of [
      ['/v1/payments.csv', 'created_at'],
      ['/v1/owed.csv', 'created_at'],
      ['/v1/acts.csv', 'at'],
    ] as const) {
      const read = async (query: string, headers: Record<string, string>) => {
        const { companion } = system
        const answer = await companion.app.request(`${COMPANION_URL}${path}${query}`, { headers })
        expect(answer.status, path).toBe(200)
        return Buffer.from(await answer.arrayBuffer())
      }
      const people = await read('?format=spreadsheet', owner)
      expect(people.subarray(0, 3), path).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
      const [head = '', ...lines] = people.subarray(3).toString().trimEnd().split('\r\n')
      const names = head.split(',')
      const at = names.indexOf(column)
      expect(names[at + 1]).toBe(`${column} (Africa/Nairobi)`)
      if (column === 'created_at') {
        expect(lines[0]).toContain(',2026-11-28T21:30:05.123Z,2026-11-29 00:30:05,')
        expect(lines[0]).toContain(',አበበ Äbebe,')
      }
      for (const line of lines) expect(line.split(',').length, path).toBe(names.length)
      // A program reads the names of the columns as they were.
      for (const plain of [await read('', by), await read('', owner)]) {
        expect(plain[0], path).toBeLessThan(0x80)
        expect(plain.toString()).not.toContain('Nairobi')
      }
    }
    const acts = (await ask<string>('/v1/acts.csv', owner)).body
    expect(acts).toContain(',export,,,payments.csv,done')
    expect((await ask('/v1/payments.csv?format=xlsx', owner)).body.code).toBe('invalid_request')
  })

  it('of many acts come page by page, and of one person alone', async () => {
    const { id } = await pay()
    for (let n = 0; n < 5; n++) {
      await system.advance(1)
      await ask(`/v1/payments/${id}/notes`, n % 2 ? owner : operator, { json: { text: `${n}` } })
    }
    const first = (await ask<ActList>('/v1/acts?limit=3', owner)).body
    const second = (await ask<ActList>(`/v1/acts?limit=2&cursor=${first.nextCursor}`, owner)).body
    expect([...first.acts, ...second.acts].map(({ why }) => why)).toEqual(['4', '3', '2', '1', '0'])
    const own = (await ask<ActList>('/v1/acts?by=the.owner&fromDay=2026-11-21', owner)).body.acts
    expect(own.map(({ act }) => act)).toEqual(['note', 'note', 'sign_in'])
    expect((await ask<ActList>('/v1/acts?fromDay=2026-11-22', owner)).body.acts).toEqual([])
  })
})

it('no door of an operator opens to a viewer, and none at all without a sign-in', async () => {
  const { id } = await pay()
  const doors = [
    ['POST', `/v1/payments/${id}/notes`],
    ['POST', `/v1/payments/${id}/paid-back`],
    ['POST', '/v1/links'],
    ['POST', '/v1/links/ses_1/close'],
    ['GET', '/v1/owed.csv'],
  ] as const
  for (const [method, path] of doors) {
    expect((await ask(path, viewer, { method })).body.code).toBe('role_too_low')
    expect((await askOf(system, path, { method })).body.code).toBe('sign_in_missing')
    expect((await ask(path, { ...operator, 'x-hc-csrf': '' }, { method: 'POST' })).body.code).not.toBeUndefined()
  }
  for (const path of ['/v1/owed', '/v1/links', '/v1/acts', '/v1/payments/events'])
    expect((await askOf(system, path)).body.code).toBe('sign_in_missing')
})

it('the hashes of the passwords are blanked in log and alerts', () => {
  const { consoleUsers } = system.settings
  expect(consoleUsers.length).toBeGreaterThan(2)
  const secrets = secretsOf(system.settings)
  expect(secrets).not.toContain('[object Object]')
  for (const { hash } of consoleUsers) expect(secrets).toContain(hash)
})
