// The texts that each language provides for the hosted checkout.

export interface CheckoutTexts {
  /** The language's own name. */
  name: string
  language: string
  test: string
  payTo: string
  payer: string
  payTitle: (amount: string) => string
  chooseCountry: string
  chooseOperator: string
  operatorHint: string
  chooseAgent: string
  agentHint: string
  rate: (percent: string) => string
  orders: (count: string) => string
  lock: string
  change: string
  next: string
  timeLeft: string
  locked: (until: string) => string
  howToPay: string
  openMenu: (operator: string) => string
  sendTo: string
  amount: string
  reference: string
  exactly: string
  reason: string
  keepMessage: string
  copy: string
  copied: string
  iHavePaid: string
  payFirst: string
  waiting: string
  waitingHint: string
  refresh: string
  done: string
  doneHint: string
  declined: string
  cancelled: string
  expired: string
  failed: string
  failedHint: string
  paidButFailed: string
  backToShop: string
  cancel: string
  cancelQuestion: string
  cancelWarning: string
  keepPaying: string
  otherBrowser: string
  inProgress: string
  gone: string
  goneHint: string
  unknown: string
  unknownHint: string
  footer: string
  steps: [string, string, string, string]
  step: (at: number) => string
}
