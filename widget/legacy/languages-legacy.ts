// Replaces languages.ts in the legacy file (browsers without modules): English is in it. The words
// of two more languages, and the rare ones, are in the second legacy file.
import { loadExtras } from './load-extras-legacy.ts'
import { texts as en } from '../locales/en.ts'
import type { Words } from '../locales/texts.ts'

export const english = async (): Promise<Words> => ({ texts: en, rare: async () => (await loadExtras()).rare.en })

const words = (language: 'fr' | 'sw') => async (): Promise<Words> => {
  const extras = await loadExtras()
  return { texts: extras.texts[language], rare: async () => extras.rare[language] }
}

export const languages: Readonly<Record<string, () => Promise<Words>>> = { fr: words('fr'), sw: words('sw') }
