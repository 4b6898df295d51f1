// All texts in all languages, for pages that are rendered outside the element.
import { texts as amTexts } from './am.ts'
import { texts as amMore } from './am-more.ts'
import { texts as enTexts } from './en.ts'
import { texts as enMore } from './en-more.ts'
import { texts as frTexts } from './fr.ts'
import { texts as frMore } from './fr-more.ts'
import { texts as haTexts } from './ha.ts'
import { texts as haMore } from './ha-more.ts'
import { texts as rnTexts } from './rn.ts'
import { texts as rnMore } from './rn-more.ts'
import { texts as rwTexts } from './rw.ts'
import { texts as rwMore } from './rw-more.ts'
import { texts as soTexts } from './so.ts'
import { texts as soMore } from './so-more.ts'
import { texts as swTexts } from './sw.ts'
import { texts as swMore } from './sw-more.ts'
import type { Texts } from './texts.ts'

export { failures } from './by-code.ts'
export type { Texts } from './texts.ts'
export { localeOf } from './locale-of.ts'

export const am: Texts = { ...amTexts, ...amMore }
export const en: Texts = { ...enTexts, ...enMore }
export const fr: Texts = { ...frTexts, ...frMore }
export const ha: Texts = { ...haTexts, ...haMore }
export const rn: Texts = { ...rnTexts, ...rnMore }
export const rw: Texts = { ...rwTexts, ...rwMore }
export const so: Texts = { ...soTexts, ...soMore }
export const sw: Texts = { ...swTexts, ...swMore }

const all: Readonly<Record<string, Texts>> = { am, en, fr, ha, rn, rw, so, sw }

/** All texts in the language of `locale`; English for an unknown language. */
export function textsOf(locale: string): Texts {
  return all[locale.toLowerCase().split('-')[0] || ''] || en
}
