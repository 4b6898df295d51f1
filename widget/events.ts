// The element's events: bubbling, composed, typed; none carries a token.
import type { CheckoutError } from './base/checkout-error.ts'
import type { Deposit, FieldName } from './base/types.ts'

const open = { bubbles: true, composed: true } as const

/** The form can be used. */
export class ReadyEvent extends Event {
  constructor() {
    super('hc-ready', open)
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
    super('hc-change', open)
    this.field = field
    this.value = value
  }
}
/** Event about a payment; `DepositCreatedEvent` and those below are each of one type. */
export class DepositEvent extends Event {
  readonly deposit: Deposit
  /** True when the payment was found again after a reload or in another tab. */
  readonly resumed: boolean
  constructor(type: string, deposit: Deposit, resumed: boolean) {
    super(type, open)
    this.deposit = deposit
    this.resumed = resumed
  }
}
// The type is named: inferred, the package's declarations would repeat every member that Event has
// in our own lib.dom, five times.
const depositEvent = (type: string): new (deposit: Deposit, resumed?: boolean) => DepositEvent =>
  class extends DepositEvent {
    constructor(deposit: Deposit, resumed = false) {
      super(type, deposit, resumed)
    }
  }

/** The companion has created the deposit. */
export const DepositCreatedEvent = depositEvent('hc-deposit-created')
export type DepositCreatedEvent = DepositEvent
/** The hosted page was opened. */
export const CheckoutOpenedEvent = depositEvent('hc-checkout-opened')
export type CheckoutOpenedEvent = DepositEvent
/** The deposit moved. */
export const StatusChangeEvent = depositEvent('hc-status-change')
export type StatusChangeEvent = DepositEvent
/** Paid. Once per deposit and browser. */
export const SuccessEvent = depositEvent('hc-success')
export type SuccessEvent = DepositEvent
/** Ended without payment. Once per deposit and browser. */
export const FailureEvent = depositEvent('hc-failure')
export type FailureEvent = DepositEvent
/** Something went wrong. */
export class ErrorEvent extends Event {
  /** Code of the CheckoutError. */
  readonly code: string
  /** For the developer, in English. */
  readonly detail: string
  constructor(error: CheckoutError) {
    super('hc-error', open)
    this.code = error.code
    this.detail = error.message
  }
}

declare global {
  /** The events bubble: listen on elements, the document or the window. */
  interface GlobalEventHandlersEventMap {
    'hc-ready': ReadyEvent
    'hc-change': ChangeEvent
    'hc-deposit-created': DepositCreatedEvent
    'hc-checkout-opened': CheckoutOpenedEvent
    'hc-status-change': StatusChangeEvent
    'hc-success': SuccessEvent
    'hc-failure': FailureEvent
    'hc-error': ErrorEvent
  }
}
