// Figures as plots: payments, volume, share paid, countries, and how long things take.
import { Task } from '@lit/task'
import { html, nothing, type TemplateResult } from 'lit'
import type { Figures } from '../../../contract/index.ts'
import { delayPlot, plotsOf, summaryOf, withinOf } from '../parts/figures.ts'
import { loaded } from '../parts/loaded.ts'
import { printedChoices } from '../parts/printed.ts'
import { totalsOf } from '../parts/totals.ts'
import { View } from '../base/view.ts'

const DAY_MS = 86_400_000
/** How many days, by the name of the choice. */
const RANGES = { one: 1, seven: 7, thirty: 30 } as const
type Range = keyof typeof RANGES

export class FiguresView extends View {
  static override properties = { ...View.properties, range: { state: true }, country: { state: true } }
  declare range: Range
  declare country: string

  readonly #figures = new Task(this, {
    task: ([range, country], { signal }) => {
      const toDay = this.app.me.shop.today
      const from = Date.parse(toDay) - (RANGES[range] - 1) * DAY_MS
      return this.app.api.figures({ fromDay: new Date(from).toISOString().slice(0, 10), toDay, country }, signal)
    },
    args: () => [this.range, this.country] as const,
  })

  override connectedCallback(): void {
    this.range = 'one'
    this.country = ''
    super.connectedCallback()
  }

  override render(): TemplateResult {
    const t = this.t.figures
    const { markets } = this.app.me.shop
    return html`<h1 tabindex="-1">${t.title}</h1>
      <div class="filters wide-first">
        <div class="buttons chips" role="group" aria-label=${t.range}>
          ${Object.entries(t.days).map(
            ([range, text]) =>
              html`<button
                type="button"
                class="chip"
                aria-pressed=${range === this.range}
                @click=${() => (this.range = range as Range)}
              >
                ${text}
              </button>`,
          )}
        </div>
        ${
          markets.length < 2
            ? nothing
            : html`<div class="pick">
                <label for="country">${this.t.payments.market}</label>
                <select
                  id="country"
                  @change=${(event: Event) => (this.country = (event.target as HTMLSelectElement).value)}
                >
                  <option value="">${this.t.payments.all}</option>
                  ${markets.map(
                    ({ country }) => html`<option value=${country}>${this.app.format.country(country)}</option>`,
                  )}
                </select>
              </div>`
        }
      </div>
      ${printedChoices(this.app, [
        [t.range, t.days[this.range]],
        [this.t.payments.market, this.country === '' ? '' : this.app.format.country(this.country)],
      ])}
      ${loaded(
        this.app,
        this.#figures,
        (figures) => this.#plots(figures),
        ({ days }) => days.length === 0,
      )}`
  }

  #plots(figures: Figures): TemplateResult {
    const { app } = this
    const t = this.t.figures
    if (figures.days.length === 0) return html`<div class="empty"><p>${t.none}</p></div>`
    return html`<p class="lead" role="status">${summaryOf(app, figures)}</p>
      ${totalsOf(app, figures)} ${figures.hours.length === 0 ? nothing : this.#drawn(figures)}`
  }

  #drawn(figures: Figures): TemplateResult {
    const { app } = this
    const t = this.t.figures
    const delays = [
      [t.toPaid, figures.paidAfter],
      [t.service, figures.serviceAfter],
      [t.notices, figures.noticeAfter],
    ] as const
    return html`<div class="plots">
        ${plotsOf(app, figures).map((plotted) => html`<hc-plot .app=${app} .plotted=${plotted}></hc-plot>`)}
        ${delays.map(([title, counts]) =>
          counts.every(({ count }) => count === 0)
            ? nothing
            : html`<hc-plot .app=${app} .plotted=${delayPlot(app, title, counts)}></hc-plot>`,
        )}
      </div>
      ${
        figures.paidAfter.every(({ count }) => count === 0)
          ? nothing
          : html`<p>${t.toPaid}: ${withinOf(app, figures.paidAfter)}</p>`
      }`
  }
}
