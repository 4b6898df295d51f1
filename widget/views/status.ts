// What a customer sees after the click: waiting, and each ending with one next step.
import { html, nothing, svg } from 'lit'
import type { TemplateResult } from 'lit'
import { clock, fill, money } from '../format.ts'
import type { Texts } from '../locales/texts.ts'
import { isSafeUrl } from '../open-page.ts'
import { failureText } from '../problem-text.ts'
import type { Deposit } from '../types.ts'

export interface StatusActions {
  reopen(): void
  check(): void
  again(): void
  notSent(): void
  forget(): void
  share(): void
  print(): void
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
export function submittingView(texts: Texts, lost: boolean): TemplateResult {
  return html`<div class="stack">
    ${mark('turn')}
    <h2>${lost ? texts.unknownTitle : texts.submitting}</h2>
    ${lost ? html`<p>${texts.errNetwork}</p>` : nothing}
  </div>`
}

function details(texts: Texts, deposit: Deposit, locale: string): TemplateResult {
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

export function waitingView(
  texts: Texts,
  deposit: Deposit,
  locale: string,
  options: { silent: boolean; blocked: boolean; shared: string },
  actions: StatusActions,
): TemplateResult {
  const { phase } = deposit
  const [title, text] =
    phase === 'review'
      ? [texts.reviewTitle, texts.reviewText]
      : phase === 'confirming'
        ? [texts.confirmingTitle, texts.confirmingText]
        : phase === 'unknown' || phase === 'creating'
          ? [texts.unknownTitle, texts.unknownText]
          : deposit.overdue
            ? [texts.overdueTitle, texts.overdueText]
            : [texts.openTitle, texts.openText]
  return html`<div class="stack" part="waiting">
    ${mark(phase === 'review' ? 'look' : 'turn')}
    <h2 tabindex="-1">${title}</h2>
    <p>${text}</p>
    ${phase === 'open' && !deposit.overdue ? html`<p class="note">${fill(texts.lockBefore, { time: clock(deposit.expiresAt, locale) })}</p>` : nothing}
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
            >${options.blocked ? texts.openLink : texts.openAgain}</a
          >`
        : nothing
    }
    <div class="row">
      <button class="plain" type="button" @click=${actions.check}>${texts.checkNow}</button>
      ${phase === 'open' ? html`<button class="plain" type="button" @click=${actions.share}>${options.shared || texts.sharePhone}</button>` : nothing}
    </div>
    ${details(texts, deposit, locale)}
    ${
      phase === 'open'
        ? html`<div>
            <button class="plain quiet" type="button" @click=${actions.notSent}>${texts.notSent}</button>
            <p class="hint">${texts.notSentHint}</p>
          </div>`
        : nothing
    }
  </div>`
}

export function endedView(
  texts: Texts,
  deposit: Deposit,
  locale: string,
  shared: string,
  actions: StatusActions,
): TemplateResult {
  const { phase } = deposit
  if (phase === 'succeeded') {
    return html`<div class="stack" part="success">
      ${mark(deposit.duplicate ? 'look' : 'done')}
      <h2 tabindex="-1">${deposit.duplicate ? texts.duplicateTitle : texts.successTitle}</h2>
      <p class="sum">${money(deposit.amount, deposit.currency, locale)}</p>
      <p>${deposit.duplicate ? texts.duplicateText : texts.successText} ${deposit.late ? texts.lateText : nothing}</p>
      ${details(texts, deposit, locale)}
      <div class="row">
        <button class="plain" type="button" @click=${actions.print}>${texts.print}</button>
        <button class="plain" type="button" @click=${actions.share}>${shared || texts.share}</button>
      </div>
      <button class="plain quiet" type="button" @click=${actions.forget}>${texts.forget}</button>
    </div>`
  }
  const code = deposit.result ? deposit.result.code : ''
  const expired = phase === 'expired' || code === '1037'
  return html`<div class="stack" part="failure">
    ${mark('bad')}
    <h2 tabindex="-1">
      ${phase === 'abandoned' ? texts.abandonedTitle : expired ? texts.expiredTitle : texts.failedTitle}
    </h2>
    <p>${phase === 'abandoned' ? texts.abandonedText : expired ? texts.expiredText : failureText(texts, code)}</p>
    <button class="main" type="button" part="again" @click=${actions.again}>${texts.tryAgain}</button>
    ${details(texts, deposit, locale)}
    <button class="plain quiet" type="button" @click=${actions.forget}>${texts.forget}</button>
  </div>`
}

/** What a screen reader is told, once for each step. */
export function announcement(t: Texts, phase: string): string {
  switch (phase) {
    case 'succeeded':
      return t.successTitle
    case 'expired':
      return t.expiredTitle
    case 'failed':
    case 'rejected':
      return t.failedTitle
    case 'confirming':
      return t.confirmingTitle
    case 'review':
      return t.reviewTitle
    case 'unknown':
      return t.unknownTitle
    default:
      return t.openTitle
  }
}
