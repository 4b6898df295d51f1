// Closes a payment link by hand: says what that does, and asks for the reason.
import { html, type TemplateResult } from 'lit'
import type { Link } from '../../../contract/index.ts'
import { fieldsOf } from '../base/fields.ts'
import { faultWords } from '../parts/faults.ts'
import { View } from '../base/view.ts'

export class LinkClose extends View {
  static override properties = {
    ...View.properties,
    link: { attribute: false },
    isOpen: { state: true },
    isBusy: { state: true },
    fault: { state: true },
  }
  declare link: Link
  declare isOpen: boolean
  declare isBusy: boolean
  declare fault: string | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    const { drafts } = this.app
    if (!drafts.has(this.#draft)) return
    this.isOpen = true
    void this.updateComplete.then(() => drafts.giveBack(this))
  }

  get #draft(): string {
    return `close ${this.link.id}`
  }

  /** Opens the form, or closes it, and leads the keyboard there and back. */
  #turn(isOpen: boolean): void {
    this.isOpen = isOpen
    this.fault = undefined
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(isOpen ? 'textarea' : 'button')?.focus())
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (this.isBusy) return
    const why = fieldsOf(event.currentTarget)('why')
    if (why === '') return void (this.fault = this.t.acts.needReason)
    this.isBusy = true
    try {
      const link = await this.app.api.closeLink(this.link.id, why)
      this.app.say(this.t.links.closed)
      this.dispatchEvent(new CustomEvent<Link>('hc-closed', { detail: link }))
    } catch (error) {
      this.fault = faultWords(this.app, error)
    }
    this.isBusy = false
  }

  override render(): TemplateResult {
    const t = this.t.links
    const id = `why-${this.link.id}`
    if (!this.isOpen)
      return html`<button type="button" class="chip" aria-expanded="false" @click=${() => this.#turn(true)}>
        ${t.close}
      </button>`
    return html`<form class="act" novalidate data-draft=${this.#draft} aria-label=${t.close} @submit=${this.#submit}>
      <p>${t.closeWhat}</p>
      <div class="field">
        <label for=${id}>${this.t.acts.reason}</label>
        <textarea id=${id} name="why" rows="2" maxlength="500" aria-describedby="${id}-hint"></textarea>
        <p class="hint" id="${id}-hint">${t.closeHint}</p>
      </div>
      <div role="alert">${this.fault === undefined ? '' : html`<p class="wrong">${this.fault}</p>`}</div>
      <div class="buttons">
        <button type="submit" aria-disabled=${this.isBusy ? 'true' : 'false'}>${this.t.acts.sure}</button>
        <button type="button" class="second" @click=${() => this.#turn(false)}>${this.t.cancel}</button>
      </div>
    </form>`
  }
}
