// Which rare sentence belongs to which code: of a failed payment, of a refusal. Loaded with those sentences.
import type { Rare } from './texts.ts'

/** Codes of SERVICE.txt's callbacks, and of the companion. */
export const failures: Rare['failures'] = {
  order_paid: 'errPaid',
  1: 'failedFunds',
  1019: 'failedUnreachable',
  1032: 'failedCancelled',
  1037: 'expiredText',
  2001: 'failedPin',
  market_off: 'failedMarket',
  upstream_unavailable: 'failedUpstream',
}

/** The companion's problem codes, and the widget's own. */
export const problems: Rare['problems'] = {
  network: 'errNetwork',
  rate_limited: 'errBusy',
  market_off: 'failedMarket',
  upstream_unavailable: 'errDown',
  upstream_rejected: 'errDown',
  upstream_unreadable: 'errDown',
  store_unavailable: 'errDown',
  origin_not_allowed: 'errOrigin',
  session_required: 'errOrigin',
  // What concerns a field is said there; the rest the page has set.
  invalid_request: 'errOrigin',
  country_not_offered: 'errOrigin',
  currency_mismatch: 'errOrigin',
  session_conflict: 'errOrigin',
  session_invalid: 'errSession',
  session_expired: 'errSession',
  deposit_unknown: 'errSession',
  session_paid: 'errPaid',
}
