// What a session is made of, field by field, what it is answered with, and which terms are refused:
// against the store in memory.
import { describe, expect, it, vi } from 'vitest'
import type { CreateSession } from '../../server/contract/index.ts'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { createSessions, sessionRequired } from '../../server/deposits/merchant/sessions.ts'
import type { Settings } from '../../server/settings/settings.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { COMPANION_URL, keys, testSettings } from '../helpers/create-test-system.ts'
import { creation, depositRecord, sessionRecord, START } from '../helpers/deposit-record.ts'
import { memoryStore } from '../helpers/memory-store.ts'
import { quietTools } from '../helpers/quiet-tools.ts'

const DAY = 86_400_000
const base = testSettings()
const capabilities = createCapabilities(keys.secret)
const order = { amount: 2500, currency: 'KES', orderId: 'NURU-7', description: 'Solar lamp' } as const
const ISO = (ms: number) => new Date(ms).toISOString()
/** As a column holds it: without what is undefined. */
const asKept = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function world(changes: Partial<Settings> = {}, over: Partial<Store> = {}) {
  let clock = START
  const store: Store = { ...memoryStore(), ...over }
  const sessions = createSessions(quietTools({ store, now: () => clock }), {
    settings: { ...base, ...changes },
    capabilities,
  })
  const stored = async (body: CreateSession) => {
    const { session } = await sessions.create(body)
    return (await store.session(session.id))!
  }
  const refusal = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => 'taken',
      ({ code, detail, issues, retryAfter }: Record<string, unknown>) => ({ code, detail, issues, retryAfter }),
    )
  return { store, sessions, stored, refusal, pass: (ms: number) => void (clock += ms) }
}

