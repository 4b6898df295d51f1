// The texts of the shop's live list for developers: what happened to a payment, step by step. The
// page has plain words for each kind.
import type { Notice, PaymentDetail, TimelineEntry } from 'hc-checkout-server/contract'
import type { Happening } from './store.ts'

type Words = Pick<Happening, 'source' | 'kind' | 'text' | 'tone'>

/**
 * Events that the page may report; anything else is refused. The texts are the server's, never the
 * browser's.
 */
export const pageEvents: Readonly<Record<string, Omit<Words, 'kind'>>> = {
  click: { source: 'page', tone: 'plain', text: 'The customer pressed the pay button' },
  'hc-deposit-created': {
    source: 'page',
    tone: 'plain',
    text: 'The widget holds the payment and waits for news of it',
  },
  'hc-checkout-opened': { source: 'page', tone: 'plain', text: 'The hosted checkout opened beside the shop' },
  'hc-success': { source: 'page', tone: 'good', text: 'The widget shows: paid' },
  'hc-failure': { source: 'page', tone: 'bad', text: 'The widget shows why it failed and offers to try again' },
  'hc-error': { source: 'page', tone: 'bad', text: 'The widget could not go on and says so to the customer' },
}

/** `KES 2,300` */
function money(amount: number, currency: string): string {
  return `${currency} ${amount.toLocaleString('en-US')}`
}

type StepText = string | ((entry: TimelineEntry, payment: PaymentDetail) => string)

/** By kind of timeline entry. All are the companion's own doing, but a callback. */
const steps: Readonly<Record<string, readonly [tone: Words['tone'], text: StepText]>> = {
  started: [
    'plain',
    (_, { amount, currency }) => `Stored: ${money(amount, currency)}. Only then is the payment service called`,
  ],
  created: ['wait', 'The payment service answered PENDING and gave its hosted page'],
  callback: [
    'wait',
    ({ detail }) =>
      `Callback received (${detail ?? 'result'}). It proves nothing by itself: a signed status query follows`,
  ],
  query_success: ['good', 'Our own signed status query says SUCCESS: proven'],
  query_failed: [
    'bad',
    (_, { result }) =>
      `Our own signed status query says FAILED${result === undefined ? '' : `: ${result.description}`}`,
  ],
  callback_decided: ['plain', 'Decided by the callback, as HC_CONFIRM=callback says'],
  create_unknown: ['wait', 'No clear answer to the create call. Not repeated: finding out by status query'],
  created_late: ['plain', 'The answer to the create call came after the end'],
  still_pending: ['wait', 'The status query still says PENDING: waiting on'],
  callback_differs: [
    'wait',
    'A callback had other fields than this payment, perhaps cut out of a genuine one: not believed',
  ],
  callback_sum: [
    'bad',
    ({ detail }) =>
      `The service signed another sum${detail === undefined ? '' : ` (${detail})`}: compare with its portal`,
  ],
  query_sum: [
    'bad',
    ({ detail }) =>
      `Our status query was answered with another sum${detail === undefined ? '' : ` (${detail})`}: compare with the portal`,
  ],
  unconfirmed: [
    'wait',
    'A callback said paid, and no status query has confirmed it for 15 minutes: compare with the portal',
  ],
  overdue: ['wait', 'Taking longer than usual; still open, nothing is lost'],
  replaced: ['plain', 'The customer started again: “I have not sent money”'],
  refused: ['bad', ({ detail }) => `The payment service refused it${detail === undefined ? '' : `: ${detail}`}`],
  not_processed: [
    'bad',
    ({ detail }) =>
      detail === undefined
        ? 'The payment service could not be reached; nothing was created'
        : `The payment service was not asked, or took nothing (${detail.replaceAll('_', ' ')}); nothing was created`,
  ],
  address_lost: ['bad', 'Created, but its page never reached us: nobody can pay there'],
  order_paid: [
    'plain',
    'Another payment for this order has succeeded: this one is given up, so that nobody pays twice',
  ],
  never_arrived: ['bad', 'The payment service never received it: safe to start again'],
  review: ['bad', ({ detail }) => `A person must look at it (${detail ?? 'review'})`],
  asked_for_30_days: [
    'plain',
    'Asked about for 30 days, and no final word came: a status query is made only when asked for',
  ],
  query_refused: [
    'wait',
    ({ detail }) => `The status query got no answer${detail === undefined ? '' : `: ${detail}`}. It is asked again`,
  ],
  query_back: ['wait', 'The status query answers again: asking the payment service what became of it'],
  contradiction: [
    'bad',
    ({ detail }) =>
      `The payment service contradicts its earlier word${detail === undefined ? '' : `: ${detail}`}. It counts for nothing until a person has looked`,
  ],
  decision: ['plain', ({ detail }) => `A person decided: ${detail ?? ''}`],
}

