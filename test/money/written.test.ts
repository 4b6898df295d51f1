// What an answer to create, a callback and a person write, field by field: the row, its timeline
// entry, the notice, the alert, and the next due time. What the answers to a status query write is
// in written-query.test.ts, the phases themselves in decide.test.ts. CONTRIBUTING.md "The money
// rules".
import { describe, expect, it } from 'vitest'
import type { DepositPhase } from '../../server/contract/index.ts'
import type { Input } from '../../server/deposits/machine/transition.ts'
import { decide } from '../../server/deposits/machine/decide.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { nextAskIn } from '../../server/deposits/machine/schedule.ts'
import { noticeId } from '../../server/deposits/identity.ts'
import { START } from '../helpers/deposit-record.ts'
import {
  DAY,
  GONE,
  HOUR,
  MINUTE,
  SECOND,
  after,
  created,
  deciding,
  failure,
  inPhase,
  known,
  moved,
  nothing,
  outcome,
  resolve,
  says,
  success,
} from './written-outcome.ts'

describe('the answer to create', () => {
  it('opens the payment with its address and transaction, asked about in a minute', () => {
    for (const phase of ['creating', 'unknown'] as const)
      expect(outcome(inPhase(phase), created)).toEqual(
        moved({ ...known, phase: 'open', asks: 0, dueAt: after(MINUTE) }, [{ kind: 'created' }]),
      )
  })

  it('is asked about in 12 seconds when somebody looks on', () => {
    expect(outcome(inPhase('creating'), created, MINUTE, { watched: true })).toMatchObject({
      row: { dueAt: after(12 * SECOND) },
    })
  })

  it('that comes after the callback adds the address and lets the confirming go on as it was', () => {
    expect(outcome(inPhase('confirming'), created)).toEqual(moved({ ...known }, [{ kind: 'created' }]))
  })

  it('that comes after the end is noted once, and its address is never handed out', () => {
    for (const phase of ['abandoned', 'failed', 'expired', 'review'] as const) {
      expect(outcome(inPhase(phase), created)).toEqual(moved({ transactionId: 'CP1' }, [{ kind: 'created_late' }]))
      expect(outcome(inPhase(phase, { transactionId: 'CP1' }), created)).toEqual(nothing)
    }
    expect(outcome(inPhase('open', known), created)).toEqual(nothing)
  })

  it('with an address elsewhere stops for a person, who is told', () => {
    expect(outcome(inPhase('creating'), { ...created, urlAllowed: false })).toEqual(
      moved(
        { transactionId: 'CP1', phase: 'review', reviewReason: 'redirect_origin', asks: 0, dueAt: after(2 * MINUTE) },
        [{ kind: 'review', detail: 'redirect_origin' }],
        { notice: 'payment.review', alert: 'review:redirect_origin' },
      ),
    )
  })

  it('of another transaction than that of the callback stops for a person', () => {
    expect(outcome(inPhase('confirming', { transactionId: 'CP9' }), created)).toEqual(
      moved(
        { phase: 'review', reviewReason: 'transaction_mismatch', asks: 0, dueAt: after(2 * MINUTE) },
        [{ kind: 'review', detail: 'transaction_mismatch' }],
        { notice: 'payment.review', alert: 'review:transaction_mismatch' },
      ),
    )
  })

  it('of refusal ends it for good, with the reason, and it is asked about no more', () => {
    expect(
      outcome(inPhase('creating'), { kind: 'create-refused', code: 'invalid', message: 'No such wallet' }),
    ).toEqual(
      moved(
        {
          phase: 'rejected',
          settledAt: after(0),
          resultCode: 'invalid',
          resultDescription: 'No such wallet',
          asks: 0,
          dueAt: GONE,
        },
        [{ kind: 'refused', detail: 'No such wallet' }],
        { notice: 'payment.failed' },
      ),
    )
  })

  it('that never was, since the service was not reached, ends it for good and says that nothing was created', () => {
    expect(outcome(inPhase('creating'), { kind: 'create-not-processed' })).toEqual(
      moved(
        {
          phase: 'rejected',
          settledAt: after(0),
          resultCode: 'upstream_unavailable',
          resultDescription: 'The payment service could not be reached; nothing was created.',
          asks: 0,
          dueAt: GONE,
        },
        [{ kind: 'not_processed' }],
        { notice: 'payment.failed' },
      ),
    )
  })

  it('that never was names whose limit or whose account was the reason, and what stopped it', () => {
    for (const [reason, resultCode] of [
      ['upstream_budget', 'rate_limited'],
      ['token_refused', 'account_refused'],
      ['login_refused', 'account_refused'],
      ['dns', 'upstream_unavailable'],
    ] as const)
      expect(
        outcome(inPhase('creating'), { kind: 'create-not-processed', reason, description: 'The reason in words.' }),
      ).toMatchObject({
        row: { phase: 'rejected', resultCode, resultDescription: 'The reason in words.' },
        timeline: [{ kind: 'not_processed', detail: reason }],
      })
  })

  it('that was lost makes it unknown; others ask the service after 2 seconds, should who heard it not', () => {
    expect(outcome(inPhase('creating'), { kind: 'create-unknown', reason: 'timeout' })).toEqual(
      moved({ phase: 'unknown', asks: 0, dueAt: after(2 * SECOND) }, [{ kind: 'create_unknown', detail: 'timeout' }]),
    )
  })
})

