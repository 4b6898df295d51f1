// Figures, health in the words of a shop owner, and statements of the portal that are given to the
// console.
import { setImmediate } from 'node:timers/promises'
import { createReconciliation } from '../../server/console/reconciliation.ts'
import { CompanionError } from '../../server/platform/errors.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MEANINGS } from '../../server/console/health.ts'
import type { ActList, Figures, Health, Problem, ReconcileLine } from '../../server/contract/index.ts'
import { healthChecks } from '../../server/operations/health.ts'
import { ask as askOf, type Asked, createConsoleSystem, signedIn } from '../helpers/console-users.ts'
import { COMPANION_URL, kenyanDeposit, newKey, type TestSystem } from '../helpers/create-test-system.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'

type Browser = Awaited<ReturnType<typeof signedIn>>

let system: TestSystem
let viewer: Browser
let operator: Browser
beforeEach(async () => {
  system = await createConsoleSystem({
    settings: { timeZone: 'Africa/Nairobi', consoleContact: 'Amina, 0700 000 000' },
  })
  viewer = await signedIn(system, 'viewer')
  operator = await signedIn(system, 'operator')
})
afterEach(() => system.close())

const ask = <Body = Problem>(path: string, headers: Browser, asked: Asked = {}) =>
  askOf<Body>(system, path, { headers, ...asked })

const stored = (given: Parameters<typeof depositRecord>[0]) => {
  const row = depositRecord(given)
  return system.store.apply(creation(row)).then(() => row)
}

describe('figures', () => {
  it('count payments and what was paid, by hour and market, in the days of the shop', async () => {
    const at = Date.UTC(2026, 10, 21, 7, 10)
    await stored({ createdAt: at, phase: 'succeeded', settledAt: at + 25_000, amount: 1000 })
    await stored({ createdAt: at + 60_000, phase: 'succeeded', settledAt: at + 200_000, amount: 500 })
    await stored({ createdAt: at, phase: 'failed', settledAt: at + 1000 })
    await stored({ createdAt: at, phase: 'review' })
    await stored({ createdAt: at, phase: 'open', country: 'UG', currency: 'UGX' })
    await stored({ createdAt: at + 3_600_000, phase: 'rejected', settledAt: at + 3_601_000 })
    // 23:30 of the day before in Nairobi.
    await stored({ createdAt: Date.UTC(2026, 10, 20, 20, 30) })
    const { status, body } = await ask<Figures>('/v1/figures?fromDay=2026-11-21', viewer)
    expect(status).toBe(200)
    expect(body).toMatchObject({ timeZone: 'Africa/Nairobi', fromDay: '2026-11-21', toDay: '2026-11-21' })
    const hour = (given: Partial<Figures['hours'][number]>) => ({
      at: '2026-11-21T07:00:00.000Z',
      country: 'KE',
      currency: 'KES',
      started: 0,
      succeeded: 0,
      failed: 0,
      waiting: 0,
      volume: 0,
      ...given,
    })
    expect(body.hours.toSorted((a, b) => `${a.at}${a.country}`.localeCompare(`${b.at}${b.country}`))).toEqual([
      hour({ started: 4, succeeded: 2, failed: 1, waiting: 1, volume: 1500 }),
      hour({ country: 'UG', currency: 'UGX', started: 1, waiting: 1 }),
      hour({ at: '2026-11-21T08:00:00.000Z', started: 1, failed: 1 }),
    ])
    expect(body.paidAfter.filter(({ count }) => count > 0)).toEqual([
      { seconds: 30, count: 1 },
      { seconds: 180, count: 1 },
    ])
    expect(body.paidAfter.at(-1)).toEqual({ seconds: null, count: 0 })
    const uganda = (await ask<Figures>('/v1/figures?country=UG', viewer)).body
    expect(uganda.hours.map(({ started }) => started)).toEqual([1])
    const before = (await ask<Figures>('/v1/figures?fromDay=2026-11-20&toDay=2026-11-20', viewer)).body
    expect(before.hours.map(({ started }) => started)).toEqual([1])
  })

  it('have the totals of each day in each currency: what was paid, and what was paid back on it', async () => {
    const at = Date.UTC(2026, 10, 21, 7, 10)
    const paid = { phase: 'succeeded', settledAt: at } as const
    await stored({ ...paid, createdAt: at, amount: 1000 })
    // 22:00 of the day before UTC's, 01:00 in Nairobi.
    await stored({ ...paid, createdAt: Date.UTC(2026, 10, 20, 22), amount: 500 })
    await stored({ ...paid, createdAt: at, amount: 7000, country: 'UG', currency: 'UGX' })
    await stored({ createdAt: at, phase: 'failed', amount: 9000 })
    const twice = await stored({ ...paid, createdAt: at - 86_400_000, amount: 300, duplicate: true })
    const back = (on: string) => ({ on, amount: 250, how: 'M-Pesa' })
    const marked = `/v1/payments/${twice.id}/paid-back`
    expect((await ask(marked, operator, { json: back('2026-11-21') })).status).toBe(201)
    const kes = { currency: 'KES', paid: 2, paidSum: 1500, paidBack: 1, paidBackSum: 250 }
    const ugx = { currency: 'UGX', paid: 1, paidSum: 7000, paidBack: 0, paidBackSum: 0 }
    const days = async (query: string) => (await ask<Figures>(`/v1/figures?${query}`, viewer)).body.days
    expect(await days('fromDay=2026-11-21')).toEqual([
      { day: '2026-11-21', ...kes },
      { day: '2026-11-21', ...ugx },
    ])
    const before = { day: '2026-11-20', currency: 'KES', paid: 1, paidSum: 300, paidBack: 0, paidBackSum: 0 }
    expect(await days('fromDay=2026-11-20&toDay=2026-11-21&country=KE')).toEqual([
      { day: '2026-11-21', ...kes },
      before,
    ])
    expect(await days('fromDay=2026-11-21&country=UG')).toEqual([{ day: '2026-11-21', ...ugx }])
    expect(await days('fromDay=2026-11-19&toDay=2026-11-19')).toEqual([])
  })

  it('tell how long notices and the service took', async () => {
    await system.browser('/v1/deposits', {
      method: 'POST',
      body: JSON.stringify(kenyanDeposit({ payer: { name: 'Achieng', phone: '254700000001' } })),
      headers: { 'idempotency-key': newKey() },
    })
    await system.advance(20)
    const { body } = await ask<Figures>('/v1/figures', viewer)
    expect(body.hours).toMatchObject([{ started: 1, succeeded: 1, volume: 2500 }])
    const total = (delays: Figures['paidAfter']) => delays.reduce((sum, { count }) => sum + count, 0)
    expect([total(body.paidAfter), total(body.noticeAfter), total(body.serviceAfter)]).toEqual([1, 1, 1])
  })

  it('are refused for more than a month, and for days that end before they begin', async () => {
    for (const query of [
      'fromDay=2026-10-01&toDay=2026-11-01',
      'fromDay=2026-11-21&toDay=2026-11-20',
      'fromDay=2026-13-01',
    ])
      expect((await ask(`/v1/figures?${query}`, viewer)).body.code).toBe('invalid_request')
    expect((await ask('/v1/figures?fromDay=2026-10-01&toDay=2026-10-31', viewer)).status).toBe(200)
  })
})

