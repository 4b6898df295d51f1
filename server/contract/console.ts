// What the console of the shop's people asks, and what it is answered.
import { z } from 'zod'
import { Amount, Payer } from './deposit.ts'
import { Act, Day, OwedKind, PaidBack, Role, TableFormat, writtenLine, writtenLines } from './desk.ts'
import { languages } from './language.ts'
import { CountryCode, CurrencyCode, Mode } from './market.ts'
import { NOT_TEXT, ONE_LINE } from './text.ts'
import { PaymentView } from './payment.ts'
import { ProblemIssue } from './problem.ts'
import { CreateSession } from './session.ts'

const Language = z.enum(languages)
const cursor = z.string().max(400).optional()
const limit = z.coerce.number().int().min(1).max(200).default(50)

/** Body of `POST /v1/console/sign-in`. */
export const SignIn = z.strictObject({ name: z.string().min(1).max(60), password: z.string().min(1).max(256) })
export type SignIn = z.infer<typeof SignIn>

/** Who is signed in, and what the console shows of the shop. */
export const Me = z.object({
  name: z.string(),
  role: Role,
  csrf: z.string().describe('For the header X-HC-CSRF of each request that is no GET.'),
  endsAt: z.string(),
  shop: z.object({
    mode: Mode,
    timeZone: z.string(),
    today: z.string().describe('The day of the shop, as 2026-11-28.'),
    markets: z.array(z.object({ country: CountryCode, currency: CurrencyCode, min: z.int(), max: z.int() })),
    languages: z.array(Language),
    contact: z.string().optional().describe('Who to call (HC_CONSOLE_CONTACT).'),
  }),
})
export type Me = z.infer<typeof Me>

/** Body of an act that needs none: why it is done. */
export const Reason = z.strictObject({ why: writtenLines(500).optional() })
export type Reason = z.infer<typeof Reason>

/** Body of `POST /v1/payments/:id/notes`. */
export const NewNote = z.strictObject({ text: writtenLines(1000) })
export type NewNote = z.infer<typeof NewNote>

/** Body of `POST /v1/payments/:id/paid-back`. */
export const NewPaidBack = z.strictObject({
  on: Day,
  amount: z.int().nonnegative().describe('Whole major units; 0 where nothing was owed.'),
  how: writtenLine(200).describe('How it was paid back, with its number: M-Pesa, QX12AB34CD.'),
  why: writtenLines(500).optional(),
})
export type NewPaidBack = z.infer<typeof NewPaidBack>

/** Query of `GET /v1/owed`. */
export const OwedQuery = z.strictObject({ state: z.enum(['open', 'paid_back']).default('open'), cursor, limit })
export type OwedQuery = z.infer<typeof OwedQuery>

/** Query of `GET /v1/owed.csv`. */
export const OwedTableQuery = OwedQuery.pick({ state: true }).extend({ format: TableFormat })
export type OwedTableQuery = z.infer<typeof OwedTableQuery>

/** A payment of which money is owed, or was paid back. */
export const Owed = z.object({ payment: PaymentView, kind: OwedKind, paidBack: PaidBack.optional() })
export type Owed = z.infer<typeof Owed>

/** Answer of `GET /v1/owed`. Newest first. */
export const OwedList = z.object({ owed: z.array(Owed), nextCursor: z.string().optional() })
export type OwedList = z.infer<typeof OwedList>

/** Body of `POST /v1/links`: a payment link, whose order number the companion makes. */
export const CreateLink = z.strictObject({
  amount: Amount,
  currency: CurrencyCode,
  country: CountryCode.optional(),
  description: CreateSession.shape.description,
  payer: Payer.partial().optional(),
  expiresIn: z.int().min(300).max(2_592_000).default(86_400).describe('Seconds: 5 minutes to 30 days.'),
  language: Language.optional().describe('Of the message; the first of HC_LOCALES unless given.'),
})
export type CreateLink = z.infer<typeof CreateLink>

/** Body of `POST /v1/links/:id/close`: why nobody is to pay by it any more. */
export const CloseLink = z.strictObject({ why: writtenLines(500) })
export type CloseLink = z.infer<typeof CloseLink>

/** `expired` and `closed`: no payment can be started, and none was made. */
export const LinkState = z.enum(['open', 'pending', 'paid', 'expired', 'closed'])
export type LinkState = z.infer<typeof LinkState>

export const Link = z.object({
  id: z.string().describe('Id of its session, `ses_…`.'),
  orderId: z.string(),
  payUrl: z.string().optional().describe('Not for a viewer or the read key: whoever has it can start a payment.'),
  amount: z.int(),
  currency: CurrencyCode,
  country: CountryCode.optional(),
  description: z.string(),
  language: Language,
  message: z.string().optional().describe('For WhatsApp or SMS, with the address in it; left out as `payUrl` is.'),
  state: LinkState,
  createdAt: z.string(),
  expiresAt: z.string(),
  by: z.string(),
  attempts: z.int(),
  paymentId: z.string().optional().describe('The payment that paid it, or that can still be paid.'),
  closed: z
    .object({ at: z.string(), by: z.string(), why: z.string() })
    .optional()
    .describe('Who closed it by hand. A payment that was started before goes on, and counts.'),
})
export type Link = z.infer<typeof Link>

