// Makes the element a control of the form around it, where the browser can do that.
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { depositOf } from './checkout-state.ts'
import type { CheckoutState } from './checkout-state.ts'

/** What it needs of the element. */
export interface ControlHost extends ReactiveControllerHost, HTMLElement {
  readonly _checkout: { readonly state: CheckoutState }
}

export class FormAssociation implements ReactiveController {
  /** A fieldset around the element, or the element itself, is disabled. */
  isShut = false
  private readonly _host: ControlHost
  private readonly _internals: ElementInternals | undefined

  constructor(host: ControlHost) {
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

  /** The value of the control is the id of the payment that is shown. */
  hostUpdated(): void {
    this._internals?.setFormValue?.(depositOf(this._host._checkout.state)?.id ?? null)
  }

  /** The page has disabled or enabled it. */
  shut(isShut: boolean): void {
    this.isShut = isShut
    this._host.requestUpdate()
  }
}
