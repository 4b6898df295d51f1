// Languages whose texts, including the form's, are loaded on demand, so that customers with other languages do not download them. Until they
// are loaded the form is in English.
import type { FurtherWords } from './texts.ts'

export const further: Readonly<Record<string, () => Promise<FurtherWords>>> = {
  am: () => import('./am.ts'),
  ha: () => import('./ha.ts'),
  rn: () => import('./rn.ts'),
  rw: () => import('./rw.ts'),
  so: () => import('./so.ts'),
}
