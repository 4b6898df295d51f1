// What the form says and understands once the flow is loaded: names of countries, odd numbers,
// a refused field.
import type { CheckoutError } from './checkout-error.ts'
import type { Faults, FormValues } from './form-values.ts'
import { fullPhone } from './markets.ts'
import type { MarketRow } from './markets.ts'
import type { FaultKey } from './read-form.ts'
import type { FieldName } from './types.ts'

const names: Record<string, Intl.DisplayNames> = {}

/** The country's name in the customer's language; where the browser has none, the companion's. */
export function countryName(locale: string, code: string, name: string): string {
  try {
    return (names[locale] ||= new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' })).of(code) || name
  } catch {
    return name
  }
}

/** True for a number that is no mobile number of the country: warns, never refuses. */
export function isOddPhone(text: string, row: MarketRow): boolean {
  if (!text.trim()) return false
  const { callingCode, digits } = row
  const full = fullPhone(text, row)
  return !full.startsWith(callingCode) || (digits !== undefined && full.length !== callingCode.length + digits)
}

/** A warning about an odd number, shown once the customer has left the field; it stops nobody. */
export function phoneHint({ page, offer, texts }: FormValues, isTyping: boolean): string {
  return !isTyping && isOddPhone(page.payerPhone || '', offer.row) ? texts.phoneOdd : ''
}

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
