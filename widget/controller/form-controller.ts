// The form of one element: what the customer enters. The views only show it.
import type { CSSResult, ReactiveController } from 'lit'
import type { BankPicking } from './bank-picking.ts'
import type { CheckoutForm, CheckoutHost } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import { ChangeEvent } from '../base/events.ts'
import type { Faults, FormValues } from '../base/form-values.ts'
import { loadBankPicking } from './load-extras.ts'
import type { Offer } from './offer.ts'
import { fieldText } from '../base/field-texts.ts'
import type { FieldName } from '../base/types.ts'
import type { FormProps } from '../views/form-props.ts'

/** The element, with what the form calls. */
export interface FormHost extends CheckoutHost {
  readonly _checkout: CheckoutController
  readonly _offer: Offer
  /** Nothing can be filled in or paid. */
  readonly _off: boolean
}

/**
 * Delay of a message about a field that just lost focus: a button must not move away under the
 * finger that caused it.
 */
const CLICK_MS = 300

export class FormController implements ReactiveController, CheckoutForm {
  query = ''
  amount = ''
  faults: Faults = {}
  /** Pay was pressed before what it needs has come (pressing.ts). */
  _isPressed = false
  private readonly _host: FormHost
  /** The list of the bank field and its search, once somebody has used the field. */
  _picking: BankPicking | undefined
  _listStyles: CSSResult | undefined
  private _usesBank = false

  constructor(host: FormHost) {
    this._host = host
    host.addController(this)
  }

  hostUpdated(): void {
    this._picking?.draw()
  }

  get _wantsBanks(): boolean {
    const { bank, bankChoice, _checkout: checkout } = this._host
    if (bankChoice === 'hidden' || !checkout.flow) return false
    return bankChoice === 'required' || this._usesBank || Boolean(bank || this.query.trim())
  }

  async loadSearch(): Promise<void> {
    const parts = await loadBankPicking()
    this._listStyles = parts.bankStyles
    this._picking ||= new parts.BankPicking(this, this._host)
  }

  private _useBank(event: Event): void {
    const { _host: host } = this
    this._picking?.handle(event)
    if (event.type !== 'focus') return
    this._usesBank = true
    // Loaded at once, without waiting for the next repetition.
    if (host._offer.banks === 'failed') host._offer.forgetBanks()
    host.requestUpdate()
  }

  get _isOff(): boolean {
    return this._host._off
  }

  focused(): Element | null {
    return (this._host.renderRoot as ShadowRoot).activeElement
  }

  get _isShown(): boolean {
    return this._host._checkout.state.screen.step === 'form'
  }

  values(): FormValues {
    const { _host: host } = this
    return { page: host, offer: host._offer, entry: this, texts: host._words, locale: host._locale }
  }

  props(onSubmit: () => void): FormProps {
    const { _host: host, _isPressed: isPressed } = this
    const { flow, state } = host._checkout
    const { fault, isExplained } = state
    const values = this.values()
    return {
      ...values,
      fault,
      isExplained,
      _isPressed: isPressed,
      _isOff: this._isOff,
      rare: flow?.rare,
      phoneHint: this.phoneHint(),
      _hasList: Boolean(flow),
      bankHint: (host._offer.banks === 'failed' ? values.texts.banksFailed : this._picking?.hint) || '',
      _onBank: (event) => this._useBank(event),
      countryName: (code, name) => (flow ? flow.parts.countryName(values.locale, code, name) : name),
      _onInput: (field, text) => this._typed(field, text),
      _onAmount: (field, how) => (flow ? flow.parts.groupTyped(field, this.amount, values.locale, how) : field.value),
      onChange: (field, text) => {
        // Programs that fill in a form often send this event alone.
        this._heard(field, text)
        if (field === 'bank') this._picking?.leave()
        setTimeout(() => host.requestUpdate(), CLICK_MS)
      },
      _onFill: (field, text) => {
        this.write(field, text)
        this._typed(field, text)
      },
      onSubmit: (event) => {
        event.preventDefault()
        onSubmit()
      },
    }
  }

  /** Shown once the customer has left the field. */
  phoneHint(): string {
    const { flow } = this._host._checkout
    return flow?.parts.phoneHint(this.values(), this.focused()?.id === 'phone') || ''
  }

  changed(field: FieldName, value: string): void {
    delete this.faults[field]
    this._host.dispatchEvent(new ChangeEvent(field, value))
    this._host.requestUpdate()
    // The list follows each key at once.
    if (field === 'bank') this._picking?.draw()
  }

  _typed(field: FieldName, value: string): void {
    const { _host: host } = this
    // A press that waits was meant for what the fields showed before.
    this._isPressed = false
    if (field === 'bank' || field === 'country') {
      host.bank = undefined
      this.query = field === 'bank' ? value : ''
      this._picking?.renew(field === 'bank')
    }
    if (field === 'country') {
      host._offer.chosen = value
      // They were about the limits and banks of the last country.
      this.faults = {}
    }
    if (field === 'amount') this.amount = value
    if (field === 'name') host.payerName = value
    if (field === 'phone') host.payerPhone = value
    if (field === 'email') host.payerEmail = value
    this.changed(field, field === 'bank' ? '' : value)
  }

  _heard(field: FieldName, value: string): void {
    if (value !== fieldText(this.values(), field)) this._typed(field, value)
  }

  /** For a text that the form has already: a template writes a value only when it has changed. */
  write(field: FieldName, value: string): void {
    const shown = this.fields().find(({ id }) => id === field)
    if (shown) shown.value = value
  }

  fields(): readonly (HTMLInputElement | HTMLSelectElement)[] {
    const fields = '[part=form] select,[part=form] input'
    return [...this._host.renderRoot.querySelectorAll<HTMLInputElement>(fields)]
  }

  /** The form around the element is reset: the fields get the values of the attributes again. */
  reset(): void {
    const { _host: host } = this
    const given = (name: string): string | undefined => host.getAttribute(name) || undefined
    host.payerName = given('payer-name')
    host.payerPhone = given('payer-phone')
    host.payerEmail = given('payer-email')
    host.bank = given('bank')
    // The list is loaded again, and names the given bank in its field.
    this.amount = this.query = ''
    host._offer.forgetBanks()
    this.faults = {}
    // A program may have filled in a field without an event.
    const values = this.values()
    for (const field of this.fields())
      if (field.id !== 'country') field.value = fieldText(values, field.id as FieldName)
    host.requestUpdate()
  }

  banksCame(): void {
    this._picking?.came()
    this._host.requestUpdate()
  }
}
