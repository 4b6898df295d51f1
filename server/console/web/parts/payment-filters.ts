// What narrows the list of payments: as fields, on paper, and as the companion is asked.
import { html, nothing, type TemplateResult } from 'lit'
import type { PaymentView } from '../../../contract/index.ts'
import type { App, Wish } from '../base/app.ts'
import { printedChoices } from './printed.ts'

export const isFiltered = ({ search, phase, country, fromDay, toDay }: Wish): boolean =>
  [search, phase, country, fromDay, toDay].some((one) => one !== '')

export function queryOf({ search, by, phase, country, fromDay, toDay }: Wish): Record<string, string | undefined> {
  return { search, by: search === '' ? undefined : by, phase, country, fromDay, toDay }
}

export function paymentFilters(
  app: App,
  wish: Wish,
  want: (change: Partial<Wish>) => void,
  clear: () => void,
): TemplateResult {
  const t = app.words.payments
  const option = (value: string, text: string, present: string): TemplateResult =>
    html`<option value=${value} ?selected=${value === present}>${text}</option>`
  const chosen = (name: keyof Wish) => (event: Event) =>
    want({ [name]: (event.target as HTMLInputElement | HTMLSelectElement).value })
  const { markets, today } = app.me.shop
  return html`<div class="filters">
    <div class="pick">
      <label for="phase">${t.state}</label>
      <select id="phase" @change=${chosen('phase')}>
        ${option('', t.all, wish.phase)}
        ${Object.entries(app.story.phases).map(([phase, { label }]) => option(phase, label, wish.phase))}
      </select>
    </div>
    ${
      markets.length < 2
        ? nothing
        : html`<div class="pick">
            <label for="country">${t.market}</label>
            <select id="country" @change=${chosen('country')}>
              ${option('', t.all, wish.country)}
              ${markets.map(({ country }) => option(country, app.format.country(country), wish.country))}
            </select>
          </div>`
    }
    <div class="pick">
      <label for="fromDay">${t.day}</label>
      <input id="fromDay" type="date" max=${today} .value=${wish.fromDay} @change=${chosen('fromDay')} />
    </div>
    <div class="pick">
      <label for="toDay">${t.to}</label>
      <input id="toDay" type="date" max=${today} .value=${wish.toDay} @change=${chosen('toDay')} />
    </div>
    ${isFiltered(wish) ? html`<button type="button" class="second" @click=${clear}>${t.clear}</button>` : nothing}
  </div>`
}

/** @param hasMore another page follows: then the first is not everything either */
export function printedWish(app: App, wish: Wish, hasMore: boolean): TemplateResult {
  const t = app.words.payments
  const { search, phase, country, fromDay, toDay, pages } = wish
  return printedChoices(app, [
    [t.find, search],
    [t.state, phase === '' ? '' : app.story.phases[phase as PaymentView['phase']].label],
    [t.market, country === '' ? '' : app.format.country(country)],
    [t.day, fromDay],
    [t.to, toDay],
    [t.page.replace('{n}', '').trim(), pages.length > 0 || hasMore ? String(pages.length + 1) : ''],
  ])
}
