// What the hosted checkout shows at each step of a payment, from the choice of an operator to the
// end.
import { html } from 'hono/html'
import { agentsOf } from '../engine/agents.ts'
import { CROSS, money, sum, TICK, TURNING, type Html } from './document.ts'
import { dayAndTime, numbersIn, type Language } from './texts/index.ts'
import type { CheckoutTexts } from './texts/words.ts'
import { MARKETS, marketsOf, type Market } from '../engine/markets.ts'
import { menuOf } from './menus.ts'
import type { Transaction } from '../engine/transaction.ts'
import { ORDER_LIFE_IN_SECONDS } from '../engine/transactions.ts'

export interface CheckoutPage {
  readonly transaction: Transaction
  readonly merchant: string
  readonly language: Language
  /** The languages offered to the customer. */
  readonly offered: readonly Language[]
  readonly now: number
  /** This browser locked the order, or nobody has. */
  readonly mine: boolean
  /** The customer asked to cancel, or to choose again. */
  readonly ask: 'cancel' | 'operator' | 'country' | undefined
}

/** By country, because those of the West African franc are in two zones; the others are in UTC. */
const TIME_ZONES: Readonly<Record<string, string>> = {
  KE: 'Africa/Nairobi',
  TZ: 'Africa/Nairobi',
  UG: 'Africa/Nairobi',
  ET: 'Africa/Nairobi',
  SO: 'Africa/Nairobi',
  RW: 'Africa/Kigali',
  BI: 'Africa/Kigali',
  NG: 'Africa/Lagos',
  BJ: 'Africa/Lagos',
  NE: 'Africa/Lagos',
}

/** The step of a payment, 1 to 4, its heading, and what is shown there. */
export function stepOf(page: CheckoutPage, texts: CheckoutTexts): { at: number; title: string; body: Html } {
  const { transaction } = page
  if (transaction.step === 'ended') return { at: 4, title: endOf(transaction, texts), body: ended(page, texts) }
  if (!page.mine) return { at: 3, title: elsewhereTitle(transaction, texts), body: elsewhere(page, texts) }
  // Money that has been sent cannot be called back: then there is nothing to cancel.
  if (transaction.step === 'paid') return { at: 3, title: texts.waiting, body: paid(texts) }
  if (page.ask === 'cancel')
    return {
      at: transaction.step === 'open' ? 1 : 3,
      title: texts.cancelQuestion,
      body: cancelling(transaction, texts),
    }
  if (transaction.step === 'locked') return { at: 3, title: texts.howToPay, body: locked(page, texts) }
  const market = MARKETS.get(transaction.country ?? '')
  if (!market || page.ask === 'country') return { at: 1, title: texts.chooseCountry, body: countries(page, texts) }
  if (!transaction.operator || page.ask === 'operator')
    return { at: 1, title: texts.chooseOperator, body: operators(page, market, texts) }
  return { at: 2, title: texts.chooseAgent, body: agents(page, market, transaction.operator, texts) }
}

/** It takes the focus: a screen reader begins at what is new, not at the head of the page. */
function heading(text: string): Html {
  return html`<h2 tabindex="-1" autofocus>${text}</h2>`
}

const elsewhereTitle = ({ step }: Transaction, texts: CheckoutTexts): string =>
  step === 'paid' ? texts.waiting : texts.inProgress

function endOf({ status, result_code }: Transaction, texts: CheckoutTexts): string {
  if (status === 'SUCCESS') return texts.done
  const titles: Record<number, string> = { 1032: texts.cancelled, 2001: texts.declined, 1037: texts.expired }
  return titles[result_code ?? -1] ?? texts.failed
}

function clock({ transaction, now }: CheckoutPage, texts: CheckoutTexts): Html {
  const left = Math.max(0, Math.round((transaction.expires_at - now) / 1000))
  const shown = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return html`<p class="clock"><span>${texts.timeLeft}</span><time data-left="${left}">${shown}</time></p>`
}

function choice(
  name: string,
  options: { value: string; title: string; lines?: string[] }[],
  chosen: string | null,
): Html {
  return html`<div class="options">
    ${options.map(
      ({ value, title, lines = [] }) =>
        html`<label class="option"
          ><input type="radio" name="${name}" value="${value}" required${value === chosen ? html` checked` : ''} /><span
            ><b>${title}</b>${lines.map((line) => html`<small>${line}</small>`)}</span
          ></label
        >`,
    )}
  </div>`
}

function cancelLink(texts: CheckoutTexts): Html {
  return html`<a class="leave" href="?ask=cancel">${texts.cancel}</a>`
}

function countryName({ country, name }: Market, language: Language): string {
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country) ?? name
}

function countries(page: CheckoutPage, texts: CheckoutTexts): Html {
  const options = marketsOf(page.transaction.currency).map((market) => ({
    value: market.country,
    title: countryName(market, page.language),
  }))
  return html`<form method="post" data-choice>
      <fieldset>
        <legend>${heading(texts.chooseCountry)}</legend>
        ${choice('country', options, page.transaction.country)}
      </fieldset>
      <input type="hidden" name="action" value="country" /><button>${texts.next}</button>
    </form>
    ${clock(page, texts)}${cancelLink(texts)}`
}

