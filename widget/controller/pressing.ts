// The press on Pay: what the fields show is read and sent, once everything that it needs has come.
import { isPassing } from '../base/passing.ts'
import { CheckoutError } from '../base/checkout-error.ts'
import type { CheckoutPress } from './checkout.ts'
import type { FormController, FormHost } from './form-controller.ts'
import type { Faults } from '../base/form-values.ts'
import { fieldText } from '../base/field-texts.ts'
import { readForm } from '../base/read-form.ts'
import type { FieldName } from '../base/types.ts'
import type { SessionView } from '../../server/contract/index.ts'

export class Pressing implements CheckoutPress {
  replaces: string | undefined
  private readonly _host: FormHost
  private readonly _form: FormController
  /** Why the offer has not come, while that is said. */
  private _lacking: CheckoutError | undefined

  constructor(host: FormHost, form: FormController) {
    this._host = host
    this._form = form
  }

  /**
   * Forgets the payment and shows the form again; while it may still be paid, the customer is asked
   * first.
   */
  async startOver(): Promise<boolean> {
    const { _checkout: checkout } = this._host
    if (checkout.mayBePaid && !(await checkout.ask())) return false
    this._form.faults = {}
    this.replaces = undefined
    checkout.reset()
    this._mustHaveSession()
    return true
  }

  /** A press that has waited goes on once it can. */
  goOn(): void {
    if (this._form.isPressed && !this._isEarly()) this.press()
  }

  /** Another order: what was pressed and given up belongs to the last one. */
  drop(): void {
    this._form.isPressed = false
    this.replaces = undefined
  }

  private _read(): ReturnType<typeof readForm> {
    return readForm(this._form.values(), Boolean(this._form.picking?.isUnclear), this.replaces)
  }

  /** Reads what the fields show, and pays; what is still to come, it waits for. */
  press(): void {
    const { _form: form } = this
    const { session, _offer: offer, _off: isOff } = this._host
    form.isPressed = false
    if (isOff || !form.isShown || !this._readFields()) return
    // The country may have been chosen just now.
    if (form.wantsBanks) void offer.loadBanks()
    if (this._isEarly()) {
      // Which fields a session asks for is known once it has come.
      const faults: Faults = !session || offer.session ? this._read().faults : {}
      delete faults.bank
      if (Object.keys(faults).length) {
        this.show(faults)
        return
      }
      form.isPressed = true
      this._host.requestUpdate()
      void offer.loadSession()
      if (this._host._checkout.state.fault) void this._showReason()
      return
    }
    form.picking?.leave()
    this._pay()
  }

  /**
   * A press waits for what creates the payment, for the session, and for the list in which a bank
   * is searched.
   */
  private _isEarly(): boolean {
    const { session, bank, bankChoice, _offer: offer, _checkout: checkout } = this._host
    if (!checkout.flow || (session && !offer.session)) return true
    if (bank || bankChoice === 'hidden' || !this._form.query.trim()) return false
    return offer.banks === 'loading'
  }

  /**
   * Takes what the fields show now: password managers and extensions fill them in without an event.
   * @returns false if a field shows another amount than the one that the page has fixed; it shows
   * the right one again, and nothing is sent
   */
  private _readFields(): boolean {
    const { _form: form } = this
    const shown = form.fields().map((field) => ({ field, id: field.id as FieldName, text: field.value }))
    for (const { field, id, text } of shown) {
      if (!('readOnly' in field && field.readOnly)) form.heard(id, text)
      else if (text !== fieldText(form.values(), id)) {
        field.value = fieldText(form.values(), id)
        this.show({ [id]: 'errAmount' })
        return false
      }
    }
    form.picking?.close()
    return true
  }

  private _pay(): void {
    const { _checkout: checkout, _words: texts } = this._host
    const { faults, body } = this._read()
    this.show(faults)
    if (Object.keys(faults).length) return
    void checkout.submit(body, texts.openingTab).then(() => {
      // Show a refusal that concerns a field at that field.
      const { flow, state } = checkout
      const refused = state.fault && flow?.rare?.parts?.fieldFault(state.fault)
      if (refused) this.show(refused)
    })
  }

  /** Shows errors of fields, whoever found them, and focuses the first. */
  show(faults: Faults): void {
    const { _host: host } = this
    this._form.faults = faults
    host._checkout.dismiss()
    host.requestUpdate()
    void host.updateComplete.then(() => {
      const wrong = host.renderRoot.querySelector<HTMLElement>('[aria-invalid=true]')
      // It may be behind a row that was opened and closed again.
      wrong?.closest('details')?.setAttribute('open', '')
      wrong?.focus()
    })
  }

  async _offerFailed(answer: CheckoutError): Promise<void> {
    const { _host: host, _form: form } = this
    const checkout = host._checkout
    const { isPressed } = form
    form.isPressed = false
    host.requestUpdate()
    // What passes by itself is said once, however often the request is repeated, and only while the
    // form is shown.
    const isKnown = isPassing(answer) && (!form.isShown || checkout.state.fault?.code === answer.code)
    if (!isKnown) {
      this._lacking = answer
      await checkout.refuse(answer)
    }
    if (isPressed) await this._showReason()
  }

  /** Pay is at the end of the form, the reason at its top. */
  async _showReason(): Promise<void> {
    const { _host: host } = this
    await host.updateComplete
    host.renderRoot.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
  }

  _offerCame(answer?: SessionView): void {
    const { _host: host, _form: form } = this
    const checkout = host._checkout
    const { isPressed } = form
    // A press waits for the session, not for the markets.
    if (answer) form.isPressed = false
    host.requestUpdate()
    // What was missing has come.
    const { fault } = checkout.state
    if (fault && fault === this._lacking) checkout.dismiss()
    if (!answer) this._mustHaveSession()
    if (!answer || !form.isShown) return
    if (answer.deposit && answer.deposit.id !== this.replaces) checkout.resume(answer.deposit.id, answer.deposit.token)
    else if (host.deposit && host.deposit !== this.replaces) checkout.resume(host.deposit)
    else if (isPressed) this.press()
  }

  /** Without a session nothing can be paid in such a shop: said before the form is filled in. */
  private _mustHaveSession(): void {
    const { _offer: offer, _checkout: checkout } = this._host
    const { id, fault } = checkout.state
    if (!offer.isClosed || !this._form.isShown || id || fault) return
    const why =
      'This shop takes payments by session only (HC_MODE=sessions), and the attribute session is empty: ' +
      'give it the token of one that the backend has made (POST /v1/sessions).'
    void checkout.refuse(new CheckoutError('session_required', why))
  }
}
