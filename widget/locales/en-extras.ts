// English: the other phone, the receipt, the help.
import type { ExtrasTexts } from './texts.ts'

export const enExtras: ExtrasTexts = {
  close: 'Close',
  shopName: '',
  shop: 'Paid at',
  paidFor: 'For',
  shareText:
    'Scan this code with the other phone’s camera. This same payment opens there; its result is shown here too.',
  shareLocked: 'Have you chosen an agent already? Then finish on the phone where you did.',
  shareMessage: 'Please pay {amount} here: {url}',
  qrLabel: 'QR code: link to this payment',
  link: 'Link to this payment',
  copy: 'Copy link',
  copied: 'Copied',
  copyByHand: 'Press and hold the marked text, then copy it.',
  whatsApp: 'WhatsApp',
  share: 'Share',
  print: 'Print',
  save: 'Save as a file',
  saved: 'Saved: look among your downloads.',
  copyText: 'Copy as text',
  asText: 'The receipt as text',
  inApp: 'This app cannot print or save files. Copy or share the receipt, or take a picture of the screen.',
  receiptNote: 'The shop finds this payment by its reference.',
  operatorAsk: 'With which mobile money do you pay?',
  operatorNone: 'your mobile money',
  helpChoose: 'On the payment page choose {operator} and one of the agents. They are verified.',
  helpSend:
    'Send exactly {amount} with {operator} to the number that the page shows. Your operator may charge a fee: have a little more on the account.',
  helpPin:
    'Before you enter your PIN, compare name and amount with the page. Tell your PIN to nobody, not to the agent and not to the shop.',
  helpTell: 'Keep the message that confirms it. If the payment page asks, say there that you have paid.',
  helpWait: 'The agent confirms; then the result appears here.',
  promptTitle: 'A request comes to the phone?',
  promptText:
    'It may be that a window opens on your phone with a name, the amount and a field for your PIN. If all is as on the payment page, it is the same payment: answer it, and do not send the money a second time.',
  promptMtn: 'MTN waits five minutes for the answer.',
  noPromptTitle: 'Nothing comes, or it has gone?',
  noPromptPhone: 'Unlock the phone and see that it has signal.',
  noPromptSim: 'The SIM card of your mobile-money number must be in that phone.',
  noPromptMenu: 'Close any other menu of your operator and try again.',
  noPromptMpesa: 'M-Pesa serves one menu at a time: wait two minutes after the last one.',
  noPromptSelf: 'Not every payment sends a request. If the page shows a number, you send the money yourself.',
  sentTitle: 'Sent, but no result here?',
  sentText:
    'The agent has to confirm it first; that can take a while. Do not send it again. If it takes long, tell the shop the reference {reference} and show your operator’s message.',
}
