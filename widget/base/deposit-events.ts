// The element's events of a payment: loaded after the form.
import type { Deposit } from './types.ts'
import { bubbling } from './events.ts'

/** Event about a payment; `DepositCreatedEvent` and those below are each of one type. */
export class DepositEvent extends Event {
  readonly deposit: Deposit
  /** True when the payment was found again after a reload or in another tab. */
  readonly resumed: boolean
  constructor(type: string, deposit: Deposit, resumed: boolean) {
    super(type, bubbling)
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

declare global {
  /** The events bubble: listen on elements, the document or the window. */
  interface GlobalEventHandlersEventMap {
    'hc-deposit-created': DepositCreatedEvent
    'hc-checkout-opened': CheckoutOpenedEvent
    'hc-status-change': StatusChangeEvent
    'hc-success': SuccessEvent
    'hc-failure': FailureEvent
  }
}