describe('a callback', () => {
  const reported = { reportedCode: '0', reportedFees: '12.5', reportedThirdPartyId: 'QX7' }
  /** The time is kept for the person who is told when no query agrees. */
  const saidPaid = { ...reported, saidPaidAt: after(0) }
  const rung = { ...saidPaid, recurring: 1 }

  it('is noted as reported; others ask the service after 2 seconds, should who heard it not', () => {
    for (const phase of ['creating', 'unknown', 'open'] as const) {
      expect(outcome(inPhase(phase), success)).toEqual(
        moved({ ...rung, phase: 'confirming', asks: 0, dueAt: after(2 * SECOND) }, [
          { kind: 'callback', detail: 'success 0' },
        ]),
      )
      expect(outcome(inPhase(phase), failure)).toEqual(
        moved({ reportedCode: '1032', recurring: 1, phase: 'confirming', asks: 0, dueAt: after(2 * SECOND) }, [
          { kind: 'callback', detail: 'failed 1032' },
        ]),
      )
    }
  })

  it('after an end makes the service be asked within 10 seconds, and leaves one line however often it comes', () => {
    for (const phase of ['confirming', 'abandoned', 'failed', 'expired', 'review'] as const) {
      const late = inPhase(phase, { dueAt: START + DAY })
      // By whose schedule the next ask may be far off, its asks begin anew.
      const anew = phase === 'failed' || phase === 'expired' || phase === 'abandoned' ? { asks: 0 } : {}
      expect(outcome(late, success)).toEqual({
        moved: false,
        timeline: [{ kind: 'callback', detail: 'success 0' }],
        row: { ...rung, ...anew, dueAt: after(10 * SECOND) },
      })
      expect(outcome({ ...late, ...rung }, success)).toEqual({
        moved: false,
        timeline: [],
        row: { dueAt: after(10 * SECOND) },
      })
      // The first time that it said so counts.
      expect(outcome({ ...late, ...rung, saidPaidAt: START }, success)).toHaveProperty('row', {
        dueAt: after(10 * SECOND),
      })
      // What is due sooner stays due sooner, and what was not due at all becomes due.
      expect(outcome(inPhase(phase), success)).toMatchObject({ row: rung })
      expect(outcome(inPhase(phase), success)).not.toHaveProperty('row.dueAt')
      const { dueAt: _, ...notDue } = late
      expect(outcome(notDue, success)).toMatchObject({ row: { dueAt: after(10 * SECOND) } })
    }
  })

  it('of success after a soft end is asked about like one before it, for the answers may lag behind', () => {
    for (const phase of ['failed', 'expired'] as const)
      for (const days of [0.01, 1, 8, 29.5]) {
        const from = days * DAY
        const context = { now: START + from, trustedNow: START + from, watched: false, paidElsewhere: false }
        let row = inPhase(phase, { settledAt: START, dueAt: START + 30 * DAY, reportedCode: '1032' })
        row = decide(row, success, context).deposit
        let due = row.dueAt ?? 0
        const waits = []
        for (let i = 0; i < 8; i++) {
          row = decide(row, says('FAILED'), { ...context, now: due, trustedNow: due }).deposit
          expect(row.phase).toBe(phase)
          waits.push(((row.dueAt ?? Infinity) - due) / SECOND)
          due = row.dueAt ?? due
        }
        expect(waits.slice(0, 7)).toEqual([1, 2, 4, 8, 15, 30, 60])
        // Then by age again; the same callback once more begins nothing anew.
        expect(waits[7]).toBeGreaterThan(60)
        expect(decide(row, success, { ...context, now: due, trustedNow: due }).deposit.asks).toBe(row.asks)
        // A callback of failure adds what it reports.
        expect(decide(row, failure, { ...context, now: due, trustedNow: due }).deposit).toMatchObject({
          asks: 0,
          reportedCode: '1032',
        })
      }
  })

  it('decides where the operator has chosen so, but for what waits for a person', () => {
    expect(outcome(inPhase('open', known), deciding(success))).toEqual(
      moved(
        {
          ...saidPaid,
          phase: 'succeeded',
          settledAt: after(0),
          resultCode: 'success',
          resultDescription: 'Paid',
          dueAt: GONE,
        },
        [{ kind: 'callback_decided' }],
        { notice: 'payment.succeeded' },
      ),
    )
    expect(outcome(inPhase('open', known), deciding(failure))).toEqual(
      moved(
        {
          reportedCode: '1032',
          phase: 'failed',
          settledAt: after(0),
          resultCode: '1032',
          resultDescription: 'Cancelled',
          asks: 0,
          dueAt: after(2 * MINUTE),
        },
        [{ kind: 'callback_decided' }],
        { notice: 'payment.failed' },
      ),
    )
    for (const phase of ['failed', 'expired'] as const) {
      expect(outcome(inPhase(phase), deciding(failure))).toEqual(nothing)
      expect(outcome(inPhase(phase), deciding(success))).toMatchObject({ row: { phase: 'succeeded', late: true } })
    }
    // A review for want of a query waits for evidence, and this is it.
    const unproven = inPhase('review', { reviewReason: 'query_missing', queryMissingSince: START })
    const gone = { reviewReason: GONE, queryMissingSince: GONE }
    expect(outcome(unproven, deciding(success))).toMatchObject({ row: { ...gone, phase: 'succeeded' } })
    expect(outcome(unproven, deciding(failure))).toMatchObject({ row: { ...gone, phase: 'failed' } })
    const waiting = inPhase('review', { reviewReason: 'redirect_origin' })
    expect(outcome(waiting, deciding(success))).toEqual({
      moved: false,
      timeline: [{ kind: 'callback', detail: 'success 0' }],
      row: rung,
    })
    expect(outcome(waiting, deciding(success))).not.toHaveProperty('notice')
  })

  it('names the transaction of a success that it decides, where no answer to the create has', () => {
    const naming = (input: Input & { kind: 'callback' }): Input =>
      deciding({ ...input, reported: { ...input.reported, transactionId: 'CP7' } })
    for (const phase of ['creating', 'unknown'] as const)
      expect(outcome(inPhase(phase), naming(success))).toMatchObject({ row: { transactionId: 'CP7' } })
    expect(outcome(inPhase('open', known), naming(success)).row).not.toHaveProperty('transactionId')
    // Nor one that nobody has named, as an empty field of the row.
    expect(outcome(inPhase('creating'), deciding(success)).row).not.toHaveProperty('transactionId')
    // What may still succeed must not be bound to a transaction that only a callback has named.
    expect(outcome(inPhase('creating'), naming(failure)).row).not.toHaveProperty('transactionId')
    expect(outcome(inPhase('creating'), { ...naming(success), decides: false } as Input).row).not.toHaveProperty(
      'transactionId',
    )
  })
})

