// The languages there are, and which one a customer gets.
import { en } from './en.ts'
import { fr } from './fr.ts'
import { sw } from './sw.ts'
import type { Texts } from './texts.ts'

export type { Texts } from './texts.ts'
export { en, fr, sw }

const all: Readonly<Record<string, Texts>> = { en, fr, sw }

/** `sw` for `sw-KE`; English for a language that is not there. */
export function localeOf(wanted: string): string {
  const language = wanted.toLowerCase().split('-')[0] || ''
  return all[language] ? wanted : 'en'
}

export function textsOf(locale: string): Texts {
  return all[locale.toLowerCase().split('-')[0] || ''] || en
}
