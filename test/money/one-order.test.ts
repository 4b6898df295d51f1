// One order and its payment, met by two tabs, a reload, a second click and a result that arrives
// meanwhile.
import { afterEach, describe, expect, it } from 'vitest'
import type {
  CreatedDeposit,
  CreatedSession,
  DepositPhase,
  DepositView,
  Problem,
  SessionView,
} from '../../server/contract/index.ts'
import { createCompanion } from '../../server/companion.ts'
import { keyHashOf } from '../../server/deposits/identity.ts'
import { CompanionError } from '../../server/platform/errors.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import type { TestSystem, TestSystemOptions } from '../helpers/create-test-system.ts'
import {
  COMPANION_URL,
  createSession,
  createTestSystem,
  testSettings,
  kenyanDeposit,
  newKey,
  SANDBOX_URL,
  SHOP_URL,
} from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

const open = async (options: TestSystemOptions = {}) => (system = await createTestSystem({ agent: false, ...options }))

const newSession = (changes: Record<string, unknown> = {}) => createSession(system, changes)

async function post(
  body: Record<string, unknown>,
  key = newKey(),
): Promise<{ status: number; text: string; deposit: CreatedDeposit; code: Problem['code'] }> {
  const init = { method: 'POST', body: JSON.stringify(kenyanDeposit(body)), headers: { 'idempotency-key': key } }
  const response = await system.browser('/v1/deposits', init)
  const text = await response.text()
  const read: unknown = JSON.parse(text)
  return { status: response.status, text, deposit: read as CreatedDeposit, code: (read as Problem).code }
}

async function view({ id, token }: CreatedDeposit): Promise<DepositView> {
  const headers = { authorization: `Bearer ${token}` }
  return (await (await system.browser(`/v1/deposits/${id}`, { headers })).json()) as DepositView
}

async function transactions(): Promise<readonly { id: string; reference: string; status: string }[]> {
  const listed = await system.service('/console/api/transactions')
  return ((await listed.json()) as { data: { id: string; reference: string; status: string }[] }).data
}

/** The agent confirms at the service. */
async function pay({ reference }: DepositView): Promise<void> {
  const id = (await transactions()).find((one) => one.reference === reference)?.id
  expect((await system.service(`/console/api/transactions/${id}/confirm`, { method: 'POST' })).status).toBe(200)
}

/** To the service of this system. */
const network =
  ({ sandbox }: TestSystem): typeof fetch =>
  async (input, init) =>
    sandbox.app.request(new Request(input, init))

/** Writes the deposit anew with this phase, whatever led there. */
async function turn({ id }: { readonly id: string }, phase: DepositPhase): Promise<void> {
  const row = await system.store.deposit(id)
  if (row === undefined) throw new Error(`There is no ${id}.`)
  const turned = { ...row, phase, version: row.version + 1, updatedAt: system.now() }
  expect(await system.store.apply({ deposit: { row: turned, expect: row.version } })).toEqual({ applied: true })
}

describe('a second tab', () => {
  it('is answered with the payment under way, to each repeat of its key, and with nothing else under that key', async () => {
    await open()
    const session = (await newSession()).token
    const first = await post({ session })
    const key = newKey()
    const second = await post({ session }, key)
    expect(second.status).toBe(201)
    expect(second.deposit).toEqual(first.deposit)
    expect((await post({ session }, key)).text).toBe(second.text)
    expect(await post({ session, payer: { name: 'Another' } }, key)).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    })
    expect(await transactions()).toHaveLength(1)
  })
})

