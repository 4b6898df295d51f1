// The element's events: bubbling, composed, typed; none carries a token. Those of a payment are in
// deposit-events.ts.
import type { CheckoutError } from './checkout-error.ts'
import type { FieldName } from './types.ts'

/** They leave the shadow root, and bubble through the page. */
export const bubbling = { bubbles: true, composed: true } as const

/** The form can be used. */
export class ReadyEvent extends Event {
  constructor() {
    super('hc-ready', bubbling)
  }
}
/** The customer changed a field. */
export class ChangeEvent extends Event {
  readonly field: FieldName
  /**
   * As the customer typed or chose it; a code for country and bank, empty while no bank is chosen.
   */
  readonly value: string
  constructor(field: FieldName, value: string) {
    super('hc-change', bubbling)
    this.field = field
    this.value = value
  }
}
/** Something went wrong. */
export class ErrorEvent extends Event {
  /** Code of the CheckoutError. */
  readonly code: string
  /** For the developer, in English. */
  readonly detail: string
  constructor(error: CheckoutError) {
    super('hc-error', bubbling)
    this.code = error.code
    this.detail = error.message
  }
}

declare global {
  /** The events bubble: listen on elements, the document or the window. */
  interface GlobalEventHandlersEventMap {
    'hc-ready': ReadyEvent
    'hc-change': ChangeEvent
    'hc-error': ErrorEvent
  }
}
