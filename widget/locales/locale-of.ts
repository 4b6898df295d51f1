// The choice of the customer's language.
import { languages } from './languages.ts'

/** Native readers have reviewed these. The others are used only if the shop names them. */
const REVIEWED = ['fr', 'sw']

/**
 * The language code without region; `en-GB` for English, because the markets write the day before
 * the month, and for unknown languages. The region is dropped because shops and browsers give
 * invalid tags (`fr_FR`, `en-US@posix`), for which Intl throws and the card could not render.
 * @param wanted the language set by the shop, in its page or on the element
 * @param guess the browser's language, if the shop sets none
 */
export function localeOf(wanted: string, guess = ''): string {
  const language = (wanted || guess).toLowerCase().split(/[^a-z]/)[0]!
  return language in languages && (wanted || REVIEWED.includes(language)) ? language : 'en-GB'
}
