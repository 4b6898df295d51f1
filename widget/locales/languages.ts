// The languages of the element, loaded on demand: a customer downloads one. Until it has come the
// form is in English (first.ts).
import type { Words } from './texts.ts'

export const english = (): Promise<Words> => import('./en.ts')

export const languages: Readonly<Record<string, () => Promise<Words>>> = {
  am: () => import('./am.ts'),
  fr: () => import('./fr.ts'),
  ha: () => import('./ha.ts'),
  rn: () => import('./rn.ts'),
  rw: () => import('./rw.ts'),
  so: () => import('./so.ts'),
  sw: () => import('./sw.ts'),
}
