// The markets that the form knows before any answer: countries, currencies, calling codes.

export interface MarketRow {
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** From the companion; until it has answered, the country's code is shown. */
  readonly name?: string
  /** ISO 4217. */
  readonly currency: string
  /** Without the plus sign. */
  readonly callingCode: string
  /**
   * Length of a mobile number without calling code and trunk zero (libphonenumber, 2026). None
   * where it varies, or is
   * not known.
   */
  readonly digits?: number
  /** A zero at the beginning is part of the number (07… in Abidjan), not a trunk zero. */
  readonly keepsZero?: boolean
}

/** `city`: of the time zone. */
export const builtIn: readonly (MarketRow & { readonly city: string })[] = [
  { country: 'KE', currency: 'KES', callingCode: '254', digits: 9, city: 'Nairobi' },
  { country: 'TZ', currency: 'TZS', callingCode: '255', digits: 9, city: 'Dar_es_Salaam' },
  { country: 'UG', currency: 'UGX', callingCode: '256', digits: 9, city: 'Kampala' },
  { country: 'RW', currency: 'RWF', callingCode: '250', digits: 9, city: 'Kigali' },
  { country: 'BI', currency: 'BIF', callingCode: '257', digits: 8, city: 'Bujumbura' },
  { country: 'ET', currency: 'ETB', callingCode: '251', digits: 9, city: 'Addis_Ababa' },
  { country: 'SO', currency: 'SOS', callingCode: '252', city: 'Mogadishu' },
  { country: 'NG', currency: 'NGN', callingCode: '234', digits: 10, city: 'Lagos' },
  { country: 'GH', currency: 'GHS', callingCode: '233', digits: 9, city: 'Accra' },
  { country: 'SN', currency: 'XOF', callingCode: '221', digits: 9, city: 'Dakar' },
  { country: 'CI', currency: 'XOF', callingCode: '225', digits: 10, keepsZero: true, city: 'Abidjan' },
  { country: 'BJ', currency: 'XOF', callingCode: '229', digits: 10, keepsZero: true, city: 'Porto-Novo' },
  { country: 'BF', currency: 'XOF', callingCode: '226', digits: 8, keepsZero: true, city: 'Ouagadougou' },
  { country: 'ML', currency: 'XOF', callingCode: '223', digits: 8, city: 'Bamako' },
  { country: 'NE', currency: 'XOF', callingCode: '227', digits: 8, city: 'Niamey' },
  { country: 'TG', currency: 'XOF', callingCode: '228', digits: 8, city: 'Lome' },
  { country: 'GW', currency: 'XOF', callingCode: '245', digits: 9, city: 'Bissau' },
]

/** Guesses the country from the browser's time zone, otherwise from its languages. */
export function guessCountry(timeZone: string): string | undefined {
  const city = timeZone.split('/').pop()
  const regions = navigator.languages.map((language) => language.split('-')[1]?.toUpperCase())
  const market =
    builtIn.find((known) => known.city === city) ?? builtIn.find(({ country }) => regions.includes(country))
  return market?.country
}
