// The page's words in the language that is shown: a shop's own words come before the common ones,
// and English is there for all.
import type { ShopId } from '../../catalogue.ts'
import { breakWords } from './breaks.ts'
import { dakar } from './dakar.ts'
import { kampala } from './kampala.ts'
import { pitch } from './pitch.ts'
import { type Language, texts } from './shop.ts'
import { stepWords } from './steps.ts'
import { timelineWords } from './timeline.ts'

export type { Language } from './shop.ts'

const own = { kampala, dakar } as const

export function isLanguage(text: string | undefined): text is Language {
  return text !== undefined && Object.hasOwn(texts, text)
}

/**
 * A word of a shop. Where a shop speaks a language not at all, its own word in English is better
 * than Nuru's in that language.
 */
export function shopWord(shop: ShopId, language: Language, key: string): string {
  const words = shop === 'nairobi' ? undefined : own[shop]
  return words?.[language]?.[key] ?? words?.en?.[key] ?? texts[language][key] ?? texts.en[key] ?? key
}

/** The language in which a shop's own words are shown. */
export function shopLanguage(shop: ShopId, language: Language): Language {
  return shop === 'nairobi' || own[shop][language] !== undefined ? language : 'en'
}

/** A word about hc-checkout itself. */
export function pitchWord(
  language: Language,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const word = pitch[language]?.[key] ?? pitch['en']?.[key] ?? key
  return fill(word, values)
}

/** A word of the shelf "break it". */
export function breakWord(
  language: Language,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fill(breakWords[language]?.[key] ?? breakWords['en']?.[key] ?? key, values)
}

/** A word of the presenter's bar. */
export function stepWord(language: Language, key: string): string {
  return stepWords[language]?.[key] ?? stepWords['en']?.[key] ?? key
}

/** Plain words for a kind of happening, if there are any. */
export function happeningWord(language: Language, kind: string): string | undefined {
  return (timelineWords[language] ?? timelineWords['en'])?.[kind]
}

/**
 * The language in which the words about hc-checkout are shown: it says how they are to be spoken.
 */
export function pitchLanguage(language: Language): Language {
  return Object.hasOwn(pitch, language) ? language : 'en'
}

/** Puts values in the places of their names in braces. */
export function fill(words: string, values: Readonly<Record<string, string | number>>): string {
  return words.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** Whole major units with the code of the currency. */
export function money(language: Language, amount: number, currency: string): string {
  // Old browsers refuse a maximum below a currency's usual minimum.
  const whole = { minimumFractionDigits: 0, maximumFractionDigits: 0 }
  const form = { style: 'currency', currency, currencyDisplay: 'code', ...whole } as const
  return new Intl.NumberFormat(language, form).format(amount)
}
