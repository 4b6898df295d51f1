// Money, times and sentences in the customer's language.
/** Whole units for every currency, whatever ISO 4217 says (FACTS.md "Amounts"). */
export function money(amount: number, currency: string, locale: string): string {
  try {
    return new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits: 0,
      maximumFractionDigits: 0,
    }).format(amount)
  } catch {
    return `${currency} ${amount}`
  }
}

export function clock(iso: string, locale: string): string {
  return new Date(iso).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
}

export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] || '')
}

/**
 * Whole major units (SERVICE.txt, amount) out of `2500`, `2,500`, `2 500`, `2.500` or `2500.00`; NaN for all else.
 * A fraction is refused, not rounded and not read without its point: nobody pays another amount than was typed.
 */
export function readAmount(text: string): number {
  const bare = text.replace(/[\s'’]/g, '').replace(/[.,]0{1,2}$/, '')
  return /^(\d+|\d{1,3}([.,]\d{3})+)$/.test(bare) ? Number(bare.replace(/[.,]/g, '')) : NaN
}
