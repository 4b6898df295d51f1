// The state machine: every phase with every input, then long random sequences against a second,
// independent model of the rules.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DepositPhase } from '../../server/contract/index.ts'
import { decide } from '../../server/deposits/machine/decide.ts'
import type { Context, Input } from '../../server/deposits/machine/transition.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { isAbsorbing } from '../../server/deposits/machine/phases.ts'
import { depositRecord, START } from '../helpers/deposit-record.ts'
import { next } from './model.ts'
import type { Model } from './model.ts'

const MINUTE = 60_000
const phases = DepositPhase.options
const at = (ms: number, changes: Partial<Context> = {}): Context => ({
  now: START + ms,
  trustedNow: START + ms,
  watched: false,
  paidElsewhere: false,
  ...changes,
})

function depositIn(phase: DepositPhase, changes: Partial<Deposit> = {}): Deposit {
  const isKnown = phase !== 'creating' && phase !== 'unknown' && phase !== 'rejected'
  return depositRecord({
    phase,
    dueAt: START + 1,
    ...(isKnown ? { transactionId: 'CP1', checkoutUrl: 'https://checkout.example/c/1' } : {}),
    ...(phase === 'review' ? { reviewReason: 'redirect_origin' } : {}),
    ...(phase === 'failed' || phase === 'expired' ? { settledAt: START } : {}),
    ...changes,
  })
}

const created: Input = {
  kind: 'created',
  transactionId: 'CP1',
  checkoutUrl: 'https://checkout.example/c/1',
  urlAllowed: true,
}
const callback = (kind: 'success' | 'failed', resultCode: string): Input => ({
  kind: 'callback',
  decides: false,
  reported: { kind, resultCode, resultDescription: 'text' },
})
const answered = (status: 'PENDING' | 'SUCCESS' | 'FAILED', reference: string): Input => ({
  kind: 'answered',
  status,
  reference,
  transactionId: 'CP1',
  description: 'text',
})
const reviewed = (outcome: 'succeeded' | 'failed'): Input => ({
  kind: 'reviewed',
  outcome,
  reason: 'looked up',
  by: 'Clerk',
})

/** What changes; whoever is not named stays as it is. */
const table: readonly (readonly [name: string, age: number, input: (deposit: Deposit) => Input, changes: Partial<Record<DepositPhase, DepositPhase>>])[] = [
  ['an address of the service', MINUTE, () => created, { creating: 'open', unknown: 'open' }],
  ['a foreign address', MINUTE, () => ({ ...created, urlAllowed: false }), { creating: 'review', unknown: 'review', open: 'review', confirming: 'review' }],
  ['another transaction for the same reference', MINUTE, () => ({ ...created, transactionId: 'CP2' }), { creating: 'open', unknown: 'open', open: 'review', confirming: 'review' }],
  ['a refusal of the create', MINUTE, () => ({ kind: 'create-refused', code: 'market_off', message: 'no' }), { creating: 'rejected', unknown: 'rejected' }],
  ['a create that never reached the service', MINUTE, () => ({ kind: 'create-not-processed' }), { creating: 'rejected', unknown: 'rejected' }],
  ['a create without an answer', MINUTE, () => ({ kind: 'create-unknown', reason: 'timeout' }), { creating: 'unknown' }],
  ['a callback of success', MINUTE, () => callback('success', '0'), { creating: 'confirming', unknown: 'confirming', open: 'confirming' }],
  ['a callback of failure', MINUTE, () => callback('failed', '1032'), { creating: 'confirming', unknown: 'confirming', open: 'confirming' }],
  ['the word SUCCESS', MINUTE, ({ reference }) => answered('SUCCESS', reference), { creating: 'succeeded', unknown: 'succeeded', open: 'succeeded', confirming: 'succeeded', abandoned: 'succeeded', failed: 'succeeded', expired: 'succeeded' }],
  ['the word FAILED before the 15 minutes', MINUTE, ({ reference }) => answered('FAILED', reference), { creating: 'failed', unknown: 'failed', open: 'failed', confirming: 'failed', abandoned: 'failed' }],
  ['the word FAILED after the 15 minutes', 16 * MINUTE, ({ reference }) => answered('FAILED', reference), { creating: 'expired', unknown: 'expired', open: 'expired', confirming: 'expired', abandoned: 'expired' }],
  ['the word PENDING', MINUTE, ({ reference }) => answered('PENDING', reference), { creating: 'abandoned', unknown: 'abandoned' }],
  ['the word PENDING after the 15 minutes', 16 * MINUTE, ({ reference }) => answered('PENDING', reference), { creating: 'abandoned', unknown: 'abandoned' }],
  ['an answer about another reference', MINUTE, () => answered('SUCCESS', 'HCTOTHER'), { creating: 'review', unknown: 'review', open: 'review', confirming: 'review' }],
  ['not found, once', MINUTE, () => ({ kind: 'not-found' }), {}],
  ['not found, once and long after', 16 * MINUTE, () => ({ kind: 'not-found' }), {}],
  ['a missing query path', MINUTE, () => ({ kind: 'query-missing' }), {}],
  ['a query that failed', 16 * MINUTE, () => ({ kind: 'query-failed' }), {}],
  ['a contract without a query', 16 * MINUTE, () => ({ kind: 'no-query' }), {}],
  ['"I have not sent money"', MINUTE, () => ({ kind: 'replaced', by: 'dep_2' }), { open: 'abandoned', unknown: 'abandoned' }],
  ['a callback with another sum, cut anew', MINUTE, () => ({ kind: 'callback-differs', detail: 'amount', signed: false }), {}],
  ['a callback with another sum, signed by the service', MINUTE, () => ({ kind: 'callback-differs', detail: 'KES 1', signed: true }), {}],
  ['an order that another payment has paid', MINUTE, () => ({ kind: 'order-paid' }), { creating: 'abandoned', unknown: 'abandoned', open: 'abandoned' }],
  ['a person says paid', MINUTE, () => reviewed('succeeded'), { review: 'succeeded' }],
  ['a person says failed', MINUTE, () => reviewed('failed'), { review: 'failed' }],
  ['the transaction of another deposit', MINUTE, () => ({ kind: 'transaction-conflict' }), { creating: 'review', unknown: 'review', open: 'review', confirming: 'review' }],
] // prettier-ignore

