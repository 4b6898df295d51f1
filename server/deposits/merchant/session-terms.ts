// The terms of a session, checked before it is made: what the merchant can correct and a customer
// could not.
import type { CreateSession, ProblemCode, ProblemIssue } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import { isShopOrigin } from '../../platform/shop-origins.ts'
import type { Settings } from '../../settings/settings.ts'
import { countries } from '../markets.ts'

/**
 * Makes the check of a session's terms. What it returns throws a CompanionError that names the
 * field.
 */
export function createTermsCheck(settings: Settings): (terms: CreateSession) => void {
  const shopOrigins = { origins: new Set(settings.allowedOrigins), loopback: settings.paymentMode === 'test' }

  /** Where a customer is led, or a browser loads a picture from, is a place of the shop's. */
  function mustBeShops(path: string, address: string | undefined): void {
    if (address === undefined || isShopOrigin(shopOrigins, new URL(address).origin)) return
    const message =
      'Its origin is none of the shop: add it to HC_ALLOWED_ORIGINS, or send an address of one that is there.'
    throw refusal('invalid_request', `${path}: ${message}`, { path, code: 'origin_not_allowed', message })
  }

  return function check({ amount, currency, country, description, payer, shop, returnUrl }: CreateSession): void {
    mustBeShops('shop.logo', shop?.logo)
    mustBeShops('returnUrl', returnUrl)
    mustFit('payer.name', payer?.name, settings.maxName, 'HC_MAX_NAME')
    mustFit('description', description, settings.maxDescription, 'HC_MAX_DESCRIPTION')
    if (settings.wallets[currency] === undefined)
      throw refusal('country_not_offered', `There is no wallet for ${currency}: add it to HC_WALLETS.`, {
        path: 'currency',
        code: 'currency_not_offered',
        message: `There is no wallet for ${currency}: add it to HC_WALLETS, or send a currency that has one.`,
      })
    const expected = country === undefined ? currency : countries[country][1]
    if (expected !== currency)
      throw refusal('currency_mismatch', `The currency of ${country} is ${expected}.`, {
        path: 'currency',
        code: 'currency_mismatch',
        message: `The currency of this country is ${expected}: send that one.`,
      })
    const { min, max } = settings.limits[currency]
    if (amount < min || amount > max)
      throw refusal('amount_out_of_range', `The amount must be from ${min} to ${max} ${currency} (HC_LIMITS).`, {
        path: 'amount',
        code: 'amount_out_of_range',
        message: `Send an amount from ${min} to ${max} ${currency} (HC_LIMITS).`,
        minimum: min,
        maximum: max,
      })
  }
}

function mustFit(path: string, text: string | undefined, most: number, setting: string): void {
  if (text === undefined || Array.from(text).length <= most) return
  const message = `It is too long: send at most ${most} characters (${setting}).`
  throw refusal('invalid_request', `${path}: ${message}`, { path, code: 'too_big', message })
}

function refusal(code: ProblemCode, detail: string, issue: ProblemIssue): CompanionError {
  return new CompanionError(code, { detail, issues: [issue] })
}
