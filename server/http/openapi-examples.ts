// Named examples for the description of the API, by the schema that they fit: typed by it here, and
// parsed by it in a test. It is long because it is two tables, and no code.
import type { z } from 'zod'
import * as contract from '../contract/index.ts'
import { type Problem, type ProblemCode, type ProblemIssue, problems } from '../contract/index.ts'
import { small } from './openapi-endpoints.ts'

interface Example {
  readonly summary: string
  readonly value: unknown
}

const bySchema = new Map<unknown, Readonly<Record<string, Example>>>()

/** Each name is that of a component, so it is used once. */
function add<S extends z.ZodType>(
  schema: S,
  named: Readonly<Record<string, readonly [summary: string, value: z.input<S>]>>,
): void {
  const entries = Object.entries(named).map(([name, [summary, value]]) => [name, { summary, value }] as const)
  bySchema.set(schema, Object.fromEntries(entries))
}

const SESSION = 'ses_1m8j0e0v7k2q4c9w5d3x8h6t2n'
const DEPOSIT = 'dep_1m8j0edb12ccc014vbr7k5e7f3'
const REFERENCE = 'HCT1M8J0EDB18QNE3BBX704B'
const TOKEN = `${SESSION}.qk3Wc0xJm7H2vYt9LbR5sNf8PdZ1uEa4GiXo6KjTwCM`
const DEPOSIT_TOKEN = 'H2vYt9LbR5sNf8PdZ1uEa4GiXo6KjTwCMqk3Wc0xJm7'
const PAGE = 'https://pay.shop.example/pay/d1m8j0edb12ccc014vbr7k5e7f3q2XmC7vT0bYk9LsR4nWd8A'
const PAGE_OF_SESSION = 'https://pay.shop.example/pay/s1m8j0e0v7k2q4c9w5d3x8h6t2nH5tYb0wKc9XqLr3mZs7eUg'
const STARTED = '2026-11-28T09:00:00.000Z'
const ENDED = '2026-11-28T09:01:12.000Z'
const LOCKED_UNTIL = '2026-11-28T09:15:00.000Z'
const TOMORROW = '2026-11-29T09:00:00.000Z'

const sum = { amount: 2300, currency: 'KES' } as const
const order = { ...sum, orderId: 'NURU-1001', description: 'Nuru Lantern' } as const
const customer = { name: 'Achieng Otieno', phone: '254712345678' }

const shop: contract.Shop = {
  name: 'Nuru Solar',
  logo: 'https://shop.example/logo.svg',
  accent: '#b5432a',
  onAccent: '#ffffff',
  phone: '+254 712 345 678',
}

/** What the browser, the backend and a notice are told alike of one payment. */
const common = { reference: REFERENCE, mode: 'test', ...sum, country: 'KE' } as const
const made = {
  id: DEPOSIT,
  ...common,
  createdAt: STARTED,
  expiresAt: LOCKED_UNTIL,
  description: 'Nuru Lantern',
} as const
const ofOrder = { sessionId: SESSION, orderId: 'NURU-1001', metadata: { basket: 'B-17' } }
const once = { late: false, duplicate: false } as const

const shown = { ...made, payer: { name: 'A••• O•••', phone: '•••678' }, payUrl: PAGE }
const openDeposit: contract.DepositView = {
  ...shown,
  status: 'PENDING',
  phase: 'open',
  checkoutUrl: 'https://checkout.service.example/checkout/bObSeAjciGa2XJ8x',
  version: 2,
}
const paidDeposit: contract.DepositView = {
  ...shown,
  status: 'SUCCESS',
  phase: 'succeeded',
  settledAt: ENDED,
  version: 4,
}
const failedDeposit: contract.DepositView = {
  ...shown,
  status: 'FAILED',
  phase: 'failed',
  settledAt: ENDED,
  result: { code: '2001', description: 'The agent did not confirm the payment.' },
  version: 4,
}

const payment = { ...made, ...ofOrder, ...once, transactionId: 'TX8842190177', payer: customer }
const paidPayment: contract.PaymentView = {
  ...payment,
  status: 'SUCCESS',
  phase: 'succeeded',
  settledAt: ENDED,
  version: 4,
}
const reviewedPayment: contract.PaymentView = {
  ...payment,
  status: 'PENDING',
  phase: 'review',
  reviewReason: 'query_amount',
  version: 5,
}

