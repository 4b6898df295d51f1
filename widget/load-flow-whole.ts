// Replaces load-flow.ts in the legacy file (browsers without modules): the flow is bundled, only the rare parts are loaded later.
import * as parts from './flow.ts'
import type { Flow } from './flow.ts'
import { loadExtras } from './load-extras-legacy.ts'
import { texts as en } from './locales/en-flow.ts'
import { texts as fr } from './locales/fr-flow.ts'
import { texts as sw } from './locales/sw-flow.ts'

const all = { en, fr, sw }

export async function loadFlow(locale: string): Promise<Flow> {
  const language = (/^(fr|sw)/.exec(locale) || ['en'])[0] as keyof typeof all
  const loadRare: Flow['loadRare'] = () => loadExtras().then(({ rare }) => rare[language])
  return { parts, texts: { ...all[language] }, loadRare }
}
