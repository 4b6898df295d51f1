// The texts that each language provides for the hosted checkout.

export interface CheckoutTexts {
  /** The language's own name. */
  readonly name: string
  readonly language: string
  readonly test: string
  readonly payTo: string
  readonly payer: string
  readonly payTitle: (amount: string) => string
  readonly chooseCountry: string
  readonly chooseOperator: string
  readonly operatorHint: string
  readonly chooseAgent: string
  readonly agentHint: string
  readonly orders: (count: string) => string
  readonly confirms: (minutes: string) => string
  readonly lock: string
  readonly change: string
  readonly next: string
  readonly timeLeft: string
  readonly locked: (until: string) => string
  readonly howToPay: string
  readonly openMenu: (operator: string) => string
  readonly sendTo: string
  readonly amount: string
  readonly reference: string
  readonly exactly: string
  readonly reason: string
  readonly keepMessage: string
  readonly copy: string
  readonly copied: string
  readonly iHavePaid: string
  readonly payFirst: string
  readonly waiting: string
  readonly waitingHint: string
  readonly refresh: string
  readonly done: string
  readonly doneHint: string
  readonly declined: string
  readonly cancelled: string
  readonly expired: string
  readonly failed: string
  readonly failedHint: string
  readonly paidButFailed: string
  readonly backToShop: string
  readonly cancel: string
  readonly cancelQuestion: string
  readonly cancelWarning: string
  readonly keepPaying: string
  readonly otherBrowser: string
  readonly inProgress: string
  readonly gone: string
  readonly goneHint: string
  readonly unknown: string
  readonly unknownHint: string
  readonly footer: string
  readonly steps: readonly [string, string, string, string]
  readonly step: (at: number) => string
}
