// The record of what staff did, for the owner.
import { html, nothing, type TemplateResult } from 'lit'
import type { Act } from '../../../contract/index.ts'
import { tableOf } from '../base/api.ts'
import { isOwner } from '../base/app.ts'
import { fill } from '../base/format.ts'
import { besideEachOther, filled, typed } from '../parts/bidi.ts'
import { Pages } from '../parts/more.ts'
import { printedChoices } from '../parts/printed.ts'
import { hrefOf } from '../base/router.ts'
import { View } from '../base/view.ts'

export class AuditView extends View {
  static override properties = {
    ...View.properties,
    by: { state: true },
    fromDay: { state: true },
    toDay: { state: true },
  }
  declare by: string
  declare fromDay: string
  declare toDay: string

  readonly #list = new Pages<Act>(
    this,
    async (cursor, signal) => {
      const { acts, nextCursor } = await this.app.api.acts({ ...this.#wish(), cursor }, signal)
      return { items: acts, next: nextCursor }
    },
    () => [this.by, this.fromDay, this.toDay],
  )

  override connectedCallback(): void {
    this.by = this.fromDay = this.toDay = ''
    super.connectedCallback()
  }

  #wish(): { by: string; fromDay: string; toDay: string } {
    const { by, fromDay, toDay } = this
    return { by, fromDay, toDay }
  }

  #filters(): TemplateResult {
    const { audit, payments } = this.t
    const { today } = this.app.me.shop
    const changed = (name: 'by' | 'fromDay' | 'toDay') => (event: Event) =>
      (this[name] = (event.target as HTMLInputElement).value.trim())
    return html`<div class="filters">
      <div class="pick">
        <label for="by">${audit.who}</label>
        <input id="by" autocomplete="off" autocapitalize="none" maxlength="60" @change=${changed('by')} />
      </div>
      <div class="pick">
        <label for="fromDay">${payments.day}</label>
        <input id="fromDay" type="date" max=${today} @change=${changed('fromDay')} />
      </div>
      <div class="pick">
        <label for="toDay">${payments.to}</label>
        <input id="toDay" type="date" max=${today} @change=${changed('toDay')} />
      </div>
    </div>`
  }

  override render(): TemplateResult {
    const t = this.t.audit
    const { app } = this
    if (!isOwner(app))
      return html`<h1 tabindex="-1">${t.title}</h1>
        <p class="card hint">${fill(this.t.mayNotOwner, { role: this.t.roles[app.me.role] })}</p>`
    return html`<h1 tabindex="-1">${t.title}</h1>
      ${this.#filters()}
      ${printedChoices(app, [
        [t.who, this.by],
        [this.t.payments.day, this.fromDay],
        [this.t.payments.to, this.toDay],
      ])}
      <p><a class="button second" download href=${tableOf('acts.csv', this.#wish())}>${t.save}</a></p>
      ${this.#list.render(t.next, (acts) =>
        acts.length === 0
          ? html`<div class="empty"><p>${t.none}</p></div>`
          : html`<ul class="rows">
              ${acts.map((act) => this.#row(act))}
            </ul>`,
      )}`
  }

  #row({ at, by, role, act, paymentId, why, detail, result }: Act): TemplateResult {
    const { story, t } = this
    const more = besideEachOther([why, detail])
    return html`<li class="item">
      <span
        ><b>${filled(story.done[act] ?? act, { who: typed(by) })}</b> ${
          result === 'done' ? nothing : html`<span class="mark look">${result}</span>`
        }</span
      >
      ${more === undefined ? nothing : html`<span>${more}</span>`}
      <span class="quiet"
        >${this.app.format.exact(at)} ·
        ${t.roles[role]}${
          paymentId === undefined
            ? nothing
            : html` · <a href=${hrefOf({ view: 'payment', id: paymentId })}>${t.links.see}</a>`
        }</span
      >
    </li>`
  }
}
