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

export interface Deposit {
  id: string
  reference: string
  /** `test`: no real money moves. */
  mode: 'test' | 'live'
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  phase: DepositPhase
  /** Whole major units. */
  amount: number
  currency: string
  country: string
  bank?: { code: string; name: string } | undefined
  /** Masked. */
  payer: { name: string; phone?: string | undefined; email?: string | undefined }
  checkoutUrl?: string | undefined
  payUrl: string
  expiresAt: string
  overdue?: boolean | undefined
  createdAt: string
  settledAt?: string | undefined
  result?: { code: string; description: string } | undefined
  late?: boolean | undefined
  duplicate?: boolean | undefined
  description?: string | undefined
  version: number
}
