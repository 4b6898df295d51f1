// The languages of the console, and which of them this browser wants.
import { en, type MainWords } from './en.ts'
import { enMore, type MoreWords } from './en-more.ts'
import { enStory, type StoryWords } from './en-story.ts'
import { fr } from './fr.ts'
import { frMore } from './fr-more.ts'
import { frStory } from './fr-story.ts'
import { sw } from './sw.ts'
import { swMore } from './sw-more.ts'
import { swStory } from './sw-story.ts'

export type Language = 'en' | 'fr' | 'sw'
/** What a language says: the shape of the English words, with other texts. */
export type Words = MainWords & MoreWords

export const languages: Readonly<Record<Language, { readonly words: Words; readonly story: StoryWords }>> = {
  en: { words: { ...en, ...enMore }, story: enStory },
  fr: { words: { ...fr, ...frMore }, story: frStory },
  sw: { words: { ...sw, ...swMore }, story: swStory },
}

const KEY = 'hc-console-language'
const isLanguage = (text: string): text is Language => Object.keys(languages).includes(text)

/** The one chosen before in this browser, else the first of its own that we speak. */
export function presentLanguage(): Language {
  let wanted: readonly string[] = navigator.languages
  try {
    wanted = [localStorage.getItem(KEY) ?? '', ...wanted]
  } catch {
    // Storage is switched off.
  }
  return wanted.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // Storage is switched off: it holds until the page is closed.
  }
}
