// What a deposit is inside the companion: the record that the state machine moves and the store keeps.
import type { CountryCode, CurrencyCode, DepositPhase, DepositStatus, Metadata, Mode } from '../contract/index.ts'

export interface PayerDetails {
  readonly name?: string
  /** Digits only, international, no plus: as the service wants it (SERVICE.txt, acc_no). */
  readonly phone?: string
  readonly email?: string
}

/** All times are milliseconds since 1970, all amounts whole major units. Records are never changed in place. */
export interface Deposit {
  readonly id: string
  /** Ours, made before any call: `HC` + `T`/`L` + 21 Crockford base-32 characters. Unique for ever. */
  readonly reference: string
  readonly mode: Mode
  readonly phase: DepositPhase
  /** Rises by one with every visible change; each write is a compare-and-set on it. */
  readonly version: number
  /** Generation of the derived token and link. */
  readonly generation: number
  readonly amount: number
  readonly currency: CurrencyCode
  readonly country: CountryCode
  readonly walletNo: string
  readonly bankCode?: string
  readonly bankName?: string
  /** Absent after retention has purged it. */
  readonly payer?: PayerDetails
  readonly description: string
  readonly sessionId?: string
  readonly orderId?: string
  /** The attempts whose place this one took, the newest last: the customer said that no money was sent for them (money rule 5). */
  readonly replaces?: readonly string[]
  /** The attempt that took this one's place. */
  readonly replacedBy?: string
  /** From the browser: untrusted. */
  readonly clientReference?: string
  readonly metadata: Metadata
  readonly locale?: string
  /** The service's id, once known. */
  readonly transactionId?: string
  readonly checkoutUrl?: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Our estimate of the 15 minutes without a locked order (money rule 5). */
  readonly expiresAt: number
  readonly settledAt?: number
  readonly resultCode?: string
  readonly resultDescription?: string
  /** `expiresAt` has passed and the service still said PENDING then (money rule 5). */
  readonly overdue: boolean
  readonly late: boolean
  readonly duplicate: boolean
  readonly reviewReason?: string
  /** Reported by a callback that was allowed to ring; not proven (FACTS.md). */
  readonly reportedFees?: string
  readonly reportedThirdPartyId?: string
  readonly reportedCode?: string
  /** Lines of timeline of the kinds that may come again and again. */
  readonly recurring?: number
  /** Since when the service has lacked the query path or denied what it gave an address for, for the 15 minutes of money rule 3. */
  readonly queryMissingSince?: number
  /** How often the service was asked since the last visible change: drives the spacing of the next ask. */
  readonly asks: number
  /** When the scheduler shall look again; absent when there is nothing left to ask. */
  readonly dueAt?: number
}

/** DESIGN.md, table of phases: what a shop is told in the service's own three words. */
export function statusOf(phase: DepositPhase): DepositStatus {
  if (phase === 'succeeded') return 'SUCCESS'
  if (phase === 'failed' || phase === 'expired' || phase === 'rejected') return 'FAILED'
  return 'PENDING'
}

const live: ReadonlySet<DepositPhase> = new Set(['creating', 'unknown', 'open', 'confirming', 'review'])

/** A live attempt holds its session: no second one is made beside it (money rule 6). */
export function isLive(phase: DepositPhase): boolean {
  return live.has(phase)
}

/** `succeeded` and `rejected` are for ever (money rule 4). */
export function isAbsorbing(phase: DepositPhase): boolean {
  return phase === 'succeeded' || phase === 'rejected'
}

/** Ended by the service's word, which a later word may yet turn into a success (money rule 4). */
export function isSoftEnd(phase: DepositPhase): boolean {
  return phase === 'failed' || phase === 'expired'
}

/** A ring makes it `confirming`: none has come yet, or what the last one rang for was asked and answered. */
export function isMovedByRing(phase: DepositPhase): boolean {
  return phase === 'creating' || phase === 'unknown' || phase === 'open'
}

/** What a call or a ring has left open, until our own query answers: asked about before all others. */
export function isInDoubt(phase: DepositPhase): boolean {
  return phase === 'creating' || phase === 'unknown' || phase === 'confirming'
}

/** What the merchant's backend locks for one order. */
export interface Session {
  readonly id: string
  readonly generation: number
  readonly amount: number
  readonly currency: CurrencyCode
  readonly country?: CountryCode
  readonly orderId: string
  readonly description: string
  readonly payer?: PayerDetails
  readonly metadata: Metadata
  readonly createdAt: number
  readonly expiresAt: number
}
