// English: after the first keystroke.
import type { FlowTexts, Rare } from './texts.ts'

export const texts: FlowTexts = {
  test: 'TEST · no real money',
  bankHint: 'Type to search',
  noBank: 'No bank of that name. You can go on without.',
  banksFailed: 'No list just now. You can go on without.',
  unknownTitle: 'We are checking',
  errName: 'Write your full name.',
  errAmount: 'Write a whole amount, like 2500.',
  errRange: 'From {min} to {max}, please.',
  errEmail: 'Check this e-mail address.',
  errBank: 'Choose a bank from the list.',
  errNetwork: 'No connection. We try again with the same payment; nothing is charged twice.',
  openTitle: 'Pay on the page that has opened',
  openText: 'Choose an agent there and send the money. The result is shown here; keep this page open.',
  openAgain: 'Open the payment page again',
  openLink: 'Open the payment page',
  checkNow: 'Check now',
  lockBefore: 'Choose an agent before {time}',
  confirmingTitle: 'Confirming your payment',
  confirmingText: 'This takes a few seconds.',
  overdueTitle: 'Still waiting',
  overdueText:
    'If you have sent the money, wait: the result is shown here. Do not pay a second time.',
  successTitle: 'Paid',
  successText: 'Your payment has arrived.',
  duplicateTitle: 'You paid twice',
  failedTitle: 'Not paid',
  failedOther: 'The payment did not go through. You can try again.',
  expiredTitle: 'The time ran out',
  tryAgain: 'Try again',
  notSent: 'I have not sent money',
  notSentHint: 'If the payment page no longer opens, and only if no money has left your account.',
  phoneOdd: 'This number looks unusual. Check it; you can go on.',
  forget: 'Not you? Forget this payment',
  reference: 'Reference',
  receipt: 'Receipt',
  help: 'How to pay',
  sharePhone: 'Pay on another phone',
  offline: 'You are offline. The payment goes on; the result is shown when you are back.',
  reconnecting: 'Connecting again…',
  date: 'Date',
}

/** What seldom has to be said comes when it is needed. */
export const rare = (): Promise<Rare> => import('./en-rare.ts')
