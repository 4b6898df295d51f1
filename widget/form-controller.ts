// The form of one element: what the customer enters. The views only show it.
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { BankForm, BankPicking } from './bank-picking.ts'
import type { CheckoutController } from './checkout-controller.ts'
import { ChangeEvent } from './events.ts'
import type { Bank, Entry, Faults, FormValues, PageValues } from './form-values.ts'
import type { CardTexts } from './locales/texts.ts'
import type { Offer } from './offer.ts'
import { fieldText } from './read-form.ts'
import type { FieldName } from './types.ts'
import type { FormProps } from './views/form.ts'

/** What it needs of the element. */
export interface FormHost extends ReactiveControllerHost, EventTarget, PageValues {
  bank: string | undefined
  payerName: string | undefined
  payerPhone: string | undefined
  payerEmail: string | undefined
  readonly deposit: string | undefined
  readonly renderRoot: HTMLElement | DocumentFragment
  readonly _checkout: CheckoutController
  readonly _offer: Offer
  readonly _words: CardTexts
  readonly _locale: string
  readonly _off: boolean
  getAttribute(name: string): string | null
}

/**
 * Delay of a message about a field that just lost focus: a button must not move away under the
 * finger that caused it.
 */
const CLICK_MS = 300

export class FormController implements ReactiveController, Entry, BankForm {
  query = ''
  amount = ''
  faults: Faults = {}
  /** Pay was pressed before what it needs has come (pressing.ts). */
  isPressed = false
  private readonly _host: FormHost
  private _bankPicking: BankPicking | undefined
  /** The bank field, where it has had the focus before the last render. */
  private _typing: Element | undefined

  constructor(host: FormHost) {
    this._host = host
    host.addController(this)
  }

  hostUpdate(): void {
    const focused = this._focused()
    this._typing = focused?.id === 'bank' ? focused : undefined
  }

  hostUpdated(): void {
    if (this._typing && !this._typing.isConnected) this._picking?.takeOver()
    else this._picking?.draw()
  }

  /** The bank field, once its later parts are loaded. */
  private get _picking(): BankPicking | undefined {
    const { flow } = this._host._checkout
    if (flow) this._bankPicking ??= new flow.parts.BankPicking(this, this._host.renderRoot)
    return flow && this._bankPicking
  }

  /** Nothing can be filled in. */
  get isOff(): boolean {
    return this._host._off
  }

  private _focused(): Element | null {
    return (this._host.renderRoot as ShadowRoot).activeElement
  }

  /** The form is on the screen. */
  get isShown(): boolean {
    return this._host._checkout.state.screen.step === 'form'
  }

  values(): FormValues {
    const { _host: host } = this
    return { page: host, offer: host._offer, entry: this, texts: host._words, locale: host._locale }
  }

  props(onSubmit: () => void): FormProps {
    const { _host: host, isPressed } = this
    const { flow, state } = host._checkout
    const { fault, isExplained } = state
    const values = this.values()
    return {
      ...values,
      fault,
      isExplained,
      isPressed,
      isOff: this.isOff,
      rare: flow?.rare,
      phoneHint: this.phoneHint(),
      phoneExample: flow?.parts.phoneExample(host._offer.row.country) ?? '',
      hasPicker: Boolean(flow),
      countryName: (code, name) => flow?.parts.countryName(values.locale, code, name) ?? name,
      onInput: (field, text) => this.typed(field, text),
      onAmount: (field, how) => flow?.parts.groupTyped(field, this.amount, values.locale, how) ?? field.value,
      onChange: (field, text) => {
        // Programs that fill in a form often send this event alone.
        this.heard(field, text)
        if (field === 'bank') this.leaveBank()
        setTimeout(() => host.requestUpdate(), CLICK_MS)
      },
      onFill: (field, text) => {
        this._write(field, text)
        this.typed(field, text)
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
    return flow?.parts.phoneHint(this.values(), this._focused()?.id === 'phone') ?? ''
  }

  /** A field was given this value: its error is gone. */
  private _changed(field: FieldName, value: string): void {
    delete this.faults[field]
    this._host.dispatchEvent(new ChangeEvent(field, value))
    if (field === 'bank' && this._picking) this._picking.draw()
    else this._host.requestUpdate()
  }

  typed(field: FieldName, value: string): void {
    const { _host: host } = this
    // A press that waits was made on what the fields showed then.
    this.isPressed = false
    if (field === 'bank' || field === 'country') {
      host.bank = undefined
      this.query = field === 'bank' ? value : ''
      this._picking?.renew(field === 'bank', this.query)
    }
    if (field === 'country') {
      host._offer.chosen = value
      // What was wrong by the limits and banks of the last one.
      this.faults = {}
    }
    if (field === 'amount') this.amount = value
    if (field === 'name') host.payerName = value
    if (field === 'phone') host.payerPhone = value
    if (field === 'email') host.payerEmail = value
    this._changed(field, field === 'bank' ? '' : value)
  }

  /** The field shows this text: takes it, if the form has not heard of it yet. */
  heard(field: FieldName, value: string): void {
    if (value !== fieldText(this.values(), field)) this.typed(field, value)
  }

  /** What a template puts into a field reaches it only when the form's own value changes. */
  private _write(field: FieldName, value: string): void {
    const shown = this.fields().find(({ id }) => id === field)
    if (shown) shown.value = value
  }

  choose({ name, code }: Bank): void {
    this._write('bank', name)
    this.query = name
    this._host.bank = code
    this._picking?.close()
    this._changed('bank', code)
  }

  /**
   * The bank that the text of the field means is taken, or the field says that one must be chosen.
   */
  leaveBank(): void {
    const { bank, bankChoice } = this._host
    if (bank || this.isOff || bankChoice === 'hidden' || !this.isShown) return
    const meant = this._picking?.meant
    if (meant) this.choose(meant)
    else if (this.isBankOpen) {
      this.faults.bank = bankChoice === 'required' ? 'errBank' : 'errBankList'
      this._picking?.draw()
    }
  }

  /** The text of its field could mean several banks. */
  get isBankOpen(): boolean {
    return this._picking?.isUnclear ?? false
  }

  closeList(): void {
    this._picking?.close()
  }

  /** The fields that are shown now, each with the name of what it asks as its id. */
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
    // A program may have filled in a field that the card believes to be as it was.
    const values = this.values()
    for (const field of this.fields())
      if (field.id !== 'country') field.value = fieldText(values, field.id as FieldName)
    host.requestUpdate()
  }

  /** "Not you? Forget": erases payer details. */
  forgetPayer(): void {
    const { _host: host } = this
    host.payerName = host.payerPhone = host.payerEmail = host.bank = undefined
    this.query = ''
  }

  /** The bank list of the chosen country has come, or has failed. */
  banksCame(): void {
    const { banks } = this._host._offer
    const given = Array.isArray(banks) && banks.find((bank) => bank.code === this._host.bank)
    if (given) this.query = given.name
    this._host.requestUpdate()
    if (this._focused()?.id !== 'bank') this.leaveBank()
  }
}
