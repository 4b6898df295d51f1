// The call that creates a payment: what is retried, where a customer may be sent, and what is
// refused before anything is written (money rule 1).
import { describe, expect, it } from 'vitest'
import type { Budget } from '../../server/deposits/settle/budget.ts'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { createSender } from '../../server/deposits/create/send.ts'
import { createAnswers } from '../../server/operations/answers.ts'
import type { CreateOrder, CreateOutcome, Upstream } from '../../server/deposits/ports/upstream.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { createTestSystem, kenyanDeposit, newKey, pay } from '../helpers/create-test-system.ts'
import { depositRecord, START } from '../helpers/deposit-record.ts'
import { simSettings } from '../sim/sim-settings.ts'

const capabilities = createCapabilities('is_sends_0123456789abcdef0123456789abcdef')
const deposit = depositRecord({ phase: 'creating' })
const created = (checkoutUrl: string): CreateOutcome => ({
  kind: 'created',
  transactionId: 'TX1',
  checkoutUrl,
})

function world(
  outcomes: readonly CreateOutcome[],
  options: { isDown?: () => boolean; hasBudget?: () => boolean } = {},
) {
  const { isDown = () => false, hasBudget = () => true } = options
  let clock = START
  const orders: CreateOrder[] = []
  const waits: number[] = []
  const alerts: string[] = []
  const tools = {
    now: () => clock,
    async sleep(ms: number) {
      waits.push(ms)
      clock += ms
    },
    count: () => {},
    observe: () => {},
  }
  const answers = createAnswers({
    now: tools.now,
    alert: (kind, detail) => void alerts.push(`${kind} ${detail}`),
    isDown,
    callbacksDecide: false,
  })
  const upstream = {
    async create(order: CreateOrder) {
      orders.push(order)
      return outcomes[Math.min(orders.length, outcomes.length) - 1]
    },
    isDown,
  } as unknown as Upstream
  const sender = createSender(
    { ...tools, hear: answers.hear },
    {
      settings: { ...simSettings(1500), publicUrl: 'https://pay.example', checkoutOrigins: ['https://hosted.example'] },
      capabilities,
      upstream,
      budget: { take: async () => hasBudget() } as unknown as Budget,
    },
  )
  return { ...sender, answers, upstream, orders, waits, alerts, pass: (ms: number) => void (clock += ms) }
}

const busy: CreateOutcome = { kind: 'not_processed', reason: 'http_429' }

describe('the signature', () => {
  const signing = (sign: () => Promise<string>, outcomes: CreateOutcome[]) => {
    const w = world(outcomes)
    w.upstream.sign = sign
    return w
  }

  it('is made once for all calls', async () => {
    const w = signing(async () => 'signed', [busy, created('https://hosted.example/c/1')])
    const signature = w.sign(deposit)
    await w.send(deposit, signature)
    expect(w.orders.map((order) => order.signature)).toEqual([signature, signature])
    expect(await signature).toBe('signed')
  })

  it('that fails for a row which is not stored is no unhandled error', async () => {
    const w = signing(async () => Promise.reject(new Error('no entropy')), [])
    const signature = w.sign(deposit)
    await new Promise(setImmediate)
    await expect(signature).rejects.toThrow('no entropy')
  })

  it('is begun before the row is stored, and the call only after', async () => {
    const events: string[] = []
    const memory = sqliteStore({ path: ':memory:' })
    const store: Store = {
      ...memory,
      async apply(change) {
        const written = await memory.apply(change)
        if (change.idempotency !== undefined) events.push('stored')
        return written
      },
    }
    const upstream = {
      isDown: () => false,
      async sign() {
        events.push('signing')
        return 'signed'
      },
      async create({ signature }: CreateOrder) {
        events.push(`sent, ${await signature}`)
        return { kind: 'created', transactionId: 'TX1', checkoutUrl: 'http://127.0.0.1:8788/c/1' }
      },
      close: async () => {},
    } as unknown as Upstream
    const system = await createTestSystem({ store, companion: { upstream } })
    const response = await system.browser('/v1/deposits', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': newKey() },
      body: JSON.stringify(kenyanDeposit({ bankCode: undefined })),
    })
    await system.close()
    expect([response.status, events]).toEqual([201, ['signing', 'stored', 'sent, signed']])
  })
})

