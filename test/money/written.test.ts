// What each move writes, field by field: the row, its timeline entry, the notice, the alert, and the next due time.
// The phases themselves are in decide.test.ts. DESIGN.md "Money rules". Long, because it covers every rule: read it beside decide.ts.
import { describe, expect, it } from 'vitest'
import type { DepositPhase } from '../../server/contract/index.ts'
import { decide } from '../../server/deposits/decide.ts'
import type { Context, Input } from '../../server/deposits/transition.ts'
import type { Deposit } from '../../server/deposits/deposit.ts'
import { nextAskIn } from '../../server/deposits/schedule.ts'
import { noticeId } from '../../server/deposits/identity.ts'
import { depositRecord, START } from '../helpers/deposit-record.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const URL_OF_IT = 'https://checkout.example/c/1'
const GONE = Symbol('gone')

/** A deposit that waits for nothing in particular: its `dueAt` is one that no rule would make. */
const inPhase = (phase: DepositPhase, given: Partial<Deposit> = {}): Deposit =>
  depositRecord({ id: 'dep_1', phase, version: 4, asks: 2, dueAt: START + 7, ...given })
const known = { transactionId: 'CP1', checkoutUrl: URL_OF_IT } as const

/** Everything that a decision makes different; a field that is taken away reads GONE. */
function outcome(before: Deposit, input: Input, ms = MINUTE, context: Partial<Context> = {}): Record<string, unknown> {
  const { deposit, ...told } = decide(before, input, {
    now: START + ms,
    trustedNow: START + ms,
    watched: false,
    paidElsewhere: false,
    ...context,
  })
  const was = before as unknown as Record<string, unknown>
  const is = deposit as unknown as Record<string, unknown>
  const row: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (name in is && is[name] === undefined) row[name] = 'there, and empty'
    else if (!(name in is)) row[name] = GONE
    else if (was[name] !== is[name]) row[name] = is[name]
  }
  for (const line of told.timeline) expect(Object.values(line), 'an empty word in a line').not.toContain(undefined)
  return { ...told, row }
}

/** A visible move: the version rises, the time of change is noted. */
const moved = (
  row: Readonly<Record<string, unknown>>,
  timeline: readonly unknown[],
  told: { readonly notice?: string; readonly alert?: string } = {},
  ms = MINUTE,
) => ({ moved: true, timeline, ...told, row: { version: 5, updatedAt: START + ms, ...row } })
const asked = (row: Readonly<Record<string, unknown>>, told: { readonly alert?: string } = {}) => ({
  moved: false,
  timeline: [],
  ...told,
  row: { asks: 3, ...row },
})
const nothing = { moved: false, timeline: [], row: {} }
const after = (ms: number, from = MINUTE) => START + from + ms

const created: Input = { kind: 'created', urlAllowed: true, ...known }
const success: Input = {
  kind: 'callback',
  decides: false,
  reported: {
    kind: 'success',
    resultCode: '0',
    resultDescription: 'Paid',
    fees: '12.5',
    thirdPartyId: 'QX7',
  },
}
const failure: Input = {
  kind: 'callback',
  decides: false,
  reported: { kind: 'failed', resultCode: '1032', resultDescription: 'Cancelled' },
}
const deciding = (input: Input): Input => ({ ...input, decides: true }) as Input
const says = (status: 'PENDING' | 'SUCCESS' | 'FAILED', more: object = {}): Input => ({
  kind: 'answered',
  status,
  reference: 'HCTdep_1',
  transactionId: 'CP1',
  description: 'as the service says',
  ...more,
})
const resolve = (outcomeOf: 'succeeded' | 'failed'): Input => ({
  kind: 'reviewed',
  outcome: outcomeOf,
  reason: 'seen in the portal',
  by: 'Amina',
})

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
        [{ kind: 'refused' }],
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

  it('that was lost makes it unknown, and the service is asked at once', () => {
    expect(outcome(inPhase('creating'), { kind: 'create-unknown', reason: 'timeout' })).toEqual(
      moved({ phase: 'unknown', asks: 0, dueAt: after(0) }, [{ kind: 'create_unknown', detail: 'timeout' }]),
    )
  })
})