describe('a callback with other fields than ours', () => {
  const differs = (signed: boolean): Input => ({
    kind: 'callback-differs',
    detail: 'KES 1 instead of KES 1500',
    signed,
  })

  it('that somebody may have cut moves nothing, and leaves its line, also where it has ended', () => {
    for (const phase of ['creating', 'open', 'confirming', 'failed', 'succeeded'] as const)
      expect(outcome(inPhase(phase), differs(false))).toEqual({
        ...nothing,
        timeline: [{ kind: 'callback_differs', detail: 'KES 1 instead of KES 1500' }],
      })
  })

  it('that the service itself signed marks the payment once, and the line says both sums', () => {
    for (const phase of ['creating', 'open', 'confirming', 'failed', 'succeeded'] as const) {
      expect(outcome(inPhase(phase), differs(true))).toEqual(
        moved({ disputedSum: true }, [{ kind: 'callback_sum', detail: 'KES 1 instead of KES 1500' }]),
      )
      for (const signed of [true, false])
        expect(outcome(inPhase(phase, { disputedSum: true }), differs(signed))).toEqual(nothing)
    }
  })
})

describe('what people decide', () => {
  it('"I have not sent money" gives the attempt up, and it is watched all the same', () => {
    for (const phase of ['open', 'unknown'] as const)
      expect(outcome(inPhase(phase, known), { kind: 'replaced', by: 'dep_2' })).toEqual(
        moved({ phase: 'abandoned', asks: 0, replacedBy: 'dep_2', dueAt: after(2 * MINUTE) }, [
          { kind: 'replaced', detail: 'The customer says that no money was sent.' },
        ]),
      )
    for (const phase of ['creating', 'confirming', 'review', 'failed', 'expired', 'abandoned'] as const)
      expect(outcome(inPhase(phase, known), { kind: 'replaced', by: 'dep_2' })).toEqual(nothing)
  })

  it('a review ends as the person says, and the line says who and why', () => {
    const waiting = inPhase('review', { ...known, reviewReason: 'redirect_origin', queryMissingSince: START })
    expect(outcome(waiting, resolve('succeeded'))).toEqual(
      moved(
        {
          phase: 'succeeded',
          reviewReason: GONE,
          queryMissingSince: GONE,
          settledAt: after(0),
          resultCode: 'success',
          resultDescription: 'Looked up by the shop.',
          dueAt: GONE,
        },
        [{ kind: 'decision', detail: 'succeeded by Amina: seen in the portal' }],
        { notice: 'payment.succeeded' },
      ),
    )
    expect(outcome(waiting, resolve('failed'))).toEqual(
      moved(
        {
          phase: 'failed',
          reviewReason: GONE,
          queryMissingSince: GONE,
          settledAt: after(0),
          resultCode: 'decided',
          resultDescription: 'Looked up by the shop.',
          asks: 0,
          dueAt: after(2 * MINUTE),
        },
        [{ kind: 'decision', detail: 'failed by Amina: seen in the portal' }],
        { notice: 'payment.failed' },
      ),
    )
    for (const phase of ['open', 'confirming', 'abandoned', 'failed'] as const)
      expect(outcome(inPhase(phase, known), resolve('succeeded'))).toEqual(nothing)
  })

  it('a transaction that another deposit holds stops for a person', () => {
    expect(outcome(inPhase('open'), { kind: 'transaction-conflict' })).toEqual(
      moved(
        { phase: 'review', reviewReason: 'transaction_conflict', asks: 0, dueAt: after(2 * MINUTE) },
        [{ kind: 'review', detail: 'transaction_conflict' }],
        { notice: 'payment.review', alert: 'review:transaction_conflict' },
      ),
    )
  })

  it('and of one that waits for a person already, a person hears too', () => {
    expect(
      outcome(inPhase('review', { reviewReason: 'query_amount' }), { kind: 'transaction-conflict' }),
    ).toMatchObject({ moved: false, alert: 'review:transaction_conflict' })
  })

  it('nothing touches what has ended for good', () => {
    for (const phase of ['succeeded', 'rejected'] as const)
      for (const input of [
        created,
        success,
        says('FAILED'),
        resolve('failed'),
        { kind: 'replaced', by: 'dep_2' } as const,
      ])
        expect(outcome(inPhase(phase), input)).toEqual(nothing)
  })
})

