// The pages' texts by language, and those of the card that the pages show too.
import { textsOf as cardTextsOf } from 'hc-checkout/locales'
import type { Language } from '../../contract/index.ts'
import { amharic } from './am.ts'
import { english, type PageTexts } from './en.ts'
import { french } from './fr.ts'
import { hausa } from './ha.ts'
import { kirundi } from './rn.ts'
import { kinyarwanda } from './rw.ts'
import { somali } from './so.ts'
import { swahili } from './sw.ts'

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

type CardText = 'errAttempts' | 'errUsedUp'

/** With what is in braces filled in. @param retryAfter seconds */
export function cardTextOf(name: CardText, language: Language, retryAfter = 60): string {
  return cardTextsOf(language)[name].replace('{minutes}', String(Math.ceil(retryAfter / 60)))
}