describe('a session', () => {
  it('has what the backend has sent, and the defaults, and nothing else', async () => {
    const { stored } = world()
    const id = expect.stringMatching(/^ses_[0-9a-z]{26}$/) as string
    const fixed = { id, generation: 1, mode: 'test', createdAt: START }
    expect(asKept(await stored(order))).toEqual({ ...fixed, ...order, metadata: {}, expiresAt: START + DAY })
    const more = { ...order, orderId: 'NURU-8', country: 'KE', metadata: { cart: 'A-17' } } as const
    expect(asKept(await stored({ ...more, expiresIn: 60, payer: { name: 'Achieng' } }))).toEqual({
      ...fixed,
      ...more,
      payer: { name: 'Achieng' },
      expiresAt: START + 60_000,
    })
  })

  it('stores the payer in the form in which payments do', async () => {
    const { stored } = world()
    const phoneOf = async (changes: Partial<CreateSession>) => (await stored({ ...order, ...changes })).payer?.phone
    const payer = { phone: '0712 345 678' }
    // The currency of one country names it; of several, the number stays as its digits.
    expect(await phoneOf({ orderId: '1', payer })).toBe('254712345678')
    expect(await phoneOf({ orderId: '2', payer, currency: 'XOF' })).toBe('0712345678')
    expect(await phoneOf({ orderId: '3', payer: { phone: '٠٧ ١٢-٣٤ ٥٦' }, currency: 'XOF' })).toBe('07123456')
    // Too short for a number of any country: the customer is asked.
    expect(await phoneOf({ orderId: '6', payer: { phone: '٠٧ ١٢-٣٤' }, currency: 'XOF' })).toBeUndefined()
    expect(await phoneOf({ orderId: '7', payer: { phone: '٠٧ ١٢-٣٤ ٥' }, currency: 'XOF' })).toBe('0712345')
    expect(await phoneOf({ orderId: '4', payer, currency: 'XOF', country: 'SN' })).toBe('221712345678')
    expect(asKept((await stored({ ...order, orderId: '5', payer: { email: 'a@b.example' } })).payer)).toEqual({
      email: 'a@b.example',
    })
  })

  it('is answered with its token, its link and where the order stands', async () => {
    const { sessions, store } = world()
    const { session, isNew } = await sessions.create(order)
    expect(isNew).toBe(true)
    expect(session).toEqual({
      id: session.id,
      token: capabilities.sessionToken(session.id, 1),
      payUrl: `${COMPANION_URL}/pay/${capabilities.link({ kind: 'session', id: session.id }, 1)}`,
      expiresAt: ISO(START + DAY),
      state: 'open',
    })
    const write = vi.spyOn(store, 'apply')
    expect(await sessions.create({ ...order, description: 'Another' })).toEqual({ isNew: false, session })
    expect(write).not.toHaveBeenCalled()
    expect(await sessions.detail(session.id)).toEqual({
      ...session,
      ...order,
      metadata: {},
      createdAt: ISO(START),
      attempts: 0,
    })
    await store.apply(creation(depositRecord({ sessionId: session.id, orderId: order.orderId, amount: 2500 })))
    expect((await sessions.create(order)).session.state).toBe('pending')
    const elsewhere = await sessions.create({ ...order, orderId: 'NURU-8', country: 'KE' })
    expect(await sessions.detail(elsewhere.session.id)).toMatchObject({ country: 'KE' })
  })

  it('that is not there is not found, and a token that is none opens nothing', async () => {
    const { sessions, refusal } = world()
    expect(await refusal(sessions.detail('ses_0'))).toMatchObject({
      code: 'not_found',
      detail: 'There is no such session of this companion.',
    })
    const { session } = await sessions.create(order)
    expect((await sessions.byToken(session.token)).id).toBe(session.id)
    for (const token of [
      '',
      `${session.id}.${'a'.repeat(43)}`,
      `${session.token}a`,
      `ses_${'0'.repeat(26)}.${'a'.repeat(43)}`,
    ])
      expect(await refusal(sessions.byToken(token))).toMatchObject({
        code: 'session_invalid',
        detail: expect.stringMatching(/^Give the whole token.*the earlier ones\.$/) as string,
      })
    // Made by this installation, in another database.
    const other = `ses_${'0'.repeat(26)}`
    expect(await refusal(sessions.byToken(capabilities.sessionToken(other, 1)))).toMatchObject({
      code: 'not_found',
      detail: expect.stringMatching(/is it another one, or restored from an older backup\?$/) as string,
    })
  })

  it('shows the browser what it locks, which details of the payer it has, and the payment', async () => {
    const { sessions, stored, store } = world()
    const session = await stored({ ...order, country: 'KE', payer: { phone: '0712345678' } })
    const { amount, currency, orderId, description } = order
    const { id } = session
    const shown = { id, amount, currency, country: 'KE', orderId, description, expiresAt: ISO(START + DAY) }
    const payer = { name: false, phone: true, email: false }
    expect(await sessions.view(session)).toEqual({ ...shown, payer })
    const plain = await stored({ ...order, orderId: 'NURU-8', payer: { name: 'Achieng', email: 'a@b.example' } })
    const view = await sessions.view(plain)
    expect(view.country).toBeUndefined()
    expect(view.payer).toEqual({ name: true, phone: false, email: true })
    const without = await sessions.view(await stored({ ...order, orderId: 'NURU-9' }))
    expect(without.payer).toEqual({ name: false, phone: false, email: false })
    const deposit = depositRecord({ sessionId: session.id, orderId, amount: 2500 })
    await store.apply(creation(deposit))
    expect(await sessions.view(session)).toEqual({
      ...shown,
      payer,
      deposit: { id: deposit.id, token: capabilities.depositToken(deposit.id, 1), createdAt: ISO(START) },
    })
  })

  it('shows the payment that is credited, although another is live', async () => {
    const { sessions, stored, store } = world()
    const session = await stored(order)
    const of = { sessionId: session.id, orderId: order.orderId, amount: 2500 }
    const paid = depositRecord({ ...of, phase: 'succeeded' })
    await store.apply(creation(paid))
    expect((await sessions.view(session)).deposit?.id).toBe(paid.id)
    await store.apply(creation(depositRecord(of)))
    expect((await sessions.view(session)).deposit?.id).toBe(paid.id)
  })
})

