// A phone number as it is sent.
import { ownDigits } from './format.ts'
import type { MarketRow } from './markets.ts'

/**
 * Digits with the calling code: 0712…, +254…, 254… and +254 0712… all mean the same. A number too
 * short for any country
 * stays as it is.
 */
export function fullPhone(text: string, { callingCode, digits: length = 0, keepsZero }: MarketRow): string {
  const typed = ownDigits(text).replace(/[^\d+]/g, '')
  const isAbroad = /^(\+|00)/.test(typed)
  const digits = typed.replace(/\D/g, '').replace(/^00/, '')
  const isWhole = digits.startsWith(callingCode) && (isAbroad || digits.length > length)
  // No country has a mobile number of six digits: a calling code would make one that nobody has
  // typed.
  if ((isAbroad && !isWhole) || digits.length < 7) return digits
  const own = isWhole ? digits.slice(callingCode.length) : digits
  return callingCode + (keepsZero ? own : own.replace(/^0/, ''))
}
