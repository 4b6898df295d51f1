// Which field of the form a refusal concerns, and what to show there.
import type { CheckoutError } from './checkout-error.ts'
import type { Faults } from './form-values.ts'

/**
 * What is said at a field that the customer fills in, by its path in the body of the request. A
 * country that is not offered was usually set by the page, so there is no field for it.
 */
const refusedFields: ReadonlyMap<string | undefined, Faults> = new Map([
  ['bankCode', { bank: 'errBank' }],
  // A name of two letters is refused only where it is longer than the payment service takes.
  ['payer.name', { name: 'errLong' }],
  ['payer.phone', { phone: 'phoneOdd' }],
  ['payer.email', { email: 'errEmail' }],
])

export function fieldFault(refusal: CheckoutError): Faults | undefined {
  const { path, code } = refusal
  if (path === 'amount') return { amount: code === 'amount_out_of_range' ? 'limits' : refusal }
  const faults = refusedFields.get(path)
  return faults && { ...faults }
}
