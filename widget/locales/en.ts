// English: the texts of the form, and those needed after the first keystroke.
import { firstTexts } from './first.ts'
import type { Words } from './texts.ts'

export const texts: Words['texts'] = {
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
  lockBefore: 'Choose an agent before {time}',
  minutes: '{n} minutes',
  confirmingTitle: 'Confirming your payment',
  confirmingText: 'This takes a few seconds.',
  overdueTitle: 'Still waiting',
  overdueText: 'If you have sent the money, wait: the result will appear here. Do not pay again.',
  resumedText:
    'If you have sent the money, do not pay again: the result will appear here. If not, open the payment page.',
  successTitle: 'Paid',
  successText: 'Your payment has arrived.',
  duplicateTitle: 'You paid twice',
  failedTitle: 'Not paid',
  failedOther: 'If you have not sent money, try again.',
  expiredTitle: 'Time ran out',
  tryAgain: 'Try again',
  notSent: 'I have not sent money',
  notSentHint: 'If the payment page no longer opens, and only if no money has left your account.',
  phoneOdd: 'This number looks unusual. Check it.',
  forget: 'Start another payment',
  forgetTitle: 'Forget this payment?',
  forgetNo: 'Keep it',
  reference: 'Reference',
  receipt: 'Receipt',
  help: 'How to pay',
  sharePhone: 'Pay on another phone',
  offline: 'No connection. The payment continues.',
  reconnecting: 'Connecting…',
  date: 'Date',
}

/** Rare texts and those of the other phone, the receipt and the help, loaded on demand. */
export const rare: Words['rare'] = () => import('./en-more.ts')
