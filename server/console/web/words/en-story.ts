// What the console says of a payment in English: its phases, its story, why it failed. Staff read
// it to a caller as it stands.
import type { DepositPhase } from '../../../contract/index.ts'

const LATER =
  'If the caller says that money has left, ask the payment service now, then look in its portal. A payment that it ' +
  'proves later still counts, and is marked as late.'

/** `label` names it, `caller` can be read to a customer, `next` is for staff. */
export interface PhaseWords {
  readonly label: string
  readonly caller: string
  readonly next: string
}

export interface StoryWords {
  readonly phases: Readonly<Record<DepositPhase, PhaseWords>>
  readonly overdue: PhaseWords
  /** By the kind of a timeline entry; an unknown kind is shown as it is. */
  readonly kinds: Readonly<Record<string, string>>
  readonly reviews: Readonly<Record<string, string>>
  /**
   * By result code: why it was not paid, as the customer's card and page say it. An agent may have
   * the money although nothing was confirmed.
   */
  readonly results: Readonly<Record<string, string>>
  readonly otherResult: string
  readonly late: string
  readonly duplicate: string
  readonly disputed: string
  readonly notices: Readonly<Record<string, string>>
  readonly noticeStates: Readonly<Record<'waiting' | 'delivered' | 'dead', string>>
  /** By the kind of an act of staff. */
  readonly done: Readonly<Record<string, string>>
  /** What the payment service named, and what we asked for. */
  readonly sums: string
  readonly again: string
  readonly told: string
  readonly toTell: string
}

