// All that a customer reads, in each language: on the card, on the pages, on the hosted page and in
// the demo shop.
import { languages } from '../../server/contract/index.ts'
import type { Language } from '../../server/contract/index.ts'
import { textsOf as pageTexts } from '../../server/pages/texts/index.ts'
import { CHECKOUT_TEXTS } from '../../demo/sandbox/checkout/texts/index.ts'
import { loadWords } from '../../demo/app/words/index.ts'
import { textsOf } from '../../widget/locales/index.ts'

const shopWords = new Map(
  await Promise.all(languages.map(async (language) => [language, await loadWords(language)] as const)),
)

/** Each sentence by its path; what takes values is given marks for them. */
export function sentences(value: unknown, path = ''): [path: string, sentence: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, (value as (...marks: string[]) => string)('{a}', '{b}')]]
  return Object.entries(value as object).flatMap(([key, inner]) => sentences(inner, `${path}.${key}`))
}

/** Every sentence of a language by where it stands. */
export function everySentence(language: Language): [path: string, sentence: string][] {
  return sentences({
    card: textsOf(language),
    pages: pageTexts(language),
    hosted: CHECKOUT_TEXTS[language],
    shop: shopWords.get(language)?.shop,
  })
}

export const otherLanguages = languages.filter((language) => language !== 'en')