it('that a shop wants first is asked for in words that say how', () => {
  expect(sessionRequired()).toMatchObject({
    code: 'session_required',
    detail: expect.stringContaining('have the backend make one (POST /v1/sessions)') as string,
  })
})

describe('a session that takes no payment', () => {
  it('is one that has expired, at the moment of its end', async () => {
    const { sessions, stored, refusal, pass } = world()
    const session = await stored({ ...order, expiresIn: 60 })
    pass(59_999)
    expect(await sessions.isOpen(session)).toBe(true)
    await sessions.mustBeOpen(session)
    pass(1)
    expect(await sessions.isOpen(session)).toBe(false)
    const expired = { code: 'session_expired', detail: expect.stringContaining('Its expiresIn has passed') as string }
    expect(await refusal(sessions.mustBeOpen(session))).toMatchObject(expired)
    expect(await refusal(sessions.view(session))).toMatchObject(expired)
    expect((await sessions.create(order)).session.id).not.toBe(session.id)
  })

  it('is one whose terms others have replaced', async () => {
    const { sessions, stored, store, refusal } = world()
    const session = await stored(order)
    const other = await sessions.create({ ...order, amount: 3000 })
    expect(other.isNew).toBe(true)
    const closed = (await store.session(session.id))!
    expect(await sessions.isOpen(closed)).toBe(false)
    expect(await refusal(sessions.mustBeOpen(closed))).toMatchObject({
      code: 'session_closed',
      detail: expect.stringContaining('made a new one for the order') as string,
    })
    expect(await sessions.detail(session.id)).toMatchObject({ closed: true })
    expect(other.session.closed).toBeUndefined()
  })

  it('is one of an order that is paid, in whatever session', async () => {
    const { sessions, stored, store, refusal } = world()
    const session = await stored(order)
    await store.apply(creation(depositRecord({ orderId: order.orderId, amount: 2500, phase: 'succeeded' })))
    expect(await sessions.isOpen(session)).toBe(false)
    expect(await refusal(sessions.mustBeOpen(session))).toMatchObject({
      code: 'session_paid',
      detail: 'This order is already paid. There is nothing more to do.',
    })
  })

  it('is one of twenty attempts, in whose place the order gets another', async () => {
    for (const [starts, isUsed] of [
      [19, false],
      [20, true],
    ] as const) {
      const { sessions, store } = world()
      const session = sessionRecord({ ...order, mode: 'test', starts })
      await store.apply({ session })
      expect(await sessions.isOpen(session)).toBe(!isUsed)
      expect((await sessions.create(order)).isNew).toBe(isUsed)
    }
  })

  it('is one of the other mode: a shop that has tried an order in test mode goes live with it', async () => {
    for (const [mode, isOther] of [
      ['live', true],
      ['test', false],
      [undefined, false],
    ] as const) {
      const { sessions, store } = world()
      const session = sessionRecord({ ...order, ...(mode === undefined ? {} : { mode }) })
      await store.apply({ session })
      expect((await sessions.create(order)).isNew).toBe(isOther)
    }
  })
})

