// English: the rare texts, for errors and unusual results.
import type { RareTexts } from './texts.ts'

export { failures, problems } from './by-code.ts'

export const texts: RareTexts = {
  failedMarket: 'The shop cannot take payments in this currency right now. Try again later or ask the shop.',
  errBusy: 'Many people are paying right now. Wait a minute and try again.',
  errDown: 'The payment service cannot be reached right now. Nothing was charged. Try again in a moment.',
  errOrigin: 'This shop is not set up for payments from this page. Please tell the shop.',
  errSession: 'This payment link is no longer valid. Ask the shop for a new one.',
  errAttempts: 'There were several attempts to pay this order. You can try again in {minutes} min.',
  errUsedUp: 'This payment link was tried too often and takes no more attempts. Open the payment from the shop again.',
  errPaid: 'This order is already paid. There is nothing more to do.',
  errLong: 'Enter a shorter name.',
  errBlocked:
    'Something on the way to the shop refuses this request, for example a security filter. Nothing was charged. Try again, use another network, or open the payment page.',
  unknownText:
    'The connection was lost while the payment was being prepared. We are checking; you will not be charged twice.',
  reviewTitle: 'The shop is checking this payment',
  reviewText: 'A person has to check something about this payment. Do not pay again; keep the reference.',
  abandonedTitle: 'This payment was given up',
  abandonedText: 'You can start again. If money for it still arrives, the shop will be told.',
  lateText: 'It arrived later than expected.',
  duplicateText: 'This order was already paid. The shop is told; ask it for a refund and give the reference.',
  failedCancelled:
    'The payment was cancelled, or the phone could not be reached. If money left your account, contact the shop with the reference. If not, try again.',
  failedFunds: 'There was not enough money in the account. Top up or use another number, then try again.',
  failedPin:
    'The agent did not confirm the payment. If money left your account, contact the shop with the reference. If not, try again.',
  failedUpstream: 'The payment service could not be reached. Nothing was charged. Try again in a moment.',
  expiredText:
    'The 15 minutes are over. If money left your account, contact the shop with the reference. If not, try again.',
}
