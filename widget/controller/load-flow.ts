// Loads what is not needed before the first keystroke, once per language; the next caller retries a
// failed load.
import type { Flow } from './flow.ts'
import { loadRareParts } from './load-extras.ts'
import { english, languages } from '../locales/languages.ts'

const loaded: Record<string, Promise<Flow> | undefined> = {}

async function load(locale: string): Promise<Flow> {
  const [parts, words] = await Promise.all([import('./flow.ts'), (languages[locale] || english)()])
  const loadRare = async () => {
    // The words are said also where the parts do not come.
    const [rare, rareParts] = await Promise.all([words.rare(), loadRareParts().catch(() => undefined)])
    return { ...rare, parts: rareParts }
  }
  return { parts, locale, texts: { ...words.texts }, loadRare }
}

export function loadFlow(locale: string): Promise<Flow> {
  return (loaded[locale] ||= load(locale).catch((error: unknown) => {
    loaded[locale] = undefined
    throw error
  }))
}
