// The client against a real companion and sandbox: sessions, payments, what is tried again, and
// what an error says.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { CheckoutError, createClient } from '../../server/client/index.ts'
import { COMPANION_URL, keys } from '../helpers/create-test-system.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { order, shopBackend, type ShopBackend, type ShopOptions } from './shop-backend.ts'

let shop: ShopBackend
const open = async (options: ShopOptions = {}) => (shop = await shopBackend(options))
afterEach(() => shop.system.close())

async function failureOf(call: Promise<unknown>): Promise<CheckoutError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CheckoutError)) throw new Error(`It was no CheckoutError: ${inspect(error)}`)
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(keys.merchantKey)
  return error
}

describe('sessions', () => {
  it('one is made for an order, found again by its id, and the same one however often it is asked for', async () => {
    const { client } = await open()
    const session = await client.sessions.create({ ...order('A-1'), metadata: { basket: [1, 2] } })
    expect(session).toMatchObject({ state: 'open', payUrl: expect.stringContaining('/pay/') })
    const again = await client.sessions.create({ ...order('A-1'), metadata: { basket: [1, 2] } })
    expect(again.id).toBe(session.id)
    expect(await client.sessions.get(session.id)).toMatchObject({
      orderId: 'A-1',
      amount: 2500,
      metadata: { basket: [1, 2] },
      attempts: 0,
    })
  })

  it('a key of the shop’s own is sent as it is; by itself each call has a new one', async () => {
    const { client, sent } = await open()
    await client.sessions.create(order('A-1'), { idempotencyKey: 'A-1-once' })
    const other = await failureOf(client.sessions.create(order('A-2'), { idempotencyKey: 'A-1-once' }))
    expect(other.code).toBe('idempotency_key_reused')
    await client.sessions.create(order('A-3'))
    await client.sessions.create(order('A-3'))
    const given = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(given.slice(0, 2)).toEqual(['A-1-once', 'A-1-once'])
    expect(new Set(given).size).toBe(3)
  })
})

describe('the trace of a call', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

  it('is sent with it, and comes back with the notice of the payment', async () => {
    const told: (string | null)[] = []
    const { client, sent, system, pay } = await open({
      receive: async ({ headers }) => {
        told.push(headers.get('traceparent'))
        return new Response(null, { status: 204 })
      },
    })
    const { token } = await client.sessions.create(order('A-1'), { traceparent })
    const id = await pay(token)
    await system.advance(20)
    await client.payments.get(id, { traceparent })
    await client.desk.health({ traceparent })
    expect(sent.map(({ headers }) => headers.get('traceparent'))).toEqual([traceparent, traceparent, traceparent])
    expect(told).toEqual([traceparent])
  })

  it.each([undefined, null, '', 'x', `${traceparent}\nx-evil: 1`, '\u2028'])(
    '%j is none: the session is made without it',
    async (given) => {
      const { client, sent } = await open()
      expect(await client.sessions.create(order('A-1'), { traceparent: given })).toMatchObject({ state: 'open' })
      expect(sent.map(({ headers }) => headers.get('traceparent'))).toEqual([null])
    },
  )
})

