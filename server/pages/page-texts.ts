// The shape of the pages' texts, filled in by each language's file.
/** A heading and what it means for the customer. */
export interface Said {
  readonly title: string
  readonly text: string
}

export const said = (title: string, ...sentences: readonly string[]): Said => ({ title, text: sentences.join(' ') })

export interface PageTexts {
  readonly language: string
  readonly languages: string
  readonly payTitle: string
  readonly paymentTitle: string
  readonly optional: string
  readonly countryQuestion: string
  readonly country: string
  readonly change: string
  readonly next: string
  readonly amount: string
  readonly amountHint: (min: string, max: string) => string
  readonly bank: string
  readonly bankNone: string
  readonly bankHint: string
  readonly phone: string
  readonly phoneHint: string
  readonly email: string
  readonly emailHint: string
  readonly known: string
  readonly toPay: string
  readonly payButton: string
  readonly payAmount: (amount: string) => string
  readonly payHint: string
  /** Shown on a fresh form to a browser that has just started a payment here. */
  readonly earlier: string
  readonly earlierLink: string
  readonly faults: {
    readonly summary: string
    readonly country: string
    readonly currency: string
    readonly amount: (min: string, max: string) => string
    readonly bank: string
    readonly name: string
    readonly nameLong: (most: number) => string
    readonly phone: string
    readonly email: string
    readonly used: string
    readonly usedLink: string
    readonly key: string
    readonly confirm: string
  }
  readonly states: {
    readonly starting: Said
    readonly open: Said
    readonly overdue: Said
    readonly confirming: Said
    readonly abandoned: Said
    readonly lost: Said
    readonly orderPaid: Said
    readonly review: Said
    readonly succeeded: Said
    readonly failed: Said
    readonly unreached: Said
    readonly expired: Said
    readonly rejected: Said
    readonly serviceDown: Said
  }
  readonly late: string
  readonly duplicate: string
  readonly openButton: string
  readonly newTab: string
  readonly before: (time: string) => string
  readonly checkButton: string
  readonly checkLater: string
  /** When the page was rendered: after "Check now" without news, the only thing on it that changes. */
  readonly asOf: (time: string) => string
  readonly refreshes: string
  readonly pause: string
  readonly paused: string
  readonly resume: string
  readonly keepAddress: string
  readonly againTitle: string
  readonly againOverdue: string
  readonly againText: string
  readonly againConfirm: string
  readonly againButton: string
  readonly retryButton: string
  readonly receipt: {
    readonly purpose: string
    readonly bank: string
    readonly reference: string
    readonly started: string
    readonly paid: string
    readonly print: string
  }
  readonly ends: {
    readonly notFound: Said
    readonly sessionExpired: Said
    readonly sessionsOnly: Said
    readonly origin: Said
    readonly rateLimited: Said
    readonly unavailable: Said
    readonly marketOff: Said
    readonly noMarkets: Said
    readonly unreadable: Said
    readonly replaces: Said
    readonly fault: Said
  }
  readonly requestId: string
  readonly back: string
}
