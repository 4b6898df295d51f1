// What the fields of the form show: their texts, limits and errors.
import { fill, grouped, money } from './format.ts'
import type { FormValues } from './form-values.ts'
import type { FieldName } from './types.ts'

/** The stricter of the page's and the companion's limits; whole major units. */
export function limits({ page, offer }: FormValues): readonly [min: number, max: number] {
  const { minAmount, maxAmount } = page
  const { market } = offer
  return [Math.max(minAmount || 1, market?.min ?? 1), Math.min(maxAmount || Infinity, market?.max ?? Infinity)]
}

/** `From KES 10 to KES 150,000`. */
export function limitsText(values: FormValues, text = values.texts.limits): string {
  const { offer, locale } = values
  const [min, max] = limits(values).map((limit) =>
    limit === Infinity ? '∞' : money(limit, offer.row.currency, locale),
  ) as [string, string]
  return fill(text, { min, max })
}

/** The text that a field should show, so far as the card has heard. */
export function fieldText({ page, offer, entry, locale }: FormValues, field: FieldName): string {
  switch (field) {
    case 'country':
      return offer.row.country
    case 'bank':
      return entry.query
    case 'amount':
      // An amount that the page has fixed; if it is no number, the amount is asked.
      return page.amount ? grouped(page.amount, locale) : entry.amount
    case 'name':
      return page.payerName || ''
    case 'phone':
      return page.payerPhone || ''
    case 'email':
      return page.payerEmail || ''
  }
}

export function faultText(values: FormValues, field: FieldName): string {
  const fault = values.entry.faults[field]
  const { texts } = values
  if (!fault) return ''
  if (typeof fault === 'object') return fault.message
  // Until all texts are loaded, a more general one is used.
  return limitsText(values, texts[fault] || texts.errOther)
}
