// A page for every error: what happened, what it means for the money, and what to do. The status
// matches that of the JSON API.
import type { Language, ProblemCode } from '../contract/index.ts'
import type { Html } from './page.ts'
import { html } from './page.ts'
import type { Said } from './texts/said.ts'
import { cardTextOf, textsOf } from './texts/index.ts'
import type { PageTexts } from './texts/en.ts'

/** Maps a code to the page text for it; our own faults and unexpected errors are `fault`. */
function endOf(code: ProblemCode): keyof PageTexts['ends'] {
  switch (code) {
    case 'not_found':
    case 'session_invalid':
    case 'method_not_allowed':
      return 'notFound'
    case 'session_expired':
      return 'sessionExpired'
    case 'session_required':
      return 'sessionsOnly'
    case 'origin_not_allowed':
      return 'origin'
    case 'rate_limited':
      return 'rateLimited'
    case 'market_off':
      return 'marketOff'
    case 'country_not_offered':
      return 'noMarkets'
    case 'replaces_invalid':
      return 'replaces'
    case 'upstream_unavailable':
    case 'upstream_unreadable':
    case 'store_unavailable':
    case 'idempotency_key_in_progress':
      return 'unavailable'
    case 'unsupported_media_type':
    case 'body_too_large':
    case 'invalid_request':
    case 'malformed_json':
      return 'unreadable'
    default:
      return 'fault'
  }
}

/** @param retryAfter seconds */
export function saidOf(code: ProblemCode, language: Language, retryAfter?: number): Said {
  const { ends, states } = textsOf(language)
  switch (code) {
    case 'too_many_attempts':
      return { title: ends.rateLimited.title, text: cardTextOf('errAttempts', language, retryAfter) }
    case 'attempts_used_up':
      return { title: ends.rateLimited.title, text: cardTextOf('errUsedUp', language) }
    case 'session_closed':
      return ends.sessionClosed
    case 'session_paid':
      return states.orderPaid
    default:
      return ends[endOf(code)]
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
