// The demo shop has words for whatever can happen to a payment.
import { expect, it } from 'vitest'
import { timelineWords } from '../../demo/shop/words.ts'
import type { PaymentDetail, TimelineEntry } from '../../server/contract/index.ts'
import type { TimelineKind } from '../../server/deposits/machine/deposit.ts'

/** The compiler misses a kind that is not here, and finds one that is no more. */
const kinds: Readonly<Record<TimelineKind, true>> = {
  started: true,
  created: true,
  created_late: true,
  create_unknown: true,
  refused: true,
  not_processed: true,
  callback: true,
  callback_decided: true,
  query_success: true,
  query_failed: true,
  query_refused: true,
  query_sum: true,
  query_back: true,
  still_pending: true,
  callback_differs: true,
  callback_sum: true,
  unconfirmed: true,
  overdue: true,
  asked_for_30_days: true,
  address_lost: true,
  never_arrived: true,
  replaced: true,
  order_paid: true,
  contradiction: true,
  review: true,
  decision: true,
}
const payment = { amount: 2300, currency: 'KES' } as PaymentDetail

it.each(Object.keys(kinds))('%s is said in a sentence, not by its bare name', (kind) => {
  const entry: TimelineEntry = { at: '2026-01-01T00:00:00Z', kind, phase: 'open', version: 2 }
  const { text } = timelineWords(entry, payment)
  expect(text).not.toBe(kind.replaceAll('_', ' '))
  expect(text).toContain(' ')
  expect(text).not.toContain('undefined')
})
