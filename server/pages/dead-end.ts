// A page for every error: what happened, what it means for the money, and what to do. The status
// matches that of the JSON API.
import { textsOf as cardTexts } from 'hc-checkout/locales'
import type { Language, ProblemCode } from '../contract/index.ts'
import type { Html } from './page.ts'
import { html } from './page.ts'
import { type Said, said } from './texts/said.ts'
import { cardTextOf, textsOf } from './texts/index.ts'
import type { PageTexts } from './texts/en.ts'

/** The page text for a code; our own faults and unexpected errors have that of `fault`. */
const ENDS: Readonly<Partial<Record<ProblemCode, keyof PageTexts['ends']>>> = {
  not_found: 'notFound',
  session_invalid: 'notFound',
  method_not_allowed: 'notFound',
  session_expired: 'sessionExpired',
  session_closed: 'sessionClosed',
  session_required: 'sessionsOnly',
  origin_not_allowed: 'origin',
  rate_limited: 'rateLimited',
  market_off: 'marketOff',
  country_not_offered: 'noMarkets',
  replaces_invalid: 'replaces',
  upstream_unavailable: 'unavailable',
  upstream_unreadable: 'unavailable',
  store_unavailable: 'unavailable',
  idempotency_key_in_progress: 'unavailable',
  unsupported_media_type: 'unreadable',
  body_too_large: 'unreadable',
  invalid_request: 'unreadable',
  malformed_json: 'unreadable',
}

/** @param retryAfter seconds */
export function saidOf(code: ProblemCode, language: Language, retryAfter?: number): Said {
  const { ends } = textsOf(language)
  const card = cardTexts(language)
  switch (code) {
    case 'too_many_attempts':
      return { title: ends.rateLimited.title, text: cardTextOf('errAttempts', language, retryAfter) }
    case 'attempts_used_up':
      return { title: ends.rateLimited.title, text: cardTextOf('errUsedUp', language) }
    case 'session_paid':
      return said(card.successTitle, card.errPaid)
    default:
      return ends[ENDS[code] ?? 'fault']
  }
}

export function deadEnd(
  code: ProblemCode,
  language: Language,
  {
    requestId,
    back,
    retryAfter,
  }: {
    readonly requestId: string
    readonly back: string | undefined
    /** Seconds. */
    readonly retryAfter?: number
  },
): Html {
  const t = textsOf(language)
  const { title, text } = saidOf(code, language, retryAfter)
  const colon = language === 'fr' ? '\u00a0:' : ':'
  return html`<div class="state bad" role="alert">
      <span class="mark" aria-hidden="true">!</span>
      <h2>${title}</h2>
      <p>${text}</p>
    </div>
    ${back === undefined ? '' : html`<p class="do"><a class="button second" href="${back}">${t.back}</a></p>`}
    ${text === t.ends.fault.text ? html`<p class="small">${t.requestId}${colon} ${requestId}</p>` : ''}`
}
