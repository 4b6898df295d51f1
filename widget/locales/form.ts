// The form's texts in each language, and the choice of the customer's language.
import { en } from './en.ts'
import { fr } from './fr.ts'
import { further } from './further.ts'
import { sw } from './sw.ts'
import type { FormTexts } from './texts.ts'

const all: Readonly<Record<string, FormTexts>> = { fr, sw }

/**
 * The language code without region; `en-GB` for English, because the markets write the day before the month, and for unknown languages. The
 * region is dropped because shops and browsers give invalid tags (`fr_FR`, `en-US@posix`), for which Intl throws and the card could not
 * render. The languages of further.ts are used only if the shop names them: no native reader has reviewed them yet.
 * @param wanted the language set by the shop, in its page or on the element
 * @param guess the browser's language, if the shop sets none
 */
export function localeOf(wanted: string, guess = ''): string {
  const language = (wanted || guess).toLowerCase().split(/[^a-z]/)[0]!
  return all[language] || (wanted && further[language]) ? language : 'en-GB'
}

/** English until the texts of a language of further.ts are loaded. */
export function formTexts(locale: string): FormTexts {
  return all[locale] || en
}
