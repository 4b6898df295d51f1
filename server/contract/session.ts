// A session: what the merchant's backend locks before the customer pays.
import { z } from 'zod'
import { CountryCode, CurrencyCode } from './market.ts'
import { Amount, Payer } from './deposit.ts'
import { SessionShop, Shop, shownLine, WebAddress } from './shop.ts'
import { LINES, NOT_TEXT, shopsName } from './text.ts'

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }

const DEEPEST = 4

function isSmall(value: unknown, depth = 1): value is Value {
  if (typeof value === 'string') return value.length <= 500 && LINES.test(value)
  // What JSON has rounded already would come back in the notices as another number.
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
  if (typeof value !== 'object' || value === null) return true
  return depth <= DEEPEST && Object.entries(value).every(([key, inner]) => LINES.test(key) && isSmall(inner, depth + 1))
}

/**
 * Readers of JSON differ in what they make of it: some drop it, as the check below would, others
 * change the object that holds it.
 */
const RESERVED = '__proto__'

/** As deep as `isSmall` takes. */
const hasReserved = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, RESERVED) ||
    (depth < DEEPEST && Object.values(value).some((inner) => hasReserved(inner, depth + 1))))

const Small = z
  .record(
    z.string().min(1).max(40).regex(LINES, NOT_TEXT),
    z
      .unknown()
      .refine(
        isSmall,
        'Use values of JSON, at most four deep, with texts of at most 500 printable characters; whole numbers beyond ' +
          '2^53 as text.',
      ) as unknown as z.ZodType<Value>,
    {
      error: ({ code }) =>
        code === 'invalid_type' ? 'Send an object, {} when it is empty (in PHP: (object) []).' : undefined,
    },
  )
  .refine((value) => Object.keys(value).length <= 20, 'It has too many keys: send at most 20.')

/**
 * Small and printable: at most 20 keys of 40 characters; values are JSON, at most four levels deep,
 * with strings of at most 500 characters and no whole number beyond 2^53; no key is `__proto__`.
 */
export const Metadata = z.preprocess((value, { issues }) => {
  if (hasReserved(value))
    issues.push({ code: 'custom', input: value, message: `No key may be ${RESERVED}: give it another name.` })
  return value
}, Small)
export type Metadata = z.infer<typeof Metadata>

/** Body of `POST /v1/sessions`. Amounts are whole major units. */
export const CreateSession = z.strictObject({
  amount: Amount,
  currency: CurrencyCode,
  country: CountryCode.optional(),
  orderId: shopsName().describe("The merchant's own order number, returned in every notice."),
  description: shownLine(10_000).describe(
    'Shown on the hosted page and the receipt, on one line. HC_MAX_DESCRIPTION sets the maximum length (255).',
  ),
  payer: Payer.partial()
    .optional()
    .describe('What is known of the payer is not asked again; a phone of fewer than seven digits is taken for none.'),
  metadata: Metadata.optional(),
  expiresIn: z
    .int()
    .min(1)
    .max(2_592_000)
    .optional()
    .describe('Seconds during which a new payment may be started: 1 to 2,592,000 (30 days), default 86,400.'),
  shop: SessionShop.optional().describe(
    'Who is paid, where it is not the shop of the settings (HC_SHOP_NAME and others).',
  ),
  returnUrl: WebAddress.optional().describe(
    'Where the button "Back to the shop" of /pay leads after success; its origin is in HC_ALLOWED_ORIGINS.',
  ),
})
export type CreateSession = z.infer<typeof CreateSession>

/**
 * `open`: nothing is under way. `pending`: a payment can still be paid. `paid`: the order is paid.
 */
export const SessionState = z.enum(['open', 'pending', 'paid'])
export type SessionState = z.infer<typeof SessionState>

/** Answer of `POST /v1/sessions`. */
export const CreatedSession = z.object({
  id: z.string(),
  token: z.string().describe('For `<hc-checkout session="…">`.'),
  payUrl: z.string().describe('Hosted by the companion; works without our script.'),
  expiresAt: z.string().describe('Until then a new payment may be started.'),
  state: SessionState.describe(
    'Where the order stands: `open` (nothing is under way), `pending` (a payment can still be paid) or `paid`.',
  ),
  closed: z
    .literal(true)
    .optional()
    .describe('There when another session with other terms has taken its place: no payment can be started in it.'),
})
export type CreatedSession = z.infer<typeof CreatedSession>

/** Answer of `GET /v1/sessions/:id` (merchant). The payer details stay out of it. */
export const SessionDetail = CreatedSession.extend({
  amount: z.int(),
  currency: CurrencyCode,
  country: CountryCode.optional(),
  orderId: z.string(),
  description: z.string(),
  metadata: Metadata,
  shop: Shop.optional().describe('As the backend gave it.'),
  returnUrl: z.string().optional(),
  createdAt: z.string(),
  attempts: z.int().describe('Payments that were started in it.'),
})
export type SessionDetail = z.infer<typeof SessionDetail>

/**
 * Answer of `GET /v1/session` (bearer = the session's token): what the widget shows instead of
 * asking.
 */
export const SessionView = z.object({
  id: z.string().describe('Whose answer it is: a cache on the way may have another session’s at this address.'),
  amount: z.int(),
  currency: CurrencyCode,
  country: CountryCode.optional(),
  orderId: z.string(),
  description: z.string(),
  payer: z
    .object({ name: z.boolean(), phone: z.boolean(), email: z.boolean() })
    .describe('Which payer fields the backend has already provided; their values stay on the server.'),
  expiresAt: z.string(),
  shop: Shop.optional().describe('Who is paid: the settings, and what the session says otherwise.'),
  deposit: z
    .object({ id: z.string(), token: z.string(), createdAt: z.string() })
    .optional()
    .describe(
      'Id, token and creation time of the live or paid attempt, or of a last one whose page never came, so that any browser with the session finds it.',
    ),
})
export type SessionView = z.infer<typeof SessionView>
