// Files for the books: payments of chosen days as CSV, and the comparison with a statement of the
// portal.
import { html, type TemplateResult } from 'lit'
import { tableOf } from '../base/api.ts'
import { mayAct } from '../base/app.ts'
import { fill } from '../base/format.ts'
import { View } from '../base/view.ts'

/** A day as 2026-03-31, so many days earlier. */
function earlier(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)
}

/** First and last day. */
type Span = readonly [from: string, to: string]

function spans(today: string): Readonly<Record<'today' | 'yesterday' | 'thisMonth' | 'lastMonth', Span>> {
  const first = `${today.slice(0, 8)}01`
  const lastOfBefore = earlier(first, 1)
  const yesterday = earlier(today, 1)
  return {
    today: [today, today],
    yesterday: [yesterday, yesterday],
    thisMonth: [first, today],
    lastMonth: [`${lastOfBefore.slice(0, 8)}01`, lastOfBefore],
  }
}

export class BooksView extends View {
  static override properties = {
    ...View.properties,
    from: { state: true },
    to: { state: true },
    phase: { state: true },
    country: { state: true },
  }
  declare from: string
  declare to: string
  declare phase: string
  declare country: string

  override connectedCallback(): void {
    this.from = this.to = this.app.me.shop.today
    this.phase = this.country = ''
    super.connectedCallback()
  }

  override render(): TemplateResult {
    const t = this.t.books
    const { app } = this
    return html`<h1 tabindex="-1">${t.title}</h1>
      ${
        mayAct(app)
          ? html`${this.#export()} <hc-reconcile .app=${app}></hc-reconcile>`
          : html`<p class="card hint">${fill(this.t.mayNot, { role: this.t.roles[app.me.role] })}</p>`
      }`
  }

  #export(): TemplateResult {
    const t = this.t.books
    const { today, markets } = this.app.me.shop
    const { payments } = this.t
    const isFalse = this.from === '' || this.to === '' || this.from > this.to
    const changed = (name: 'from' | 'to' | 'phase' | 'country') => (event: Event) =>
      (this[name] = (event.target as HTMLInputElement | HTMLSelectElement).value)
    const query = { fromDay: this.from, toDay: this.to, phase: this.phase, country: this.country }
    return html`<section class="card" aria-labelledby="export">
      <h2 id="export">${t.exportTitle}</h2>
      <p>${t.exportWhat}</p>
      <div class="buttons">
        ${Object.entries(spans(today)).map(
          ([name, [from, to]]) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${from === this.from && to === this.to}
              @click=${() => {
                this.from = from
                this.to = to
              }}
            >
              ${t[name as keyof ReturnType<typeof spans>]}
            </button>`,
        )}
      </div>
      <div class="filters">
        <div class="pick">
          <label for="from">${t.from}</label>
          <input id="from" type="date" max=${today} .value=${this.from} @change=${changed('from')} />
        </div>
        <div class="pick">
          <label for="to">${t.to}</label>
          <input id="to" type="date" max=${today} .value=${this.to} @change=${changed('to')} />
        </div>
        <div class="pick">
          <label for="phase">${payments.state}</label>
          <select id="phase" @change=${changed('phase')}>
            <option value="">${payments.all}</option>
            ${Object.entries(this.story.phases).map(
              ([phase, { label }]) => html`<option value=${phase}>${label}</option>`,
            )}
          </select>
        </div>
        <div class="pick">
          <label for="country">${payments.market}</label>
          <select id="country" @change=${changed('country')}>
            <option value="">${payments.all}</option>
            ${markets.map(({ country }) => html`<option value=${country}>${this.app.format.country(country)}</option>`)}
          </select>
        </div>
      </div>
      ${
        isFalse
          ? html`<p class="wrong" role="alert">${t.bad}</p>`
          : html`<a class="button" download href=${tableOf('payments.csv', query)}>${t.save}</a>`
      }
    </section>`
  }
}
