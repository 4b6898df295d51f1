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
  /** Without an address the service sends the receipt to the holder of the business wallet (SERVICE.txt, email). */
  emailHint: string
  pay: string
  payAmount: string
  submitting: string
  openingTab: string
  errOther: string
}

/** Needed after the first keystroke: loaded in the customer's language while the form is filled in. */
export interface FlowTexts {
  test: string
  bankHint: string
  noBank: string
  banksFailed: string
  unknownTitle: string
  errName: string
  errAmount: string
  errRange: string
  errEmail: string
  errBank: string
  errNetwork: string
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
  successTitle: string
  successText: string
  duplicateTitle: string
  failedTitle: string
  failedOther: string
  expiredTitle: string
  tryAgain: string
  notSent: string
  notSentHint: string
  phoneOdd: string
  forget: string
  reference: string
  receipt: string
  help: string
  sharePhone: string
  offline: string
  reconnecting: string
  date: string
}

/** Needed when the customer asks for the other phone, the receipt or help: loaded with those. */
export interface ExtrasTexts {
  close: string
  /** Your shop's name on the receipt; while it is empty, the address of the page stands there. */
  shopName: string
  shop: string
  paidFor: string
  shareText: string
  shareLocked: string
  shareMessage: string
  qrLabel: string
  link: string
  copy: string
  copied: string
  copyByHand: string
  whatsApp: string
  share: string
  print: string
  save: string
  saved: string
  copyText: string
  asText: string
  inApp: string
  receiptNote: string
  operatorAsk: string
  operatorNone: string
  helpChoose: string
  helpSend: string
  helpPin: string
  helpTell: string
  helpWait: string
  promptTitle: string
  promptText: string
  promptMtn: string
  noPromptTitle: string
  noPromptPhone: string
  noPromptSim: string
  noPromptMenu: string
  noPromptMpesa: string
  noPromptSelf: string
  sentTitle: string
  sentText: string
}

/** Needed when something goes wrong or otherwise than usual: loaded when it has to be said. */
export interface RareTexts {
  failedMarket: string
  errBusy: string
  errDown: string
  errOrigin: string
  errSession: string
  errPaid: string
  unknownText: string
  reviewTitle: string
  reviewText: string
  abandonedTitle: string
  abandonedText: string
  lateText: string
  duplicateText: string
  failedCancelled: string
  failedFunds: string
  failedPin: string
  failedUnreachable: string
  failedUpstream: string
  expiredText: string
}

/** What is loaded together in the languages of further.ts. */
export interface MoreTexts extends RareTexts, ExtrasTexts {}

/** The rare words, and which of them belongs to which code. */
export interface Rare {
  readonly texts: RareTexts
  /** Of a failed payment: codes of SERVICE.txt's callbacks, and of the companion. */
  readonly failures: Readonly<Record<string, keyof RareTexts>>
  /** Of a refusal: the companion's problem codes, and the widget's own. */
  readonly problems: Readonly<Record<string, keyof RareTexts | 'errNetwork'>>
}

/** A language of further.ts: the form and what follows the first keystroke; what is read when it is asked for, or when something goes wrong. */
export interface FurtherWords {
  readonly texts: FormTexts & FlowTexts
  readonly rare: () => Promise<Rare & { readonly texts: MoreTexts }>
}

/** What the card itself can say at a moment: the rare words may not have come, and plainer ones stand for them. */
export interface CardTexts extends FormTexts, FlowTexts, Partial<RareTexts> {}

/** What a sheet over the card can say. */
export interface SheetTexts extends CardTexts, ExtrasTexts {}

/** Every text; each can be replaced by the page. */
export interface Texts extends FormTexts, FlowTexts, RareTexts, ExtrasTexts {}
