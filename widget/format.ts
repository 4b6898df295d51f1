// Money, times and sentences in the customer's language.
import type { Texts } from './locales/texts.ts'

/** Whole units for every currency, whatever ISO 4217 says (FACTS.md "Amounts"). */
export function money(amount: number, currency: string, locale: string): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code', minimumFractionDigits: 0, maximumFractionDigits: 0 }).format(amount)
  } catch {
    return `${currency} ${amount}`
  }
}

export function clock(iso: string, locale: string): string {
  return new Date(iso).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
}

export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] || '')
}

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
