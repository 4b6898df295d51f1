// Every route of the companion as a table: what it takes, what it answers and which errors it
// returns.
import { z } from 'zod'
import * as contract from '../contract/index.ts'
import { body, byId, type Endpoint, headers, json, other, rows, withActKey } from './openapi-parts.ts'
import { staffEndpoints } from './openapi-staff.ts'

/** Schemas of answers and forms that are too small for the contract. */
export const small = {
  Requeued: z.object({ requeued: z.int().min(0) }),
  Received: z.object({ received: z.literal(true) }),
  Alive: z.object({ ok: z.literal(true) }),
  Readiness: z.object({
    ok: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string().optional() })).optional(),
    /** The proxy that sent X-Forwarded-For and is not in HC_TRUSTED_PROXIES; with the details. */
    untrustedProxy: z.string().optional(),
    /** Whether the request had X-Forwarded-For; with the details, unless we end TLS ourselves. */
    forwardedFor: z.boolean().optional(),
  }),
  PayForm: z.object({
    key: z.string().length(32).optional(),
    country: z.string().optional(),
    amount: z.string().optional(),
    bank: z.string().optional(),
    name: z.string().optional(),
    phone: z.string().optional(),
    email: z.string().optional(),
    action: z.enum(['check', 'again']).optional(),
    unpaid: z.literal('yes').optional(),
  }),
}

/** Only `ok` without HC_OPS_TOKEN. */
export type ReadinessBody = z.infer<typeof small.Readiness>

const browser = rows('browser')
const pages = rows('pages')
const deposit = rows('browser', 'depositToken')
const merchant = rows('merchant', 'merchantKey')
const payments = rows('merchant', 'staff')
const service = rows('service')
const operations = rows('operations')

const cached = headers('Cache-Control', 'ETag')
const notModified = { description: 'Unchanged (If-None-Match).', ...cached }
const elsewhere = { description: 'To the hosted page, or to the payment’s own page.', ...headers('Location') }
const formAgain = other('The form again, with what is wrong beside the fields.', 'text/html')

const held = z.object({
  'If-None-Match': z.string().optional().describe('The ETag of an answer that the client still has.'),
})
const byLink = z.object({ link: z.string().describe('The capability in `payUrl` of a deposit or session.') })
const inLanguage = z.object({
  lang: z.string().optional().describe('A language of HC_LOCALES; the browser’s, if offered, unless given.'),
})
const withKey = z.object({
  'Idempotency-Key': z
    .string()
    .min(22)
    .max(255)
    .describe(
      'New and random for each purchase (at least 128 random bits), the same for each repeat. A UUID of version 4, ' +
        'or at least 22 printable characters, 8 of them different. It is a secret: whoever has it gets the token of ' +
        'its payment. Best begun with the time in milliseconds and a hyphen, as the widget does: such keys cost the ' +
        'database the least.',
    ),
})
const withSessionKey = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The same for each repeat of one request: the same body is answered with the same session.'),
})

const traced = z.object({
  traceparent: z
    .string()
    .optional()
    .describe(
      'W3C Trace Context: in the log lines of the request, and in the notices of the payment. What is none is ignored.',
    ),
})

const noKey = ['idempotency_key_missing', 'idempotency_key_invalid', 'idempotency_key_in_progress'] as const
const ofSession = ['session_expired', 'session_closed', 'session_paid'] as const
const outOfOffer = ['country_not_offered', 'currency_mismatch', 'amount_out_of_range'] as const
const ofForm = [
  'origin_not_allowed',
  'unsupported_media_type',
  'body_too_large',
  'rate_limited',
  'market_off',
  'upstream_unavailable',
  'store_unavailable',
] as const

