// What the form must know before any answer has come: countries, currencies, calling codes.
export type MarketRow = readonly [country: string, name: string, currency: string, callingCode: string]

export const builtIn: readonly MarketRow[] = [
  ['KE', 'Kenya', 'KES', '254'],
  ['TZ', 'Tanzania', 'TZS', '255'],
  ['UG', 'Uganda', 'UGX', '256'],
  ['RW', 'Rwanda', 'RWF', '250'],
  ['BI', 'Burundi', 'BIF', '257'],
  ['ET', 'Ethiopia', 'ETB', '251'],
  ['SO', 'Somalia', 'SOS', '252'],
  ['NG', 'Nigeria', 'NGN', '234'],
  ['GH', 'Ghana', 'GHS', '233'],
  ['SN', 'Senegal', 'XOF', '221'],
  ['CI', "Côte d'Ivoire", 'XOF', '225'],
  ['BJ', 'Benin', 'XOF', '229'],
  ['BF', 'Burkina Faso', 'XOF', '226'],
  ['ML', 'Mali', 'XOF', '223'],
  ['NE', 'Niger', 'XOF', '227'],
  ['TG', 'Togo', 'XOF', '228'],
  ['GW', 'Guinea-Bissau', 'XOF', '245'],
]

const zones: Readonly<Record<string, string>> = {
  Nairobi: 'KE', Dar_es_Salaam: 'TZ', Kampala: 'UG', Kigali: 'RW', Bujumbura: 'BI', Addis_Ababa: 'ET', Mogadishu: 'SO', Lagos: 'NG', Accra: 'GH',
  Dakar: 'SN', Abidjan: 'CI', 'Porto-Novo': 'BJ', Ouagadougou: 'BF', Bamako: 'ML', Niamey: 'NE', Lome: 'TG', Bissau: 'GW',
} // prettier-ignore

/** A guess from the browser's languages and time zone; undefined when they say nothing. */
export function guessCountry(languages: readonly string[], timeZone: string): string | undefined {
  const city = timeZone.split('/').pop() || ''
  if (zones[city]) return zones[city]
  for (const language of languages) {
    const region = language.split('-')[1]
    if (region && builtIn.some(([country]) => country === region.toUpperCase())) return region.toUpperCase()
  }
  return undefined
}

/** Digits with the calling code: 0712…, +254…, 254… all mean the same. */
export function fullPhone(text: string, callingCode: string): string {
  const digits = text.replace(/\D/g, '')
  if (/^\s*\+/.test(text)) return digits
  if (digits.startsWith('00')) return digits.slice(2)
  if (digits.startsWith(callingCode)) return digits
  return callingCode + digits.replace(/^0/, '')
}

/** Letters without accents and case, so that a search forgives. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase()
}
