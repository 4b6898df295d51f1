// The element: its doors, its form, and one view for each step. The controller runs the checkout.
import { html, LitElement, nothing } from 'lit'
import type { PropertyValues, TemplateResult } from 'lit'
import type { CreateDeposit, Market, SessionView } from '../server/contract/index.ts'
import { CheckoutController } from './checkout-controller.ts'
import { CheckoutError } from './companion-client.ts'
import { ChangeEvent, ErrorEvent, ReadyEvent } from './events.ts'
import { fill, money, problemText } from './format.ts'
import { styles } from './hc-checkout.styles.ts'
import { localeOf, textsOf } from './locales/index.ts'
import type { Texts } from './locales/texts.ts'
import { builtIn, fullPhone, guessCountry } from './markets.ts'
import { bankPicker, searchBanks } from './views/bank-picker.ts'
import type { Bank } from './views/bank-picker.ts'
import { endedView, submittingView, waitingView } from './views/status.ts'
import type { StatusActions } from './views/status.ts'

/**
 * A checkout for mobile money in Africa.
 *
 * @summary Country, bank, amount and payer; then the hosted payment page, live status and the result.
 * @slot - What to show before and without the script: a link to `/pay`, for example.
 * @slot header - Above the form.
 * @slot footer - Below everything.
 * @event hc-ready - The form can be used.
 * @event hc-change - A field changed (`field`, `value`).
 * @event hc-deposit-created - The companion has made the deposit (`deposit`).
 * @event hc-checkout-opened - The hosted page was opened.
 * @event hc-status-change - The deposit moved (`deposit`).
 * @event hc-success - Paid. Once per deposit and browser; `resumed` when found again.
 * @event hc-failure - Ended without payment. Once per deposit and browser.
 * @event hc-error - Something went wrong (`code`, `detail`).
 * @csspart card - The whole card.
 * @csspart pay-button - The button that starts the payment.
 * @csspart bank - The bank field. @csspart bank-list - Its list.
 * @csspart waiting - While the customer pays. @csspart success - The receipt. @csspart failure - The other endings.
 * @cssproperty [--hc-accent=#0b6e4f] - Buttons and marks.
 * @cssproperty [--hc-on-accent=#fff] - Text on the accent colour.
 * @cssproperty [--hc-background=#fff] - The card. @cssproperty [--hc-text=#17211d] - Text. @cssproperty [--hc-muted=#5a6862] - Lesser text.
 * @cssproperty [--hc-border=#d5ddd9] - Lines. @cssproperty [--hc-field=#fff] - Fields. @cssproperty [--hc-soft=#eef5f1] - Quiet areas.
 * @cssproperty [--hc-danger=#b3261e] - Faults. @cssproperty [--hc-radius=12px] - Corners. @cssproperty [--hc-font=system-ui] - Typeface.
 */
export class HcCheckout extends LitElement {
  static formAssociated = true
  static override styles = styles
  static override properties = {
    companion: {},
    session: {},
    country: { reflect: true },
    currency: {},
    bank: {},
    bankChoice: { attribute: 'bank-choice' },
    amount: { type: Number },
    minAmount: { type: Number, attribute: 'min-amount' },
    maxAmount: { type: Number, attribute: 'max-amount' },
    payerName: { attribute: 'payer-name' },
    payerPhone: { attribute: 'payer-phone' },
    payerEmail: { attribute: 'payer-email' },
    clientReference: { attribute: 'client-reference' },
    locale: {},
    presentation: {},
    deposit: {},
    name: {},
    disabled: { type: Boolean, reflect: true },
    texts: { attribute: false },
    _view: { state: true },
  }

  /** Address of the companion server, e.g. `https://pay.shop.example`. */
  declare companion: string
  /** Token of a session that the shop's backend made; what it locks is shown, not asked. */
  declare session: string | undefined
  /** ISO 3166 alpha-2. Guessed from time zone and languages unless given; given, it is fixed. */
  declare country: string | undefined
  declare currency: string | undefined
  /** Code of the chosen bank. */
  declare bank: string | undefined
  declare bankChoice: 'optional' | 'required' | 'hidden'
  /** Whole major units; given, it is fixed. */
  declare amount: number | undefined
  declare minAmount: number | undefined
  declare maxAmount: number | undefined
  declare payerName: string | undefined
  declare payerPhone: string | undefined
  declare payerEmail: string | undefined
  /** The page's own word for this purchase; told to the backend as untrusted. */
  declare clientReference: string | undefined
  /** `en`, `fr`, `sw`; the page's or browser's language unless given. */
  declare locale: string | undefined
  /** How the hosted page opens: `auto`, `tab` or `redirect`. */
  declare presentation: 'auto' | 'tab' | 'redirect'
  /** Id of a deposit to resume; its token comes by `resume()`. */
  declare deposit: string | undefined
  declare name: string | undefined
  declare disabled: boolean
  /** Own words in place of ours. */
  declare texts: Partial<Texts> | undefined
  declare _view: number

