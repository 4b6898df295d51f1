// The element: its doors, what it asks the companion for, and the click. The controller runs the checkout; the views draw.
// Its length is the doors': each is declared and explained here, where the types and the manifest of the package are made from.
import { html, LitElement, nothing, render } from 'lit'
import type { PropertyValues, TemplateResult } from 'lit'
import type { Market, SessionView } from '../server/contract/index.ts'
import type { Bank, FieldName } from './card.ts'
import type { CompanionClient } from './companion-client.ts'
import { CheckoutController } from './checkout-controller.ts'
import type { CheckoutError } from './checkout-error.ts'
import { ChangeEvent, ReadyEvent } from './events.ts'
import { styles } from './hc-checkout.styles.ts'
import { formTexts, localeOf } from './locales/form.ts'
import type { CardTexts, Texts } from './locales/texts.ts'
import { builtIn, guessCountry } from './markets.ts'
import type { MarketRow } from './markets.ts'
import { pause } from './pause.ts'
import { fieldFault, readForm } from './read-form.ts'
import type { Faults } from './read-form.ts'
import { bankLabel, formView } from './views/form.ts'

/** Until what did not come is asked for again, unless the network is back sooner; three times as long for what can be done without. */
const RETRY_MS = 5000

/**
 * A checkout for mobile money in Africa.
 *
 * @tag hc-checkout
 * @summary Country, bank, amount and payer; then the hosted payment page, live status and the result.
 * @attr {'light' | 'dark'} theme - Fixes what otherwise follows the device.
 * @slot - What to show before and without the script: a link to `/pay`, for example.
 * @slot header - Above the form.
 * @slot footer - Below everything.
 * @event {ReadyEvent} hc-ready - The form can be used.
 * @event {ChangeEvent} hc-change - A field changed (`field`, `value`).
 * @event {DepositEvent} hc-deposit-created - The companion has made the deposit (`deposit`).
 * @event {DepositEvent} hc-checkout-opened - The hosted page was opened.
 * @event {DepositEvent} hc-status-change - The deposit moved (`deposit`).
 * @event {DepositEvent} hc-success - Paid. Once per deposit and browser; `resumed` when found again.
 * @event {DepositEvent} hc-failure - Ended without payment. Once per deposit and browser.
 * @event {ErrorEvent} hc-error - Something went wrong (`code`, `detail`).
 * @csspart card - The whole card.
 * @csspart form - The form.
 * @csspart locked - What a session fixes.
 * @csspart pay-button - The button that starts the payment.
 * @csspart bank - The bank field.
 * @csspart bank-list - Its list.
 * @csspart waiting - While the customer pays.
 * @csspart open-link - The link to the payment page.
 * @csspart success - The end of a paid payment.
 * @csspart failure - The other ends.
 * @csspart mark - The sign of an end.
 * @csspart details - What is known of the payment.
 * @csspart again - The button for another try.
 * @csspart extras - The sheet of another phone, help or receipt.
 * @csspart qr - The code in it.
 * @csspart receipt - The receipt in it.
 * @cssproperty [--hc-accent=#0b6e4f] - Buttons and marks.
 * @cssproperty [--hc-on-accent=#fff] - Text on the accent.
 * @cssproperty [--hc-background=#fff] - The card.
 * @cssproperty [--hc-text=#17211d] - Text.
 * @cssproperty [--hc-muted=#5a6862] - Lesser text.
 * @cssproperty [--hc-border=#84918a] - Lines.
 * @cssproperty [--hc-field=#fff] - Fields.
 * @cssproperty [--hc-soft=#eef5f1] - Quiet areas.
 * @cssproperty [--hc-danger=#b3261e] - Faults.
 * @cssproperty [--hc-radius=12px] - Corners.
 * @cssproperty [--hc-font=system-ui] - Typeface.
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
  /** ISO 4217; given, only countries that pay in it are on offer. */
  declare currency: string | undefined
  /** Code of the chosen bank. */
  declare bank: string | undefined
  /** Whether the customer is asked for their bank. Default `optional`. */
  declare bankChoice: 'optional' | 'required' | 'hidden'
  /** Whole major units; given, it is fixed. */
  declare amount: number | undefined
  /** Whole major units; counts where it is closer than the companion's own limit. */
  declare minAmount: number | undefined
  /** Whole major units; counts where it is closer than the companion's own limit. */
  declare maxAmount: number | undefined
  /** Fills the field in; the customer may change it. */
  declare payerName: string | undefined
  /** As `payer-name`: 07…, 254… and +254… mean the same. */
  declare payerPhone: string | undefined
  /** As `payer-name`. */
  declare payerEmail: string | undefined
  /** The page's own word for this purchase; told to the backend as untrusted. */
  declare clientReference: string | undefined
  /** `en`, `fr`, `sw`, or `am`, `ha`, `rn`, `rw`, `so`; the page's language unless given, or of the first three the browser's. */
  declare locale: string | undefined
  /** How the hosted page opens: in a new tab, in this one, or, by default, in whichever the browser allows (`auto`). */
  declare presentation: 'auto' | 'tab' | 'redirect'
  /** Id of a deposit to resume; its token comes by `resume()`. */
  declare deposit: string | undefined
  /** As of any form control: its value is the id of the deposit. */
  declare name: string | undefined
  /** Nothing can be filled in or paid. Default false. */
  declare disabled: boolean
  /** Own words in place of ours. */
  declare texts: Partial<Texts> | undefined

  /** @internal */
  readonly _checkout = new CheckoutController(this)
  /** @internal */
  _session: SessionView | undefined
  /** @internal */
  _banks: readonly Bank[] | 'loading' | 'failed' = 'loading'
  /** @internal */
  _query = ''
  /** @internal */
  _open = false
  /** @internal */
  _active = -1
  /** @internal */
  _whole = false
  /** @internal */
  _amount = ''
  /** @internal */
  _faults: Faults = {}
  /** Pay was pressed before the session's answer has come. @internal */
  _pressed = false
  private _internals: ElementInternals | undefined
  private _markets: readonly Market[] | undefined
  /** `test` or `live` once the companion has said it. */
  private _mode = ''
  /** The country that the customer has chosen, and the one guessed before. */
  private _chosen = ''
  private _guess = guessCountry('')
  /** The order that all was asked for, and the one whose session is being asked for: each order has a client of its own. */
  private _asked: CompanionClient | undefined
  private _asking: CompanionClient | undefined
  /** What had the focus before the last drawing. */
  private _focused: Element | null = null
  /** The country whose banks were asked for. */
  private _banksOf = ''
  /** The payment that the customer has given up: the next one takes its place. */
  private _replaces: string | undefined
  /** What the last drawing showed: a step, or a phase of the payment. */
  private _step = ''
  private _notice: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.companion = ''
    this.bankChoice = 'optional'
    this.presentation = 'auto'
    this.disabled = false
    try {
      this._internals = this.attachInternals()
    } catch {
      /* Old browsers: the element is no form control there. */
    }
  }

  /** Registers the tag; a second copy on the page is harmless. */
  static define(tag = 'hc-checkout', registry = customElements): typeof HcCheckout {
    if (!registry.get(tag)) registry.define(tag, this)
    return this
  }

  /** @internal */
  get _locale(): string {
    return localeOf(this.locale || this.lang || document.documentElement.lang, navigator.language)
  }
  /** @internal */
  get _words(): CardTexts {
    const { flow } = this._checkout
    return { ...formTexts(this._locale), ...(flow && flow.texts), ...this.texts } as CardTexts
  }

  /** What may be chosen: the companion's offer once known, narrowed by a fixed currency. @internal */
  get _rows(): readonly MarketRow[] {
    const currency = (this._session && this._session.currency) || this.currency
    const rows = this._markets
      ? this._markets.map((m): MarketRow => {
          const known = builtIn.find(([country]) => country === m.country)
          return [m.country, m.name, m.currency, m.callingCode.slice(1), known ? known[4] : 0, '']
        })
      : builtIn
    return currency ? rows.filter((row) => row[2] === currency) : rows
  }
  /** @internal */
  get _row(): MarketRow {
    const rows = this._rows
    const fixed = (this._session && this._session.country) || this.country
    // `data-country`: a page of ours knows where to begin, but does not fix it.
    const wanted = fixed || this._chosen || this.dataset['country'] || this._guess
    const isWanted = ([country]: MarketRow): boolean => country === wanted
    // What nobody offers is asked for as the page has it, and refused: never another currency.
    return (
      rows.find(isWanted) ||
      (fixed ? builtIn.find(isWanted) : rows[0]) || [fixed || '', '', this.currency || '', '', 0, '']
    )
  }
  /** @internal */
  get _market(): Market | undefined {
    return this._markets && this._markets.find((m) => m.country === this._row[0])
  }

  protected override willUpdate(changed: PropertyValues): void {
    const checkout = this._checkout
    if (!checkout.connect() && changed.has('deposit') && this.deposit) checkout.resume(this.deposit)
    // Another order: what was asked and said for the last one is not this one's.
    if (this._asked !== checkout.client) {
      this._pressed = false
      this._session = this._replaces = undefined
    } else {
      // The words of the steps, and the rare ones, in the new language too.
      if (changed.has('locale')) void checkout.explain()
      if (this.bankChoice !== 'hidden' && checkout.state.step === 'form') void this._loadBanks()
    }
    this._focused = this.shadowRoot && this.shadowRoot.activeElement
  }

  /** The first drawing is a task of its own: on a cheap phone a long one holds up the page's own. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await new Promise((resolve) => setTimeout(resolve))
    await super.scheduleUpdate()
  }

  protected override firstUpdated(): void {
    this.dispatchEvent(new ReadyEvent())
  }

  protected override updated(): void {
    const { state, client } = this._checkout
    const last = this._focused
    // The picker takes the plain field's place while somebody types in it: they go on where they were.
    const taken = last && last.id === 'bank' && !last.isConnected
    if (taken) this._open = true
    this._drawBank()
    const field = this.renderRoot.querySelector<HTMLInputElement>('#bank')
    if (taken && field) {
      field.focus()
      field.setSelectionRange(99, 99)
    }
    const deposit = 'deposit' in state ? state.deposit : undefined
    if (this._internals && this._internals.setFormValue) this._internals.setFormValue(deposit ? deposit.id : null)
    const step = deposit ? deposit.phase : state.step
    if (this._step && this._step !== step) {
      // Focus follows the customer to the next step, but never steals it from the page.
      const next = this.renderRoot.querySelector<HTMLElement>('h2,select,input')
      if (next && last) next.focus()
    }
    this._step = step
    if (this._asked !== client) {
      this._asked = client
      this._banksOf = ''
      // Nothing is asked for before the form is on the screen; a hidden page draws none.
      const soon: (work: () => void) => unknown = document.hidden ? setTimeout : requestAnimationFrame
      soon(() => setTimeout(() => void this._ask()))
    }
    clearTimeout(this._notice)
    // The time left to choose an agent goes on by itself.
    if (state.step === 'waiting') this._notice = setTimeout(() => this.requestUpdate(), 15_000)
  }

  /** What the companion offers, and what comes after the first keystroke. */
  private async _ask(): Promise<void> {
    const checkout = this._checkout
    const { client } = checkout
    // The first use of Intl takes a cheap phone a sixth of a second; Temporal none.
    const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } }
    if (Temporal) this._guess = guessCountry(Temporal.Now.timeZoneId())
    else if (!this._guess) this._guess = guessCountry(Intl.DateTimeFormat().resolvedOptions().timeZone)
    this.requestUpdate()
    void checkout.loadFlow()
    void client.markets().then(
      ({ markets, mode }) => {
        this._markets = markets
        this._mode = mode
        if (markets.some((market) => market.off)) void checkout.explain()
        this.requestUpdate()
      },
      // Not often: it may be a companion that everybody misses.
      () => pause(RETRY_MS * 3).then(() => this._ask()),
    )
    void this._askSession()
  }

  /** One at a time, and again by itself until there is an answer: without it nothing can be paid. */
  private async _askSession(): Promise<void> {
    const checkout = this._checkout
    const { client } = checkout
    if (!this.session || this._session || this._asking === client) return
    this._asking = client
    const answer = await client.session(this.session).catch((error: CheckoutError) => error)
    // Another session, or another companion, was named meanwhile.
    if (checkout.client !== client) return
    this._asking = undefined
    const pressed = this._pressed
    this._pressed = false
    this.requestUpdate()
    if (answer instanceof Error) {
      // An answer cut in the middle has no code.
      const lost = !answer.code || answer.code === 'network'
      if (lost) void pause(RETRY_MS).then(() => this._askSession())
      if (pressed || !lost) await checkout.refuse(answer)
      await this.updateComplete
      // Pay stands at the end of the form, the reason at its beginning.
      const reason = pressed && this.renderRoot.querySelector('[role=alert]')
      if (reason) reason.scrollIntoView({ block: 'nearest' })
      return
    }
    this._session = answer
    if (checkout.state.step !== 'form') return
    if (answer.deposit) checkout.resume(answer.deposit.id, answer.deposit.token)
    else if (this.deposit) checkout.resume(this.deposit)
    else if (pressed) this._pay()
  }

  /** Comes again by itself: a list that is not there stops no payment. */
  private async _loadBanks(): Promise<void> {
    const [country] = this._row
    if (this._banksOf === country) return
    this._banksOf = country
    this._banks = 'loading'
    const { client } = this._checkout
    for (;;) {
      const answer = await client.banks(country).catch(() => undefined)
      if (this._banksOf !== country || this._checkout.client !== client) return
      this._banks = answer ? answer.banks : 'failed'
      const given = answer && this.bank && answer.banks.find((bank) => bank.code === this.bank)
      if (given) this._query = given.name
      this.requestUpdate()
      if (answer) return
      await pause(RETRY_MS * 3)
      // Nobody chooses one now: asked for again with the next form.
      if (this._checkout.state.step !== 'form') {
        this._banksOf = ''
        return
      }
    }
  }

  /** Forgets the payment on this device and shows the form again; the payment itself goes on. */
  reset(): void {
    this._faults = {}
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

  /** The form again, after "I have not sent money". @internal */
  _notSent(): void {
    const { state } = this._checkout
    if (!('deposit' in state)) return
    // Kept on this device until the new attempt has taken its place: a reload before that finds it again.
    this._faults = {}
    this._checkout.reset(true)
    this._replaces = state.deposit.id
  }

  /** "Not you? Forget": payer details too. @internal */
  _forget(): void {
    this.payerName = this.payerPhone = this.payerEmail = this.bank = undefined
    this._query = ''
    this.reset()
  }

  /** @internal */
  _field(field: FieldName, value: string): void {
    delete this._faults[field]
    this.dispatchEvent(new ChangeEvent(field, value))
    if (field === 'bank') this._drawBank()
    else this.requestUpdate()
  }

  /** @internal */
  _drawBank(): void {
    const place = this.renderRoot.querySelector<HTMLElement>('.combo')
    if (place) render(this._checkout.flow!.parts.bankPicker(this, bankLabel(this)), place)
  }

  /** @internal */
  _typed(field: FieldName, value: string): void {
    if (field === 'bank' || field === 'country') {
      this.bank = undefined
      this._query = field === 'bank' ? value : ''
      // Without the picker nothing would close the list when the customer goes on.
      this._open = field === 'bank' && Boolean(this._checkout.flow)
      this._whole = false
      this._active = this._query ? 0 : -1
    }
    if (field === 'country') this._chosen = value
    if (field === 'amount') this._amount = value
    if (field === 'name') this.payerName = value
    if (field === 'phone') this.payerPhone = value
    if (field === 'email') this.payerEmail = value
    this._field(field, field === 'bank' ? '' : value)
  }

  /** @internal */
  _submit(event: Event): void {
    event.preventDefault()
    if (this.disabled) return
    // Nothing can be paid before it is known: one press is enough all the same.
    if (this.session && !this._session) {
      this._pressed = true
      this.requestUpdate()
      void this._askSession()
    } else this._pay()
  }

  private _pay(): void {
    const checkout = this._checkout
    const { faults, body } = readForm(this, this._replaces)
    this._show(faults)
    if (Object.keys(faults).length) return
    void checkout.submit(body, this._words.openingTab).then(() => {
      // A refusal that concerns a field is said at that field.
      const at = checkout.fault && fieldFault(checkout.fault)
      if (at) this._show({ [at[0]]: at[1] })
    })
  }

  /** What is wrong, whoever found it; the customer goes on at the first of it. */
  private _show(faults: Faults): void {
    this._faults = faults
    this._checkout.fault = undefined
    this.requestUpdate()
    void this.updateComplete.then(() => {
      const field = this.renderRoot.querySelector<HTMLElement>('[aria-invalid=true]')
      if (field) field.focus()
    })
  }

  protected override render(): TemplateResult {
    const t = this._words
    const { state, flow } = this._checkout
    const form = state.step === 'form'
    const mode = 'deposit' in state ? state.deposit.mode : this._mode
    return html`<div class="card" part="card" lang=${this._locale}>
      <div class="sr" role="status">
        ${form && !this._pressed ? '' : flow ? flow.parts.announcement(this) : t.submitting}
      </div>
      ${mode === 'test' ? html`<p class="test">${(flow && flow.texts.test) || 'TEST'}</p>` : nothing}
      <slot name="header"></slot>
      ${form ? formView(this, flow) : flow ? flow.parts.statusView(this) : html`<h2 tabindex="-1">${t.submitting}</h2>`}
      <slot name="footer"></slot>
    </div>`
  }
}
