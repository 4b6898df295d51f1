// What staff can do with one payment. Each act says first what it does; those that change something
// are asked about once more.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import type { PaymentDetail } from '../../../contract/index.ts'
import { isUnanswered } from '../base/api.ts'
import { mayAct } from '../base/app.ts'
import { fieldsOf } from '../base/fields.ts'
import { readAmount } from '../../../../widget/base/format.ts'
import { fill } from '../base/format.ts'
import { faultWords } from '../parts/faults.ts'
import { phaseWords } from '../parts/phase.ts'
import { View } from '../base/view.ts'

/** Acts that are typed for. */
const FORMS = ['decide', 'paidBack', 'note'] as const
type Act = 'ask' | 'resend' | (typeof FORMS)[number]

export class Acts extends View {
  static override properties = {
    ...View.properties,
    payment: { attribute: false },
    open: { state: true },
    fault: { state: true },
    isBusy: { state: true },
  }
  declare payment: PaymentDetail
  /** The act whose form is open. */
  declare open: Act | undefined
  declare fault: string | undefined
  declare isBusy: boolean
  /** What was sent last may be done. */
  #isUnanswered = false

  /** Opens the form again whose text was kept. */
  override connectedCallback(): void {
    super.connectedCallback()
    const { drafts } = this.app
    this.open ??= FORMS.find((act) => drafts.has(this.#draftOf(act)))
    if (this.open !== undefined) void this.updateComplete.then(() => drafts.giveBack(this))
  }

  #draftOf(act: Act): string {
    return `${act} ${this.payment.id}`
  }

  /**
   * Opens an act's form, or closes it, and leads the keyboard there and back.
   * @param isDone what can be done once only goes with its button
   */
  #turn(act: Act | undefined, isDone = false): void {
    const before = this.open
    const back = isDone && (before === 'decide' || before === 'paidBack') ? '#acts' : `[data-act=${before}]`
    this.open = act
    this.fault = undefined
    this.#isUnanswered = false
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>(act === undefined ? back : 'form [data-first]')?.focus()
    })
  }

  /** @param act says what was done */
  async #do(act: () => Promise<string>): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    try {
      const said = await act()
      this.#turn(undefined, true)
      this.app.say(said)
    } catch (error) {
      this.#isUnanswered = isUnanswered(error)
      this.fault = faultWords(this.app, error)
    }
    this.isBusy = false
    // Also after a refusal: somebody else may have been faster.
    this.dispatchEvent(new Event('hc-acted'))
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const { app, payment } = this
    const { api } = app
    const t = this.t.acts
    const need = (text: string): void => void (this.fault = text)
    switch (this.open) {
      case 'ask':
        return void this.#do(async () => {
          const now = await api.ask(payment.id)
          const isNews = now.phase !== payment.phase || now.overdue !== payment.overdue
          return fill(isNews ? t.askedNews : t.asked, { state: phaseWords(app, now).label })
        })
      case 'resend':
        return void this.#do(async () => {
          const { requeued } = await api.resend(payment.id)
          return requeued === 0 ? t.resentNone : fill(t.resent, { n: requeued })
        })
      case 'note':
        if (field('text') === '') return need(t.needNote)
        return void this.#do(async () => {
          await api.note(payment.id, field('text'))
          return t.noted
        })
      case 'decide': {
        const outcome = field('outcome')
        if (outcome !== 'succeeded' && outcome !== 'failed') return need(t.needChoice)
        if (field('reason') === '') return need(t.needReason)
        return void this.#do(async () => {
          await api.decide(payment.id, { outcome, reason: field('reason'), by: app.me.name })
          return t.decided
        })
      }
      case 'paidBack': {
        const on = field('on')
        if (on === '' || on > app.me.shop.today) return need(this.t.owed.needDay)
        if (field('how') === '') return need(this.t.owed.need)
        const amount = readAmount(field('amount'))
        if (!(amount >= 0)) return need(this.t.owed.needAmount)
        return void this.#do(async () => {
          await api.paidBack(payment.id, { on, amount, how: field('how') })
          return this.t.owed.saved
        })
      }
      case undefined:
    }
  }

  #isPossible(act: Act): boolean {
    const { phase, owed } = this.payment
    if (act === 'decide') return phase === 'review'
    return act !== 'paidBack' || (owed !== undefined && owed.paidBack === undefined)
  }

  /** Whether it was done by this form, which has not heard the answer. */
  #isOwn(act: Act): boolean {
    const { acts = [] } = this.payment
    const kind = act === 'decide' ? 'decision' : 'paid_back'
    return this.#isUnanswered && acts.some((one) => one.act === kind && one.by === this.app.me.name)
  }

  /** Somebody else may be faster: what can be done no more is not asked for any more. */
  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const { open } = this
    if (open === undefined || this.isBusy || this.#isPossible(open)) return
    const done = open === 'decide' ? this.t.acts.decided : this.t.owed.saved
    const said = this.#isOwn(open) ? done : this.t.acts.overtaken
    this.#turn(undefined, true)
    this.app.say(said)
  }

  override render(): TemplateResult {
    const t = this.t.acts
    const { app } = this
    if (!mayAct(app))
      return html`<section class="card" aria-labelledby="acts">
        <h2 id="acts">${this.t.payment.acts}</h2>
        <p class="hint">${fill(this.t.mayNot, { role: this.t.roles[app.me.role] })}</p>
      </section>`
    const acts: readonly (readonly [Act, string])[] = [
      ['decide', t.decide],
      ['paidBack', t.paidBack],
      ['ask', t.ask],
      ['resend', t.resend],
      ['note', t.note],
    ]
    const possible = acts.filter(([act]) => this.#isPossible(act))
    return html`<section class="card acts" aria-labelledby="acts">
      <h2 id="acts" tabindex="-1">${this.t.payment.acts}</h2>
      <div class="buttons">
        ${possible.map(
          ([act, text]) =>
            html`<button
              type="button"
              class=${act === 'decide' || act === 'paidBack' ? '' : 'second'}
              data-act=${act}
              aria-expanded=${this.open === act}
              @click=${() => this.#turn(this.open === act ? undefined : act)}
            >
              ${text}
            </button>`,
        )}
      </div>
      ${this.open === undefined ? nothing : this.#form(this.open, possible.find(([act]) => act === this.open)?.[1])}
    </section>`
  }

  #form(act: Act, title: string | undefined): TemplateResult {
    const fault = this.fault === undefined ? nothing : html`<p class="wrong">${this.fault}</p>`
    return html`<form
      class="act"
      novalidate
      data-draft=${this.#draftOf(act)}
      aria-label=${title ?? ''}
      @submit=${this.#submit}
    >
      ${this.#fields(act)}
      <div role="alert">${fault}</div>
      <div class="buttons">
        <button
          type="submit"
          data-first=${act === 'ask' || act === 'resend' ? '' : nothing}
          aria-disabled=${this.isBusy ? 'true' : 'false'}
        >
          ${act === 'note' ? this.t.acts.note : this.t.acts.sure}
        </button>
        <button type="button" class="second" @click=${() => this.#turn(undefined)}>${this.t.cancel}</button>
      </div>
    </form>`
  }

  #fields(act: Act): TemplateResult {
    const t = this.t.acts
    switch (act) {
      case 'ask':
        return html`<p>${t.askWhat}</p>`
      case 'resend':
        return html`<p>${t.resendWhat}</p>`
      case 'note':
        return this.#text('text', t.noteText, t.noteHint, 1000, true)
      case 'decide':
        return html`<fieldset>
            <legend>${t.decideHint}</legend>
            <label class="choice"
              ><input type="radio" name="outcome" value="succeeded" data-first />
              <span>${t.decidePaid}<small>${t.paidFinal}</small></span></label
            >
            <label class="choice"
              ><input type="radio" name="outcome" value="failed" />
              <span>${t.decideNot}<small>${t.notPaidNext}</small></span></label
            >
          </fieldset>
          ${this.#text('reason', t.reason, t.reasonHint, 500, false)}`
      case 'paidBack': {
        const { owed } = this.t
        const { today } = this.app.me.shop
        const { amount, currency, owed: why } = this.payment
        const isKnown = why?.kind === 'duplicate'
        return html`<div class="field">
            <label for="amount">${owed.amount} (${currency})</label>
            <input
              id="amount"
              name="amount"
              inputmode="numeric"
              maxlength="12"
              aria-describedby="amount-hint"
              value=${isKnown ? amount : ''}
              data-first=${isKnown ? nothing : ''}
            />
            <p class="hint" id="amount-hint">${owed.amountHint}</p>
          </div>
          <div class="field">
            <label for="how">${owed.by}</label>
            <input
              id="how"
              name="how"
              maxlength="200"
              aria-describedby="how-hint"
              data-first=${isKnown ? '' : nothing}
            />
            <p class="hint" id="how-hint">${owed.byHint}</p>
          </div>
          <div class="field">
            <label for="on">${owed.on}</label>
            <input id="on" name="on" type="date" max=${today} value=${today} />
          </div>`
      }
    }
  }

  #text(name: string, label: string, hint: string, most: number, isFirst: boolean): TemplateResult {
    return html`<div class="field">
      <label for=${name}>${label}</label>
      <textarea
        id=${name}
        name=${name}
        rows="3"
        maxlength=${most}
        aria-describedby="${name}-hint"
        data-first=${isFirst ? '' : nothing}
      ></textarea>
      <p class="hint" id="${name}-hint">${hint}</p>
    </div>`
  }
}
