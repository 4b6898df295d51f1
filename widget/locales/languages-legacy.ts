// Replaces languages.ts in the legacy file (browsers without modules): three languages are in it,
// and their further words are in the second legacy file.
import { loadExtras } from '../load-extras-legacy.ts'
import { texts as en } from './en.ts'
import { texts as fr } from './fr.ts'
import { texts as sw } from './sw.ts'
import type { Words } from './texts.ts'

const words = (language: 'en' | 'fr' | 'sw', texts: Words['texts']): Words => ({
  texts,
  rare: async () => (await loadExtras()).rare[language],
})

export const english = async (): Promise<Words> => words('en', en)

export const languages: Readonly<Record<string, () => Promise<Words>>> = {
  fr: async () => words('fr', fr),
  sw: async () => words('sw', sw),
}
