// The element's events: bubbling, composed, typed; none carries a token.
import type { CheckoutError } from './companion-client.ts'
import type { Deposit } from './types.ts'

const open = { bubbles: true, composed: true } as const

/** The form can be used. */
export class ReadyEvent extends Event {
  constructor() {
    super('hc-ready', open)
  }
}
/** The customer changed a field. */
export class ChangeEvent extends Event {
  readonly field: string
  readonly value: string
  constructor(field: string, value: string) {
    super('hc-change', open)
    this.field = field
    this.value = value
  }
}
class DepositEvent extends Event {
  readonly deposit: Deposit
  /** True when the payment was found again after a reload or in another tab. */
  readonly resumed: boolean
  constructor(type: string, deposit: Deposit, resumed: boolean) {
    super(type, open)
    this.deposit = deposit
    this.resumed = resumed
  }
}
export class DepositCreatedEvent extends DepositEvent {
  constructor(deposit: Deposit, resumed = false) {
    super('hc-deposit-created', deposit, resumed)
  }
}
export class CheckoutOpenedEvent extends DepositEvent {
  constructor(deposit: Deposit, resumed = false) {
    super('hc-checkout-opened', deposit, resumed)
  }
}
export class StatusChangeEvent extends DepositEvent {
  constructor(deposit: Deposit, resumed = false) {
    super('hc-status-change', deposit, resumed)
  }
}
/** Once per deposit and browser. */
export class SuccessEvent extends DepositEvent {
  constructor(deposit: Deposit, resumed = false) {
    super('hc-success', deposit, resumed)
  }
}
/** Once per deposit and browser. */
export class FailureEvent extends DepositEvent {
  constructor(deposit: Deposit, resumed = false) {
    super('hc-failure', deposit, resumed)
  }
}
export class ErrorEvent extends Event {
  readonly code: string
  readonly detail: string
  constructor(error: CheckoutError) {
    super('hc-error', open)
    this.code = error.code
    this.detail = error.message
  }
}
