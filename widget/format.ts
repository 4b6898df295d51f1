// Money, times and sentences in the customer's language.
const isFrench = (locale: string): boolean => /^fr/i.test(locale)

/** `2,500`; `2 500` in French. By hand: the first use of Intl costs a cheap phone a sixth of a second before it can draw the form. */
export function grouped(amount: number, locale: string): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, isFrench(locale) ? '\u202f' : ',')
}

/** Whole units for every currency, whatever ISO 4217 says (FACTS.md "Amounts"): `KES 2,500`; in French `2 500 KES`. */
export function money(amount: number, currency: string, locale: string): string {
  const sum = grouped(amount, locale)
  return isFrench(locale) ? `${sum}\u00a0${currency}` : `${currency}\u00a0${sum}`
}

/** `money` where it stands alone: too wide for its place, it breaks beside the currency and not within the number. */
export const sum = (amount: number, currency: string, locale: string): string =>
  money(amount, currency, locale).replace('\u00a0', ' ')

export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] || '')
}

/** Digits in our own signs, however the phone writes them: `٢٥٠٠` and `۲۵۰۰` are 2500. */
export const ownDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))

/**
 * Whole major units (SERVICE.txt, amount) out of `2500`, `2,500`, `2 500`, `2.500` or `2500.00`; NaN for all else.
 * A fraction is refused, not rounded and not read without its point: nobody pays another amount than was typed.
 */
export function readAmount(text: string): number {
  const bare = ownDigits(text)
    .replace(/\u066c/g, ',')
    .replace(/[\s'’]/g, '')
    .replace(/[.,]0{1,2}$/, '')
  return /^(\d+|\d{1,3}([.,]\d{3})+)$/.test(bare) ? Number(bare.replace(/[.,]/g, '')) : NaN
}