const noticeOf = (type: contract.NoticeType, changes: Partial<contract.Notice['data']>): contract.Notice => ({
  type,
  timestamp: ENDED,
  data: { paymentId: DEPOSIT, ...common, ...ofOrder, ...once, phase: 'succeeded', version: 4, ...changes },
})

const link: contract.Link = {
  id: SESSION,
  orderId: 'LINK-7Q3KD0M2XA',
  payUrl: PAGE_OF_SESSION,
  ...sum,
  country: 'KE',
  description: 'Nuru Lantern',
  language: 'en',
  message: `Nuru Solar: Please pay KES 2,300 for Nuru Lantern: ${PAGE_OF_SESSION}`,
  state: 'open',
  createdAt: STARTED,
  expiresAt: TOMORROW,
  by: 'Wanjiku',
  attempts: 0,
}

const note: contract.Act = {
  id: 'act_1m8j0f4k9q2v7c5x0w3d8h6t1n',
  at: ENDED,
  by: 'Wanjiku',
  role: 'operator',
  act: 'note',
  paymentId: DEPOSIT,
  why: 'Called back, all is well.',
  result: 'done',
}

const owed: contract.Owed = { payment: { ...paidPayment, duplicate: true }, kind: 'duplicate' }
const created: contract.CreatedSession = {
  id: SESSION,
  token: TOKEN,
  payUrl: PAGE_OF_SESSION,
  expiresAt: TOMORROW,
  state: 'open',
}

