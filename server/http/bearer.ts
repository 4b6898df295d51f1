// The bearer token of a request. A missing, a malformed and a wrong one have a code each: what a
// browser stores of a payment must not be forgotten because a proxy took the header away or
// replaced it.
import type { Context, MiddlewareHandler } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import type { ProblemCode } from '../contract/index.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from './http.ts'

/** As Hono's bearer auth takes what it says of a header. */
const refusal = (code: ProblemCode, detail: string) => ({
  message: (): never => {
    throw new CompanionError(code, { detail })
  },
})

/** @param what names the token to whoever sent none */
const refusals = (what: string) => ({
  noAuthenticationHeader: refusal(
    'bearer_missing',
    `Send Authorization: Bearer ${what}. If you did, a proxy before this companion removes the header.`,
  ),
  invalidAuthenticationHeader: refusal(
    'bearer_malformed',
    `The header Authorization has another form: send Authorization: Bearer ${what}. ` +
      'If you did, a proxy before this companion replaces the header.',
  ),
})

/** Keeps the token as `token`. Its row, which is read later, says whether it is right. */
export const withToken: MiddlewareHandler<Env> = bearerAuth({
  verifyToken: (token, c) => {
    c.set('token', token)
    return true
  },
  ...refusals('<token>'),
})

/** Lets the merchant's backend through. */
export const merchantOnly = (isMerchantKey: (token: string, c: Context<Env>) => boolean): MiddlewareHandler<Env> =>
  bearerAuth({
    verifyToken: isMerchantKey,
    ...refusals('<the merchant key, HC_MERCHANT_KEY>, from a backend only'),
    invalidToken: refusal(
      'bearer_wrong',
      'This endpoint takes the merchant key (HC_MERCHANT_KEY), from a backend only.',
    ),
  })
