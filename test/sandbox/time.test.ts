// Time in the sandbox, exact to the millisecond on a moved clock: sessions, orders, tokens,
// retries, the rate limit.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxFixture, MERCHANT, START, type SandboxFixture } from './sandbox-fixture.ts'

let fixture: SandboxFixture
beforeEach(() => {
  fixture = createSandboxFixture()
})
afterEach(() => fixture.sandbox.close())
const forward = (seconds: number) => fixture.sandbox.clock.advance(seconds)
const status = async (reference: string) => (await fixture.query(reference)).json.data.status as string

describe('a checkout', () => {
  test('is PENDING for 15 minutes without a locked order, and FAILED with 1037 at their end', async () => {
    await fixture.create({ reference: 'A' })
    await forward(899.999)
    expect(await status('A')).toBe('PENDING')
    expect(fixture.callbacks).toHaveLength(0)
    await forward(0.001)
    expect(await status('A')).toBe('FAILED')
    expect(fixture.callbacks.map(({ at, body }) => [at - START, body.result_code])).toEqual([[900_000, 1037]])
  })
  test('with a locked order stays PENDING for 24 hours from the lock, not from the creation', async () => {
    await fixture.create({ reference: 'A' })
    await forward(899)
    await fixture.console('POST', 'transactions/A/lock')
    await forward(86_399.999)
    expect(await status('A')).toBe('PENDING')
    await forward(0.001)
    expect(await status('A')).toBe('FAILED')
    expect(fixture.callbacks.map(({ at }) => at - START)).toEqual([899_000 + 86_400_000])
  })
  test('is confirmed by the automatic agent 4 seconds after the customer says paid', async () => {
    await fixture.create({ reference: 'A' })
    await fixture.console('POST', 'transactions/A/lock')
    await fixture.console('POST', 'transactions/A/paid')
    await forward(3.999)
    expect(await status('A')).toBe('PENDING')
    await forward(0.001)
    expect(await status('A')).toBe('SUCCESS')
  })
  test('waits for people where the automatic agent is switched off', async () => {
    const manual = createSandboxFixture({ agent: false })
    await manual.create({ reference: 'A' })
    await manual.console('POST', 'transactions/A/lock')
    await manual.console('POST', 'transactions/A/paid')
    await manual.sandbox.clock.advance(80_000)
    expect((await manual.query('A')).json.data.status).toBe('PENDING')
    expect((await manual.console('GET', 'inbox')).data).toHaveLength(1)
    await manual.console('POST', 'transactions/A/confirm')
    expect((await manual.query('A')).json.data.status).toBe('SUCCESS')
    await manual.sandbox.close()
  })
})

describe('a token', () => {
  test('lives 3600 seconds and not a millisecond more', async () => {
    const token = await fixture.login()
    await forward(3599.999)
    expect((await fixture.create({}, token)).status).toBe(200)
    await forward(0.001)
    expect((await fixture.create({}, token)).status).toBe(401)
  })
  test('ends when it is revoked, and the others live on', async () => {
    const [one, other] = [await fixture.login(), await fixture.login()]
    const [, first] = (await fixture.console('GET', 'tokens')).data
    await fixture.console('POST', 'tokens', { revoke: first.id })
    const answers = [await fixture.create({}, one), await fixture.create({}, other)]
    expect(new Set(answers.map(({ status: code }) => code))).toEqual(new Set([200, 401]))
    expect((await fixture.console('POST', 'tokens', { revoke: 'all' })).data.revoked).toBeGreaterThan(0)
    expect((await fixture.create({}, other)).status).toBe(401)
  })
})

describe('a callback that is not answered with 200', () => {
  const SCHEDULE = [5, 30, 120, 600, 3600, 21_600, 86_400]
  test.each([[204], [201], [301], [400], [404], [500], [503]])(
    'is tried again on the schedule when the answer is %i, then dead, then sent by hand',
    async (code) => {
      const one = createSandboxFixture({ random: countingRandom() })
      one.receiver.answer = () =>
        new Response(null, { status: code, headers: { Location: 'https://elsewhere.example/' } })
      await one.create({ reference: 'A', acc_no: '254700000003' })
      await one.sandbox.clock.advance(200_000)
      const pauses = one.callbacks.map(({ at }, index) => (at - (one.callbacks[index - 1]?.at ?? at)) / 1000).slice(1)
      expect(pauses).toHaveLength(SCHEDULE.length)
      for (const [index, pause] of pauses.entries()) {
        expect(pause).toBeGreaterThanOrEqual(SCHEDULE[index]!)
        expect(pause).toBeLessThanOrEqual(SCHEDULE[index]! * 1.1)
      }
      // Chance has its part: the retries of many merchants do not come in one wave.
      expect(pauses.some((pause, index) => pause !== SCHEDULE[index])).toBe(true)
      const [delivery] = (await one.console('GET', 'deliveries')).data
      expect(delivery).toMatchObject({ state: 'dead', attempts: 8, next_at: null })
      expect(delivery.log.map(({ status: answer }: { status: number }) => answer)).toEqual(Array(8).fill(code))
      one.receiver.answer = () => new Response('thanks')
      await one.console('POST', `deliveries/${delivery.id}/resend`)
      await one.sandbox.tick()
      expect((await one.console('GET', `deliveries/${delivery.id}`)).data).toMatchObject({
        state: 'delivered',
        attempts: 9,
      })
      expect(new Set(one.callbacks.map(({ raw }) => raw)).size).toBe(1)
      await one.sandbox.close()
    },
  )
  test('is tried at the exact times of the schedule when chance adds nothing', async () => {
    let still = false
    const random = countingRandom()
    const exact = createSandboxFixture({ random: (bytes) => (still ? new Uint8Array(bytes) : random(bytes)) })
    exact.receiver.answer = () => Response.error()
    await exact.create({ acc_no: '254700000003' })
    still = true
    await exact.sandbox.clock.advance(2 + SCHEDULE.reduce((sum, pause) => sum + pause, 0))
    const times = exact.callbacks.map(({ at }) => (at - START) / 1000)
    expect(times).toEqual(SCHEDULE.reduce((list, pause) => [...list, list.at(-1)! + pause], [2]))
    await exact.sandbox.close()
  })
  test('stops being tried once it is answered with 200', async () => {
    fixture.receiver.answer = () => new Response(null, { status: fixture.callbacks.length < 3 ? 500 : 200 })
    await fixture.create({ acc_no: '254700000001' })
    await forward(200_000)
    expect(fixture.callbacks).toHaveLength(3)
  })
})

