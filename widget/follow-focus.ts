// Lets the focus follow the customer from one step of the checkout to the next.
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { depositOf } from './checkout-state.ts'
import type { CheckoutState } from './checkout-state.ts'

/** What it needs of the element. */
export interface FocusHost extends ReactiveControllerHost {
  readonly renderRoot: HTMLElement | DocumentFragment
  readonly _checkout: { readonly state: CheckoutState }
}

export class FollowFocus implements ReactiveController {
  private readonly _host: FocusHost
  /** Something in the card had the focus before the last render. */
  private _isWithin = false
  /** What the last render showed: a step, or a phase of the payment. */
  private _step = ''

  constructor(host: FocusHost) {
    this._host = host
    host.addController(this)
  }

  hostUpdate(): void {
    this._isWithin = Boolean((this._host.renderRoot as ShadowRoot).activeElement)
  }

  /** To be called after each render, once all of it is drawn. */
  follow(): void {
    const { renderRoot, _checkout: checkout } = this._host
    const { state } = checkout
    const { screen } = state
    const step = state.isAsking ? 'asking' : (depositOf(state)?.phase ?? screen.step)
    if (this._step && this._step !== step) {
      // It never steals the focus from the page. But Safari gives a pressed button no focus:
      // `tries` is 1 after a press, and 2 when a stored payment can't be loaded.
      const isOurs = this._isWithin || (screen.step === 'submitting' && screen.tries === 1)
      if (isOurs) renderRoot.querySelector<HTMLElement>('h2,select,input')?.focus()
    }
    this._step = step
  }
}
