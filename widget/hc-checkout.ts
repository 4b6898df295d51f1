// The element: its public API, and what it shows. Its controllers run the form and the checkout;
// the views only show plain values.
import type { CSSResult, PropertyValues, TemplateResult } from 'lit'
import { dress } from './base/adopt-styles.ts'
import { card } from './card.ts'
import { CheckoutController } from './controller/checkout-controller.ts'
import { CheckoutProperties } from './base/checkout-properties.ts'
import { ReadyEvent } from './base/events.ts'
import { FormAssociation } from './controller/form-association.ts'
import { FormController } from './controller/form-controller.ts'
import { styles } from './styles/hc-checkout.styles.ts'
import type { FollowStep } from './controller/follow-step.ts'
import { firstLocale, firstTexts } from './locales/first.ts'
import { localeOf } from './locales/locale-of.ts'
import type { CardTexts } from './locales/texts.ts'
import { Offer } from './controller/offer.ts'
import { defineEarly, takeOver } from './page-values.ts'
import { Pressing } from './controller/pressing.ts'

/**
 * A checkout for mobile money in Africa.
 *
 * @tag hc-checkout
 * @summary Country, bank, amount and payer; then the hosted payment page, live status and the
 *   result.
 * @attr {'light' | 'dark'} theme - Fixes the theme, which otherwise follows the device.
 * @slot - Shown before and without the script: a link to `/pay`, for example.
 * @slot header - Above the form; the shop's name and logo then stand there alone.
 * @slot footer - Below everything.
 * @event {ReadyEvent} hc-ready - The form can be used.
 * @event {ChangeEvent} hc-change - A field changed (`event.field`, `event.value`).
 * @event {DepositEvent} hc-deposit-created - The companion has created the deposit
 *   (`event.deposit`).
 * @event {DepositEvent} hc-checkout-opened - The hosted page was opened.
 * @event {DepositEvent} hc-status-change - The deposit changed (`event.deposit`).
 * @event {DepositEvent} hc-success - Paid (`event.deposit`). Once per deposit and browser;
 *   `resumed` when found again.
 * @event {DepositEvent} hc-failure - Ended without payment (`event.deposit`). Once per deposit and
 *   browser.
 * @event {ErrorEvent} hc-error - Something went wrong (`event.code`, `event.detail`).
 * @csspart card - The whole card.
 * @csspart shop - Name and logo of the shop, on the card's edge.
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
 * @csspart return-link - The button back to the shop.
 * @csspart next - What comes after the press.
 * @csspart extras - The sheet for another phone, help or receipt.
 * @csspart qr - The QR code in the sheet.
 * @csspart receipt - The receipt in the sheet.
 * @cssstate form - The form is shown.
 * @cssstate waiting - A payment is being prepared, or waits for its end.
 * @cssstate paid - The payment, or its order, is paid.
 * @cssstate failed - The payment has ended otherwise.
 * @cssproperty [--hc-accent=#0b6e4f] - Buttons; the shop's own accent (HC_SHOP_ACCENT) where the
 *   page sets none.
 * @cssproperty [--hc-on-accent=#fff] - Text on the accent.
 * @cssproperty [--hc-background=#fff] - The card.
 * @cssproperty [--hc-text=#17211d] - Text.
 * @cssproperty [--hc-muted=#5a6862] - Secondary text.
 * @cssproperty [--hc-border=#84918a] - Lines.
 * @cssproperty [--hc-field=#fff] - Fields.
 * @cssproperty [--hc-soft=#eef5f1] - Quiet areas.
 * @cssproperty [--hc-danger=#b3261e] - Errors.
 * @cssproperty [--hc-success=#17803d] - The mark of success.
 * @cssproperty [--hc-radius=12px] - Corners.
 * @cssproperty [--hc-font=system-ui] - Typeface.
 */
export class HcCheckout extends CheckoutProperties {
  static formAssociated = true
  static override styles = styles
  /** @internal */ readonly _checkout = new CheckoutController(this)
  /** @internal */ readonly _form = new FormController(this)
  /** @internal */ readonly _pressing = new Pressing(this, this._form)
  /** @internal */ readonly _offer = new Offer(this)
  private readonly _control = new FormAssociation(this)
  /** Keeps the customer's place from step to step, once the flow is loaded. */
  private _steps: FollowStep | undefined
  /** The language of the last render. */ private _spoken = ''
  /** How many style sheets the element has. */ private _worn = 0

  /** Registers the tag; a second copy on the page is harmless. */
  static define(tag = 'hc-checkout', registry = customElements): typeof HcCheckout {
    if (!registry.get(tag)) defineEarly(tag, registry, this)
    return this
  }

  /** The customer's language. @internal */
  get _locale(): string {
    return localeOf(this.locale || this.lang || this.ownerDocument.documentElement.lang, navigator.language)
  }
  /**
   * All texts loaded so far, and the page's own: none of those replaces the TEST mark. @internal
   */
  get _words(): CardTexts {
    const loaded = this._checkout.flow?.texts
    return { ...firstTexts, ...loaded, ...this.texts, test: loaded?.test || 'TEST' } as CardTexts
  }

