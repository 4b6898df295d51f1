// What the people of a shop are and do: words that payments and the console share.
import { z } from 'zod'
import { LINES, NOT_TEXT, NOTHING_SEEN, ONE_LINE, seenIn, withoutUnseen } from './text.ts'

/** What people write: on several lines, or on one. */
const written = (most: number, pattern: RegExp) =>
  z
    .string()
    .min(1, { error: NOTHING_SEEN, abort: true })
    .max(most)
    .regex(pattern, { error: NOT_TEXT, abort: true })
    .overwrite(withoutUnseen)
    .refine(seenIn, NOTHING_SEEN)
export const writtenLines = (most: number) => written(most, LINES)
export const writtenLine = (most: number) => written(most, ONE_LINE)

/** A day as 2026-11-28, in the time zone of the shop (HC_TIME_ZONE). */
export const Day = z.iso.date({ error: 'Write it as 2026-11-28.' })

/** How a table comes that is no table for programs. */
export const TableFormat = z
  .literal('spreadsheet')
  .optional()
  .describe(
    'For Excel and others: with a byte-order mark, and behind each time, which is in UTC, the same in HC_TIME_ZONE.',
  )

/**
 * `viewer` reads, `operator` also acts, `owner` also reads what others did. `key`: a backend with
 * HC_MERCHANT_KEY.
 */
export const Role = z.enum(['viewer', 'operator', 'owner', 'key'])
export type Role = z.infer<typeof Role>

/**
 * What a payment is searched by. `transaction`: its number at the service. `operator`: the number
 * that a callback has reported, of a payment that was made.
 */
export const SearchBy = z.enum(['reference', 'phone', 'order', 'transaction', 'operator', 'amount', 'name'])
export type SearchBy = z.infer<typeof SearchBy>

export const ActKind = z.enum([
  'sign_in',
  'sign_in_refused',
  'sign_out',
  'refresh',
  'resend',
  'note',
  'decision',
  'paid_back',
  'link',
  'close_link',
  'export',
  'reconcile',
])
export type ActKind = z.infer<typeof ActKind>

/** What a person did. */
export const Act = z.object({
  id: z.string(),
  at: z.string(),
  by: z.string().describe('The name of the user; `merchant key` for a backend.'),
  role: Role,
  act: ActKind,
  paymentId: z.string().optional(),
  why: z.string().optional().describe('The reason that was given; of a note its text.'),
  detail: z.string().optional(),
  result: z.string().describe('`done`, the code of an error, or `begun` where a crash came between.'),
})
export type Act = z.infer<typeof Act>

/** Why money is to be paid back. */
export const OwedKind = z.enum(['duplicate', 'wrong_amount'])
export type OwedKind = z.infer<typeof OwedKind>

/** That money was paid back, as a person said. Amounts are whole major units. */
export const PaidBack = z.object({ on: z.string(), amount: z.int(), how: z.string(), by: z.string(), at: z.string() })
export type PaidBack = z.infer<typeof PaidBack>
