// The view after the click: waiting, and each result with one next step.
import { nothing, type TemplateResult } from 'lit'
import { isTold } from '../base/answers.ts'
import type { CheckoutError } from '../base/checkout-error.ts'
import { isOrderPaid, type CheckoutState, type Screen } from '../base/checkout-state.ts'
import { clock } from '../base/clock.ts'
import { fill, sum } from '../base/format.ts'
import { always, html, sentence, unread } from '../base/html.ts'
import { isSafeUrl } from '../base/open-page.ts'
import { linksOf } from '../base/payment-links.ts'
import type { Deposit } from '../base/types.ts'
import type { FlowTexts } from '../locales/texts.ts'
import { choosing, isCreateBlocked, isLost, valuesOf, within, words, type StatusProps } from './status-words.ts'

const marks = {
  turn: 'M12 3a9 9 0 1 0 9 9',
  done: 'M5 13l4.5 4.5L19 7',
  bad: 'M7 7l10 10M17 7L7 17',
  look: 'M12 7v6M12 17h.01',
}

function head(kind: keyof typeof marks, title: string, values: Readonly<Record<string, string>> = {}): TemplateResult {
  return html`<div class="head">
    <div class="mark ${kind}" part="mark">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path pathLength="1" d=${marks[kind]} /></svg>
    </div>
    <h2 tabindex="-1">${sentence(title, values)}</h2>
  </div>`
}

