// Loads the texts of the extras in each language.
import { enExtras } from './en-extras.ts'
import { frExtras } from './fr-extras.ts'
import { swExtras } from './sw-extras.ts'
import { further } from './further.ts'
import type { ExtrasTexts } from './texts.ts'

const all: Readonly<Record<string, ExtrasTexts>> = { fr: frExtras, sw: swExtras }

export async function extrasTexts(locale: string): Promise<ExtrasTexts> {
  const come = further[locale]
  if (!come) return all[locale] || enExtras
  try {
    const { rare } = await come()
    return (await rare()).texts
  } catch {
    // No network: better a sheet in English than none.
    return enExtras
  }
}
