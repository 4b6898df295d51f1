// The element: its public API, and the click. The offer loads what can be paid, the controller runs the checkout, the views render.
// It is long because each property is declared and documented here, from which the types and the manifest of the package are made.
import { LitElement, nothing, render } from 'lit'
import type { CSSResult, PropertyValues, TemplateResult } from 'lit'
import type { SessionView } from '../server/contract/index.ts'
import type { Bank } from './card.ts'
import { CheckoutController } from './checkout-controller.ts'
import { dress } from './adopt-styles.ts'
import { depositOf } from './checkout-state.ts'
import { isPassing } from './answers.ts'
import { CheckoutError } from './checkout-error.ts'
import { ChangeEvent, ReadyEvent } from './events.ts'
import { styles } from './hc-checkout.styles.ts'
import { html } from './html.ts'
import { firstLocale, firstTexts } from './locales/first.ts'
import { localeOf } from './locales/locale-of.ts'
import type { CardTexts, Texts } from './locales/texts.ts'
import { Offer } from './offer.ts'
import { fieldText, readForm } from './read-form.ts'
import type { Faults } from './read-form.ts'
import type { FieldName } from './types.ts'
import { bankLabel, formView } from './views/form.ts'

/**
 * A checkout for mobile money in Africa.
 *
 * @tag hc-checkout
 * @summary Country, bank, amount and payer; then the hosted payment page, live status and the result.
 * @attr {'light' | 'dark'} theme - Fixes the theme, which otherwise follows the device.
 * @slot - Shown before and without the script: a link to `/pay`, for example.
 * @slot header - Above the form.
 * @slot footer - Below everything.
 * @event {ReadyEvent} hc-ready - The form can be used.
 * @event {ChangeEvent} hc-change - A field changed (`field`, `value`).
 * @event {DepositEvent} hc-deposit-created - The companion has created the deposit (`deposit`).
 * @event {DepositEvent} hc-checkout-opened - The hosted page was opened.
 * @event {DepositEvent} hc-status-change - The deposit changed (`deposit`).
 * @event {DepositEvent} hc-success - Paid. Once per deposit and browser; `resumed` when found again.
 * @event {DepositEvent} hc-failure - Ended without payment. Once per deposit and browser.
 * @event {ErrorEvent} hc-error - Something went wrong (`code`, `detail`).
 * @csspart card - The whole card.
 * @csspart form - The form.
 * @csspart locked - What the session locks.
 * @csspart pay-button - The button that starts the payment.
 * @csspart bank - The bank field.
 * @csspart bank-list - Its list.
 * @csspart waiting - While the customer pays.
 * @csspart open-link - The link to the payment page.
 * @csspart question - Whether a payment is to be forgotten.
 * @csspart success - The result of a paid payment.
 * @csspart failure - Any other result.
 * @csspart mark - The icon of a result.
 * @csspart details - The details of the payment.
 * @csspart again - The button for another try.
 * @csspart extras - The sheet for another phone, help or receipt.
 * @csspart qr - The QR code in the sheet.
 * @csspart receipt - The receipt in the sheet.
 * @cssproperty [--hc-accent=#0b6e4f] - Buttons and marks.
 * @cssproperty [--hc-on-accent=#fff] - Text on the accent.
 * @cssproperty [--hc-background=#fff] - The card.
 * @cssproperty [--hc-text=#17211d] - Text.
 * @cssproperty [--hc-muted=#5a6862] - Secondary text.
 * @cssproperty [--hc-border=#84918a] - Lines.
 * @cssproperty [--hc-field=#fff] - Fields.
 * @cssproperty [--hc-soft=#eef5f1] - Quiet areas.
 * @cssproperty [--hc-danger=#b3261e] - Errors.
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
    texts: { attribute: false, type: Object },
  }

  /** Address of the companion server, e.g. `https://pay.shop.example`. */
  declare companion: string
  /** Token of a session created by the shop's backend; what it locks is shown, not asked. */
  declare session: string | undefined
  /** ISO 3166 alpha-2, in either case. If given, it is fixed; otherwise guessed from time zone and languages. */
  declare country: string | undefined
  /** ISO 4217, in either case. If given, only countries with this currency are offered. */
  declare currency: string | undefined
  /** Code of the chosen bank. */
  declare bank: string | undefined
  /** Whether the customer is asked for their bank. Default `optional`. */
  declare bankChoice: 'optional' | 'required' | 'hidden'
  /** Whole major units. If given, it is fixed. */
  declare amount: number | undefined
  /** Whole major units; applies if it is stricter than the companion's own limit. */
  declare minAmount: number | undefined
  /** Whole major units; applies if it is stricter than the companion's own limit. */
  declare maxAmount: number | undefined
  /** Prefills the field; the customer may change it. */
  declare payerName: string | undefined
  /** Prefills the field; 07…, 254… and +254… mean the same. */
  declare payerPhone: string | undefined
  /** Prefills the field. */
  declare payerEmail: string | undefined
  /** The page's own reference for this purchase; passed to the backend as untrusted. */
  declare clientReference: string | undefined
  /** `en`, `fr`, `sw`, `am`, `ha`, `rn`, `rw` or `so`. Default: the page's language, or else the browser's if it is one of the first three. */
  declare locale: string | undefined
  /** Where the hosted page opens: in a new tab (`tab`), in this one (`redirect`) or, by default, in a tab if the browser allows it (`auto`). */
  declare presentation: 'auto' | 'tab' | 'redirect'
  /** Id of a deposit to resume if this browser knows its token; pass another token with `resume()`. */
  declare deposit: string | undefined
  /** Name of the form control, as with any other; its value is the id of the deposit. */
  declare name: string | undefined
  /** Nothing can be filled in or paid, as in a `<fieldset disabled>`; a payment that has begun stays shown. Default false. */
  declare disabled: boolean
  /** Texts that replace the built-in ones, all but the TEST mark. What is in braces is filled in. */
  declare texts: Partial<Texts> | undefined

  /** @internal */
  readonly _checkout = new CheckoutController(this)
  /** @internal */
  readonly _offer = new Offer(this)
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
  /** Pay was pressed before the session was loaded. @internal */
  _pressed = false
  private _internals: ElementInternals | undefined
  /** The page has disabled the element itself, or a fieldset around it. */
  private _isShut = false
  /** The looks of the flow are adopted. */
  private _isWhole = false
  /** What had the focus before the last render. */
  private _focused: Element | null = null
  /** Id of the payment that the customer has given up and the next one replaces. */
  private _replaces: string | undefined
  /** The language of the last render. */
  private _spoken = ''
  /** What the last render showed: a step, or a phase of the payment. */
  private _step = ''
  /** Why the offer has not come, while that is said. */
  private _lacking: CheckoutError | undefined
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
      /* In old browsers the element is no form control. */
    }
  }

  /** Registers the tag; a second copy on the page is harmless. */
  static define(tag = 'hc-checkout', registry = customElements): typeof HcCheckout {
    if (registry.get(tag)) return this
    // Lit puts back what a page set before the definition only at the first render. What the page sets in between
    // would be lost.
    const there = 'document' in globalThis ? [...document.querySelectorAll<HcCheckout>(tag)] : []
    const early = there.map((element) => ({ element, set: takeOut(element) }))
    registry.define(tag, this)
    for (const { element, set } of early) Object.assign(element, set)
    return this
  }

  /** @internal */
  get _locale(): string {
    return localeOf(this.locale || this.lang || this.ownerDocument.documentElement.lang, navigator.language)
  }
  /** @internal */
  get _words(): CardTexts {
    const { flow } = this._checkout
    const own = flow && flow.texts
    // No text of the page takes the place of the mark of a test payment, neither here nor on a receipt.
    const words = { ...firstTexts, ...own, ...this.texts, test: (own && own.test) || 'TEST' }
    return words as CardTexts
  }

  /** The language of the words that are shown: English until those of another have come. @internal */
  get _wordsLocale(): string {
    return this._checkout.flow?.locale ?? firstLocale
  }

  /** @internal */
  get _off(): boolean {
    return this.disabled || this._isShut
  }

  /** A saved page, or a server, may have given the element a shadow root with what it showed once: that root is taken over, empty. */
  protected override createRenderRoot(): ShadowRoot {
    const { _internals: internals } = this
    const root = this.shadowRoot || (internals && internals.shadowRoot) || this.attachShadow({ mode: 'open' })
    root.textContent = ''
    dress(root, this._styles)
    return root
  }

  /** Moved into another document. @internal */
  adoptedCallback(): void {
    // It has no root before it has been on a page.
    if (this.renderRoot) dress(this.renderRoot as ShadowRoot, this._styles)
  }

  private get _styles(): readonly CSSResult[] {
    const { flow } = this._checkout
    const own = (this.constructor as typeof HcCheckout).elementStyles as CSSResult[]
    return flow ? [...own, flow.parts.flowStyles] : own
  }

  protected override willUpdate(changed: PropertyValues): void {
    const checkout = this._checkout
    const own = this as Record<PropertyKey, unknown>
    // React on a server writes `clientReference` as an attribute, as HTML reads it `clientreference`, and does not set it again in the browser.
    if (!this.hasUpdated)
      for (const name in HcCheckout.properties) if (/[A-Z]/.test(name)) own[name] = this.getAttribute(name) || own[name]
    // A framework sets a property as its page has it: an amount as text (`amount="2500"` in React and Vue), a phone or a reference as a number.
    for (const name of changed.keys()) {
      const { type = String } = HcCheckout.properties[name as 'amount'] as { type?: (value: unknown) => unknown }
      if (own[name] != null) own[name] = type(own[name])
    }
    // Before rendering, so that `formDisabledCallback` has said whether a fieldset still disables it.
    if (!this.disabled) this.removeAttribute('disabled')
    if (!checkout.connect() && changed.has('deposit') && this.deposit) checkout.resume(this.deposit)
    // Another order: discard the state of the last one.
    if (this._offer.renew()) {
      this._pressed = false
      this._replaces = undefined
    } else {
      // Load the texts of the steps, and the rare ones, in the new language too, which may be the page's.
      if (this._spoken !== this._locale) void checkout.explain()
      if (this.bankChoice !== 'hidden' && checkout.state.screen.step === 'form') void this._offer.loadBanks()
    }
    this._spoken = this._locale
    // Before the first view that needs its looks.
    if (checkout.flow && !this._isWhole) {
      this._isWhole = true
      dress(this.renderRoot as ShadowRoot, this._styles)
    }
    this._focused = (this.renderRoot as ShadowRoot).activeElement
  }

  /** The first render is a task of its own: on a cheap phone a long task would block the page, which may take the element out before it. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) {
      await new Promise((resolve) => setTimeout(resolve))
      // Lit calls this whenever the element comes onto the page.
      while (!this.isConnected) await new Promise((resolve) => (this.enableUpdating = resolve))
    }
    await super.scheduleUpdate()
  }

  protected override firstUpdated(): void {
    this.dispatchEvent(new ReadyEvent())
  }

  protected override updated(): void {
    const { state } = this._checkout
    const last = this._focused
    // The picker may replace the plain field while somebody types in it: they go on where they were.
    const taken = last && last.id === 'bank' && !last.isConnected
    if (taken) this._open = true
    this._drawBank()
    const field = this.renderRoot.querySelector<HTMLInputElement>('#bank')
    if (taken && field) {
      field.focus()
      field.setSelectionRange(field.value.length, field.value.length)
    }
    const deposit = depositOf(state)
    if (this._internals && this._internals.setFormValue) this._internals.setFormValue(deposit ? deposit.id : null)
    const step = state.isAsking ? 'asking' : deposit ? deposit.phase : state.screen.step
    if (this._step && this._step !== step) {
      // Focus follows the customer to the next step, but never steals it from the page. Safari gives a pressed button no focus.
      // `tries` is 1 after a press, 2 when a stored payment can't be loaded.
      const next = this.renderRoot.querySelector<HTMLElement>('h2,select,input')
      if (next && (last || ('tries' in state.screen && state.screen.tries === 1))) next.focus()
    }
    this._step = step
    if (this._pressed && !this._isEarly()) this._press()
    clearTimeout(this._notice)
    // Updates the time left to choose an agent.
    if (state.screen.step === 'waiting' && this.isConnected)
      this._notice = setTimeout(() => this.requestUpdate(), 15_000)
  }

  /** @internal */
  async _offerFailed(answer: CheckoutError): Promise<void> {
    const checkout = this._checkout
    const pressed = this._pressed
    this._pressed = false
    this.requestUpdate()
    // What passes by itself is said once, however often the request is repeated, and only where it is in the way.
    const { fault, screen } = checkout.state
    const isKnown = isPassing(answer) && (screen.step !== 'form' || (fault && fault.code === answer.code))
    if (!isKnown) {
      this._lacking = answer
      await checkout.refuse(answer)
    }
    await this.updateComplete
    // Pay is at the end of the form, the reason at its top.
    const reason = pressed && this.renderRoot.querySelector('[role=alert]')
    if (reason) reason.scrollIntoView({ block: 'nearest' })
  }

  /** @internal */
  _offerCame(answer?: SessionView): void {
    const checkout = this._checkout
    const pressed = this._pressed
    // The markets alone answer no press.
    if (answer) this._pressed = false
    this.requestUpdate()
    // It has passed.
    if (checkout.state.fault && checkout.state.fault === this._lacking) checkout.dismiss()
    if (!answer) this._mustHaveSession()
    if (!answer || checkout.state.screen.step !== 'form') return
    if (answer.deposit && answer.deposit.id !== this._replaces) checkout.resume(answer.deposit.id, answer.deposit.token)
    else if (this.deposit && this.deposit !== this._replaces) checkout.resume(this.deposit)
    else if (pressed) this._press()
  }

  /** @internal */
  _banksCame(): void {
    const { banks } = this._offer
    const given = Array.isArray(banks) && banks.find((bank) => bank.code === this.bank)
    if (given) this._query = given.name
    this.requestUpdate()
    const { activeElement } = this.renderRoot as ShadowRoot
    if (!activeElement || activeElement.id !== 'bank') this._leftBank()
  }

  /**
   * Forgets the payment on this device and shows the form again; the payment itself goes on. While it may still be paid, the card asks the customer first.
   * Resolves with whether it was forgotten; before that, if nobody had to be asked.
   */
  reset(): Promise<boolean> {
    const checkout = this._checkout
    if (!checkout.mayBePaid) {
      this._forgotten()
      return Promise.resolve(true)
    }
    return checkout.ask().then((isForgotten) => {
      if (isForgotten) this._forgotten()
      return isForgotten
    })
  }

  private _forgotten(): void {
    this._faults = {}
    this._replaces = undefined
    this._checkout.reset()
    this._mustHaveSession()
  }

  /** The link to the companion's page of the payment that is shown, for any browser: whoever has it can see and pay this payment. */
  paymentLink(): string | undefined {
    return this._checkout.payLink()
  }

  /** Without a session nothing can be paid in such a shop: said before the form is filled in. */
  private _mustHaveSession(): void {
    if (this._offer.isClosed && this._checkout.isIdle)
      void this._checkout.refuse(
        new CheckoutError(
          'session_required',
          'This shop takes payments by session only (HC_MODE=sessions), and the attribute session is empty: give it the token of one that the backend has made (POST /v1/sessions).',
        ),
      )
  }

  /**
   * The form around the element is reset: what was typed gives way to the attributes, and a payment that has ended to the form. One that may still
   * be paid stays, so that nobody pays it again. @internal
   */
  formResetCallback(): void {
    const given = (name: string): string | undefined => this.getAttribute(name) || undefined
    this.payerName = given('payer-name')
    this.payerPhone = given('payer-phone')
    this.payerEmail = given('payer-email')
    this.bank = given('bank')
    // The list is loaded again, and names the given bank in its field.
    this._amount = this._query = ''
    this._offer.forgetBanks()
    this._faults = {}
    // A program may have filled in a field that the card believes to be as it was.
    for (const field of this._fields()) if (field.id !== 'country') field.value = fieldText(this, field.id as FieldName)
    if (this._checkout.state.screen.step === 'ended' && !this._checkout.mayBePaid) void this.reset()
    this.requestUpdate()
  }

  /** A `<fieldset disabled>` around the element: nothing can be filled in or paid, but a payment that has begun goes on and stays shown. @internal */
  formDisabledCallback(isShut: boolean): void {
    this._isShut = isShut
    this.requestUpdate()
  }

  /** Resumes the payment that this browser knows, or the given one. */
  resume(id?: string, token?: string): void {
    // Before its first render the element does not know its companion: the token would go to the page's own server.
    if (!this.hasUpdated) return void this.updateComplete.then(() => this.resume(id, token))
    // Attributes that the page has just set apply: it may be another order's payment.
    this._checkout.connect()
    this._checkout.resume(id, token)
  }

  /** Makes the companion ask the payment service now. */
  check(): Promise<void> {
    return this._checkout.check()
  }

  /** Shows the form again after "I have not sent money". @internal */
  _notSent(): void {
    const deposit = depositOf(this._checkout.state)
    if (!deposit) return
    // Kept on this device until the new attempt replaces it: a reload before that finds it again.
    this._faults = {}
    this._checkout.reset(true)
    this._replaces = deposit.id
  }

  /** "Not you? Forget": erases payer details too. @internal */
  _forget(): void {
    void this.reset().then((isForgotten) => {
      if (!isForgotten) return
      this.payerName = this.payerPhone = this.payerEmail = this.bank = undefined
      this._query = ''
    })
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
    // A press that waits was made on what the fields showed then.
    this._pressed = false
    if (field === 'bank' || field === 'country') {
      this.bank = undefined
      this._query = field === 'bank' ? value : ''
      // Without the picker nothing would close the list when the customer moves on.
      this._open = field === 'bank' && Boolean(this._checkout.flow)
      this._whole = false
      this._active = this._query ? 0 : -1
    }
    if (field === 'country') {
      this._offer.chosen = value
      // What was wrong by the limits and banks of the last one.
      this._faults = {}
    }
    if (field === 'amount') this._amount = value
    if (field === 'name') this.payerName = value
    if (field === 'phone') this.payerPhone = value
    if (field === 'email') this.payerEmail = value
    this._field(field, field === 'bank' ? '' : value)
  }

  /** @internal */
  _heard(field: FieldName, value: string): void {
    if (value !== fieldText(this, field)) this._typed(field, value)
  }

  /** @internal */
  _fill(field: FieldName, value: string): void {
    this._write(field, value)
    this._typed(field, value)
  }

  /** What a template puts into a field reaches it only when the card's own value changes. */
  private _write(field: FieldName, value: string): void {
    const shown = this._fields().find(({ id }) => id === field)
    if (shown) shown.value = value
  }

  /** @internal */
  _chose({ name, code }: Bank): void {
    this._write('bank', name)
    this._query = name
    this.bank = code
    this._open = false
    this._field('bank', code)
  }

  /** @internal */
  _leftBank(): void {
    if (this.bank || this._off || this.bankChoice === 'hidden' || this._checkout.state.screen.step !== 'form') return
    const { flow } = this._checkout
    const bank = flow && flow.parts.bankMeant(this)
    if (bank) this._chose(bank)
    else if (flow && flow.parts.isBankOpen(this)) {
      this._faults.bank = 'errBank'
      this._drawBank()
    }
  }

  /** @internal */
  _submit(event: Event): void {
    event.preventDefault()
    this._press()
  }

  /** Reads what the fields show, and pays; what is still to come, it waits for. */
  private _press(): void {
    const { _offer: offer } = this
    this._pressed = false
    if (this._off || this._checkout.state.screen.step !== 'form' || !this._readFields()) return
    // Of a country that was chosen just now, perhaps.
    if (this.bankChoice !== 'hidden') void offer.loadBanks()
    if (this._isEarly()) {
      // What a session asks for is known with the session alone.
      const { faults } = !this.session || offer.session ? readForm(this, this._replaces) : { faults: {} as Faults }
      delete faults.bank
      if (Object.keys(faults).length) {
        this._show(faults)
        return
      }
      this._pressed = true
      this.requestUpdate()
      void offer.loadSession()
      return
    }
    this._leftBank()
    this._pay()
  }

  /** A press waits for what creates the payment, for the session, and for the list in which a bank is searched. */
  private _isEarly(): boolean {
    const { session, banks } = this._offer
    if (!this._checkout.flow || (this.session && !session)) return true
    if (this.bank || this.bankChoice === 'hidden' || !this._query.trim()) return false
    return banks === 'loading'
  }

  /** The fields of the form that are shown now, each with the name of what it asks as its id. */
  private _fields(): readonly (HTMLInputElement | HTMLSelectElement)[] {
    return [...this.renderRoot.querySelectorAll<HTMLInputElement>('[part=form] select,[part=form] input')]
  }

  /**
   * Takes what the fields show now: password managers and extensions fill them in without an event.
   * @returns false if a field shows another amount than the one that the page has fixed; it shows the right one again, and nothing is sent
   */
  private _readFields(): boolean {
    const shown = this._fields().map((field) => ({ field, id: field.id as FieldName, text: field.value }))
    for (const { field, id, text } of shown) {
      if (!(field as HTMLInputElement).readOnly) this._heard(id, text)
      else if (text !== fieldText(this, id)) {
        field.value = fieldText(this, id)
        this._show({ [id]: 'errAmount' })
        return false
      }
    }
    this._open = false
    return true
  }

  private _pay(): void {
    const checkout = this._checkout
    const { faults, body } = readForm(this, this._replaces)
    this._show(faults)
    if (Object.keys(faults).length) return
    void checkout.submit(body, this._words.openingTab).then(() => {
      // Show a refusal that concerns a field at that field.
      const { flow, state } = checkout
      const refused = state.fault && flow?.parts.fieldFault(state.fault)
      if (refused) this._show(refused)
    })
  }

  /** Shows errors of fields, whoever found them, and focuses the first. */
  private _show(faults: Faults): void {
    this._faults = faults
    this._checkout.dismiss()
    this.requestUpdate()
    void this.updateComplete.then(() => {
      const field = this.renderRoot.querySelector<HTMLElement>('[aria-invalid=true]')
      if (field) field.focus()
    })
  }

  protected override render(): TemplateResult {
    const t = this._words
    const { state, flow } = this._checkout
    const { isAsking } = state
    // The question stands in the place of what it is about.
    const form = state.screen.step === 'form' && !(isAsking && flow)
    const mode = depositOf(state)?.mode ?? this._offer.mode
    return html`<div class="card" part="card" lang=${this._wordsLocale}>
      <div
        class="sr"
        role="status"
        .textContent=${!flow ? (form && !this._pressed ? '' : t.submitting) : form && !this._pressed ? flow.parts.phoneHint(this) : flow.parts.statusAnnouncement(this)}
      ></div>
      ${mode === 'test' ? html`<p class="test" .textContent=${t.test}></p>` : nothing}
      <slot name="header"></slot>
      ${form ? formView(this, flow) : flow ? (isAsking ? flow.parts.questionView(this, (isForgotten) => this._checkout._answer(isForgotten)) : flow.parts.statusView(this)) : html`<h2 tabindex="-1" .textContent=${t.submitting}></h2>`}
      <slot name="footer"></slot>
    </div>`
  }
}

/** Removes the properties that a page set on an element before it was defined, and returns them. */
function takeOut(element: HTMLElement): object {
  const set = Object.assign({}, element as object)
  for (const name of Object.keys(set)) Reflect.deleteProperty(element, name)
  return set
}
