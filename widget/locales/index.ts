// All texts in all languages, for pages that are rendered outside the element.
import { texts as amTexts } from './am.ts'
import { texts as amMore } from './am-more.ts'
import { en as enForm } from './en.ts'
import { enExtras } from './en-extras.ts'
import { texts as enFlow } from './en-flow.ts'
import { texts as enRare } from './en-rare.ts'
import { fr as frForm } from './fr.ts'
import { frExtras } from './fr-extras.ts'
import { texts as frFlow } from './fr-flow.ts'
import { texts as frRare } from './fr-rare.ts'
import { texts as haTexts } from './ha.ts'
import { texts as haMore } from './ha-more.ts'
import { texts as rnTexts } from './rn.ts'
import { texts as rnMore } from './rn-more.ts'
import { texts as rwTexts } from './rw.ts'
import { texts as rwMore } from './rw-more.ts'
import { texts as soTexts } from './so.ts'
import { texts as soMore } from './so-more.ts'
import { sw as swForm } from './sw.ts'
import { swExtras } from './sw-extras.ts'
import { texts as swFlow } from './sw-flow.ts'
import { texts as swRare } from './sw-rare.ts'
import type { Texts } from './texts.ts'

export type { ExtrasTexts, FlowTexts, FormTexts, RareTexts, Texts } from './texts.ts'
export { localeOf } from './form.ts'

export const en: Texts = { ...enForm, ...enFlow, ...enRare, ...enExtras }
export const fr: Texts = { ...frForm, ...frFlow, ...frRare, ...frExtras }
export const sw: Texts = { ...swForm, ...swFlow, ...swRare, ...swExtras }
export const am: Texts = { ...amTexts, ...amMore }
export const ha: Texts = { ...haTexts, ...haMore }
export const rn: Texts = { ...rnTexts, ...rnMore }
export const rw: Texts = { ...rwTexts, ...rwMore }
export const so: Texts = { ...soTexts, ...soMore }

const all: Readonly<Record<string, Texts>> = { en, fr, sw, am, ha, rn, rw, so }

/** All texts in the language of `locale`; English for an unknown language. */
export function textsOf(locale: string): Texts {
  return all[locale.toLowerCase().split('-')[0] || ''] || en
}
