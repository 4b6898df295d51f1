// The form that makes a payment link: a shop without a website takes a payment by it.
import { html, type TemplateResult } from 'lit'
import type { CreateLink, Link } from '../../../contract/index.ts'
import { ApiError } from '../base/api.ts'
import { fieldsOf } from '../base/fields.ts'
import { fill } from '../base/format.ts'
import { faultWords } from '../parts/faults.ts'
import { View } from '../base/view.ts'
import { readAmount } from '../../../../widget/base/format.ts'

const HOUR = 3600
/** Seconds, by the name of the choice. */
const EXPIRIES = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR } as const

export class LinkForm extends View {
  static override properties = {
    ...View.properties,
    country: { state: true },
    faults: { state: true },
    isBusy: { state: true },
  }
  declare country: string
  /** By the name of the field; that of the whole form has none. */
  declare faults: Readonly<Record<string, string>>
  declare isBusy: boolean

  override connectedCallback(): void {
    this.country = this.app.me.shop.markets[0]?.country ?? ''
    this.faults = {}
    super.connectedCallback()
    void this.updateComplete.then(() => this.app.drafts.giveBack(this))
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (this.isBusy) return
    const t = this.t.links
    const field = fieldsOf(event.currentTarget)
    const market = this.app.me.shop.markets.find(({ country }) => country === this.country)
    const amount = readAmount(field('amount'))
    const faults: Record<string, string> = {}
    if (!(amount > 0)) faults['amount'] = t.badAmount
    if (field('description') === '') faults['description'] = t.needFor
    if (market === undefined) faults['country'] = t.needMarket
    this.faults = faults
    if (market === undefined || Object.keys(faults).length > 0) return this.#toFault()
    const wish: CreateLink = {
      amount,
      country: market.country,
      currency: market.currency,
      description: field('description'),
      expiresIn: EXPIRIES[field('expiry') as keyof typeof EXPIRIES],
      language: field('language') as NonNullable<CreateLink['language']>,
    }
    this.isBusy = true
    try {
      const link = await this.app.api.makeLink(wish)
      this.dispatchEvent(new CustomEvent<Link>('hc-made', { detail: link }))
    } catch (error) {
      this.faults = this.#faultsOf(error)
      this.#toFault()
    }
    this.isBusy = false
  }

  /** A refused amount is said at its field, with the limits of the country. */
  #faultsOf(error: unknown): Record<string, string> {
    const issue = error instanceof ApiError ? error.problem.issues?.find(({ path }) => path === 'amount') : undefined
    if (issue?.minimum !== undefined && issue.maximum !== undefined) {
      const { number } = this.app.format
      return { amount: fill(this.t.links.limits, { min: number(issue.minimum), max: number(issue.maximum) }) }
    }
    return { '': faultWords(this.app, error) }
  }

  #toFault(): void {
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }

  override render(): TemplateResult {
    const t = this.t.links
    const { markets, languages } = this.app.me.shop
    const { format } = this.app
    const currency = markets.find(({ country }) => country === this.country)?.currency ?? ''
    return html`<form class="card" novalidate data-draft="link" aria-labelledby="make" @submit=${this.#submit}>
      <h2 id="make">${t.make}</h2>
      <div class="grid">
        ${this.#field(
          'country',
          t.market,
          html`<select
            id="country"
            name="country"
            @change=${(event: Event) => (this.country = (event.target as HTMLSelectElement).value)}
          >
            ${markets.map(
              ({ country, currency: code }) =>
                html`<option value=${country} ?selected=${country === this.country}>
                  ${format.country(country)} (${code})
                </option>`,
            )}
          </select>`,
        )}
        ${this.#field('amount', `${t.amount} (${currency})`, this.#input('amount', 'numeric', 12))}
        ${this.#field('description', t.for, this.#input('description', 'text', 200), t.forHint)}
        ${this.#field(
          'expiry',
          t.expiry,
          html`<select id="expiry" name="expiry">
            ${Object.entries(t.expiries).map(
              ([name, text]) => html`<option value=${name} ?selected=${name === 'day'}>${text}</option>`,
            )}
          </select>`,
        )}
        ${this.#field(
          'language',
          t.language,
          html`<select id="language-of-customer" name="language">
            ${languages.map(
              (code) =>
                html`<option value=${code} ?selected=${code === this.app.language}>${format.language(code)}</option>`,
            )}
          </select>`,
          undefined,
          'language-of-customer',
        )}
      </div>
      <div role="alert">${this.faults[''] === undefined ? '' : html`<p class="wrong">${this.faults['']}</p>`}</div>
      <button type="submit" aria-disabled=${this.isBusy ? 'true' : 'false'}>${t.button}</button>
    </form>`
  }

  #input(name: string, mode: string, most: number): TemplateResult {
    return html`<input
      id=${name}
      name=${name}
      inputmode=${mode}
      autocomplete="off"
      maxlength=${most}
      aria-required="true"
      aria-invalid=${this.faults[name] !== undefined}
      aria-describedby="${name}-hint ${name}-fault"
    />`
  }

  #field(name: string, label: string, input: TemplateResult, hint = '', id = name): TemplateResult {
    return html`<div class="field">
      <label for=${id}>${label}</label>
      ${input}
      <p class="hint" id="${name}-hint">${hint}</p>
      <p class="wrong" id="${name}-fault">${this.faults[name] ?? ''}</p>
    </div>`
  }
}
