// What to say of a refusal or a failed payment: one next step each.
import type { Texts } from './locales/texts.ts'

/** The one next step for each way a payment can end (codes of SERVICE.txt's callbacks and of the companion). */
export function failureText(texts: Texts, code: string): string {
  switch (code) {
    case '1032':
      return texts.failedCancelled
    case '1':
      return texts.failedFunds
    case '2001':
      return texts.failedPin
    case '1019':
      return texts.failedUnreachable
    case '1037':
      return texts.expiredText
    case 'market_off':
      return texts.failedMarket
    case 'upstream_unavailable':
      return texts.failedUpstream
    default:
      return texts.failedOther
  }
}

export function problemText(texts: Texts, code: string): string {
  switch (code) {
    case 'network':
      return texts.errNetwork
    case 'rate_limited':
      return texts.errBusy
    case 'market_off':
      return texts.failedMarket
    case 'upstream_unavailable':
    case 'upstream_rejected':
    case 'upstream_unreadable':
    case 'store_unavailable':
      return texts.errDown
    case 'origin_not_allowed':
    case 'session_required':
      return texts.errOrigin
    case 'session_invalid':
    case 'session_expired':
      return texts.errSession
    case 'session_paid':
      return texts.errPaid
    default:
      return texts.errOther
  }
}