/** Query of `GET /v1/links`. */
export const LinkQuery = z.strictObject({ cursor, limit })
export type LinkQuery = z.infer<typeof LinkQuery>

/** Answer of `GET /v1/links`. Newest first. */
export const LinkList = z.object({ links: z.array(Link), nextCursor: z.string().optional() })
export type LinkList = z.infer<typeof LinkList>

/** Query of `GET /v1/figures`: days of the shop, at most 31 of them. */
export const FigureQuery = z.strictObject({
  fromDay: Day.optional(),
  toDay: Day.optional(),
  country: CountryCode.optional(),
})
export type FigureQuery = z.infer<typeof FigureQuery>

const Delays = z.array(z.object({ seconds: z.int().nullable(), count: z.int() }))

/** Answer of `GET /v1/figures`. */
export const Figures = z.object({
  timeZone: z.string(),
  fromDay: z.string(),
  toDay: z.string(),
  hours: z.array(
    z.object({
      at: z.string().describe('The beginning of the hour.'),
      country: CountryCode,
      currency: CurrencyCode,
      started: z.int(),
      succeeded: z.int(),
      failed: z.int(),
      waiting: z.int(),
      volume: z.int().describe('What was paid, in whole major units.'),
    }),
  ),
  days: z
    .array(
      z.object({
        day: z.string(),
        currency: CurrencyCode,
        paid: z.int().describe('Payments that were started on the day, and are paid.'),
        paidSum: z.int().describe('In whole major units.'),
        paidBack: z.int().describe('Payments that were marked as paid back on the day.'),
        paidBackSum: z.int(),
      }),
    )
    .describe('Totals of each day of the shop on which there was something, the newest first.'),
  paidAfter: Delays.describe('From the click to the proven payment. `seconds` null: longer than all before.'),
  noticeAfter: Delays.describe('From the making of a notice until your backend had taken it.'),
  serviceAfter: Delays.describe('From the call to the payment service until its answer, of the newest 200 payments.'),
})
export type Figures = z.infer<typeof Figures>

/**
 * Query of `POST /v1/reconciliations`: the days of the statement (UTC, as in the portal), where its
 * lines do not tell them.
 */
export const ReconcileQuery = z.strictObject({ fromDay: Day.optional(), toDay: Day.optional() })
export type ReconcileQuery = z.infer<typeof ReconcileQuery>

export const Difference = z.object({
  kind: z.enum(['missing', 'extra', 'different']),
  reference: z.string().describe('Empty for a line without one.'),
  facts: z
    .array(
      z.object({
        code: z.string().describe('A stable word: by it a client says the fact in its own language.'),
        values: z.record(z.string(), z.string()).describe('What its sentence needs, for example `line` and `money`.'),
      }),
    )
    .describe('What was found.'),
  says: z.string().describe('The facts in English.'),
  paymentId: z.string().optional(),
})
export type Difference = z.infer<typeof Difference>

/** One line of the answer of `POST /v1/reconciliations`. */
export const ReconcileLine = z.union([
  z.object({ progress: z.object({ done: z.int(), of: z.int() }) }),
  z.object({
    result: z.object({ rows: z.int(), from: z.string(), to: z.string(), differences: z.array(Difference) }),
  }),
  z.object({ problem: z.object({ code: z.string(), detail: z.string(), issues: z.array(ProblemIssue).optional() }) }),
])
export type ReconcileLine = z.infer<typeof ReconcileLine>

/** Answer of `GET /v1/health`. */
export const Health = z.object({
  ok: z.boolean().describe('Nothing is wrong.'),
  takesPayments: z.boolean().describe('Whether payments can be made now.'),
  contact: z.string().optional().describe('Who to call (HC_CONSOLE_CONTACT).'),
  checks: z.array(
    z.object({
      name: z.string().describe('A stable word: by it and the state a client translates `meaning`.'),
      state: z.enum(['ok', 'warn', 'fail']),
      trouble: z.string().optional().describe('A stable word for what is wrong.'),
      says: z.string().describe('For a technician.'),
      todo: z.string().describe('For a technician.'),
      meaning: z.string().optional().describe('For the owner of the shop.'),
      call: z.enum(['technician', 'service', 'nobody']).optional(),
    }),
  ),
})
export type Health = z.infer<typeof Health>

/** Query of `GET /v1/acts`. */
export const ActQuery = z.strictObject({
  cursor,
  limit,
  by: z.string().min(1).max(60).regex(ONE_LINE, NOT_TEXT).optional(),
  fromDay: Day.optional(),
  toDay: Day.optional(),
})
export type ActQuery = z.infer<typeof ActQuery>

/** Query of `GET /v1/acts.csv`. */
export const ActTableQuery = ActQuery.omit({ cursor: true, limit: true }).extend({ format: TableFormat })
export type ActTableQuery = z.infer<typeof ActTableQuery>

/** Answer of `GET /v1/acts`. Newest first. */
export const ActList = z.object({ acts: z.array(Act), nextCursor: z.string().optional() })
export type ActList = z.infer<typeof ActList>
