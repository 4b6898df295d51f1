// Both journeys of a deposit in one process: out to the service, and its result back. Read this
// first.
import { afterEach, describe, expect, it } from 'vitest'
import type { CreatedDeposit, DepositView, PaymentDetail } from '../server/contract/index.ts'
import { createTestSystem, kenyanDeposit, newKey } from './helpers/create-test-system.ts'
import type { TestSystem, TestSystemOptions } from './helpers/create-test-system.ts'

let system: TestSystem
const open = async (options: TestSystemOptions = {}) => (system = await createTestSystem(options))
afterEach(() => system.close())

async function create(
  body: Record<string, unknown> = kenyanDeposit(),
  key = newKey(),
): Promise<{ response: Response; deposit: CreatedDeposit }> {
  const response = await system.browser('/v1/deposits', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'idempotency-key': key },
  })
  return { response, deposit: (await response.clone().json()) as CreatedDeposit }
}

async function status(deposit: CreatedDeposit): Promise<DepositView> {
  const response = await system.browser(`/v1/deposits/${deposit.id}`, {
    headers: { authorization: `Bearer ${deposit.token}` },
  })
  expect(response.status).toBe(200)
  return (await response.json()) as DepositView
}

/** Reads a status stream until it ends; the promise resolves with all views in order. */
async function listen(deposit: CreatedDeposit): Promise<{ views: Promise<DepositView[]> }> {
  const response = await system.browser(`/v1/deposits/${deposit.id}/events`, {
    headers: { authorization: `Bearer ${deposit.token}` },
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  return {
    views: response.text().then((text) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => JSON.parse(line.slice(6)) as DepositView),
    ),
  }
}

const scenario = (number: string) => kenyanDeposit({ payer: { name: 'Achieng Otieno', phone: `2547000000${number}` } })

describe('the way out', () => {
  it('a deposit is created with our own reference and an address to pay at', async () => {
    await open()
    const { response, deposit } = await create()
    expect(response.status).toBe(201)
    expect(deposit).toMatchObject({
      phase: 'open',
      status: 'PENDING',
      mode: 'test',
      amount: 2500,
      currency: 'KES',
      country: 'KE',
      bank: { code: '01', name: 'Kenya Commercial Bank Limited' },
    })
    expect(deposit.reference).toMatch(/^HCT[0-9A-HJKMNP-TV-Z]{21}$/)
    expect(deposit.checkoutUrl).toMatch(/^http:\/\/127\.0\.0\.1:8788\/checkout\//)
    expect(deposit.payer).toEqual({ name: 'A••• O•••', phone: '•••678' })
    const page = await system.service(new URL(deposit.checkoutUrl ?? '').pathname)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('2,500')
  })
})

describe('the way back', () => {
  it('the shop page hears of success from the stream, and the shop backend is told once', async () => {
    await open()
    const { deposit } = await create(scenario('01'))
    const { views } = await listen(deposit)
    await system.advance(20)
    const seen = await views
    expect(seen.at(-1)).toMatchObject({ phase: 'succeeded', status: 'SUCCESS' })
    expect(seen.map(({ version }) => version)).toEqual(seen.map(({ version }) => version).toSorted((a, b) => a - b))
    expect(seen.at(-1)?.checkoutUrl).toBeUndefined()
    const told = system.notices.map(({ body }) => body)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({
      type: 'payment.succeeded',
      data: {
        paymentId: deposit.id,
        reference: deposit.reference,
        amount: 2500,
        currency: 'KES',
        mode: 'test',
        late: false,
        duplicate: false,
      },
    })
  })

  it('a payment that the agent declines ends as failed, and nobody is credited', async () => {
    await open()
    const { deposit } = await create(scenario('02'))
    await system.advance(20)
    expect(await status(deposit)).toMatchObject({ phase: 'failed', status: 'FAILED', result: { code: '2001' } })
    expect(system.notices.map(({ body }) => body.type)).toEqual(['payment.failed'])
  })

  it('a callback that never comes is made up for by our own question', async () => {
    await open()
    const { deposit } = await create(scenario('09'))
    await system.advance(75)
    expect(await status(deposit)).toMatchObject({ phase: 'succeeded' })
    expect(system.notices.map(({ body }) => body.type)).toEqual(['payment.succeeded'])
  })

  it('a success that comes after the failure is still a success, and marked late', async () => {
    await open()
    const { deposit } = await create(scenario('13'))
    await system.advance(30)
    expect(await status(deposit)).toMatchObject({ phase: 'succeeded', late: true })
    expect(system.notices.map(({ body }) => [body.type, body.data.late])).toEqual([
      ['payment.failed', false],
      ['payment.succeeded', true],
    ])
  })

  it('forged and re-cut callbacks move nothing', async () => {
    await open()
    const { deposit } = await create(scenario('12'))
    await system.advance(30)
    expect(await status(deposit)).toMatchObject({ phase: 'failed', status: 'FAILED' })
    expect(system.notices.map(({ body }) => body.type)).toEqual(['payment.failed'])
  })

  it('without a locked order the service ends the session after 15 minutes, and only then the payment is expired', async () => {
    await open({ agent: false })
    const { deposit } = await create()
    await system.advance(14 * 60)
    expect(await status(deposit)).toMatchObject({ phase: 'open' })
    await system.advance(3 * 60)
    expect(await status(deposit)).toMatchObject({ phase: 'expired', status: 'FAILED' })
    expect(system.notices.map(({ body }) => body.type)).toEqual(['payment.expired'])
  })
})

describe('sessions', () => {
  it('lock the amount, and a paid session is not paid again', async () => {
    await open()
    const made = await system.backend('/v1/sessions', {
      method: 'POST',
      body: JSON.stringify({
        amount: 4900,
        currency: 'KES',
        country: 'KE',
        orderId: 'A-7',
        description: 'Solar lamp',
        metadata: { cart: '77' },
      }),
    })
    expect(made.status).toBe(201)
    const session = (await made.json()) as { id: string; token: string; payUrl: string }
    const wrong = await create(kenyanDeposit({ session: session.token, amount: 1 }))
    expect(wrong.response.status).toBe(422)
    expect(await wrong.response.json()).toMatchObject({ code: 'session_conflict', issues: [{ path: 'amount' }] })

    const { deposit } = await create({ ...scenario('01'), session: session.token, amount: 4900 })
    const again = await create({ ...scenario('01'), session: session.token, amount: 4900 })
    expect(again.deposit.id).toBe(deposit.id)
    await system.advance(15)
    expect(system.notices[0]?.body).toMatchObject({
      type: 'payment.succeeded',
      data: { sessionId: session.id, orderId: 'A-7', metadata: { cart: '77' } },
    })
    const paid = await create({ ...scenario('01'), session: session.token, amount: 4900 })
    expect(await paid.response.json()).toMatchObject({ code: 'session_paid' })
  })

  it('whose first attempt is paid after all lead nobody to pay the second one as well', async () => {
    await open({ agent: false })
    const made = await system.backend('/v1/sessions', {
      method: 'POST',
      body: JSON.stringify({ amount: 4900, currency: 'KES', orderId: 'A-8', description: 'Solar lamp' }),
    })
    const { token } = (await made.json()) as { token: string }
    const order = kenyanDeposit({ session: token, amount: 4900 })
    const { deposit: first } = await create(order)
    const { deposit: second } = await create({ ...order, replaces: first.id })
    await system.advance(65)
    expect(await status(second)).toMatchObject({ phase: 'open', checkoutUrl: second.checkoutUrl })
    const listed = await system.service('/console/api/transactions')
    const { data } = (await listed.json()) as { data: { id: string; reference: string }[] }
    const id = data.find(({ reference }) => reference === first.reference)?.id
    expect((await system.service(`/console/api/transactions/${id}/confirm`, { method: 'POST' })).status).toBe(200)
    await system.advance(65)
    expect(await status(first)).toMatchObject({ phase: 'succeeded', late: true })
    const given = await status(second)
    expect(given).toMatchObject({ phase: 'abandoned', result: { code: 'order_paid' } })
    expect(given.checkoutUrl).toBeUndefined()
    expect(system.notices.map(({ body }) => body.type)).toEqual(['payment.succeeded'])
  })

  it('say that they have expired before a form is filled in for them, but still lead to a payment under way', async () => {
    await open({ agent: false })
    const made = async (orderId: string): Promise<{ token: string }> => {
      const body = { amount: 4900, currency: 'KES', orderId, description: 'Solar lamp', expiresIn: 60 }
      return (await system.backend('/v1/sessions', { method: 'POST', body: JSON.stringify(body) })).json() as never
    }
    const read = ({ token }: { token: string }) =>
      system.browser('/v1/session', { headers: { authorization: `Bearer ${token}` } })
    const [unused, used] = [await made('A-9'), await made('A-10')]
    const { deposit } = await create(kenyanDeposit({ session: used.token, amount: 4900 }))
    expect((await read(unused)).status).toBe(200)
    await system.advance(60)
    const refusal = await read(unused)
    expect(refusal.status).toBe(410)
    expect(await refusal.json()).toMatchObject({ code: 'session_expired' })
    expect(await (await read(used)).json()).toMatchObject({ deposit: { id: deposit.id } })
  })
})

describe('the merchant backend', () => {
  it('sees the payment whole, with its timeline and what the callback reported', async () => {
    await open()
    const { deposit } = await create(scenario('01'))
    await system.advance(15)
    const response = await system.backend(`/v1/payments/${deposit.id}`)
    const payment = (await response.json()) as PaymentDetail
    expect(payment).toMatchObject({
      phase: 'succeeded',
      payer: { name: 'Achieng Otieno', phone: '254700000001' },
      notices: [{ type: 'payment.succeeded', state: 'delivered' }],
    })
    expect(payment.timeline.map(({ kind }) => kind)).toEqual(['started', 'created', 'callback', 'query_success'])
    expect(payment.reported.fees).toMatch(/^\d+/)
  })
})