describe('a repeat', () => {
  it('at another companion, while the first waits for the service, makes no second call and is given the same payment', async () => {
    let answer: () => void = () => undefined
    const slow = new Promise<void>((resolve) => (answer = resolve))
    let creates = 0
    await open({
      network: async (request, next) => {
        if (!request.url.endsWith('/api/v2/payment/')) return next()
        creates += 1
        const answered = await next()
        await slow
        return answered
      },
    })
    const { settings, store, now } = system
    const key = newKey()
    const session = (await newSession()).token
    const first = post({ session }, key)
    await system.advance(40)
    const other = createCompanion({ settings, store, now, sleep: () => new Promise(setImmediate) })
    const repeated = await other.app.request(`${COMPANION_URL}/v1/deposits`, {
      method: 'POST',
      body: JSON.stringify(kenyanDeposit({ session })),
      headers: { 'idempotency-key': key, 'content-type': 'application/json', origin: SHOP_URL },
    })
    expect(repeated.status).toBe(201)
    const { id, token, phase } = (await repeated.json()) as CreatedDeposit
    // Created at the service, and nobody has its address: the customer may begin anew at once.
    expect(phase).toBe('abandoned')
    answer()
    expect((await first).deposit).toMatchObject({ id, token, phase: 'abandoned' })
    expect((await first).deposit.checkoutUrl).toBeUndefined()
    expect(creates).toBe(1)
    await other.close()
  })
})

it('a repeat is given a link that opens the payment, though HC_SECRET and HC_PUBLIC_URL have changed since, and the database holds none', async () => {
  await open()
  const key = newKey()
  const first = await post({}, key)
  const { store, settings, now } = system
  const publicUrl = 'http://127.0.0.1:8786'
  const changed = { ...settings, publicUrl, secret: 'is_new_0123456789abcdef0123456789abcdef' }
  const other = createCompanion({ settings: changed, store, now, sleep: () => new Promise(setImmediate) })
  const repeated = await other.app.request(`${publicUrl}/v1/deposits`, {
    method: 'POST',
    body: JSON.stringify(kenyanDeposit()),
    headers: { 'idempotency-key': key, 'content-type': 'application/json', origin: SHOP_URL },
  })
  const { id, payUrl } = (await repeated.json()) as CreatedDeposit
  expect([id, new URL(payUrl).origin]).toEqual([first.deposit.id, publicUrl])
  expect((await other.app.request(payUrl)).status).toBe(200)
  expect((await store.idempotency(keyHashOf(key)))?.answer).not.toContain('/pay/')
  await other.close()
})

it('a repeat whose first answer was never written is given the payment as it is, once the call is settled', async () => {
  const real = sqliteStore({ path: ':memory:' })
  let isWriting = false
  const store: Store = {
    ...real,
    apply: async (change) => {
      if (change.answer !== undefined && !isWriting) throw new CompanionError('store_unavailable')
      return real.apply(change)
    },
  }
  await open({ store })
  const key = newKey()
  expect(await post({}, key)).toMatchObject({ status: 503, code: 'store_unavailable' })
  isWriting = true
  await system.advance(40)
  const repeated = await post({}, key)
  const [made] = await system.store.payments({ limit: 2 })
  expect(repeated).toMatchObject({ status: 201, deposit: { id: made?.id, phase: made?.phase } })
  expect(made?.phase).not.toBe('creating')
  expect(await transactions()).toHaveLength(1)
})

describe('a repeat at another companion, while the first runs', () => {
  async function repeatWhile(answersAfterMs: number) {
    const called = Promise.withResolvers<void>()
    const slow = Promise.withResolvers<void>()
    await open({
      network: async (request, next) => {
        if (request.url.endsWith('/api/v2/payment/')) {
          called.resolve()
          await slow.promise
        }
        return next()
      },
    })
    const { settings, store } = system
    const key = newKey()
    const first = post({}, key)
    await called.promise
    await system.advance(1)
    let waited = 0
    async function sleep(ms: number): Promise<void> {
      waited += ms
      if (waited >= answersAfterMs) {
        slow.resolve()
        await first
      }
      await new Promise(setImmediate)
    }
    const other = createCompanion({ settings, store, now: () => system.now() + waited, sleep })
    const response = await other.app.request(`${COMPANION_URL}/v1/deposits`, {
      method: 'POST',
      body: JSON.stringify(kenyanDeposit()),
      headers: { 'idempotency-key': key, 'content-type': 'application/json', origin: SHOP_URL },
    })
    const text = await response.text()
    slow.resolve()
    await other.close()
    return { status: response.status, text, first: await first }
  }

  it('waits for its answer and gives the same', async () => {
    const { status, text, first } = await repeatWhile(1000)
    expect([status, text]).toEqual([201, first.text])
    expect(await transactions()).toHaveLength(1)
  })

  it('is told after five seconds to ask again', async () => {
    const { status, text } = await repeatWhile(Infinity)
    expect([status, text]).toEqual([409, expect.stringContaining('idempotency_key_in_progress')])
    expect(await transactions()).toHaveLength(1)
  })
})