describe('payments', () => {
  it('a paid order is found by its number, with its story and the notice that was sent', async () => {
    const { client, system, pay } = await open()
    const { token } = await client.sessions.create(order('A-1'))
    const id = await pay(token)
    await system.advance(20)
    const [found, ...others] = (await client.payments.page({ orderId: 'A-1' })).payments
    expect([found?.id, others]).toEqual([id, []])
    const detail = await client.payments.get(id)
    expect(detail).toMatchObject({ status: 'SUCCESS', notices: [{ type: 'payment.succeeded', state: 'delivered' }] })
    expect(detail.timeline.length).toBeGreaterThan(2)
    expect(await client.payments.get(detail.reference)).toEqual(detail)
  })

  it('the list goes through every page, newest first, and asks for no page before it is needed', async () => {
    const { client, sent, system, pay } = await open()
    for (let number = 1; number <= 5; number++) {
      const { token } = await client.sessions.create(order(`A-${number}`))
      await pay(token)
      await system.advance(1)
    }
    const before = sent.length
    const listed: string[] = []
    for await (const { orderId = '' } of client.payments.list({ limit: 2, currency: 'KES' })) listed.push(orderId)
    expect(listed).toEqual(['A-5', 'A-4', 'A-3', 'A-2', 'A-1'])
    expect(sent.length - before).toBe(3)
    for await (const { orderId } of client.payments.list({ limit: 2 })) if (orderId === 'A-4') break
    expect(sent.length - before).toBe(4)
  })

  it('a time may be a Date or a text', async () => {
    const { client, system, pay } = await open()
    const { token } = await client.sessions.create(order('A-1'))
    await pay(token)
    const now = system.now()
    expect(
      (await client.payments.page({ from: new Date(now - 1000), to: new Date(now + 1000) })).payments,
    ).toHaveLength(1)
    expect((await client.payments.page({ from: new Date(now + 1000).toISOString() })).payments).toEqual([])
  })

  it('refresh asks the service now, and resend sends the notices again', async () => {
    const { client, system, pay } = await open({ agent: false })
    const { token } = await client.sessions.create(order('A-1'))
    const id = await pay(token)
    const { data: transactions } = (await (await system.service('/console/api/transactions')).json()) as {
      data: { id: string }[]
    }
    await system.service(`/console/api/transactions/${transactions[0]?.id}/confirm`, { method: 'POST' })
    expect(await client.payments.refresh(id)).toMatchObject({ phase: 'succeeded' })
    await system.advance(2)
    expect(await client.payments.resend(id)).toBe(1)
    await system.advance(2)
    expect(system.notices.map(({ body }) => body.data.paymentId)).toEqual([id, id])
  })

  it('a review is decided once, in the name of a person', async () => {
    const { client, pay } = await open({
      agent: false,
      network: async (request, next) => {
        if (!request.url.endsWith('/status-query')) return next()
        const { reference } = (await request.clone().json()) as { reference: string }
        return Response.json({ success: true, message: '', data: { reference, status: 'SUCCESS', amount: '25' } })
      },
    })
    const { token } = await client.sessions.create(order('A-1'))
    const id = await pay(token)
    expect(await client.payments.refresh(id)).toMatchObject({ phase: 'review' })
    const decision = { outcome: 'succeeded', reason: 'The portal shows it.', by: 'Wanjiru' } as const
    expect(await client.payments.decide(id, decision)).toMatchObject({ phase: 'succeeded' })
    expect((await failureOf(client.payments.decide(id, decision))).code).toBe('decision_not_open')
  })
})

describe('an error', () => {
  it('names the field that does not fit, and says what to send', async () => {
    const { client } = await open()
    const error = await failureOf(client.sessions.create({ ...order('A-1'), payer: { phone: 'none' } }))
    expect(error).toMatchObject({ code: 'invalid_request', status: 422, field: 'payer.phone' })
    expect(error.message).toBe('payer.phone: Enter the phone number with digits only.')
    expect(error.requestId).toMatch(/./)
  })

  it('of a wrong key says which one belongs there', async () => {
    const { client } = await open({ client: { key: 'mk_wrong' } })
    const error = await failureOf(client.payments.get('dep_1'))
    expect(error).toMatchObject({ code: 'bearer_wrong', status: 401 })
    expect(error.message).toContain('HC_MERCHANT_KEY')
  })

  it.each([
    ['an order that is being paid with other terms', 'order_in_progress'],
    ['an unknown payment', 'not_found'],
  ])('of %s has the companion’s code', async (_what, code) => {
    const { client, pay } = await open({ agent: false })
    const { token } = await client.sessions.create(order('A-1'))
    await pay(token)
    const call = code === 'not_found' ? client.payments.get('dep_nobody') : client.sessions.create(order('A-1', 2600))
    expect((await failureOf(call)).code).toBe(code)
  })

  it('is not taken from a gateway, whose words say nothing of the call', async () => {
    const { client } = await open({
      between: async () => Response.json({ code: 'not_found', detail: 'x' }, { status: 404 }),
    })
    expect((await failureOf(client.sessions.get('ses_1'))).code).toBe('not_the_companion')
  })

  it('comes of an answer that is not the companion’s, also with 200', async () => {
    const { client } = await open({ between: async () => new Response('<h1>Welcome to the hotel</h1>') })
    expect((await failureOf(client.sessions.create(order('A-1')))).code).toBe('not_the_companion')
  })

  it('comes of a redirect, which would lead the key elsewhere', async () => {
    const elsewhere = Response.redirect('https://elsewhere.example/v1/payments/dep_1', 301)
    const { client, sent } = await open({ between: async () => elsewhere })
    const error = await failureOf(client.payments.get('dep_1'))
    expect(error.code).toBe('redirected')
    expect(error.message).toContain('https://elsewhere.example/')
    expect(sent).toHaveLength(1)
  })
})

