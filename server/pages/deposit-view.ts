// Shows a payment in progress or ended, in plain HTML: what to do now, what it means, and one next
// step. No payer details.
import { failures, textsOf as cardTexts, type Texts } from 'hc-checkout/locales'
import type { DepositView, Language } from '../contract/index.ts'
import { isLive, isReplaceable } from '../deposits/machine/phases.ts'
import { clockTime, countryName, dayAndTime, inCode } from './language.ts'
import type { Html } from './page.ts'
import { href, html } from './page.ts'
import type { Said } from './texts/said.ts'
import { said } from './texts/said.ts'
import { textsOf } from './texts/index.ts'
import type { PageTexts } from './texts/en.ts'

type Tone = 'good' | 'bad' | 'look' | 'slow' | 'calm'
const marks: Readonly<Record<Tone, string>> = { good: '✓', bad: '×', look: '!', slow: '…', calm: '›' }

export interface PaymentPage {
  readonly language: Language
  readonly deposit: DepositView
  /** Path of the deposit's own page, to which its forms are posted. */
  readonly path: string
  /** Path of the page shown: the deposit's own, or the session's. */
  readonly shownAt: string
  /** The page reloads by itself to look for news. */
  readonly refreshing: boolean
  /** Milliseconds: the time at which this state was read. */
  readonly now: number
  /** A new attempt can be started for the same order with the same details. */
  readonly canRetry: boolean
  /** Another, unrelated payment can be started here. */
  readonly canStartNew: boolean
  /** Where the shop goes on after success. */
  readonly returnUrl: string | undefined
  readonly shopName: string | undefined
  /** One sentence about the action just attempted. */
  readonly note?: string
}

/**
 * How often a browser without our script reloads: less often as the payment grows older. Undefined
 * at an end.
 */
export function refreshSeconds(deposit: DepositView, now: number): number | undefined {
  if (!isLive(deposit.phase)) return undefined
  if (deposit.phase === 'review') return 60
  const minutes = (now - Date.parse(deposit.createdAt)) / 60_000
  return minutes < 5 ? 5 : minutes < 20 ? 15 : 60
}

/** Why a payment ended, by the code of its result or else by its phase. */
const causes: Readonly<Record<string, keyof Texts>> = failures

/** Title and text are those of the card. */
function stateOf(deposit: DepositView, t: Texts): { said: Said; tone: Tone } {
  const { phase, result, overdue, duplicate, late } = deposit
  switch (phase) {
    case 'creating':
      return { said: said(t.submitting), tone: 'calm' }
    case 'unknown':
      return { said: said(t.unknownTitle, t.unknownText), tone: 'calm' }
    case 'open':
      return overdue === true
        ? { said: said(t.overdueTitle, t.overdueText), tone: 'slow' }
        : { said: said(t.openedTitle, t.resumedText), tone: 'calm' }
    case 'confirming':
      return { said: said(t.confirmingTitle, t.confirmingText), tone: 'calm' }
    case 'review':
      return { said: said(t.reviewTitle, t.reviewText), tone: 'look' }
    case 'abandoned':
      if (result?.code === 'order_paid') return { said: said(t.successTitle, t.errPaid), tone: 'good' }
      if (result?.code === 'address_lost') return { said: said(t.lostTitle, t.lostText), tone: 'slow' }
      return { said: said(t.abandonedTitle, t.abandonedText), tone: 'slow' }
    case 'succeeded': {
      const lateness = late === true ? [t.lateText] : []
      return duplicate === true
        ? { said: said(t.duplicateTitle, t.duplicateText, ...lateness), tone: 'look' }
        : { said: said(t.thanks, t.successText, ...lateness), tone: 'good' }
    }
    default: {
      const code = phase === 'expired' ? '1037' : (result?.code ?? '')
      const title = code === '1037' ? t.expiredTitle : t.failedTitle
      return { said: said(title, t[causes[code] ?? causes[phase] ?? 'failedOther']), tone: 'bad' }
    }
  }
}

export function paymentBody(page: PaymentPage): Html {
  const { language, deposit, note } = page
  const t = textsOf(language)
  const { said: words, tone } = stateOf(deposit, cardTexts(language))
  const isOver = !isLive(deposit.phase)
  const isPaid = deposit.phase === 'succeeded'
  // Paid by this payment, or by another one that came first.
  const isOrderPaid = isPaid || deposit.result?.code === 'order_paid'
  return html`<div class="state ${tone}" role="status">
      <span class="mark" aria-hidden="true">${marks[tone]}</span>
      <h2>${words.title}</h2>
      ${isPaid ? html`<p class="sum"><b translate="no">${sumOf(page)}</b></p>` : ''}
      ${words.text === '' ? '' : html`<p>${words.text}</p>`}
    </div>
    ${note === undefined ? '' : html`<div class="faults" role="alert" tabindex="-1" autofocus><p>${note}</p></div>`}
    ${isOrderPaid ? toShop(page) : ''} ${openLink(page, t)}
    ${isOver && !isOrderPaid && page.canRetry ? retryForm(page) : ''} ${details(page, t)}
    ${isPaid ? html`<p class="small screen">${t.receipt.print}</p>` : ''}
    ${
      isPaid && page.canStartNew
        ? html`<p class="do">
            <a class="button second" href="${href('/pay', { lang: language })}">${cardTexts(language).forget}</a>
          </p>`
        : ''
    }
    ${isOver ? '' : news(page, t)} ${isReplaceable(deposit.phase) ? startAgain(page, t) : ''}`
}