describe('the call', () => {
  it('says what the row says, and names an address that only this payment has', async () => {
    const w = world([created('https://hosted.example/c/1')])
    expect(await w.send(deposit)).toEqual({
      kind: 'created',
      transactionId: 'TX1',
      checkoutUrl: 'https://hosted.example/c/1',
      urlAllowed: true,
    })
    expect(w.orders).toEqual([
      {
        reference: deposit.reference,
        walletNo: deposit.walletNo,
        amount: 1500,
        currency: 'KES',
        description: 'Top-up',
        payerName: 'Achieng Otieno',
        payerPhone: '254712345678',
        payerEmail: 'achieng@example.com',
        resultUrl: `https://pay.example/v1/webhook/${capabilities.webhookKey(deposit.reference)}`,
      },
    ])
  })

  it('names of a payer what is known, and an empty name where that was erased', async () => {
    const { payer: _, ...erased } = deposit
    const w = world([created('https://hosted.example/c/1')])
    await w.send({ ...deposit, payer: { name: 'Achieng Otieno' } })
    await w.send(erased)
    const [named, nameless] = w.orders
    expect([named?.payerName, nameless?.payerName]).toEqual(['Achieng Otieno', ''])
    for (const { payerPhone, payerEmail } of w.orders) expect([payerPhone, payerEmail]).toEqual([undefined, undefined])
  })

  it('that was certainly not processed is made again, ever later, within 20 seconds and no longer', async () => {
    const w = world([busy])
    expect(await w.send(deposit)).toEqual({ kind: 'create-not-processed' })
    expect(w.waits).toEqual([500, 1000, 2000, 4000, 8000])
    expect(new Set(w.orders.map(({ reference }) => reference)).size).toBe(1)
  })

  it('waits as long as the service asks, unless that is too long', async () => {
    expect((await world([{ ...busy, retryAfterMs: 7000 }, created('https://hosted.example/')]).send(deposit)).kind).toBe('created') // prettier-ignore
    const late = world([{ ...busy, retryAfterMs: 20_000 }])
    expect([await late.send(deposit), late.waits]).toEqual([{ kind: 'create-not-processed' }, []])
  })

  it.each(['refused_connection', 'dns'])(
    'is made again after %s though other calls have found the line down: a row that is written need not fail by a blip',
    async (reason) => {
      let calls = 0
      const isDown = () => (calls += 1) < 3
      const refused: CreateOutcome = { kind: 'not_processed', reason }
      const held: CreateOutcome = { kind: 'not_processed', reason: 'breaker_open', retryAfterMs: 1_200 }
      const w = world([refused, held, created('https://hosted.example/c/1')], { isDown })
      expect((await w.send(deposit)).kind).toBe('created')
      expect([w.waits, new Set(w.orders.map(({ reference }) => reference)).size]).toEqual([[500, 1200], 1])
      // What is withheld makes nobody wait longer for the next try.
      const gone = world([refused, held], { isDown: () => true })
      expect([await gone.send(deposit), gone.waits]).toEqual([
        { kind: 'create-not-processed' },
        [500, ...Array.from({ length: 16 }, () => 1_200)],
      ])
    },
  )

  it('that is withheld uses no budget: payments under way need it once the line is back', async () => {
    const held: CreateOutcome = { kind: 'not_processed', reason: 'breaker_open', retryAfterMs: 1_000 }
    let calls = 0
    // Found up before the first call, and down until the fourth.
    const isDown = () => w.orders.length > 0 && w.orders.length < 3
    const w = world([{ ...held, reason: 'refused_connection' }, held, held, created('https://hosted.example/c/1')], {
      isDown,
      hasBudget: () => (calls += 1) <= 2,
    })
    expect([(await w.send(deposit)).kind, w.orders.length, calls]).toEqual(['created', 4, 2])
  })

  it('is made again without budget too, though the line is down meanwhile', async () => {
    const budgets = [true, false]
    let looks = 0
    const w = world([{ kind: 'not_processed', reason: 'refused_connection' }, created('https://hosted.example/c/1')], {
      isDown: () => (looks += 1) > 2,
      hasBudget: () => budgets.shift() ?? true,
    })
    expect([(await w.send(deposit)).kind, w.waits]).toEqual(['created', [500, 1000]])
  })

  it('is not made again while the service is down', async () => {
    const w = world([busy], { isDown: () => true })
    expect([await w.send(deposit), w.orders.length]).toEqual([{ kind: 'create-not-processed' }, 1])
  })

  it('is not made at all without budget, and a second later with it', async () => {
    const budgets = [false, true]
    const w = world([created('https://hosted.example/')], { hasBudget: () => budgets.shift() ?? true })
    expect((await w.send(deposit)).kind).toBe('created')
    expect([w.waits, w.orders.length]).toEqual([[1000], 1])
  })

  it.each<readonly [CreateOutcome, object]>([
    [
      { kind: 'unknown', reason: 'timeout' },
      { kind: 'create-unknown', reason: 'timeout' },
    ],
    [
      { kind: 'refused', code: 'duplicate_reference', status: 409, message: 'again' },
      { kind: 'create-unknown', reason: 'The service knows the reference already.' },
    ],
    [
      { kind: 'refused', code: 'conflict', status: 409, message: 'Wallet is frozen.' },
      { kind: 'create-unknown', reason: 'The service may have it already: Wallet is frozen.' },
    ],
    [
      { kind: 'refused', code: 'invalid_fields', status: 400, message: 'no' },
      { kind: 'create-refused', code: 'invalid_fields', message: 'no' },
    ],
  ])('is never made again after %j', async (outcome, input) => {
    const w = world([outcome])
    expect([await w.send(deposit), w.orders.length]).toEqual([input, 1])
  })
})

