// The frame of the hosted checkout's pages: brand, TEST mark, languages, and icons.
import { html } from 'hono/html'
import { CHECKOUT_TEXTS, numbersIn, type Language } from './texts/index.ts'
import type { Transaction } from '../engine/transaction.ts'

export type Html = ReturnType<typeof html>

const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  <rect x="2" y="2" width="20" height="20" rx="6" fill="currentColor" opacity=".18" />
  <path d="M7 9.5h10M7 14.5h6" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />
  <circle cx="16.5" cy="14.5" r="1.6" fill="currentColor" />
</svg>`
export const TICK = stroke('m5 13 5 5 9-11')
export const CROSS = stroke('m7 7 10 10M17 7 7 17')
export const TURNING = stroke('M12 3a9 9 0 1 0 9 9', 'turn')

function stroke(path: string, name = ''): Html {
  return html`<svg
    class="${name}"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="3"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="${path}" />
  </svg>`
}

export function money(transaction: Transaction, language: Language): string {
  const { currency, amount } = transaction
  const format = new Intl.NumberFormat(numbersIn(language), {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    maximumFractionDigits: 0,
  })
  return format.format(Number(amount))
}

/**
 * `money` on a line of its own: where it is too wide it breaks beside the currency, never within
 * the number.
 */
export function sum(transaction: Transaction, language: Language): string {
  return money(transaction, language).replace('\u00a0', ' ')
}

interface Page {
  readonly title: string
  readonly language: Language
  readonly offered: readonly Language[]
  readonly main: Html
  /** Seconds, for browsers without scripts. */
  readonly refreshEvery?: number
}

/** A whole page of the sandbox around `main`. */
export function checkoutDocument(page: Page): Html {
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
          ${page.offered.length < 2 ? '' : languages(page)}
        </header>
        ${page.main}
        <footer>${texts.footer}</footer>
      </body>
    </html>`
}

/** Collapsed: eight names in a row would push the amount off a phone's screen. */
function languages({ language: spoken, offered }: Page): Html {
  const texts = CHECKOUT_TEXTS[spoken]
  return html`<details class="languages">
    <summary aria-label="${texts.language}: ${texts.name}">${texts.name}</summary>
    <nav aria-label="${texts.language}">
      ${offered
        .filter((language) => language !== spoken)
        .map(
          (language) =>
            html`<a href="?lang=${language}" lang="${language}" hreflang="${language}"
              >${CHECKOUT_TEXTS[language].name}</a
            >`,
        )}
    </nav>
  </details>`
}

/** A page without a payment: its session was opened elsewhere before, or does not exist. */
export function deadEndPage(why: 'gone' | 'unknown', language: Language, offered: readonly Language[]): Html {
  const texts = CHECKOUT_TEXTS[language]
  const main = html`<main>
    <div class="sheet">
      <div class="body end bad">
        <div class="sign">${CROSS}</div>
        <h1>${texts[why]}</h1>
        <p>${texts[`${why}Hint`]}</p>
      </div>
    </div>
  </main>`
  return checkoutDocument({ title: texts[why], language, offered, main })
}
