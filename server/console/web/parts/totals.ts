// What was paid and paid back on each day, in each currency: for those who close the till.
import { html, nothing, type TemplateResult } from 'lit'
import type { Figures } from '../../../contract/index.ts'
import type { App } from '../base/app.ts'
import { leftToRight } from './bidi.ts'

type Day = Figures['days'][number]

/** Sums over all days, one for each currency. */
function sumsOf(days: readonly Day[]): Day[] {
  const sums = new Map<string, Day>()
  for (const one of days) {
    const sum = sums.get(one.currency)
    sums.set(one.currency, {
      ...one,
      paid: one.paid + (sum?.paid ?? 0),
      paidSum: one.paidSum + (sum?.paidSum ?? 0),
      paidBack: one.paidBack + (sum?.paidBack ?? 0),
      paidBackSum: one.paidBackSum + (sum?.paidBackSum ?? 0),
    })
  }
  const all = [...sums.values()]
  all.sort((a, b) => (a.currency < b.currency ? -1 : 1))
  return all
}

export function totalsOf({ words, format }: App, { days, fromDay, toDay }: Figures): TemplateResult {
  const t = words.figures
  const sum = (count: number, amount: number, currency: string): TemplateResult =>
    html`<td class="number">
      ${
        count === 0
          ? '–'
          : html`${leftToRight(format.money(amount, currency))}
              <span class="quiet">${leftToRight(`(${format.number(count)})`)}</span>`
      }
    </td>`
  const row = (name: string, { currency, paid, paidSum, paidBack, paidBackSum }: Day): TemplateResult =>
    html`<tr>
      <th scope="row">${name}</th>
      ${sum(paid, paidSum, currency)}${sum(paidBack, paidBackSum, currency)}
    </tr>`
  return html`<div class="card">
    <h2 id="totals">${t.totals}</h2>
    <div class="wide" tabindex="0" role="region" aria-labelledby="totals">
      <table class="totals">
        <thead>
          <tr>
            <th scope="col">${t.day}</th>
            <th scope="col" class="number">${t.paid}</th>
            <th scope="col" class="number">${words.owed.done}</th>
          </tr>
        </thead>
        <tbody>
          ${days.map((one) => row(format.shortDay(one.day), one))}
        </tbody>
        ${
          fromDay === toDay
            ? nothing
            : html`<tfoot>
                ${sumsOf(days).map((one) => row(t.allDays, one))}
              </tfoot>`
        }
      </table>
    </div>
    <p class="hint">${t.totalsHint}</p>
  </div>`
}
