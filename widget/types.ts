// What a shop's code sees of a payment. Plain types, so that the package needs no other for them.

/** Where a deposit stands; `status` is the same in the payment service's three words. */
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

/** What a browser may see of a payment, as the companion tells it. Times are RFC 3339. */
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
  /** The customer's own, where they named it. */
  bank?: { code: string; name: string } | undefined
  /** Masked. */
  payer: { name: string; phone?: string | undefined; email?: string | undefined }
  /** Address of the hosted payment page; absent before it is known and after the end. */
  checkoutUrl?: string | undefined
  /** Hand-off page of this payment, opens in any browser. */
  payUrl: string
  /** An estimate of when an agent must be chosen; never the end of a payment. */
  expiresAt: string
  /** `expiresAt` has passed, and the payment may still be made. */
  overdue?: boolean | undefined
  createdAt: string
  settledAt?: string | undefined
  /** How it ended: a stable word, and the payment service's own text. */
  result?: { code: string; description: string } | undefined
  /** The success came after the payment had been told as ended. */
  late?: boolean | undefined
  /** Another payment of the same session had succeeded before. */
  duplicate?: boolean | undefined
  /** What it is for. */
  description?: string | undefined
  /** Rises with every change. */
  version: number
}
