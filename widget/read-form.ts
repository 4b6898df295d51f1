// Turns the filled-in form into a request for a payment, and finds errors by field. No requests, no rendering.
import type { CreateDeposit } from '../server/contract/index.ts'
import type { Bank, Card } from './card.ts'
import type { CheckoutError } from './checkout-error.ts'
import { fill, grouped, money, readAmount, seenOf, withoutMarks } from './format.ts'
import type { CardTexts } from './locales/texts.ts'
import { fullPhone, plain } from './markets.ts'
import type { FieldName } from './types.ts'

/** For each wrong field, the key of its text, or the companion's own message. */
export type Faults = Partial<Record<FieldName, string>>

/** The stricter of the page's and the companion's limits; whole major units. */
export function limits({ minAmount, maxAmount, _offer: { market } }: Card): readonly [min: number, max: number] {
  return [
    Math.max(minAmount || 1, market ? market.min : 1),
    Math.min(maxAmount || Infinity, market ? market.max : Infinity),
  ]
}

/** `From KES 10 to KES 150,000`. */
export function limitsText(card: Card, text = card._words.limits): string {
  const [min, max] = limits(card).map((limit) =>
    limit === Infinity ? '∞' : money(limit, card._offer.row[2], card._locale),
  ) as [string, string]
  return fill(text, { min, max })
}

/** The text that a field should show, so far as the card has heard. */
export function fieldText(card: Card, field: FieldName): string {
  switch (field) {
    case 'country':
      return card._offer.row[0]
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
  const key = card._faults[field]
  if (!key) return ''
  const t = card._words
  // Until all texts are loaded, a more general one is used; anything that is no key is the companion's own message.
  const text = t[key as keyof CardTexts] || (/^err[A-Z]/.test(key) ? t.errOther : key)
  return limitsText(card, text)
}

/** The bank that the text of its field means: the one of that name, else the only one that the search finds. */
export function bankMeant(card: Card): Bank | undefined {
  const { flow } = card._checkout
  const { banks } = card._offer
  const text = card._query.trim()
  if (!text || !Array.isArray(banks)) return undefined
  const readings = [
    () => banks.filter(({ name }) => name.trim() === text),
    () => banks.filter(({ name }) => plain(name.trim()) === plain(text)),
    () => (flow ? flow.parts.searchBanks(banks, text) : []),
  ]
  for (const reading of readings) {
    const found = reading()
    // Several banks of one name: only the customer knows which.
    if (found[0]) return found[1] ? undefined : found[0]
  }
  return undefined
}

/** Whether a bank must still be chosen: banks match the text of its field, but none is meant for certain. */
export function isBankOpen(card: Card): boolean {
  const { flow } = card._checkout
  const { banks } = card._offer
  if (card.bank || !card._query.trim() || !Array.isArray(banks)) return false
  return Boolean(flow && flow.parts.searchBanks(banks, card._query)[0])
}

/** @param replaces id of the payment that the customer has given up */
export function readForm(
  card: Card,
  replaces: string | undefined,
): { readonly faults: Faults; readonly body: CreateDeposit } {
  const { bank, bankChoice } = card
  const { row, session, banks } = card._offer
  const asked = (field: 'name' | 'phone' | 'email', value: string | undefined): string | undefined =>
    session && session.payer[field] ? undefined : (value || '').trim()
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
  const wanted = bankChoice === 'required' ? banks !== 'failed' : isBankOpen(card)
  if (wanted && !bank && bankChoice !== 'hidden') faults.bank = 'errBank'
  // Undefined fields are not sent.
  const body = {
    country: row[0],
    currency: row[2],
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

/** If a refusal concerns a field: the field, and the text key or message to show there. */
export function fieldFault({
  path,
  code,
  message,
}: CheckoutError): readonly [field: FieldName, key: string] | undefined {
  const field = path && path.replace(/^payer\.|Code$/g, '')
  // A country that is not offered was usually set by the page, so there is no field for it.
  if (!field || !/^(bank|amount|name|phone|email)$/.test(field)) return undefined
  // A name of two letters is refused only where it is longer than the payment service takes.
  const own = ({ bank: 'errBank', name: 'errLong', phone: 'phoneOdd', email: 'errEmail' } as Record<string, string>)[
    field
  ]
  return [field as FieldName, code === 'amount_out_of_range' ? 'limits' : own || message]
}