describe('health', () => {
  it('is told in words for the owner, with who to call', async () => {
    const { body } = await ask<Health>('/v1/health', viewer)
    expect(body).toMatchObject({ takesPayments: true, contact: 'Amina, 0700 000 000' })
    const notices = body.checks.find(({ name }) => name === 'notices')
    // No background work has been done yet.
    expect(notices).toMatchObject({
      state: 'warn',
      trouble: 'no_background_work',
      call: 'technician',
      meaning: MEANINGS['notices']?.warn,
    })
    expect(body.checks.filter(({ state }) => state === 'ok').every(({ meaning }) => meaning === undefined)).toBe(true)
    await system.advance(2)
    expect((await ask<Health>('/v1/health', viewer)).body.ok).toBe(true)
  })

  it('knows what each check of the one list means', () => {
    expect(healthChecks.map(({ name }) => name).filter((name) => MEANINGS[name] === undefined)).toEqual([])
    expect(Object.keys(MEANINGS)).toHaveLength(healthChecks.length)
  })
})

describe('a statement of the portal', () => {
  async function reconcile(csv: string | Uint8Array<ArrayBuffer>, query = '', by = operator) {
    const answer = await system.companion.app.request(`${COMPANION_URL}/v1/reconciliations${query}`, {
      method: 'POST',
      headers: { ...by, 'content-type': 'text/csv' },
      body: csv,
    })
    const text = await answer.text()
    const lines = text.split('\n').filter((line) => line !== '')
    return { status: answer.status, lines: lines.map((line) => JSON.parse(line) as ReconcileLine & Partial<Problem>) }
  }

  it('is compared, with progress and a result that leads to the payments', async () => {
    const createdAt = Date.UTC(2026, 10, 21, 8)
    const ours = await stored({ reference: `HCT${'A'.repeat(21)}`, createdAt, phase: 'failed', settledAt: createdAt })
    const extra = await stored({
      reference: `HCT${'B'.repeat(21)}`,
      createdAt,
      phase: 'succeeded',
      settledAt: createdAt,
    })
    const csv =
      'reference,status,amount,date\n' +
      `${ours.reference},SUCCESS,1500,2026-11-21\nHCT${'C'.repeat(21)},SUCCESS,700,2026-11-21\n`
    const { status, lines } = await reconcile(csv)
    expect(status).toBe(200)
    expect(lines[0]).toEqual({ progress: { done: 0, of: 2 } })
    expect(lines.at(-1)).toEqual({
      result: {
        rows: 2,
        from: '2026-11-21T00:00:00.000Z',
        to: '2026-11-21T23:59:59.999Z',
        differences: [
          {
            kind: 'different',
            reference: ours.reference,
            facts: [{ code: 'paid_there', values: { phase: 'failed' } }],
            says: 'paid in the statement, failed here',
            paymentId: ours.id,
          },
          {
            kind: 'missing',
            reference: `HCT${'C'.repeat(21)}`,
            facts: [{ code: 'paid_unknown', values: { money: '700', line: '3' } }],
            says: 'paid 700 in line 3, not known here',
          },
          {
            kind: 'extra',
            reference: extra.reference,
            facts: [
              { code: expect.stringMatching(/^only_here/) as string, values: { money: expect.any(String) as string } },
            ],
            says: expect.any(String) as string,
            paymentId: extra.id,
          },
        ],
      },
    })
    const { acts } = (await ask<ActList>('/v1/acts', await signedIn(system, 'owner'))).body
    expect(acts.find(({ act }) => act === 'reconcile')).toMatchObject({ by: 'the.operator', result: 'done' })
    // Another one can follow.
    expect((await reconcile(csv, '?fromDay=2026-11-20&toDay=2026-11-21')).status).toBe(200)
  })

  it('leads to a payment that it has twice, and is given up where nearly nothing fits', async () => {
    const createdAt = Date.UTC(2026, 10, 21, 8)
    const row = await stored({ createdAt, phase: 'succeeded', settledAt: createdAt, reference: `HCT${'A'.repeat(21)}` })
    const paid = `${row.reference},SUCCESS,${row.amount},2026-11-21\n`
    const head = 'reference,status,amount,date\n'
    const { lines: twice } = await reconcile(head + paid + paid)
    expect(twice.at(-1)).toMatchObject({ result: { differences: [{ kind: 'different', paymentId: row.id }] } })
    const strange = Array.from({ length: 10_001 }, (_, n) => `X${n},SUCCESS,1,2026-11-21\n`)
    const { lines } = await reconcile(head + strange.join(''))
    expect(lines.at(-1)).toEqual({
      problem: {
        code: 'statement_unreadable',
        detail: expect.stringContaining('More than 10000 differences'),
        issues: [expect.objectContaining({ code: 'too_many_differences', values: { most: '10000' } })],
      },
    })
  })

  it('is compared alone, and to its end also where nobody reads the answer', async () => {
    const file = Buffer.from('reference,status,amount,date\nX,SUCCESS,1,2026-11-21\n')
    const { begin } = createReconciliation({ store: system.store, onError: () => {} })
    begin(file, {})
    expect(() => begin(file, {})).toThrow('Another statement')
    for (let n = 0; n < 10; n++) await setImmediate()
    expect(() => begin(Buffer.from('x'), {})).toThrow(CompanionError)
    const lines = begin(file, {})
    expect((await lines.next()).value).toEqual({ progress: { done: 0, of: 1 } })
  })

  it('that cannot be read is refused with the line and the reason', async () => {
    for (const [csv, code, reason] of [
      ['', 'empty', /empty/],
      ['reference,status,amount\nx,SUCCESS,1', 'no_dates', /no line.*date/i],
      ['reference,status,amount,date\nx,MAYBE,1,2026-11-21', 'unknown_status', /Line 2: the status "MAYBE"/],
      [new Uint8Array([0xff, 0xfe, 0x00]), 'not_utf8', /not UTF-8/],
    ] as const) {
      const { status, lines } = await reconcile(csv)
      expect([status, lines[0]?.code]).toEqual([422, 'statement_unreadable'])
      expect(lines[0]?.detail).toMatch(reason)
      expect(lines[0]?.issues).toEqual([expect.objectContaining({ path: '', code, message: lines[0]?.detail })])
    }
    expect((await reconcile('x'.repeat(8 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await reconcile('reference,status,amount', '', viewer)).status).toBe(403)
    expect((await ask('/v1/reconciliations', operator, { json: {} })).body.code).toBe('unsupported_media_type')
  })
})
