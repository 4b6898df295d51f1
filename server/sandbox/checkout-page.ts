// The hosted checkout's page in each of its states. Complete as plain HTML; the script only makes it live.
import { html } from 'hono/html'
import { agentsOf } from './agents.ts'
import { CHECKOUT_TEXTS, LANGUAGES, type CheckoutTexts, type Language } from './checkout-texts.ts'
import { MARKETS, marketsOf, type Market } from './markets.ts'
import type { Transaction } from './transactions.ts'

type Html = ReturnType<typeof html>

export interface CheckoutPage {
  transaction: Transaction
  merchant: string
  language: Language
  now: number
  /** This browser locked the order, or nobody has. */
  mine: boolean
  /** The customer asked to cancel, or to choose anew. */
  ask: 'cancel' | 'operator' | 'country' | undefined
}

const TIME_ZONES: Readonly<Record<string, string>> = {
  KES: 'Africa/Nairobi',
  TZS: 'Africa/Nairobi',
  UGX: 'Africa/Nairobi',
  ETB: 'Africa/Nairobi',
  SOS: 'Africa/Nairobi',
  RWF: 'Africa/Kigali',
  BIF: 'Africa/Kigali',
  NGN: 'Africa/Lagos',
  GHS: 'Africa/Accra',
  XOF: 'Africa/Abidjan',
}

const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  <rect x="2" y="2" width="20" height="20" rx="6" fill="currentColor" opacity=".18" />
  <path d="M7 9.5h10M7 14.5h6" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />
  <circle cx="16.5" cy="14.5" r="1.6" fill="currentColor" />
</svg>`
const TICK = html`<svg
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="3"
  stroke-linecap="round"
  stroke-linejoin="round"
  aria-hidden="true"
>
  <path d="m5 13 5 5 9-11" />
</svg>`
const CROSS = html`<svg
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="3"
  stroke-linecap="round"
  aria-hidden="true"
>
  <path d="m7 7 10 10M17 7 7 17" />
</svg>`
const TURNING = html`<svg
  class="turn"
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="3"
  stroke-linecap="round"
  aria-hidden="true"
>
  <path d="M12 3a9 9 0 1 0 9 9" />
</svg>`

export function money(transaction: Transaction, language: Language): string {
  const { currency, amount } = transaction
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    maximumFractionDigits: 0,
  })
  return format.format(Number(amount))
}

/** A whole page of the sandbox around `main`. */
export function checkoutDocument(page: { title: string; language: Language; main: Html; refreshEvery?: number }): Html {
  const texts = CHECKOUT_TEXTS[page.language]
  return html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title} · Sandbox Pay (TEST)</title>
        <link rel="stylesheet" href="/assets/checkout.css" />
        <link rel="icon" href="data:," />
        ${page.refreshEvery === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${page.refreshEvery}" /></noscript>`}
        <script src="/assets/checkout.js" defer></script>
      </head>
      <body>
        <aside class="test" aria-label="TEST">${texts.test}</aside>
        <header>
          <div class="brand">${MARK}<span>Sandbox Pay</span></div>
          <nav aria-label="${texts.language}">
            ${LANGUAGES.map((language) =>
              language === page.language
                ? html`<span aria-current="true" lang="${language}">${language.toUpperCase()}</span>`
                : html`<a href="?lang=${language}" lang="${language}" hreflang="${language}"
                    >${language.toUpperCase()}</a
                  >`,
            )}
          </nav>
        </header>
        ${page.main}
        <footer>${texts.footer}</footer>
      </body>
    </html>`
}

export function checkoutPage(page: CheckoutPage): Html {
  const { transaction, language } = page
  const texts = CHECKOUT_TEXTS[language]
  const { at, body } = stateOf(page, texts)
  const live = transaction.step !== 'ended'
  const waiting = live && (transaction.step === 'paid' || !page.mine)
  const amount = money(transaction, language)
  const main = html`<main${live ? html` data-version="${transaction.version}"` : ''} data-copy-text="${texts.copy}" data-copied-text="${texts.copied}">
<div class="sheet">
<div class="sum"><h1>${amount}</h1><p>${texts.payTo} <strong>${page.merchant}</strong></p><p>${transaction.description}</p>${page.mine ? html`<p>${texts.payer} <strong>${transaction.acc_name}</strong> ${masked(transaction.acc_no)}</p>` : ''}</div>
<ol class="way" aria-label="${texts.step(at)}">${texts.steps.map(
    (name, index) =>
      html`<li
        class="${index + 1 === at ? 'on' : index + 1 < at ? 'past' : ''}"
        ${index + 1 === at ? html` aria-current="step"` : ''}
      >
        ${name}
      </li>`,
  )}</ol>
