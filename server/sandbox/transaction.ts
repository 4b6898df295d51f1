// A transaction as stored in the sandbox's database.
import type { PaymentRequest } from './payment-request.ts'

type TransactionStatus = 'PENDING' | 'PROCESSING' | 'SUCCESS' | 'FAILED'

export interface Transaction extends Omit<PaymentRequest, 'channel'> {
  transaction_id: string
  business_id: string
  /** The last part of redirect_url. */
  session: string
  third_party_id: string
  status: TransactionStatus
  status_description: string
  result_code: number | null
  fees: string
  scenario: string
  step: 'open' | 'locked' | 'paid' | 'ended'
  country: string | null
  operator: string | null
  agent: string | null
  /** Cookie of the browser that opened the page first, and of the one that locked the order. */
  opened_by: string | null
  locked_by: string | null
  created_at: number
  expires_at: number
  locked_at: number | null
  paid_at: number | null
  ended_at: number | null
  /** Until then the status query still says PENDING. */
  query_sees_from: number | null
  version: number
}
