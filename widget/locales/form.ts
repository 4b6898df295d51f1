// The form's words in each language, and which language a customer gets.
import { en } from './en.ts'
import { fr } from './fr.ts'
import { further } from './further.ts'
import { sw } from './sw.ts'
import type { FormTexts } from './texts.ts'

const all: Readonly<Record<string, FormTexts>> = { fr, sw }

/**
 * The language alone, `en-GB` for English: the markets write the day before the month. No region: what shops and browsers say of it may be
 * no tag (`fr_FR`, `en-US@posix`), and Intl throws at that, so that no payment would be drawn. English for a language that is not there. A
 * further language is spoken where the shop names it: no native reader has looked at those yet.
 * @param wanted what the shop names, in its page or for the element
 * @param guess the browser's language, for a shop that names none
 */
export function localeOf(wanted: string, guess = ''): string {
  const language = (wanted || guess).toLowerCase().split(/[^a-z]/)[0]!
  return all[language] || (wanted && further[language]) ? language : 'en-GB'
}

/** English until the words of a further language are there. */
export function formTexts(locale: string): FormTexts {
  return all[locale] || en
}
