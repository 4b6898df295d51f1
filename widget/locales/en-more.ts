// English: the rare texts; the other phone, the receipt, the help.
export { failures, problems } from './by-code.ts'

export const texts = {
  failedMarket: 'The shop cannot take payments in this currency right now. Try again later or ask the shop.',
  errBusy: 'Many people are paying right now. Wait a minute and try again.',
  errDown: 'The payment service cannot be reached right now. Nothing was charged. Try again in a moment.',
  errOrigin: 'This shop is not set up for payments from this page. Please tell the shop.',
  errSession: 'This payment link is no longer valid. Ask the shop for a new one.',
  /** `{minutes}` until the next attempt is taken. */
  errAttempts: 'There were several attempts to pay this order. You can try again in {minutes} min.',
  errUsedUp: 'This payment link was tried too often and takes no more attempts. Open the payment from the shop again.',
  errPaid: 'This order is already paid. There is nothing more to do.',
  errLong: 'Enter a shorter name.',
  /** A firewall or proxy refuses the request. */
  errBlocked:
    'Something on the way to the shop refuses this request, for example a security filter. Nothing was charged. Try again, use another network, or open the payment page.',
  unknownText:
    'The connection was lost while the payment was being prepared. We are checking, which can take up to a minute; you will not be charged twice.',
  reviewTitle: 'The shop is checking this payment',
  reviewText: 'Someone at the shop needs to check this payment. Do not pay again; keep the reference.',
  abandonedTitle: 'This attempt is closed',
  abandonedText: 'You can start again. If money for it still arrives, the shop will be told.',
  /** The payment page never came. */
  lostTitle: 'The payment could not be opened',
  lostText: 'Nothing was charged. Try again.',
  /** A check that something on its way has refused. */
  checkLost: 'This check did not get through. The payment continues.',
  lateText: 'It arrived later than expected.',
  duplicateText: 'This order was already paid. We have told the shop. Ask for a refund and quote the reference.',
  failedCancelled:
    'The payment was cancelled, or the phone could not be reached. If money left your account, contact the shop with the reference. If not, try again.',
  failedFunds: 'There was not enough money in the account. Top up or use another number, then try again.',
  failedPin:
    'The agent did not confirm the payment. If money left your account, contact the shop with the reference. If not, try again.',
  failedUpstream: 'The payment service could not be reached. Nothing was charged. Try again in a moment.',
  expiredText:
    'The 15 minutes are over. If money left your account, contact the shop with the reference. If not, try again.',
  close: 'Close',
  /** Your shop's name on the receipt; if empty, the address of the page. */
  shopName: '',
  shop: 'Paid to',
  paidFor: 'For',
  shareText:
    'Scan this code with the other phone’s camera. The same payment opens there; its result is shown here too.',
  shareLocked: 'Have you already chosen an agent? Then finish on the phone where you did.',
  /** `{amount}` and `{url}`. */
  shareMessage: 'Please pay {amount} here: {url}',
  qrLabel: 'QR code: link to this payment',
  link: 'Link to this payment',
  copy: 'Copy link',
  copied: 'Copied',
  copyByHand: 'Press and hold the selected text, then copy it.',
  whatsApp: 'WhatsApp',
  share: 'Share',
  print: 'Print',
  save: 'Save as a file',
  saved: 'Saved. Look in your downloads.',
  copyText: 'Copy as text',
  asText: 'The receipt as text',
  inApp: 'This app cannot print or save files. Copy or share the receipt, or take a screenshot.',
  receiptNote: 'Quote this reference if you contact the shop.',
  operatorAsk: 'Which mobile money do you pay with?',
  operatorNone: 'your mobile money',
  /** In the steps: `{operator}`, `{amount}` and `{reference}`. */
  helpChoose: 'On the payment page choose {operator} and one of the agents. They are verified.',
  helpSend:
    'Send exactly {amount} with {operator} to the number that the page shows. Your operator may charge a fee: keep a little extra in your account.',
  helpPin:
    'Before you enter your PIN, check that the name and the amount match the page. Never tell anyone your PIN, not even the agent or the shop.',
  helpTell: 'Keep the confirmation message. If the payment page asks, confirm there that you have paid.',
  helpWait: 'The agent confirms, and the result appears here.',
  agentTitle: 'What is an agent?',
  agentText:
    'A checked business that takes your mobile money and passes it to the shop. You see its name before you send.',
  promptTitle: 'Did a request appear on your phone?',
  promptText:
    'A window may open on your phone with a name, the amount and a field for your PIN. If everything matches the payment page, it is the same payment: answer it, and do not send the money a second time.',
  promptMtn: 'MTN waits five minutes for your answer.',
  noPromptTitle: 'No request, or it disappeared?',
  noPromptPhone: 'Unlock the phone and check that it has signal.',
  noPromptSim: 'The SIM card of your mobile-money number must be in that phone.',
  noPromptMenu: 'Close any other menu of your operator and try again.',
  noPromptMpesa: 'M-Pesa handles one menu at a time: wait two minutes after the last one.',
  noPromptSelf: 'Not every payment sends a request. If the page shows a number, send the money yourself.',
  sentTitle: 'Sent, but no result here?',
  /** `{operator}`, `{amount}` and `{reference}`. */
  sentText:
    'The agent has to confirm it first, which can take a while. Do not send it again. If it takes long, give the shop the reference {reference} and show your operator’s message.',
  /** In place of `shareMessage` where the shop has a name: `{amount}`, `{shop}` and `{url}`. */
  shareShop: 'Please pay {amount} to {shop}: {url}',
  /** On the receipt, before the mobile-money service that the customer has named. */
  operator: 'Paid with',
  copyReference: 'Copy the reference',
  qrReference: 'QR code: reference of this payment',
  /** Before the shop's phone, e-mail and help page. */
  support: 'Questions? Contact the shop:',
  helpPage: 'Help page',
}
