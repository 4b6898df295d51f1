// Money owed back to customers: what was paid twice or with another amount, and what has been paid
// back.
import { html, nothing, type TemplateResult } from 'lit'
import type { Owed } from '../../../contract/index.ts'
import { tableOf } from '../base/api.ts'
import { mayAct } from '../base/app.ts'
import { filled, leftToRight, phoneOf, typed } from '../parts/bidi.ts'
import { Pages } from '../parts/more.ts'
import { printedChoices } from '../parts/printed.ts'
import { payerOf } from '../parts/phase.ts'
import { hrefOf } from '../base/router.ts'
import { View } from '../base/view.ts'

export class OwedView extends View {
  static override properties = { ...View.properties, state: { state: true } }
  declare state: 'open' | 'paid_back'

  readonly #list = new Pages<Owed>(
    this,
    async (cursor, signal) => {
      const { owed, nextCursor } = await this.app.api.owed({ state: this.state, cursor }, signal)
      return { items: owed, next: nextCursor }
    },
    () => [this.state],
  )

  override connectedCallback(): void {
    this.state = 'open'
    super.connectedCallback()
  }

  override render(): TemplateResult {
    const { app } = this
    const t = this.t.owed
    const choice = (state: 'open' | 'paid_back', text: string): TemplateResult =>
      html`<button type="button" class="chip" aria-pressed=${this.state === state} @click=${() => (this.state = state)}>
        ${text}
      </button>`
    return html`<h1 tabindex="-1">${t.title}</h1>
      <p class="lead">${t.what}</p>
      <div class="buttons" role="group" aria-label=${t.title}>
        ${choice('open', t.open)}${choice('paid_back', t.done)}
      </div>
      ${printedChoices(app, [[this.t.payments.state, this.state === 'open' ? t.open : t.done]])}
      ${this.#list.render(t.next, (owed) => this.#rows(owed))}`
  }

  #rows(owed: readonly Owed[]): TemplateResult {
    const { app } = this
    const t = this.t.owed
    if (owed.length === 0) return html`<div class="empty"><p>${this.state === 'open' ? t.none : t.noneDone}</p></div>`
    return html`<ul class="rows">
        ${owed.map(({ payment, kind, paidBack }) => {
          const { payer, orderId, amount, currency, createdAt, id } = payment
          return html`<li class="item owed">
            <span>
              <b>${leftToRight(app.format.money(amount, currency))}</b> · ${typed(payerOf(app, payment))}
              ${payer?.phone === undefined ? nothing : html`<span class="quiet">${phoneOf(payer.phone)}</span>`}
            </span>
            <span>${kind === 'duplicate' ? t.twice : t.wrong}</span>
            <span class="quiet">${app.format.time(createdAt)} · ${typed(orderId ?? this.t.payments.noOrder)}</span>
            ${
              paidBack === undefined
                ? nothing
                : html`<span class="done"
                    >${filled(t.paidOn, {
                      day: app.format.day(paidBack.on),
                      money: leftToRight(app.format.money(paidBack.amount, currency)),
                      by: typed(paidBack.how),
                      who: typed(paidBack.by),
                    })}</span
                  >`
            }
            <span
              ><a class="button second" href=${hrefOf({ view: 'payment', id })}
                >${paidBack === undefined && mayAct(app) ? this.t.acts.paidBack : this.t.links.see}</a
              ></span
            >
          </li>`
        })}
      </ul>
      ${
        mayAct(app)
          ? html`<p>
              <a class="button second" download href=${tableOf('owed.csv', { state: this.state })}
                >${this.t.payments.export}</a
              >
            </p>`
          : nothing
      }`
  }
}