  /**
   * The language of the words that are shown: English until those of another have come. @internal
   */
  get _wordsLocale(): string {
    return this._checkout.flow?.locale || firstLocale
  }

  /** Nothing can be filled in or paid. @internal */
  get _off(): boolean {
    return this.disabled || this._control._isShut
  }

  /** The heading of this step takes the focus. @internal */
  get _takesFocus(): boolean {
    return Boolean(this._steps?._takesFocus)
  }

  /**
   * A saved page, or a server, may have given the element a shadow root with what it showed once:
   * that root is taken over, empty.
   */
  protected override createRenderRoot(): ShadowRoot {
    const root = this._control.root || this.attachShadow({ mode: 'open' })
    root.textContent = ''
    return root
  }

  /** It was moved into another document. It has no root before it has been on a page. @internal */
  adoptedCallback(): void {
    if (this.renderRoot) dress(this.renderRoot as ShadowRoot, this._styles)
  }

  private get _styles(): readonly CSSResult[] {
    const own = (this.constructor as typeof HcCheckout).elementStyles as CSSResult[]
    const later = [this._checkout.flow?.parts.flowStyles, this._form._listStyles]
    return [...own, ...later.filter((one): one is CSSResult => Boolean(one))]
  }

  protected override willUpdate(changed: PropertyValues): void {
    const checkout = this._checkout
    takeOver(this, HcCheckout.properties, changed)
    // Before rendering, so that `formDisabledCallback` has said whether a fieldset still disables
    // it.
    if (!this.disabled) this.removeAttribute('disabled')
    if (!checkout.connect() && changed.has('deposit') && this.deposit) checkout.resume(this.deposit)
    // Another order: discard the state of the last one.
    if (this._offer.renew()) this._pressing.drop()
    else {
      // Another language, perhaps the page's: load the texts of the steps, and the rare ones.
      if (this._spoken !== this._locale) void checkout._explain()
      if (this._form._wantsBanks && checkout.state.screen.step === 'form') void this._offer.loadBanks()
    }
    this._spoken = this._locale
    if (checkout.flow) this._steps ||= new checkout.flow.parts.FollowStep(this)
    // Before the first view that needs its looks.
    const looks = this._styles
    if (this._worn !== looks.length) dress(this.renderRoot as ShadowRoot, looks)
    this._worn = looks.length
  }

  /**
   * The first render is a task of its own: on a cheap phone one long task would block the page. The
   * page may take the element out before that.
   */
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
    this._steps?.follow()
    this._pressing.goOn()
    this._checkout.flow?.parts.wearAccent(this, this._offer.shop)
  }

  /**
   * Forgets the payment on this device and shows the form again; the payment itself goes on. While
   * it may still be paid, the card asks the customer first. Resolves with whether it was forgotten;
   * before that, if nobody had to be asked.
   */
  reset(): Promise<boolean> {
    return this._pressing.startOver()
  }

  /**
   * The link to the companion's page of the payment that is shown, for any browser: whoever has it
   * can see and pay this payment.
   */
  paymentLink(): string | undefined {
    const { flow, state } = this._checkout
    return flow?.parts.linksOf(state.id).payUrl
  }

  /**
   * A reset of the form around the element restores the attribute values. A payment that has ended
   * gives way to the form; one that may still be paid stays, so that nobody pays it again.
   * @internal
   */
  formResetCallback(): void {
    this._form.reset()
    if (this._checkout.state.screen.step === 'ended' && !this._checkout._mayBePaid) void this.reset()
  }

  /**
   * Whether the form around the element may be sent, as with any other control: `valueMissing`
   * where it is required and unpaid. Undefined in browsers without form-associated elements.
   */
  get validity(): ValidityState | undefined {
    return this._control._judged()?.validity
  }

  /** Why the form cannot be sent, in the customer's language; empty where it can. */
  get validationMessage(): string {
    return this._control._judged()?.validationMessage || ''
  }

  /** Whether it is valid; if not, dispatches `invalid`. */
  checkValidity(): boolean {
    return this._control._judged()?.checkValidity?.() ?? !this._control._isUnpaid
  }

  /** The same, and shows the customer why, and where to go on. */
  reportValidity(): boolean {
    return this._control._judged()?.reportValidity?.() ?? !this._control._isUnpaid
  }

  /**
   * A `<fieldset disabled>` around the element: nothing can be filled in or paid, but a payment
   * that has begun goes on and stays shown. @internal
   */
  formDisabledCallback(isShut: boolean): void {
    this._control._isShut = isShut
    this.requestUpdate()
  }

  /** Resumes the payment that this browser knows, or the given one. */
  resume(id?: string, token?: string): void {
    // Before its first render the element does not know its companion: the token would go to the
    // page's own server.
    if (!this.hasUpdated) return void this.updateComplete.then(() => this.resume(id, token))
    // Attributes that the page has just set apply: it may be another order's payment.
    this._checkout.connect()
    this._checkout.resume(id, token)
  }

  /** Makes the companion ask the payment service now. */
  check(): Promise<void> {
    return this._checkout.check()
  }

  protected override render(): TemplateResult {
    return card(this)
  }
}
