// What every language has to say. Plain data: no DOM, no Lit; the companion's pages use it too.

/** Needed before anything is clicked: in the first script, in every language. */
export interface FormTexts {
  country: string
  bank: string
  bankOptional: string
  amount: string
  limits: string
  name: string
  phone: string
  email: string
  emailHint: string
  pay: string
  payAmount: string
  submitting: string
  openingTab: string
}

/** Needed after the first keystroke: loaded in the customer's language while the form is filled in. */
export interface FlowTexts {
  test: string
  bankHint: string
  noBank: string
  banksFailed: string
  unknownTitle: string
  failedMarket: string
  errRequired: string
  errName: string
  errAmount: string
  errRange: string
  errEmail: string
  errBank: string
  errNetwork: string
  errBusy: string
  errDown: string
  errOrigin: string
  errSession: string
  errPaid: string
  errOther: string
  openTitle: string
  openText: string
  openAgain: string
  openLink: string
  checkNow: string
  lockBefore: string
  confirmingTitle: string
  confirmingText: string
  overdueTitle: string
  overdueText: string
  unknownText: string
  reviewTitle: string
  reviewText: string
  abandonedTitle: string
  abandonedText: string
  successTitle: string
  successText: string
  lateText: string
  duplicateTitle: string
  duplicateText: string
  failedTitle: string
  failedCancelled: string
  failedFunds: string
  failedPin: string
  failedUnreachable: string
  failedUpstream: string
  failedOther: string
  expiredTitle: string
  expiredText: string
  tryAgain: string
  notSent: string
  notSentHint: string
  forget: string
  reference: string
  print: string
  share: string
  sharePhone: string
  copied: string
  offline: string
  reconnecting: string
  date: string
}

export interface Texts extends FormTexts, FlowTexts {}
