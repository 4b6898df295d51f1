// A phone number as it is sent.
import { ownDigits } from './format.ts'
import type { MarketRow } from './markets.ts'

/**
 * Digits with the calling code: 0712…, +254…, 254… and +254 0712… all mean the same. A number too
 * short for any country, or so long that it has another calling code, stays as it is. The
 * companion reads a number in the same way (markets.ts).
 */
export function fullPhone(text: string, { country, callingCode }: MarketRow): string {
  const code = callingCode.slice(1)
  const typed = ownDigits(text).replace(/[^\d+]/g, '')
  const isAbroad = /^(\+|00)/.test(typed)
  const digits = typed.replace(/\D/g, '').replace(/^00/, '')
  const isWhole = digits.startsWith(code) && (isAbroad || digits.length > code.length + 6)
  const own = isWhole ? digits.slice(code.length) : digits
  // There a zero at the beginning is part of the number, not a trunk zero.
  const withoutZero = ['BJ', 'BF', 'CI'].includes(country) ? own : own.replace(/^0/, '')
  // No country has a mobile number of six digits: a calling code would make one that nobody has
  // typed.
  if (isWhole || (!isAbroad && digits.length > 6 && (digits.length < 11 || own !== withoutZero)))
    return code + withoutZero
  return digits
}
