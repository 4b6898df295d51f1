// Markets and banks as the browser sees them.
import { z } from 'zod'
import { Shop } from './shop.ts'

/** ISO 4217 codes of the currencies that the service knows (service.md). */
export const CurrencyCode = z.enum(['KES', 'TZS', 'UGX', 'ETB', 'SOS', 'RWF', 'BIF', 'NGN', 'GHS', 'XOF'])
export type CurrencyCode = z.infer<typeof CurrencyCode>

/**
 * ISO 3166-1 alpha-2 codes of the 17 countries behind the ten currencies (open-points.md, "Country
 * codes").
 */
export const CountryCode = z.enum([
  'KE',
  'TZ',
  'UG',
  'ET',
  'SO',
  'RW',
  'BI',
  'NG',
  'GH',
  'BJ',
  'BF',
  'CI',
  'GW',
  'ML',
  'NE',
  'SN',
  'TG',
])
export type CountryCode = z.infer<typeof CountryCode>

/** `test`: sandbox or test keys, no real money moves. `live`: real money. */
export const Mode = z.enum(['test', 'live'])
export type Mode = z.infer<typeof Mode>

/** One country on offer. Amounts are whole major units. */
export const Market = z.object({
  country: CountryCode,
  name: z.string(),
  currency: CurrencyCode,
  callingCode: z.string().describe('With plus sign, for example `+254`.'),
  min: z.int(),
  max: z.int(),
  quickAmounts: z.array(z.int()),
  phoneExample: z.string().describe('A mobile number as people write it there.'),
  operators: z.array(z.string()).describe('Mobile-money services by the names that customers know; may be empty.'),
  off: z
    .boolean()
    .optional()
    .describe('True when the payment service has not allocated the channel to this wallet: shown, but not payable.'),
})
export type Market = z.infer<typeof Market>

/** Answer of `GET /v1/markets`. */
export const Markets = z.object({
  mode: Mode,
  markets: z.array(Market),
  sessionsOnly: z
    .boolean()
    .optional()
    .describe("True when payments can only start from a session of the merchant's backend (`HC_MODE=sessions`)."),
  shop: Shop.optional().describe('Who is paid, by the settings (HC_SHOP_NAME and others).'),
})
export type Markets = z.infer<typeof Markets>

/** `code` is unique within the country. */
export const Bank = z.object({
  name: z.string(),
  code: z.string(),
  aliases: z.array(z.string()).optional().describe('What else people call it: short and former names.'),
})
export type Bank = z.infer<typeof Bank>

/** Answer of `GET /v1/banks?country=KE`. */
export const Banks = z.object({ country: CountryCode, currency: CurrencyCode, banks: z.array(Bank) })
export type Banks = z.infer<typeof Banks>