export const endpoints: readonly Endpoint[] = [
  browser.get('/v1/markets', 'listMarkets', 'Countries on offer, with currency, limits and quick amounts.', {
    requestParams: { header: held },
    answers: {
      200: { ...json('The markets, and whether real money moves.', contract.Markets), ...cached },
      304: notModified,
    },
  }),
  browser.get('/v1/banks', 'listBanks', 'Banks of one country; cached, and served stale when the service fails.', {
    requestParams: { query: z.object({ country: contract.CountryCode.describe('ISO 3166-1 alpha-2.') }), header: held },
    answers: { 200: { ...json('The banks.', contract.Banks), ...cached }, 304: notModified },
    errors: ['country_not_offered', 'invalid_request', 'rate_limited', 'upstream_unavailable', 'upstream_unreadable'],
  }),
  browser.get('/v1/session', 'readSession', 'What a session locks, and the payment that runs under it.', {
    bearer: 'sessionToken',
    answers: { 200: json('The session.', contract.SessionView) },
    errors: ['not_found', 'session_invalid', ...ofSession, 'rate_limited', 'store_unavailable'],
  }),
  browser.get('/v1/shop/logo', 'readLogo', 'The picture that HC_SHOP_LOGO names as a file.', {
    requestParams: { query: z.object({ v: z.string().optional().describe('Its version, as in `shop.logo`.') }) },
    answers: { 200: { ...other('The picture.', 'image/*'), ...headers('Cache-Control') } },
    errors: ['not_found'],
  }),
  browser.post('/v1/deposits', 'createDeposit', 'Starts a payment. A repeat with the same key answers the same.', {
    requestParams: { header: withKey.extend(traced.shape) },
    ...body('application/json', contract.CreateDeposit),
    answers: { 201: { ...json('The deposit with its token.', contract.CreatedDeposit), ...headers('Location') } },
    errors: [
      ...noKey,
      'idempotency_key_reused',
      'origin_not_allowed',
      'session_required',
      'not_found',
      'session_invalid',
      ...ofSession,
      'session_conflict',
      'too_many_attempts',
      'attempts_used_up',
      ...outOfOffer,
      'bank_unknown',
      'replaces_invalid',
      'rate_limited',
      'market_off',
      'upstream_unavailable',
      'store_unavailable',
    ],
  }),
  browser.get('/v1/attempt', 'recoverDeposit', 'The answer to a key whose first answer was lost.', {
    requestParams: { header: withKey },
    answers: { 200: json('The deposit with its token.', contract.CreatedDeposit) },
    errors: [...noKey, 'not_found', 'rate_limited', 'store_unavailable'],
  }),
  deposit.get('/v1/deposits/{id}', 'readDeposit', 'Where a payment stands.', {
    requestParams: { path: byId },
    answers: { 200: json('The deposit.', contract.DepositView) },
    errors: ['not_found', 'rate_limited', 'store_unavailable'],
  }),
  deposit.get(
    '/v1/deposits/{id}/events',
    'watchDeposit',
    'Server-sent events: `deposit` with a whole DepositView, its version as `id`. The first is the present state; a ' +
      'comment every 15 s. Ends after `succeeded` or `rejected`, and 5 minutes after another end.',
    {
      requestParams: { path: byId },
      answers: { 200: other('The stream.', 'text/event-stream') },
      errors: ['not_found', 'rate_limited', 'store_unavailable'],
    },
  ),
  deposit.post('/v1/deposits/{id}/check', 'checkDeposit', 'Has the companion ask the payment service now.', {
    requestParams: { path: byId },
    answers: { 200: json('The deposit after the answer.', contract.DepositView) },
    errors: ['not_found', 'origin_not_allowed', 'rate_limited', 'store_unavailable'],
  }),
  browser.get(
    '/widget/{version}/{file}',
    'readBundle',
    'The widget’s bundles: an exact build is immutable, `v1` follows the newest.',
    {
      requestParams: {
        path: z.object({
          version: z.string().describe('`v1`, a version (`0.1.0`), or a version with its build (`0.1.0-ad8e2328`).'),
          file: z.string().describe('`hc-checkout.js`, `hc-checkout-legacy.js`, `integrity.json`, …'),
        }),
        header: held,
      },
      answers: { 200: { ...other('The file.', '*/*'), ...cached }, 304: notModified },
      errors: ['not_found'],
    },
  ),
  pages.get('/pay', 'showForm', 'The payment form; with JavaScript the widget. No side effect.', {
    requestParams: {
      query: inLanguage.extend({ country: contract.CountryCode.optional().describe('Country to pay from.') }),
    },
    answers: { 200: other('The form.', 'text/html') },
    errors: ['session_required', 'country_not_offered', 'rate_limited'],
    errorsAreHtml: true,
  }),
  pages.post('/pay', 'sendForm', 'The form without JavaScript: own origin only.', {
    requestParams: { query: inLanguage },
    ...body('application/x-www-form-urlencoded', small.PayForm),
    answers: { 303: elsewhere, 422: formAgain },
    errors: ['session_required', ...ofForm],
    errorsAreHtml: true,
  }),
  pages.get('/pay/{link}', 'showPayment', 'A payment or session, in any browser. No side effect, no payer details.', {
    requestParams: { path: byLink, query: inLanguage },
    answers: { 200: other('The page.', 'text/html') },
    errors: ['not_found', ...ofSession, 'rate_limited', 'store_unavailable'],
    errorsAreHtml: true,
  }),
  pages.post('/pay/{link}', 'actOnPayment', 'Its forms: start the session’s payment, `check` now, start `again`.', {
    requestParams: { path: byLink, query: inLanguage },
    ...body('application/x-www-form-urlencoded', small.PayForm),
    answers: { 303: elsewhere, 422: formAgain },
    errors: ['not_found', ...ofSession, 'too_many_attempts', 'attempts_used_up', 'replaces_invalid', ...ofForm],
    errorsAreHtml: true,
  }),
  merchant.post(
    '/v1/sessions',
    'createSession',
    'Locks amount, currency and order for one customer. An order has one session. A repeated request with the same ' +
      'amount, currency and country is answered with that session while it can be used. It is also answered with it ' +
      'while a payment of the order is paid or can still be paid. Its first description, payer and metadata hold.',
    {
      requestParams: { header: withSessionKey.extend(traced.shape) },
      ...body('application/json', contract.CreateSession),
      answers: {
        200: { ...json('The session that the order has.', contract.CreatedSession), ...headers('Location') },
        201: { ...json('Token and link of a new session.', contract.CreatedSession), ...headers('Location') },
      },
      errors: [
        'order_in_progress',
        'order_paid',
        'idempotency_key_invalid',
        'idempotency_key_reused',
        ...outOfOffer,
        'store_unavailable',
      ],
    },
  ),
  merchant.get('/v1/sessions/{id}', 'readSessionOfShop', 'A session as the shop made it, and where its order stands.', {
    requestParams: { path: z.object({ id: z.string().describe('Id of the session, `ses_…`.') }) },
    answers: { 200: json('The session.', contract.SessionDetail) },
    errors: ['not_found', 'store_unavailable'],
  }),
  payments.get(
    '/v1/payments',
    'listPayments',
    'Payments, newest first; from (inclusive) and to (exclusive) are times of creation.',
    {
      requestParams: { query: contract.PaymentQuery },
      answers: { 200: json('One page.', contract.PaymentList) },
      errors: ['invalid_request', 'country_not_offered', 'store_unavailable'],
    },
  ),
  payments.get(
    '/v1/payments.csv',
    'exportPayments',
    'The same as a table; cells that would start a formula are escaped.',
    {
      requestParams: { query: contract.PaymentTableQuery },
      answers: { 200: other('CSV in UTF-8.', 'text/csv') },
      errors: ['invalid_request', 'country_not_offered', 'store_unavailable'],
    },
  ),
  payments.get(
    '/v1/payments/{id}',
    'readPayment',
    'One payment with its timeline, its notices and what a callback reported, unproven.',
    {
      requestParams: { path: byId },
      answers: { 200: json('The payment.', contract.PaymentDetail) },
      errors: ['not_found', 'store_unavailable'],
    },
  ),
  payments.post('/v1/payments/{id}/refresh', 'refreshPayment', 'Asks the payment service again.', {
    requestParams: { path: byId },
    ...body('application/json', contract.Reason, false),
    answers: { 200: json('The payment after the answer.', contract.PaymentView) },
    errors: ['not_found', 'store_unavailable'],
  }),
  payments.post('/v1/payments/{id}/notices', 'resendNotices', 'Sends the notices of a payment once more.', {
    requestParams: { path: byId },
    ...body('application/json', contract.Reason, false),
    answers: { 202: json('How many are sent again.', small.Requeued) },
    errors: ['not_found', 'store_unavailable'],
  }),
  payments.post('/v1/payments/{id}/decision', 'decidePayment', 'Ends a review.', {
    requestParams: { path: byId, header: withActKey },
    ...body('application/json', contract.Decision),
    answers: { 200: json('The payment as decided.', contract.PaymentView) },
    errors: ['not_found', 'decision_not_open', 'idempotency_key_invalid', 'store_unavailable'],
  }),
  ...staffEndpoints,
  service.post(
    '/v1/webhook/{key}',
    'receiveCallback',
    '`result_url` of one deposit. A callback never decides: it makes the companion ask.',
    {
      requestParams: {
        path: z.object({
          key: z.string().describe('Derived from the reference; a callback can only concern its own deposit.'),
        }),
      },
      ...body('application/json'),
      answers: { 200: json('Stored.', small.Received) },
      errors: ['webhook_refused', 'forbidden_address', 'body_too_large', 'unsupported_media_type', 'store_unavailable'],
    },
  ),
  operations.get('/healthz', 'health', 'Liveness.', {
    answers: { 200: json('The process answers.', small.Alive) },
  }),
  operations.get(
    '/readyz',
    'readiness',
    'Readiness: whether payments can be taken. Details for the bearer HC_OPS_TOKEN; where none is set, for this ' +
      'machine.',
    {
      bearer: 'opsToken',
      answers: {
        200: json('Ready.', small.Readiness),
        503: { ...json('Not ready; `checks` say why and what to do.', small.Readiness), ...headers('Retry-After') },
      },
    },
  ),
  operations.get(
    '/metrics',
    'metrics',
    'Metrics in the text format of Prometheus. For the bearer HC_OPS_TOKEN; where none is set, for this machine.',
    {
      bearer: 'opsToken',
      answers: { 200: other('The metrics.', 'text/plain') },
      errors: ['bearer_missing', 'bearer_wrong'],
    },
  ),
  operations.get('/problems/{code}', 'problem', 'What an error is: the page that `type` of one names.', {
    requestParams: { path: z.object({ code: z.string() }) },
    answers: { 200: other('A page in English.', 'text/html') },
    errors: ['not_found'],
  }),
  operations.get('/openapi.json', 'description', 'This description.', {
    answers: { 200: other('OpenAPI 3.1.', 'application/json') },
  }),
]
