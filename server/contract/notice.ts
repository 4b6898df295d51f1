// Notices to the merchant's backend, by Standard Webhooks (money rule 9).
import { z } from 'zod'
import { DepositPhase } from './deposit.ts'
import { CountryCode, CurrencyCode, Mode } from './market.ts'
import { Metadata } from './session.ts'

/** demo/docs/receivers.md says when each is sent. */
export const NoticeType = z.enum([
  'payment.succeeded',
  'payment.duplicate',
  'payment.failed',
  'payment.expired',
  'payment.review',
])
export type NoticeType = z.infer<typeof NoticeType>

/**
 * Body of a notice. Receivers keep the highest `version` of a payment and credit once by
 * `paymentId`.
 */
export const Notice = z.object({
  type: NoticeType,
  timestamp: z.string().describe('RFC 3339: when the payment moved.'),
  data: z.object({
    paymentId: z.string(),
    reference: z.string(),
    sessionId: z.string().optional(),
    orderId: z.string().optional(),
    clientReference: z.string().optional().describe('From the browser: untrusted.'),
    amount: z.int(),
    currency: CurrencyCode,
    country: CountryCode,
    phase: DepositPhase,
    late: z.boolean(),
    duplicate: z.boolean(),
    version: z.int(),
    mode: Mode,
    metadata: Metadata,
    bank: z.object({ code: z.string(), name: z.string() }).optional(),
    reason: z.string().optional().describe('Why a person must look at it; on `payment.review`.'),
  }),
})
export type Notice = z.infer<typeof Notice>