describe('when the service is asked again', () => {
  const wait = (phase: DepositPhase, age: number, given: Partial<Deposit> = {}, watched = false) =>
    nextAskIn(inPhase(phase, { asks: 0, ...given }), START + age, watched)

  it('after a callback: quickly, then with a customer looking on every 12 s, else a minute longer each time up to 5', () => {
    const waits = Array.from({ length: 8 }, (_each, asks) => wait('confirming', 0, { asks }))
    expect(waits).toEqual([1, 2, 4, 8, 15, 30, 60, 60].map((seconds) => seconds * SECOND))
    const longer = [8, 10, 11, 12].map((asks) => wait('confirming', 0, { asks }))
    expect(longer).toEqual([2, 4, 5, 5].map((minutes) => minutes * MINUTE))
    expect(wait('confirming', 0, { asks: 7 }, true)).toBe(12 * SECOND)
  })

  it('after an unknown create: four times within a minute, then calmly', () => {
    const waits = Array.from({ length: 5 }, (_each, asks) => wait('unknown', 0, { asks }))
    expect(waits).toEqual([2, 5, 15, 30, 60].map((seconds) => seconds * SECOND))
    expect(wait('unknown', 0, { asks: 4 }, true)).toBe(12 * SECOND)
    expect(wait('creating', 0)).toBe(30 * SECOND)
  })

  it('while open: by age, or every 12 s for whoever looks on', () => {
    expect(wait('open', HOUR - 1)).toBe(MINUTE)
    expect(wait('open', HOUR)).toBe(5 * MINUTE)
    expect(wait('open', DAY - 1)).toBe(5 * MINUTE)
    expect(wait('open', DAY)).toBe(HOUR)
    expect(wait('open', DAY, {}, true)).toBe(12 * SECOND)
  })

  it('given up or in review: every 2 minutes of the first hour, then calmly, watched or not', () => {
    for (const phase of ['abandoned', 'review'] as const) {
      expect(wait(phase, HOUR - 1, {}, true)).toBe(2 * MINUTE)
      expect(wait(phase, HOUR, {}, true)).toBe(5 * MINUTE)
      expect(wait(phase, DAY)).toBe(HOUR)
    }
  })

  it('after a soft end: nine times in 30 days, by age', () => {
    for (const phase of ['failed', 'expired'] as const) {
      const times: number[] = []
      for (let age = 0; ;) {
        const next = wait(phase, age, { settledAt: START })
        if (next === undefined) break
        age += next
        times.push(age)
      }
      expect(times).toEqual([
        2 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 8 * DAY, 16 * DAY, 29 * DAY,
      ]) // prettier-ignore
      // Without a time of its end it is taken to have ended now.
      expect(wait(phase, 5 * MINUTE)).toBe(2 * MINUTE)
    }
  })

  it('after a soft end that lies ahead, as the clock was set back since: within a quarter of an hour', () => {
    for (const phase of ['failed', 'expired'] as const) {
      expect(wait(phase, 0, { settledAt: START + SECOND })).toBe(2 * MINUTE + SECOND)
      expect(wait(phase, 0, { settledAt: START + DAY })).toBe(15 * MINUTE)
    }
  })

  it('after a soft end that a callback has called paid: quickly, then as calmly as one given up, for 30 days', () => {
    for (const phase of ['failed', 'expired'] as const) {
      const paid = { settledAt: START, reportedCode: '0' }
      expect(wait(phase, 10 * DAY, paid)).toBe(SECOND)
      const ages = [30 * MINUTE, 2 * HOUR, 10 * DAY, 30 * DAY]
      expect(ages.map((age) => wait(phase, age, { ...paid, asks: 7 }))).toEqual([2 * MINUTE, 5 * MINUTE, HOUR, HOUR])
      expect(wait(phase, DAY - 1, { ...paid, asks: 7 })).toBe(1)
      expect(wait(phase, 10 * DAY, { ...paid, reportedCode: '1032', asks: 7 })).toBe(6 * DAY)
    }
  })

  it('never after 30 days, and never once it has ended for good', () => {
    for (const phase of ['creating', 'unknown', 'open', 'confirming', 'abandoned', 'review'] as const) {
      expect(wait(phase, 30 * DAY)).toBeDefined()
      expect(wait(phase, 30 * DAY + 1)).toBeUndefined()
    }
    for (const phase of ['succeeded', 'rejected'] as const) expect(wait(phase, 0)).toBeUndefined()
  })
})

describe('the name of an event', () => {
  const deposit = { id: 'dep_1m7ynaym0q0wn4fxcvpeqx17xr', createdAt: START }

  it('is the same whenever the same event is found, and another for any other', () => {
    const names = ['payment.succeeded', 'payment.failed 3', 'payment.failed 4'].map((event) => noticeId(deposit, event))
    expect(new Set(names).size).toBe(3)
    expect(noticeId({ ...deposit }, 'payment.succeeded')).toBe(names[0])
    expect(noticeId({ ...deposit, id: 'dep_1m7ynaym0q0wn4fxcvpeqx17xs' }, 'payment.succeeded')).not.toBe(names[0])
    for (const name of names) expect(name).toMatch(/^msg_[0-9a-hjkmnp-tv-z]{26}$/)
  })
})
