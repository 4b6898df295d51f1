// What to say of a refusal or a failed payment: one next step each.
import type { CardTexts } from './locales/texts.ts'

/** Codes of SERVICE.txt's callbacks, and of the companion. */
const failures: Readonly<Record<string, keyof CardTexts>> = {
  1: 'failedFunds',
  1019: 'failedUnreachable',
  1032: 'failedCancelled',
  1037: 'expiredText',
  2001: 'failedPin',
  market_off: 'failedMarket',
  upstream_unavailable: 'failedUpstream',
}

/** The companion's problem codes, and the widget's own. */
const problems: Readonly<Record<string, keyof CardTexts>> = {
  network: 'errNetwork',
  rate_limited: 'errBusy',
  market_off: 'failedMarket',
  upstream_unavailable: 'errDown',
  upstream_rejected: 'errDown',
  upstream_unreadable: 'errDown',
  store_unavailable: 'errDown',
  origin_not_allowed: 'errOrigin',
  session_required: 'errOrigin',
  session_invalid: 'errSession',
  session_expired: 'errSession',
  deposit_unknown: 'errSession',
  session_paid: 'errPaid',
}

/** The one next step for each way a payment can end. */
export function failureText(texts: CardTexts, code: string): string {
  return texts[failures[code] || 'failedOther'] || texts.failedOther
}

export function problemText(texts: CardTexts, code: string): string {
  return texts[problems[code] || 'errOther'] || texts.errOther
}