it('a redirect is not followed: the key stays with the address that it was given for', async () => {
  await open()
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const error = await failureOf(
    createClient({ url: `http://127.0.0.1:${port}`, key: keys.merchantKey }).payments.page(),
  )
  server.close()
  expect([error.code, asked]).toEqual(['redirected', ['/v1/payments']])
})

describe('what is tried again', () => {
  const fails = (times: number, how: () => Response | Promise<Response>, after: 'before' | 'after' = 'after') => {
    let left = times
    return async (_request: Request, next: () => Promise<Response>) => {
      if (left-- <= 0) return next()
      if (after === 'after') await next()
      return how()
    }
  }
  const lost = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }))

  it('a session whose answers were lost is asked for with the same key, and made once', async () => {
    const { client, sent } = await open({ between: fails(2, lost) })
    const session = await client.sessions.create(order('A-1'))
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect(await Promise.all(sent.map((request) => request.json()))).toEqual(Array(3).fill(order('A-1')))
    expect(await client.sessions.get(session.id)).toMatchObject({ orderId: 'A-1' })
  })

  it('a connection that each runtime calls by another name, and a gateway that is busy', async () => {
    const odd = () => Promise.reject(Object.assign(new Error('Was there a typo?'), { code: 'ConnectionRefused' }))
    const { client } = await open({ between: fails(1, odd, 'before') })
    expect((await client.payments.page()).payments).toEqual([])
    await shop.system.close()
    const busy = await open({ between: fails(2, () => new Response('busy', { status: 502 }), 'before') })
    expect((await busy.client.payments.page()).payments).toEqual([])
  })

  it('an answer that never comes', async () => {
    const never = () => new Promise<Response>(() => {})
    const { client, sent } = await open({ between: fails(1, never, 'before'), client: { timeoutMs: 1_000 } })
    expect((await client.payments.page()).payments).toEqual([])
    expect(sent).toHaveLength(2)
  })

  it.each(['resend', 'decide'] as const)(
    'not %s, which could be done twice: the error says to look first',
    async (call) => {
      const { client, sent, pay } = await open({
        agent: false,
        between: async (request, next) => (/decision|notices/.test(request.url) ? lost() : next()),
      })
      const { token } = await client.sessions.create(order('A-1'))
      const id = await pay(token)
      const before = sent.length
      const made =
        call === 'resend'
          ? client.payments.resend(id)
          : client.payments.decide(id, { outcome: 'failed', reason: 'x', by: 'y' })
      const error = await failureOf(made)
      expect([error.code, sent.length - before]).toEqual(['network', 1])
      expect(error.message).toContain('It may have been done')
      expect(error.cause).toMatchObject({ message: 'fetch failed' })
    },
  )

  it('not a refusal, and not after a pause that is longer than a caller waits', async () => {
    const { client, sent } = await open({
      between: async () =>
        Response.json(
          { type: '/problems/rate_limited', code: 'rate_limited', detail: 'Wait 60 s.', retryAfter: 60 },
          { status: 429, headers: { 'retry-after': '60' } },
        ),
    })
    expect(await failureOf(client.payments.page())).toMatchObject({ code: 'rate_limited', retryAfter: 60 })
    expect(sent).toHaveLength(1)
  })

  it('not for a caller who has given up', async () => {
    const { client, sent } = await open({
      between: async (request) =>
        new Promise((_, reject) =>
          request.signal.addEventListener('abort', () => reject(request.signal.reason as Error)),
        ),
    })
    const gone = new AbortController()
    const call = client.payments.page({}, { signal: gone.signal })
    setImmediate(() => gone.abort(new Error('the customer has left')))
    await expect(call).rejects.toThrow('the customer has left')
    expect(sent).toHaveLength(1)
  })
})