describe.each(table)('%s', (_name, age, input, changes) => {
  it.each(phases)('while it is %s', (phase) => {
    const before = depositIn(phase)
    const { deposit, moved } = decide(before, input(before), at(age))
    expect(deposit.phase).toBe(changes[phase] ?? phase)
    if (changes[phase] !== undefined) expect(moved).toBe(true)
    expect(deposit.version).toBe(before.version + (moved ? 1 : 0))
  })
})

describe('the money rules', () => {
  it('what the service has named a transaction for is never rejected, whatever the create is said to have come to', () => {
    for (const phase of ['creating', 'unknown'] as const)
      for (const input of [
        { kind: 'create-not-processed' },
        { kind: 'create-refused', code: 'market_off', message: 'no' },
      ] as const)
        expect(decide(depositIn(phase, { transactionId: 'CP1' }), input, at(MINUTE)).deposit.phase).toBe(phase)
  })

  it('a create that our own budget kept back is not told as a service that cannot be reached', () => {
    const codeOf = (reason: string) =>
      decide(depositIn('creating'), { kind: 'create-not-processed', reason }, at(MINUTE)).deposit.resultCode
    expect([codeOf('upstream_budget'), codeOf('dns')]).toEqual(['rate_limited', 'upstream_unavailable'])
  })

  it('a callback decides nothing, whatever it says and however often it comes', () => {
    for (const phase of phases) {
      for (const input of [callback('success', '0'), callback('failed', '1032')]) {
        let deposit = depositIn(phase)
        for (let turn = 0; turn < 20; turn++) deposit = decide(deposit, input, at(turn * 1000)).deposit
        expect(['creating', 'unknown', 'open', 'confirming'].includes(phase) ? 'confirming' : phase).toBe(deposit.phase)
      }
    }
  })

  it('a late callback is stored with its query, so that a crash after its 200 forgets nothing', () => {
    for (const phase of ['failed', 'expired', 'abandoned', 'review'] as const) {
      const { deposit } = decide(depositIn(phase, { dueAt: START + 86_400_000 }), callback('success', '0'), at(MINUTE))
      expect(deposit.dueAt).toBeLessThanOrEqual(START + MINUTE + 30_000)
    }
  })

  it('what a callback calls paid is asked about again soon, while the query still lags behind it', () => {
    for (const [phase, status] of [
      ['failed', 'FAILED'],
      ['abandoned', 'PENDING'],
    ] as const) {
      const before = depositIn(phase, { asks: 40, dueAt: START + 86_400_000 })
      let { deposit } = decide(before, callback('success', '0'), at(25 * 60 * MINUTE))
      // The first answer may have been on its way when the callback came.
      for (let asked = 0; asked < 7; asked++) {
        const { now } = at(25 * 60 * MINUTE + asked * MINUTE)
        deposit = decide(deposit, answered(status, deposit.reference), at(now - START)).deposit
        expect(deposit.dueAt! - now).toBeLessThanOrEqual(MINUTE)
      }
      const { dueAt } = decide(deposit, answered(status, deposit.reference), at(26 * 60 * MINUTE)).deposit
      expect(dueAt! - at(26 * 60 * MINUTE).now).toBeGreaterThan(MINUTE)
    }
  })

  it('so is what it calls paid past the 30 days, when nothing would be asked about any more', () => {
    const late = 31 * 24 * 60 * MINUTE
    for (const [phase, status] of [
      ['failed', 'FAILED'],
      ['abandoned', 'PENDING'],
    ] as const) {
      let { deposit } = decide(depositIn(phase, { asks: 40, dueAt: START + late }), callback('success', '0'), at(late))
      let asked = 0
      for (; deposit.dueAt !== undefined && asked < 20; asked++)
        deposit = decide(deposit, answered(status, deposit.reference), at(deposit.dueAt - START)).deposit
      expect([phase, asked]).toEqual([phase, 8])
    }
  })

  it('also when the service answers none of the first questions', () => {
    const late = 31 * 24 * 60 * MINUTE
    for (const phase of ['failed', 'expired', 'abandoned'] as const) {
      let { deposit } = decide(depositIn(phase, { asks: 40, dueAt: START + late }), callback('success', '0'), at(late))
      for (let asked = 0; asked < 50; asked++) {
        expect(deposit.dueAt).toBeDefined()
        deposit = decide(deposit, { kind: 'query-failed' }, at((deposit.dueAt ?? 0) - START)).deposit
      }
      expect(decide(deposit, answered('SUCCESS', deposit.reference), at(late + 60 * MINUTE)).deposit).toMatchObject({
        phase: 'succeeded',
        late: true,
      })
    }
  })

  it('queries without an answer use up none of what is asked soon after a callback, and are not endless', () => {
    for (const failures of [1, 6, 7, 8, 14]) {
      let { deposit } = decide(depositIn('open'), callback('success', '0'), at(0))
      const dueIn = () => (deposit.dueAt ?? 0) - START
      for (let asked = 0; asked < failures; asked++) {
        const now = dueIn()
        deposit = decide(deposit, { kind: 'query-failed' }, at(now)).deposit
        // No outage is prolonged by more than it has lasted.
        expect(dueIn() - now).toBeLessThanOrEqual(Math.min(Math.max(MINUTE, now), 5 * MINUTE))
      }
      // The service is back, and lags behind its callback.
      const waits: number[] = []
      for (let asked = 0; asked < 12 && deposit.phase === 'confirming'; asked++) {
        const now = dueIn()
        deposit = decide(deposit, answered('PENDING', deposit.reference), at(now)).deposit
        waits.push(dueIn() - now)
      }
      expect(deposit.phase).toBe('open')
      if (failures < 7) expect(waits.at(-1)).toBe(MINUTE)
      else expect(waits.map((wait) => wait / 1000)).toEqual([1, 2, 4, 8, 15, 30, 60])
    }
    let { deposit } = decide(depositIn('open'), callback('success', '0'), at(0))
    let asked = 0
    for (; (deposit.dueAt ?? 0) < START + 24 * 60 * MINUTE; asked++)
      deposit = decide(deposit, { kind: 'query-failed' }, at((deposit.dueAt ?? 0) - START)).deposit
    expect(asked).toBeLessThan(330)
  })

  it('an outage after a callback puts off the late success of what had ended or was given up by minutes, not by days', () => {
    // A gateway may say 404 in the service's stead: that it has no status query.
    for (const [kind, phase, within] of [
      ['query-failed', 'abandoned', 1],
      ['query-failed', 'failed', 5],
      ['query-missing', 'abandoned', 1],
      ['query-missing', 'failed', 1],
    ] as const) {
      const late = 3 * 24 * 60 * MINUTE
      const before = depositIn(phase, { settledAt: START })
      let { deposit } = decide(before, callback('success', '0'), at(late))
      for (let asked = 0; asked < 20; asked++) {
        const now = deposit.dueAt ?? 0
        deposit = decide(deposit, { kind }, at(now - START)).deposit
        expect((deposit.dueAt ?? 0) - now).toBeLessThanOrEqual(within * MINUTE)
      }
      // Back, and not yet up to date.
      const now = deposit.dueAt ?? 0
      const status = phase === 'failed' ? 'FAILED' : 'PENDING'
      deposit = decide(deposit, answered(status, deposit.reference), at(now - START)).deposit
      expect((deposit.dueAt ?? 0) - now).toBe(MINUTE)
    }
  })

  it('a success after an end is told as late, a second one of a session as duplicate', () => {
    const failed = depositIn('failed')
    expect(decide(failed, answered('SUCCESS', failed.reference), at(MINUTE))).toMatchObject({
      notice: 'payment.succeeded',
      deposit: { late: true, duplicate: false },
    })
    expect(decide(failed, answered('SUCCESS', failed.reference), at(MINUTE, { paidElsewhere: true }))).toMatchObject({
      notice: 'payment.duplicate',
      deposit: { late: true, duplicate: true },
    })
  })

  it('no number of extra questions uses up the asks after a soft end', () => {
    let deposit = depositIn('failed', { settledAt: START })
    for (let turn = 0; turn < 500; turn++)
      deposit = decide(deposit, answered('FAILED', deposit.reference), at(turn * 100)).deposit
    expect(deposit.dueAt).toBeDefined()
    for (let turn = 0; turn < 500; turn++)
      deposit = decide(deposit, { kind: 'query-failed' }, at(turn * 3_600_000)).deposit
    expect(deposit.dueAt).toBeDefined()
  })

  it('what is absorbed never changes, by no input', () => {
    for (const phase of ['succeeded', 'rejected'] as const) {
      for (const [, age, input] of table) {
        const before = depositIn(phase)
        const given = input(before)
        const { deposit, notice } = decide(before, given, at(age))
        expect(notice).toBeUndefined()
        // A sum that the service signed is marked also there, for a person; nothing else is.
        if (given.kind === 'callback-differs' && given.signed)
          expect(deposit).toEqual({ ...before, disputedSum: true, version: before.version + 1, updatedAt: START + age })
        else expect(deposit).toBe(before)
      }
    }
  })

  it('after a sum that the service signed only a query that names ours is credited', () => {
    const signed: Input = { kind: 'callback-differs', detail: 'KES 1 instead of KES 1500', signed: true }
    const said = (before: Deposit, changes: object) =>
      decide(before, { ...answered('SUCCESS', before.reference), ...changes }, at(MINUTE))
    for (const phase of ['open', 'confirming', 'unknown'] as const) {
      const marked = decide(depositIn(phase), signed, at(0))
      expect(marked).toMatchObject({ deposit: { phase }, moved: true, timeline: [{ kind: 'callback_sum' }] })
      // Once: whoever holds the callback can send it again.
      expect(decide(marked.deposit, signed, at(0))).toEqual({ deposit: marked.deposit, moved: false, timeline: [] })
      expect(said(marked.deposit, {})).toMatchObject({
        deposit: { phase: 'review', reviewReason: 'callback_sum' },
        notice: 'payment.review',
        alert: 'review:callback_sum',
      })
      expect(said(marked.deposit, { sameSum: true }).deposit.phase).toBe('succeeded')
    }
    const decided = { ...callback('success', '0'), decides: true } as Input
    expect(decide(decide(depositIn('open'), signed, at(0)).deposit, decided, at(0)).deposit.phase).toBe('confirming')
  })

  it('a callback said paid and no query agrees: a person is told after 15 minutes, once', () => {
    const answers: readonly ((deposit: Deposit) => Input)[] = [
      ({ reference }) => answered('PENDING', reference),
      ({ reference }) => answered('FAILED', reference),
      () => ({ kind: 'query-failed' }),
      () => ({ kind: 'query-failed', retryAfterMs: 2 * 3_600_000 }),
    ]
    for (const phase of ['open', 'failed', 'expired', 'abandoned'] as const)
      for (const answer of answers) {
        let deposit = decide(depositIn(phase), callback('success', '0'), at(0)).deposit
        const told: number[] = []
        // Asked whenever a query is due, and at no other time.
        for (let asks = 0; asks < 60 && deposit.dueAt !== undefined; asks++) {
          const now = deposit.dueAt - START
          const { deposit: next, alert, timeline } = decide(deposit, answer(deposit), at(now))
          if (alert === 'callback_unconfirmed') told.push(now)
          expect(timeline.some(({ kind }) => kind === 'unconfirmed')).toBe(alert === 'callback_unconfirmed')
          deposit = next
        }
        expect(told).toEqual([15 * MINUTE])
      }
  })

  it('and it takes a query to say so: neither another callback nor the answer to the create does', () => {
    const paid = decide(depositIn('creating'), callback('success', '0'), at(0)).deposit
    for (const input of [callback('success', '0'), created])
      expect(decide(paid, input, at(16 * MINUTE))).not.toHaveProperty('alert')
  })

  it('nobody is told of a paid payment that the query confirms, nor of one that a callback called failed', () => {
    const paid = decide(depositIn('open'), callback('success', '0'), at(0)).deposit
    const late = decide(paid, answered('SUCCESS', paid.reference), at(16 * MINUTE))
    expect([late.deposit.phase, late.alert]).toEqual(['succeeded', undefined])
    const failed = decide(depositIn('open'), callback('failed', '1032'), at(0)).deposit
    expect(decide(failed, answered('PENDING', failed.reference), at(16 * MINUTE)).alert).toBeUndefined()
  })

  it('a missing query path is borne for 15 minutes, then a person is told; when it is back, the payment goes on', () => {
    let deposit = depositIn('open')
    for (let minute = 1; minute <= 15; minute++)
      deposit = decide(deposit, { kind: 'query-missing' }, at(minute * MINUTE)).deposit
    expect(deposit.phase).toBe('open')
    const told = decide(deposit, { kind: 'query-missing' }, at(16 * MINUTE))
    expect(told).toMatchObject({
      notice: 'payment.review',
      deposit: { phase: 'review', reviewReason: 'query_missing' },
    })
    expect(decide(told.deposit, answered('PENDING', deposit.reference), at(17 * MINUTE)).deposit.phase).toBe('open')
  })
})

