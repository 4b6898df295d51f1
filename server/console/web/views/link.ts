// One payment link, to be sent: its code, its address, and the message in the customer's language.
import { html, nothing, type TemplateResult } from 'lit'
import type { Link } from '../../../contract/index.ts'
import { qrCode } from '../parts/qr.ts'
import { View } from '../base/view.ts'

export class LinkCard extends View {
  static override properties = { ...View.properties, link: { attribute: false }, place: {} }
  declare link: Link
  /** Part of the page: in the list, or above it. */
  declare place: string

  /** What cannot be copied is marked, to be copied by hand. */
  async #copy(text: string, id: string): Promise<void> {
    const { copied, copyByHand } = this.t
    try {
      await navigator.clipboard.writeText(text)
      this.app.say(copied)
    } catch {
      this.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#${id}`)?.select()
      this.app.say(copyByHand)
    }
  }

  #share(): void {
    // A cancelled sheet rejects: that is no fault.
    void navigator.share({ text: this.link.message ?? '' }).catch(() => undefined)
  }

  override render(): TemplateResult | typeof nothing {
    const t = this.t.links
    const { id, payUrl, message, language } = this.link
    // A viewer gets neither.
    if (payUrl === undefined || message === undefined) return nothing
    // A link may be shown twice on one page: made just now, and in the list.
    const url = `${this.place}-url-${id}`
    const words = `${this.place}-message-${id}`
    const text = encodeURIComponent(message)
    return html`<div class="link">
      ${qrCode(payUrl, t.qr)}
      <div>
        <div class="field">
          <label for=${url}>${t.address}</label>
          <div class="row">
            <input id=${url} readonly dir="ltr" .value=${payUrl} />
            <button type="button" class="second" @click=${() => this.#copy(payUrl, url)}>${this.t.copy}</button>
          </div>
        </div>
        <div class="field">
          <label for=${words}>${t.message}</label>
          <textarea id=${words} readonly rows="5" dir="auto" lang=${language} .value=${message}></textarea>
        </div>
        <div class="buttons">
          <a class="button" target="_blank" rel="noopener noreferrer" href="https://wa.me/?text=${text}"
            >${this.t.whatsApp}</a
          >
          <a class="button second" href="sms:?&body=${text}">${this.t.sms}</a>
          <button type="button" class="second" @click=${() => this.#copy(message, words)}>${t.copyMessage}</button>
          ${
            'share' in navigator
              ? html`<button type="button" class="second" @click=${this.#share}>${this.t.share}</button>`
              : nothing
          }
        </div>
      </div>
    </div>`
  }
}
