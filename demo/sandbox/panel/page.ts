// The frame of the console's pages, and their building blocks.
import { html } from 'hono/html'

export type Html = ReturnType<typeof html>
export type Cell = Html | string | number

export const PAGE_SIZE = 100

const PLACES = [
  ['', 'Transactions'],
  ['inbox', 'Agents’ inbox'],
  ['deliveries', 'Callbacks'],
  ['merchants', 'Merchants and keys'],
  ['scenarios', 'Scenarios'],
  ['faults', 'Faults'],
  ['clock', 'Clock'],
] as const

export function consoleDocument(page: {
  title: string
  place: string
  said?: string | undefined
  /** True when the page updates itself. */
  live?: boolean
  main: Html
}): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · Sandbox Pay console</title>
        <link rel="stylesheet" href="/assets/console.css" />
        <link rel="icon" href="data:," />
        <script src="/assets/console.js" defer></script>
      </head>
      <body>
        <aside class="test" aria-label="TEST">
          TEST: no real money moves. This console has no password.
        </aside>
        <header>
          <div>
            <b>Sandbox Pay console</b>
            <nav aria-label="Console">
              ${PLACES.map(
                ([path, name]) =>
                  html`<a
                    href="/console${path ? `/${path}` : ''}"
                    ${path === page.place ? html` aria-current="page"` : ''}
                    >${name}</a
                  >`,
              )}
            </nav>
          </div>
        </header>
        <main${page.live ? html` data-live` : ''}>${page.said === undefined ? '' : html`<p class="said" role="status">${page.said}</p>`} ${page.main}</main>
      </body>
    </html>`
}

/** A table, or a sentence when it is empty. Wide tables scroll, also by keyboard. */
export function table(name: string, heads: string[], rows: Cell[][], empty: string): Html {
  if (rows.length === 0) return html`<p class="soft">${empty}</p>`
  return html`<div class="sheet" role="region" aria-label="${name}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, index) => html`<td data-head="${heads[index] ?? ''}">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** For a list with several pages: which rows are shown, and links to the others. */
export function pager(address: string, page: number, count: number): Html {
  if (count <= PAGE_SIZE) return html``
  const first = (page - 1) * PAGE_SIZE + 1
  return html`<p class="more">
    ${first} to ${Math.min(count, first + PAGE_SIZE - 1)} of ${count}
    ${page > 1 ? html`<a href="${address}?page=${page - 1}">Newer</a>` : ''}
    ${first + PAGE_SIZE <= count ? html`<a href="${address}?page=${page + 1}">Older</a>` : ''}
  </p>`
}

/** Names with their values; `wide` gives each of its own a whole row: addresses. */
export function facts(pairs: [string, Cell][], wide: [string, Cell][] = []): Html {
  return html`<div class="sheet pad">
    <dl class="grid">
      ${[...pairs, ...wide].map(
        ([name, value], index) =>
          html`<div${index < pairs.length ? '' : html` class="wide"`}>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </div>`
}

/** A button that posts to a console address. */
export function button(action: string, text: string, kind = ''): Html {
  return html`<form method="post" action="/console/${action}"><button class="${kind}">${text}</button></form>`
}

export function state(word: string): Html {
  return html`<span class="state ${word}">${word}</span>`
}

export function at(ms: number | null): Cell {
  return ms === null ? '—' : html`<time>${utc(ms)}</time>`
}

const utc = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 19)

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** How long before or after `now`, in words; the time itself, in UTC, is its title. */
export function ago(ms: number | null, now: number): Cell {
  if (ms === null) return '—'
  const [unit, size] = STEPS.find(([, length]) => Math.abs(ms - now) >= length) ?? []
  const said = unit === undefined ? 'just now' : words.format(Math.trunc((ms - now) / size), unit)
  return html`<time datetime="${new Date(ms).toISOString()}" title="${utc(ms)} UTC">${said}</time>`
}

/** An amount as people write it. */
export function sum(currency: string, amount: string): string {
  return `${currency} ${Number(amount).toLocaleString('en')}`
}

/** A button that copies a text; there only where the script can. */
export function copy(text: string, what: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="Copy ${what}">Copy</button>`
}
