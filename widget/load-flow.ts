// Loads what is not needed before the first keystroke, once per language; the next caller retries a failed load.
import type { Flow } from './flow.ts'
import { further } from './locales/further.ts'

const loaded: Record<string, Promise<Flow> | undefined> = {}

async function load(language: string): Promise<Flow> {
  const come = further[language]
  const [parts, words] = await Promise.all([
    import('./flow.ts'),
    come
      ? come()
      : language === 'fr'
        ? import('./locales/fr-flow.ts')
        : language === 'sw'
          ? import('./locales/sw-flow.ts')
          : import('./locales/en-flow.ts'),
  ])
  return { parts, texts: { ...words.texts }, loadRare: words.rare }
}

export function loadFlow(locale: string): Promise<Flow> {
  return (loaded[locale] ||= load(locale).catch((error: unknown) => {
    loaded[locale] = undefined
    throw error
  }))
}
