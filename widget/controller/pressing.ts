// The press on Pay, and what it waits for; paying.ts does the rest.
import { isPassing } from '../base/passing.ts'
import type { CheckoutError } from '../base/checkout-error.ts'
import type { CheckoutPress } from './checkout.ts'
import type { FormController, FormHost } from './form-controller.ts'
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
    if (checkout._mayBePaid && !(await checkout.ask())) return false
    this._form.faults = {}
    this.replaces = undefined
    checkout.reset()
    return true
  }

  /** Called after each drawing. A press that has waited goes on once it can. */
  goOn(): void {
    const { _host: host, _form: form } = this
    const { flow } = host._checkout
    this._mustHaveSession()
    if (form._isPressed && flow && !flow.parts.mustWait(host)) this._press()
  }

  /** Another order: what was pressed and given up belongs to the last one. */
  drop(): void {
    this._form._isPressed = false
    this.replaces = undefined
  }

  /** Pays what the fields show; what is still to come, it waits for. */
  _press(): void {
    const { _host: host, _form: form } = this
    const { flow } = host._checkout
    form._isPressed = false
    if (host._off || !form._isShown) return
    if (flow) flow.parts.pay(host)
    else this.wait()
  }

  wait(): void {
    const { _host: host, _form: form } = this
    form._isPressed = true
    host.requestUpdate()
    void host._offer.loadSession()
    if (host._checkout.state.fault) void this._showReason()
  }

  async _offerFailed(answer: CheckoutError): Promise<void> {
    const { _host: host, _form: form } = this
    const checkout = host._checkout
    const { _isPressed: isPressed } = form
    form._isPressed = false
    host.requestUpdate()
    // What passes by itself is said once, however often the request is repeated, and only while the
    // form is shown.
    const isKnown = isPassing(answer) && (!form._isShown || checkout.state.fault?.code === answer.code)
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
    const { _isPressed: isPressed } = form
    // A press waits for the session, not for the markets.
    if (answer) form._isPressed = false
    host.requestUpdate()
    // What was missing has come.
    const { fault } = checkout.state
    if (fault && fault === this._lacking) checkout.dismiss()
    if (!answer || !form._isShown) return
    if (answer.deposit && answer.deposit.id !== this.replaces) checkout.resume(answer.deposit.id, answer.deposit.token)
    else if (host.deposit && host.deposit !== this.replaces) checkout.resume(host.deposit)
    else if (isPressed) this._press()
  }

  /** Without a session nothing can be paid in such a shop: said before the form is filled in. */
  private _mustHaveSession(): void {
    const { _offer: offer, _checkout: checkout } = this._host
    const { flow, state } = checkout
    if (flow && offer.isClosed && this._form._isShown && !state.id && !state.fault)
      void checkout.refuse(flow.parts.sessionRequired())
  }
}
