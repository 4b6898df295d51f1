// The 17 countries behind the ten currencies (service.md "Supported currencies", open-points.md
// "Country codes").
import type { CountryCode, CurrencyCode, Market } from '../contract/index.ts'
import type { Limit } from '../settings/settings.ts'

/**
 * `phoneExample`: a mobile number as people write it there (libphonenumber, 2026). `operators`: the
 * mobile-money services by the names that customers know; only those of a source (banks.json of the
 * sandbox).
 */
type Country = readonly [
  name: string,
  currency: CurrencyCode,
  callingCode: string,
  phoneExample: string,
  operators: readonly string[],
]

export const countries: Readonly<Record<CountryCode, Country>> = {
  KE: ['Kenya', 'KES', '+254', '0712 123 456', ['M-Pesa', 'Airtel Money']],
  TZ: [
    'Tanzania',
    'TZS',
    '+255',
    '0621 234 567',
    ['M-Pesa', 'Mixx by Yas', 'Airtel Money', 'HaloPesa', 'AzamPesa', 'T-Pesa'],
  ],
  UG: ['Uganda', 'UGX', '+256', '0712 345 678', ['MTN MoMo', 'Airtel Money']],
  ET: ['Ethiopia', 'ETB', '+251', '091 123 4567', ['telebirr', 'CBE Birr', 'M-Pesa', 'Coopay-Ebirr']],
  SO: ['Somalia', 'SOS', '+252', '061 234 5678', ['EVC Plus', 'Zaad', 'Sahal', 'e-Dahab', 'Z-Pay']],
  RW: ['Rwanda', 'RWF', '+250', '0720 123 456', ['MTN MoMo', 'Airtel Money', 'SPENN']],
  BI: ['Burundi', 'BIF', '+257', '79 56 12 34', ['Lumicash', 'EcoCash']],
  NG: ['Nigeria', 'NGN', '+234', '0802 123 4567', ['OPay', 'PalmPay', 'Momo PSB', 'SmartCash', 'Paga']],
  GH: ['Ghana', 'GHS', '+233', '023 123 4567', ['MTN MoMo', 'Telecel Cash', 'AT Money']],
  BJ: ['Benin', 'XOF', '+229', '01 95 12 34 56', ['MTN MoMo', 'Moov Money']],
  BF: ['Burkina Faso', 'XOF', '+226', '70 12 34 56', ['Orange Money', 'Moov Money']],
  CI: ["Côte d'Ivoire", 'XOF', '+225', '01 23 45 67 89', ['Orange Money', 'MTN MoMo', 'Moov Money', 'Wave', 'Djamo']],
  GW: ['Guinea-Bissau', 'XOF', '+245', '955 012 345', []],
  ML: ['Mali', 'XOF', '+223', '65 01 23 45', ['Orange Money', 'Moov Money', 'Wave']],
  NE: ['Niger', 'XOF', '+227', '93 12 34 56', ['Airtel Money', 'Zamani Cash']],
  SN: ['Senegal', 'XOF', '+221', '70 123 45 67', ['Orange Money', 'Wave', 'Mixx by Yas', 'E-Money', 'Djamo']],
  TG: ['Togo', 'XOF', '+228', '90 11 23 45', ['Mixx by Yas', 'Moov Money']],
}

const codes = Object.keys(countries) as CountryCode[]

/** The only country of a currency; undefined if several countries share it. */
export function onlyCountryOf(currency: CurrencyCode): CountryCode | undefined {
  const sharing = codes.filter((code) => countries[code][1] === currency)
  return sharing.length === 1 ? sharing[0] : undefined
}

const quick: Readonly<Record<CurrencyCode, readonly number[]>> = {
  KES: [500, 1_000, 2_500, 5_000],
  TZS: [10_000, 20_000, 50_000, 100_000],
  UGX: [10_000, 20_000, 50_000, 100_000],
  ETB: [200, 500, 1_000, 2_000],
  SOS: [50_000, 100_000, 250_000, 500_000],
  RWF: [5_000, 10_000, 20_000, 50_000],
  BIF: [10_000, 20_000, 50_000, 100_000],
  NGN: [1_000, 2_000, 5_000, 10_000],
  GHS: [20, 50, 100, 200],
  XOF: [2_000, 5_000, 10_000, 25_000],
}

/** Every country whose currency has a wallet. */
export const offeredCountries = (wallets: Readonly<Partial<Record<CurrencyCode, string>>>): readonly CountryCode[] =>
  codes.filter((code) => wallets[countries[code][1]] !== undefined)

/**
 * Markets on offer: every country whose currency has a wallet; `isOff` marks currencies that the
 * service refuses.
 */
export function marketsOnOffer(
  wallets: Readonly<Partial<Record<CurrencyCode, string>>>,
  limits: Readonly<Record<CurrencyCode, Limit>>,
  isOff: (currency: CurrencyCode) => boolean,
): Market[] {
  return offeredCountries(wallets).map((country) => {
    const [name, currency, callingCode, phoneExample, operators] = countries[country]
    const { min, max } = limits[currency]
    const quickAmounts = quick[currency].filter((amount) => amount >= min && amount <= max)
    return {
      country,
      name,
      currency,
      callingCode,
      min,
      max,
      quickAmounts,
      phoneExample,
      operators: [...operators],
      off: isOff(currency) || undefined,
    }
  })
}

/**
 * Countries whose leading zero is part of the number, also from abroad; elsewhere the zero replaces
 * the calling code.
 */
const zeroStays: readonly CountryCode[] = ['BJ', 'BF', 'CI']

/** Converts Arabic and Persian digits (`٢٥٠٠`) to ASCII. */
export const ownDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))

/** Digits without the calling code; the shortest mobile number of the countries has eight. */
export const SHORTEST_PHONE = 7

/**
 * Digits as the service expects them (service.md, acc_no): 0712…, 254712…, +254712… and +254 0712…
 * become 254712…. An odd, short or foreign number passes as its digits: the service does not
 * validate phones for this channel.
 */
export function normalisePhone(text: string, country: CountryCode): string {
  const callingCode = countries[country][2].slice(1)
  const typed = ownDigits(text).replace(/[^\d+]/g, '')
  const digits = typed.replace(/\D/g, '').replace(/^00/, '')
  const isAbroad = /^(\+|00)/.test(typed)
  const withoutZero = (own: string): string => (zeroStays.includes(country) ? own : own.replace(/^0/, ''))
  if (digits.startsWith(callingCode) && (isAbroad || digits.length > callingCode.length + 6))
    return callingCode + withoutZero(digits.slice(callingCode.length))
  // No country has so short a mobile number: with a calling code it would become one that nobody
  // has typed.
  if (isAbroad || digits.length < SHORTEST_PHONE) return digits
  const own = withoutZero(digits)
  return own !== digits || digits.length <= 10 ? callingCode + own : digits
}
