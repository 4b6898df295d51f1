// The fault of a payment that this browser cannot open.
import { CheckoutError } from './base/checkout-error.ts'

/** This browser has no token of the payment, or one that opens nothing. */
export const unknownPayment = (): CheckoutError =>
  new CheckoutError('deposit_unknown', 'No such payment, or not its token: call resume(id, token).')
