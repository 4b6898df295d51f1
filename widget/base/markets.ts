// The markets that the form knows before any answer: countries, currencies, calling codes.
import type { Market } from '../../server/contract/index.ts'

/** All that is optional comes with the companion's answer. */
export type MarketRow = Pick<Market, 'country' | 'currency' | 'callingCode'> & Partial<Market>

/** `city`: of the time zone. */
export const builtIn: readonly (MarketRow & { readonly city: string })[] = [
  { country: 'KE', currency: 'KES', callingCode: '+254', city: 'Nairobi' },
  { country: 'TZ', currency: 'TZS', callingCode: '+255', city: 'Dar_es_Salaam' },
  { country: 'UG', currency: 'UGX', callingCode: '+256', city: 'Kampala' },
  { country: 'RW', currency: 'RWF', callingCode: '+250', city: 'Kigali' },
  { country: 'BI', currency: 'BIF', callingCode: '+257', city: 'Bujumbura' },
  { country: 'ET', currency: 'ETB', callingCode: '+251', city: 'Addis_Ababa' },
  { country: 'SO', currency: 'SOS', callingCode: '+252', city: 'Mogadishu' },
  { country: 'NG', currency: 'NGN', callingCode: '+234', city: 'Lagos' },
  { country: 'GH', currency: 'GHS', callingCode: '+233', city: 'Accra' },
  { country: 'SN', currency: 'XOF', callingCode: '+221', city: 'Dakar' },
  { country: 'CI', currency: 'XOF', callingCode: '+225', city: 'Abidjan' },
  { country: 'BJ', currency: 'XOF', callingCode: '+229', city: 'Porto-Novo' },
  { country: 'BF', currency: 'XOF', callingCode: '+226', city: 'Ouagadougou' },
  { country: 'ML', currency: 'XOF', callingCode: '+223', city: 'Bamako' },
  { country: 'NE', currency: 'XOF', callingCode: '+227', city: 'Niamey' },
  { country: 'TG', currency: 'XOF', callingCode: '+228', city: 'Lome' },
  { country: 'GW', currency: 'XOF', callingCode: '+245', city: 'Bissau' },
]

export function guessCountry(timeZone: string): string | undefined {
  const city = timeZone.split('/').pop()
  const regions = navigator.languages.map((language) => language.split('-')[1]?.toUpperCase())
  const market =
    builtIn.find((known) => known.city === city) || builtIn.find(({ country }) => regions.includes(country))
  return market?.country
}
