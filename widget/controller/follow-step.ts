// Lets card, focus and window follow the customer from one step of the checkout to the next:
// nothing jumps, nothing hides.
import type { ReactiveController } from 'lit'
import { depositOf } from '../base/checkout-state.ts'
import type { CheckoutHost } from './checkout.ts'

/** As far as the marks on its edge stand above the card. */
const EDGE_PX = 20

export class FollowStep implements ReactiveController {
  /** The heading of the present step was given the focus. */
  _takesFocus = false
  private readonly _host: CheckoutHost
  /** What is shown: a step, or a phase of the payment. */
  private _step = ''
  /** It has changed, and is being drawn. */
  private _isNew = false
  /** The least height of the card; none after a tap. */
  private _height = 0

  constructor(host: CheckoutHost) {
    this._host = host
    host.addController(this)
    // What moves after a tap, the customer has moved.
    host.addEventListener('click', () => this._keep(0), true)
    if (!('IntersectionObserver' in window)) return
    new IntersectionObserver(([seen]) => {
      if (!seen!.isIntersecting) this._keep(0)
    }).observe(host)
  }

  private get _card(): HTMLElement | null {
    return this._host.renderRoot.querySelector('.card')
  }

  private _keep(height: number): void {
    this._height = height
    const { _card: card } = this
    if (card) card.style.minHeight = height ? `${height}px` : ''
  }

  hostUpdate(): void {
    const { state } = this._host._checkout
    const { screen } = state
    const step = state._isAsking ? 'asking' : depositOf(state)?.phase || screen.step
    const { _card: card, _step: last } = this
    // What a customer types moves nothing, and is not measured. Below the window nothing has to be
    // kept in its place by an empty room.
    if (card && (step !== 'form' || step !== last)) {
      const { top, height } = card.getBoundingClientRect()
      this._height = Math.max(this._height, Math.min(height, innerHeight - top))
    }
    if (step === last) return
    this._step = step
    this._isNew = true
    // It never steals the focus from the page. But Safari gives a pressed button no focus: `tries`
    // is 1 after a press, and 2 when a stored payment can't be loaded.
    const isWithin = Boolean((this._host.renderRoot as ShadowRoot).activeElement)
    this._takesFocus = Boolean(last) && (isWithin || (screen.step === 'submitting' && screen.tries === 1))
  }

  /** To be called after each render, once all of it is drawn. */
  follow(): void {
    this._keep(this._height)
    if (!this._isNew) return
    this._isNew = false
    const place = this._place
    if (this._takesFocus && place) place.focus({ preventScroll: true })
    this._reveal(place)
  }

  /**
   * Where the customer goes on: the heading, or in a form what must still be filled in. Never a
   * field that may stay empty.
   */
  private get _place(): HTMLElement | null {
    const root = this._host.renderRoot
    const heading = root.querySelector<HTMLElement>('h2')
    if (heading) return heading
    const fields = [...root.querySelectorAll<HTMLInputElement>('[aria-required=true]')]
    const form = root.querySelector('form')
    if (form) form.tabIndex = -1
    return fields.find(({ value }) => !value) || form
  }

  /**
   * Brings the top of the card into the window: after the customer's own step, and for a success
   * where the card is seen.
   */
  private _reveal(place: HTMLElement | null): void {
    const { _card: card } = this
    if (!card || !place) return
    const { top, bottom } = card.getBoundingClientRect()
    const { screen } = this._host._checkout.state
    const isPaid = 'deposit' in screen && screen.deposit.status === 'SUCCESS' && top < innerHeight && bottom > 0
    // What stands on its edge is above it.
    const isHidden = top < EDGE_PX || place.getBoundingClientRect().bottom > innerHeight
    if (isHidden && (this._takesFocus || isPaid)) card.scrollIntoView()
  }
}
