// The view after the click: waiting, and each result with one next step.
import { nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { always, html, sentence } from '../html.ts'
import { isTold } from '../answers.ts'
import { fill, isNumeric, sum } from '../format.ts'
import type { CheckoutError } from '../checkout-error.ts'
import type { CheckoutState, Screen } from '../checkout-state.ts'
import type { CardTexts, Rare } from '../locales/texts.ts'
import type { Shop } from '../../server/contract/index.ts'
import { supportLine } from './support.ts'
import { isSafeUrl } from '../open-page.ts'
import { linksOf, unread } from '../payment-links.ts'
import type { Deposit } from '../types.ts'

export interface StatusProps {
  readonly state: CheckoutState
  readonly texts: CardTexts
  readonly locale: string
  /** The rare texts, once they are loaded. */
  readonly rare: Rare | undefined
  /** Who is paid, and where to ask. */
  readonly shop: Shop | undefined
  /** The payer's first name, while this page remembers it. */
  readonly firstName: string
  /** Where the customer goes on after success, if the page has said so. */
  readonly returnUrl: string
  /** The heading takes the focus, and is read for that. */
  readonly takesFocus: boolean
  /** The order belongs to a session. */
  readonly hasSession: boolean
  /** Where the customer can pay without this element, if anywhere. */
  readonly otherWay: string
  readonly onCheck: () => void
  /** The customer has opened the hosted page by the link. */
  readonly onOpened: () => void
  /** The customer has not sent money, and wants to try again. */
  readonly onNotSent: () => void
  /** The customer wants to try again after the end. */
  readonly onAgain: () => void
  readonly onForget: () => void
  /** The customer does not want to wait until the request is repeated. */
  readonly onHurry: () => void
  /** Opens share, help or receipt, by the button's value. */
  readonly onExtra: (event: Event) => void
}

/**
 * Formats a time, with its date if `dated` is given. Always 24 hours: in Ethiopia 12-hour times
 * count from sunrise (3:15 would be read as 9:15), and a browser without the language would write
 * AM and PM in English. Part by part: Chromium below 76 knows no `timeStyle`.
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
    <svg viewBox="0 0 24 24" aria-hidden="true"><path pathLength="1" d=${marks[kind]} /></svg>
  </div>`
}

/** @param isBrief only what a customer may have to name */
function details({ texts: t, locale }: StatusProps, deposit: Deposit, isBrief = false): TemplateResult {
  const rows: readonly (readonly [string, string])[] = [
    // The sum of a success stands above.
    [t.amount, deposit.status === 'SUCCESS' ? '' : sum(deposit.amount, deposit.currency, locale)],
    [t.bank, (!isBrief && deposit.bank?.name) || ''],
    [t.name, isBrief ? '' : deposit.payer.name],
    [t.date, isBrief ? '' : clock(deposit.settledAt || deposit.createdAt, locale, 'numeric')],
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
    <summary class="quiet" .textContent=${summary}></summary>
    ${inside}
  </details>`

const codeOf = ({ result }: Deposit): string => result?.code ?? ''

/** The values of the sentences about a payment. */
const valuesOf = ({ locale, shop, firstName }: StatusProps, deposit: Deposit): Record<string, string> => ({
  amount: sum(deposit.amount, deposit.currency, locale),
  shop: shop?.name ?? '',
  name: firstName,
  email: deposit.payer.email ?? '',
})

/**
 * Title and text of each step. If a rare text is not loaded, a more general one is used, and also
 * for a phase that only a newer companion knows: its status says whether money has arrived.
 */
function words(props: StatusProps, deposit: Deposit): readonly [title: string, text: string] {
  const { texts: t, state, rare, shop } = props
  const { phase, status } = deposit
  const { screen, opened, handed } = state
  const resumed = 'resumed' in screen && screen.resumed
  if (status === 'SUCCESS')
    return deposit.duplicate
      ? [t.duplicateTitle, t.duplicateText || t.successText]
      : [props.firstName ? t.thanksName : t.thanks, t.successText]
  switch (phase) {
    case 'confirming':
      return [t.confirmingTitle, t.confirmingText]
    case 'review':
      return [t.reviewTitle || t.unknownTitle, t.reviewText || t.overdueText]
    case 'open':
      if (deposit.overdue) return [t.overdueTitle, t.overdueText]
      if (opened?.id === deposit.id) return opened.isLeft ? [t.openedTitle, t.resumedText] : [t.openTitle, t.openText]
      if (handed === deposit.id) return [shop?.name ? t.payTo : t.payAmount, t.handedText]
      return resumed ? [t.openedTitle, t.resumedText] : [t.pay, t.openText]
    default: {
      const givenUp = phase === 'abandoned'
      if (status === 'PENDING' && !givenUp) return [t.unknownTitle, t.unknownText || '']
      const code = phase === 'expired' ? '1037' : codeOf(deposit)
      // An unknown code of a failed payment gives no reason, as the code `failed`: the customer may
      // have sent money.
      const key = rare?.failures[code] ?? rare?.failures[phase]
      return [
        // Paid by another attempt: nothing is wrong, whatever became of this one.
        (code === 'order_paid' && t.successTitle) ||
          (code === 'address_lost' && t.lostTitle) ||
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

/** The minutes left; the time of day on a phone whose clock is wrong. */
function within(t: CardTexts, deposit: Deposit, locale: string): string {
  const left = Math.ceil((Date.parse(deposit.expiresAt) - Date.now()) / 60_000)
  return left > 0 && left <= 15 ? fill(t.lockWithin, { n: String(left) }) : before(t, deposit, locale)
}

/**
 * It has just begun: there is no news to ask for. A phone whose clock is wrong does not hide the
 * button.
 */
const isYoung = (deposit: Deposit, screen: Screen & { step: 'waiting' }): boolean =>
  choosing(deposit) && !screen.resumed && Math.abs(Date.now() - Date.parse(deposit.createdAt)) < 60_000

const firstSentence = (text: string): string => /^.*?[.!?።](?=\s|$)/.exec(text)?.[0] ?? text

/** No payment was made. One that is known may be paid, whatever stops the question about it. */
const isCreateBlocked = ({ id }: CheckoutState, { code }: CheckoutError): boolean => code === 'blocked' && !id

/** The answer was lost, and the same request is being retried. */
const isLost = (screen: Screen): boolean => screen.step === 'submitting' && screen.tries > 1

/**
 * Text for screen readers: each step once, and the time left to choose an agent at first, five
 * minutes and two minutes before its end. At the end, what it means; a heading that takes the focus
 * is read for that.
 */
export function statusAnnouncement(props: StatusProps): string {
  const { texts: t, locale, takesFocus } = props
  const { screen, isAsking, fault } = props.state
  if (isAsking) return t.forgetTitle
  if (!('deposit' in screen)) {
    if (fault && isTold(fault.code)) return isCreateBlocked(props.state, fault) ? t.failedTitle : t.unknownTitle
    return isLost(screen) ? t.errNetwork : t.submitting
  }
  const { deposit } = screen
  const values = valuesOf(props, deposit)
  const [heading, text] = words(props, deposit)
  const title = fill(heading, values)
  if (screen.step === 'ended') {
    const isPlain = deposit.status === 'SUCCESS' && !deposit.duplicate
    const meaning = isPlain ? `${values['amount']}. ${text}` : firstSentence(text)
    return takesFocus ? meaning : `${title}. ${meaning}`
  }
  if (!choosing(deposit)) return title
  const left = (Date.parse(deposit.expiresAt) - Date.now()) / 60_000
  return `${title}. ${before(t, deposit, locale)}${left > 5 || left < 0 ? '' : ` (${fill(t.minutes, { n: left > 2 ? '5' : '2' })})`}`
}

const button = (text: string, action: (event: Event) => void, value = '', look = 'plain'): TemplateResult =>
  html`<button class=${look} type="button" value=${value} @click=${action} .textContent=${text}></button>`

/** What the last check has found out. */
function found({ state: { checked }, texts: t, locale }: StatusProps): TemplateResult {
  const said =
    checked === 'asking'
      ? t.unknownTitle
      : checked === 'lost'
        ? t.checkLost || t.offline
        : checked && fill(t.checkedAt, { time: clock(checked, locale) })
  return html`<div class="found" role="status">
    ${said ? html`<p class="hint" .textContent=${said}></p>` : nothing}
  </div>`
}

function waitingView(props: StatusProps, screen: Screen & { step: 'waiting' }): TemplateResult {
  const { texts: t, locale } = props
  const { deposit } = screen
  const { phase } = deposit
  const { opened } = props.state
  const { checkoutUrl } = linksOf(deposit.id)
  const [title, text] = words(props, deposit)
  const check = button(t.checkNow, props.onCheck, 'check', isYoung(deposit, screen) ? 'quiet young' : 'quiet')
  return html`<div class="stack" part="waiting">
    <div class="head">
      ${mark(phase === 'review' ? 'look' : 'turn')}
      <h2 tabindex="-1">${sentence(title, valuesOf(props, deposit))}</h2>
    </div>
    <p .textContent=${text}></p>
    <div>
      <div role="status">
        ${screen.silent ? html`<p class="note warn" .textContent=${navigator.onLine ? t.reconnecting : t.offline}></p>` : nothing}
      </div>
      ${choosing(deposit) && !screen.silent ? html`<p class="note" .textContent=${within(t, deposit, locale)}></p>` : nothing}
    </div>
    ${
      isSafeUrl(checkoutUrl, deposit.mode) && phase !== 'confirming'
        ? html`<a
            class=${choosing(deposit) ? 'main' : 'plain'}
            part="open-link"
            href=${unread(checkoutUrl)}
            target="_blank"
            rel="noopener noreferrer"
            @click=${props.onOpened}
            .textContent=${opened?.id === deposit.id && !opened.isLeft ? t.openAgain : t.openLink}
          ></a>`
        : nothing
    }
    ${
      // Each is drawn anew: what one has of the other would jump from place to place.
      phase === 'open'
        ? html`<div>
            <div class="links">
              ${button(t.help, props.onExtra, 'help', 'quiet')}${button(t.sharePhone, props.onExtra, 'share', 'quiet')}${check}
            </div>
            ${details(props, deposit, true)}
            ${fold(
              t.pageStuck,
              html`<p class="hint" .textContent=${t.notSentHint}></p>
                ${button(t.startOver, props.onNotSent)}`,
            )}
            ${found(props)}
          </div>`
        : html`<div>${details(props, deposit)}${check}${found(props)}</div>`
    }
  </div>`
}

function endedView(props: StatusProps, deposit: Deposit): TemplateResult {
  const { texts: t, hasSession, returnUrl, shop } = props
  const values = valuesOf(props, deposit)
  const [title, text] = words(props, deposit)
  const paid = deposit.status === 'SUCCESS'
  // Paid by this payment, or by another one that came first.
  const orderPaid = paid || codeOf(deposit) === 'order_paid'
  return html`<div class="stack" part=${paid ? 'success' : 'failure'}>
    <div class="head">
      ${mark(!orderPaid ? 'bad' : deposit.duplicate ? 'look' : 'done')}
      <h2 tabindex="-1">${sentence(title, values)}</h2>
    </div>
    ${paid ? html`<p class="sum" translate="no" .textContent=${always(values['amount']!)}></p>` : nothing}
    <p .textContent=${deposit.late ? `${text} ${t.lateText}` : text}></p>
    ${paid && deposit.payer.email ? html`<p class="hint">${sentence(t.mailed, values)}</p>` : nothing}
    ${orderPaid ? nothing : html`<button class="main" type="button" part="again" @click=${deposit.status === 'PENDING' ? props.onNotSent : props.onAgain} .textContent=${t.tryAgain}></button>`}
    ${paid && returnUrl ? html`<a class="main" part="return-link" href=${returnUrl}>${sentence(shop?.name ? t.back : t.backShop, values)}</a>` : nothing}
    ${paid ? button(t.receipt, props.onExtra, 'receipt') : nothing}${orderPaid ? nothing : supportLine(shop, t)}${details(props, deposit, !orderPaid)}
    <button
      class="quiet"
      type="button"
      ?hidden=${hasSession && orderPaid}
      @click=${props.onForget}
      .textContent=${orderPaid ? t.forget : t.notYou}
    ></button>
  </div>`
}

/**
 * The companion cannot be asked, or says nothing of the payment: why, and a way on. It is asked
 * again meanwhile.
 */
function stuckView(props: StatusProps, fault: CheckoutError): TemplateResult {
  const { state, texts: t, otherWay } = props
  if (!isCreateBlocked(state, fault))
    return html`<div class="stack">
      <div class="head">
        ${mark('look')}
        <h2 tabindex="-1" .textContent=${t.unknownTitle}></h2>
      </div>
      <p .textContent=${t.overdueText}></p>
      ${state.id ? html`${button(t.checkNow, props.onCheck)}${found(props)}` : nothing}
      ${button(t.forget, props.onForget, '', 'quiet')}
    </div>`
  return html`<div class="stack">
    <div class="head">
      ${mark('bad')}
      <h2 tabindex="-1" .textContent=${t.failedTitle}></h2>
    </div>
    <p .textContent=${t.errBlocked || t.errOther}></p>
    <button class="main" type="button" @click=${props.onHurry} .textContent=${t.tryAgain}></button>
    ${otherWay ? html`<a class="plain" href=${unread(otherWay)} .textContent=${t.openLink}></a>` : nothing}
    ${supportLine(props.shop, t)}
  </div>`
}

/** Everything after the click. */
export function statusView(props: StatusProps): TemplateResult {
  const { texts: t } = props
  const { screen, fault, isExplained } = props.state
  if (screen.step === 'waiting') return waitingView(props, screen)
  if (screen.step === 'ended') return endedView(props, screen.deposit)
  if (fault && isTold(fault.code) && isExplained) return stuckView(props, fault)
  const lost = isLost(screen)
  return html`<div class="stack">
    <div class="head">
      ${mark('turn')}
      <h2 tabindex="-1" .textContent=${lost ? t.unknownTitle : t.submitting}></h2>
    </div>
    ${lost ? html`<p .textContent=${t.errNetwork}></p>` : nothing}
  </div>`
}
