// The pages in English. The other languages have the same texts. What the card says too is in
// widget/locales/.
import { said } from './said.ts'

export type PageTexts = typeof english

export const english = {
  language: 'English',
  languages: 'Language',
  payTitle: 'Pay with mobile money',
  paymentTitle: 'Your payment',
  countryQuestion: 'Which country are you paying from?',
  change: 'Change',
  next: 'Continue',
  amountHint: (min: string, max: string) => `From ${min} to ${max}, without cents.`,
  bankNone: 'No bank, or not in this list',
  bankHint: 'For the shop’s records only. You pay with mobile money.',
  phoneHint: 'The number you pay with.',
  known: 'The shop has given us the rest.',
  toPay: 'To pay',
  /** Shown on a fresh form to a browser that has just started a payment here. */
  earlier: 'You have just started a payment here. If you have sent money for it, do not pay again.',
  earlierLink: 'See its status',
  faults: {
    summary: 'Please check the following:',
    country: 'Choose a country from the list.',
    currency: 'Choose the country again.',
    amount: (min: string, max: string) => `Enter a whole amount from ${min} to ${max}.`,
    phone: 'Enter the mobile number with digits only.',
    used:
      'A payment was already started with this form, with other details. ' +
      'If you have sent money for it, do not pay again: look at it first. ' +
      'If not, press the button again to start a new one.',
    usedLink: 'Look at the first payment',
    key: 'This form has expired. Nothing was charged. Press the button again.',
    confirm: 'Tick the box if you have not sent any money.',
  },
  /** In the browser's tab after a success. */
  received: 'Payment received',
  newTab: 'opens in a new tab',
  before: (time: string) => `Choose an agent there before ${time}.`,
  checkLater: 'Wait a moment before you check again.',
  /** When the page was made: after "Check now" without news, nothing else on it changes. */
  asOf: (time: string) => `As of ${time}.`,
  refreshes: 'This page updates by itself.',
  pause: 'Pause updates',
  paused: 'This page does not update by itself now.',
  resume: 'Resume updates',
  keepAddress: 'You can close this page. Keep its address to come back to it.',
  againTitle: 'Is the payment page not working?',
  againOverdue: 'Have you not sent any money?',
  againText: 'Only if you have not sent any money, you can give up this attempt and start again.',
  againConfirm: 'I have not sent any money for this payment.',
  againButton: 'Start again',
  receipt: {
    purpose: 'For',
    bank: 'Bank',
    started: 'Started',
    paid: 'Paid',
    print: 'Keep this page, or print it, as your receipt.',
  },
  ends: {
    notFound: said(
      'There is no payment at this address',
      'The link is incomplete or no longer valid. Open it again from where you got it, or ask the shop for a new one.',
    ),
    sessionExpired: said(
      'This payment link has expired',
      'No new payment can be started with it. Nothing was charged. Ask the shop for a new link.',
    ),
    sessionClosed: said(
      'This payment link is closed',
      'The shop has closed it. No new payment can be started with it, and nothing was charged.',
      'Ask the shop for a new link.',
    ),
    sessionsOnly: said(
      'Please start from the shop',
      'This shop takes payments through its own payment links only. Go back to the shop and choose to pay there.',
    ),
    origin: said(
      'We could not accept this form',
      'It was refused for your safety. Nothing was charged.',
      'Open the payment page again and fill in the form there.',
    ),
    rateLimited: said('Too many attempts', 'Nothing was charged. Wait a minute, then try again.'),
    unavailable: said(
      'Payments cannot be started right now',
      'Nothing was charged. Wait a moment, then go back and send the same form again. It never charges twice.',
    ),
    marketOff: said(
      'This currency is not available right now',
      'Nothing was charged. Try again later, or choose another way to pay at the shop.',
    ),
    noMarkets: said('Nothing to choose here yet', 'This shop takes no payments right now. Please tell the shop.'),
    unreadable: said('The form could not be read', 'Nothing was charged. Go back, then send it again.'),
    replaces: said(
      'This payment can no longer be given up',
      'Something has happened to it in the meantime. Check it again before you do anything.',
    ),
    fault: said(
      'Something went wrong here',
      'A payment that was already started is not lost. Go back and try the same form again: it never charges twice.',
    ),
  },
  requestId: 'Request number',
  back: 'Back to the payment',
}
