// The language and the country of a visitor who has chosen none.
import { shopMarkets, type ShopId, shops } from '../shop/catalogue.ts'
import { isLanguage, type Language } from './words/index.ts'

export function guessLanguage(): Language {
  const own = navigator.language.slice(0, 2)
  return isLanguage(own) ? own : 'en'
}

let seemsToBe: string | undefined

/** Of the first shop, where the visitor seems to be; the others sell at home. */
export function guessCountry(shop: ShopId): string {
  const home = shops.find(({ id }) => id === shop)?.country ?? 'KE'
  return shop === 'nairobi' ? (seemsToBe ??= guessMarket() ?? home) : home
}

/** By time zone, then by language. */
function guessMarket(): string | undefined {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const regions = navigator.languages.map((language) => language.split('-').at(-1)?.toUpperCase())
  const market =
    shopMarkets.find(({ city }) => here === `Africa/${city}`) ??
    shopMarkets.find(({ country }) => regions.includes(country))
  return market?.country
}
