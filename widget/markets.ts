// The markets that the form knows before any answer: countries, currencies, calling codes.
import { ownDigits } from './format.ts'

/**
 * `name` is the code until the companion or the browser gives a better one. `digits`: length of a mobile number without calling code
 * and trunk zero (libphonenumber, 2026); 0 where it varies. `city`: of its time zone.
 */
export type MarketRow = readonly [
  country: string,
  name: string,
  currency: string,
  callingCode: string,
  digits: number,
  city: string,
]

export const builtIn: readonly MarketRow[] =
  'KEKES2549Nairobi,TZTZS2559Dar_es_Salaam,UGUGX2569Kampala,RWRWF2509Kigali,BIBIF2578Bujumbura,ETETB2519Addis_Ababa,SOSOS2520Mogadishu,NGNGN23410Lagos,GHGHS2339Accra,SNXOF2219Dakar,CIXOF22510Abidjan,BJXOF22910Porto-Novo,BFXOF2268Ouagadougou,MLXOF2238Bamako,NEXOF2278Niamey,TGXOF2288Lome,GWXOF2459Bissau'
    .split(',')
    .map(
      (row) =>
        [
          row.slice(0, 2),
          row.slice(0, 2),
          row.slice(2, 5),
          row.slice(5, 8),
          parseInt(row.slice(8)),
          row.replace(/^.+\d/, ''),
        ] as const,
    )

/** Guesses the country from the browser's time zone, otherwise from its languages. */
export function guessCountry(timeZone: string): string | undefined {
  const city = timeZone.split('/').pop()
  const regions = navigator.languages.map((language) => (language.split('-')[1] || '').toUpperCase())
  const row = builtIn.find((known) => known[5] === city) || builtIn.find(([country]) => regions.includes(country))
  return row && row[0]
}

/** Digits with the calling code: 0712…, +254…, 254… and +254 0712… all mean the same; a number too short for any stays. A zero that is part of the number (07… in Abidjan) stays. */
export function fullPhone(text: string, [country, , , callingCode, length]: MarketRow): string {
  const typed = ownDigits(text).replace(/[^\d+]/g, '')
  const isAbroad = /^(\+|00)/.test(typed)
  const digits = typed.replace(/\D/g, '').replace(/^00/, '')
  const isWhole = digits.startsWith(callingCode) && (isAbroad || digits.length > length)
  // No country has a mobile number of six digits: a calling code would make one that nobody has typed.
  if ((isAbroad && !isWhole) || digits.length < 7) return digits
  const own = isWhole ? digits.slice(callingCode.length) : digits
  return callingCode + (/BJ|BF|CI/.test(country) ? own : own.replace(/^0/, ''))
}