describe('terms', () => {
  const XOF = { ...order, currency: 'XOF', country: 'SN' } as const

  it('are the same where amount and currency are, and the country as far as it is named', async () => {
    const { sessions } = world()
    const first = await sessions.create(order)
    expect((await sessions.create({ ...order, country: 'KE' })).session.id).toBe(first.session.id)
    const shared = await sessions.create({ ...XOF, orderId: '2' })
    expect((await sessions.create({ ...XOF, orderId: '2' })).session.id).toBe(shared.session.id)
    for (const country of ['CI', undefined] as const) {
      const { country: _, ...rest } = XOF
      const changed = { ...rest, orderId: '2', ...(country === undefined ? {} : { country }) }
      expect((await sessions.create(changed)).isNew).toBe(true)
    }
  })

  it('are refused while a payment of others can be paid, and once it is, with the sum of those', async () => {
    for (const [phase, code, detail] of [
      [
        'open',
        'order_in_progress',
        /^A payment of 2500 KES for order NURU-7 can still be paid\. Wait for its end .* only if .* owes both amounts: /,
      ],
      ['succeeded', 'order_paid', /^Order NURU-7 is paid already, with 2500 KES\..*an orderId for each payment\.$/],
    ] as const) {
      const { sessions, stored, store, refusal } = world()
      const session = await stored(order)
      await store.apply(creation(depositRecord({ sessionId: session.id, orderId: order.orderId, amount: 2500, phase })))
      for (const changes of [{ amount: 2600 }, { currency: 'UGX', amount: 25_000 } as const])
        expect(await refusal(sessions.create({ ...order, ...changes }))).toMatchObject({
          code,
          detail: expect.stringMatching(detail) as string,
        })
    }
  })

  it('are those of the payment that decides, where a release before this one has made several sessions', async () => {
    const { sessions, store, refusal } = world()
    const closed = sessionRecord({ ...order, mode: 'test', closedAt: START })
    await store.apply({ session: closed })
    await store.apply(creation(depositRecord({ sessionId: closed.id, orderId: order.orderId, amount: 2500 })))
    expect(await sessions.create(order)).toMatchObject({ isNew: false, session: { id: closed.id, closed: true } })
    expect(await refusal(sessions.create({ ...order, amount: 1 + order.amount }))).toMatchObject({
      code: 'order_in_progress',
    })
    // A payment without a session names none.
    await store.apply(creation(depositRecord({ orderId: 'loose', amount: 2500 })))
    expect(await sessions.create({ ...order, orderId: 'loose' })).toMatchObject({ isNew: true })
  })

  it('have an amount within the limits, which the refusal names', async () => {
    const { min, max } = base.limits.KES
    const { sessions, refusal } = world()
    for (const [index, amount] of [min, max].entries())
      expect(await refusal(sessions.create({ ...order, orderId: String(index), amount }))).toBe('taken')
    for (const amount of [min - 1, max + 1])
      expect(await refusal(sessions.create({ ...order, amount }))).toEqual({
        code: 'amount_out_of_range',
        detail: `The amount must be from ${min} to ${max} KES (HC_LIMITS).`,
        issues: [
          {
            path: 'amount',
            code: 'amount_out_of_range',
            message: `Send an amount from ${min} to ${max} KES (HC_LIMITS).`,
            minimum: min,
            maximum: max,
          },
        ],
        retryAfter: undefined,
      })
  })

  it('have a currency that has a wallet, and is that of the country', async () => {
    const { KES: _, ...others } = base.wallets
    const lacking = world({ wallets: others })
    expect(await lacking.refusal(lacking.sessions.create(order))).toEqual({
      code: 'country_not_offered',
      detail: 'There is no wallet for KES: add it to HC_WALLETS.',
      issues: [
        {
          path: 'currency',
          code: 'currency_not_offered',
          message: 'There is no wallet for KES: add it to HC_WALLETS, or send a currency that has one.',
        },
      ],
      retryAfter: undefined,
    })
    const { sessions, refusal } = world()
    expect(await refusal(sessions.create({ ...order, country: 'UG' }))).toEqual({
      code: 'currency_mismatch',
      detail: 'The currency of UG is UGX.',
      issues: [
        {
          path: 'currency',
          code: 'currency_mismatch',
          message: 'The currency of this country is UGX: send that one.',
        },
      ],
      retryAfter: undefined,
    })
  })

  it('have texts that fit, counted in characters', async () => {
    const { sessions, refusal } = world({ maxName: 3, maxDescription: 4 })
    const fits = { payer: { name: '😀😀😀' }, description: '😀😀😀😀' }
    expect(await refusal(sessions.create({ ...order, ...fits }))).toBe('taken')
    const message = (most: number, setting: string) => `It is too long: send at most ${most} characters (${setting}).`
    for (const [path, changes, text] of [
      ['payer.name', { payer: { name: 'four' } }, message(3, 'HC_MAX_NAME')],
      ['description', { description: 'Lamps' }, message(4, 'HC_MAX_DESCRIPTION')],
    ] as const)
      expect(await refusal(sessions.create({ ...order, ...fits, ...changes }))).toEqual({
        code: 'invalid_request',
        detail: `${path}: ${text}`,
        issues: [{ path, code: 'too_big', message: text }],
        retryAfter: undefined,
      })
  })
})

