// What the form must know before any answer has come: countries, currencies, calling codes.
/**
 * The name is the code until the companion or the browser knows better. `digits`: how many a mobile number has without calling code
 * and trunk zero (libphonenumber, 2026); 0 where that varies.
 */
export type MarketRow = readonly [country: string, name: string, currency: string, callingCode: string, digits: number]

export const builtIn: readonly MarketRow[] =
  'KEKES2549,TZTZS2559,UGUGX2569,RWRWF2509,BIBIF2578,ETETB2519,SOSOS2520,NGNGN23410,GHGHS2339,SNXOF2219,CIXOF22510,BJXOF22910,BFXOF2268,MLXOF2238,NEXOF2278,TGXOF2288,GWXOF2459'
    .split(',')
    .map((row) => [row.slice(0, 2), row.slice(0, 2), row.slice(2, 5), row.slice(5, 8), +row.slice(8)] as const)

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

/** Digits with the calling code: 0712…, +254…, 254… all mean the same. A zero that belongs to the number (07… in Abidjan) stays. */
export function fullPhone(text: string, [country, , , callingCode, length]: MarketRow): string {
  const digits = text.replace(/\D/g, '')
  if (/^\s*\+/.test(text) || (digits.length > length && digits.startsWith(callingCode))) return digits
  if (digits.startsWith('00')) return digits.slice(2)
  return callingCode + (/BJ|BF|CI/.test(country) ? digits : digits.replace(/^0/, ''))
}

/** A number that is no mobile number of the country: said, never refused. */
export function isOddPhone(text: string, row: MarketRow): boolean {
  const [, , , callingCode, length] = row
  const full = fullPhone(text, row)
  return Boolean(text.trim() && (!full.startsWith(callingCode) || (length && full.length !== 3 + length)))
}

/** Letters without accents and case, so that a search forgives. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}
