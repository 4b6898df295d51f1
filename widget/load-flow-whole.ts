// In place of load-flow.ts in the one file for browsers without modules: nothing is left to load there.
import * as parts from './flow.ts'
import type { Flow } from './flow.ts'
import { enFlow } from './locales/en-flow.ts'
import { frFlow } from './locales/fr-flow.ts'
import { swFlow } from './locales/sw-flow.ts'
import type { FlowTexts } from './locales/texts.ts'

const all: Readonly<Record<string, FlowTexts>> = { fr: frFlow, sw: swFlow }

export async function loadFlow(locale: string): Promise<Flow> {
  return { parts, texts: all[locale.toLowerCase().split('-')[0] || ''] || enFlow }
}