/** With the code of its currency: the page is the receipt too. */
const sumOf = ({ language, deposit }: PaymentPage): string =>
  inCode(language, deposit.amount, deposit.currency).replace('\u00a0', ' ')

function toShop({ returnUrl, shopName, language }: PaymentPage): Html | '' {
  if (returnUrl === undefined) return ''
  const { back, backShop } = cardTexts(language)
  const text = shopName === undefined ? backShop : back.replace('{shop}', () => shopName)
  return html`<p class="do"><a class="button" href="${returnUrl}" rel="noopener">${text}</a></p>`
}

/** Opens the hosted page in its own tab: this page stays open and shows the result. */
function openLink({ deposit, language }: PaymentPage, t: PageTexts): Html | '' {
  const { checkoutUrl } = deposit
  // While a reported result is being verified, nobody should be led to pay again.
  if (checkoutUrl === undefined || deposit.phase !== 'open') return ''
  const second = deposit.overdue === true
  return html`<p class="do">
      <a class="button${second ? ' second' : ''}" href="${checkoutUrl}" target="_blank" rel="noopener noreferrer"
        >${cardTexts(language).openLink} <small>(${t.newTab})</small></a
      >
    </p>
    ${second ? '' : html`<p class="small">${t.before(clockTime(language, deposit.expiresAt, deposit.country))}</p>`}`
}

function postForm(page: PaymentPage, action: 'check' | 'again', body: Html): Html {
  return html`<form method="post" action="${href(page.path, { lang: page.language })}" accept-charset="utf-8">
    <input type="hidden" name="action" value="${action}" />${body}
  </form>`
}

function retryForm(page: PaymentPage): Html {
  const { tryAgain } = cardTexts(page.language)
  return postForm(page, 'again', html`<p class="do"><button type="submit">${tryAgain}</button></p>`)
}

function news(page: PaymentPage, t: PageTexts): Html {
  const { language, shownAt, refreshing, deposit, now } = page
  const other = refreshing
    ? html`${t.refreshes}
        <a class="plainlink" href="${href(shownAt, { lang: language, refresh: 'off' })}">${t.pause}</a>`
    : html`${t.paused} <a class="plainlink" href="${href(shownAt, { lang: language })}">${t.resume}</a>`
  const check = html`<p class="do"><button type="submit" class="second">${cardTexts(language).checkNow}</button></p>`
  return html`${postForm(page, 'check', check)}
    <p class="small screen">
      ${t.asOf(clockTime(language, now, deposit.country, true))} ${other}<br />${t.keepAddress}
    </p>`
}

/**
 * Money rule 5: a new attempt beside one that may still be paid needs the customer's explicit
 * statement.
 */
function startAgain(page: PaymentPage, t: PageTexts): Html {
  const form = postForm(
    page,
    'again',
    html`<p>${t.againText}</p>
      <label class="tick"><input type="checkbox" name="unpaid" value="yes" required /> ${t.againConfirm}</label>
      <p class="do"><button type="submit" class="second">${t.againButton}</button></p>`,
  )
  return page.deposit.overdue === true
    ? html`<div class="again">
        <h3>${t.againOverdue}</h3>
        ${form}
      </div>`
    : html`<details class="again">
        <summary>${t.againTitle}</summary>
        ${form}
      </details>`
}

function details(page: PaymentPage, t: PageTexts): Html {
  const { deposit, language } = page
  const { receipt } = t
  const card = cardTexts(language)
  const rows: [string, string | Html | undefined][] = [
    // The sum of a success stands above.
    [card.amount, deposit.phase === 'succeeded' ? undefined : sumOf(page)],
    [receipt.purpose, deposit.description],
    [card.country, countryName(language, deposit.country)],
    [receipt.bank, deposit.bank?.name],
    [card.reference, html`<span class="reference">${deposit.reference}</span>`],
    [receipt.started, dayAndTime(language, deposit.createdAt, deposit.country)],
    [
      receipt.paid,
      deposit.phase === 'succeeded' && deposit.settledAt !== undefined
        ? dayAndTime(language, deposit.settledAt, deposit.country)
        : undefined,
    ],
  ]
  return html`<table>
    <tbody>
      ${rows
        .filter((row): row is [string, string | Html] => row[1] !== undefined && row[1] !== '')
        .map(
          ([name, value]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td translate="no">${value}</td>
            </tr>`,
        )}
    </tbody>
  </table>`
}
