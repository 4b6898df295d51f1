// Languages whose words, the form's too, come when they are asked for: customers of other languages do not load them. Until they are there
// the form stands in English.
import type { FlowTexts, FormTexts, MoreTexts, Rare } from './texts.ts'

export interface FurtherWords {
  readonly texts: FormTexts & FlowTexts
  /** What is read when it is asked for, or when something goes wrong. */
  readonly rare: () => Promise<Rare & { readonly texts: MoreTexts }>
}

export const further: Readonly<Record<string, () => Promise<FurtherWords>>> = {
  am: () => import('./am.ts'),
  ha: () => import('./ha.ts'),
  rn: () => import('./rn.ts'),
  rw: () => import('./rw.ts'),
  so: () => import('./so.ts'),
}