add(contract.Markets, {
  markets: [
    'A shop that takes payments from Kenya',
    {
      mode: 'test',
      markets: [
        {
          country: 'KE',
          name: 'Kenya',
          currency: 'KES',
          callingCode: '+254',
          min: 10,
          max: 150_000,
          quickAmounts: [500, 1000, 2500],
          phoneExample: '0712 123 456',
          operators: ['M-Pesa', 'Airtel Money'],
        },
      ],
      shop,
    },
  ],
})
add(contract.Banks, {
  banks: [
    'Two banks of Kenya',
    {
      country: 'KE',
      currency: 'KES',
      banks: [
        { name: 'Kenya Commercial Bank', code: '01', aliases: ['KCB'] },
        { name: 'Equity Bank', code: '68' },
      ],
    },
  ],
})
const inKenya = { country: 'KE', currency: 'KES', amount: 2300 } as const
const inSession = { ...inKenya, payer: { name: 'Achieng Otieno' }, session: TOKEN }
add(contract.CreateDeposit, {
  payOpenly: ['Without a session (HC_MODE=open)', { ...inKenya, payer: customer }],
  paySession: ['In a session, whose amount and currency it repeats', { ...inSession, locale: 'sw' }],
  payAgain: [
    'In place of an earlier attempt, for which no money was sent',
    { ...inSession, replaces: 'dep_1m8j0dz0q4k7v2c9w5x3d8h6tn' },
  ],
})
add(contract.CreatedDeposit, {
  createdDeposit: ['Created: the customer pays at `checkoutUrl`', { ...openDeposit, token: DEPOSIT_TOKEN }],
})
add(contract.DepositView, {
  openDeposit: ['It can be paid', openDeposit],
  paidDeposit: ['It is paid', paidDeposit],
  failedDeposit: ['It has failed', failedDeposit],
})
add(contract.CreateSession, {
  createSession: ['What is needed', order],
  createSessionForPayer: [
    'With all that the shop knows of the customer',
    {
      ...order,
      orderId: 'NURU-1002',
      country: 'KE',
      payer: { ...customer, email: 'achieng@mail.example' },
      metadata: { basket: 'B-17' },
      expiresIn: 3600,
    },
  ],
})
add(contract.CreatedSession, {
  openSession: ['The order can be paid', created],
  paidSession: ['The order is paid already', { ...created, state: 'paid' }],
})
add(contract.SessionDetail, {
  sessionOfShop: [
    'A payment of it can still be paid',
    { ...created, ...order, state: 'pending', metadata: { basket: 'B-17' }, createdAt: STARTED, attempts: 1 },
  ],
})
const session = { id: SESSION, ...order, payer: { name: true, phone: false, email: false }, expiresAt: TOMORROW }
add(contract.SessionView, {
  sessionToPay: ['Nobody has paid yet', { ...session, shop }],
  sessionUnderWay: [
    'A payment is under way: its token opens it',
    { ...session, deposit: { id: DEPOSIT, token: DEPOSIT_TOKEN, createdAt: STARTED } },
  ],
})
add(contract.PaymentView, {
  paidPayment: ['It is paid', paidPayment],
  reviewedPayment: ['A person has to decide', reviewedPayment],
})
add(contract.PaymentList, {
  paymentsPage: ['One page, and there is another', { payments: [paidPayment], nextCursor: 'MTc2NDMyMDQwMDAwMA' }],
  noPayments: ['None fits', { payments: [] }],
})
add(contract.PaymentDetail, {
  paymentStory: [
    'A paid one, whose notice was taken',
    {
      ...paidPayment,
      timeline: [
        { at: STARTED, kind: 'started', phase: 'creating', version: 1 },
        { at: STARTED, kind: 'created', phase: 'open', version: 2 },
        { at: ENDED, kind: 'callback', phase: 'confirming', version: 3 },
        { at: ENDED, kind: 'query_success', phase: 'succeeded', version: 4 },
      ],
      reported: { fees: '23', thirdPartyId: 'QX12AB34CD' },
      notices: [
        {
          id: 'msg_1m8j0edb12ccc014vbr7k5e7f3',
          type: 'payment.succeeded',
          body: JSON.stringify(noticeOf('payment.succeeded', {})),
          state: 'delivered',
          attempts: 1,
          createdAt: ENDED,
          deliveredAt: ENDED,
        },
      ],
      evidence: {
        request: {
          at: STARTED,
          walletNo: '4559494901',
          reference: REFERENCE,
          ...sum,
          description: 'Nuru Lantern',
          payer: customer,
        },
        callbacks: [
          { at: ENDED, verdict: 'rang', text: '{"channel":"420001","result_code":0,"amount":"2300"}', bytes: 412 },
        ],
      },
    },
  ],
})
add(contract.Reason, { reason: ['Why it is done', { why: 'The customer has called.' }] })
add(small.Requeued, { requeued: ['One notice is sent again', { requeued: 1 }] })
add(contract.Decision, {
  decidePaid: [
    'The portal of the service has the money',
    { outcome: 'succeeded', reason: 'Paid, by the portal: TX8842190177.', by: 'Wanjiku' },
  ],
  decideFailed: [
    'The portal of the service has none',
    { outcome: 'failed', reason: 'Not in the portal, two days later.', by: 'Wanjiku' },
  ],
})
add(contract.Notice, {
  noticePaid: ['Credit it, once', noticeOf('payment.succeeded', {})],
  noticeDuplicate: ['Pay it back', noticeOf('payment.duplicate', { duplicate: true })],
  noticeFailed: ['Release the order', noticeOf('payment.failed', { phase: 'failed' })],
  noticeExpired: ['Release the order', noticeOf('payment.expired', { phase: 'expired' })],
  noticeReview: ['Tell a person', noticeOf('payment.review', { phase: 'review', reason: 'query_amount' })],
})
add(contract.SignIn, { signIn: ['A user of the console', { name: 'Wanjiku', password: 'correct horse battery' }] })
add(contract.Me, {
  me: [
    'An operator',
    {
      name: 'Wanjiku',
      role: 'operator',
      csrf: 'k9Xq2Lr7mZs4eUgH5tYb0w',
      endsAt: '2026-11-28T21:00:00.000Z',
      shop: {
        mode: 'test',
        timeZone: 'Africa/Nairobi',
        today: '2026-11-28',
        markets: [{ country: 'KE', currency: 'KES', min: 10, max: 150_000 }],
        languages: ['en', 'sw'],
      },
    },
  ],
})
add(contract.NewNote, { note: ['What was said', { text: 'Called back, all is well.' }] })
add(contract.Act, { noteAdded: ['A note', note] })
add(contract.ActList, { acts: ['One page, the last one', { acts: [note] }] })
const payBack: contract.NewPaidBack = { on: '2026-11-28', amount: 2300, how: 'M-Pesa, QX12AB34CD' }
add(contract.NewPaidBack, { payBack: ['By mobile money', payBack] })
add(contract.Owed, {
  paidBack: ['It was paid back', { ...owed, paidBack: { ...payBack, by: 'Wanjiku', at: ENDED } }],
})
add(contract.OwedList, { owed: ['One order was paid twice', { owed: [owed] }] })
add(contract.CreateLink, {
  createLink: [
    'For a customer on the phone',
    { ...sum, description: 'Nuru Lantern', expiresIn: 86_400, language: 'sw' },
  ],
})
add(contract.Link, {
  openLink: ['It can be paid', link],
  paidLink: ['It is paid', { ...link, state: 'paid', attempts: 1, paymentId: DEPOSIT }],
})
add(contract.LinkList, { links: ['One page, the last one', { links: [link] }] })
add(contract.CloseLink, { closeLink: ['It is not wanted any more', { why: 'The customer has paid in cash.' }] })
add(contract.Figures, {
  figures: [
    'One hour',
    {
      timeZone: 'Africa/Nairobi',
      fromDay: '2026-11-28',
      toDay: '2026-11-28',
      hours: [
        {
          at: STARTED,
          country: 'KE',
          currency: 'KES',
          started: 12,
          succeeded: 10,
          failed: 1,
          waiting: 1,
          volume: 23_000,
        },
      ],
      days: [{ day: '2026-11-28', currency: 'KES', paid: 10, paidSum: 23_000, paidBack: 1, paidBackSum: 2500 }],
      paidAfter: [
        { seconds: 60, count: 7 },
        { seconds: null, count: 3 },
      ],
      noticeAfter: [{ seconds: 2, count: 10 }],
      serviceAfter: [{ seconds: 2, count: 12 }],
    },
  ],
})
add(contract.Health, {
  allIsWell: [
    'Nothing is wrong',
    {
      ok: true,
      takesPayments: true,
      checks: [{ name: 'store', state: 'ok', says: 'The database takes writes.', todo: '' }],
    },
  ],
})
add(small.Received, { received: ['It is stored', { received: true }] })
add(small.Alive, { alive: ['The process answers', { ok: true }] })
add(small.Readiness, {
  ready: ['Without the details', { ok: true }],
  notReady: [
    'With the details: the service refuses the login',
    {
      ok: false,
      checks: [
        { name: 'store', ok: true },
        { name: 'login', ok: false, detail: 'The service refuses the login: see HC_CONSUMER_KEY.' },
      ],
    },
  ],
})
add(small.PayForm, {
  payForm: [
    'The form that is filled in',
    { key: 'k4T9wQ2mZ7xC0vB5nL8sR3yH6jD1fG4a', country: 'KE', amount: '2300', ...customer },
  ],
  checkForm: ['The button that asks the service now', { action: 'check' }],
  againForm: ['Another attempt, for which no money was sent', { action: 'again', unpaid: 'yes' }],
})

