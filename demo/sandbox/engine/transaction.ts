// A transaction as stored in the sandbox's database.
import type { PaymentRequest } from './payment-request.ts'

type TransactionStatus = 'PENDING' | 'PROCESSING' | 'SUCCESS' | 'FAILED'

export interface Transaction extends Omit<PaymentRequest, 'channel'> {
  readonly transaction_id: string
  readonly business_id: string
  /** The last part of redirect_url. */
  readonly session: string
  readonly third_party_id: string
  readonly status: TransactionStatus
  readonly status_description: string
  readonly result_code: number | null
  readonly fees: string
  readonly scenario: string
  readonly step: 'open' | 'locked' | 'paid' | 'ended'
  readonly country: string | null
  readonly operator: string | null
  readonly agent: string | null
  /** Cookie of the browser that opened the page first, and of the one that locked the order. */
  readonly opened_by: string | null
  readonly locked_by: string | null
  readonly created_at: number
  readonly expires_at: number
  readonly locked_at: number | null
  readonly paid_at: number | null
  readonly ended_at: number | null
  /** Until then the status query still says PENDING. */
  readonly query_sees_from: number | null
  readonly version: number
}