it('a create call that broke off is asked about at once, before any scheduled work: the customer may begin anew', async () => {
  await open({
    network: async (request, next) => {
      const answer = await next()
      if (request.url.endsWith('/api/v2/payment/'))
        throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
      return answer
    },
  })
  const { deposit } = await post({})
  expect(deposit).toMatchObject({ phase: 'unknown' })
  await system.companion.idle()
  expect(await view(deposit)).toMatchObject({ phase: 'abandoned', result: { code: 'address_lost' } })
})

describe('one key', () => {
  it('is of one body, in whatever order its fields stand, also while its first request runs', async () => {
    await open()
    const key = newKey()
    const one = post({ session: undefined, clientReference: 'cart-1' }, key)
    const other = post({ clientReference: 'cart-2' }, key)
    expect(await other).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
    const { deposit } = await one
    const turned = Object.fromEntries(Object.entries(kenyanDeposit({ clientReference: 'cart-1' })).toReversed())
    const init = { method: 'POST', body: JSON.stringify(turned), headers: { 'idempotency-key': key } }
    const repeated = await system.browser('/v1/deposits', init)
    expect([repeated.status, await repeated.json()]).toEqual([201, deposit])
  })

  it('sent to two companions at once, or two keys for one order, make one payment', async () => {
    const real = sqliteStore({ path: ':memory:' })
    let reads = 0
    let both = Promise.withResolvers<void>()
    /** Both have looked, and seen nothing, before either writes. */
    const store: Store = {
      ...real,
      async idempotency(hash) {
        const row = await real.idempotency(hash)
        reads += 1
        if (reads === 2) both.resolve()
        if (reads <= 2) await both.promise
        return row
      },
    }
    let called = Promise.withResolvers<void>()
    const note = ({ url }: Request) => {
      if (url.endsWith('/api/v2/payment/')) called.resolve()
    }
    await open({
      store,
      network: async (request, next) => {
        note(request)
        return next()
      },
    })
    const { settings, now } = system
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init)
      note(request)
      return network(system)(request)
    }
    const other = createCompanion({ settings, store, now, fetch, sleep: () => new Promise(setImmediate) })
    for (const keys of [
      ['a', 'a'],
      ['a', 'b'],
    ]) {
      reads = 0
      both = Promise.withResolvers<void>()
      called = Promise.withResolvers<void>()
      const session = (await newSession({ orderId: keys.join() })).token
      const answers = Promise.all(
        [system.companion, other].map(async ({ app }, index) => {
          const response = await app.request(`${COMPANION_URL}/v1/deposits`, {
            method: 'POST',
            body: JSON.stringify(kenyanDeposit({ session })),
            headers: {
              'idempotency-key': `${keys[index]}-${keys.join('')}-0123456789abcdefghij`,
              'content-type': 'application/json',
              origin: SHOP_URL,
            },
          })
          expect(response.status).toBe(201)
          return (await response.json()) as CreatedDeposit
        }),
      )
      // Another thread signs, in real time: who waits for the other's answer waits by the clock of
      // this system.
      await Promise.race([called.promise, answers])
      await system.advance(3)
      const made = await answers
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      expect(new Set(made.map(({ token }) => token)).size).toBe(1)
    }
    expect(await transactions()).toHaveLength(2)
    await other.close()
  })

  it('that another companion has answered meanwhile gets the same answer, although a newer attempt is live by now', async () => {
    const real = sqliteStore({ path: ':memory:' })
    let meanwhile: (() => Promise<void>) | undefined
    const store: Store = {
      ...real,
      async idempotency(hash) {
        const row = await real.idempotency(hash)
        const work = meanwhile
        meanwhile = undefined
        await work?.()
        return row
      },
    }
    await open({ store })
    const { settings, now } = system
    const other = createCompanion({ settings, store, now, fetch: network(system) })
    const session = (await newSession()).token
    const { deposit: first } = await post({ session })
    const key = newKey()
    meanwhile = async () => {
      const answered = await other.app.request(`${COMPANION_URL}/v1/deposits`, {
        method: 'POST',
        body: JSON.stringify(kenyanDeposit({ session })),
        headers: { 'idempotency-key': key, 'content-type': 'application/json', origin: SHOP_URL },
      })
      expect(((await answered.json()) as CreatedDeposit).id).toBe(first.id)
      const { deposit: newer } = await post({ session, replaces: first.id })
      expect(newer.id).not.toBe(first.id)
    }
    expect((await post({ session }, key)).deposit).toEqual(first)
    await other.close()
  })

  it('is free for another try when its first request wrote nothing', async () => {
    let isDown = true
    await open({
      network: (request, next) =>
        isDown && new URL(request.url).origin === SANDBOX_URL
          ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))
          : next(),
    })
    for (const country of ['KE', 'TZ', 'UG', 'ET', 'RW']) await system.browser(`/v1/banks?country=${country}`)
    const key = newKey()
    expect(await post({}, key)).toMatchObject({ status: 503, code: 'upstream_unavailable' })
    expect(await system.store.payments({ limit: 1 })).toEqual([])
    isDown = false
    await system.advance(61)
    expect(await post({}, key)).toMatchObject({ status: 201, deposit: { phase: 'open' } })
  })
})

