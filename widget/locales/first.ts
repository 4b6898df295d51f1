// The form in English: in the first script, and shown until the customer's language has come.
import type { CardTexts, FlowTexts, FormTexts, Texts } from './texts.ts'

/** The language of these texts. */
export const firstLocale = 'en-GB'

export const firstTexts: FormTexts = {
  country: 'Country',
  bank: 'Your bank',
  bankOptional: 'Your bank (optional)',
  bankFold: 'Your bank, for the shop’s records. You pay with mobile money',
  amount: 'Amount',
  limits: 'From {min} to {max}',
  name: 'Full name',
  phone: 'Mobile number (optional)',
  email: 'E-mail (optional)',
  contactFold: 'Phone and e-mail (optional)',
  emailHint: 'For your receipt.',
  pay: 'Continue to payment',
  payAmount: 'Pay {amount}',
  next: 'On the next page you choose a verified agent. Nothing is charged yet.',
  submitting: 'Preparing your payment…',
  openingTab: 'Opening the payment page…',
  errNetwork: 'No connection. Trying again. You will not be charged twice.',
  errOther: 'That did not work. Check your details and try again.',
}

/**
 * All texts that have come, and the page's own. None of those takes the place of the mark of a test
 * payment.
 */
export const wordsOf = (flow: FlowTexts | undefined, page: Partial<Texts> | undefined): CardTexts =>
  ({ ...firstTexts, ...flow, ...page, test: flow?.test || 'TEST' }) as CardTexts
