// The form's words in each language, and which language a customer gets.
import { en } from './en.ts'
import { fr } from './fr.ts'
import { sw } from './sw.ts'
import type { FormTexts } from './texts.ts'

const all: Readonly<Record<string, FormTexts>> = { en, fr, sw }

const languageOf = (locale: string): string => locale.toLowerCase().split('-')[0] || ''

/** `sw-KE` stays, since it says how to write numbers; English for a language that is not there. */
export function localeOf(wanted: string): string {
  return all[languageOf(wanted)] ? wanted : 'en'
}

export function formTexts(locale: string): FormTexts {
  return all[languageOf(locale)] || en
}
