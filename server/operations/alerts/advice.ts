// The text of each alert: what happened and what to do, for the person on call.
import type { AlertKind, PlainAlertKind, ReviewAlertKind } from '../../deposits/machine/alerts.ts'
import { type Advice, TROUBLES } from '../troubles.ts'

/** `test` is the one that `doctor --alert` sends. */
export type AdvisedKind = AlertKind | 'test'

const DECIDE_THE_SUM =
  'Nothing was credited. See in the portal what was paid, then POST /v1/payments/:id/decision: succeeded ' +
  'credits the full amount of the payment, whatever was paid. If it had ended before, it stays as it is: ' +
  'settle it with the customer.'

/** Of each alert; those of the checks (health.ts) have the words of their trouble. */
const ADVICE: Readonly<Record<PlainAlertKind | 'test', Advice> & Partial<Record<ReviewAlertKind, Advice>>> = {
  ...TROUBLES,
  test: {
    title: 'A test alert',
    todo: 'Nothing is wrong, and there is nothing to do.',
  },
  review: {
    title: 'A payment needs a decision',
    todo:
      'Look at it with GET /v1/payments?phase=review, compare with the portal, then POST ' +
      '/v1/payments/:id/decision.',
  },
  'review:redirect_origin': {
    title: 'The service sends customers to an address that is not allowed',
    todo:
      'No customer was sent there. If it is the address of the payment page in your contract, add its origin to ' +
      'HC_CHECKOUT_ORIGINS; else ask the service. Then decide the payment: POST /v1/payments/:id/decision.',
  },
  'review:query_amount': {
    title: 'The service reports a success of another amount or currency',
    todo: DECIDE_THE_SUM,
  },
  'review:callback_sum': {
    title: 'The service signed another amount or currency, and then called the payment paid without naming a sum',
    todo: DECIDE_THE_SUM,
  },
  notice_dead: {
    title: 'A notice to your backend was given up after 30 days',
    todo: 'Fix the receiver at HC_NOTIFY_URL, then send it again with POST /v1/payments/:id/notices.',
  },
  notice_late: {
    title: 'Your backend has not accepted a notice for more than half an hour',
    todo:
      'A customer may have paid and not be credited. Look at the reason here: does HC_NOTIFY_URL answer 2xx, ' +
      'and has the receiver HC_NOTIFY_SECRET and the right time? Notices are tried again by their schedule, at ' +
      'once with POST /v1/payments/:id/notices.',
  },
  market_off: {
    title: 'A market is switched off at the payment service',
    todo:
      "Have channel 420001 allocated to this currency's wallet in the portal, or take the currency out of " +
      'HC_WALLETS.',
  },
  silent: {
    title: 'No callbacks are coming in',
    todo:
      'Results still come by status query, only later. Check that the service reaches HC_PUBLIC_URL ' +
      '(hc-checkout-server doctor).',
  },
  webhook_refused: {
    title: 'Callbacks that do not verify come to the addresses of payments',
    todo:
      'Nothing was believed; results still come by status query. Only the service knows these addresses: check ' +
      'HC_CONSUMER_KEY, which keys their hash where HC_HASH_KEY is not set (after a rotation the old one ' +
      'belongs into HC_HASH_KEY_PREVIOUS), HC_HASH_ORDER, and whether it has changed its callbacks.',
  },
  webhook_stray: {
    title: 'Something that is no callback came to /v1/webhook, at an address of no payment',
    todo:
      'Nothing was believed. Anybody can send it, so you are told once a day at most. Where the service names ' +
      'the addresses that it calls from, HC_WEBHOOK_ALLOW keeps the others out.',
  },
  webhook_wrong_fields: {
    title: 'A callback with a valid hash and wrong fields came in',
    todo:
      'Nothing was believed; the service was asked. Compare with the portal what was paid: the log names ' +
      'payment and field, and the first is kept. Or somebody re-cuts genuine callbacks: see the runbook for a ' +
      'leaked key.',
  },
  webhook_other_sum: {
    title: 'The service has signed a callback with another amount or currency than the payment has',
    todo:
      'The callback was not believed. Compare with the portal what was paid: the payment and the sum are named ' +
      'here. Unless the status query names the right sum, the payment goes to review; one that had succeeded ' +
      'before stays as it is, marked with disputedSum.',
  },
  callback_unconfirmed: {
    title: 'A callback has said that a payment is paid, and the status query has not agreed for 15 minutes',
    todo:
      'Nothing was credited; the service is still asked. Compare with the portal. The timeline of the payment ' +
      '(GET /v1/payments/:id) has what the service answered, and the log names a status that is not known.',
  },
  webhook_wrong_address: {
    title: 'A callback with a valid hash came to the address of another deposit',
    todo:
      'Nothing was believed. Has HC_SECRET changed, without the old one in HC_SECRET_PREVIOUS? Else somebody ' +
      'may be replaying genuine callbacks: see the runbook for a leaked key.',
  },
  webhook_unmatched: {
    title: 'A genuine callback came for a reference that is not known here',
    todo:
      'It is kept and matched later. If it stays: does another installation use the same key, or was a backup ' +
      'restored?',
  },
  webhook_unmatched_for_a_day: {
    title: 'A genuine callback has found no payment for a day',
    todo: 'Compare with the portal: hc-checkout-server reconcile --statement FILE.csv.',
  },
  success_after_rejection: {
    title: 'The service reports success for a payment that it had rejected',
    todo: 'It was not credited. Compare with the portal and settle it by hand.',
  },
  failure_after_success: {
    title: 'The service reports failure for a payment that it had called paid',
    todo: 'It stays credited. Compare with the portal: was it taken back?',
  },
  create_refused: {
    title: 'The payment service refuses to create payments',
    todo:
      'Look at what the service says here. doctor checks login and key pair; HC_BUSINESS_ID and HC_WALLETS only ' +
      'the portal can tell.',
  },
}

const isReview = (kind: AdvisedKind): kind is ReviewAlertKind => kind.startsWith('review:')

/** Of one payment. It may contradict itself after its end, when it takes no decision. */
const oneReview: Advice = {
  title: ADVICE.review.title,
  todo:
    `${ADVICE.review.todo} If it is not listed there, it had ended before, and stays as it is: settle it with ` +
    'the customer.',
}

/** The title of a review ends with its reason. */
export function adviceFor(kind: AdvisedKind): Advice {
  if (!isReview(kind)) return ADVICE[kind]
  const { title, todo } = ADVICE[kind] ?? oneReview
  const reason = kind.slice('review:'.length).replaceAll('_', ' ')
  return { title: `${title} (${reason})`, todo }
}
