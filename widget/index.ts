// The public names of `hc-checkout`. Importing it has no side effects and is safe under Node.
export { HcCheckout } from './hc-checkout.ts'
export { CheckoutError } from './base/checkout-error.ts'
export {
  ChangeEvent,
  CheckoutOpenedEvent,
  DepositCreatedEvent,
  DepositEvent,
  ErrorEvent,
  FailureEvent,
  ReadyEvent,
  StatusChangeEvent,
  SuccessEvent,
} from './events.ts'
export type { Deposit, DepositPhase, FieldName } from './base/types.ts'
export type { Texts } from './locales/texts.ts'