function operators(page: CheckoutPage, market: Market, texts: CheckoutTexts): Html {
  const several = marketsOf(market.currency).length > 1
  const options = market.operators.map((name) => ({ value: name, title: name }))
  return html`<form method="post" data-choice>
      <fieldset>
        <legend>${heading(texts.chooseOperator)}</legend>
        <p class="hint">${texts.operatorHint}</p>
        ${several ? html`<p class="picked"><b>${countryName(market, page.language)}</b><a href="?ask=country">${texts.change}</a></p>` : ''}
        ${choice('operator', options, page.transaction.operator)}
      </fieldset>
      <input type="hidden" name="action" value="operator" /><button>${texts.next}</button>
    </form>
    ${clock(page, texts)}${cancelLink(texts)}`
}

function agents(page: CheckoutPage, market: Market, operator: string, texts: CheckoutTexts): Html {
  const number = new Intl.NumberFormat(numbersIn(page.language))
  const options = agentsOf(market.country, operator, market.callingCode).map(({ id, name, orders, minutes }) => ({
    value: id,
    title: name,
    // A line ends with the point, never begins with it.
    lines: [`${texts.confirms(number.format(minutes))}\u00a0· ${texts.orders(number.format(orders))}`],
  }))
  return html`<form method="post" data-choice>
      <fieldset>
        <legend>${heading(texts.chooseAgent)}</legend>
        <p class="hint">${texts.agentHint}</p>
        <p class="picked"><b>${operator}</b><a href="?ask=operator">${texts.change}</a></p>
        ${choice('agent', options, options[0]?.value ?? null)}
      </fieldset>
      <input type="hidden" name="action" value="lock" /><button>${texts.lock}</button>
    </form>
    ${clock(page, texts)}${cancelLink(texts)}`
}

function locked({ transaction, language }: CheckoutPage, texts: CheckoutTexts): Html {
  const operator = transaction.operator ?? ''
  const market = MARKETS.get(transaction.country ?? '')
  const agent = agentsOf(transaction.country ?? '', operator, market?.callingCode ?? '').find(
    ({ id }) => id === transaction.agent,
  )
  const menu = menuOf(transaction.country ?? '', operator)
  const closes = dayAndTime(
    language,
    (transaction.locked_at ?? 0) + ORDER_LIFE_IN_SECONDS * 1000,
    TIME_ZONES[transaction.country ?? ''] ?? 'UTC',
  )
  const field = (name: string, value: string, copied = value): Html =>
    html`<dl>
      <dt>${name}</dt>
      <dd data-copy="${copied}"><span>${value}</span></dd>
    </dl>`
  return html`${heading(texts.howToPay)}
    <p class="hint">${texts.locked(closes)}</p>
    <ol class="todo">
      <li>
        <div>
          ${texts.openMenu(operator.replaceAll('-', '\u2011'))}
          ${menu === undefined ? '' : html`<a class="button quiet" href="tel:${encodeURIComponent(menu)}">${operator}${'\u00a0'}· ${menu}</a>`}
        </div>
      </li>
      <li>
        ${field(`${texts.sendTo}${language === 'fr' ? '\u00a0' : ''}: ${agent?.name ?? ''}`, agent?.number ?? '', (agent?.number ?? '').replaceAll(' ', ''))}
      </li>
      <li>${field(texts.exactly, sum(transaction, language), transaction.amount)}</li>
      <li>${field(texts.reason, transaction.third_party_id)}</li>
      <li><span>${texts.keepMessage}</span></li>
    </ol>
    <p class="note">${texts.payFirst}</p>
    <form method="post"><input type="hidden" name="action" value="paid" /><button>${texts.iHavePaid}</button></form>
    ${cancelLink(texts)}`
}

function paid(texts: CheckoutTexts): Html {
  return html`<div class="end" role="status">
      <div class="sign">${TURNING}</div>
      ${heading(texts.waiting)}
      <p class="hint">${texts.waitingHint}</p>
    </div>
    <a class="button quiet" href="?">${texts.refresh}</a>`
}

function elsewhere({ transaction }: CheckoutPage, texts: CheckoutTexts): Html {
  return html`<div class="end" role="status">
      <div class="sign">${TURNING}</div>
      ${heading(elsewhereTitle(transaction, texts))}
      <p class="hint">${texts.otherBrowser}</p>
    </div>
    <a class="button quiet" href="?">${texts.refresh}</a>`
}

function cancelling(transaction: Transaction, texts: CheckoutTexts): Html {
  return html`${heading(texts.cancelQuestion)}${transaction.step === 'open' ? '' : html`<p class="note">${texts.cancelWarning}</p>`}
    <form method="post">
      <input type="hidden" name="action" value="cancel" /><button class="stop">${texts.cancel}</button>
    </form>
    <a class="button" href="?">${texts.keepPaying}</a>`
}

function ended({ transaction, language }: CheckoutPage, texts: CheckoutTexts): Html {
  const good = transaction.status === 'SUCCESS'
  const hint = good ? texts.doneHint : transaction.locked_at === null ? texts.failedHint : texts.paidButFailed
  return html`<div class="end ${good ? 'good' : 'bad'}" role="status">
    <div class="sign">${good ? TICK : CROSS}</div>
    ${heading(endOf(transaction, texts))}
    <p class="hint">${hint}</p>
    <p class="note">${texts.backToShop}</p>
    <dl class="facts">
      <div>
        <dt>${texts.amount}</dt>
        <dd>${money(transaction, language)}</dd>
      </div>
      <div>
        <dt>${texts.reference}</dt>
        <dd>${transaction.reference}</dd>
      </div>
      <div>
        <dt>ID</dt>
        <dd>${transaction.transaction_id}</dd>
      </div>
    </dl>
  </div>`
}
