// The types of a payment, and of the form, for a shop's code. Plain types, so that the package
// needs no other package for them.

/** A field of the form. */
export type FieldName = 'country' | 'bank' | 'amount' | 'name' | 'phone' | 'email'

/** Phase of a deposit; `status` is the same in the payment service's three values. */
export type DepositPhase =
  | 'creating'
  | 'unknown'
  | 'open'
  | 'confirming'
  | 'abandoned'
  | 'review'
  | 'succeeded'
  | 'failed'
  | 'expired'
  | 'rejected'

/**
 * What a page may see of a payment: what the companion sends, without the addresses that open it
 * (`paymentLink()` gives one). Times are RFC 3339.
 */
export interface Deposit {
  id: string
  /** On receipts and in the merchant's records; 24 characters. */
  reference: string
  /** `test`: no real money moves. */
  mode: 'test' | 'live'
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  phase: DepositPhase
  /** Whole major units. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** The customer's own bank, if they chose one. */
  bank?: { code: string; name: string } | undefined
  /** Masked. */
  payer: { name: string; phone?: string | undefined; email?: string | undefined }
  /** An estimate of when an agent must be chosen; never the end of a payment. */
  expiresAt: string
  /** `expiresAt` has passed, but the payment may still be made. */
  overdue?: boolean | undefined
  createdAt: string
  settledAt?: string | undefined
  /** How it ended: a stable code, and the payment service's own text. */
  result?: { code: string; description: string } | undefined
  /** The success came after the payment had been reported as ended. */
  late?: boolean | undefined
  /** Another payment of the same session had already succeeded. */
  duplicate?: boolean | undefined
  /** What the payment is for. */
  description?: string | undefined
  /** Rises with every change. */
  version: number
}