interface Real {
  deposit: Deposit
  elapsed: number
}

class Step implements fc.Command<Model, Real> {
  readonly input: Input
  readonly wait: number
  constructor(input: Input, wait: number) {
    this.input = input
    this.wait = wait
  }
  check = () => true
  run(model: Model, real: Real): void {
    const before = real.deposit
    real.elapsed += this.wait
    const decision = decide(
      before,
      this.input.kind === 'answered' ? { ...this.input, reference: before.reference } : this.input,
      at(real.elapsed),
    )
    const notice = next(model, this.input, real.elapsed)
    real.deposit = decision.deposit
    expect({
      phase: decision.deposit.phase,
      version: decision.deposit.version,
      overdue: decision.deposit.overdue,
      notice: decision.notice,
    }).toEqual({ phase: model.phase, version: model.version, overdue: model.overdue, notice })
    if (isAbsorbing(before.phase) && this.input.kind !== 'callback-differs') expect(decision.deposit).toBe(before)
    const { phase, dueAt } = decision.deposit
    // Whatever has no end yet is asked about again: nothing gets stuck. (Within the 30 days.)
    if (!isAbsorbing(phase)) expect(dueAt).toBeDefined()
  }
  toString = () => `${this.input.kind}${'status' in this.input ? ` ${this.input.status}` : ''} after ${this.wait}`
}