  readonly #checkout = new CheckoutController(this)
  #internals: ElementInternals | undefined
  #markets: readonly Market[] | undefined
  #test = false
  #session: SessionView | undefined
  #chosen = ''
  #banks: readonly Bank[] | 'loading' | 'failed' = 'loading'
  #banksOf = ''
  #query = ''
  #open = false
  #active = -1
  #amount = ''
  #errors: Record<string, string> = {}
  #shared = ''
  #replaces: string | undefined
  #step = ''

  constructor() {
    super()
    this.companion = ''
    this.bankChoice = 'optional'
    this.presentation = 'auto'
    this.disabled = false
    if (typeof this.attachInternals === 'function') {
      try {
        this.#internals = this.attachInternals()
      } catch {
        /* Old browsers: the element is no form control there. */
      }
    }
  }

  /** Registers the tag; a second copy on the page is harmless. */
  static define(tag = 'hc-checkout', registry = customElements): typeof HcCheckout {
    if (!registry.get(tag)) registry.define(tag, this)
    return this
  }

  get #texts(): Texts {
    return { ...textsOf(this.#locale), ...this.texts }
  }
  get #locale(): string {
    return localeOf(this.locale || this.lang || document.documentElement.lang || navigator.language)
  }
  get #country(): string {
    const session = this.#session && this.#session.country
    const fixed = session || this.country
    if (fixed) return fixed
    const offered = this.#rows().map(([country]) => country)
    if (this.#chosen && offered.includes(this.#chosen)) return this.#chosen
    const guess = guessCountry(navigator.languages || [], Intl.DateTimeFormat().resolvedOptions().timeZone || '')
    return guess && offered.includes(guess) ? guess : offered[0] || 'KE'
  }

