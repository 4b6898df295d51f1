// The pages' texts by language.
import type { Language } from '../contract/index.ts'
import type { PageTexts } from './page-texts.ts'
import { amharic } from './texts-am.ts'
import { english } from './texts-en.ts'
import { french } from './texts-fr.ts'
import { hausa } from './texts-ha.ts'
import { kirundi } from './texts-rn.ts'
import { kinyarwanda } from './texts-rw.ts'
import { somali } from './texts-so.ts'
import { swahili } from './texts-sw.ts'

const texts: Readonly<Record<Language, PageTexts>> = {
  en: english,
  fr: french,
  sw: swahili,
  am: amharic,
  ha: hausa,
  rn: kirundi,
  rw: kinyarwanda,
  so: somali,
}

export function textsOf(language: Language): PageTexts {
  return texts[language]
}