describe('customers who pay while the line is down', () => {
  async function cutLine() {
    let calls = 0
    let isCut = true
    const system = await createTestSystem({
      agent: false,
      network: async (request, next) => {
        if (!isCut || !request.url.endsWith('/api/v2/payment/')) return next()
        calls += 1
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) })
      },
    })
    const press = async () => {
      const answer = await pay(system, { bankCode: undefined })
      return ((await answer.json()) as { phase: string }).phase
    }
    return {
      system,
      mend: () => void (isCut = false),
      /** All have found it cut; the fifth opens the breaker. */
      async press(customers: number) {
        const phases = Promise.all(Array.from({ length: customers }, press))
        await expect.poll(() => calls).toBe(customers)
        return { phases }
      },
    }
  }

  it('all pay when it is back after six seconds, also who was not the first to try', async () => {
    const { system, press, mend } = await cutLine()
    const { phases } = await press(5)
    await system.advance(6)
    mend()
    await system.advance(20)
    expect(await phases).toEqual(Array.from({ length: 5 }, () => 'open'))
    await system.close()
  })

  it('are told at a stop: cut off, their rows would be left for queries to settle', async () => {
    const { system, press } = await cutLine()
    const { phases } = await press(3)
    // No time passes, so nobody's wait ends by itself.
    await system.close()
    expect(await phases).toEqual(['rejected', 'rejected', 'rejected'])
  })
})

describe('a stop, while no time passes,', () => {
  it('tells a customer who waits out a pause of the service: nothing more is sent to it', async () => {
    let calls = 0
    const system = await createTestSystem({
      agent: false,
      network: async (request, next) => {
        if (!request.url.endsWith('/api/v2/payment/')) return next()
        calls += 1
        return new Response('{}', { status: 429, headers: { 'retry-after': '15' } })
      },
    })
    const answer = pay(system, { bankCode: undefined })
    await expect.poll(() => calls).toBe(1)
    await system.close()
    expect([await (await answer).json(), calls]).toMatchObject([{ phase: 'rejected' }, 1])
  })

  it('ends the wait of one who was refused after it, and of one without budget', async () => {
    const late = world([{ ...busy, retryAfterMs: 7_000 }])
    late.close()
    expect([await late.send(deposit), late.waits]).toEqual([{ kind: 'create-not-processed' }, []])
    const dry = world([], { hasBudget: () => false })
    dry.close()
    expect([await dry.send(deposit), dry.waits, dry.orders]).toEqual([
      {
        kind: 'create-not-processed',
        reason: 'upstream_budget',
        description: 'The shop has no more calls to the payment service in this minute; nothing was created.',
      },
      [],
      [],
    ])
  })
})

it.each([
  ['https://hosted.example/c/1', true],
  ['https://hosted.example:443/c/1', true],
  ['http://hosted.example/c/1', false],
  ['https://hosted.example.evil.example/c/1', false],
  ['https://hosted.example@evil.example/c/1', false],
  ['https://someone@hosted.example/c/1', false],
  ['https://:word@hosted.example/c/1', false],
  ['blob:https://hosted.example/c/1', false],
  ['javascript:alert(1)', false],
  ['/c/1', false],
])('a customer is led to %s: %s', async (checkoutUrl, urlAllowed) => {
  expect(await world([created(checkoutUrl)]).send(deposit)).toMatchObject({ kind: 'created', urlAllowed })
})

