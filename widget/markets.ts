// What the form must know before any answer has come: countries, currencies, calling codes.
/** The name is the code until the companion or the browser knows better. */
export type MarketRow = readonly [country: string, name: string, currency: string, callingCode: string]

export const builtIn: readonly MarketRow[] =
  'KEKES254,TZTZS255,UGUGX256,RWRWF250,BIBIF257,ETETB251,SOSOS252,NGNGN234,GHGHS233,SNXOF221,CIXOF225,BJXOF229,BFXOF226,MLXOF223,NEXOF227,TGXOF228,GWXOF245'
    .split(',')
    .map((row) => [row.slice(0, 2), row.slice(0, 2), row.slice(2, 5), row.slice(5)] as const)

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
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}
