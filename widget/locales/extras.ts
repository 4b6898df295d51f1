// The words of the extras in each language.
import { enExtras } from './en-extras.ts'
import { frExtras } from './fr-extras.ts'
import { swExtras } from './sw-extras.ts'
import type { ExtrasTexts } from './texts.ts'

const all: Readonly<Record<string, ExtrasTexts>> = { fr: frExtras, sw: swExtras }

export function extrasTexts(locale: string): ExtrasTexts {
  return all[locale.toLowerCase().split('-')[0] || ''] || enExtras
}
