// The language and the country of a visitor who has chosen none.
import { shopMarkets, type ShopId, shops } from '../catalogue.ts'
import { isLanguage, type Language } from './words/index.ts'

export function guessLanguage(): Language {
  const own = navigator.language.slice(0, 2)
  return isLanguage(own) ? own : 'en'
}

/**
 * Of the first shop, where the visitor seems to be, by time zone, then by language; the others sell
 * at home.
 */
export function guessCountry(shop: ShopId): string {
  const home = shops.find(({ id }) => id === shop)?.country ?? 'KE'
  if (shop !== 'nairobi') return home
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const regions = navigator.languages.map((language) => language.split('-').at(-1)?.toUpperCase())
  const market =
    shopMarkets.find(({ country }) => timeZonesOf(country).includes(here)) ??
    shopMarkets.find(({ country }) => regions.includes(country))
  return market?.country ?? home
}

/** Older browsers do not know which time zones a country has. */
function timeZonesOf(country: string): readonly string[] {
  if (typeof Intl.Locale !== 'function') return []
  const locale = new Intl.Locale(`und-${country}`) as { getTimeZones?: () => string[] }
  return locale.getTimeZones?.() ?? []
}