describe('a callback', () => {
  const reported = { reportedCode: '0', reportedFees: '12.5', reportedThirdPartyId: 'QX7' }
  const rung = { ...reported, recurring: 1 }

  it('is noted as reported and asks the service at once', () => {
    for (const phase of ['creating', 'unknown', 'open'] as const) {
      expect(outcome(inPhase(phase), success)).toEqual(
        moved({ ...rung, phase: 'confirming', asks: 0, dueAt: after(0) }, [{ kind: 'callback', detail: 'success 0' }]),
      )
      expect(outcome(inPhase(phase), failure)).toEqual(
        moved({ reportedCode: '1032', recurring: 1, phase: 'confirming', asks: 0, dueAt: after(0) }, [
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
          ...reported,
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
    const waiting = inPhase('review', { reviewReason: 'redirect_origin' })
    expect(outcome(waiting, deciding(success))).toEqual({
      moved: false,
      timeline: [{ kind: 'callback', detail: 'success 0' }],
      row: rung,
    })
    expect(outcome(waiting, deciding(success))).not.toHaveProperty('notice')
  })
})

describe('the word SUCCESS', () => {
  it('ends it, with what the service says; it is asked about no more', () => {
    for (const phase of ['creating', 'unknown', 'open', 'confirming'] as const)
      expect(outcome(inPhase(phase, { overdue: true, queryMissingSince: START }), says('SUCCESS'))).toEqual(
        moved(
          {
            transactionId: 'CP1',
            phase: 'succeeded',
            settledAt: after(0),
            overdue: false,
            resultCode: 'success',
            resultDescription: 'as the service says',
            queryMissingSince: GONE,
            dueAt: GONE,
          },
          [{ kind: 'query_success' }],
          { notice: 'payment.succeeded' },
        ),
      )
  })

  it('without a description or a transaction leaves none of ours out', () => {
    const bare: Input = { kind: 'answered', status: 'SUCCESS', reference: 'HCTdep_1' }
    expect(outcome(inPhase('open', known), bare)).toMatchObject({ row: { phase: 'succeeded', resultDescription: '' } })
    expect(outcome(inPhase('open', known), bare)).not.toHaveProperty('row.transactionId')
    expect(outcome(inPhase('open', known), says('SUCCESS', { transactionId: '' }))).not.toHaveProperty(
      'row.transactionId',
    )
    expect(outcome(inPhase('open', known), says('SUCCESS', { transactionId: '' }))).toMatchObject({
      row: { phase: 'succeeded' },
    })
  })

  it('is late after an end, and duplicate where another attempt of the session is credited', () => {
    for (const phase of ['failed', 'expired', 'abandoned'] as const)
      expect(outcome(inPhase(phase), says('SUCCESS'))).toMatchObject({
        notice: 'payment.succeeded',
        row: { late: true },
      })
    expect(outcome(inPhase('open'), says('SUCCESS'))).not.toHaveProperty('row.late')
    expect(outcome(inPhase('open'), says('SUCCESS'))).not.toHaveProperty('row.duplicate')
    expect(outcome(inPhase('open'), says('SUCCESS'), MINUTE, { paidElsewhere: true })).toMatchObject({
      notice: 'payment.duplicate',
      row: { duplicate: true, phase: 'succeeded' },
    })
  })

  it('about another reference or transaction stops for a person, or alerts one where it has ended', () => {
    const wrong = [
      [says('SUCCESS', { reference: 'HCTdep_2' }), 'query_reference'],
      [says('SUCCESS', { transactionId: 'CP2' }), 'transaction_mismatch'],
    ] as const
    for (const [input, reason] of wrong) {
      expect(outcome(inPhase('open', known), input)).toEqual(
        moved(
          { phase: 'review', reviewReason: reason, asks: 0, dueAt: after(2 * MINUTE) },
          [{ kind: 'review', detail: reason }],
          { notice: 'payment.review', alert: `review:${reason}` },
        ),
      )
      expect(outcome(inPhase('abandoned', known), input)).toEqual({
        moved: false,
        timeline: [{ kind: 'contradiction', detail: reason }],
        alert: `review:${reason}`,
        row: { asks: 3, recurring: 1, dueAt: after(2 * MINUTE) },
      })
      // The person is told each time; the timeline, a part of the row, is not filled with it.
      expect(outcome(inPhase('abandoned', { ...known, recurring: 20 }), input)).toEqual({
        ...asked({ dueAt: after(2 * MINUTE) }),
        alert: `review:${reason}`,
      })
      expect(outcome(inPhase('review', { ...known, reviewReason: 'redirect_origin' }), input)).toEqual(
        asked({ dueAt: after(2 * MINUTE) }),
      )
    }
  })

  it('ends no review but the one that waited for the query path', () => {
    const waiting = inPhase('review', { reviewReason: 'redirect_origin', queryMissingSince: START })
    expect(outcome(waiting, says('SUCCESS'))).toEqual(
      asked({ transactionId: 'CP1', queryMissingSince: GONE, dueAt: after(2 * MINUTE) }),
    )
    expect(outcome(inPhase('review', { reviewReason: 'query_missing' }), says('SUCCESS'))).toMatchObject({
      notice: 'payment.succeeded',
      row: { phase: 'succeeded', reviewReason: GONE },
    })
  })
})

describe('the word FAILED', () => {
  it('ends it softly with the code that was reported, and it is asked about again in 2 minutes', () => {
    expect(outcome(inPhase('confirming', { ...known, reportedCode: '1032' }), says('FAILED'))).toEqual(
      moved(
        {
          phase: 'failed',
          settledAt: after(0),
          resultCode: '1032',
          resultDescription: 'as the service says',
          asks: 0,
          dueAt: after(2 * MINUTE),
        },
        [{ kind: 'query_failed' }],
        { notice: 'payment.failed' },
      ),
    )
  })

  it('has a code of our own where none was reported, or where the report said success', () => {
    expect(outcome(inPhase('open', known), says('FAILED'))).toMatchObject({ row: { resultCode: 'failed' } })
    expect(outcome(inPhase('open', { ...known, reportedCode: '0' }), says('FAILED'))).toMatchObject({
      row: { phase: 'failed', resultCode: 'failed' },
    })
  })

  it('is called expired from the end of the 15 minutes on, unless another reason was reported', () => {
    const expired = (reportedCode: string | undefined, ms: number) =>
      outcome(
        inPhase('open', { ...known, ...(reportedCode === undefined ? {} : { reportedCode }) }),
        says('FAILED'),
        ms,
      )
    expect(expired(undefined, 15 * MINUTE)).toMatchObject({
      notice: 'payment.expired',
      row: {
        phase: 'expired',
        resultCode: 'expired',
        settledAt: START + 15 * MINUTE,
        dueAt: after(2 * MINUTE, 15 * MINUTE),
      },
    })
    expect(expired('0', 15 * MINUTE)).toMatchObject({ row: { phase: 'expired', resultCode: 'expired' } })
    expect(expired('1037', 15 * MINUTE)).toMatchObject({ row: { phase: 'expired', resultCode: '1037' } })
    expect(expired('1032', 15 * MINUTE)).toMatchObject({ notice: 'payment.failed', row: { phase: 'failed' } })
    expect(expired(undefined, 15 * MINUTE - 1)).toMatchObject({ notice: 'payment.failed', row: { phase: 'failed' } })
    expect(expired('1037', 15 * MINUTE - 1)).toMatchObject({ row: { phase: 'failed', resultCode: '1037' } })
  })

  it('without a description leaves it empty; of a review that waited for the query, the review is over', () => {
    const bare: Input = { kind: 'answered', status: 'FAILED', reference: 'HCTdep_1' }
    expect(outcome(inPhase('open', known), bare)).toMatchObject({ row: { resultDescription: '' } })
    expect(
      outcome(inPhase('review', { ...known, reviewReason: 'query_missing', overdue: true }), says('FAILED')),
    ).toMatchObject({ row: { phase: 'failed', reviewReason: GONE, overdue: false } })
  })

  it('said again changes nothing, and it is asked about by its age since the end', () => {
    for (const phase of ['failed', 'expired'] as const)
      expect(outcome(inPhase(phase, { ...known, settledAt: START }), says('FAILED'), 2 * MINUTE)).toEqual(
        asked({ dueAt: START + 15 * MINUTE }),
      )
  })
})

describe('the word PENDING', () => {
  it('about one whose address was lost gives it up: nobody ever had that address', () => {
    const lost = [{ kind: 'address_lost', detail: 'Created at the service, but its address never reached us.' }]
    const row = {
      transactionId: 'CP1',
      phase: 'abandoned',
      asks: 0,
      resultCode: 'address_lost',
      dueAt: after(2 * MINUTE),
    }
    expect(outcome(inPhase('unknown'), says('PENDING'))).toEqual(moved(row, lost))
    expect(outcome(inPhase('creating'), says('PENDING'))).toEqual(moved(row, lost))
    // The answer may still be on its way until 30 seconds have passed; of an unknown one it is not.
    const early = 29 * SECOND
    expect(outcome(inPhase('creating'), says('PENDING'), early)).toEqual(
      asked({ transactionId: 'CP1', dueAt: after(30 * SECOND, early) }),
    )
    expect(outcome(inPhase('creating'), says('PENDING'), 30 * SECOND)).toMatchObject({ row: { phase: 'abandoned' } })
    expect(outcome(inPhase('unknown'), says('PENDING'), early)).toMatchObject({ row: { phase: 'abandoned' } })
  })

  it('after a callback is asked about seven times, quick at first, and then it is open again', () => {
    let deposit = inPhase('confirming', { ...known, asks: 0 })
    const waits: number[] = []
    for (let turn = 0; turn < 6; turn++) {
      const next = decide(deposit, says('PENDING'), {
        now: START,
        trustedNow: START,
        watched: false,
        paidElsewhere: false,
      })
      expect(next.moved).toBe(false)
      // Asked after 1 s when the callback came, then after these.
      waits.push(((next.deposit.dueAt ?? 0) - START) / SECOND)
      deposit = next.deposit
    }
    expect(waits).toEqual([1, 2, 4, 8, 15, 30])
    expect(outcome({ ...deposit, version: 4 }, says('PENDING'))).toEqual(
      moved({ phase: 'open', asks: 0, dueAt: after(MINUTE) }, [{ kind: 'still_pending' }]),
    )
  })

  it('after a callback whose address never came gives it up in the end', () => {
    expect(outcome(inPhase('confirming', { transactionId: 'CP1', asks: 6 }), says('PENDING'))).toMatchObject({
      row: { phase: 'abandoned', resultCode: 'address_lost' },
    })
    expect(
      outcome(inPhase('confirming', { transactionId: 'CP1', asks: 6 }), says('PENDING'), 29 * SECOND),
    ).toMatchObject({ moved: false })
  })

  it('while another attempt of the order is paid gives up who is still led to an agent, and nobody else', () => {
    const paid = { paidElsewhere: true }
    for (const minutes of [1, 40]) {
      expect(outcome(inPhase('open', known), says('PENDING'), minutes * MINUTE, paid)).toEqual(
        moved(
          { phase: 'abandoned', asks: 0, resultCode: 'order_paid', dueAt: after(2 * MINUTE, minutes * MINUTE) },
          [{ kind: 'order_paid', detail: 'Another payment for this order has succeeded.' }],
          {},
          minutes * MINUTE,
        ),
      )
    }
    for (const phase of ['creating', 'unknown', 'open'] as const)
      expect(outcome(inPhase(phase), { kind: 'order-paid' })).toEqual(
        moved({ phase: 'abandoned', asks: 0, resultCode: 'order_paid', dueAt: after(2 * MINUTE) }, [
          { kind: 'order_paid', detail: 'Another payment for this order has succeeded.' },
        ]),
      )
    for (const phase of ['confirming', 'review', 'failed', 'expired', 'abandoned'] as const)
      expect(outcome(inPhase(phase), { kind: 'order-paid' })).toEqual(nothing)
    // An address that comes only now is given to nobody.
    for (const phase of ['creating', 'unknown'] as const) {
      expect(outcome(inPhase(phase), created, MINUTE, paid)).toEqual(
        moved(
          { phase: 'abandoned', asks: 0, resultCode: 'order_paid', transactionId: 'CP1', dueAt: after(2 * MINUTE) },
          [{ kind: 'order_paid', detail: 'Another payment for this order has succeeded.' }],
        ),
      )
    }
    // A callback came for it: what it reported is told first.
    expect(outcome(inPhase('confirming', known), says('PENDING'), MINUTE, paid)).toMatchObject({ moved: false })
    expect(outcome(inPhase('abandoned', known), says('PENDING'), MINUTE, paid)).toMatchObject({ moved: false })
  })

  it('while open: nothing, overdue once the 15 minutes are over, given up after 30 days', () => {
    expect(outcome(inPhase('open', known), says('PENDING'))).toEqual(asked({ dueAt: after(MINUTE) }))
    const over = 15 * MINUTE
    expect(outcome(inPhase('open', known), says('PENDING'), over - 1)).toMatchObject({ moved: false })
    expect(outcome(inPhase('open', known), says('PENDING'), over)).toEqual(
      moved({ overdue: true, asks: 3, dueAt: after(MINUTE, over) }, [{ kind: 'overdue' }], {}, over),
    )
    expect(outcome(inPhase('open', { ...known, overdue: true }), says('PENDING'), over)).toEqual(
      asked({ dueAt: after(MINUTE, over) }),
    )
    const long = 30 * DAY
    expect(outcome(inPhase('open', { ...known, overdue: true }), says('PENDING'), long)).toMatchObject({ moved: false })
    expect(outcome(inPhase('open', { ...known, overdue: true }), says('PENDING'), long + 1)).toEqual(
      moved({ phase: 'abandoned', dueAt: GONE }, [{ kind: 'asked_for_30_days' }], {}, long + 1),
    )
  })

  it('brings a review back that only waited for the query path, if there is an address to go on at', () => {
    const waiting = inPhase('review', { ...known, reviewReason: 'query_missing', queryMissingSince: START })
    expect(outcome(waiting, says('PENDING'))).toEqual(
      moved({ phase: 'open', reviewReason: GONE, queryMissingSince: GONE, asks: 0, dueAt: after(MINUTE) }, [
        { kind: 'query_back' },
      ]),
    )
    const { checkoutUrl: _, ...without } = waiting
    expect(outcome(without, says('PENDING'))).toEqual(asked({ queryMissingSince: GONE, dueAt: after(2 * MINUTE) }))
  })

  it('about one that has ended changes nothing', () => {
    expect(outcome(inPhase('abandoned', known), says('PENDING'))).toEqual(asked({ dueAt: after(2 * MINUTE) }))
    expect(outcome(inPhase('failed', { ...known, settledAt: START }), says('PENDING'))).toEqual(
      asked({ dueAt: START + 2 * MINUTE }),
    )
  })
})

describe('an answer that does not know the reference', () => {
  const notFound: Input = { kind: 'not-found' }

  it('gives an unknown one up at the fifth time, since nothing ever arrived', () => {
    expect(outcome(inPhase('unknown', { asks: 3 }), notFound)).toEqual({
      moved: false,
      timeline: [],
      row: { asks: 4, dueAt: after(30 * SECOND) },
    })
    for (const phase of ['unknown', 'creating'] as const)
      expect(outcome(inPhase(phase, { asks: 4 }), notFound)).toEqual(
        moved({ phase: 'abandoned', asks: 0, resultCode: 'address_lost', dueAt: after(2 * MINUTE) }, [
          { kind: 'never_arrived', detail: 'The service does not know the reference.' },
        ]),
      )
  })

  it('gives none up whose create may still be answered, however often its customer asks', () => {
    expect(outcome(inPhase('creating', { asks: 40 }), notFound, 29 * SECOND)).toMatchObject({ moved: false })
    expect(outcome(inPhase('creating', { asks: 40 }), notFound, 30 * SECOND)).toMatchObject({ moved: true })
    expect(outcome(inPhase('unknown', { asks: 40 }), notFound, 29 * SECOND)).toMatchObject({ moved: true })
  })

  it('about one that the service itself gave an address is borne for 15 minutes, however old it is, then a person is told', () => {
    for (const phase of ['open', 'confirming'] as const) {
      expect(outcome(inPhase(phase, known), notFound, 2 * DAY)).toMatchObject({
        moved: false,
        row: {
          queryMissingSince: START + 2 * DAY,
          dueAt: phase === 'open' ? after(MINUTE, 2 * DAY) : after(4 * SECOND, 2 * DAY),
        },
      })
      const denied = inPhase(phase, { ...known, queryMissingSince: START })
      expect(outcome(denied, notFound, 15 * MINUTE - 1)).toMatchObject({ moved: false })
      expect(outcome(denied, notFound, 15 * MINUTE - 1)).not.toHaveProperty('row.queryMissingSince')
      expect(outcome(denied, notFound, 15 * MINUTE)).toMatchObject({
        notice: 'payment.review',
        alert: 'review:query_not_found',
        row: { phase: 'review', reviewReason: 'query_not_found', queryMissingSince: GONE },
      })
    }
    expect(outcome(inPhase('abandoned', known), notFound, 16 * MINUTE)).toMatchObject({ moved: false })
  })

  it('and is followed by one that does is forgotten', () => {
    const denied = inPhase('confirming', { ...known, queryMissingSince: START })
    expect(outcome(denied, says('PENDING'))).toMatchObject({ row: { queryMissingSince: GONE } })
    expect(outcome(denied, says('SUCCESS'))).toMatchObject({ row: { phase: 'succeeded', queryMissingSince: GONE } })
  })

  it('proves that the query path is there', () => {
    expect(outcome(inPhase('abandoned', { ...known, queryMissingSince: START }), notFound)).toEqual(
      asked({ queryMissingSince: GONE, dueAt: after(2 * MINUTE) }),
    )
  })
})

describe('a query path that is not there', () => {
  const missing: Input = { kind: 'query-missing' }
  const alert = 'query_path_missing'

  it('is noted, alerted, and tried again within a minute, so that the 15 minutes end on time', () => {
    expect(outcome(inPhase('open', known), missing)).toEqual(
      asked({ queryMissingSince: after(0), dueAt: after(MINUTE) }, { alert }),
    )
    expect(outcome(inPhase('open', known), missing, 2 * HOUR)).toEqual(
      asked({ queryMissingSince: START + 2 * HOUR, dueAt: after(MINUTE, 2 * HOUR) }, { alert }),
    )
    expect(outcome(inPhase('confirming', { ...known, asks: 0 }), missing)).toMatchObject({
      row: { dueAt: after(SECOND) },
    })
  })

  it('keeps the time when it was first missed, and after 15 minutes stops what waits for a person', () => {
    const since = { queryMissingSince: START }
    for (const phase of ['creating', 'unknown', 'open', 'confirming'] as const) {
      expect(outcome(inPhase(phase, since), missing, 15 * MINUTE - 1)).not.toHaveProperty('row.queryMissingSince')
      expect(outcome(inPhase(phase, since), missing, 15 * MINUTE - 1)).toMatchObject({ moved: false })
      expect(outcome(inPhase(phase, since), missing, 15 * MINUTE)).toMatchObject({
        notice: 'payment.review',
        row: { phase: 'review', reviewReason: 'query_missing' },
      })
    }
    for (const phase of ['abandoned', 'failed', 'expired', 'review'] as const)
      expect(outcome(inPhase(phase, { ...since, settledAt: START }), missing, 16 * MINUTE)).toMatchObject({
        moved: false,
        alert,
      })
  })

  it('is still asked for where nothing else would be', () => {
    expect(outcome(inPhase('failed', { settledAt: START - 30 * DAY }), missing)).toMatchObject({
      row: { dueAt: after(MINUTE) },
    })
  })
})

describe('a query without an answer', () => {
  it('is asked again as the schedule says, and not before the service allows it', () => {
    expect(outcome(inPhase('open', known), { kind: 'query-failed' })).toEqual(asked({ dueAt: after(MINUTE) }))
    expect(outcome(inPhase('open', known), { kind: 'query-failed', retryAfterMs: 5 * MINUTE })).toEqual(
      asked({ dueAt: after(5 * MINUTE) }),
    )
    expect(outcome(inPhase('open', known), { kind: 'query-failed', retryAfterMs: 5 })).toEqual(
      asked({ dueAt: after(MINUTE) }),
    )
  })

  it('leaves a soft end its chance: again in 5 minutes, for 30 days', () => {
    for (const phase of ['failed', 'expired'] as const) {
      const ended = inPhase(phase, { ...known, settledAt: START })
      expect(outcome(ended, { kind: 'query-failed' }, 10 * DAY)).toEqual(asked({ dueAt: after(5 * MINUTE, 10 * DAY) }))
      expect(outcome(ended, { kind: 'query-failed', retryAfterMs: HOUR }, 10 * DAY)).toEqual(
        asked({ dueAt: after(HOUR, 10 * DAY) }),
      )
      expect(outcome(ended, { kind: 'query-failed' }, 30 * DAY)).toEqual(asked({ dueAt: after(5 * MINUTE, 30 * DAY) }))
      expect(outcome(ended, { kind: 'query-failed' }, 30 * DAY + 1)).toEqual(asked({ dueAt: GONE }))
    }
    expect(outcome(inPhase('abandoned', known), { kind: 'query-failed' }, 2 * HOUR)).toEqual(
      asked({ dueAt: after(5 * MINUTE, 2 * HOUR) }),
    )
  })
})

describe('what is older than 30 days', () => {
  const old = 30 * DAY + 1

  it('is asked about each hour while the service does not answer, until it has', () => {
    for (const phase of ['creating', 'unknown', 'open', 'confirming', 'abandoned', 'review'] as const) {
      expect(outcome(inPhase(phase, known), { kind: 'query-failed' }, old)).toEqual(asked({ dueAt: after(HOUR, old) }))
      expect(outcome(inPhase(phase, known), { kind: 'query-failed', retryAfterMs: 2 * HOUR }, old)).toEqual(
        asked({ dueAt: after(2 * HOUR, old) }),
      )
    }
  })

  it('ends with the answer, whatever it is; with a callback that nothing confirms a person decides', () => {
    for (const phase of ['creating', 'unknown', 'open'] as const) {
      expect(outcome(inPhase(phase, { ...known, asks: 0 }), says('PENDING'), old)).toMatchObject({
        row: { phase: 'abandoned' },
      })
    }
    for (const phase of ['creating', 'unknown'] as const)
      expect(outcome(inPhase(phase, { asks: 0 }), { kind: 'not-found' }, old)).toMatchObject({
        row: { phase: 'abandoned' },
      })
    expect(outcome(inPhase('confirming', { ...known, asks: 0 }), says('PENDING'), old)).toMatchObject({
      notice: 'payment.review',
      row: { phase: 'review', reviewReason: 'pending_after_30_days' },
    })
    const waiting = inPhase('review', { ...known, reviewReason: 'query_missing' })
    expect(outcome(waiting, says('PENDING'), old)).toMatchObject({ moved: false })
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

  it('after a callback: quickly, then with a customer looking on every 12 s, else every 5 minutes', () => {
    const waits = Array.from({ length: 8 }, (_each, asks) => wait('confirming', 0, { asks }))
    expect(waits).toEqual([1, 2, 4, 8, 15, 30, 60, 300].map((seconds) => seconds * SECOND))
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