function countingRandom(): (bytes: number) => Uint8Array {
  let state = 1
  return (bytes) =>
    new Uint8Array(bytes).map(() => {
      state = (state * 48_271) % 2_147_483_647
      return state & 255
    })
}

describe('the request budget', () => {
  test('is 1500 in any minute over all endpoints together; then 429 with a Retry-After that is true', async () => {
    await fixture.sandbox.close()
    fixture = createSandboxFixture({ rate: 1500 })
    const headers = { Authorization: `Bearer ${await fixture.login()}` }
    const call = () => fixture.post('/api/v2/banks/get-by-country', { country_code: 'TG' }, headers)
    await forward(10)
    for (let count = 1; count < 1500; count += 1)
      await fixture.request('/api/v2/banks/get-by-country', { method: 'POST', headers })
    const refused = await call()
    expect([refused.status, refused.json.message, refused.headers.get('Retry-After')]).toEqual([
      429,
      'Rate limit exceeded.',
      '50',
    ])
    await forward(49.999)
    expect((await call()).status).toBe(429)
    await forward(0.001)
    expect((await call()).status).toBe(200)
    expect((await call()).headers.get('Retry-After')).toBe('10')
    const { consumerKey: consumer_key, consumerSecret: consumer_secret } = MERCHANT
    expect((await fixture.post('/api/v2/auth/login', { consumer_key, consumer_secret })).status).toBe(429)
  })
  test('can be switched off', async () => {
    const headers = { Authorization: `Bearer ${await fixture.login()}` }
    for (let count = 0; count < 1600; count += 1)
      await fixture.request('/api/v2/banks/get-by-country', { method: 'POST', headers })
    expect((await fixture.post('/api/v2/banks/get-by-country', { country_code: 'TG' }, headers)).status).toBe(200)
  })
})

describe('what has ended 90 days ago', () => {
  const DAYS = 86_400
  const rows = async (path: string): Promise<string[]> =>
    ((await fixture.console('GET', path)).data as { reference: string }[]).map(({ reference }) => reference)

  test('is deleted with its callbacks at the next create, and its reference stays taken', async () => {
    await fixture.create({ reference: 'OLD', acc_no: '254700000003' })
    await forward(10 * DAYS)
    await fixture.create({ reference: 'YOUNG', acc_no: '254700000003' })
    await forward(80 * DAYS)
    await fixture.create({ reference: 'NEW' })
    expect(await rows('transactions')).toEqual(['NEW', 'YOUNG', 'OLD'])
    await forward(3)
    expect((await fixture.create({ reference: 'NEWER' })).status).toBe(200)
    expect(await rows('transactions')).toEqual(['NEWER', 'NEW', 'YOUNG'])
    expect(await rows('deliveries')).toEqual(['YOUNG'])
    expect((await fixture.query('OLD')).json.message).toBe('Transaction not found.')
    expect((await fixture.create({ reference: 'OLD' })).json.message).toBe('Duplicate reference.')
  })
  test('is kept while a callback of it is on its way, and after a late success', async () => {
    for (const reference of ['SENT', 'LATE']) await fixture.create({ reference, acc_no: '254700000003' })
    await forward(89 * DAYS)
    await fixture.console('POST', 'transactions/LATE/confirm')
    await forward(2 * DAYS)
    fixture.receiver.answer = () => new Response(null, { status: 503 })
    const [sent] = (await fixture.console('GET', 'transactions/SENT')).data.deliveries
    await fixture.console('POST', `deliveries/${sent.id}/resend`)
    await fixture.create({ reference: 'NEW' })
    expect((await rows('transactions')).toSorted()).toEqual(['LATE', 'NEW', 'SENT'])
    await forward(2 * DAYS)
    await fixture.create({ reference: 'NEWER' })
    expect((await rows('transactions')).toSorted()).toEqual(['LATE', 'NEW', 'NEWER'])
  })
})