describe('a new attempt in the place of an earlier one', () => {
  it('is of the same order: nobody gives up the payment of another', async () => {
    await open()
    const [mine, theirs] = [(await newSession()).token, (await newSession({ orderId: 'A-2' })).token]
    const { deposit: other } = await post({ session: theirs })
    const { deposit: loose } = await post({})
    for (const body of [
      { session: mine, replaces: other.id },
      { session: mine, replaces: loose.id },
      { replaces: other.id },
      { session: mine, replaces: `dep_${'0'.repeat(26)}` },
    ])
      expect(await post(body)).toMatchObject({ status: 422, code: 'replaces_invalid' })
    expect([await view(other), await view(loose)]).toMatchObject([{ phase: 'open' }, { phase: 'open' }])
    expect(await transactions()).toHaveLength(2)
  })

  it('remembers the newest ten before it, however often the customer starts over', async () => {
    await open()
    const ids: string[] = []
    for (let n = 0; n < 12; n++) {
      const { deposit } = await post(n === 0 ? {} : { replaces: ids.at(-1) })
      ids.push(deposit.id)
    }
    expect((await system.store.deposit(ids[11]!))?.replaces).toEqual(ids.slice(1, 11))
  })

  it.each(['creating', 'confirming', 'review', 'succeeded'] as const)(
    'is refused while that one is %s, which goes on as it was',
    async (phase) => {
      await open()
      for (const session of [undefined, (await newSession()).token]) {
        const { deposit } = await post({ session })
        await turn(deposit, phase)
        // An order that is paid has a code of its own; the page of it then shows the payment.
        expect(await post({ session, replaces: deposit.id })).toMatchObject({ status: 422, code: 'replaces_invalid' })
        expect(await view(deposit)).toMatchObject({ phase })
      }
      expect(await transactions()).toHaveLength(2)
    },
  )

  it.each(['unknown', 'failed', 'expired', 'abandoned', 'rejected'] as const)(
    'begins at once when that one is %s',
    async (phase) => {
      await open()
      for (const session of [undefined, (await newSession()).token]) {
        const { deposit } = await post({ session })
        await turn(deposit, phase)
        const { deposit: next, status } = await post({ session, replaces: deposit.id })
        expect(status).toBe(201)
        expect(next.id).not.toBe(deposit.id)
        expect(next).toMatchObject({ phase: 'open' })
        expect(await system.store.deposit(next.id)).toMatchObject({ replaces: [deposit.id] })
        const given = phase === 'unknown' ? { phase: 'abandoned', replacedBy: next.id } : { phase }
        expect(await system.store.deposit(deposit.id)).toMatchObject(given)
      }
    },
  )

  it.each(['confirming', 'succeeded'] as const)(
    'is refused when that one becomes %s in the very moment, and is not begun beside it',
    async (phase) => {
      const real = sqliteStore({ path: ':memory:' })
      let turns: string | undefined
      await open({
        store: {
          ...real,
          async deposit(id) {
            const row = await real.deposit(id)
            if (id !== turns || row === undefined) return row
            turns = undefined
            await turn(row, phase)
            return row
          },
        },
      })
      const { deposit } = await post({})
      turns = deposit.id
      expect(await post({ replaces: deposit.id })).toMatchObject({ code: 'replaces_invalid' })
      expect(await view(deposit)).toMatchObject({ phase })
      expect(await transactions()).toHaveLength(1)
    },
  )

  it('is one, whichever of two tabs began it', async () => {
    await open()
    const session = (await newSession()).token
    const { deposit } = await post({ session })
    const both = await Promise.all([post({ session, replaces: deposit.id }), post({ session, replaces: deposit.id })])
    expect(new Set(both.map((each) => each.deposit.id)).size).toBe(1)
    expect(await post({ session, replaces: deposit.id })).toMatchObject({ deposit: { id: both[0].deposit.id } })
    expect(await transactions()).toHaveLength(2)
  })
})

