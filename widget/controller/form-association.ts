// Makes the element a control of the form around it, where the browser can do that: its value, its
// validity, and its state for style sheets.
import type { ReactiveController } from 'lit'
import { depositOf, isOrderPaid } from '../base/checkout-state.ts'
import type { CheckoutHost } from './checkout.ts'

export class FormAssociation implements ReactiveController {
  /** A fieldset around the element, or the element itself, is disabled. */
  _isShut = false
  /** The form must not be sent yet. */
  _isUnpaid = false
  private readonly _host: CheckoutHost
  private readonly _internals: ElementInternals | undefined

  constructor(host: CheckoutHost) {
    this._host = host
    host.addController(this)
    try {
      this._internals = host.attachInternals()
    } catch {
      /* In old browsers the element is no form control. */
    }
  }

  /** A root that a saved page, or a server, has given the element; a closed one, too. */
  get root(): ShadowRoot | null | undefined {
    return this._host.shadowRoot || this._internals?.shadowRoot
  }

  /** A form may be sent before the first render. */
  hostConnected(): void {
    this._judged()
  }

  /** The value of the control is the id of the payment that is shown. */
  hostUpdated(): void {
    this._judged()?.setFormValue?.(depositOf(this._host._checkout.state)?.id || null)
  }

  /** Sets the validity and the state of what is shown now. */
  _judged(): ElementInternals | undefined {
    const { _host: host, _internals: internals } = this
    const { state } = host._checkout
    const { step } = state.screen
    const deposit = depositOf(state)
    // An order that another payment has paid counts as paid: nobody can pay it any more.
    const isPaid = (deposit && isOrderPaid(deposit)) || state.fault?.code === 'session_paid'
    const name = isPaid ? 'paid' : step === 'ended' ? 'failed' : step === 'form' ? step : 'waiting'
    try {
      const { states } = internals as ElementInternals
      states.clear()
      states.add(name)
    } catch {
      /* Older browsers have no states, or only names that begin with two hyphens. */
    }
    this._isUnpaid = host.required && !isPaid
    const find = (selector: string) => host.renderRoot.querySelector<HTMLElement>(selector)
    // The browser says what the card says, at the button that leads on.
    const said = find('h2,[role=alert]')
    const place = find('.main:not([disabled])') || said || undefined
    internals?.setValidity?.({ valueMissing: this._isUnpaid }, said?.textContent || host._words.pay, place)
    return internals
  }
}
