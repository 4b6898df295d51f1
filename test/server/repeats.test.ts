// A repeat of a key whose first request is still running: it waits briefly for the answer, then is
// told to retry.
import { hash } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, Problem } from '../../server/contract/index.ts'
import { keyHashOf } from '../../server/deposits/identity.ts'
import type { IdempotencyRow } from '../../server/deposits/ports/store.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import {
  COMPANION_URL,
  createTestSystem,
  kenyanDeposit,
  newKey,
  pay,
  SAME_MACHINE,
  SHOP_URL,
} from '../helpers/create-test-system.ts'
import { type Companion, createCompanion } from '../../server/companion.ts'

let system: TestSystem
afterEach(() => system.close())

/** The rows of keys that the store is given from now on. */
function keysWritten({ store }: TestSystem): IdempotencyRow[] {
  const written: IdempotencyRow[] = []
  const { apply } = store
  const seen: typeof apply = (change) => {
    if (change.idempotency !== undefined) written.push(change.idempotency)
    return apply(change)
  }
  Object.assign(store, { apply: seen })
  return written
}

it('gets the same answer if it comes in time, and 409 with Retry-After while it does not', async () => {
  let answer: () => void = () => undefined
  const slow = new Promise<void>((resolve) => (answer = resolve))
  system = await createTestSystem({
    agent: false,
    network: async (request, next) => {
      if (request.url.endsWith('/api/v2/payment/')) await slow
      return next()
    },
  })
  const init = { method: 'POST', headers: { 'idempotency-key': newKey() }, body: JSON.stringify(kenyanDeposit()) }
  const first = system.browser('/v1/deposits', init)
  const second = system.browser('/v1/deposits', init)
  await system.advance(3)
  const third = system.browser('/v1/deposits', init)
  await system.advance(4)
  const refused = await second
  expect(refused.status).toBe(409)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(((await refused.json()) as Problem).code).toBe('idempotency_key_in_progress')
  answer()
  const answers = await Promise.all([first, third, system.browser('/v1/deposits', init)])
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const places = new Set(answers.map(({ headers }) => headers.get('location')))
  const made = (await Promise.all(answers.map((one) => one.json()))) as CreatedDeposit[]
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  expect(new Set(made.map(({ token }) => token)).size).toBe(1)
  // Each names the place of the one payment.
  expect(places.size).toBe(1)
  const there = await system.browser([...places][0] ?? '', { headers: { authorization: `Bearer ${made[0]?.token}` } })
  expect(await there.json()).toMatchObject({ id: made[0]?.id, phase: 'open' })
})

it.each(['while its first request hangs', 'after a crash in its create'])(
  'a repeat %s is told the outcome as soon as the payment has one',
  async (when) => {
    const hangs = Promise.withResolvers<void>()
    system = await createTestSystem({
      agent: false,
      network: async (request, next) => {
        const answer = await next()
        if (request.url.endsWith('/api/v2/payment/')) await hangs.promise
        return answer
      },
    })
    const init = { method: 'POST', headers: { 'idempotency-key': newKey() }, body: JSON.stringify(kenyanDeposit()) }
    let isFirstOver = false
    const first = Promise.resolve(system.browser('/v1/deposits', init)).finally(() => (isFirstOver = true))
    await expect.poll(async () => (await system.store.payments({ limit: 1 })).length).toBe(1)
    const [row] = await system.store.payments({ limit: 1 })
    if (row === undefined) throw new Error('no row')
    let other: Companion | undefined
    if (when.startsWith('after'))
      other = createCompanion({ settings: system.settings, store: system.store, now: system.now })
    const moved = { ...row, phase: 'succeeded', version: row.version + 1, updatedAt: system.now() } as const
    await system.store.apply({ deposit: { row: moved, expect: row.version } })
    const repeat =
      other === undefined
        ? system.browser('/v1/deposits', init)
        : other.app.request(
            `${COMPANION_URL}/v1/deposits`,
            {
              ...init,
              headers: { ...init.headers, origin: SHOP_URL, 'content-type': 'application/json' },
            },
            SAME_MACHINE,
          )
    await system.advance(1)
    expect(await (await repeat).json()).toMatchObject({ id: row.id, phase: 'succeeded' })
    expect(isFirstOver).toBe(false)
    expect(await (await system.browser('/v1/attempt', { headers: init.headers })).json()).toMatchObject({
      phase: 'succeeded',
    })
    hangs.resolve()
    expect((await first).status).toBe(201)
    await other?.close()
  },
)

