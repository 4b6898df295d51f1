// What a customer sees after the click: waiting, and each ending with one next step.
import { html, nothing, svg } from 'lit'
import type { TemplateResult } from 'lit'
import { clock, fill, money } from '../format.ts'
import type { CardTexts } from '../locales/texts.ts'
import { isSafeUrl } from '../open-page.ts'
import { failureText } from '../problem-text.ts'
import type { Deposit } from '../types.ts'

export interface StatusActions {
  reopen(): void
  check(): void
  again(): void
  notSent(): void
  forget(): void
  /** Share, help or receipt, as the button's value says. */
  extra(event: Event): void
}

const marks = {
  turn: svg`<path d="M12 3a9 9 0 1 0 9 9"/>`,
  done: svg`<path d="M5 13l4.5 4.5L19 7"/>`,
  bad: svg`<path d="M7 7l10 10M17 7L7 17"/>`,
  look: svg`<path d="M12 7v6M12 17h.01"/>`,
}

function mark(kind: keyof typeof marks): TemplateResult {
  return html`<div class="mark ${kind}" part="mark">
    <svg viewBox="0 0 24 24" aria-hidden="true">${marks[kind]}</svg>
  </div>`
}

/** `lost`: no answer came, and the same payment is asked for again. */
export function submittingView(texts: CardTexts, lost: boolean): TemplateResult {
  return html`<div class="stack">
    ${mark('turn')}
    <h2>${lost ? texts.unknownTitle : texts.submitting}</h2>
    ${lost ? html`<p>${texts.errNetwork}</p>` : nothing}
  </div>`
}

function details(texts: CardTexts, deposit: Deposit, locale: string): TemplateResult {
  return html`<dl part="details">
    <dt>${texts.amount}</dt>
    <dd>${money(deposit.amount, deposit.currency, locale)}</dd>
    ${
      deposit.bank
        ? html`<dt>${texts.bank}</dt>
            <dd>${deposit.bank.name}</dd>`
        : nothing
    }
    <dt>${texts.name}</dt>
    <dd>${deposit.payer.name}</dd>
    <dt>${texts.date}</dt>
    <dd>
      ${new Date(deposit.settledAt || deposit.createdAt).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' } as Intl.DateTimeFormatOptions)}
    </dd>
    <dt>${texts.reference}</dt>
    <dd>${deposit.reference}</dd>
  </dl>`
}

/** Title and text of each step. A rare one whose words have not come is said in plainer words, as true. */
function words(t: CardTexts, deposit: Deposit, opened?: boolean): readonly [title: string, text: string] {
  const result = deposit.result ? deposit.result.code : ''
  switch (deposit.phase) {
    case 'succeeded':
      return deposit.duplicate ? [t.duplicateTitle, t.duplicateText || t.successText] : [t.successTitle, t.successText]
    case 'confirming':
      return [t.confirmingTitle, t.confirmingText]
    case 'review':
      return [t.reviewTitle || t.unknownTitle, t.reviewText || t.overdueText]
    case 'creating':
    case 'unknown':
      return [t.unknownTitle, t.unknownText || '']
    case 'open':
      return deposit.overdue ? [t.overdueTitle, t.overdueText] : [opened ? t.openTitle : t.pay, t.openText]
    case 'abandoned':
      return [t.abandonedTitle || t.failedTitle, t.abandonedText || t.failedOther]
    default:
      return deposit.phase === 'expired' || result === '1037'
        ? [t.expiredTitle, failureText(t, '1037')]
        : [t.failedTitle, failureText(t, result)]
  }
}

/** An agent can still be chosen, as far as we know. */
const choosing = (deposit: Deposit): boolean => deposit.phase === 'open' && !deposit.overdue

const before = (t: CardTexts, deposit: Deposit, locale: string): string =>
  fill(t.lockBefore, { time: clock(deposit.expiresAt, locale) })

const minutes = (deposit: Deposit, now: number): number => (Date.parse(deposit.expiresAt) - now) / 60_000

