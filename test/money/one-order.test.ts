// One order and its payment, met by two tabs, a reload, a second click and a result that arrives meanwhile.
import { afterEach, describe, expect, it } from 'vitest'
import type {
  CreatedDeposit,
  CreatedSession,
  DepositPhase,
  DepositView,
  Problem,
  SessionView,
} from '../../server/contract/index.ts'
import { sqliteStore } from '../../server/store/sqlite.ts'
import type { Store } from '../../server/store/store.ts'
import type { House, HouseOptions } from '../helpers/create-house.ts'
import { createHouse, kenyanDeposit, newKey } from '../helpers/create-house.ts'

let house: House
afterEach(() => house.close())

const open = async (options: HouseOptions = {}) => (house = await createHouse({ agent: false, ...options }))

async function newSession(changes: Record<string, unknown> = {}): Promise<CreatedSession> {
  const body = JSON.stringify({ amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Solar lamp', ...changes })
  return (await (await house.backend('/v1/sessions', { method: 'POST', body })).json()) as CreatedSession
}

async function post(
  body: Record<string, unknown>,
  key = newKey(),
): Promise<{ status: number; text: string; deposit: CreatedDeposit; code: Problem['code'] }> {
  const init = { method: 'POST', body: JSON.stringify(kenyanDeposit(body)), headers: { 'idempotency-key': key } }
  const response = await house.browser('/v1/deposits', init)
  const text = await response.text()
  const read: unknown = JSON.parse(text)
  return { status: response.status, text, deposit: read as CreatedDeposit, code: (read as Problem).code }
}

async function view({ id, token }: CreatedDeposit): Promise<DepositView> {
  const headers = { authorization: `Bearer ${token}` }
  return (await (await house.browser(`/v1/deposits/${id}`, { headers })).json()) as DepositView
}

async function transactions(): Promise<readonly { id: string; reference: string; status: string }[]> {
  const listed = await house.service('/console/api/transactions')
  return ((await listed.json()) as { data: { id: string; reference: string; status: string }[] }).data
}

/** The agent confirms at the service. */
async function pay({ reference }: DepositView): Promise<void> {
  const id = (await transactions()).find((one) => one.reference === reference)?.id
  expect((await house.service(`/console/api/transactions/${id}/confirm`, { method: 'POST' })).status).toBe(200)
}

/** Writes the deposit anew with this phase, whatever led there. */
async function turn({ id }: { readonly id: string }, phase: DepositPhase): Promise<void> {
  const row = await house.store.deposit(id)
  if (row === undefined) throw new Error(`There is no ${id}.`)
  const turned = { ...row, phase, version: row.version + 1, updatedAt: house.now() }
  expect(await house.store.apply({ deposits: [{ row: turned, expect: row.version }] })).toEqual({ applied: true })
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
        expect(await house.store.deposit(next.id)).toMatchObject({ replaces: [deposit.id] })
        expect((await view(deposit)).phase).toBe(phase === 'unknown' ? 'abandoned' : phase)
      }
    },
  )

  it('is refused when that one rings in the very moment, and is not begun beside it', async () => {
    const real = sqliteStore({ path: ':memory:' })
    let rings: string | undefined
    await open({
      store: {
        ...real,
        async deposit(id) {
          const row = await real.deposit(id)
          if (id !== rings || row === undefined) return row
          rings = undefined
          await turn(row, 'confirming')
          return row
        },
      },
    })
    const { deposit } = await post({})
    rings = deposit.id
    expect(await post({ replaces: deposit.id })).toMatchObject({ code: 'replaces_invalid' })
    expect(await view(deposit)).toMatchObject({ phase: 'confirming' })
    expect(await transactions()).toHaveLength(1)
  })

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

describe('a session that has expired', () => {
  it('begins nothing, but answers with the payment under way', async () => {
    await open()
    const session = (await newSession({ expiresIn: 300 })).token
    const { deposit } = await post({ session })
    await house.advance(301)
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
      await house.advance(5)
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
    const page = await (await house.browser(new URL(session.payUrl).pathname)).text()
    expect(page).toContain(deposit.reference)
    expect(page).not.toContain('name="key"')
  })

  it('is what the widget is given', async () => {
    const { session, deposit } = await looked()
    const answer = await house.browser('/v1/session', { headers: { authorization: `Bearer ${session.token}` } })
    expect(((await answer.json()) as SessionView).deposit?.id).toBe(deposit.id)
  })
})
