// One payment: where it stands in words that can be read to a caller, its facts, its story, its
// evidence, and what staff can do.
import { Task } from '@lit/task'
import { html, nothing, type TemplateResult } from 'lit'
import type { PaymentDetail } from '../../../contract/index.ts'
import { NO_WISH } from '../base/app.ts'
import { fill } from '../base/format.ts'
import { filled, leftToRight, phoneOf, typed } from '../parts/bidi.ts'
import { lastOf, loaded } from '../parts/loaded.ts'
import { extraMarks, payerOf, phaseMark, phaseWords } from '../parts/phase.ts'
import { evidenceOf } from '../parts/evidence.ts'
import { storyOf } from '../parts/story.ts'
import { View } from '../base/view.ts'

export class PaymentPage extends View {
  static override properties = { ...View.properties, payment: {} }
  /** Its id. */
  declare payment: string
  #silence: (() => void) | undefined

  readonly #detail = new Task(this, {
    task: ([id], { signal }) => this.app.api.payment(id, signal),
    args: () => [this.payment] as const,
    onComplete: ({ notices }) => this.#lookAgain(notices),
  })
  #notice: ReturnType<typeof setTimeout> | undefined

  /** A notice that goes out changes no version of the payment. */
  #lookAgain(notices: PaymentDetail['notices']): void {
    clearTimeout(this.#notice)
    const due = notices
      .filter(({ state }) => state === 'waiting')
      .map(({ nextAttemptAt = '' }) => Date.parse(nextAttemptAt))
    const wait = Math.max(0, Math.min(...due) - Date.now()) + 3_000
    if (wait < 600_000 && this.isConnected) this.#notice = setTimeout(() => void this.#detail.run(), wait)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#silence = this.app.live.listen({
      payment: ({ id, version }) => {
        if (id === this.payment && version !== this.#detail.value?.version) void this.#detail.run()
      },
      connected: () => void this.#detail.run(),
      lost: () => undefined,
    })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#notice)
    this.#silence?.()
  }

  override updated(): void {
    const payment = this.#detail.value
    if (payment !== undefined) this.app.about(payment.orderId ?? payment.reference)
  }

  override render(): TemplateResult {
    const last = lastOf(this.#detail)
    const payment = last?.id === this.payment ? last : undefined
    // One heading from the beginning on: it has the focus when the payment comes.
    return html`<p class="backlink"><a href="#/payments">← ${this.t.back}</a></p>
      <h1 tabindex="-1">${payment === undefined ? this.t.nav.payments : this.#title(payment)}</h1>
      ${loaded(
        this.app,
        this.#detail,
        (detail) => this.#page(detail),
        ({ id }) => id !== this.payment,
      )}`
  }

  #title(payment: PaymentDetail): unknown {
    return filled(this.t.payment.title, {
      amount: leftToRight(this.app.format.money(payment.amount, payment.currency)),
      name: typed(payerOf(this.app, payment)),
    })
  }

  #page(payment: PaymentDetail): TemplateResult {
    const { app } = this
    const t = this.t.payment
    const words = phaseWords(app, payment)
    return html`<p class="marks">${phaseMark(app, payment)}${extraMarks(app, payment)}</p>
      <div class="two">
        <div>
          <section class="card" aria-labelledby="stand">
            <h2 id="stand">${t.caller}</h2>
            <p class="caller">${words.caller}</p>
            ${this.#why(payment)}
            <h3>${t.next}</h3>
            <p>${words.next}</p>
          </section>
          <hc-acts .app=${app} .payment=${payment} @hc-acted=${() => void this.#detail.run()}></hc-acts>
          <section class="card" aria-labelledby="story">
            <h2 id="story">${t.story}</h2>
            ${storyOf(app, payment)}
          </section>
        </div>
        <div>${this.#facts(payment)} ${evidenceOf(app, payment)}</div>
      </div>`
  }

  /** The reason of an end or of a review, and what is unusual. */
  #why({ phase, result, reviewReason, late, duplicate, disputedSum }: PaymentDetail): TemplateResult {
    const { story } = this
    const says: string[] = []
    if (phase === 'review' && reviewReason !== undefined) says.push(story.reviews[reviewReason] ?? reviewReason)
    if (result !== undefined && phase !== 'succeeded')
      says.push(story.results[result.code] ?? fill(story.otherResult, { text: result.description, code: result.code }))
    if (late) says.push(story.late)
    if (duplicate) says.push(story.duplicate)
    if (disputedSum === true) says.push(story.disputed)
    return html`${says.map((text) => html`<p class="reason">${text}</p>`)}`
  }

  /** The list, searched for what this payment has in common with others. */
  #others(search: string, by: 'order' | 'phone', text: string): TemplateResult {
    const look = (): void => {
      this.app.wish = { ...NO_WISH, search, by }
    }
    return html`<a class="button second" href="#/payments" @click=${look}>${text}</a>`
  }

  #facts(payment: PaymentDetail): TemplateResult {
    const { app } = this
    const t = this.t.payment
    const { format } = app
    const { payer, bank, reported, metadata, owed } = payment
    const paidBack = owed?.paidBack
    const told: readonly (readonly [string, unknown])[] = [
      [t.payer, payer?.name ?? t.erased],
      [
        t.phone,
        payer?.phone === undefined ? undefined : html`<a href="tel:+${payer.phone}">${phoneOf(payer.phone)}</a>`,
      ],
      [t.email, payer?.email],
      [t.amount, format.money(payment.amount, payment.currency)],
      [t.country, format.country(payment.country)],
      [t.bank, bank?.name],
      [t.order, payment.orderId],
      [t.what, payment.description],
      [t.reference, payment.reference],
      [t.transaction, payment.transactionId],
      [t.shopReference, payment.clientReference],
      [t.started, format.exact(payment.createdAt)],
      [t.ended, payment.settledAt === undefined ? undefined : format.exact(payment.settledAt)],
      [t.fees, reported.fees],
      [t.third, reported.thirdPartyId],
      [
        this.t.owed.done,
        paidBack === undefined
          ? undefined
          : filled(this.t.owed.paidOn, {
              day: format.day(paidBack.on),
              money: leftToRight(format.money(paidBack.amount, payment.currency)),
              by: typed(paidBack.how),
              who: typed(paidBack.by),
            }),
      ],
      [t.metadata, Object.keys(metadata).length === 0 ? undefined : JSON.stringify(metadata)],
      [t.session, payment.sessionId],
    ]
    return html`<section class="card" aria-labelledby="facts">
      <h2 id="facts">${t.facts}</h2>
      <dl>
        ${told.map(([name, value]) =>
          value === undefined || value === ''
            ? nothing
            : html`<div>
                <dt>${name}</dt>
                <dd>${value}</dd>
              </div>`,
        )}
      </dl>
      <p class="hint">${t.mode[payment.mode]}</p>
      <div class="buttons">
        ${payment.orderId === undefined ? nothing : this.#others(payment.orderId, 'order', t.ofOrder)}
        ${payer?.phone === undefined ? nothing : this.#others(payer.phone, 'phone', t.ofPhone)}
      </div>
    </section>`
  }
}