it('a service that answers no create is told of to a person after five in a row of one market', async () => {
  const broken: CreateOutcome = { kind: 'unknown', reason: 'http_500' }
  const fine = created('https://hosted.example/c/1')
  const outcomes = [
    ...Array.from({ length: 4 }, () => broken),
    fine,
    ...Array.from({ length: 9 }, () => broken),
    fine,
    broken,
  ]
  const w = world(outcomes)
  const shilling = { ...deposit, currency: 'TZS' as const }
  const send = async (times: number, row = deposit) => {
    for (let n = 0; n < times; n++) await w.send(row)
    return w.alerts
  }
  expect(await send(5)).toEqual([])
  // Of another market, it says nothing of this one.
  expect(await send(4, shilling)).toEqual([])
  expect(await send(4)).toEqual([])
  expect(await send(1, shilling)).toEqual(['create_unanswered TZS: 5 in a row; now http_500.'])
  await send(2)
  expect(w.alerts).toHaveLength(1)
})

it('a service that takes up no create is told of too, unless it is down, which has alerts of its own', async () => {
  let isDown = true
  const w = world([{ kind: 'not_processed', reason: 'rate_limited', retryAfterMs: 7_000 }], { isDown: () => isDown })
  for (let n = 0; n < 6; n++) await w.send(deposit)
  expect(w.alerts).toEqual([])
  isDown = false
  for (let n = 0; n < 5; n++) await w.send(deposit)
  expect(w.alerts).toEqual(['create_unanswered KES: 5 in a row; now rate_limited.'])
  const dry = world([], { hasBudget: () => false })
  for (let n = 0; n < 5; n++) await dry.send(deposit)
  expect(dry.alerts).toEqual(['create_unanswered KES: 5 in a row; now upstream_budget.'])
})

it('what takes up no create stays in the list of checks until one is answered, or for an hour', async () => {
  const broken: CreateOutcome = { kind: 'unknown', reason: 'http_500' }
  const w = world([...Array.from({ length: 5 }, () => broken), created('https://hosted.example/c/1'), broken])
  const seen = async (times: number) => {
    for (let n = 0; n < times; n++) await w.send(deposit)
    return w.answers.seen().creates
  }
  expect(await seen(4)).toEqual([])
  expect(await seen(1)).toEqual(['KES: 5 in a row; now http_500.'])
  expect(await seen(1)).toEqual([])
  expect(await seen(5)).toHaveLength(1)
  w.pass(3_600_000 - 1)
  expect(await seen(0)).toHaveLength(1)
  w.pass(1)
  expect(await seen(0)).toEqual([])
})

describe('what the service refuses', () => {
  it('is told to a person by its kind', async () => {
    for (const [code, alert] of [
      ['address_not_allowed', 'address_not_allowed no'],
      ['invalid_hash', 'create_refused no'],
      ['duplicate_reference', undefined],
      ['conflict', 'create_refused no'],
    ] as const) {
      const w = world([{ kind: 'refused', code, status: 403, message: 'no' }])
      await w.send(deposit)
      expect(w.alerts).toEqual(alert === undefined ? [] : [alert])
    }
  })

  it('of what a customer typed wakes nobody, until five in a row of one market are refused for it', async () => {
    const typo = { kind: 'refused', code: 'invalid_fields', status: 422, message: 'no (email)', ofPayer: true } as const
    const fine = created('https://hosted.example/c/1')
    const w = world([typo, typo, typo, typo, fine, typo, typo, typo, typo, { ...typo, ofPayer: false }, typo, typo])
    const send = async (times: number, row = deposit) => {
      for (let n = 0; n < times; n++) await w.send(row)
      return w.alerts.splice(0)
    }
    expect(await send(9)).toEqual([])
    expect(await send(1)).toEqual(['create_refused no (email)'])
    // Of another market, it says nothing of this one.
    expect(await send(1, { ...deposit, currency: 'TZS' as const })).toEqual([])
    expect(await send(1)).toEqual(['create_refused no (email)'])
  })

  it('for a whole market is not asked for again for a minute, in this currency alone', async () => {
    const w = world([{ kind: 'refused', code: 'market_off', status: 403, message: 'not allocated' }])
    w.mustBeUp('KES')
    await w.send(deposit)
    expect(w.alerts).toEqual(['market_off KES: not allocated'])
    expect([w.isMarketOff('KES'), w.isMarketOff('TZS')]).toEqual([true, false])
    expect(() => w.mustBeUp('KES')).toThrow(expect.objectContaining({ code: 'market_off', retryAfter: 60 }))
    w.pass(60_000)
    expect(w.isMarketOff('KES')).toBe(false)
    w.mustBeUp('KES')
  })

  it('a service that is down is said before anything is written', () => {
    const w = world([], { isDown: () => true })
    expect(() => w.mustBeUp('KES')).toThrow(expect.objectContaining({ code: 'upstream_unavailable', retryAfter: 10 }))
  })
})
