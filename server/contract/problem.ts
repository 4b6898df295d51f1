// The errors that the API returns: RFC 9457 problem details with a stable `code`. A leaf module:
// imports only zod.
import { z } from 'zod'

/**
 * Every stable error code of the companion's API, with its HTTP status and a title for developers.
 * A code never changes its meaning; new ones may be added.
 */
export const problems = {
  invalid_request: { status: 422, title: 'The request does not fit the contract' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  body_too_large: { status: 413, title: 'The body is too large' },
  not_found: { status: 404, title: 'There is nothing here' },
  method_not_allowed: { status: 405, title: 'This address does not take that method' },
  idempotency_key_missing: { status: 400, title: 'The Idempotency-Key header is missing' },
  idempotency_key_invalid: { status: 400, title: 'The Idempotency-Key header can be guessed or not be used' },
  idempotency_key_reused: { status: 422, title: 'This Idempotency-Key was used with another body' },
  idempotency_key_in_progress: { status: 409, title: 'The first request with this Idempotency-Key is still running' },
  origin_not_allowed: { status: 403, title: 'This web site may not use this companion' },
  bearer_missing: { status: 401, title: 'No bearer token arrived' },
  bearer_malformed: { status: 401, title: 'The Authorization header holds no bearer token' },
  bearer_wrong: { status: 401, title: 'The bearer token is not the right one' },
  session_required: { status: 403, title: 'This shop takes payments by session only' },
  session_invalid: { status: 404, title: 'The session token is not valid' },
  session_expired: { status: 410, title: 'The session has expired' },
  session_paid: { status: 409, title: 'This session is already paid' },
  session_closed: { status: 410, title: 'The shop has closed or replaced this session' },
  too_many_attempts: { status: 429, title: 'Too many attempts in this session within a short time' },
  attempts_used_up: { status: 410, title: 'This session takes no more attempts' },
  order_in_progress: { status: 409, title: 'A payment of this order can still be paid' },
  order_paid: { status: 409, title: 'This order is already paid' },
  session_conflict: { status: 422, title: 'The session fixes another value' },
  country_not_offered: { status: 422, title: 'This country is not offered' },
  currency_mismatch: { status: 422, title: 'The currency is not the one of the country' },
  amount_out_of_range: { status: 422, title: 'The amount is outside the limits' },
  bank_unknown: { status: 422, title: 'This bank is not in the list of the country' },
  replaces_invalid: { status: 422, title: 'The earlier payment cannot be replaced' },
  decision_not_open: { status: 409, title: 'There is no review to decide' },
  not_owed: { status: 409, title: 'No money of this payment is to be paid back' },
  already_paid_back: { status: 409, title: 'This payment is marked as paid back already' },
  statement_unreadable: { status: 422, title: 'The statement cannot be read' },
  sign_in_refused: { status: 401, title: 'Name or password is wrong' },
  sign_in_missing: { status: 401, title: 'Nobody is signed in' },
  console_needs_https: { status: 403, title: 'The console needs https' },
  csrf_wrong: { status: 403, title: 'The request does not come from the console' },
  role_too_low: { status: 403, title: 'The role of this user does not allow it' },
  rate_limited: { status: 429, title: 'Too many requests' },
  forbidden_address: { status: 403, title: 'This address may not call here' },
  webhook_refused: { status: 401, title: 'The callback was not believed' },
  market_off: { status: 503, title: 'This market is switched off at the payment service' },
  upstream_unavailable: { status: 503, title: 'The payment service cannot be reached' },
  upstream_unreadable: { status: 502, title: 'The payment service answered something unreadable' },
  store_unavailable: { status: 503, title: 'The database could not be read or written' },
  internal_error: { status: 500, title: 'Something went wrong here' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems

/**
 * One offending field: `path` is its dotted name in the body (`payer.name`), `code` a stable word
 * for the fault.
 */
export const ProblemIssue = z.object({
  path: z.string(),
  code: z.string(),
  message: z.string(),
  minimum: z.number().optional().describe('Smallest accepted value, when a range was violated. Major units.'),
  maximum: z.number().optional().describe('Largest accepted value, when a range was violated. Major units.'),
  values: z
    .record(z.string(), z.string())
    .optional()
    .describe('What the sentence of the code needs, for a client that says it in its own language.'),
})
export type ProblemIssue = z.infer<typeof ProblemIssue>

/** RFC 9457 body of every error, `application/problem+json`. */
export const Problem = z.object({
  type: z
    .string()
    .describe(
      '`/problems/` and the code: by it a client knows the companion’s own word from that of a gateway before it.',
    ),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('What happened and what to do, one or two sentences in English.'),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  requestId: z.string().optional().describe("Identifies the request in the companion's log."),
  issues: z.array(ProblemIssue).optional(),
  retryAfter: z.int().optional().describe('Seconds to wait before asking again, as in the Retry-After header.'),
})
export type Problem = z.infer<typeof Problem>