it('two attempts that are both paid are told as one success and one duplicate, to the customer as well', async () => {
  await open()
  const session = (await newSession()).token
  const { deposit: first } = await post({ session })
  const { deposit: second } = await post({ session, replaces: first.id })
  await pay(second)
  await system.advance(5)
  await pay(first)
  await system.advance(5)
  expect(system.notices.map(({ body: { type, data } }) => [type, data.paymentId, data.duplicate, data.late])).toEqual([
    ['payment.succeeded', second.id, false, false],
    ['payment.duplicate', first.id, true, true],
  ])
  expect(await view(first)).toMatchObject({ duplicate: true, late: true })
  expect(await view(second)).not.toHaveProperty('duplicate')
})

describe('a session', () => {
  const locked = (code: Problem['code'], path: string) => ({
    status: 422,
    code,
    text: expect.stringContaining(`"${path}"`),
  })

  it('is opened by its own token alone', async () => {
    await open()
    const [mine, theirs] = [(await newSession()).token, (await newSession()).token]
    const [id] = mine.split('.')
    for (const session of [
      `${id}.${theirs.split('.')[1]}`,
      `${id}.${'A'.repeat(43)}`,
      `ses_${'0'.repeat(26)}.${'A'.repeat(43)}`,
    ])
      expect(await post({ session })).toMatchObject({ status: 404, code: 'session_invalid' })
    expect(await transactions()).toHaveLength(0)
  })

  it('locks amount, currency and country', async () => {
    await open()
    const session = (await newSession({ country: 'KE' })).token
    const inXof = (await newSession({ currency: 'XOF', country: 'SN' })).token
    expect(await post({ session, amount: 2499 })).toMatchObject(locked('session_conflict', 'amount'))
    expect(await post({ session, country: 'UG', currency: 'UGX' })).toMatchObject(
      locked('session_conflict', 'currency'),
    )
    expect(await post({ session: inXof, country: 'CI', currency: 'XOF' })).toMatchObject(
      locked('session_conflict', 'country'),
    )
    expect(await transactions()).toHaveLength(0)
  })

  it('has the payer that the shop named, whatever the browser says', async () => {
    await open()
    const payer = { name: 'Wanjiku Kamau', phone: '0712000111', email: 'wanjiku@example.com' }
    const session = (await newSession({ payer })).token
    const { deposit } = await post({ session, payer: { name: 'Mallory', phone: '0799999999', email: 'm@example.com' } })
    expect((await system.store.deposit(deposit.id))?.payer).toEqual({ ...payer, phone: '254712000111' })
  })

  it('is not made for what the shop does not take', async () => {
    const { wallets, limits } = testSettings()
    const { XOF: _, ...others } = wallets
    await open({ settings: { wallets: others, limits: { ...limits, KES: { ...limits.KES, min: 10, max: 5000 } } } })
    const refused = async (changes: Record<string, unknown>) => {
      const body = { amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Solar lamp', ...changes }
      const init = { method: 'POST', body: JSON.stringify(body) }
      return (await system.backend('/v1/sessions', init)).json()
    }
    const at = (path: string, issue = {}) => [expect.objectContaining({ path, ...issue })]
    expect(await refused({ currency: 'XOF' })).toMatchObject({ code: 'country_not_offered', issues: at('currency') })
    expect(await refused({ country: 'UG' })).toMatchObject({ code: 'currency_mismatch', issues: at('currency') })
    const outside = { code: 'amount_out_of_range', issues: at('amount', { minimum: 10, maximum: 5000 }) }
    expect(await refused({ amount: 9 })).toMatchObject(outside)
    expect(await refused({ amount: 5001 })).toMatchObject(outside)
    for (const amount of [10, 5000]) {
      const { id, token } = await newSession({ amount })
      const { deposit } = await post({ session: token, amount })
      expect(await system.store.deposit(deposit.id)).toMatchObject({ amount, sessionId: id })
    }
    expect(await post({ country: 'SN', currency: 'XOF' })).toMatchObject({ status: 422, code: 'country_not_offered' })
  })

  it('is needed where the shop asks for one', async () => {
    await open({ settings: { mode: 'sessions' } })
    expect(await post({})).toMatchObject({ code: 'session_required' })
    expect(await post({ session: (await newSession()).token })).toMatchObject({ status: 201 })
    expect(await transactions()).toHaveLength(1)
  })

  it('shows its terms, which details the shop gave but none of them, and the payment under way', async () => {
    await open()
    const shown = async ({ token }: CreatedSession) => {
      const answer = await system.browser('/v1/session', { headers: { authorization: `Bearer ${token}` } })
      return (await answer.json()) as SessionView
    }
    const terms = { amount: 4900, currency: 'KES', country: 'KE', orderId: 'A-7', description: 'Tea' } as const
    const session = await newSession({ ...terms, payer: { phone: '0712 000 111' } })
    const { id: sessionId, expiresAt } = session
    expect(await shown(session)).toEqual({
      id: sessionId,
      ...terms,
      payer: { name: false, phone: true, email: false },
      expiresAt,
    })
    const named = await newSession({ currency: 'XOF', payer: { name: 'Awa Diop', email: 'awa@example.com' } })
    expect(await shown(named)).toEqual({
      id: named.id,
      amount: 2500,
      currency: 'XOF',
      orderId: 'A-1',
      description: 'Solar lamp',
      payer: { name: true, phone: false, email: true },
      expiresAt: named.expiresAt,
    })
    const { deposit } = await post({ session: session.token, amount: 4900 })
    const { id, token, createdAt } = deposit
    expect((await shown(session)).deposit).toEqual({ id, token, createdAt })
  })

  it('with a phone that is too short for one asks the customer, whose number is then the payment’s', async () => {
    await open()
    for (const [orderId, phone] of Object.entries({ 'A-8': '0712', 'A-9': '+254 7' })) {
      const session = await newSession({ orderId, payer: { name: 'Wanjiku Kamau', phone } })
      const answer = await system.browser('/v1/session', { headers: { authorization: `Bearer ${session.token}` } })
      expect(((await answer.json()) as SessionView).payer).toEqual({ name: true, phone: false, email: false })
      const { deposit } = await post({ session: session.token, payer: { phone: '0712000111' } })
      expect((await system.store.deposit(deposit.id))?.payer?.phone).toBe('254712000111')
    }
  })

  it('whose page never came shows that attempt until another is made, and is told when it is paid after all', async () => {
    let isBroken = true
    await open({
      network: async (request, next) => {
        const answer = await next()
        if (isBroken && request.url.endsWith('/api/v2/payment/'))
          throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
        return answer
      },
    })
    const session = await newSession()
    const shown = async ({ token } = session) => {
      const answer = await system.browser('/v1/session', { headers: { authorization: `Bearer ${token}` } })
      return ((await answer.json()) as SessionView).deposit?.id
    }
    expect(await shown()).toBe(undefined)
    const { deposit } = await post({ session: session.token })
    await system.companion.idle()
    expect(await view(deposit)).toMatchObject({ phase: 'abandoned', result: { code: 'address_lost' } })
    expect(await shown()).toBe(deposit.id)
    await pay(deposit)
    await system.advance(600)
    expect(await view(deposit)).toMatchObject({ phase: 'succeeded', late: true })
    expect(await shown()).toBe(deposit.id)

    isBroken = true
    const other = await newSession({ orderId: 'ORDER-8' })
    const lost = await post({ session: other.token })
    await system.companion.idle()
    expect(await shown(other)).toBe(lost.deposit.id)
    expect(await shown(await newSession({ orderId: 'ORDER-9' })), 'of no other order').toBe(undefined)
    isBroken = false
    // Else both have one time, and either is the last.
    await system.advance(1)
    const next = await post({ session: other.token, replaces: lost.deposit.id })
    await turn(next.deposit, 'failed')
    expect(await shown(other)).toBe(undefined)
  })

  it('that is paid shows what paid it, also beside an attempt that is not over yet', async () => {
    await open()
    const session = await newSession()
    const { deposit: first } = await post({ session: session.token })
    const { deposit: second } = await post({ session: session.token, replaces: first.id })
    await turn(first, 'succeeded')
    expect(await view(second)).toMatchObject({ phase: 'open' })
    const answer = await system.browser('/v1/session', { headers: { authorization: `Bearer ${session.token}` } })
    expect(((await answer.json()) as SessionView).deposit?.id).toBe(first.id)
  })
})

it('a session lives for a day unless the shop says otherwise', async () => {
  await open()
  const livesUntil = async (changes: Record<string, unknown>) => Date.parse((await newSession(changes)).expiresAt)
  expect(await livesUntil({})).toBe(system.now() + 86_400_000)
  expect(await livesUntil({ expiresIn: 300 })).toBe(system.now() + 300_000)
})

describe('a session that has expired', () => {
  it('begins nothing, but answers with the payment under way', async () => {
    await open()
    const session = (await newSession({ expiresIn: 300 })).token
    const { deposit } = await post({ session })
    await system.advance(301)
    expect((await post({ session })).deposit.id).toBe(deposit.id)
    expect(await post({ session, replaces: deposit.id })).toMatchObject({ code: 'session_expired' })
    expect(await view(deposit)).toMatchObject({ phase: 'open' })
    expect(await transactions()).toHaveLength(1)
  })
})

describe('a payment that succeeds while its order is looked up', () => {
  /** The payment succeeds between the first and the second look at the session's payments. */
  async function looked() {
    const real = sqliteStore({ path: ':memory:' })
    let meanwhile: (() => Promise<void>) | undefined
    const then = async <T>(read: Promise<T>): Promise<T> => {
      const row = await read
      const work = meanwhile
      meanwhile = undefined
      await work?.()
      return row
    }
    const store: Store = {
      ...real,
      liveDeposit: (id) => then(real.liveDeposit(id)),
      creditedDeposit: (id) => then(real.creditedDeposit(id)),
    }
    await open({ store })
    const session = await newSession()
    const { deposit } = await post({ session: session.token })
    meanwhile = async () => {
      await pay(deposit)
      await system.advance(5)
      expect(await view(deposit)).toMatchObject({ phase: 'succeeded' })
    }
    return { session, deposit }
  }

  it('is not begun anew', async () => {
    const { session } = await looked()
    expect(await post({ session: session.token })).toMatchObject({ code: 'session_paid' })
    expect(await transactions()).toHaveLength(1)
  })

  it('is what the page of the order shows', async () => {
    const { session, deposit } = await looked()
    const page = await (await system.browser(new URL(session.payUrl).pathname)).text()
    expect(page).toContain(deposit.reference)
    expect(page).not.toContain('name="key"')
  })

  it('is what the widget is given', async () => {
    const { session, deposit } = await looked()
    const answer = await system.browser('/v1/session', { headers: { authorization: `Bearer ${session.token}` } })
    expect(((await answer.json()) as SessionView).deposit?.id).toBe(deposit.id)
  })
})
