// English: the other phone, the receipt, the help.
import type { ExtrasTexts } from './texts.ts'

export const enExtras: ExtrasTexts = {
  close: 'Close',
  shopName: '',
  shop: 'Paid at',
  paidFor: 'For',
  shareText:
    'Scan this code with the other phone’s camera. The same payment opens there; its result is shown here too.',
  shareLocked: 'Have you already chosen an agent? Then finish on the phone where you did.',
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
  receiptNote: 'The shop finds this payment by its reference.',
  operatorAsk: 'Which mobile money do you pay with?',
  operatorNone: 'your mobile money',
  helpChoose: 'On the payment page choose {operator} and one of the agents. They are verified.',
  helpSend:
    'Send exactly {amount} with {operator} to the number that the page shows. Your operator may charge a fee: keep a little extra in your account.',
  helpPin:
    'Before you enter your PIN, check that the name and the amount match the page. Never tell anyone your PIN, not even the agent or the shop.',
  helpTell: 'Keep the confirmation message. If the payment page asks, confirm there that you have paid.',
  helpWait: 'The agent confirms, and the result appears here.',
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
  sentText:
    'The agent has to confirm it first, which can take a while. Do not send it again. If it takes long, give the shop the reference {reference} and show your operator’s message.',
}
