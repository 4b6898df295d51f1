// The doors of the console, for its users and for a backend with the merchant key.
import * as contract from '../contract/index.ts'
import { body, type Endpoint, json, rows, unreadable } from './openapi-parts.ts'

const staff = rows('staff')

export const staffEndpoints: readonly Endpoint[] = [
  staff.post('/v1/console/sign-in', 'signIn', 'Signs a user of the console in: the cookie holds until `endsAt`.', {
    ...body('application/json', contract.SignIn),
    answers: { 200: json('Who is signed in.', contract.Me) },
    errors: [
      ...unreadable,
      'not_found',
      'sign_in_refused',
      'origin_not_allowed',
      'console_needs_https',
      'rate_limited',
      'store_unavailable',
    ],
  }),
  staff.post('/v1/console/sign-out', 'signOut', 'Ends the sign-in.', {
    bearer: 'console',
    answers: { 204: { description: 'Ended.' } },
    errors: ['not_found', 'store_unavailable'],
  }),
  staff.get('/v1/console/me', 'readMe', 'Who is signed in, and what the console shows of the shop.', {
    bearer: 'console',
    answers: { 200: json('Who is signed in.', contract.Me) },
    errors: ['not_found', 'store_unavailable'],
  }),
]
