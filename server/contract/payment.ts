// A payment as the merchant's backend sees it: the deposit, unmasked, with its timeline.
import { z } from 'zod'
import { Act, Day, OwedKind, PaidBack, SearchBy, TableFormat, writtenLine, writtenLines } from './desk.ts'
import { DepositPhase, DepositStatus, DepositView } from './deposit.ts'
import { CountryCode, CurrencyCode } from './market.ts'
import { Metadata } from './session.ts'
import { NOT_TEXT, ONE_LINE, withoutUnseen } from './text.ts'

/** Amounts are whole major units, times RFC 3339. */
export const PaymentView = DepositView.omit({ checkoutUrl: true, payUrl: true }).extend({
  transactionId: z.string().optional(),
  payer: z
    .object({ name: z.string(), phone: z.string().optional(), email: z.string().optional() })
    .optional()
    .describe('Absent after `HC_RETENTION_DAYS`.'),
  sessionId: z.string().optional(),
  orderId: z.string().optional(),
  clientReference: z.string().optional(),
  description: z.string(),
  metadata: Metadata,
  expiresAt: z.string(),
  late: z.boolean().describe('True when the success came after the payment had been reported as ended.'),
  duplicate: z.boolean().describe('True when another payment of the same order had succeeded before.'),
  disputedSum: z
    .literal(true)
    .optional()
    .describe('The service signed a callback with another amount or currency: compare with its portal.'),
  reviewReason: z.string().optional().describe('Why a person must look at it, while `phase` is `review`.'),
  version: z.int(),
})
export type PaymentView = z.infer<typeof PaymentView>

/** One event of a payment: `kind` is a stable word, `detail` the evidence for it. */
export const TimelineEntry = z.object({
  at: z.string(),
  kind: z.string(),
  phase: DepositPhase,
  version: z.int(),
  detail: z.string().optional(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** What passed between the companion and the payment service, as far as it is kept. */
export const Evidence = z.object({
  request: z
    .object({
      at: z.string(),
      walletNo: z.string(),
      reference: z.string(),
      amount: z.int(),
      currency: CurrencyCode,
      description: z.string(),
      payer: PaymentView.shape.payer,
    })
    .describe('What the service was asked for.'),
  callbacks: z
    .array(
      z.object({
        at: z.string(),
        verdict: z
          .enum(['rang', 'unmatched', 'wrong_fields'])
          .describe(
            'It had us query the service, came before its payment was known, or names other details than ours.',
          ),
        text: z
          .string()
          .optional()
          .describe(
            'Its body without the hash, at most 4,096 characters. Absent once the payer is erased, or of no text.',
          ),
        bytes: z.int().describe('Length of the whole body; 0 once it is erased.'),
      }),
    )
    .describe('The callbacks that are kept, oldest first, at most 20. They trigger; they prove nothing.'),
})
export type Evidence = z.infer<typeof Evidence>

/** Answer of `GET /v1/payments/:id`. */
export const PaymentDetail = PaymentView.extend({
  timeline: z.array(TimelineEntry),
  reported: z
    .object({ fees: z.string().optional(), thirdPartyId: z.string().optional() })
    .describe('From the callback: as reported, not proven.'),
  notices: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      body: z.string().describe('The JSON that is signed and sent, to the byte.'),
      state: z.enum(['waiting', 'delivered', 'dead']),
      attempts: z.int().describe('Made in all, also before it was sent again.'),
      createdAt: z.string(),
      nextAttemptAt: z.string().optional(),
      deliveredAt: z.string().optional(),
      lastError: z.string().optional(),
    }),
  ),
  evidence: Evidence,
  acts: z.array(Act).optional().describe('What people did with it, oldest first.'),
  owed: z
    .object({ kind: OwedKind, paidBack: PaidBack.optional() })
    .optional()
    .describe('That money of it is to be paid back.'),
})
export type PaymentDetail = z.infer<typeof PaymentDetail>

/**
 * Answer of `GET /v1/payments`. Newest first; `nextCursor` is absent on the last page. Those of a
 * search are sorted by what was found, and of one number or word the newest first. A page of a
 * filtered search may be short, or empty, before the last one.
 */
export const PaymentList = z.object({
  payments: z.array(PaymentView),
  nextCursor: z.string().optional(),
  by: SearchBy.optional().describe('How the search was understood; absent where nothing is found.'),
  alsoBy: z.array(SearchBy).optional().describe('What else it would find payments by.'),
})
export type PaymentList = z.infer<typeof PaymentList>

/** A plus sign in an address means a space: `+03:00` arrives as ` 03:00`. */
const time = z.iso.datetime({
  offset: true,
  error: 'Write it as 2026-03-01T00:00:00Z, or with its offset: 2026-03-01T00:00:00+03:00 (in an address + is %2B).',
})

/** Query of `GET /v1/payments`. */
export const PaymentQuery = z.strictObject({
  cursor: z.string().max(400).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  status: DepositStatus.optional(),
  phase: DepositPhase.optional(),
  currency: CurrencyCode.optional(),
  country: CountryCode.optional(),
  orderId: z.string().max(128).regex(ONE_LINE, NOT_TEXT).optional(),
  sessionId: z.string().max(64).regex(ONE_LINE, NOT_TEXT).optional(),
  reference: z.string().max(64).regex(ONE_LINE, NOT_TEXT).optional(),
  from: time.optional().describe('RFC 3339, of `createdAt`; `from` is inclusive, `to` exclusive.'),
  to: time.optional(),
  fromDay: Day.optional().describe('First and last day, both included, in HC_TIME_ZONE; instead of `from` and `to`.'),
  toDay: Day.optional(),
  search: z
    .string()
    .max(200)
    .regex(ONE_LINE, { error: NOT_TEXT, abort: true })
    .overwrite(withoutUnseen)
    .optional()
    .describe(
      'The last 4 to 9 digits of a phone, beginnings of words of a name, the beginning of an order, a reference, a ' +
        "transaction of the service or an operator's number, or an amount. Capitals, invisible marks, and the spaces " +
        'and hyphens of a number do not count, nor those of an order where it is not found as it is written.',
    ),
  by: SearchBy.optional().describe('How `search` is meant; found out unless given.'),
})
export type PaymentQuery = z.infer<typeof PaymentQuery>

/** Query of `GET /v1/payments.csv`. */
export const PaymentTableQuery = PaymentQuery.omit({ cursor: true, limit: true }).extend({ format: TableFormat })
export type PaymentTableQuery = z.infer<typeof PaymentTableQuery>

/**
 * Body of `POST /v1/payments/:id/decision`. `by` names the person who decided; of a signed-in user
 * it is their name.
 */
export const Decision = z.strictObject({
  outcome: z.enum(['succeeded', 'failed']),
  reason: writtenLines(500),
  by: writtenLine(100),
})
export type Decision = z.infer<typeof Decision>
