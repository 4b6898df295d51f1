// The texts that every language must provide, and that a shop may replace. Names in braces are
// filled in where a text's comment lists them; a text may do without one. Plain data: no DOM, no
// Lit; the companion's pages use it too.

/** Needed at once; in English in the first script (first.ts). */
export interface FormTexts {
  country: string
  bank: string
  bankOptional: string
  /** The row of a form with a fixed amount that opens the bank field. */
  bankFold: string
  amount: string
  /** `{min}` and `{max}`: with currency. */
  limits: string
  name: string
  phone: string
  email: string
  /** The row of a form with a fixed amount that opens both. */
  contactFold: string
  emailHint: string
  pay: string
  /** `{amount}`: with currency. */
  payAmount: string
  /** Under the button: what comes next, and that nothing is charged yet. */
  next: string
  submitting: string
  openingTab: string
  /** Among the first texts: without a network no others come. */
  errNetwork: string
  errOther: string
}

/**
 * Needed after the first keystroke: loaded in the customer's language while the form is filled in.
 */
export interface FlowTexts {
  test: string
  bankHint: string
  noBank: string
  banksFailed: string
  unknownTitle: string
  errName: string
  errAmount: string
  errEmail: string
  errBank: string
  openTitle: string
  openText: string
  openAgain: string
  openLink: string
  checkNow: string
  /** The answer to that where there is no news. `{time}`: on the customer's clock. */
  checkedAt: string
  /** `{time}`: on the customer's clock. */
  lockBefore: string
  /** The same, seen on the card: `{n}` is 1 to 15. */
  lockWithin: string
  /** Until then: `{n}` is 2 or 5. */
  minutes: string
  confirmingTitle: string
  confirmingText: string
  overdueTitle: string
  /** To a customer who comes back to a payment that waits. */
  openedTitle: string
  overdueText: string
  /** To a customer who comes back, and may have paid meanwhile or not. */
  resumedText: string
  /** To whoever was handed the link of a payment. */
  handedText: string
  /** `{amount}`: with currency. */
  payTo: string
  successTitle: string
  successText: string
  thanks: string
  /** `{name}`: the first name. */
  thanksName: string
  /** `{email}`: masked. */
  mailed: string
  /** The button after success. */
  back: string
  backShop: string
  duplicateTitle: string
  failedTitle: string
  failedOther: string
  expiredTitle: string
  tryAgain: string
  notSent: string
  /** Opens the next two. */
  pageStuck: string
  startOver: string
  notSentHint: string
  phoneOdd: string
  forget: string
  /** After a failure. */
  notYou: string
  /** Asked before a payment that may still be paid is forgotten on this device. */
  forgetTitle: string
  forgetNo: string
  reference: string
  receipt: string
  help: string
  sharePhone: string
  offline: string
  reconnecting: string
  date: string
  /** `{min}`: with currency. */
  errMin: string
  /** `{max}`: with currency. */
  errMax: string
  /** Where a bank need not be chosen. */
  errBankList: string
  /** Before the shop's phone, e-mail and help page. */
  support: string
  helpPage: string
}

/** Needed for the other phone, the receipt and help: loaded with those. */
export interface ExtrasTexts {
  close: string
  /** Your shop's name on the receipt; if empty, the address of the page. */
  shopName: string
  shop: string
  paidFor: string
  shareText: string
  shareLocked: string
  /** `{amount}` and `{url}`. */
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
  /** In the steps: `{operator}`, `{amount}` and `{reference}`. */
  helpChoose: string
  helpSend: string
  helpPin: string
  helpTell: string
  helpWait: string
  agentTitle: string
  agentText: string
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
  /** `{operator}`, `{amount}` and `{reference}`. */
  sentText: string
  /** In place of `shareMessage` where the shop has a name: `{amount}`, `{shop}` and `{url}`. */
  shareShop: string
  /** On the receipt, before the mobile-money service that the customer has named. */
  operator: string
  copyReference: string
  qrReference: string
}

/** Needed for errors and unusual results: loaded on demand. */
export interface RareTexts {
  failedMarket: string
  errBusy: string
  errDown: string
  errOrigin: string
  errSession: string
  /** `{minutes}` until the next attempt is taken. */
  errAttempts: string
  errUsedUp: string
  errPaid: string
  errLong: string
  /** A firewall or proxy refuses the request. */
  errBlocked: string
  unknownText: string
  reviewTitle: string
  reviewText: string
  abandonedTitle: string
  abandonedText: string
  /** The payment page never came. */
  lostTitle: string
  lostText: string
  /** A check that something on its way has refused. */
  checkLost: string
  lateText: string
  duplicateText: string
  failedCancelled: string
  failedFunds: string
  failedPin: string
  failedUpstream: string
  expiredText: string
}

/** Texts that are loaded together, on demand. */
export interface MoreTexts extends RareTexts, ExtrasTexts {}

/** The rare texts, and their keys by code. */
export interface Rare {
  readonly texts: RareTexts
  /** For a failed payment: result codes of service.md's callbacks, and of the companion. */
  readonly failures: Readonly<Record<string, keyof RareTexts>>
  /** For a refusal: the companion's problem codes, and the widget's own. */
  readonly problems: Readonly<Record<string, keyof RareTexts>>
}

/** A language: the texts of the form and after the first keystroke, and those loaded on demand. */
export interface Words {
  readonly texts: FormTexts & FlowTexts
  readonly rare: () => Promise<Rare & { readonly texts: MoreTexts }>
}

/**
 * Texts available to the card. Before the flow has come it has those of the form alone; more
 * general ones replace rare ones that have not.
 */
export interface CardTexts extends FormTexts, FlowTexts, Partial<RareTexts> {}

/** Texts available to a sheet over the card. */
export interface SheetTexts extends CardTexts, ExtrasTexts {}

/** All texts; the page can replace each. */
export interface Texts extends FormTexts, FlowTexts, RareTexts, ExtrasTexts {}
