// Every route of the companion as a table: what it takes, what it answers and which errors it returns.
import type { ProblemCode } from '../contract/index.ts'

/** Contract schemas, which are also the component names in the OpenAPI description. */
export type Shape =
  | 'Markets' | 'Banks' | 'SessionView' | 'CreateDeposit' | 'CreatedDeposit' | 'DepositView' | 'CreateSession' | 'CreatedSession' | 'SessionDetail'
  | 'PaymentList' | 'PaymentDetail' | 'PaymentView' | 'Decision' | 'Requeued' | 'Received' | 'Health' | 'Readiness' | 'PayForm' // prettier-ignore

/** Response headers that a client acts upon, described in openapi.ts. */
export type HeaderName = 'Cache-Control' | 'ETag' | 'Location' | 'Retry-After' | 'WWW-Authenticate'

export interface AnswerDescription {
  readonly says: string
  /** Media type of the body; absent for an answer without one. */
  readonly type?: string
  readonly shape?: Shape
  readonly headers?: readonly HeaderName[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly says: string
  readonly schema?: object
}

export interface EndpointDescription {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly tag: 'browser' | 'pages' | 'merchant' | 'service' | 'operations'
  readonly name: string
  readonly says: string
  readonly bearer?: 'depositToken' | 'sessionToken' | 'merchantKey' | 'opsToken'
  readonly parameters?: readonly (Parameter | 'PaymentQuery' | 'PaymentFilter')[]
  readonly takes?: { readonly type: string; readonly shape?: Shape }
  readonly answers: Readonly<Record<number, AnswerDescription>>
  readonly errors: readonly ProblemCode[]
  /** The pages send errors as HTML, with the same status. */
  readonly errorsAreHtml?: boolean
}

const json = (says: string, shape: Shape, headers: readonly HeaderName[] = []): AnswerDescription => ({
  says,
  type: 'application/json',
  shape,
  headers,
})
const html = (says: string): AnswerDescription => ({ says, type: 'text/html' })
const cached: readonly HeaderName[] = ['Cache-Control', 'ETag']
const notModified: AnswerDescription = { says: 'Unchanged (If-None-Match).', headers: cached }
const held: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  says: 'The ETag of an answer that the client still has.',
}
const elsewhere: AnswerDescription = {
  says: 'To the hosted page, or to the payment’s own page.',
  headers: ['Location'],
}
const id: Parameter = { name: 'id', in: 'path', required: true, says: 'Id of the deposit, `dep_…`.' }
const key: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  says: 'New and random for each purchase (at least 128 random bits), the same for each repeat. A UUID of version 4, or at least 22 printable characters, 8 of them different. It is a secret: whoever has it gets the token of its payment. Best begun with the time in milliseconds and a hyphen, as the widget does: such keys cost the database the least.',
  schema: { type: 'string', minLength: 22, maxLength: 255 },
}
const sessionKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  says: 'The same for each repeat of one request: the same body is answered with the same session.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}
const link: Parameter = {
  name: 'link',
  in: 'path',
  required: true,
  says: 'The capability in `payUrl` of a deposit or session.',
}
const lang: Parameter = {
  name: 'lang',
  in: 'query',
  says: 'A language of HC_LOCALES; the browser’s, if offered, unless given.',
}

