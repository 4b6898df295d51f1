// Which field of the form a refusal concerns, and what to show there.
import type { CheckoutError } from './base/checkout-error.ts'
import type { Faults } from './base/form-values.ts'
import type { FaultKey } from './base/field-texts.ts'
import type { FieldName } from './base/types.ts'

interface RefusedField {
  readonly field: FieldName
  /** Text to show; without one, the companion's message. */
  readonly key?: FaultKey
}

/**
 * The fields of a request that the customer fills in, by their path in its body. A country that is
 * not offered was
 * usually set by the page, so there is no field for it.
 */
const refusedFields: ReadonlyMap<string | undefined, RefusedField> = new Map<string, RefusedField>([
  ['bankCode', { field: 'bank', key: 'errBank' }],
  ['amount', { field: 'amount' }],
  // A name of two letters is refused only where it is longer than the payment service takes.
  ['payer.name', { field: 'name', key: 'errLong' }],
  ['payer.phone', { field: 'phone', key: 'phoneOdd' }],
  ['payer.email', { field: 'email', key: 'errEmail' }],
])

/** If a refusal concerns a field: what to show there. */
export function fieldFault({ path, code, message }: CheckoutError): Faults | undefined {
  const refused = refusedFields.get(path)
  return refused && { [refused.field]: code === 'amount_out_of_range' ? 'limits' : (refused.key ?? message) }
}
