// The frame of the console's pages, and the small pieces that they are made of.
import { html } from 'hono/html'

export type Html = ReturnType<typeof html>
type Cell = Html | string | number

const PLACES = [
  ['', 'Transactions'],
  ['inbox', 'Agents’ inbox'],
  ['deliveries', 'Callbacks'],
  ['merchants', 'Merchants and keys'],
  ['scenarios', 'Scenarios'],
  ['faults', 'Faults'],
  ['clock', 'Clock'],
] as const

export const CONSOLE_CSS = `
:root{color-scheme:light dark;--ink:#17212b;--soft:#52606d;--line:#d5dce3;--edge:#7b8794;--paper:#fff;--ground:#eef1f4;--brand:#0b5d66;--on-brand:#fff;--tint:#e6f2f3;--test:#ffd76a;--on-test:#3b2a00;--good:#12683a;--bad:#a3231b;--wait:#7a4b00}
@media (prefers-color-scheme:dark){:root{--ink:#eef2f5;--soft:#a9b6c1;--line:#33414d;--edge:#7d8b97;--paper:#1a232b;--ground:#10171d;--brand:#63c7d1;--on-brand:#06262a;--tint:#17343a;--good:#7bdca6;--bad:#ff9d94;--wait:#ffcf70}}
*{box-sizing:border-box}
html{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink)}
.test{margin:0;background:var(--test);color:var(--on-test);text-align:center;font-weight:600;padding:.25rem 1rem}
header{background:var(--paper);border-bottom:1px solid var(--line)}
header div,main{max-width:76rem;margin:0 auto;padding:0 1rem}
header div{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;padding-block:.5rem}
header b{font-size:1.0625rem}
nav{display:flex;flex-wrap:wrap;gap:.125rem}
nav a{padding:.5rem .625rem;border-radius:.5rem;text-decoration:none;color:var(--ink)}
nav a:hover{background:var(--tint)}
nav [aria-current]{background:var(--tint);color:var(--brand);font-weight:650}
main{padding-block:1.25rem 3rem}
h1{font-size:1.5rem;letter-spacing:-.015em;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.125rem;margin:2rem 0 .5rem}
p{margin:.25rem 0 .75rem}
.soft{color:var(--soft)}
a{color:var(--brand)}
.sheet{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;overflow-x:auto}
.sheet.pad{padding:1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{font-weight:600;color:var(--soft);font-size:.875rem}
th,td{text-align:left;padding:.5rem .75rem;border-top:1px solid var(--line);vertical-align:top}
thead th{border-top:0;white-space:nowrap}
tbody tr:hover{background:var(--tint)}
code,pre{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{margin:0;padding:.75rem;background:var(--ground);border-radius:.5rem;white-space:pre-wrap}
.state{font-weight:650;white-space:nowrap}
.SUCCESS,.delivered,.live,.yes{color:var(--good)}.FAILED,.dead,.no{color:var(--bad)}.PENDING,.PROCESSING,.waiting{color:var(--wait)}
form.row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
button{font:inherit;font-weight:600;padding:.4375rem .875rem;min-height:2.25rem;border-radius:.5rem;border:1px solid var(--edge);background:var(--paper);color:var(--ink);cursor:pointer}
button:hover{border-color:var(--brand);color:var(--brand)}
button.main{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}
button.stop{color:var(--bad)}
label{display:grid;gap:.125rem;font-size:.875rem;color:var(--soft)}
label.check{display:flex;align-items:center;gap:.5rem;color:var(--ink);font-size:1rem}
input:not([type=checkbox]),select,textarea{font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--edge);border-radius:.5rem;padding:.4375rem .625rem;min-height:2.25rem;max-width:100%}
textarea{width:100%;min-height:8rem;font-family:ui-monospace,monospace;font-size:.8125rem}
input[type=checkbox]{width:1.125rem;height:1.125rem;accent-color:var(--brand)}
.grid{display:grid;gap:.75rem 1.25rem;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr))}
dl.grid{margin:0}dt{color:var(--soft);font-size:.8125rem}dd{margin:0;overflow-wrap:anywhere}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0}
.said{background:var(--tint);border-left:.25rem solid var(--brand);padding:.625rem .875rem;border-radius:.25rem}
@media (max-width:44rem){table,thead,tbody,tr,td{display:block}thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tr{border-top:1px solid var(--line);padding:.5rem .75rem}tbody tr:first-child{border-top:0}td{border:0;padding:.125rem 0}td[data-head]:not(:empty):not(:has(button))::before{content:attr(data-head) ': ';color:var(--soft);font-size:.8125rem}}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
details summary{cursor:pointer;color:var(--brand)}
`.trim()

export function consoleDocument(page: { title: string; place: string; said?: string | undefined; main: Html }): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · Sandbox Pay console</title>
        <link rel="stylesheet" href="/assets/console.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <aside class="test" aria-label="TEST">
          TEST: no real money moves. This console has no password and answers to this machine only.
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
        <main>${page.said === undefined ? '' : html`<p class="said" role="status">${page.said}</p>`} ${page.main}</main>
      </body>
    </html>`
}

/** A table, or a sentence when there is nothing to show. Wide ones scroll, by keyboard too. */
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

export function facts(pairs: [string, Cell][]): Html {
  return html`<div class="sheet pad">
    <dl class="grid">
      ${pairs.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </div>`
}

/** One button that posts to an address of the console. */
export function button(action: string, text: string, kind = ''): Html {
  return html`<form method="post" action="/console/${action}"><button class="${kind}">${text}</button></form>`
}

export function state(word: string): Html {
  return html`<span class="state ${word}">${word}</span>`
}

export function at(ms: number | null): string {
  return ms === null ? '—' : new Date(ms).toISOString().replace('T', ' ').slice(0, 19)
}
