// Turns the filled-in form into a request for a payment, and finds errors by field. No requests, no
// rendering.
import type { CreateDeposit } from '../server/contract/index.ts'
import { fill, grouped, money, readAmount, seenOf, withoutMarks } from './format.ts'
import type { Faults, FormValues } from './form-values.ts'
import { fullPhone } from './markets.ts'
import type { FieldName } from './types.ts'

/** Texts of wrong fields. */
const faultKeys = [
  'errAmount',
  'errBank',
  'errBankList',
  'errEmail',
  'errLong',
  'errMax',
  'errMin',
  'errName',
  'limits',
  'phoneOdd',
] as const
export type FaultKey = (typeof faultKeys)[number]
const isFaultKey = (text: string): text is FaultKey => (faultKeys as readonly string[]).includes(text)

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

/** The error text of a field, empty if nothing is wrong with it. */
export function faultText(values: FormValues, field: FieldName): string {
  const fault = values.entry.faults[field]
  const { texts } = values
  if (!fault) return ''
  if (!isFaultKey(fault)) return fault
  // Until all texts are loaded, a more general one is used.
  return limitsText(values, texts[fault] || texts.errOther)
}

/**
 * @param isBankOpen whether the text of the bank field could mean several banks
 * @param replaces id of the payment that the customer has given up
 */
export function readForm(
  values: FormValues,
  isBankOpen: boolean,
  replaces: string | undefined,
): { readonly faults: Faults; readonly body: CreateDeposit } {
  const { page, offer, entry, locale } = values
  const { bank, bankChoice } = page
  const { row, session, banks } = offer
  const asked = (field: 'name' | 'phone' | 'email', value: string | undefined): string | undefined =>
    session?.payer[field] ? undefined : (value || '').trim()
  const amount = session ? session.amount : page.amount || readAmount(entry.amount)
  const name = asked('name', page.payerName)
  const phone = asked('phone', page.payerPhone)
  const email = asked('email', withoutMarks(page.payerEmail || ''))
  const full = fullPhone(phone || '', row)
  const [min, max] = limits(values)
  const faults: Faults = {}
  if (!(amount > 0 && amount % 1 === 0)) faults.amount = 'errAmount'
  else if (!session && amount < min) faults.amount = 'errMin'
  else if (!session && amount > max) faults.amount = 'errMax'
  if (name !== undefined && Array.from(seenOf(name)).length < 2) faults.name = 'errName'
  if (email && !/^\S+@\S+\.\S+$/.test(email)) faults.email = 'errEmail'
  // A list that failed to load never stops a payment; nor does a bank that is in no list, unless a
  // bank is required.
  const wanted = bankChoice === 'required' ? banks !== 'failed' : isBankOpen
  if (wanted && !bank && bankChoice !== 'hidden') faults.bank = bankChoice === 'required' ? 'errBank' : 'errBankList'
  // Undefined fields are not sent.
  const body = {
    country: row.country,
    currency: row.currency,
    amount,
    payer: { name, phone: full ? `+${full}` : undefined, email: email || undefined },
    locale,
    bankCode: (bankChoice !== 'hidden' && bank) || undefined,
    session: page.session || undefined,
    clientReference: page.clientReference || undefined,
    replaces,
  } as CreateDeposit
  return { faults, body }
}
