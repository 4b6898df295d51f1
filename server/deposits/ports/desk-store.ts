// The part of the store port that serves the people of the shop: sign-ins, what they did, money
// paid back, payment links, figures.
import type { ActKind, CountryCode, CurrencyCode, DepositStatus, OwedKind, Role } from '../../contract/index.ts'
import type { Deposit } from '../machine/deposit.ts'

/** Times are milliseconds since 1970. */
export interface SignInRow {
  /** A hash of what the cookie holds. */
  readonly id: string
  readonly name: string
  /** Of the password's hash: with another password the sign-in has ended. */
  readonly mark: string
  readonly createdAt: number
  readonly seenAt: number
  readonly endsAt: number
}

export interface ActRow {
  readonly id: string
  readonly at: number
  readonly name: string
  readonly role: Role
  readonly act: ActKind
  readonly depositId?: string
  readonly why?: string
  readonly detail?: string
  /** `begun` until it has ended. */
  readonly result: string
}

export interface PaidBackRow {
  readonly depositId: string
  /** A day as 2026-11-28. */
  readonly onDay: string
  readonly amount: number
  readonly how: string
  readonly name: string
  readonly at: number
}

export interface LinkRow {
  readonly sessionId: string
  readonly createdAt: number
  readonly name: string
  readonly language: string
  /** Of one that a person has closed. */
  readonly closedAt?: number
  readonly closedBy?: string
  readonly closedWhy?: string
}

/** What a person writes about a link that they close. */
export type LinkClosing = Pick<LinkRow, 'sessionId'> & Required<Pick<LinkRow, 'closedAt' | 'closedBy' | 'closedWhy'>>

/** A callback that is still kept. */
export interface CallbackRow {
  readonly id: string
  readonly receivedAt: number
  readonly body: Uint8Array
  readonly verdict: 'rang' | 'unmatched' | 'wrong_fields'
}

/** A position in a list that is sorted by time and id, newest first. */
export interface Position {
  readonly at: number
  readonly id: string
}

/** Payments of one country, currency and status that were created in a stretch of time. */
export interface FigureRow {
  readonly country: CountryCode
  readonly currency: CurrencyCode
  readonly status: DepositStatus
  readonly count: number
  readonly sum: number
}

/** What was paid back on one day, of payments of one country and currency. */
export interface BackRow {
  /** A day as 2026-11-28. */
  readonly onDay: string
  readonly country: CountryCode
  readonly currency: CurrencyCode
  readonly count: number
  readonly sum: number
}

/**
 * `count` of delays that fall into the step with this index of `DELAY_STEPS_S`; one more for longer
 * ones.
 */
export interface DelayRow {
  readonly step: number
  readonly count: number
}

/** Seconds up to which each step of a histogram of delays reaches. */
export const DELAY_STEPS_S = [2, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1800, 7200] as const

export interface DeskStore {
  /**
   * Whether payments can be looked for by phone, name, amount and operator's number: the terms of
   * each are then written with it.
   */
  readonly isSearchable: boolean
  /**
   * Writes the terms of the payments that have none, which were made while the store was not
   * searchable; returns how many. Ends early when `isStopped` says so.
   */
  makeSearchable(isStopped: () => boolean): Promise<number>

  addSignIn(row: SignInRow): Promise<void>
  signIn(id: string): Promise<SignInRow | undefined>
  seeSignIn(id: string, at: number): Promise<void>
  endSignIn(id: string): Promise<void>
  /** Removes those that ended before. */
  purgeSignIns(before: number): Promise<void>

  /** False where there is one with its id. */
  addAct(row: ActRow): Promise<boolean>
  act(id: string): Promise<ActRow | undefined>
  /** One that is done stays so. */
  endAct(id: string, result: string, detail: string | undefined): Promise<void>
  /** Newest first. */
  acts(filter: {
    readonly limit: number
    readonly after?: Position
    readonly name?: string
    readonly from?: number
    readonly to?: number
  }): Promise<readonly ActRow[]>
  /** Oldest first. */
  actsOf(depositId: string): Promise<readonly ActRow[]>

  /** False where it was marked before: the first mark stays. */
  payBack(row: PaidBackRow): Promise<boolean>
  paidBack(depositId: string): Promise<PaidBackRow | undefined>
  /** Why money of this payment is owed, if it is. */
  owedFor(depositId: string): Promise<OwedKind | undefined>
  /** Newest first. */
  owed(filter: {
    readonly limit: number
    readonly isPaidBack: boolean
    readonly after?: Position
  }): Promise<readonly { readonly deposit: Deposit; readonly kind: OwedKind; readonly paidBack?: PaidBackRow }[]>

  /**
   * Callbacks of a payment that are still kept, oldest first, at most `limit` of each kind of id
   * (InboxRow of store.ts). `near`: when the first that moved it was heard; undefined where none
   * did.
   */
  callbacks(of: {
    readonly reference: string
    readonly near: number | undefined
    readonly limit: number
  }): Promise<readonly CallbackRow[]>

  /** One that is there already stays. */
  addLink(row: LinkRow): Promise<void>
  /** What was written about it before stays. */
  closeLink(closing: LinkClosing): Promise<void>
  link(sessionId: string): Promise<LinkRow | undefined>
  /** Newest first. */
  links(filter: { readonly limit: number; readonly after?: Position }): Promise<readonly LinkRow[]>

  /** Of the payments created from `from` to before `to`. */
  figures(from: number, to: number): Promise<readonly FigureRow[]>
  /** What was paid back from one day to another one, both included. */
  paidBackOn(fromDay: string, toDay: string): Promise<readonly BackRow[]>
  /** From the creation of a payment to its success. */
  paidDelays(from: number, to: number): Promise<readonly DelayRow[]>
  /** From the making of a notice to its delivery, for payments created in that time. */
  noticeDelays(from: number, to: number): Promise<readonly DelayRow[]>
}