/** What such an error says beside its code and status. Text alone is its detail. */
type Said = string | Pick<Problem, 'detail' | 'issues' | 'retryAfter'>

const ofField = (path: string, code: string, detail: string, more: Partial<ProblemIssue> = {}): Said => ({
  detail,
  issues: [{ path, code, message: detail, ...more }],
})

/** Of those whose title does not say what to do. */
const said: Readonly<Partial<Record<ProblemCode, Said>>> = {
  invalid_request: {
    detail: 'payer.name: The name needs at least two characters.',
    issues: [{ path: 'payer.name', code: 'too_small', message: 'The name needs at least two characters.' }],
  },
  not_found: 'See /openapi.json for the endpoints of this companion.',
  method_not_allowed: 'Use GET or POST.',
  idempotency_key_missing: 'Send a new random Idempotency-Key for each purchase, and the same one for each repeat.',
  idempotency_key_reused: 'Use a new Idempotency-Key for a new payment.',
  idempotency_key_in_progress: {
    detail: 'The first request is still running. Ask again with the same key.',
    retryAfter: 2,
  },
  origin_not_allowed: 'Add https://shop.example, the origin of this page, to HC_ALLOWED_ORIGINS of the companion.',
  bearer_wrong: 'The token is not this payment’s. A changed HC_SECRET ends the earlier ones.',
  session_required: 'Have the backend make a session (POST /v1/sessions), and give its token as session.',
  session_invalid: 'Give the whole token of POST /v1/sessions; a changed HC_SECRET ends the earlier ones.',
  session_expired: 'Its expiresIn has passed: have the backend make a new one for the order (POST /v1/sessions).',
  session_closed: 'Open the payment from the shop again: it has made a new session for this order, with other terms.',
  too_many_attempts: { detail: 'Wait before you try again.', retryAfter: 30 },
  attempts_used_up: 'Have the backend make a new session for the order.',
  order_in_progress: 'Wait for the end of the payment (GET /v1/payments?orderId=…), and ask again.',
  order_paid: 'Give an order that is paid several times an orderId for each payment.',
  session_conflict: ofField('amount', 'session_conflict', 'This payment is for 2300 KES.'),
  country_not_offered: ofField('country', 'country_not_offered', 'This shop does not take payments from this country.'),
  currency_mismatch: ofField('currency', 'currency_mismatch', 'The currency of this country is KES.'),
  amount_out_of_range: ofField('amount', 'amount_out_of_range', 'The amount must be from 10 to 150000 KES.', {
    minimum: 10,
    maximum: 150_000,
  }),
  bank_unknown: ofField('bankCode', 'bank_unknown', 'Choose one of GET /v1/banks, or leave it out.'),
  replaces_invalid: ofField('replaces', 'replaces_invalid', 'There is no such earlier payment.'),
  already_paid_back: 'Wanjiku has said so on 2026-11-28.',
  statement_unreadable: ofField('', 'open_quote', 'In line 7 a quote is opened and not closed.', {
    values: { line: '7' },
  }),
  console_needs_https: 'Set HC_PUBLIC_URL to an https address.',
  csrf_wrong: 'Send the csrf of GET /v1/console/me as X-HC-CSRF.',
  role_too_low: 'It takes an operator.',
  rate_limited: { detail: 'Ask again later.', retryAfter: 10 },
  forbidden_address: 'HC_WEBHOOK_ALLOW does not name this address.',
  market_off: { detail: 'Try again later or choose another way to pay.', retryAfter: 60 },
  upstream_unavailable: { detail: 'Nothing was charged. Try again in a moment.', retryAfter: 10 },
  store_unavailable: { detail: 'Nothing was started. Ask again with the same key.', retryAfter: 2 },
  internal_error: 'Nothing was lost that we had acknowledged. Try again, and give the request id to the operator.',
}

function problemOf(code: ProblemCode): Problem {
  const { status, title } = problems[code]
  const { [code]: told = `${title}.` } = said
  const beside = typeof told === 'string' ? { detail: told } : told
  return {
    type: `/problems/${code}`,
    title,
    status,
    code,
    requestId: '0a4e7c62-1f0b-4d8a-9c53-7b2f6e91d480',
    ...beside,
  }
}

/** Every example, by its name. */
export function componentExamples(): Record<string, Example> {
  const ofProblems = Object.fromEntries(
    Object.entries(problems).map(([code, { title }]) => [
      code,
      { summary: title, value: problemOf(code as ProblemCode) },
    ]),
  )
  return Object.assign({}, ...bySchema.values(), ofProblems) as Record<string, Example>
}

type References = Record<string, { readonly $ref: string }>

/** Those of the problems have the names of their codes. */
export const references = (names: readonly string[]): References =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]))

/** @param fits tells which of them are meant; all of them unless given */
export function examplesOf(schema: unknown, fits: (value: unknown) => boolean = () => true): References {
  const known = Object.entries(bySchema.get(schema) ?? {})
  return references(known.filter(([, { value }]) => fits(value)).map(([name]) => name))
}
