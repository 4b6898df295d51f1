// Turns the filled-in form into a request for a payment, and finds errors by field. No requests, no
// rendering.
import type { CreateDeposit } from '../../server/contract/index.ts'
import { limits } from './field-texts.ts'
import { readAmount, withoutMarks } from './format.ts'
import type { Faults, FormValues } from './form-values.ts'
import { fullPhone } from './full-phone.ts'

/**
 * What can be seen of a text: without spaces and what looks like one, such as the fillers of
 * Hangul. `\p{…}` is unknown to the oldest browsers.
 */
const seenOf = (text: string): string =>
  withoutMarks(text)
    .replace(/[\s\u00ad\u061c\u115f\u1160\u206a-\u206f\u2800\u3164\uffa0\ufff9-\ufffb]/g, '')
    .replace(/\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/g, '')

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
