// The pages' texts by language.
import type { Language } from './language.ts'
import type { PageTexts } from './page-texts.ts'
import { english } from './texts-en.ts'
import { french } from './texts-fr.ts'
import { swahili } from './texts-sw.ts'

const texts: Readonly<Record<Language, PageTexts>> = { en: english, fr: french, sw: swahili }

export function textsOf(language: Language): PageTexts {
  return texts[language]
}