export const endpoints: readonly EndpointDescription[] = [
  {
    method: 'get', path: '/v1/markets', tag: 'browser', name: 'listMarkets', says: 'Countries on offer, with currency, limits and quick amounts.',
    parameters: [held], answers: { 200: json('The markets, and whether real money moves.', 'Markets', cached), 304: notModified }, errors: [],
  },
  {
    method: 'get', path: '/v1/banks', tag: 'browser', name: 'listBanks', says: 'Banks of one country; cached, and served stale when the service fails.',
    parameters: [{ name: 'country', in: 'query', required: true, says: 'ISO 3166-1 alpha-2.', schema: { $ref: '#/components/schemas/CountryCode' } }, held],
    answers: { 200: json('The banks.', 'Banks', cached), 304: notModified }, errors: ['country_not_offered', 'invalid_request', 'rate_limited', 'upstream_unavailable', 'upstream_unreadable'],
  },
  {
    method: 'get', path: '/v1/session', tag: 'browser', name: 'readSession', says: 'What a session locks, and the payment that runs under it.', bearer: 'sessionToken',
    answers: { 200: json('The session.', 'SessionView') }, errors: ['bearer_missing', 'bearer_malformed', 'not_found', 'session_invalid', 'session_expired', 'session_closed', 'session_paid', 'rate_limited', 'store_unavailable'],
  },
  {
    method: 'post', path: '/v1/deposits', tag: 'browser', name: 'createDeposit', says: 'Starts a payment. A repeat with the same key answers the same.', parameters: [key],
    takes: { type: 'application/json', shape: 'CreateDeposit' }, answers: { 201: json('The deposit with its token.', 'CreatedDeposit', ['Location']) },
    errors: [
      'malformed_json', 'idempotency_key_missing', 'idempotency_key_invalid', 'unsupported_media_type', 'body_too_large', 'origin_not_allowed', 'session_required',
      'not_found', 'session_invalid', 'session_expired', 'session_closed', 'session_paid', 'session_conflict', 'too_many_attempts', 'attempts_used_up', 'idempotency_key_in_progress', 'idempotency_key_reused', 'invalid_request',
      'country_not_offered', 'currency_mismatch', 'amount_out_of_range', 'bank_unknown', 'replaces_invalid', 'rate_limited', 'market_off', 'upstream_unavailable', 'store_unavailable',
    ],
  },
  {
    method: 'get', path: '/v1/attempt', tag: 'browser', name: 'recoverDeposit', says: 'The answer to a key whose first answer was lost.', parameters: [key],
    answers: { 200: json('The deposit with its token.', 'CreatedDeposit') }, errors: ['idempotency_key_missing', 'idempotency_key_invalid', 'not_found', 'rate_limited', 'idempotency_key_in_progress', 'store_unavailable'],
  },
  {
    method: 'get', path: '/v1/deposits/{id}', tag: 'browser', name: 'readDeposit', says: 'Where a payment stands.', bearer: 'depositToken', parameters: [id],
    answers: { 200: json('The deposit.', 'DepositView') }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'not_found', 'rate_limited', 'store_unavailable'],
  },
  {
    method: 'get', path: '/v1/deposits/{id}/events', tag: 'browser', name: 'watchDeposit', bearer: 'depositToken', parameters: [id],
    says: 'Server-sent events: `deposit` with a whole DepositView, its version as `id`. The first is the present state; a comment every 15 s. Ends after `succeeded` or `rejected`, and 5 minutes after another end.',
    answers: { 200: { says: 'The stream.', type: 'text/event-stream' } }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'not_found', 'rate_limited', 'store_unavailable'],
  },
  {
    method: 'post', path: '/v1/deposits/{id}/check', tag: 'browser', name: 'checkDeposit', says: 'Has the companion ask the payment service now.', bearer: 'depositToken', parameters: [id],
    answers: { 200: json('The deposit after the answer.', 'DepositView') }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'not_found', 'origin_not_allowed', 'rate_limited', 'store_unavailable'],
  },
  {
    method: 'get', path: '/widget/{version}/{file}', tag: 'browser', name: 'readBundle', says: 'The widget’s bundles: an exact version is immutable, `v1` follows the newest.',
    parameters: [{ name: 'version', in: 'path', required: true, says: '`v1` or an exact version.' }, { name: 'file', in: 'path', required: true, says: '`hc-checkout.js`, `hc-checkout-legacy.js`, `integrity.json`, …' }, held],
    answers: { 200: { says: 'The file.', type: '*/*', headers: cached }, 304: notModified }, errors: ['not_found'],
  },
  {
    method: 'get', path: '/pay', tag: 'pages', name: 'showForm', says: 'The payment form; with JavaScript the widget. No side effect.',
    parameters: [lang, { name: 'country', in: 'query', says: 'Country to pay from.', schema: { $ref: '#/components/schemas/CountryCode' } }],
    answers: { 200: html('The form.') }, errors: ['session_required', 'country_not_offered', 'rate_limited'], errorsAreHtml: true,
  },
  {
    method: 'post', path: '/pay', tag: 'pages', name: 'sendForm', says: 'The form without JavaScript: own origin only.', parameters: [lang], takes: { type: 'application/x-www-form-urlencoded', shape: 'PayForm' },
    answers: { 303: elsewhere, 422: html('The form again, with what is wrong beside the fields.') },
    errors: ['session_required', 'origin_not_allowed', 'unsupported_media_type', 'body_too_large', 'rate_limited', 'market_off', 'upstream_unavailable', 'store_unavailable'], errorsAreHtml: true,
  },
  {
    method: 'get', path: '/pay/{link}', tag: 'pages', name: 'showPayment', says: 'A payment or session, in any browser. No side effect, no payer details.', parameters: [link, lang],
    answers: { 200: html('The page.') }, errors: ['not_found', 'session_expired', 'session_closed', 'session_paid', 'rate_limited', 'store_unavailable'], errorsAreHtml: true,
  },
  {
    method: 'post', path: '/pay/{link}', tag: 'pages', name: 'actOnPayment', says: 'Its forms: start the session’s payment, `check` now, start `again`.', parameters: [link, lang], takes: { type: 'application/x-www-form-urlencoded', shape: 'PayForm' },
    answers: { 303: elsewhere, 422: html('The form again, with what is wrong beside the fields.') },
    errors: ['not_found', 'session_expired', 'session_closed', 'session_paid', 'too_many_attempts', 'attempts_used_up', 'origin_not_allowed', 'unsupported_media_type', 'body_too_large', 'replaces_invalid', 'rate_limited', 'market_off', 'upstream_unavailable', 'store_unavailable'], errorsAreHtml: true,
  },
  {
    method: 'post', path: '/v1/sessions', tag: 'merchant', name: 'createSession', bearer: 'merchantKey', parameters: [sessionKey], takes: { type: 'application/json', shape: 'CreateSession' },
    says: 'Locks amount, currency and order for one customer. An order has one session: asked for again with the same amount, currency and country, it is answered with that one while it can be used, or while a payment of the order is paid or can still be paid. Its first description, payer and metadata hold.',
    answers: { 200: json('The session that the order has.', 'CreatedSession', ['Location']), 201: json('Token and link of a new session.', 'CreatedSession', ['Location']) },
    errors: ['order_in_progress', 'order_paid', 'idempotency_key_invalid', 'idempotency_key_reused', 'bearer_missing', 'bearer_malformed', 'bearer_wrong', 'malformed_json', 'unsupported_media_type', 'body_too_large', 'invalid_request', 'country_not_offered', 'currency_mismatch', 'amount_out_of_range', 'store_unavailable'],
  },
  {
    method: 'get', path: '/v1/sessions/{id}', tag: 'merchant', name: 'readSessionOfShop', says: 'A session as the shop made it, and where its order stands.', bearer: 'merchantKey',
    parameters: [{ name: 'id', in: 'path', required: true, says: 'Id of the session, `ses_…`.' }],
    answers: { 200: json('The session.', 'SessionDetail') }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'not_found', 'store_unavailable'],
  },
  {
    method: 'get', path: '/v1/payments', tag: 'merchant', name: 'listPayments', says: 'Payments, newest first; from (inclusive) and to (exclusive) are times of creation.', bearer: 'merchantKey', parameters: ['PaymentQuery'],
    answers: { 200: json('One page.', 'PaymentList') }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'invalid_request', 'country_not_offered', 'store_unavailable'],
  },
  {
    method: 'get', path: '/v1/payments.csv', tag: 'merchant', name: 'exportPayments', says: 'The same as a table; cells that would start a formula are escaped.', bearer: 'merchantKey', parameters: ['PaymentFilter'],
    answers: { 200: { says: 'CSV in UTF-8.', type: 'text/csv' } }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'invalid_request', 'country_not_offered', 'store_unavailable'],
  },
  {
    method: 'get', path: '/v1/payments/{id}', tag: 'merchant', name: 'readPayment', says: 'One payment with its timeline, its notices and what a callback reported, unproven.', bearer: 'merchantKey', parameters: [id],
    answers: { 200: json('The payment.', 'PaymentDetail') }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'not_found', 'store_unavailable'],
  },
  {
    method: 'post', path: '/v1/payments/{id}/refresh', tag: 'merchant', name: 'refreshPayment', says: 'Asks the payment service again.', bearer: 'merchantKey', parameters: [id],
    answers: { 200: json('The payment after the answer.', 'PaymentView') }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'not_found', 'store_unavailable'],
  },
  {
    method: 'post', path: '/v1/payments/{id}/notices', tag: 'merchant', name: 'resendNotices', says: 'Sends the notices of a payment once more.', bearer: 'merchantKey', parameters: [id],
    answers: { 202: json('How many are sent again.', 'Requeued') }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'not_found', 'store_unavailable'],
  },
  {
    method: 'post', path: '/v1/payments/{id}/decision', tag: 'merchant', name: 'decidePayment', says: 'Ends a review.', bearer: 'merchantKey', parameters: [id], takes: { type: 'application/json', shape: 'Decision' },
    answers: { 200: json('The payment as decided.', 'PaymentView') }, errors: ['bearer_missing', 'bearer_malformed', 'bearer_wrong', 'not_found', 'malformed_json', 'unsupported_media_type', 'body_too_large', 'invalid_request', 'decision_not_open', 'store_unavailable'],
  },
  {
    method: 'post', path: '/v1/webhook/{key}', tag: 'service', name: 'receiveCallback', says: '`result_url` of one deposit. A callback never decides: it makes the companion ask.',
    parameters: [{ name: 'key', in: 'path', required: true, says: 'Derived from the reference; a callback can only concern its own deposit.' }],
    takes: { type: 'application/json' }, answers: { 200: json('Stored.', 'Received') }, errors: ['webhook_refused', 'forbidden_address', 'body_too_large', 'unsupported_media_type', 'store_unavailable'],
  },
  {
    method: 'get', path: '/healthz', tag: 'operations', name: 'health', says: 'Liveness.', answers: { 200: json('The process answers.', 'Health') }, errors: [],
  },
  {
    method: 'get', path: '/readyz', tag: 'operations', name: 'readiness', says: 'Readiness: whether payments can be taken. Details for the bearer HC_OPS_TOKEN; where none is set, for this machine.', bearer: 'opsToken',
    answers: { 200: json('Ready.', 'Readiness'), 503: json('Not ready; `checks` say why and what to do.', 'Readiness', ['Retry-After']) }, errors: [],
  },
  {
    method: 'get', path: '/metrics', tag: 'operations', name: 'metrics', says: 'Metrics in the text format of Prometheus. For the bearer HC_OPS_TOKEN; where none is set, for this machine.', bearer: 'opsToken',
    answers: { 200: { says: 'The metrics.', type: 'text/plain' } }, errors: ['bearer_missing', 'bearer_wrong'],
  },
  {
    method: 'get', path: '/openapi.json', tag: 'operations', name: 'description', says: 'This description.', answers: { 200: { says: 'OpenAPI 3.1.', type: 'application/json' } }, errors: [],
  },
] // prettier-ignore
