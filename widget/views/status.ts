// The view after the click: waiting, and each result with one next step.
import { nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { always, html } from '../html.ts'
import { isTold } from '../answers.ts'
import { fill, isNumeric, sum } from '../format.ts'
import type { Card } from '../card.ts'
import { depositOf } from '../checkout-state.ts'
import type { Screen } from '../checkout-state.ts'
import type { CardTexts } from '../locales/texts.ts'
import { openExtra } from '../open-extra.ts'
import { isSafeUrl } from '../open-page.ts'
import { linksOf, unread } from '../payment-links.ts'
import type { Deposit } from '../types.ts'

/**
 * Formats a time, with its date if `dated` is given. Always 24 hours: in Ethiopia 12-hour times count from sunrise (3:15 would be read as
 * 9:15), and a browser without the language would write AM and PM in English. Part by part: Chromium below 76 knows no `timeStyle`.
 */
const clock = (iso: string | Date, locale: string, dated?: 'numeric'): string => {
  const two = '2-digit'
  const digits = isNumeric(locale) && two
  return new Date(iso).toLocaleString(digits ? 'en-GB' : locale, {
    year: dated,
    month: dated && (digits || 'short'),
    day: dated && (digits || dated),
    hour: two,
    minute: two,
    hourCycle: 'h23',
  })
}

const marks = {
  turn: 'M12 3a9 9 0 1 0 9 9',
  done: 'M5 13l4.5 4.5L19 7',
  bad: 'M7 7l10 10M17 7L7 17',
  look: 'M12 7v6M12 17h.01',
}

function mark(kind: keyof typeof marks): TemplateResult {
  return html`<div class="mark ${kind}" part="mark">
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${marks[kind]} /></svg>
  </div>`
}

function details({ _words: t, _locale: locale }: Card, deposit: Deposit): TemplateResult {
  const rows: readonly (readonly [string, string])[] = [
    [t.amount, sum(deposit.amount, deposit.currency, locale)],
    [t.bank, deposit.bank ? deposit.bank.name : ''],
    [t.name, deposit.payer.name],
    [t.date, clock(deposit.settledAt || deposit.createdAt, locale, 'numeric')],
    [t.reference, deposit.reference],
  ]
  return html`<dl part="details">
    ${rows.map(([name, value]) =>
      value
        ? html`<div>
            <dt .textContent=${name}></dt>
            <dd translate="no" .textContent=${always(value)}></dd>
          </div>`
        : nothing,
    )}
  </dl>`
}

const codeOf = ({ result }: Deposit): string => (result ? result.code : '')

/**
 * Title and text of each step. If a rare text is not loaded, a more general one is used, and also for a phase that only a newer companion
 * knows: its status says whether money has arrived.
 */
function words(
  { _words: t, _checkout: { flow, state } }: Card,
  deposit: Deposit,
): readonly [title: string, text: string] {
  const { phase, status } = deposit
  const { screen, opened } = state
  const resumed = 'resumed' in screen && screen.resumed
  if (status === 'SUCCESS')
    return deposit.duplicate ? [t.duplicateTitle, t.duplicateText || t.successText] : [t.successTitle, t.successText]
  switch (phase) {
    case 'confirming':
      return [t.confirmingTitle, t.confirmingText]
    case 'review':
      return [t.reviewTitle || t.unknownTitle, t.reviewText || t.overdueText]
    case 'open':
      if (deposit.overdue) return [t.overdueTitle, t.overdueText]
      if (opened?.id !== deposit.id) return resumed ? [t.overdueTitle, t.resumedText] : [t.pay, t.openText]
      return opened.isLeft ? [t.overdueTitle, t.resumedText] : [t.openTitle, t.openText]
    default: {
      const givenUp = phase === 'abandoned'
      if (status === 'PENDING' && !givenUp) return [t.unknownTitle, t.unknownText || '']
      const code = phase === 'expired' ? '1037' : codeOf(deposit)
      const rare = flow && flow.rare
      // An unknown code of a failed payment gives no reason, as the code `failed`: the customer may have sent money.
      const key = rare && (rare.failures[code] || rare.failures[phase])
      return [
        // Paid by another attempt: nothing is wrong, whatever became of this one.
        (code === 'order_paid' && t.successTitle) ||
          (givenUp && t.abandonedTitle) ||
          (code === '1037' ? t.expiredTitle : t.failedTitle),
        (key && t[key]) || (givenUp && t.abandonedText) || t.failedOther,
      ]
    }
  }
}

/** An agent can still be chosen, as far as we know. */
const choosing = (deposit: Deposit): boolean => deposit.phase === 'open' && !deposit.overdue

const before = (t: CardTexts, deposit: Deposit, locale: string): string =>
  fill(t.lockBefore, { time: clock(deposit.expiresAt, locale) })

/** The answer was lost, and the same request is being retried. */
const isLost = (screen: Screen): boolean => screen.step === 'submitting' && screen.tries > 1

/** Text for screen readers: each step once, and the time left to choose an agent at first, five minutes and two minutes before its end. */
export function statusAnnouncement(card: Card): string {
  const {
    _words: t,
    _checkout: { state },
    _locale: locale,
  } = card
  const { screen, isAsking, fault } = state
  if (isAsking) return t.forgetTitle
  if (!('deposit' in screen)) {
    if (fault && isTold(fault.code)) return fault.code === 'blocked' ? t.failedTitle : t.unknownTitle
    return isLost(screen) ? t.errNetwork : t.submitting
  }
  const { deposit } = screen
  const [title] = words(card, deposit)
  if (!choosing(deposit)) return title
  const left = (Date.parse(deposit.expiresAt) - Date.now()) / 60_000
  return `${title}. ${before(t, deposit, locale)}${left > 5 || left < 0 ? '' : ` (${fill(t.minutes, { n: left > 2 ? '5' : '2' })})`}`
}

const button = (text: string, action: (this: Card, event: Event) => unknown, value = ''): TemplateResult =>
  html`<button class="plain" type="button" value=${value} @click=${action} .textContent=${text}></button>`

function waitingView(card: Card, screen: Screen & { step: 'waiting' }): TemplateResult {
  const { _words: t, _locale: locale, _checkout: checkout } = card
  const { deposit } = screen
  const { phase } = deposit
  const { checked, opened } = checkout.state
  const { checkoutUrl } = linksOf(deposit.id)
  const [title, text] = words(card, deposit)
  return html`<div class="stack" part="waiting">
    ${mark(phase === 'review' ? 'look' : 'turn')}
    <h2 tabindex="-1" .textContent=${title}></h2>
    <p .textContent=${text}></p>
    ${choosing(deposit) ? html`<p class="note" .textContent=${before(t, deposit, locale)}></p>` : nothing}
    ${
      isSafeUrl(checkoutUrl, deposit.mode) && phase !== 'confirming'
        ? html`<a
            class=${choosing(deposit) ? 'main' : 'plain'}
            part="open-link"
            href=${unread(checkoutUrl)}
            target="_blank"
            rel="noopener noreferrer"
            @click=${() => checkout.reopenPage()}
            .textContent=${opened?.id === deposit.id && !opened.isLeft ? t.openAgain : t.openLink}
          ></a>`
        : nothing
    }
    <div>
      <div class="row">
        ${button(t.checkNow, card.check)}
        ${phase === 'open' ? [button(t.help, extra, 'help'), button(t.sharePhone, extra, 'share')] : nothing}
      </div>
      <div role="status">
        ${screen.silent ? html`<p class="note warn" .textContent=${navigator.onLine ? t.reconnecting : t.offline}></p>` : nothing}
        ${checked ? html`<p class="hint" .textContent=${checked === 'asking' ? t.unknownTitle : `${t.overdueTitle} · ${clock(checked, locale)}`}></p>` : nothing}
      </div>
    </div>
    ${details(card, deposit)}
    ${
      phase === 'open'
        ? html`<details>
            <summary class="plain quiet" .textContent=${t.notSent}></summary>
            <p class="hint" .textContent=${t.notSentHint}></p>
            ${button(t.tryAgain, card._notSent)}
          </details>`
        : nothing
    }
  </div>`
}

/** Opens share, help or receipt, by the button's value. */
function extra(this: Card, event: Event): void {
  const deposit = depositOf(this._checkout.state)
  if (deposit) void openExtra(event.currentTarget as HTMLButtonElement, this, this._words, deposit, this._locale)
}

function endedView(card: Card, deposit: Deposit): TemplateResult {
  const { _words: t } = card
  const [title, text] = words(card, deposit)
  const paid = deposit.status === 'SUCCESS'
  // Paid by this payment, or by another one that came first.
  const orderPaid = paid || codeOf(deposit) === 'order_paid'
  return html`<div class="stack" part=${paid ? 'success' : 'failure'}>
    ${mark(!orderPaid ? 'bad' : deposit.duplicate ? 'look' : 'done')}
    <h2 tabindex="-1" .textContent=${title}></h2>
    ${paid ? html`<p class="sum" translate="no" .textContent=${always(sum(deposit.amount, deposit.currency, card._locale))}></p>` : nothing}
    <p .textContent=${deposit.late ? `${text} ${t.lateText}` : text}></p>
    ${orderPaid ? nothing : html`<button class="main" type="button" part="again" @click=${deposit.status === 'PENDING' ? card._notSent : card.reset} .textContent=${t.tryAgain}></button>`}
    ${details(card, deposit)}${paid ? button(t.receipt, extra, 'receipt') : nothing}
    <button
      class="plain quiet"
      type="button"
      ?hidden=${card.session && orderPaid}
      @click=${card._forget}
      .textContent=${t.forget}
    ></button>
  </div>`
}

/** The companion cannot be asked, or says nothing of the payment: why, and a way on. It is asked again meanwhile. */
function stuckView(card: Card, code: string): TemplateResult {
  const { _words: t, _checkout: checkout } = card
  if (code !== 'blocked')
    return html`<div class="stack">
      ${mark('look')}
      <h2 tabindex="-1" .textContent=${t.unknownTitle}></h2>
      <p .textContent=${t.overdueText}></p>
      <button class="plain quiet" type="button" @click=${card._forget} .textContent=${t.forget}></button>
    </div>`
  // What the page shows where there is no script; without a session any browser may pay at `/pay`.
  const own = card.querySelector('a')
  const link = own ? own.href : card.session ? '' : `${card.companion.replace(/\/$/, '')}/pay`
  return html`<div class="stack">
    ${mark('bad')}
    <h2 tabindex="-1" .textContent=${t.failedTitle}></h2>
    <p .textContent=${t.errBlocked || t.errOther}></p>
    <button class="main" type="button" @click=${() => checkout.hurry()} .textContent=${t.tryAgain}></button>
    ${link ? html`<a class="plain" href=${unread(link)} .textContent=${t.openLink}></a>` : nothing}
  </div>`
}

/** Everything after the click. */
export function statusView(card: Card): TemplateResult {
  const { screen, fault, isExplained } = card._checkout.state
  if (screen.step === 'waiting') return waitingView(card, screen)
  if (screen.step === 'ended') return endedView(card, screen.deposit)
  const { _words: t } = card
  if (fault && isTold(fault.code) && isExplained) return stuckView(card, fault.code)
  const lost = isLost(screen)
  return html`<div class="stack">
    ${mark('turn')}
    <h2 tabindex="-1" .textContent=${lost ? t.unknownTitle : t.submitting}></h2>
    ${lost ? html`<p .textContent=${t.errNetwork}></p>` : nothing}
  </div>`
}
