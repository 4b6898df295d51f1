// What each answer to a status query writes, field by field (written.test.ts): SUCCESS, FAILED,
// PENDING, an unknown reference, a missing path, no answer at all, and each of them for a payment
// that is older than 30 days. CONTRIBUTING.md "The money rules".
import { describe, expect, it } from 'vitest'
import { decide } from '../../server/deposits/machine/decide.ts'
import type { Input } from '../../server/deposits/machine/transition.ts'
import { START } from '../helpers/deposit-record.ts'
import {
  DAY,
  GONE,
  HOUR,
  MINUTE,
  SECOND,
  after,
  asked,
  created,
  inPhase,
  known,
  moved,
  nothing,
  outcome,
  says,
} from './written-outcome.ts'

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

  /** Whoever decides or pays back needs to know it. */
  const named = [{ kind: 'query_sum', detail: 'KES 1 instead of KES 1500' }]

  it('about another reference, transaction or sum stops for a person, or alerts one where it has ended', () => {
    const wrong = [
      [says('SUCCESS', { reference: 'HCTdep_2' }), 'query_reference', []],
      [says('SUCCESS', { transactionId: 'CP2' }), 'transaction_mismatch', []],
      [says('SUCCESS', { otherSum: 'KES 1' }), 'query_amount', named],
    ] as const
    for (const [input, reason, before] of wrong) {
      expect(outcome(inPhase('open', known), input)).toEqual(
        moved(
          { phase: 'review', reviewReason: reason, asks: 0, dueAt: after(2 * MINUTE) },
          [...before, { kind: 'review', detail: reason }],
          { notice: 'payment.review', alert: `review:${reason}` },
        ),
      )
      expect(outcome(inPhase('abandoned', known), input)).toEqual({
        moved: false,
        timeline: [...before, { kind: 'contradiction', detail: reason }],
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

  it('about another reference, transaction or sum tells a person of one that waited for the query path, and would go on by itself', () => {
    const waiting = inPhase('review', { ...known, reviewReason: 'query_missing', queryMissingSince: START })
    const wrong = [
      [says('SUCCESS', { reference: 'HCTdep_2' }), 'query_reference', []],
      [says('SUCCESS', { transactionId: 'CP2' }), 'transaction_mismatch', []],
      [says('SUCCESS', { otherSum: 'KES 1' }), 'query_amount', named],
    ] as const
    for (const [input, reason, before] of wrong)
      expect(outcome(waiting, input)).toEqual(
        moved(
          { reviewReason: reason, queryMissingSince: GONE, asks: 0, dueAt: after(2 * MINUTE) },
          [...before, { kind: 'review', detail: reason }],
          { notice: 'payment.review', alert: `review:${reason}` },
        ),
      )
  })

  it('of another sum keeps its transaction, by which a person finds it in the portal', () => {
    for (const phase of ['unknown', 'confirming', 'abandoned'] as const)
      expect(outcome(inPhase(phase), says('SUCCESS', { otherSum: 'KES 1' }))).toMatchObject({
        row: { transactionId: 'CP1' },
        alert: 'review:query_amount',
      })
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

  it('after callbacks without end adds no more to its story', () => {
    const after19 = inPhase('confirming', { ...known, asks: 6, recurring: 19 })
    expect(outcome(after19, says('PENDING')).timeline).toEqual([{ kind: 'still_pending' }])
    const after20 = inPhase('confirming', { ...known, asks: 6, recurring: 20 })
    expect(outcome(after20, says('PENDING'))).toMatchObject({ row: { phase: 'open' }, timeline: [] })
  })

  it('after a callback whose address never came gives it up in the end', () => {
    expect(outcome(inPhase('confirming', { transactionId: 'CP1', asks: 6 }), says('PENDING'))).toMatchObject({
      row: { phase: 'abandoned', resultCode: 'address_lost' },
    })
    expect(
      outcome(inPhase('confirming', { transactionId: 'CP1', asks: 6 }), says('PENDING'), 29 * SECOND),
    ).toMatchObject({ moved: false })
  })

  it('after a callback whose address never came gives it up also where the clock was set back by hours since', () => {
    const row = inPhase('confirming', { transactionId: 'CP1', asks: 6 })
    expect(outcome(row, says('PENDING'), -3 * HOUR)).toMatchObject({
      row: { phase: 'abandoned', resultCode: 'address_lost' },
    })
  })

  it('keeps one whose create answer is on its way, where the clock was set back by a moment since', () => {
    for (const phase of ['creating', 'confirming'] as const)
      expect(outcome(inPhase(phase, { asks: 6 }), says('PENDING'), -50)).toMatchObject({ moved: false })
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

  it('is noted, and tried again within a minute, so that the 15 minutes end on time', () => {
    expect(outcome(inPhase('open', known), missing)).toEqual(
      asked({ queryMissingSince: after(0), dueAt: after(MINUTE) }),
    )
    expect(outcome(inPhase('open', known), missing, 2 * HOUR)).toEqual(
      asked({ queryMissingSince: START + 2 * HOUR, dueAt: after(MINUTE, 2 * HOUR) }),
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

  it('but with words instead, leaves them in the timeline, which holds twenty such lines at most', () => {
    const said: Input = { kind: 'query-failed', said: '401: Invalid wallet' }
    const timeline = [{ kind: 'query_refused', detail: '401: Invalid wallet' }]
    expect(outcome(inPhase('open', known), said)).toEqual({
      ...asked({ dueAt: after(MINUTE), recurring: 1 }),
      timeline,
    })
    expect(outcome(inPhase('open', { ...known, recurring: 19 }), said)).toMatchObject({ timeline })
    expect(outcome(inPhase('open', { ...known, recurring: 20 }), said)).toEqual(asked({ dueAt: after(MINUTE) }))
    // A person is told all the same that a callback has said paid, and reads both lines.
    expect(outcome(inPhase('open', { ...known, saidPaidAt: START }), said, 15 * MINUTE)).toMatchObject({
      alert: 'callback_unconfirmed',
      timeline: [...timeline, { kind: 'unconfirmed' }],
    })
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

describe('a payment that a callback has called paid, and a query has not', () => {
  const paid = (phase: 'confirming' | 'expired', changes: object = {}) =>
    inPhase(phase, { ...known, reportedCode: '0', saidPaidAt: START, ...changes })

  it('is asked about anew from the first wait, however often it was asked about before', () => {
    for (const asks of [0, 3, 6])
      expect(outcome(paid('confirming', { asks }), says('FAILED'))).toMatchObject({
        row: { phase: 'failed', dueAt: after(SECOND) },
      })
  })

  it('is asked about at the latest when its 15 minutes end, also where no other query is due', () => {
    const asked7 = { asks: 7, settledAt: START, createdAt: START - 31 * DAY, dueAt: undefined }
    expect(outcome(paid('expired', asked7), { kind: 'no-query' }).row).toMatchObject({ dueAt: START + 15 * MINUTE })
  })

  it('has 15 minutes from now on where the clock was set back', () => {
    const back = -HOUR
    expect(outcome(paid('confirming'), says('PENDING'), back).row).toMatchObject({ saidPaidAt: START - HOUR })
    expect(outcome(paid('confirming'), says('PENDING'), MINUTE).row).not.toHaveProperty('saidPaidAt')
  })

  it('has a line of its own after them', () => {
    expect(outcome(paid('confirming'), says('PENDING'), 15 * MINUTE)).toMatchObject({
      alert: 'callback_unconfirmed',
      timeline: [{ kind: 'unconfirmed', detail: 'A callback said paid; no status query has confirmed it.' }],
    })
  })
})

describe('what is older than 30 days', () => {
  const old = 30 * DAY + 1

  it('has no other time for a query once it has ended', () => {
    expect(outcome(inPhase('open', known), says('FAILED'), old).row).toMatchObject({ phase: 'expired' })
    expect(outcome(inPhase('open', known), says('FAILED'), old).row).not.toHaveProperty('dueAt')
  })

  it('is asked about each hour while the service does not answer, until it has', () => {
    for (const phase of ['creating', 'unknown', 'open', 'confirming', 'abandoned', 'review'] as const) {
      expect(outcome(inPhase(phase, known), { kind: 'query-failed' }, old)).toEqual(asked({ dueAt: after(HOUR, old) }))
      expect(outcome(inPhase(phase, known), { kind: 'query-failed', retryAfterMs: 2 * HOUR }, old)).toEqual(
        asked({ dueAt: after(2 * HOUR, old) }),
      )
    }
    // Of the soft ends only one that a callback has called paid is still asked about.
    for (const phase of ['failed', 'expired'] as const)
      for (const [reportedCode, dueAt] of [
        ['0', after(HOUR, old)],
        ['1032', GONE],
      ] as const) {
        const ended = inPhase(phase, { ...known, reportedCode, asks: 8 })
        expect(outcome(ended, { kind: 'query-failed' }, old)).toMatchObject({ row: { dueAt } })
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

  it('and a callback has called paid after its end is told to a person, when the last question is not answered so', () => {
    const detail = 'pending_after_30_days'
    const timeline = [{ kind: 'contradiction', detail }]
    for (const phase of ['failed', 'expired', 'abandoned'] as const)
      for (const answer of [says('FAILED'), says('PENDING'), { kind: 'not-found' } as const]) {
        // FAILED ends what was given up.
        if (phase === 'abandoned' && answer.kind === 'answered' && answer.status === 'FAILED') continue
        const paid = { ...known, reportedCode: '0' }
        expect(outcome(inPhase(phase, { ...paid, asks: 7 }), answer, old)).toEqual({
          moved: false,
          timeline,
          alert: `review:${detail}`,
          row: { asks: 8, recurring: 1, dueAt: GONE },
        })
        expect(outcome(inPhase(phase, { ...paid, asks: 7 }), answer, 10 * DAY)).not.toHaveProperty('alert')
        expect(outcome(inPhase(phase, { ...paid, asks: 1 }), answer, old)).not.toHaveProperty('alert')
        const failed = inPhase(phase, { ...known, reportedCode: '1032', asks: 7 })
        expect(outcome(failed, answer, old)).not.toHaveProperty('alert')
      }
  })
})
