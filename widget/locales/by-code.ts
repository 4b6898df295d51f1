// Maps codes of failed payments and of refusals to rare texts. Loaded with those texts.

/** Result codes of service.md's callbacks, and of the companion. */
export const failures = {
  order_paid: 'errPaid',
  1: 'failedFunds',
  1032: 'failedCancelled',
  1037: 'expiredText',
  2001: 'failedPin',
  // No reason was given: the agent may have declined, and money may have been sent.
  failed: 'failedPin',
  address_lost: 'lostText',
  market_off: 'failedMarket',
  // Any other refusal of a create, for example of the shop's account: nothing was created.
  rejected: 'lostText',
  upstream_unavailable: 'failedUpstream',
  // The shop's own limit: the service was not asked.
  rate_limited: 'errBusy',
} as const

/** The companion's problem codes, and the widget's own. */
export const problems = {
  rate_limited: 'errBusy',
  market_off: 'failedMarket',
  upstream_unavailable: 'errDown',
  upstream_unreadable: 'errDown',
  // A create that never arrived, after a reload: what was typed is gone, and no detail of it was
  // wrong.
  not_found: 'failedUpstream',
  store_unavailable: 'errDown',
  blocked: 'errBlocked',
  bearer_missing: 'errOrigin',
  bearer_malformed: 'errOrigin',
  origin_not_allowed: 'errOrigin',
  session_required: 'errOrigin',
  // Errors of a field are shown at the field; these concern values that the page has set.
  invalid_request: 'errOrigin',
  country_not_offered: 'errOrigin',
  currency_mismatch: 'errOrigin',
  session_conflict: 'errOrigin',
  session_invalid: 'errSession',
  session_expired: 'errSession',
  deposit_unknown: 'errSession',
  // With other terms: the shop's page has the new one.
  session_closed: 'errSession',
  too_many_attempts: 'errAttempts',
  attempts_used_up: 'errUsedUp',
  session_paid: 'errPaid',
} as const
