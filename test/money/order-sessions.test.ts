// Sessions by order: asked for again, an order is answered with the session that it has, and nobody
// pays an order twice by two links.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CreatedDeposit, CreatedSession, SessionDetail } from '../../server/contract/index.ts'
import type { DepositPhase } from '../../server/contract/index.ts'
import { createCompanion } from '../../server/companion.ts'
import { openStore } from '../../server/store/open.ts'
import { depositRecord } from '../helpers/deposit-record.ts'
import { phoneOf, SCENARIOS } from '../../demo/sandbox/engine/scenarios.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import { COMPANION_URL, createTestSystem, keys, pay, testSettings } from '../helpers/create-test-system.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'

let system: TestSystem
beforeEach(async () => {
  system = await createTestSystem({ agent: false })
})
afterEach(() => system.close())

const order = { amount: 2500, currency: 'KES', orderId: 'NURU-7', description: 'Solar lamp' }

type Answered = CreatedSession & { readonly status: number; readonly code?: string }

async function ask(changes: Record<string, unknown> = {}, key?: string): Promise<Answered> {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const answer = await system.backend('/v1/sessions', {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...order, ...changes }),
  })
  return { ...((await answer.json()) as CreatedSession), status: answer.status }
}

async function payIn(session: string, changes: Record<string, unknown> = {}) {
  const answer = await pay(system, { session, bankCode: undefined, ...changes })
  return {
    ...((await answer.json()) as CreatedDeposit & { code?: string; retryAfter?: number }),
    status: answer.status,
  }
}

/** A payment of the order in this phase, in the session. */
async function put(session: CreatedSession, phase: DepositPhase): Promise<void> {
  const row = depositRecord({
    sessionId: session.id,
    orderId: order.orderId,
    amount: 2500,
    phase,
    dueAt: system.now() + DAY * 1000,
  })
  const startIn = await system.store.session(session.id)
  const applied = await system.store.apply({
    deposit: { row, expect: 'new' },
    startIn,
  })
  expect(applied).toEqual({ applied: true })
}

const PAYABLE = ['creating', 'unknown', 'open', 'confirming', 'abandoned', 'review'] as const
const OVER = ['failed', 'expired', 'rejected'] as const
const DAY = 86_400

describe('the same terms', () => {
  it('get the same session, with the first description, payer and metadata', async () => {
    const first = await ask({ payer: { name: 'Achieng Otieno' }, metadata: { cart: 1 } })
    expect(first).toMatchObject({ status: 201, state: 'open' })
    const again = await ask({
      description: 'Another',
      payer: { name: 'Mallory' },
      metadata: { cart: 2 },
      country: 'KE',
    })
    expect(again).toEqual({ ...first, status: 200 })
    expect(await system.store.session(first.id)).toMatchObject({
      description: 'Solar lamp',
      payer: { name: 'Achieng Otieno' },
      metadata: { cart: 1 },
    })
  })

  it.each(PAYABLE)('get the session whose payment is %s, also after its end', async (phase) => {
    const first = await ask({ expiresIn: 60 })
    await put(first, phase)
    await system.advance(61)
    expect(await ask()).toEqual({ ...first, status: 200, state: 'pending' })
  })

  it.each(OVER)('get a new session after the end of one whose payment is %s', async (phase) => {
    const first = await ask({ expiresIn: 1 })
    await put(first, phase)
    expect(await ask()).toEqual({ ...first, status: 200 })
    await system.advance(2)
    const second = await ask()
    expect(second).toMatchObject({ status: 201, state: 'open' })
    expect(second.id).not.toBe(first.id)
    expect(await payIn(first.token)).toMatchObject({ status: 410, code: 'session_closed' })
  })

  it('get the session of a paid order for good', async () => {
    const first = await ask({ expiresIn: 1 })
    await put(first, 'succeeded')
    await system.advance(2)
    expect(await ask()).toEqual({ ...first, status: 200, state: 'paid' })
    expect(await payIn(first.token)).toMatchObject({ status: 409, code: 'session_paid' })
  })

  it('get another session once the first takes no more attempts', async () => {
    const first = await ask()
    for (let n = 0; n < 20; n++) await put(first, 'failed')
    expect(await payIn(first.token)).toMatchObject({ status: 410, code: 'attempts_used_up' })
    expect(await ask()).toMatchObject({ status: 201 })
  })
})

