// The hosted checkout's texts, by language.
import type { CheckoutTexts } from './words.ts'
import { amharic } from './am.ts'
import { english } from './en.ts'
import { french } from './fr.ts'
import { hausa } from './ha.ts'
import { kirundi } from './rn.ts'
import { kinyarwanda } from './rw.ts'
import { somali } from './so.ts'
import { swahili } from './sw.ts'

/** Languages of the hosted checkout (ISO 639-1): the option `locales` chooses among them. */
export const LANGUAGES = ['en', 'fr', 'sw', 'am', 'ha', 'rn', 'rw', 'so'] as const
export type Language = (typeof LANGUAGES)[number]

export const CHECKOUT_TEXTS: Readonly<Record<Language, CheckoutTexts>> = {
  en: english,
  fr: french,
  sw: swahili,
  am: amharic,
  ha: hausa,
  rn: kirundi,
  rw: kinyarwanda,
  so: somali,
}

/** The supported languages among the given locales (`am`, `en-KE`); English when there is none. */
export function languagesOf(locales: readonly string[]): readonly Language[] {
  const codes = locales.map((locale) => locale.trim().split('-')[0])
  const found = codes.filter((code): code is Language => LANGUAGES.some((language) => language === code))
  return found.length === 0 ? ['en'] : [...new Set(found)]
}

/**
 * The language asked for by name, else the browser's first that is on offer, else the first on
 * offer.
 */
export function languageOf(
  offered: readonly Language[],
  asked: string | undefined,
  acceptLanguage: string | undefined,
): Language {
  const wishes = [asked ?? '', ...(acceptLanguage ?? '').split(',')].map((tag) =>
    tag.trim().split(/[-;]/)[0]?.toLowerCase(),
  )
  for (const wish of wishes) {
    const known = offered.find((language) => language === wish)
    if (known) return known
  }
  return offered[0] ?? 'en'
}

/** The end of an order, with its day: it stays open for 24 hours. */
export function dayAndTime(language: Language, at: number, timeZone: string): string {
  // English dates as written in these markets: day before month. In full: Kirundi's short months in
  // Intl are Kinyarwanda's.
  const parts = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(at)
  if (language !== 'rw') return parts.map(({ value }) => value).join('')
  // Intl has no order of Kinyarwanda's own and puts the year first, which nobody in Rwanda does.
  const named = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${named['day']} ${named['month']} ${named['year']} ${named['hour']}:${named['minute']}`
}

/**
 * Kinyarwanda and Kirundi would use points as separators, which mean something else when a customer
 * types them.
 */
export function numbersIn(language: Language): string {
  return language === 'rn' || language === 'rw' ? 'en' : language
}
