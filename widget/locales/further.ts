// Languages whose words, the form's too, come when they are asked for: customers of other languages do not load them. Until they are there
// the form stands in English.
import type { FurtherWords } from './texts.ts'

export const further: Readonly<Record<string, () => Promise<FurtherWords>>> = {
  am: () => import('./am.ts'),
  ha: () => import('./ha.ts'),
  rn: () => import('./rn.ts'),
  rw: () => import('./rw.ts'),
  so: () => import('./so.ts'),
}