/** @param isBrief only what a customer may have to name */
function details({ texts: t, locale }: StatusProps, deposit: Deposit, isBrief = false): TemplateResult {
  const rows: readonly (readonly [string, string])[] = [
    // The sum of a success stands above.
    [t.amount, deposit.status === 'SUCCESS' ? '' : sum(deposit.amount, deposit.currency, locale)],
    [t.bank, (!isBrief && deposit.bank?.name) || ''],
    [t.name, isBrief ? '' : deposit.payer.name],
    [t.date, isBrief ? '' : clock(deposit.settledAt || deposit.createdAt, locale, 'short')],
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

/** A row that opens what few need. */
const fold = (summary: string, inside: unknown): TemplateResult =>
  html`<details>
    <summary .textContent=${summary}></summary>
    ${inside}
  </details>`

/**
 * It has just begun: there is no news to ask for. A phone whose clock is wrong does not hide the
 * button.
 */
const isYoung = (deposit: Deposit, screen: Screen & { step: 'waiting' }): boolean =>
  choosing(deposit) && !screen.resumed && Math.abs(Date.now() - Date.parse(deposit.createdAt)) < 60_000

const button = (text: string, action: (event: Event) => void, value = '', look = 'plain'): TemplateResult =>
  html`<button class=${look} type="button" value=${value} @click=${action} .textContent=${text}></button>`

/** A check has told the customer that the network is gone. */
const isGone = ({ checked }: CheckoutState): boolean => checked === 'lost' && !navigator.onLine

function newsOf({ state, texts: t, locale }: StatusProps): string | undefined {
  const { checked } = state
  if (isGone(state)) return t.offline
  if (checked === 'lost') return t.checkLost || t.unknownTitle
  if (checked === 'asking') return t.unknownTitle
  return checked && fill(t.checkedAt, { time: clock(checked, locale) })
}

/** The same, unless the heading says it already. */
function found(props: StatusProps, title: string): TemplateResult {
  const said = newsOf(props)
  return html`<div class="found" role="status">
    ${said && said !== title ? html`<p class="hint" .textContent=${said}></p>` : nothing}
  </div>`
}

function waitingView(props: StatusProps, screen: Screen & { step: 'waiting' }): TemplateResult {
  const { texts: t, locale } = props
  const { deposit } = screen
  const { phase } = deposit
  const { opened } = props.state
  // The answer to a check is said beside its button.
  const isSilent = screen.silent && !isGone(props.state)
  const silence = navigator.onLine ? t.reconnecting : t.offline
  const { checkoutUrl } = linksOf(deposit.id)
  const [title, text] = words(props, deposit)
  const check = button(t.checkNow, props._onCheck, 'check', isYoung(deposit, screen) ? 'quiet young' : 'quiet')
  return html`<div class="stack" part="waiting">
    ${head(phase === 'review' ? 'look' : 'turn', title, valuesOf(props, deposit))}
    <div>
      <p .textContent=${text}></p>
      <div role="status">${isSilent ? html`<p class="note warn" .textContent=${silence}></p>` : nothing}</div>
    </div>
    ${phase === 'review' ? props.rare?.parts?.supportLine(props.shop, t) : nothing}
    ${choosing(deposit) && !isSilent ? html`<p class="note" .textContent=${within(t, deposit, locale)}></p>` : nothing}
    ${
      isSafeUrl(checkoutUrl, deposit.mode) && phase !== 'confirming'
        ? html`<a
            class=${choosing(deposit) ? 'main' : 'plain'}
            part="open-link"
            href=${unread(checkoutUrl)}
            target="_blank"
            rel="noopener noreferrer"
            @click=${props._onOpened}
            .textContent=${opened?.id === deposit.id && !opened.isLeft ? t.openAgain : t.openLink}
          ></a>`
        : nothing
    }
    ${
      // Two templates, so that nothing jumps from a place in one to a place in the other.
      phase === 'open'
        ? html`<div>
            <div class="links">
              ${button(t.help, props._onExtra, 'help', 'quiet')}
              ${button(t.sharePhone, props._onExtra, 'share', 'quiet')}${check}
            </div>
            ${details(props, deposit, true)}
            ${fold(
              t.pageStuck,
              html`<p class="hint" .textContent=${t.notSentHint}></p>
                ${button(t.startOver, props._onNotSent)}`,
            )}
            ${found(props, title)}
          </div>`
        : html`<div>${details(props, deposit)}${check}${found(props, title)}</div>`
    }
  </div>`
}

function endedView(props: StatusProps, deposit: Deposit): TemplateResult {
  const { texts: t, _hasSession: hasSession, returnUrl, shop } = props
  const values = valuesOf(props, deposit)
  const [title, text] = words(props, deposit)
  const paid = deposit.status === 'SUCCESS'
  const orderPaid = isOrderPaid(deposit)
  const onAgain = deposit.status === 'PENDING' ? props._onNotSent : props._onAgain
  const again = html`<button
    class="main"
    type="button"
    part="again"
    @click=${onAgain}
    .textContent=${t.tryAgain}
  ></button>`
  const back = sentence(shop?.name ? t.back : t.backShop, values)
  return html`<div class="stack" part=${paid ? 'success' : 'failure'}>
    ${head(!orderPaid ? 'bad' : deposit.duplicate ? 'look' : 'done', title, values)}
    ${paid ? html`<p class="sum" translate="no" .textContent=${always(values['amount']!)}></p>` : nothing}
    <p .textContent=${deposit.late ? `${text} ${t.lateText}` : text}></p>
    ${paid && deposit.payer.email ? html`<p class="hint">${sentence(t.mailed, values)}</p>` : nothing}
    ${orderPaid ? nothing : again}
    ${orderPaid && returnUrl ? html`<a class="main" part="return-link" href=${returnUrl}>${back}</a>` : nothing}
    ${paid ? button(t.receipt, props._onExtra, 'receipt') : nothing}
    ${orderPaid && !deposit.duplicate ? nothing : props.rare?.parts?.supportLine(shop, t)}
    ${details(props, deposit, !orderPaid)}
    ${hasSession && orderPaid ? nothing : button(orderPaid ? t.forget : t.notYou, props._onForget, '', 'quiet')}
  </div>`
}

/**
 * The companion cannot be asked, or says nothing of the payment: why, and a way on. It is asked
 * again meanwhile.
 */
function stuckView(props: StatusProps, fault: CheckoutError): TemplateResult {
  const { state, texts: t, rare } = props
  if (rare?.parts && isCreateBlocked(state, fault)) return rare.parts.blockedView(props, head('bad', t.failedTitle))
  return html`<div class="stack">
    ${head('look', t.unknownTitle)}
    <p .textContent=${t.overdueText}></p>
    ${state.id ? html`${button(t.checkNow, props._onCheck)}${found(props, t.unknownTitle)}` : nothing}
    ${button(t.forget, props._onForget, '', 'quiet')}
  </div>`
}

export function statusView(props: StatusProps): TemplateResult {
  const { texts: t } = props
  const { screen, fault, isExplained } = props.state
  if (screen.step === 'waiting') return waitingView(props, screen)
  if (screen.step === 'ended') return endedView(props, screen.deposit)
  if (fault && isTold(fault.code) && isExplained) return stuckView(props, fault)
  const lost = isLost(screen)
  return html`<div class="stack">
    ${head('turn', lost ? t.unknownTitle : t.submitting)} ${lost ? html`<p .textContent=${t.errNetwork}></p>` : nothing}
  </div>`
}

/** The question before a payment that may still be paid is forgotten on this device. */
export function questionView(t: FlowTexts, onAnswer: (isForgotten: boolean) => void): TemplateResult {
  return html`<div class="stack" part="question">
    <h2 tabindex="-1" .textContent=${t.forgetTitle}></h2>
    <p .textContent=${t.overdueText}></p>
    ${button(t.forgetNo, () => onAnswer(false), '', 'main')}${button(t.notSent, () => onAnswer(true), 'forget')}
  </div>`
}
