// Turns the filled-in form into a request for a payment, and finds errors by field. No requests, no rendering.
import type { CreateDeposit } from '../server/contract/index.ts'
import type { Card } from './card.ts'
import { fill, grouped, money, readAmount, seenOf, withoutMarks } from './format.ts'
import { fullPhone } from './markets.ts'
import type { FieldName } from './types.ts'

/** Texts of wrong fields. */
const faultKeys = ['errAmount', 'errBank', 'errEmail', 'errLong', 'errName', 'limits', 'phoneOdd'] as const
export type FaultKey = (typeof faultKeys)[number]
const isFaultKey = (text: string): text is FaultKey => (faultKeys as readonly string[]).includes(text)

/** For each wrong field, the key of its text (`FaultKey`), or the companion's own message. */
export type Faults = Partial<Record<FieldName, string>>

/** The stricter of the page's and the companion's limits; whole major units. */
export function limits({ minAmount, maxAmount, _offer: { market } }: Card): readonly [min: number, max: number] {
  return [Math.max(minAmount || 1, market?.min ?? 1), Math.min(maxAmount || Infinity, market?.max ?? Infinity)]
}

/** `From KES 10 to KES 150,000`. */
export function limitsText(card: Card, text = card._words.limits): string {
  const [min, max] = limits(card).map((limit) =>
    limit === Infinity ? '∞' : money(limit, card._offer.row.currency, card._locale),
  ) as [string, string]
  return fill(text, { min, max })
}

/** The text that a field should show, so far as the card has heard. */
export function fieldText(card: Card, field: FieldName): string {
  switch (field) {
    case 'country':
      return card._offer.row.country
    case 'bank':
      return card._query
    case 'amount':
      // An amount that the page has fixed; if it is no number, the amount is asked.
      return card.amount ? grouped(card.amount, card._locale) : card._amount
    case 'name':
      return card.payerName || ''
    case 'phone':
      return card.payerPhone || ''
    case 'email':
      return card.payerEmail || ''
  }
}

/** The error text of a field, empty if nothing is wrong with it. */
export function faultText(card: Card, field: FieldName): string {
  const fault = card._faults[field]
  if (!fault) return ''
  if (!isFaultKey(fault)) return fault
  // Until all texts are loaded, a more general one is used.
  return limitsText(card, card._words[fault] || card._words.errOther)
}

/** @param replaces id of the payment that the customer has given up */
export function readForm(
  card: Card,
  replaces: string | undefined,
): { readonly faults: Faults; readonly body: CreateDeposit } {
  const { bank, bankChoice } = card
  const { row, session, banks } = card._offer
  const { flow } = card._checkout
  const asked = (field: 'name' | 'phone' | 'email', value: string | undefined): string | undefined =>
    session?.payer[field] ? undefined : (value || '').trim()
  const amount = session ? session.amount : card.amount || readAmount(card._amount)
  const name = asked('name', card.payerName)
  const phone = asked('phone', card.payerPhone)
  const email = asked('email', withoutMarks(card.payerEmail || ''))
  const full = fullPhone(phone || '', row)
  const [min, max] = limits(card)
  const faults: Faults = {}
  if (!(amount > 0 && amount % 1 === 0)) faults.amount = 'errAmount'
  else if (!session && (amount < min || amount > max)) faults.amount = 'limits'
  if (name !== undefined && Array.from(seenOf(name)).length < 2) faults.name = 'errName'
  if (email && !/^\S+@\S+\.\S+$/.test(email)) faults.email = 'errEmail'
  // A list that failed to load never stops a payment; nor does a bank that is in no list, unless a bank is required.
  const wanted = bankChoice === 'required' ? banks !== 'failed' : flow?.parts.isBankOpen(card)
  if (wanted && !bank && bankChoice !== 'hidden') faults.bank = 'errBank'
  // Undefined fields are not sent.
  const body = {
    country: row.country,
    currency: row.currency,
    amount,
    payer: { name, phone: full ? `+${full}` : undefined, email: email || undefined },
    locale: card._locale,
    bankCode: (bankChoice !== 'hidden' && bank) || undefined,
    session: card.session || undefined,
    clientReference: card.clientReference || undefined,
    replaces,
  } as CreateDeposit
  return { faults, body }
}
