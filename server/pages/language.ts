// Chooses a page's language, and formats money, countries and times in it.
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { languages } from '../contract/index.ts'
import type { CountryCode, CurrencyCode, Language } from '../contract/index.ts'
import { countries } from '../deposits/markets.ts'

function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text)
}

/** Those of the merchant's HC_LOCALES that the pages support; English when there is none. */
export function offeredLanguages(locales: readonly string[]): readonly Language[] {
  const found = locales.map((locale) => locale.split('-')[0] ?? '').filter(isLanguage)
  return found.length === 0 ? ['en'] : [...new Set(found)]
}

/** What `find` makes of the browser's most preferred language tag of which it makes anything. */
function fromBrowser<Found extends string>(c: Context, find: (tag: string) => Found | undefined): Found | undefined {
  const found = accepts(c, {
    header: 'Accept-Language',
    supports: [],
    default: '',
    match: (wanted) => wanted.map(({ type, q }) => (q > 0 && find(type)) || '').find((one) => one !== '') ?? '',
  })
  return found === '' ? undefined : (found as Found)
}

/** The language of the URL, or else of the browser, of the payment, the merchant's first. */
export function chooseLanguage(c: Context, offered: readonly Language[], payment = ''): Language {
  const named = (tag: string) => offered.find((language) => language === tag.split('-')[0]?.toLowerCase())
  return named(c.req.query('lang') ?? '') ?? fromBrowser(c, named) ?? named(payment) ?? offered[0] ?? 'en'
}

/** The country that the browser's languages name (`sw-KE`), when it is one of `among`. */
export function guessCountry(c: Context, among: readonly CountryCode[]): CountryCode | undefined {
  return fromBrowser(c, (tag) => {
    const [, ...parts] = tag.split('-')
    const region = parts.find((part) => part.length === 2)?.toUpperCase()
    return among.find((country) => country === region)
  })
}

/** As people write it on every wall, and as the card does. */
const signs: Readonly<Record<CurrencyCode, string>> = {
  KES: 'KSh',
  TZS: 'TSh',
  UGX: 'USh',
  ETB: 'Br',
  SOS: 'Sh.So.',
  RWF: 'FRw',
  BIF: 'FBu',
  NGN: '₦',
  GHS: 'GH₵',
  XOF: 'F\u202fCFA',
}

/** Whole major units (service.md), with the currency's code: for what is kept as a receipt. */
export function inCode(language: Language, amount: number, currency: CurrencyCode): string {
  // Kinyarwanda and Kirundi would use points as separators, which mean something else when a
  // customer types them; the widget uses commas too.
  return new Intl.NumberFormat(language === 'rn' || language === 'rw' ? 'en' : language, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: 0,
    maximumFractionDigits: 0,
  }).format(amount)
}

/** The same with the sign that people write: `KSh 2,500`. */
export const money = (language: Language, amount: number, currency: CurrencyCode): string =>
  inCode(language, amount, currency).replace(currency, signs[currency])

/** `money` on a line of its own: it may break beside the currency, never within the number. */
export function sum(language: Language, amount: number, currency: CurrencyCode): string {
  return money(language, amount, currency).replace('\u00a0', ' ')
}

/**
 * ICU has only Rwanda's own name in Kinyarwanda: the others are named as in Kirundi, which is
 * nearly the same language.
 */
export function countryName(language: Language, country: CountryCode): string {
  const named = (tag: string) => new Intl.DisplayNames(tag, { type: 'region', fallback: 'none' }).of(country)
  return named(language) ?? (language === 'rw' ? named('rn') : undefined) ?? countries[country][0]
}

/** Without a script the customer's zone is unknown; that of the country is close enough. */
const zones: Readonly<Record<CountryCode, string>> = {
  KE: 'Africa/Nairobi',
  TZ: 'Africa/Dar_es_Salaam',
  UG: 'Africa/Kampala',
  ET: 'Africa/Addis_Ababa',
  SO: 'Africa/Mogadishu',
  RW: 'Africa/Kigali',
  BI: 'Africa/Bujumbura',
  NG: 'Africa/Lagos',
  GH: 'Africa/Accra',
  BJ: 'Africa/Porto-Novo',
  BF: 'Africa/Ouagadougou',
  CI: 'Africa/Abidjan',
  GW: 'Africa/Bissau',
  ML: 'Africa/Bamako',
  NE: 'Africa/Niamey',
  SN: 'Africa/Dakar',
  TG: 'Africa/Lome',
}

/** English dates as written in these markets: day before month. */
const dateLocale = (language: Language) => (language === 'en' ? 'en-GB' : language)

export function clockTime(language: Language, at: string | number, country: CountryCode, withSeconds = false): string {
  return new Intl.DateTimeFormat(dateLocale(language), {
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' as const } : {}),
    hourCycle: 'h23',
    timeZone: zones[country],
  }).format(new Date(at))
}

export function dayAndTime(language: Language, at: string, country: CountryCode): string {
  const parts = new Intl.DateTimeFormat(dateLocale(language), {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: zones[country],
  }).formatToParts(new Date(at))
  if (language !== 'rw') return parts.map(({ value }) => value).join('')
  // Intl has no order of Kinyarwanda's own and puts the year first, which nobody in Rwanda does.
  const named = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${named['day']} ${named['month']} ${named['year']} ${named['hour']}:${named['minute']}`
}