const begun = (): { model: Model; real: Real } => ({
  model: { phase: 'creating', version: 1, url: false, known: false, overdue: false, asks: 0 },
  real: { deposit: depositRecord({ phase: 'creating', dueAt: START + 30_000 }), elapsed: 0 },
})

describe('long stories', () => {
  it('go as the second telling says, through any inputs in any order', () => {
    const inputs: readonly Input[] = table
      .filter(([name]) => !name.startsWith('another') && !name.startsWith('an answer about'))
      .map(([, , input]) => input(depositIn('open')))
    const step = fc
      .record({
        input: fc.constantFrom(...inputs),
        wait: fc.constantFrom(0, 100, 3_000, 31_000, 5 * MINUTE, 16 * MINUTE),
      })
      .map(({ input, wait }) => new Step(input, wait))
    fc.assert(
      fc.property(fc.commands([step], { maxCommands: 60 }), (commands) => {
        fc.modelRun(begun, commands)
      }),
      { numRuns: Number(process.env['HC_MODEL_RUNS'] ?? 3_000) },
    )
  })

  it('also where queries without an answer have used up the quick ones, which begin anew', () => {
    const { model, real } = begun()
    const inputs: readonly Input[] = [
      callback('success', '0'),
      ...Array.from({ length: 7 }, (): Input => ({ kind: 'query-failed' })),
      ...Array.from({ length: 7 }, () => answered('PENDING', '')),
    ]
    const told = inputs.map((input) => {
      new Step(input, 31_000).run(model, real)
      return real.deposit.phase
    })
    expect(told).toEqual([...inputs.slice(1).map(() => 'confirming'), 'abandoned'])
  })
})
