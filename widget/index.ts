// The public names of `hc-checkout`. Importing it has no side effects and is safe under Node.
export { HcCheckout } from './hc-checkout.ts'
export { CheckoutError } from './base/checkout-error.ts'
export {
  CheckoutOpenedEvent,
  DepositCreatedEvent,
  DepositEvent,
  FailureEvent,
  StatusChangeEvent,
  SuccessEvent,
} from './base/deposit-events.ts'
export { ChangeEvent, ErrorEvent, ReadyEvent } from './base/events.ts'
export type { Deposit, DepositPhase, FieldName } from './base/types.ts'
export type { Texts } from './locales/texts.ts'
