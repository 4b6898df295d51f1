// The baseline: the same fields as <hc-checkout> in the simplest possible Lit element, and nothing
// else.
import { css, html, LitElement } from 'lit'
import type { TemplateResult } from 'lit'

interface Offer {
  readonly country: string
  readonly name: string
  readonly currency: string
}

class BareForm extends LitElement {
  static override properties = { markets: { attribute: false }, banks: { attribute: false } }
  static override styles = css`
    form {
      display: grid;
      gap: 12px;
      max-width: 480px;
    }
    label {
      display: grid;
      gap: 4px;
    }
    input,
    select,
    button {
      font: inherit;
      padding: 10px;
    }
  `
  declare markets: readonly Offer[]
  declare banks: readonly { readonly name: string; readonly code: string }[]

  constructor() {
    super()
    this.markets = [{ country: 'KE', name: 'Kenya', currency: 'KES' }]
    this.banks = []
  }

  protected override firstUpdated(): void {
    void this.load()
  }

  async load(): Promise<void> {
    this.markets = ((await (await fetch('/v1/markets')).json()) as { markets: readonly Offer[] }).markets
    this.banks = ((await (await fetch('/v1/banks?country=KE')).json()) as { banks: BareForm['banks'] }).banks
  }

  protected override render(): TemplateResult {
    return html`<form @submit=${(event: Event) => event.preventDefault()}>
      <label>
        Country
        <select name="country">
          ${this.markets.map(({ country, name, currency }) => html`<option value=${country}>${name} · ${currency}</option>`)}
        </select>
      </label>
      <label>
        Your bank
        <select name="bank">
          <option value="">None</option>
          ${this.banks.map(({ name, code }) => html`<option value=${code}>${name}</option>`)}
        </select>
      </label>
      <label>Amount <input name="amount" inputmode="numeric" /></label>
      <label>Name <input name="name" autocomplete="name" /></label>
      <label>Phone <input name="phone" type="tel" autocomplete="tel" /></label>
      <button part="pay-button">Pay</button>
    </form>`
  }
}

customElements.define('bare-form', BareForm)