export const enStory: StoryWords = {
  phases: {
    creating: {
      label: 'Starting',
      caller: 'Your payment is being prepared. Please wait a moment, and do not start another one.',
      next: 'Within half a minute the companion knows whether the payment service has taken it up.',
    },
    unknown: {
      label: 'Being looked up',
      caller:
        'The payment service has not answered yet. Please do not start another payment; nothing is charged twice.',
      next: 'The companion asks the payment service again, by itself, until it answers.',
    },
    open: {
      label: 'Waiting for the customer',
      caller:
        'Your payment page is open, and no money has been seen yet. Open the page and follow its steps. If you ' +
        'have sent money already, wait and do not pay again.',
      next:
        'The companion asks the payment service by itself, every minute at first. When the money is seen, the ' +
        'payment becomes paid and the shop is told.',
    },
    confirming: {
      label: 'Being confirmed',
      caller: 'The payment service has reported a result, and we are confirming it. Please do not pay again.',
      next: 'The companion proves the result by a question of its own. This takes seconds as a rule.',
    },
    abandoned: {
      label: 'Given up',
      caller:
        'This attempt was given up. If you have sent money for it, it will still be found and counted. If you have ' +
        'not, please start again.',
      next:
        'The companion goes on asking for 30 days. If money arrives after all, the payment becomes paid, and the ' +
        'shop is told.',
    },
    review: {
      label: 'Needs a decision',
      caller: 'A person has to look at your payment. Please do not pay again, and keep the message of your operator.',
      next: 'Somebody looks the payment up in the portal of the payment service and decides it here.',
    },
    succeeded: {
      label: 'Paid',
      caller: 'Your payment has arrived.',
      next: 'Paid is for ever. If the shop does not know of it, tell the shop again.',
    },
    failed: {
      label: 'Not paid',
      caller:
        'The payment did not go through. If no money has left your phone, please try again. If it has, keep the ' +
        'message of your operator: its number helps us to look for the money at the payment service.',
      next: LATER,
    },
    expired: {
      label: 'Time ran out',
      caller:
        'The time for this payment ran out before it was confirmed. If no money has left your phone, please start ' +
        'again. If it has, keep the message of your operator: its number helps us to look for the money at the ' +
        'payment service.',
      next: LATER,
    },
    rejected: {
      label: 'Not started',
      caller: 'The payment could not be started. Nothing was charged. Please try again.',
      next: 'Nothing more: the payment service never took it up.',
    },
  },
  overdue: {
    label: 'Takes long',
    caller:
      'Your payment takes longer than usual. If you have sent money, wait: it will be found. Do not pay again. ' +
      'If you have not, you can start again.',
    next: 'The payment service still calls it pending. The companion goes on asking for 30 days.',
  },
  kinds: {
    started: 'The customer pressed “pay”.',
    created: 'The payment service took it up, and the customer got the payment page.',
    created_late: 'The payment service took it up, but too late: its page was not handed out any more.',
    create_unknown: 'The payment service did not answer whether it had taken it up.',
    refused: 'The payment service refused it.',
    not_processed: 'The payment service was not reached, so nothing was started.',
    callback: 'The payment service sent a message with a result. It was not believed without proof.',
    callback_differs: 'A message named other details than ours. It changed nothing.',
    callback_sum: 'The payment service signed a message with another amount or currency than ours.',
    unconfirmed: 'A message said “paid” 15 minutes ago, and no answer of the service has confirmed it.',
    callback_decided: 'A message of the payment service ended it.',
    query_success: 'Asked by us, the payment service proved that it is paid.',
    query_failed: 'Asked by us, the payment service said that it is not paid.',
    query_refused: 'Asked by us, the payment service gave no usable answer.',
    query_sum: 'Asked by us, the payment service named another amount or currency than ours.',
    query_back: 'The payment service answers our questions again.',
    still_pending: 'Asked by us, the payment service said that it is still waiting.',
    overdue: 'The usual time has passed, and the payment service is still waiting.',
    asked_for_30_days: 'We have asked for 30 days, and nothing came.',
    address_lost: 'The payment page never reached us, so nobody could pay there.',
    never_arrived: 'The payment service does not know it, so nobody could pay.',
    replaced: 'The customer said that no money was sent, and started again.',
    order_paid: 'Another payment of the same order was paid.',
    contradiction: 'The payment service contradicted itself. A person was told.',
    review: 'It was put before a person.',
    decision: 'A person decided it.',
  },
  reviews: {
    transaction_mismatch: 'The payment service names another transaction for it than before.',
    transaction_conflict: 'Another payment holds the same transaction of the payment service.',
    redirect_origin: 'The payment service sent the customer to an address that is not allowed (HC_CHECKOUT_ORIGINS).',
    query_reference: 'Asked for this payment, the payment service answered about another one.',
    query_amount: 'The payment service calls it paid, with another amount or currency than ours.',
    callback_sum: 'The payment service signed another amount or currency than ours.',
    query_missing: 'The payment service cannot be asked about payments just now. This ends by itself when it can.',
    query_not_found: 'The payment service created it and now says that it does not know it.',
    pending_after_30_days: 'A message called it paid 30 days ago, and the payment service still calls it pending.',
  },
  results: {
    1: 'There was not enough money in the account.',
    1032: 'The payment was cancelled, or the phone could not be reached. Money may have been sent all the same.',
    1037: 'The time for this payment has run out, and no agent confirmed it. Money may have been sent all the same.',
    2001: 'The agent did not confirm the payment. Money may have been sent all the same.',
    failed: 'The payment service gave no reason. Money may have been sent all the same.',
    expired: 'The time for this payment has run out, and no agent confirmed it. Money may have been sent all the same.',
    order_paid: 'The order was paid already.',
    address_lost: 'The payment page never reached the customer.',
    market_off: 'The payment service has switched this country off for this shop.',
    account_refused: "The payment service refuses this shop's account.",
    upstream_unavailable: 'The payment service could not be reached.',
    rate_limited: 'Too many payments were started at once; this one had no place.',
    decided: 'A person of the shop decided that it was not paid.',
  },
  otherResult: 'The payment service says: {text} ({code})',
  late: 'The money came after this payment had been reported as not paid. It counts all the same.',
  duplicate: 'The order had been paid already: this money is owed back to the customer.',
  disputed: 'The payment service signed another amount or currency than ours. Compare it with the portal.',
  notices: {
    'payment.succeeded': 'Paid',
    'payment.duplicate': 'Paid twice',
    'payment.failed': 'Not paid',
    'payment.expired': 'Time ran out',
    'payment.review': 'Needs a decision',
  },
  noticeStates: {
    waiting: 'not told yet; attempts: {n}, the next at {time}. “{button}” does it at once.',
    delivered: 'told at {time}; attempts: {n}',
    dead: 'not told, and not tried any more; attempts: {n}. “{button}” does it at once.',
  },
  done: {
    sign_in: '{who} signed in',
    sign_in_refused: 'A sign-in as {who} was refused',
    sign_out: '{who} signed out',
    refresh: '{who} asked the payment service.',
    resend: '{who} had the shop told again.',
    note: '{who} wrote a note.',
    decision: '{who} decided it.',
    paid_back: '{who} marked it as paid back.',
    link: '{who} made a payment link.',
    close_link: '{who} closed a payment link.',
    export: '{who} saved payments as a file.',
    reconcile: '{who} compared a statement.',
  },
  sums: '{other} instead of {ours}',
  again: 'Noted {n} times, last on {time}.',
  told: 'The shop was told: {what}.',
  toTell: 'The shop is to be told: {what}.',
}
