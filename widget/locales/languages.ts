// The languages of the element. English is in the first script; the others are loaded on demand, so that a customer
// downloads one language. Until it has come the form is in English.
import { rare, texts } from './en.ts'
import type { Words } from './texts.ts'

export const english: Words = { texts, rare }

export const languages: Readonly<Record<string, () => Promise<Words>>> = {
  am: () => import('./am.ts'),
  fr: () => import('./fr.ts'),
  ha: () => import('./ha.ts'),
  rn: () => import('./rn.ts'),
  rw: () => import('./rw.ts'),
  so: () => import('./so.ts'),
  sw: () => import('./sw.ts'),
}
