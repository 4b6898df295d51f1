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