describe('a session that is closed by hand', () => {
  it('is closed once, and not once it is paid', async () => {
    const { sessions, store, refusal } = world()
    const { session } = await sessions.create(order)
    const write = vi.spyOn(store, 'apply')
    await sessions.close(session.id)
    expect(write).toHaveBeenCalledOnce()
    expect((await store.session(session.id))?.closedAt).toBe(START)
    await sessions.close(session.id)
    expect(write).toHaveBeenCalledOnce()
    const { session: other } = await sessions.create({ ...order, orderId: 'NURU-8' })
    const paid = { sessionId: other.id, orderId: 'NURU-8', amount: 2500, phase: 'succeeded' } as const
    await store.apply(creation(depositRecord(paid)))
    expect(await refusal(sessions.close(other.id))).toMatchObject({
      code: 'order_paid',
      detail: 'It is paid already: there is nothing to close.',
    })
  })

  it('is not said to be closed while others change it again and again', async () => {
    const { sessions, store, refusal } = world()
    const { session } = await sessions.create(order)
    const write = vi.spyOn(store, 'apply').mockResolvedValue({ applied: false, conflict: 'version' })
    expect(await refusal(sessions.close(session.id))).toMatchObject({ code: 'store_unavailable', retryAfter: 1 })
    expect(write).toHaveBeenCalledTimes(60)
  })
})

describe('a key of a session', () => {
  it('gives the same answer to the same body, and none to another', async () => {
    const { sessions, store, refusal } = world()
    const write = vi.spyOn(store, 'apply')
    const first = await sessions.create(order, 'key-1')
    expect(write.mock.calls.map(([{ idempotency }]) => idempotency)).toEqual([
      {
        keyHash: expect.stringMatching(/^session /) as string,
        fingerprint: expect.any(String) as string,
        depositId: first.session.id,
        createdAt: START,
        answer: '201',
      },
    ])
    expect(await sessions.create(order, 'key-1')).toEqual(first)
    expect(await refusal(sessions.create({ ...order, description: 'Lamp' }, 'key-1'))).toMatchObject({
      code: 'idempotency_key_reused',
      detail: 'Use a new Idempotency-Key for another session.',
    })
    const found = await sessions.create(order, 'key-2')
    expect(found).toEqual({ isNew: false, session: first.session })
    expect(write.mock.lastCall?.[0].idempotency?.answer).toBe('200')
    expect((await store.session(first.session.id))?.closedAt).toBeUndefined()
    const read = vi.spyOn(store, 'idempotency')
    await sessions.create(order)
    expect(read).not.toHaveBeenCalled()
    // Others have taken the place of the session: its key still names it.
    await sessions.create({ ...order, amount: 3000 })
    expect(await sessions.create(order, 'key-2')).toMatchObject({ isNew: false, session: { id: first.session.id } })
  })

  it('whose session is not there any more is used up', async () => {
    const { store, sessions, refusal } = world({}, {})
    await sessions.create(order, 'key-1')
    const { session: _, ...rest } = store
    const without = createSessions(
      quietTools({ store: { ...rest, session: async () => undefined }, now: () => START }),
      { settings: base, capabilities },
    )
    expect(await refusal(without.create(order, 'key-1'))).toMatchObject({ code: 'idempotency_key_reused' })
  })
})

it('a request that meets others each time gives up after sixty times, and says when to ask again', async () => {
  let writes = 0
  const { sessions, refusal } = world(
    {},
    {
      apply: async () => {
        writes += 1
        return { applied: false, conflict: 'order' }
      },
    },
  )
  expect(await refusal(sessions.create(order))).toEqual({
    code: 'store_unavailable',
    detail: 'Too many requests for this order at once; ask again.',
    issues: undefined,
    retryAfter: 1,
  })
  expect(writes).toBe(60)
})
