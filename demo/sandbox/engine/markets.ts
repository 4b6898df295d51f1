// Markets, banks and mobile-money operators, from the bank list beside this file.
import banks from './banks.json' with { type: 'json' }

export interface Market {
  readonly country: string
  readonly name: string
  readonly currency: string
  /** Digits, without +. */
  readonly callingCode: string
  readonly banks: readonly { name: string; currency: string; code: string }[]
  readonly operators: readonly string[]
}

interface CountryRecord {
  readonly name: string
  readonly currency: string
  readonly banks: readonly { name: string; code: string }[]
  readonly mobile_money: readonly { name: string }[]
  readonly phone: { calling_code: string }
}

/** Markets by ISO 3166-1 alpha-2 code (open-points.md "Country codes"). */
export const MARKETS: ReadonlyMap<string, Market> = new Map(
  Object.entries(banks.countries as unknown as Record<string, CountryRecord>).map(([country, record]) => [
    country,
    {
      country,
      name: record.name,
      currency: record.currency,
      callingCode: record.phone.calling_code.slice(1),
      banks: record.banks.map(({ name, code }) => ({ name, currency: record.currency, code })),
      operators: record.mobile_money.map(({ name }) => name),
    },
  ]),
)

/** The ten currencies of service.md "Supported currencies". */
export const CURRENCIES: readonly string[] = ['KES', 'TZS', 'UGX', 'ETB', 'SOS', 'RWF', 'BIF', 'NGN', 'GHS', 'XOF']

export function marketsOf(currency: string): Market[] {
  return [...MARKETS.values()].filter((market) => market.currency === currency)
}

/** The one country that currency and phone point to; undefined when the customer has to choose. */
export function marketFor(currency: string, phone: string): Market | undefined {
  const candidates = marketsOf(currency)
  if (candidates.length === 1) return candidates[0]
  return candidates.find((market) => phone.startsWith(market.callingCode))
}