describe('the address', () => {
  it('may have a path, where the companion is mounted in another server', async () => {
    await open()
    const asked: string[] = []
    const client = createClient({
      url: 'https://shop.example/payments/',
      key: keys.merchantKey,
      fetch: async (input) => {
        asked.push((input as Request).url)
        return Response.json({ payments: [] })
      },
    })
    await client.payments.page({ orderId: 'Nº 1&2' })
    expect(asked).toEqual(['https://shop.example/payments/v1/payments?orderId=N%C2%BA+1%262'])
  })

  it.each([
    [{ url: '', key: 'k' }, /url/],
    [{ url: 'pay.shop.example', key: 'k' }, /url/],
    [{ url: COMPANION_URL, key: '' }, /key/],
    [{ url: COMPANION_URL, key: 'a\nb' }, /key/],
    [{ url: COMPANION_URL, key: undefined }, /HC_MERCHANT_KEY/],
  ])('or key that cannot be right stops the shop at its start: %j', async (options, says) => {
    await open()
    expect(() => createClient(options)).toThrow(says)
  })

  it('an empty id asks for nothing', async () => {
    const { client, sent } = await open()
    await expect(client.payments.get('')).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })
})

describe('the desk', () => {
  it('makes a payment link, finds it again, and lists what is owed and what was done', async () => {
    const { client, system } = await open()
    const link = await client.desk.links.create({ amount: 2500, currency: 'KES', description: 'Lamp', language: 'fr' })
    expect(link.message).toBe(`Merci de payer KES 2 500 pour Lamp : ${link.payUrl}`)
    expect(await client.desk.links.get(link.id)).toMatchObject({ state: 'open', by: 'merchant key' })
    expect((await client.desk.links.page({ limit: 1 })).links).toMatchObject([{ id: link.id }])
    expect(await client.desk.links.close(link.id, 'Another was sent.')).toMatchObject({
      state: 'closed',
      closed: { by: 'merchant key', why: 'Another was sent.' },
    })
    const row = depositRecord({ phase: 'succeeded', duplicate: true, createdAt: system.now(), settledAt: system.now() })
    await system.store.apply(creation(row))
    expect((await client.desk.owed.page()).owed).toMatchObject([{ kind: 'duplicate', payment: { id: row.id } }])
    await client.desk.note(row.id, 'Paid twice.')
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: system.settings.timeZone }).format(system.now())
    const how = { on: today, amount: 1500, how: 'cash' }
    expect(await client.desk.owed.paidBack(row.id, how)).toMatchObject({ paidBack: { by: 'merchant key' } })
    expect((await failureOf(client.desk.owed.paidBack(row.id, how))).code).toBe('already_paid_back')
    expect((await client.desk.owed.page({ state: 'paid_back' })).owed).toHaveLength(1)
    const { acts } = await client.desk.acts({ fromDay: '2026-11-21', by: 'merchant key' })
    expect(acts.map(({ act, result }) => `${act} ${result}`).toSorted()).toEqual([
      'close_link done',
      'link done',
      'note done',
      'paid_back already_paid_back',
      'paid_back done',
    ])
    expect((await client.desk.figures({ country: 'KE' })).hours).toMatchObject([{ started: 1, volume: 1500 }])
    expect(await client.desk.health()).toMatchObject({ takesPayments: true })
  })

  it('lists a search to its end, in the way that its first page was understood', async () => {
    const { client, system, sent } = await open()
    for (let n = 0; n < 3; n++)
      await system.store.apply(creation(depositRecord({ orderId: `A-${n}`, createdAt: system.now() })))
    const found: string[] = []
    for await (const { orderId } of client.payments.list({ search: 'A-', limit: 1 })) found.push(orderId ?? '')
    expect(found).toEqual(['A-2', 'A-1', 'A-0'])
    expect(sent.map(({ url }) => new URL(url).searchParams.get('by'))).toEqual([null, 'order', 'order'])
  })
})
