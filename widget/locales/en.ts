// English: the texts of the form, and those needed after the first keystroke.
import { firstTexts } from './first.ts'

export const texts = {
  ...firstTexts,
  test: 'TEST · no real money',
  bankHint: 'Type to search',
  noBank: 'No bank found. You can continue without one.',
  banksFailed: 'List unavailable. You can continue without one.',
  unknownTitle: 'We are checking',
  errName: 'Enter your full name.',
  errAmount: 'Enter a whole amount, like 2500.',
  errEmail: 'Check this e-mail address.',
  errBank: 'Choose a bank from the list.',
  openTitle: 'Pay on the page that opened',
  openText: 'Choose an agent there and send the money. Keep this page open: the result will appear here.',
  openAgain: 'Open the payment page again',
  openLink: 'Open the payment page',
  checkNow: 'Check now',
  /** The answer to that where there is no news. `{time}`: on the customer's clock. */
  checkedAt: 'Not confirmed yet. Checked at {time}.',
  /** `{time}`: on the customer's clock. */
  lockBefore: 'Choose an agent before {time}',
  /** The same, seen on the card: `{n}` is 1 to 15. */
  lockWithin: 'Choose an agent within {n} min',
  /** Until then: `{n}` is 2 or 5. */
  minutes: '{n} minutes',
  confirmingTitle: 'Confirming your payment',
  confirmingText: 'This takes a few seconds.',
  overdueTitle: 'Still waiting',
  /** To a customer who comes back to a payment that waits. */
  openedTitle: 'Your payment is open',
  overdueText: 'If you have sent the money, wait: the result will appear here. Do not pay again.',
  /** To a customer who comes back, and may have paid meanwhile or not. */
  resumedText:
    'If you have sent the money, do not pay again: the result will appear here. If not, open the payment page.',
  /** To whoever was handed the link of a payment. */
  handedText:
    'Open the payment page to pay with mobile money. If the money is already sent, do not pay again: the result will appear here.',
  /** `{amount}`: with currency. */
  payTo: 'Pay {amount} to {shop}',
  successTitle: 'Paid',
  successText: 'We have received your payment.',
  thanks: 'Thank you',
  /** `{name}`: the first name. */
  thanksName: 'Thank you, {name}',
  /** `{email}`: masked. */
  mailed: 'The receipt goes to {email}.',
  /** The button after success. */
  back: 'Back to {shop}',
  backShop: 'Back to the shop',
  duplicateTitle: 'You paid twice',
  failedTitle: 'Not paid',
  failedOther: 'If you have not sent money, try again.',
  expiredTitle: 'Time ran out',
  tryAgain: 'Try again',
  notSent: 'I have not sent money',
  /** Opens the next two. */
  pageStuck: 'Page not opening? Start over',
  startOver: 'I have not sent money: start over',
  notSentHint: 'Only if no money has left your account.',
  phoneOdd: 'This number looks unusual. Check it.',
  forget: 'Start another payment',
  /** After a failure. */
  notYou: 'Not you? Forget',
  /** Asked before a payment that may still be paid is forgotten on this device. */
  forgetTitle: 'Forget this payment?',
  forgetNo: 'Keep it',
  reference: 'Reference',
  receipt: 'Receipt',
  help: 'How to pay',
  sharePhone: 'Pay on another phone',
  offline: 'No connection. The payment continues.',
  reconnecting: 'Connecting…',
  date: 'Date',
  /** `{min}`: with currency. */
  errMin: 'Enter at least {min}.',
  /** `{max}`: with currency. */
  errMax: 'Enter at most {max}.',
  /** Where a bank need not be chosen. */
  errBankList: 'Choose one from the list, or leave it empty.',
}

export const rare = () => import('./en-more.ts')