  /** What may be chosen: the companion's offer once known, narrowed by a fixed currency. */
  #rows(): readonly (readonly [string, string, string, string])[] {
    const currency = (this.#session && this.#session.currency) || this.currency
    const rows = this.#markets ? this.#markets.map((m) => [m.country, m.name, m.currency, m.callingCode.slice(1)] as const) : builtIn
    return currency ? rows.filter((row) => row[2] === currency) : rows
  }
  #row(): readonly [string, string, string, string] {
    const country = this.#country
    return this.#rows().find((row) => row[0] === country) || builtIn.find((row) => row[0] === country) || builtIn[0]!
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('companion') || changed.has('session')) void this.#connect()
    if (changed.has('deposit') && this.deposit) this.#checkout.resume()
    if (this.bankChoice !== 'hidden' && this.#checkout.state.step === 'form') void this.#loadBanks()
  }

  protected override firstUpdated(): void {
    this.dispatchEvent(new ReadyEvent())
  }

  protected override updated(): void {
    const { state } = this.#checkout
    if (this.#internals && this.#internals.setFormValue) this.#internals.setFormValue('deposit' in state ? state.deposit.id : null)
    const step = 'deposit' in state ? state.deposit.phase : state.step
    if (this.#step && this.#step !== step) {
      const title = this.renderRoot.querySelector<HTMLElement>('h2')
      // Focus follows the customer to the next step, but never steals it from the page.
      if (title && this.matches(':focus-within')) title.focus()
    }
    this.#step = step
  }

  async #connect(): Promise<void> {
    this.#checkout.connect()
    const { client } = this.#checkout
    this.#banksOf = ''
    void client.markets().then(
      ({ markets, mode }) => {
        this.#markets = markets
        this.#test = mode === 'test'
        this.requestUpdate()
      },
      () => {},
    )
    if (!this.session) return
    try {
      this.#session = await client.session(this.session)
      const { deposit } = this.#session
      if (deposit && this.#checkout.state.step === 'form') this.#checkout.resume(deposit.id, deposit.token)
    } catch (error) {
      if (error instanceof CheckoutError && error.code !== 'network') {
        this.#checkout.fault = error
        this.dispatchEvent(new ErrorEvent(error))
      }
    }
    this.requestUpdate()
  }

  async #loadBanks(): Promise<void> {
    const country = this.#country
    if (this.#banksOf === country) return
    this.#banksOf = country
    this.#banks = 'loading'
    try {
      const { banks } = await this.#checkout.client.banks(country)
      if (this.#banksOf !== country) return
      this.#banks = banks
      const given = this.bank && banks.find((bank) => bank.code === this.bank)
      if (given) this.#query = given.name
    } catch {
      if (this.#banksOf === country) this.#banks = 'failed'
    }
    this.requestUpdate()
  }

  /** Forgets the payment on this device and shows the form again; the payment itself goes on. */
  reset(): void {
    this.#errors = {}
    this.#replaces = undefined
    this.#checkout.reset()
  }

  /** Resumes the payment this browser knows, or the one given. */
  resume(id?: string, token?: string): void {
    this.#checkout.resume(id, token)
  }

  /** Has the companion ask the payment service now. */
  check(): Promise<void> {
    return this.#checkout.check()
  }

  #field(name: string, value: string): void {
    delete this.#errors[name]
    this.dispatchEvent(new ChangeEvent(name, value))
    this.requestUpdate()
  }

  #limits(): { min: number; max: number } {
    const market = this.#markets && this.#markets.find((m) => m.country === this.#country)
    return { min: Math.max(this.minAmount || 1, market ? market.min : 1), max: Math.min(this.maxAmount || Infinity, market ? market.max : Infinity) }
  }

  #submit(event: Event): void {
    event.preventDefault()
    if (this.disabled) return
    const t = this.#texts
    const [country, , currency, callingCode] = this.#row()
    const session = this.#session
    const value = (id: string): string => {
      const input = this.renderRoot.querySelector<HTMLInputElement>(`#${id}`)
      return input ? input.value.trim() : ''
    }
    const known = (field: 'name' | 'phone' | 'email'): boolean => Boolean(session && session.payer[field])
    const amount = session ? session.amount : this.amount || Number(this.#amount.replace(/[\s.,\u00a0\u202f]/g, '') || NaN)
    const name = value('name') || this.payerName || ''
    const phone = value('phone') || this.payerPhone || ''
    const email = value('email') || this.payerEmail || ''
    const errors: Record<string, string> = {}
    const { min, max } = this.#limits()
    if (!Number.isInteger(amount) || amount <= 0) errors['amount'] = t.errAmount
    else if (!session && (amount < min || amount > max)) errors['amount'] = fill(t.errRange, this.#limitTexts(currency))
    if (!known('name') && [...name].length < 2) errors['name'] = t.errName
    if (email && !/^\S+@\S+\.\S+$/.test(email)) errors['email'] = t.errEmail
    if (this.bankChoice === 'required' && !this.bank && this.#banks !== 'failed') errors['bank'] = t.errRequired
    if (this.#query && !this.bank && this.bankChoice !== 'hidden' && Array.isArray(this.#banks)) errors['bank'] = t.errBank
    this.#errors = errors
    const first = Object.keys(errors)[0]
    if (first) {
      this.requestUpdate()
      void this.updateComplete.then(() => {
        const field = this.renderRoot.querySelector<HTMLElement>('[aria-invalid=true]')
        if (field) field.focus()
      })
      return
    }
    const payer = { ...(known('name') ? {} : { name }), ...(phone && !known('phone') ? { phone: fullPhone(phone, callingCode) } : {}), ...(email && !known('email') ? { email } : {}) }
    const body = {
      country, currency, amount, payer, locale: this.#locale,
      ...(this.bank && this.bankChoice !== 'hidden' ? { bankCode: this.bank } : {}),
      ...(this.session ? { session: this.session } : {}),
      ...(this.clientReference ? { clientReference: this.clientReference } : {}),
      ...(this.#replaces ? { replaces: this.#replaces } : {}),
    } as CreateDeposit // prettier-ignore
    // Kept in memory, so that a fresh start after a failure asks nothing twice.
    this.payerName = name || undefined
    this.payerPhone = phone || undefined
    this.payerEmail = email || undefined
    void this.#checkout.submit(body, t.openingTab).then(() => this.#placeFault())
  }

  /** A refusal that concerns a field is said at that field. */
  #placeFault(): void {
    const { fault } = this.#checkout
    if (!fault || !fault.path) return
    const field = ({ 'payer.name': 'name', 'payer.phone': 'phone', 'payer.email': 'email', bankCode: 'bank', amount: 'amount', country: 'country', currency: 'country' } as Record<string, string>)[fault.path]
    if (!field) return
    const t = this.#texts
    this.#errors[field] = fault.code === 'amount_out_of_range' ? fill(t.errRange, this.#limitTexts(this.#row()[2])) : field === 'bank' ? t.errBank : field === 'name' ? t.errName : fault.message
    this.requestUpdate()
  }

  #limitTexts(currency: string): Record<string, string> {
    const { min, max } = this.#limits()
    return { min: money(min, currency, this.#locale), max: max === Infinity ? '∞' : money(max, currency, this.#locale) }
  }

  #text(id: 'name' | 'phone' | 'email', label: string, value: string | undefined, attributes: { type: string; autocomplete: string; hint?: string }): TemplateResult {
    const error = this.#errors[id]
    return html`<div>
      <label for=${id}>${label}</label>
      <input id=${id} name=${id} type=${attributes.type} autocomplete=${attributes.autocomplete} maxlength="100" ?disabled=${this.disabled}
        .value=${value || ''} aria-invalid=${Boolean(error)} aria-describedby=${`${id}-note`} @change=${(event: Event) => this.#field(id, (event.target as HTMLInputElement).value)} />
      <p id=${`${id}-note`} class=${error ? 'err' : 'hint'}>${error || attributes.hint || nothing}</p>
    </div>`
  }

  #form(t: Texts): TemplateResult {
    const [country, , currency] = this.#row()
    const session = this.#session
    const locale = this.#locale
    const fixedAmount = session ? session.amount : this.amount
    const market = this.#markets && this.#markets.find((m) => m.country === country)
    const { fault } = this.#checkout
    const general = fault && !Object.keys(this.#errors).length ? problemText(t, fault.code) : ''
    const fixedCountry = Boolean((session && session.country) || this.country) || this.#rows().length === 1
    const rows = this.#rows()
    const shown = Array.isArray(this.#banks) ? searchBanks(this.#banks, this.bank ? '' : this.#query) : []
    const known = (field: 'name' | 'phone' | 'email'): boolean => Boolean(session && session.payer[field])
    return html`<form part="form" novalidate @submit=${this.#submit}>
      ${general ? html`<p class="note warn" role="alert">${general}</p>` : nothing}
      ${session ? html`<div class="locked" part="locked"><p class="sum">${money(session.amount, session.currency, locale)}</p><p>${session.description}</p></div>` : nothing}
      ${fixedCountry
        ? nothing
        : html`<div><label for="country">${t.country}</label>
            <select id="country" autocomplete="country" ?disabled=${this.disabled} @change=${(event: Event) => this.#pickCountry((event.target as HTMLSelectElement).value)}>
              ${rows.map(([code, name, money_]) => html`<option value=${code} ?selected=${code === country}>${this.#countryName(code, name)} · ${money_}</option>`)}
            </select>${this.#errors['country'] ? html`<p class="err">${this.#errors['country']}</p>` : nothing}</div>`}
      ${this.bankChoice === 'hidden'
        ? nothing
        : bankPicker(t, { banks: this.#banks, query: this.#query, open: this.#open, active: this.#active, required: this.bankChoice === 'required', error: this.#errors['bank'] || '' }, shown, {
            input: (text) => {
              this.#query = text
              this.bank = undefined
              this.#open = true
              this.#active = text ? 0 : -1
              this.#field('bank', '')
            },
            open: (open) => {
              this.#open = open
              this.#active = -1
              this.requestUpdate()
            },
            move: (to) => {
              this.#active = to
              this.requestUpdate()
              void this.updateComplete.then(() => {
                const row = this.renderRoot.querySelector('li[aria-selected=true]')
                if (row) row.scrollIntoView({ block: 'nearest' })
              })
            },
            pick: (bank) => {
              this.bank = bank ? bank.code : undefined
              this.#query = bank ? bank.name : ''
              this.#open = false
              this.#field('bank', this.bank || '')
            },
          })}
      ${session
        ? nothing
        : html`<div>
            <label for="amount">${t.amount}</label>
            <div class="money"><span aria-hidden="true">${currency}</span>
              <input id="amount" inputmode="numeric" autocomplete="transaction-amount" ?disabled=${this.disabled} ?readonly=${fixedAmount !== undefined} .value=${fixedAmount === undefined ? this.#amount : String(fixedAmount)}
                aria-invalid=${Boolean(this.#errors['amount'])} aria-describedby="amount-note"
                @input=${(event: Event) => {
                  this.#amount = (event.target as HTMLInputElement).value
                  this.#field('amount', this.#amount)
                }} /></div>
            <p id="amount-note" class=${this.#errors['amount'] ? 'err' : 'hint'}>${this.#errors['amount'] || (market && fixedAmount === undefined ? fill(t.limits, this.#limitTexts(currency)) : nothing)}</p>
            ${market && fixedAmount === undefined
              ? html`<div class="chips">${market.quickAmounts.map((quick) => html`<button type="button" aria-pressed=${this.#amount === String(quick)} @click=${() => {
                  this.#amount = String(quick)
                  this.#field('amount', this.#amount)
                }}>${quick.toLocaleString(locale)}</button>`)}</div>`
              : nothing}
          </div>`}
      ${known('name') ? nothing : this.#text('name', t.name, this.payerName, { type: 'text', autocomplete: 'name' })}
      <div class="two">
        ${known('phone') ? nothing : this.#text('phone', t.phone, this.payerPhone, { type: 'tel', autocomplete: 'tel' })}
        ${known('email') ? nothing : this.#text('email', t.email, this.payerEmail, { type: 'email', autocomplete: 'email', hint: t.emailHint })}
      </div>
      <button class="main" part="pay-button" type="submit" ?disabled=${this.disabled || Boolean(market && market.off)}>${fixedAmount ? fill(t.payAmount, { amount: money(fixedAmount, currency, locale) }) : t.pay}</button>
      ${market && market.off ? html`<p class="err">${t.failedMarket}</p>` : nothing}
    </form>`
  }

  #countryName(code: string, fallback: string): string {
    try {
      return new Intl.DisplayNames([this.#locale], { type: 'region' }).of(code) || fallback
    } catch {
      return fallback
    }
  }

  #pickCountry(country: string): void {
    this.#chosen = country
    this.bank = undefined
    this.#query = ''
    this.#field('country', country)
  }

  async #share(url: string): Promise<void> {
    try {
      if (navigator.share) await navigator.share({ url })
      else {
        await navigator.clipboard.writeText(url)
        this.#shared = this.#texts.copied
        this.requestUpdate()
      }
    } catch {
      /* The customer closed the share sheet. */
    }
  }

  protected override render(): TemplateResult {
    const t = this.#texts
    const { state, blocked } = this.#checkout
    const locale = this.#locale
    const actions: StatusActions = {
      reopen: () => this.#checkout.reopen(),
      check: () => void this.check(),
      again: () => this.reset(),
      notSent: () => {
        if (!('deposit' in state)) return
        const { id } = state.deposit
        this.reset()
        this.#replaces = id
      },
      forget: () => {
        this.payerName = this.payerPhone = this.payerEmail = undefined
        this.#query = ''
        this.bank = undefined
        this.reset()
      },
      share: () => void ('deposit' in state && this.#share(state.deposit.payUrl)),
      print: () => print(),
    }
    const test = this.#test || ('deposit' in state && state.deposit.mode === 'test')
    const live = state.step === 'form' ? '' : state.step === 'submitting' ? t.submitting : this.#announcement(t, state.deposit.phase)
    return html`<div class="card" part="card" lang=${locale}>
      ${test ? html`<p class="test" style="display:inline-block!important;visibility:visible!important;opacity:1!important">${t.test}</p>` : nothing}
      <slot name="header"></slot>
      ${state.step === 'form'
        ? this.#form(t)
        : state.step === 'submitting'
          ? submittingView(t, state.tries > 1)
          : state.step === 'waiting'
            ? waitingView(t, state.deposit, locale, { silent: state.silent, blocked, shared: this.#shared }, actions)
            : endedView(t, state.deposit, locale, this.#shared, actions)}
      <slot name="footer"></slot>
      <div class="sr" role="status">${live}</div>
    </div>`
  }

  #announcement(t: Texts, phase: string): string {
    switch (phase) {
      case 'succeeded':
        return t.successTitle
      case 'expired':
        return t.expiredTitle
      case 'failed':
      case 'rejected':
        return t.failedTitle
      case 'confirming':
        return t.confirmingTitle
      case 'review':
        return t.reviewTitle
      case 'unknown':
        return t.unknownTitle
      default:
        return t.openTitle
    }
  }
}