/** Text of a timeline entry of the companion; a kind without a text is shown by its name. */
export function timelineWords(entry: TimelineEntry, payment: PaymentDetail): Words {
  const { kind, detail } = entry
  const [tone, text] = steps[kind] ?? [
    'plain',
    `${kind.replaceAll('_', ' ')}${detail === undefined ? '' : `: ${detail}`}`,
  ]
  return {
    source: kind === 'callback' ? 'service' : 'companion',
    kind,
    tone,
    text: typeof text === 'string' ? text : text(entry, payment),
  }
}

/** What the shelf "break it" does. */
export const breakWords = {
  drop: 'Broken on purpose: the payment service will send no callback',
  twice: 'Broken on purpose: the callback comes twice, and the notice to the shop is sent again',
  forge: 'Broken on purpose: strangers send a callback and a notice that say SUCCESS',
  cut: 'Broken on purpose: the create call is processed, and its answer never comes',
  restart: 'Broken on purpose: the companion is restarted while the payment is under way',
  double: 'Broken on purpose: two create calls at the same moment, each with a key of its own',
  expire: 'Broken on purpose: FAILED by expiry, and SUCCESS some seconds later',
  failed: 'That could not be done: the companion or the sandbox did not answer',
  stopped: 'The companion is closed',
  started: 'The companion runs again, on the same database',
  'forged-notice': 'A notice with a made-up signature reached the shop’s backend: answered 401, nothing read',
} as const

export interface Outcome {
  readonly notice: Notice
  /** What the shop did with it. */
  readonly did: 'credited' | 'credited-before' | 'second' | 'nothing' | 'old' | 'mismatch'
}

export function noticeWords({ notice, did }: Outcome): Words {
  const { data, type } = notice
  const sum = money(data.amount, data.currency)
  const whose = data.orderId === undefined ? (data.clientReference ?? 'no order') : `order ${data.orderId}`
  const words = { source: 'notice', kind: `notice-${did}` } as const
  switch (did) {
    case 'credited':
      return { ...words, tone: 'good', text: `Signed notice: ${type}. ${sum} credited to ${whose}, once` }
    case 'credited-before':
      return { ...words, tone: 'plain', text: `Signed notice again: ${type}. Already credited, nothing added` }
    case 'second':
      return {
        ...words,
        tone: 'bad',
        text: `Signed notice: ${type}. ${sum} was paid a second time for ${whose}: refund it`,
      }
    case 'old':
      return { ...words, tone: 'plain', text: `Signed notice: ${type}, older than what we know. Ignored` }
    case 'mismatch':
      return {
        ...words,
        tone: 'bad',
        text: `Signed notice: ${type}, but ${sum} is not what ${whose} costs. Not credited`,
      }
    case 'nothing':
      return {
        ...words,
        tone: type === 'payment.review' ? 'wait' : 'bad',
        text: `Signed notice: ${type}. Nothing credited`,
      }
  }
}