<div class="body">${body}</div>
</div>
</main>`
  return checkoutDocument({ title: texts.payTitle(amount), language, main, ...(waiting ? { refreshEvery: 5 } : {}) })
}

/** Enough of a phone for its owner to know it. */
function masked(phone: string): string {
  return phone.length > 6 ? `+${phone.slice(0, 3)}\u00a0•••\u00a0${phone.slice(-3)}` : ''
}

export function gonePage(language: Language): Html {
  const texts = CHECKOUT_TEXTS[language]
  const main = html`<main>
    <div class="sheet">
      <div class="body end bad">
        <div class="sign">${CROSS}</div>
        <h1>${texts.gone}</h1>
        <p>${texts.goneHint}</p>
      </div>
    </div>
  </main>`
  return checkoutDocument({ title: texts.gone, language, main })
}

function stateOf(page: CheckoutPage, texts: CheckoutTexts): { at: number; body: Html } {
  const { transaction } = page
  if (transaction.step === 'ended') return { at: 4, body: ended(page, texts) }
  if (!page.mine) return { at: 3, body: elsewhere(page, texts) }
  if (page.ask === 'cancel') return { at: transaction.step === 'open' ? 1 : 3, body: cancelling(transaction, texts) }
  if (transaction.step === 'paid') return { at: 3, body: paid(texts) }
  if (transaction.step === 'locked') return { at: 3, body: locked(page, texts) }
  const market = MARKETS.get(transaction.country ?? '')
  if (!market || page.ask === 'country') return { at: 1, body: countries(page, texts) }
  if (!transaction.operator || page.ask === 'operator') return { at: 1, body: operators(page, market, texts) }
  return { at: 2, body: agents(page, market, transaction.operator, texts) }
}

function heading(text: string): Html {
  return html`<h2 tabindex="-1">${text}</h2>`
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

function countries(page: CheckoutPage, texts: CheckoutTexts): Html {
  const names = new Intl.DisplayNames([page.language], { type: 'region' })
  const options = marketsOf(page.transaction.currency).map(({ country, name }) => ({
    value: country,
    title: names.of(country) ?? name,
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
        ${several ? html`<p class="picked"><b>${market.name}</b><a href="?ask=country">${texts.change}</a></p>` : ''}
        ${choice('operator', options, page.transaction.operator)}
      </fieldset>
      <input type="hidden" name="action" value="operator" /><button>${texts.next}</button>
    </form>
    ${clock(page, texts)}${cancelLink(texts)}`
}

function agents(page: CheckoutPage, market: Market, operator: string, texts: CheckoutTexts): Html {
  const number = new Intl.NumberFormat(page.language)
  const options = agentsOf(market.country, operator, market.callingCode).map(({ id, name, rate, orders }) => ({
    value: id,
    title: name,
    lines: [texts.rate(number.format(rate)), texts.orders(number.format(orders))],
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
  const until = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: TIME_ZONES[transaction.currency] ?? 'UTC',
  })
  const closes = until.format((transaction.locked_at ?? 0) + 24 * 3_600_000)
  const field = (name: string, value: string, copied = value): Html =>
    html`<dl>
      <dt>${name}</dt>
      <dd data-copy="${copied}"><span>${value}</span></dd>
    </dl>`
  return html`${heading(texts.howToPay)}
    <p class="hint">${texts.locked(closes)}</p>
    <ol class="todo">
      <li><span>${texts.openMenu(operator)}</span></li>
      <li>
        ${field(`${texts.sendTo}: ${agent?.name ?? ''}`, agent?.number ?? '', (agent?.number ?? '').replaceAll(' ', ''))}
      </li>
      <li>${field(texts.exactly, money(transaction, language), transaction.amount)}</li>
      <li>${field(texts.reason, transaction.third_party_id)}</li>
      <li><span>${texts.keepMessage}</span></li>
    </ol>
    <form method="post"><input type="hidden" name="action" value="paid" /><button>${texts.iHavePaid}</button></form>
    <p class="hint">${texts.payFirst}</p>
    ${cancelLink(texts)}`
}

function paid(texts: CheckoutTexts): Html {
  return html`<div class="end" role="status">
      <div class="sign">${TURNING}</div>
      ${heading(texts.waiting)}
      <p class="hint">${texts.waitingHint}</p>
    </div>
    <a class="button quiet" href="?">${texts.refresh}</a>${cancelLink(texts)}`
}

function elsewhere({ transaction }: CheckoutPage, texts: CheckoutTexts): Html {
  return html`<div class="end" role="status">
      <div class="sign">${TURNING}</div>
      ${heading(transaction.step === 'paid' ? texts.waiting : texts.inProgress)}
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
  const titles: Record<number, string> = { 1032: texts.cancelled, 2001: texts.declined, 1037: texts.expired }
  const title = good ? texts.done : (titles[transaction.result_code ?? -1] ?? texts.failed)
  const hint = good ? texts.doneHint : transaction.locked_at === null ? texts.failedHint : texts.paidButFailed
  return html`<div class="end ${good ? 'good' : 'bad'}" role="status">
    <div class="sign">${good ? TICK : CROSS}</div>
    ${heading(title)}
    <p class="hint">${hint}</p>
    <p class="note">${texts.backToShop}</p>
    <dl class="facts">
      <div>
        <dt>${texts.exactly.split(',')[0] ?? ''}</dt>
        <dd>${money(transaction, language)}</dd>
      </div>
      <div>
        <dt>Ref.</dt>
        <dd>${transaction.reference}</dd>
      </div>
      <div>
        <dt>ID</dt>
        <dd>${transaction.transaction_id}</dd>
      </div>
    </dl>
  </div>`
}
