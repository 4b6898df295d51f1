// All texts in all languages, for pages that are rendered elsewhere than in the element.
import { en as enForm } from './en.ts'
import { enFlow } from './en-flow.ts'
import { fr as frForm } from './fr.ts'
import { frFlow } from './fr-flow.ts'
import { sw as swForm } from './sw.ts'
import { swFlow } from './sw-flow.ts'
import type { Texts } from './texts.ts'

export type { FlowTexts, FormTexts, Texts } from './texts.ts'
export { localeOf } from './form.ts'

export const en: Texts = { ...enForm, ...enFlow }
export const fr: Texts = { ...frForm, ...frFlow }
export const sw: Texts = { ...swForm, ...swFlow }

const all: Readonly<Record<string, Texts>> = { en, fr, sw }

/** Every text in the language of `locale`; English for a language that is not there. */
export function textsOf(locale: string): Texts {
  return all[locale.toLowerCase().split('-')[0] || ''] || en
}
