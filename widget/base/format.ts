// Money and sentences in the customer's language.
export const isFrench = (locale: string): boolean => /^fr/i.test(locale)

/**
 * `2,500`; `2 500` in French. Without Intl, whose first use delays the form by a sixth of a second
 * on a cheap phone.
 */
export function grouped(amount: number, locale: string): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, isFrench(locale) ? '\u202f' : ',')
}

/** As people write it on every wall. The code stands on the receipt. */
const signs: Readonly<Record<string, string>> = {
  KES: 'KSh',
  TZS: 'TSh',
  UGX: 'USh',
  ETB: 'Br',
  SOS: 'Sh.So.',
  RWF: 'FRw',
  BIF: 'FBu',
  NGN: '₦',
  GHS: 'GH₵',
  XOF: 'F\u202fCFA',
}
export const signOf = (currency: string): string => signs[currency] || currency

/**
 * Whole units for every currency, whatever ISO 4217 says (open-points.md "Amounts"): `KSh 2,500`;
 * in French `2 500 KSh`.
 */
export function money(amount: number, currency: string, locale: string): string {
  const sum = grouped(amount, locale)
  const sign = signOf(currency)
  return isFrench(locale) ? `${sum}\u00a0${sign}` : `${sign}\u00a0${sum}`
}

/**
 * `money` in large letters: if too wide for its line, it may break at the currency, but not within
 * the number.
 */
export const sum = (amount: number, currency: string, locale: string): string =>
  money(amount, currency, locale).replace('\u00a0', ' ')

export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] || '')
}

/** Converts Arabic and Persian digits to ASCII: `٢٥٠٠` and `۲۵۰۰` become 2500. */
export const ownDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))

/** Without the invisible marks that are pasted along with a number or an address. */
export const withoutMarks = (text: string): string => text.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g, '')

/**
 * Parses whole major units (service.md, amount) from `2500`, `2,500`, `2 500`, `2.500`, `2500.00`,
 * or `2500/=` and `2,500/-` as shillings are written; NaN for anything else. A fraction is refused,
 * neither rounded nor read without its point: nobody pays another amount than they typed.
 * `1,234.500` and `0.500` have one, and in `1,500,00` the last comma could begin one.
 */
export function readAmount(text: string): number {
  const bare = ownDigits(withoutMarks(text)).replace(/[\s'’]/g, '')
  const [, whole = '', fraction = ''] = /^(.*?)([.,]00?)?(?:\/[-=])?$/.exec(bare) || []
  const [, separator] = /^[1-9]\d{0,2}([.,\u066c])\d{3}(?:\1\d{3})*$/.exec(whole) || []
  const isWhole = separator ? !fraction.startsWith(separator) : /^\d+$/.test(whole)
  return isWhole ? Number(whole.replace(/\D/g, '')) : NaN
}
