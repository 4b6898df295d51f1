// The element: its doors, its form, and one view for each step. The controller runs the checkout.
import { adoptStyles, html, LitElement, nothing } from 'lit'
import type { PropertyValues, TemplateResult } from 'lit'
import type { CreateDeposit, Market, SessionView } from '../server/contract/index.ts'
import { CheckoutController } from './checkout-controller.ts'
import { CheckoutError } from './checkout-error.ts'
import { ChangeEvent, ReadyEvent } from './events.ts'
import { fill, money, readAmount } from './format.ts'
import { styles } from './hc-checkout.styles.ts'
import { formTexts, localeOf } from './locales/form.ts'
import type { CardTexts, FormTexts, Texts } from './locales/texts.ts'
import { builtIn, fullPhone, guessCountry, isOddPhone } from './markets.ts'
import type { MarketRow } from './markets.ts'
import type { Bank } from './views/bank-picker.ts'
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

  private readonly _checkout = new CheckoutController(this)
  private _internals: ElementInternals | undefined
  private _markets: readonly Market[] | undefined
  private _test = false
  private _session: SessionView | undefined
  private _chosen = ''
  private _banks: readonly Bank[] | 'loading' | 'failed' = 'loading'
  private _banksOf = ''
  private _query = ''
  private _open = false
  private _active = -1
  private _amount = ''
  private _errors: Record<string, string> = {}
  private _replaces: string | undefined
  private _step = ''
  private _notice: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.companion = ''
    this.bankChoice = 'optional'
    this.presentation = 'auto'
    this.disabled = false
    if (typeof this.attachInternals === 'function') {
      try {
        this._internals = this.attachInternals()
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

  private get _texts(): FormTexts {
    return { ...formTexts(this._locale), ...this.texts }
  }
  /** @internal */
  get _locale(): string {
    return localeOf(this.locale || this.lang || document.documentElement.lang || navigator.language)
  }
  private get _country(): string {
    const session = this._session && this._session.country
    const fixed = session || this.country
    if (fixed) return fixed
    const offered = this._rows().map(([country]) => country)
    // `data-country`: a page of ours knows where to begin, but does not fix it.
    const wanted =
      this._chosen ||
      this.dataset['country'] ||
      guessCountry(navigator.languages || [], Intl.DateTimeFormat().resolvedOptions().timeZone || '')
    return wanted && offered.includes(wanted) ? wanted : offered[0] || 'KE'
  }

  /** What may be chosen: the companion's offer once known, narrowed by a fixed currency. */
  private _rows(): readonly MarketRow[] {
    const currency = (this._session && this._session.currency) || this.currency
    const rows = this._markets
      ? this._markets.map((m): MarketRow => {
          const known = builtIn.find(([country]) => country === m.country)
          return [m.country, m.name, m.currency, m.callingCode.slice(1), known ? known[4] : 0]
        })
      : builtIn
    return currency ? rows.filter((row) => row[2] === currency) : rows
  }
  private _row(): MarketRow {
    const country = this._country
    return this._rows().find((row) => row[0] === country) || builtIn.find((row) => row[0] === country) || builtIn[0]!
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('companion') || changed.has('session')) void this._connect()
    else if (changed.has('deposit') && this.deposit) this._checkout.resume(this.deposit)
    if (this.bankChoice !== 'hidden' && this._checkout.state.step === 'form') void this._loadBanks()
  }

  protected override firstUpdated(): void {
    this.dispatchEvent(new ReadyEvent())
    // While the form is being filled in; not before it can be used.
    setTimeout(
      () =>
        void this._checkout
          .loadFlow()
          .then(({ parts }) => adoptStyles(this.renderRoot as ShadowRoot, [styles, parts.flowStyles])),
      200,
    )
  }

  protected override updated(): void {
    const { state } = this._checkout
    if (this._internals && this._internals.setFormValue)
      this._internals.setFormValue('deposit' in state ? state.deposit.id : null)
    const step = 'deposit' in state ? state.deposit.phase : state.step
    if (this._step && this._step !== step) {
      const title = this.renderRoot.querySelector<HTMLElement>('h2')
      // Focus follows the customer to the next step, but never steals it from the page.
      if (title && this.matches(':focus-within')) title.focus()
    }
    this._step = step
    const { flow } = this._checkout
    clearTimeout(this._notice)
    const more = flow && 'deposit' in state && flow.parts.nextAnnouncement(state.deposit, Date.now())
    if (more) this._notice = setTimeout(() => this.requestUpdate(), more)
  }

  private async _connect(): Promise<void> {
    this._checkout.connect()
    const { client } = this._checkout
    this._banksOf = ''
    void client.markets().then(
      ({ markets, mode }) => {
        this._markets = markets
        this._test = mode === 'test'
        this.requestUpdate()
      },
      () => {},
    )
    if (!this.session) return
    try {
      this._session = await client.session(this.session)
      const { deposit } = this._session
      if (this._checkout.state.step === 'form') {
        if (deposit) this._checkout.resume(deposit.id, deposit.token)
        else if (this.deposit) this._checkout.resume(this.deposit)
      }
    } catch (error) {
      if (error instanceof CheckoutError && error.code !== 'network') this._checkout.refuse(error)
    }
    this.requestUpdate()
  }

  private async _loadBanks(): Promise<void> {
    const country = this._country
    if (this._banksOf === country) return
    this._banksOf = country
    this._banks = 'loading'
    try {
      const { banks } = await this._checkout.client.banks(country)
      if (this._banksOf !== country) return
      this._banks = banks
      const given = this.bank && banks.find((bank) => bank.code === this.bank)
      if (given) this._query = given.name
    } catch {
      if (this._banksOf === country) this._banks = 'failed'
    }
    this.requestUpdate()
  }

  /** Forgets the payment on this device and shows the form again; the payment itself goes on. */
  reset(): void {
    this._errors = {}
    this._replaces = undefined
    this._checkout.reset()
  }

  /** Resumes the payment this browser knows, or the one given. */
  resume(id?: string, token?: string): void {
    this._checkout.resume(id, token)
  }

  /** Has the companion ask the payment service now. */
  check(): Promise<void> {
    return this._checkout.check()
  }

  private _field(name: string, value: string): void {
    delete this._errors[name]
    this.dispatchEvent(new ChangeEvent(name, value))
    this.requestUpdate()
  }

  private _typed(id: 'bank' | 'name' | 'phone' | 'email', value: string): void {
    if (id === 'bank') {
      // Typed before the list's part had come: the list opens with it.
      this._query = value
      this._open = true
    } else if (id === 'name') this.payerName = value
    else if (id === 'phone') this.payerPhone = value
    else this.payerEmail = value
    this._field(id, value)
  }

  private _limits(): { min: number; max: number } {
    const market = this._markets && this._markets.find((m) => m.country === this._country)
    return {
      min: Math.max(this.minAmount || 1, market ? market.min : 1),
      max: Math.min(this.maxAmount || Infinity, market ? market.max : Infinity),
    }
  }

  private _submit(event: Event): void {
    event.preventDefault()
    if (this.disabled) return
    const t = this._texts
    const row = this._row()
    const [country, , currency] = row
    const session = this._session
    const value = (id: string): string => {
      const input = this.renderRoot.querySelector<HTMLInputElement>(`#${id}`)
      return input ? input.value.trim() : ''
    }
    const known = (field: 'name' | 'phone' | 'email'): boolean => Boolean(session && session.payer[field])
    const amount = session ? session.amount : this.amount || readAmount(this._amount)
    const name = value('name') || this.payerName || ''
    const phone = value('phone') || this.payerPhone || ''
    const email = value('email') || this.payerEmail || ''
    const errors: Record<string, string> = {}
    const { min, max } = this._limits()
    if (!Number.isInteger(amount) || amount <= 0) errors['amount'] = 'errAmount'
    else if (!session && (amount < min || amount > max)) errors['amount'] = 'errRange'
    if (!known('name') && Array.from(name).length < 2) errors['name'] = 'errName'
    if (email && !/^\S+@\S+\.\S+$/.test(email)) errors['email'] = 'errEmail'
    if (this.bankChoice === 'required' && !this.bank && this._banks !== 'failed') errors['bank'] = 'errRequired'
    if (this._query && !this.bank && this.bankChoice !== 'hidden' && Array.isArray(this._banks))
      errors['bank'] = 'errBank'
    this._errors = errors
    const first = Object.keys(errors)[0]
    if (first) {
      this.requestUpdate()
      void this.updateComplete.then(() => {
        const field = this.renderRoot.querySelector<HTMLElement>('[aria-invalid=true]')
        if (field) field.focus()
      })
      return
    }
    const payer = {
      ...(known('name') ? {} : { name }),
      ...(phone && !known('phone') ? { phone: `+${fullPhone(phone, row)}` } : {}),
      ...(email && !known('email') ? { email } : {}),
    }
    const body = {
      country, currency, amount, payer, locale: this._locale,
      ...(this.bank && this.bankChoice !== 'hidden' ? { bankCode: this.bank } : {}),
      ...(this.session ? { session: this.session } : {}),
      ...(this.clientReference ? { clientReference: this.clientReference } : {}),
      ...(this._replaces ? { replaces: this._replaces } : {}),
    } as CreateDeposit // prettier-ignore
    // Kept in memory, so that a fresh start after a failure asks nothing twice.
    this.payerName = name || undefined
    this.payerPhone = phone || undefined
    this.payerEmail = email || undefined
    void this._checkout.submit(body, t.openingTab).then(() => this._placeFault())
  }

  /** A refusal that concerns a field is said at that field. */
  private _placeFault(): void {
    const { fault } = this._checkout
    if (!fault || !fault.path) return
    const field = (
      {
        'payer.name': 'name',
        'payer.phone': 'phone',
        'payer.email': 'email',
        bankCode: 'bank',
        amount: 'amount',
        country: 'country',
        currency: 'country',
      } as Record<string, string>
    )[fault.path]
    if (!field) return
    // A key of the texts, or the companion's own sentence.
    this._errors[field] =
      fault.code === 'amount_out_of_range'
        ? 'errRange'
        : field === 'bank'
          ? 'errBank'
          : field === 'name'
            ? 'errName'
            : fault.message
    this.requestUpdate()
  }

  private _error(field: string): string {
    const key = this._errors[field]
    if (!key) return ''
    const { flow } = this._checkout
    const t = this._texts
    // Before the words have come, the fault is said in fewer.
    const text = flow ? { ...flow.texts, ...t }[key as keyof CardTexts] : key === 'errRange' ? t.limits : t.errField
    return fill(text || key, this._limitTexts(this._row()[2]))
  }

  private _limitTexts(currency: string): Record<string, string> {
    const { min, max } = this._limits()
    return { min: money(min, currency, this._locale), max: max === Infinity ? '∞' : money(max, currency, this._locale) }
  }

  private _text(
    id: 'bank' | 'name' | 'phone' | 'email',
    label: string,
    value: string | undefined,
    attributes: { type: string; autocomplete: string; hint?: string | undefined },
  ): TemplateResult {
    const error = this._error(id)
    return html`<div>
      <label for=${id}>${label}</label>
      <input
        id=${id}
        name=${id}
        type=${attributes.type}
        autocomplete=${attributes.autocomplete}
        maxlength="100"
        ?disabled=${this.disabled}
        .value=${value || ''}
        aria-invalid=${Boolean(this._errors[id])}
        aria-describedby=${`${id}-note`}
        @input=${(event: Event) => this._typed(id, (event.target as HTMLInputElement).value)}
        @change=${() => this.requestUpdate()}
      />
      <p id=${`${id}-note`} class=${error ? 'err' : 'hint'}>${error || attributes.hint || nothing}</p>
    </div>`
  }

  /** Said of a number that looks wrong, once the customer has left the field; it stops nobody. */
  private _phoneHint(texts: CardTexts | undefined): string | undefined {
    const { activeElement } = this.shadowRoot!
    const typing = activeElement && activeElement.id === 'phone'
    return texts && !typing && isOddPhone(this.payerPhone || '', this._row()) ? texts.phoneOdd : undefined
  }

  private _form(t: FormTexts): TemplateResult {
    const [country, , currency] = this._row()
    const session = this._session
    const locale = this._locale
    const fixedAmount = session ? session.amount : this.amount
    const market = this._markets && this._markets.find((m) => m.country === country)
    const { fault } = this._checkout
    const { flow } = this._checkout
    const all = flow ? { ...flow.texts, ...t } : undefined
    const general =
      fault && !Object.keys(this._errors).length
        ? flow && all
          ? flow.parts.problemText(all, fault.code)
          : t.errOther
        : ''
    const fixedCountry = Boolean((session && session.country) || this.country) || this._rows().length === 1
    const rows = this._rows()
    const shown =
      flow && Array.isArray(this._banks) ? flow.parts.searchBanks(this._banks, this.bank ? '' : this._query) : []
    const known = (field: 'name' | 'phone' | 'email'): boolean => Boolean(session && session.payer[field])
    const alert = general ? html`<p class="note warn" role="alert">${general}</p>` : nothing
    // Not to be paid a second time because this browser can't show the first.
    if (fault && fault.code === 'deposit_unknown') return html`${alert}`
    return html`<form part="form" novalidate @submit=${this._submit}>
      ${alert}
      ${
        session
          ? html`<div class="locked" part="locked">
              <p class="sum">${money(session.amount, session.currency, locale)}</p>
              <p>${session.description}</p>
            </div>`
          : nothing
      }
      ${
        fixedCountry
          ? nothing
          : html`<div>
              <label for="country">${t.country}</label>
              <select
                id="country"
                autocomplete="country"
                ?disabled=${this.disabled}
                @change=${(event: Event) => this._pickCountry((event.target as HTMLSelectElement).value)}
              >
                ${rows.map(([code, name, money_]) => html`<option value=${code} ?selected=${code === country}>${this._countryName(code, name)} · ${money_}</option>`)}</select
              >${this._errors['country'] ? html`<p class="err">${this._error('country')}</p>` : nothing}
            </div>`
      }
      ${
        this.bankChoice === 'hidden'
          ? nothing
          : !flow || !all
            ? this._text('bank', this.bankChoice === 'required' ? t.bank : t.bankOptional, this._query, {
                type: 'text',
                autocomplete: 'off',
              })
            : flow.parts.bankPicker(
                all,
                {
                  banks: this._banks,
                  query: this._query,
                  open: this._open,
                  active: this._active,
                  required: this.bankChoice === 'required',
                  error: this._error('bank'),
                },
                shown,
                {
                  input: (text) => {
                    this._query = text
                    this.bank = undefined
                    this._open = true
                    this._active = text ? 0 : -1
                    this._field('bank', '')
                  },
                  open: (open) => {
                    this._open = open
                    this._active = -1
                    this.requestUpdate()
                  },
                  move: (to) => {
                    this._active = to
                    this.requestUpdate()
                    void this.updateComplete.then(() => {
                      const row = this.renderRoot.querySelector('li[aria-selected=true]')
                      if (row) row.scrollIntoView({ block: 'nearest' })
                    })
                  },
                  pick: (bank) => {
                    this.bank = bank ? bank.code : undefined
                    this._query = bank ? bank.name : ''
                    this._open = false
                    this._field('bank', this.bank || '')
                  },
                },
              )
      }
      ${
        session
          ? nothing
          : html`<div>
              <label for="amount">${t.amount}</label>
              <div class="money">
                <span aria-hidden="true">${currency}</span>
                <input
                  id="amount"
                  inputmode="numeric"
                  autocomplete="transaction-amount"
                  ?disabled=${this.disabled}
                  ?readonly=${fixedAmount !== undefined}
                  .value=${fixedAmount === undefined ? this._amount : String(fixedAmount)}
                  aria-invalid=${Boolean(this._errors['amount'])}
                  aria-describedby="amount-note"
                  @input=${(event: Event) => {
                    this._amount = (event.target as HTMLInputElement).value
                    this._field('amount', this._amount)
                  }}
                />
              </div>
              <p id="amount-note" class=${this._errors['amount'] ? 'err' : 'hint'}>
                ${this._error('amount') || (market && fixedAmount === undefined ? fill(t.limits, this._limitTexts(currency)) : nothing)}
              </p>
              ${
                market && fixedAmount === undefined
                  ? html`<div class="chips">
                      ${market.quickAmounts.map(
                        (quick) =>
                          html`<button
                            type="button"
                            aria-pressed=${this._amount === String(quick)}
                            @click=${() => {
                              this._amount = String(quick)
                              this._field('amount', this._amount)
                            }}
                          >
                            ${quick.toLocaleString(locale)}
                          </button>`,
                      )}
                    </div>`
                  : nothing
              }
            </div>`
      }
      ${known('name') ? nothing : this._text('name', t.name, this.payerName, { type: 'text', autocomplete: 'name' })}
      <div class="two">
        ${known('phone') ? nothing : this._text('phone', t.phone, this.payerPhone, { type: 'tel', autocomplete: 'tel', hint: this._phoneHint(all) })}
        ${known('email') ? nothing : this._text('email', t.email, this.payerEmail, { type: 'email', autocomplete: 'email', hint: t.emailHint })}
      </div>
      <button class="main" part="pay-button" type="submit" ?disabled=${this.disabled || Boolean(market && market.off)}>
        ${fixedAmount ? fill(t.payAmount, { amount: money(fixedAmount, currency, locale) }) : t.pay}
      </button>
      ${market && market.off && all ? html`<p class="err">${flow!.parts.problemText(all, 'market_off')}</p>` : nothing}
    </form>`
  }

  private _countryName(code: string, fallback: string): string {
    try {
      return new Intl.DisplayNames([this._locale], { type: 'region' }).of(code) || fallback
    } catch {
      return fallback
    }
  }

  private _pickCountry(country: string): void {
    this._chosen = country
    this.bank = undefined
    this._query = ''
    this._field('country', country)
  }

  protected override render(): TemplateResult {
    const t = this._texts
    const { state, opened } = this._checkout
    const locale = this._locale
    // They assign when the customer acts, not while this draws.
    /* oxlint-disable lit/no-this-assign-in-render */
    const actions: StatusActions = {
      reopen: () => this._checkout.reopen(),
      check: () => void this.check(),
      again: () => this.reset(),
      notSent: () => {
        if (!('deposit' in state)) return
        // Remembered until the new attempt has taken its place: a reload before that finds it again.
        this._errors = {}
        this._checkout.reset(true)
        this._replaces = state.deposit.id
      },
      forget: () => {
        this.payerName = this.payerPhone = this.payerEmail = undefined
        this._query = ''
        this.bank = undefined
        this.reset()
      },
      extra: (event) => {
        if ('deposit' in state && flow && all)
          void flow.parts.openExtra(event.currentTarget as HTMLButtonElement, this, all, state.deposit, locale)
      },
    }
    /* oxlint-enable lit/no-this-assign-in-render */
    const test = this._test || ('deposit' in state && state.deposit.mode === 'test')
    const { flow } = this._checkout
    const all = flow ? { ...flow.texts, ...t } : undefined
    const live =
      state.step === 'form'
        ? ''
        : state.step === 'submitting' || !flow || !all
          ? t.submitting
          : flow.parts.announcement(all, state.deposit, opened, locale, Date.now())
    return html`<div class="card" part="card" lang=${locale}>
      ${test ? html`<p class="test">${all ? all.test : 'TEST'}</p>` : nothing}
      <slot name="header"></slot>
      ${
        state.step === 'form'
          ? this._form(t)
          : !flow || !all
            ? html`<h2>${t.submitting}</h2>`
            : state.step === 'submitting'
              ? flow.parts.submittingView(all, state.tries > 1)
              : state.step === 'waiting'
                ? flow.parts.waitingView(all, state.deposit, locale, { silent: state.silent, opened }, actions)
                : flow.parts.endedView(all, state.deposit, locale, actions)
      }
      <slot name="footer"></slot>
      <div class="sr" role="status">${live}</div>
    </div>`
  }
}
