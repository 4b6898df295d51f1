// The doors of the console, for its users and for a backend with the merchant key.
import { z } from 'zod'
import * as contract from '../contract/index.ts'
import { body, byId, type Endpoint, json, other, rows, withActKey } from './openapi-parts.ts'

const signIn = rows('staff')
const signedIn = rows('staff', 'console')
const staff = rows('staff', 'staff')

export const staffEndpoints: readonly Endpoint[] = [
  signIn.post('/v1/console/sign-in', 'signIn', 'Signs a user of the console in: the cookie holds until `endsAt`.', {
    ...body('application/json', contract.SignIn),
    answers: { 200: json('Who is signed in.', contract.Me) },
    errors: [
      'not_found',
      'sign_in_refused',
      'origin_not_allowed',
      'console_needs_https',
      'rate_limited',
      'store_unavailable',
    ],
  }),
  signedIn.post('/v1/console/sign-out', 'signOut', 'Ends the sign-in.', {
    answers: { 204: { description: 'Ended.' } },
    errors: ['not_found', 'store_unavailable'],
  }),
  signedIn.get('/v1/console/me', 'readMe', 'Who is signed in, and what the console shows of the shop.', {
    answers: { 200: json('Who is signed in.', contract.Me) },
    errors: ['not_found', 'store_unavailable'],
  }),
  staff.get(
    '/v1/payments/events',
    'watchPayments',
    'Server-sent events: `payment` with a PaymentView, of each payment that is new or has changed; a comment ' +
      'every 15 s. Ends after 10 minutes. What came in between is not repeated: read the list again.',
    {
      answers: { 200: other('The stream.', 'text/event-stream') },
      errors: ['rate_limited', 'store_unavailable'],
    },
  ),
  staff.post('/v1/payments/{id}/notes', 'addNote', 'Adds a note to a payment.', {
    requestParams: { path: byId, header: withActKey },
    ...body('application/json', contract.NewNote),
    answers: { 201: json('The note.', contract.Act) },
    errors: ['not_found', 'idempotency_key_invalid', 'store_unavailable'],
  }),
  staff.post('/v1/payments/{id}/paid-back', 'markPaidBack', 'Says that money of a payment was paid back.', {
    requestParams: { path: byId, header: withActKey },
    ...body('application/json', contract.NewPaidBack),
    answers: { 201: json('As the list has it now.', contract.Owed) },
    errors: ['not_found', 'not_owed', 'already_paid_back', 'idempotency_key_invalid', 'store_unavailable'],
  }),
  staff.get('/v1/owed', 'listOwed', 'Payments that came twice or with another amount, newest first.', {
    requestParams: { query: contract.OwedQuery },
    answers: { 200: json('One page.', contract.OwedList) },
    errors: ['invalid_request', 'store_unavailable'],
  }),
  staff.get('/v1/owed.csv', 'exportOwed', 'The same as a table.', {
    requestParams: { query: contract.OwedTableQuery },
    answers: { 200: other('CSV in UTF-8.', 'text/csv') },
    errors: ['invalid_request', 'store_unavailable'],
  }),
  staff.post('/v1/links', 'createLink', 'Makes a payment link, with an order number of its own.', {
    requestParams: { header: withActKey },
    ...body('application/json', contract.CreateLink),
    answers: { 201: json('The link, and a message with it.', contract.Link) },
    errors: [
      'country_not_offered',
      'currency_mismatch',
      'amount_out_of_range',
      'idempotency_key_invalid',
      'store_unavailable',
    ],
  }),
  staff.get('/v1/links', 'listLinks', 'Payment links with their state, newest first.', {
    requestParams: { query: contract.LinkQuery },
    answers: { 200: json('One page.', contract.LinkList) },
    errors: ['invalid_request', 'store_unavailable'],
  }),
  staff.get('/v1/links/{id}', 'readLink', 'One payment link.', {
    requestParams: { path: z.object({ id: z.string().describe('Id of its session, `ses_…`.') }) },
    answers: { 200: json('The link.', contract.Link) },
    errors: ['not_found', 'store_unavailable'],
  }),
  staff.post(
    '/v1/links/{id}/close',
    'closeLink',
    'Closes a payment link: nobody can start a payment with it any more. One that was started goes on, and counts.',
    {
      requestParams: { path: z.object({ id: z.string().describe('Id of its session, `ses_…`.') }), header: withActKey },
      ...body('application/json', contract.CloseLink),
      answers: { 200: json('The link as it is now.', contract.Link) },
      errors: ['not_found', 'order_paid', 'idempotency_key_invalid', 'store_unavailable'],
    },
  ),
  staff.get('/v1/figures', 'readFigures', 'Payments by hour and market, and how long people and programs waited.', {
    requestParams: { query: contract.FigureQuery },
    answers: { 200: json('The figures.', contract.Figures) },
    errors: ['invalid_request', 'country_not_offered', 'rate_limited', 'store_unavailable'],
  }),
  staff.get('/v1/health', 'readHealth', 'What /readyz knows, with what it means for the shop and who to call.', {
    answers: { 200: json('The health.', contract.Health) },
  }),
  staff.post(
    '/v1/reconciliations',
    'reconcile',
    'Compares a statement of the portal, of at most 8 MB, with the payments. Each line of the answer is a ' +
      'ReconcileLine: progress, and at the end the result or a problem.',
    {
      requestParams: { query: contract.ReconcileQuery },
      ...body('text/csv'),
      answers: { 200: other('JSON, one a line.', 'application/x-ndjson') },
      errors: [
        'invalid_request',
        'unsupported_media_type',
        'body_too_large',
        'statement_unreadable',
        'rate_limited',
        'store_unavailable',
      ],
    },
  ),
  staff.get('/v1/acts', 'listActs', 'What people did, newest first. Takes the role owner.', {
    requestParams: { query: contract.ActQuery },
    answers: { 200: json('One page.', contract.ActList) },
    errors: ['invalid_request', 'store_unavailable'],
  }),
  staff.get('/v1/acts.csv', 'exportActs', 'The same as a table.', {
    requestParams: { query: contract.ActTableQuery },
    answers: { 200: other('CSV in UTF-8.', 'text/csv') },
    errors: ['invalid_request', 'store_unavailable'],
  }),
]