it('a page that was reloaded between click and answer is given the payment of its key, once it is made', async () => {
  const slow = Promise.withResolvers<void>()
  system = await createTestSystem({
    agent: false,
    network: async (request, next) => {
      if (request.url.endsWith('/api/v2/payment/')) await slow.promise
      return next()
    },
  })
  const headers = { 'idempotency-key': newKey() }
  const first = system.browser('/v1/deposits', { method: 'POST', headers, body: JSON.stringify(kenyanDeposit()) })
  await system.advance(1)
  const reloaded = system.browser('/v1/attempt', { headers })
  await system.advance(1)
  slow.resolve()
  const made = (await (await first).json()) as CreatedDeposit
  expect(made).toMatchObject({ phase: 'open', checkoutUrl: expect.any(String) as string })
  expect(await (await reloaded).json()).toEqual(made)
  expect(await (await system.browser('/v1/attempt', { headers })).json()).toEqual(made)
})

it('a key in quotes, as the draft of its header writes it, is the same key without them', async () => {
  system = await createTestSystem({ agent: false })
  const key = newKey()
  const made: unknown[] = []
  for (const header of [`"${key}"`, key]) {
    const init = { method: 'POST', headers: { 'idempotency-key': header }, body: JSON.stringify(kenyanDeposit()) }
    made.push(await (await system.browser('/v1/deposits', init)).json())
  }
  expect(made[0]).toMatchObject({ phase: 'open' })
  expect(made[1]).toEqual(made[0])
})

it.each([
  ['3b9aca00-5f3c-4e2a-9d41-7c1e0a6b8f25', '3b9aca00-5f3c-4e2a-9d41-7c1e0a6b8f26'],
  // One time, and other random bits; the same bits, and another time.
  ['1764284000000-5f3c4e2a9d417c1e0a6b8f25', '1764284000000-5f3c4e2a9d417c1e0a6b8f26'],
  ['1764284000000-5f3c4e2a9d417c1e0a6b8f25', '1764284000001-5f3c4e2a9d417c1e0a6b8f25'],
])('%s and %s are two payments, each once', async (one, other) => {
  system = await createTestSystem({ agent: false })
  const create = (key: string) => pay(system, {}, key)
  const answers = await Promise.all([one, other, one, other].map((key) => create(key)))
  answers.push(await create(one), await create(other))
  const made = (await Promise.all(answers.map((answer) => answer.json()))) as CreatedDeposit[]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
  expect(new Set(made.map(({ id }) => id)).size).toBe(2)
  expect(made.slice(2)).toEqual([...made.slice(0, 2), ...made.slice(0, 2)])
  for (const [i, key] of [one, other].entries())
    expect(await (await system.browser('/v1/attempt', { headers: { 'idempotency-key': key } })).json()).toEqual(made[i])
})

it('keys of one time are stored side by side, and what is stored of a key is the same in every release', async () => {
  expect(keyHashOf('3b9aca00-5f3c-4e2a-9d41-7c1e0a6b8f25')).toBe(
    hash('sha256', '3b9aca00-5f3c-4e2a-9d41-7c1e0a6b8f25', 'hex'),
  )
  const timed = '1764284000000-5f3c4e2a9d417c1e0a6b8f25'
  expect(keyHashOf(timed)).toBe(`1764284000000.${hash('sha256', timed, 'base64url')}`)
  // Nothing of a key's random bits can be read in it.
  expect(keyHashOf(timed)).not.toContain('5f3c4e2a')
  // Digits without a hyphen are no time: they may be random.
  expect(keyHashOf('1764284000000123456789012345678901234567')).toMatch(/^[0-9a-f]{64}$/)
  const times = Array.from({ length: 100 }, (_, i) => keyHashOf(`${1764284000000 + i}-${newKey()}`))
  expect(times.toSorted()).toEqual(times)

  system = await createTestSystem({ agent: false })
  const stored = keysWritten(system)
  const init = { method: 'POST', headers: { 'idempotency-key': timed }, body: JSON.stringify(kenyanDeposit()) }
  expect((await system.browser('/v1/deposits', init)).status).toBe(201)
  expect(stored).toMatchObject([{ keyHash: keyHashOf(timed) }])
})

it('is known as the same to every release: what is stored of the body never changes', async () => {
  system = await createTestSystem({ agent: false })
  const stored = keysWritten(system)
  const body = {
    locale: 'sw',
    payer: { email: 'achieng@example.com', phone: ' +254 712-345678', name: ' Achieng Otieno ' },
    clientReference: 'cart-1',
    amount: 2500,
    bankCode: '01',
    currency: 'KES',
    country: 'KE',
  }
  const headers = { 'idempotency-key': newKey() }
  const response = await system.browser('/v1/deposits', { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(201)
  const text =
    '{"country":"KE","currency":"KES","amount":2500,"bankCode":"01",' +
    '"payer":{"name":"Achieng Otieno","phone":"+254 712-345678","email":"achieng@example.com"},' +
    '"clientReference":"cart-1","locale":"sw"}'
  expect(stored).toMatchObject([{ fingerprint: hash('sha256', text, 'hex') }])
})
