// The form in English: in the first script, and shown until the customer's language has come.

/** The language of these texts. */
export const firstLocale = 'en-GB'

export const firstTexts = {
  country: 'Country',
  bank: 'Your bank',
  bankOptional: 'Your bank (optional)',
  /** The row of a form with a fixed amount that opens the bank field. */
  bankFold: 'Your bank, for the shop’s records. You pay with mobile money',
  amount: 'Amount',
  /** `{min}` and `{max}`: with currency. */
  limits: 'From {min} to {max}',
  name: 'Full name',
  phone: 'Mobile number (optional)',
  email: 'E-mail (optional)',
  /** The row of a form with a fixed amount that opens both. */
  contactFold: 'Phone and e-mail (optional)',
  emailHint: 'For your receipt.',
  pay: 'Continue to payment',
  /** `{amount}`: with currency. */
  payAmount: 'Pay {amount}',
  /** Under the button: what comes next, and that nothing is charged yet. */
  next: 'On the next page you choose a verified agent. Nothing is charged yet.',
  submitting: 'Preparing your payment…',
  openingTab: 'Opening the payment page…',
  /** Among the first texts: without a network no others come. */
  errNetwork: 'No connection. Trying again. You will not be charged twice.',
  errOther: 'That did not work. Check your details and try again.',
}
