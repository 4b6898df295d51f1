// The form's words in each language, and which language a customer gets.
import { en } from './en.ts'
import { fr } from './fr.ts'
import { further } from './further.ts'
import { sw } from './sw.ts'
import type { FormTexts } from './texts.ts'

const all: Readonly<Record<string, FormTexts>> = { en, fr, sw }

const languageOf = (locale: string): string => locale.toLowerCase().split('-')[0] || ''

/**
 * `sw-KE` stays, since it says how to write numbers; English for a language that is not there. A further language is spoken where the shop
 * names it: no native reader has looked at those yet.
 * @param wanted what the shop names, in its page or for the element
 * @param guess the browser's language, for a shop that names none
 */
export function localeOf(wanted: string, guess = ''): string {
  const locale = wanted || guess
  const language = languageOf(locale)
  return all[language] || (wanted && further[language]) ? locale : 'en'
}

/** English until the words of a further language are there. */
export function formTexts(locale: string): FormTexts {
  return all[languageOf(locale)] || en
}