/** What a screen reader is told: each step once, and of the time to choose an agent at first, five minutes and one minute before its end. */
export function announcement(t: CardTexts, deposit: Deposit, opened: boolean, locale: string, now: number): string {
  const [title] = words(t, deposit, opened)
  if (!choosing(deposit)) return title
  const left = minutes(deposit, now)
  return `${title}. ${before(t, deposit, locale)}${left > 5 ? '' : ` (${left > 1 ? 5 : 1} min)`}`
}

/** How long until there is more to tell, in ms; undefined when there is not. */
export function nextAnnouncement(deposit: Deposit, now: number): number | undefined {
  const left = minutes(deposit, now)
  // A timer holds no more than 24 days; the companion's estimate is a quarter of an hour away.
  return choosing(deposit) && left > 1 && left < 999 ? (left - (left > 5 ? 5 : 1)) * 60_000 : undefined
}

export function waitingView(
  texts: CardTexts,
  deposit: Deposit,
  locale: string,
  options: { silent: boolean; opened: boolean },
  actions: StatusActions,
): TemplateResult {
  const { phase } = deposit
  const [title, text] = words(texts, deposit, options.opened)
  return html`<div class="stack" part="waiting">
    ${mark(phase === 'review' ? 'look' : 'turn')}
    <h2 tabindex="-1">${title}</h2>
    <p>${text}</p>
    ${choosing(deposit) ? html`<p class="note">${before(texts, deposit, locale)}</p>` : nothing}
    ${options.silent ? html`<p class="note warn">${!navigator.onLine ? texts.offline : texts.reconnecting}</p>` : nothing}
    ${
      isSafeUrl(deposit.checkoutUrl, deposit.mode) && phase !== 'confirming'
        ? html`<a
            class="main"
            part="open-link"
            href=${deposit.checkoutUrl}
            target="_blank"
            rel="noopener noreferrer"
            @click=${actions.reopen}
            >${options.opened ? texts.openAgain : texts.openLink}</a
          >`
        : nothing
    }
    <div class="row">
      <button class="plain" type="button" @click=${actions.check}>${texts.checkNow}</button>
      ${
        phase === 'open'
          ? html`<button class="plain" type="button" value="help" @click=${actions.extra}>${texts.help}</button
              ><button class="plain" type="button" value="share" @click=${actions.extra}>${texts.sharePhone}</button>`
          : nothing
      }
    </div>
    ${details(texts, deposit, locale)}
    ${
      phase === 'open'
        ? html`<details>
            <summary class="plain quiet">${texts.notSent}</summary>
            <p class="hint">${texts.notSentHint}</p>
            <button class="plain" type="button" @click=${actions.notSent}>${texts.tryAgain}</button>
          </details>`
        : nothing
    }
  </div>`
}

export function endedView(texts: CardTexts, deposit: Deposit, locale: string, actions: StatusActions): TemplateResult {
  const [title, text] = words(texts, deposit)
  if (deposit.phase === 'succeeded') {
    return html`<div class="stack" part="success">
      ${mark(deposit.duplicate ? 'look' : 'done')}
      <h2 tabindex="-1">${title}</h2>
      <p class="sum">${money(deposit.amount, deposit.currency, locale)}</p>
      <p>${text} ${deposit.late ? texts.lateText : nothing}</p>
      ${details(texts, deposit, locale)}
      <button class="plain" type="button" value="receipt" @click=${actions.extra}>${texts.receipt}</button>
      <button class="plain quiet" type="button" @click=${actions.forget}>${texts.forget}</button>
    </div>`
  }
  return html`<div class="stack" part="failure">
    ${mark('bad')}
    <h2 tabindex="-1">${title}</h2>
    <p>${text}</p>
    <button class="main" type="button" part="again" @click=${actions.again}>${texts.tryAgain}</button>
    ${details(texts, deposit, locale)}
    <button class="plain quiet" type="button" @click=${actions.forget}>${texts.forget}</button>
  </div>`
}