describe('other terms', () => {
  it.each(PAYABLE)('are refused while a payment is %s', async (phase) => {
    const first = await ask()
    await put(first, phase)
    expect(await ask({ amount: 2600 })).toMatchObject({ status: 409, code: 'order_in_progress' })
    expect(await ask({ currency: 'UGX', amount: 9000 })).toMatchObject({ status: 409, code: 'order_in_progress' })
    expect((await system.store.session(first.id))?.closedAt).toBeUndefined()
  })

  it('are refused once the order is paid, in whatever session', async () => {
    const first = await ask()
    await put(first, 'failed')
    const second = await ask({ amount: 2600 })
    await system.store.apply({
      deposit: {
        row: depositRecord({ sessionId: first.id, orderId: order.orderId, phase: 'succeeded' }),
        expect: 'new',
      },
    })
    expect(await ask({ amount: 2700 })).toMatchObject({ status: 409, code: 'order_paid' })
    expect(await payIn(second.token, { amount: 2600 })).toMatchObject({ status: 409, code: 'session_paid' })
    const view = await system.browser('/v1/session', { headers: { authorization: `Bearer ${second.token}` } })
    expect(await view.json()).toMatchObject({ code: 'session_paid' })
  })

  it.each([undefined, ...OVER])('close the session whose payment is %s', async (phase) => {
    const first = await ask()
    if (phase !== undefined) await put(first, phase)
    const second = await ask({ amount: 2600 })
    expect(second).toMatchObject({ status: 201, state: 'open' })
    expect(await payIn(first.token)).toMatchObject({ status: 410, code: 'session_closed' })
    expect(await payIn(second.token, { amount: 2600 })).toMatchObject({ status: 201 })
    const page = await system.companion.app.request(first.payUrl)
    expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('This payment link is closed')])
  })

  it('meet an attempt that is started at the same moment: one of the two is written', async () => {
    const first = await ask()
    const [second, deposit] = await Promise.all([ask({ amount: 2600 }), payIn(first.token)])
    expect([second.code ?? second.status, deposit.code ?? deposit.status]).toBeOneOf([
      [201, 'session_closed'],
      ['order_in_progress', 201],
    ] as never)
  })
})

describe('an Idempotency-Key', () => {
  it('has one body, and the same answer for it', async () => {
    const first = await ask({}, 'order-7')
    expect(await ask({}, 'order-7')).toEqual(first)
    expect(await ask({ description: 'Another' }, 'order-7')).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    })
    const found = await ask({}, 'order-7-again')
    expect(found).toEqual({ ...first, status: 200 })
    expect(await ask({}, 'order-7-again')).toEqual(found)
    expect(await ask({}, 'with a space')).toMatchObject({ status: 400, code: 'idempotency_key_invalid' })
  })

  it('names the session that it made, also after another took its place', async () => {
    const first = await ask({}, 'one')
    await ask({ amount: 2600 }, 'two')
    expect(await ask({}, 'one')).toEqual({ ...first, closed: true })
  })
})

it('a second success of an order is a duplicate, in whatever session', async () => {
  const payerOf = (name: string) => ({
    payer: { name: 'Achieng Otieno', phone: phoneOf(SCENARIOS.find((scenario) => scenario.name === name)!) },
  })
  const first = await ask()
  const one = await payIn(first.token, payerOf('success-after-expiry'))
  await system.advance(3)
  expect((await system.store.deposit(one.id))?.phase).toBe('failed')
  const second = await ask({ amount: 2600 })
  const two = await payIn(second.token, { amount: 2600, ...payerOf('success') })
  await system.advance(60)
  // Either may be proven first.
  const told = system.notices.map(({ body }) => body).filter(({ type }) => type !== 'payment.failed')
  expect(told.map(({ type }) => type).toSorted()).toEqual(['payment.duplicate', 'payment.succeeded'])
  expect(new Set(told.map(({ data }) => data.paymentId))).toEqual(new Set([one.id, two.id]))
  expect(told.map(({ data }) => data.orderId)).toEqual([order.orderId, order.orderId])
})

it('the merchant reads a session, and nobody else does', async () => {
  const { status: _, ...session } = await ask({ metadata: { cart: 1 }, payer: { name: 'Achieng Otieno' } })
  const read = async () => (await (await system.backend(`/v1/sessions/${session.id}`)).json()) as SessionDetail
  expect(await read()).toEqual({
    ...session,
    ...order,
    metadata: { cart: 1 },
    createdAt: new Date(system.now()).toISOString(),
    attempts: 0,
  })
  await payIn(session.token)
  expect(await read()).toMatchObject({ state: 'pending', attempts: 1 })
  expect((await system.backend('/v1/sessions/ses_none')).status).toBe(404)
  const headers = { authorization: `Bearer ${session.token}` }
  expect((await system.browser(`/v1/sessions/${session.id}`, { headers })).status).toBe(401)
})

const postgres = await postgresMissing()

describe.each(['SQLite', 'PostgreSQL'])('on %s', (database) => {
  it.skipIf(database === 'PostgreSQL' && postgres)(
    'fifty requests at once to two companions make one session',
    async () => {
      const server = database === 'PostgreSQL' ? await startPostgres() : undefined
      const url = (await server?.freshDatabase()) ?? 'file::memory:'
      const stores = [await openStore(url)]
      if (server !== undefined) stores.push(await openStore(url))
      const settings = { ...testSettings(), databaseUrl: url }
      const companions = [0, 1].map((n) => createCompanion({ settings, store: stores[n] ?? stores[0]! }))
      try {
        const answers = await Promise.all(
          Array.from({ length: 50 }, async (_, n) =>
            companions[n % 2]!.app.request(`${COMPANION_URL}/v1/sessions`, {
              method: 'POST',
              headers: { authorization: `Bearer ${keys.merchantKey}`, 'content-type': 'application/json' },
              body: JSON.stringify({ ...order, description: `Request ${n}` }),
            }),
          ),
        )
        const sessions = await Promise.all(answers.map(async (answer) => (await answer.json()) as CreatedSession))
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
        expect(new Set(sessions.map(({ id, token, payUrl }) => `${id} ${token} ${payUrl}`)).size).toBe(1)
      } finally {
        for (const companion of companions) await companion.close()
        for (const store of stores) await store.close()
        await server?.stop()
      }
    },
  )
})
