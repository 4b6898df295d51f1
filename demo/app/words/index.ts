// The page's words in the language that is shown: a shop's own words come before the common ones,
// and English is there for all.
import type { ShopId } from '../../shop/catalogue.ts'
import { words as english } from './en.ts'
import type { Language, LanguageWords } from './language.ts'

export type { Language, LanguageWords } from './language.ts'

const files: Readonly<Record<Language, () => Promise<{ readonly words: LanguageWords }>>> = {
  en: () => Promise.resolve({ words: english }),
  fr: () => import('./fr.ts'),
  sw: () => import('./sw.ts'),
  am: () => import('./am.ts'),
  ha: () => import('./ha.ts'),
  rn: () => import('./rn.ts'),
  rw: () => import('./rw.ts'),
  so: () => import('./so.ts'),
}
const loaded: Partial<Record<Language, LanguageWords>> = { en: english }

export const languages = Object.keys(files) as readonly Language[]

export function isLanguage(text: string | undefined): text is Language {
  return text !== undefined && Object.hasOwn(files, text)
}

/** @returns whether the words of a language have come */
export function hasWords(language: Language): boolean {
  return loaded[language] !== undefined
}

/** @throws where the file cannot be had */
export async function loadWords(language: Language): Promise<LanguageWords> {
  return (loaded[language] ??= (await files[language]()).words)
}

/**
 * A word of a shop. Where a shop speaks a language not at all, its own word in English is better
 * than Nuru's in that language.
 */
export function shopWord(shop: ShopId, language: Language, key: string): string {
  const words = loaded[language]
  const own = shop === 'nairobi' ? undefined : (words?.[shop]?.[key] ?? english[shop]?.[key])
  return own ?? words?.shop[key] ?? english.shop[key] ?? key
}

/** The language in which a shop's own words are shown. */
export function shopLanguage(shop: ShopId, language: Language): Language {
  return shop === 'nairobi' || loaded[language]?.[shop] !== undefined ? language : 'en'
}

type Values = Readonly<Record<string, string | number>>

/** A word about hc-checkout itself. */
export function pitchWord(language: Language, key: string, values: Values = {}): string {
  return fill(loaded[language]?.pitch?.[key] ?? english.pitch?.[key] ?? key, values)
}

/** A word of the shelf "break it". */
export function breakWord(language: Language, key: string, values: Values = {}): string {
  return fill(loaded[language]?.breaks?.[key] ?? english.breaks?.[key] ?? key, values)
}

/**
 * The language in which the words about hc-checkout are shown: it says how they are to be spoken.
 */
export function pitchLanguage(language: Language): Language {
  return loaded[language]?.pitch === undefined ? 'en' : language
}

/** Puts values in the places of their names in braces. */
export function fill(words: string, values: Values): string {
  return words.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

const forms = new Map<string, Intl.NumberFormat>()

/** Whole major units with the code of the currency. */
export function money(language: Language, amount: number, currency: string): string {
  const key = `${language} ${currency}`
  const known = forms.get(key) ?? formOf(language, currency)
  forms.set(key, known)
  return known.format(amount)
}

function formOf(language: Language, currency: string): Intl.NumberFormat {
  // Old browsers refuse a maximum below a currency's usual minimum.
  const whole = { minimumFractionDigits: 0, maximumFractionDigits: 0 }
  return new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code', ...whole })
}
