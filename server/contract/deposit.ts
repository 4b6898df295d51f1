// The deposit as seen by the browser: what it sends and what it may see.
import { z } from 'zod'
import { CountryCode, CurrencyCode, Mode } from './market.ts'
import { NOT_TEXT, ONE_LINE, PHONE, seenIn, shopsName, withoutUnseen } from './text.ts'

/** Where a deposit stands. demo/docs/integrate.md says what each means. */
export const DepositPhase = z.enum([
  'creating',
  'unknown',
  'open',
  'confirming',
  'abandoned',
  'review',
  'succeeded',
  'failed',
  'expired',
  'rejected',
])
export type DepositPhase = z.infer<typeof DepositPhase>

/**
 * service.md "States and transitions". PROCESSING and unknown words of the service count as
 * PENDING.
 */
export const DepositStatus = z.enum(['PENDING', 'SUCCESS', 'FAILED'])
export type DepositStatus = z.infer<typeof DepositStatus>

/** What a payment is to be over. */
export const Amount = z
  .int('Use a whole number in major units, such as 2300: no text, decimals or separators.')
  .positive('The amount must be above zero: send a whole number of major units.')

/** Two cells of a table are copied with a tab between them. */
export function plainName(name: string): string {
  return withoutUnseen(name.replaceAll('\t', ' ')).trim()
}

/**
 * service.md: acc_name has at least two characters; HC_MAX_NAME sets the maximum. Control
 * characters never reach a hash or a log.
 */
export const PayerName = z
  .string()
  .overwrite(plainName)
  .min(2, 'The name needs at least two characters.')
  .max(1024, 'The name is longer than the payment service takes.')
  .regex(ONE_LINE, {
    error: 'The name has characters that cannot be used: write it on one line, without control characters.',
    abort: true,
  })
  .refine((name) => name.length < 2 || seenIn(name) >= 2, 'The name needs at least two characters that can be seen.')

/** More than any number with what is pasted along. */
const LONGEST_PASTED = 100

/**
 * Without what a number pasted from contacts or chats brings along: direction marks, no-break
 * spaces, other hyphens, wide digits.
 */
function plainPhone(text: string): string {
  // Refused as it is: putting accents in order takes the square of their number, 60 ms for the 8 kB
  // that a stranger may send.
  if (text.length > LONGEST_PASTED) return text
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
}

export const Payer = z.strictObject({
  name: PayerName,
  /**
   * International format, digits only with or without a leading plus; the widget normalises local
   * forms.
   */
  phone: z.string().overwrite(plainPhone).trim().regex(PHONE, 'Enter the phone number with digits only.').optional(),
  email: z.email('This is not an e-mail address: write it as name@shop.example, or leave it out.').max(254).optional(),
})
export type Payer = z.infer<typeof Payer>

/**
 * Body of `POST /v1/deposits`. Under a session, locked values must match; otherwise
 * `session_conflict`.
 */
export const CreateDeposit = z.strictObject({
  country: CountryCode,
  currency: CurrencyCode,
  amount: Amount,
  bankCode: z.string().min(1).max(32).regex(ONE_LINE, NOT_TEXT).optional(),
  payer: Payer.partial().optional().describe('The name is required unless the session already carries it.'),
  session: z.string().min(1).max(512).optional().describe("Session token from the merchant's backend."),
  clientReference: shopsName()
    .optional()
    .describe("The shop page's own reference for this purchase. Comes from the browser: untrusted."),
  replaces: z
    .string()
    .min(1)
    .max(64)
    .regex(ONE_LINE, NOT_TEXT)
    .optional()
    .describe('Id of an earlier attempt for which the customer says that no money was sent.'),
  locale: z
    .string()
    .max(35)
    .regex(ONE_LINE, NOT_TEXT)
    .optional()
    .describe('Language of the widget, stored with the payment; it decides nothing.'),
})
export type CreateDeposit = z.infer<typeof CreateDeposit>

/** How a payment ended: a stable code, and the service's own free text if there is any. */
export const DepositResult = z.object({ code: z.string(), description: z.string() })
export type DepositResult = z.infer<typeof DepositResult>

/** What a browser may see of a deposit. */
export const DepositView = z.object({
  id: z.string(),
  reference: z.string(),
  mode: Mode,
  status: DepositStatus,
  phase: DepositPhase,
  amount: z.int(),
  currency: CurrencyCode,
  country: CountryCode,
  bank: z.object({ code: z.string(), name: z.string() }).optional(),
  payer: z
    .object({ name: z.string(), phone: z.string().optional(), email: z.string().optional() })
    .describe('Masked: never the whole name, number or address.'),
  checkoutUrl: z
    .string()
    .optional()
    .describe('Address of the hosted page; absent before it is known and after the end.'),
  payUrl: z.string().describe('Hand-off page of this deposit, opens in any browser.'),
  expiresAt: z.string().describe('Estimate of when an order must be locked; never the end of a payment.'),
  overdue: z.boolean().optional().describe('True when `expiresAt` has passed and the service still says PENDING.'),
  createdAt: z.string(),
  settledAt: z.string().optional(),
  result: DepositResult.optional(),
  late: z.boolean().optional().describe('True when the success came after the deposit had been reported as ended.'),
  duplicate: z.boolean().optional().describe('True when another attempt of the same session was already paid.'),
  description: z.string().optional().describe('What the payment is for, from the session or `HC_DESCRIPTION`.'),
  version: z.int().describe('Increases with every change; also the SSE event id.'),
})
export type DepositView = z.infer<typeof DepositView>

/** Answer of `POST /v1/deposits` (201, also for a repeat with the same key). */
export const CreatedDeposit = DepositView.extend({
  token: z.string().describe("Bearer token for this deposit's endpoints."),
})
export type CreatedDeposit = z.infer<typeof CreatedDeposit>
