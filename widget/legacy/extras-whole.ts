// Replaces extras.ts in the second legacy file (browsers without modules): contains the texts of
// two more languages, and the rare ones of all three.
import * as en from '../locales/en-more.ts'
import { texts as frTexts } from '../locales/fr.ts'
import * as fr from '../locales/fr-more.ts'
import { texts as swTexts } from '../locales/sw.ts'
import * as sw from '../locales/sw-more.ts'

export { BankPicking, bankStyles } from '../controller/bank-picking.ts'
export * from '../views/rare-parts.ts'
export { openSheet } from '../views/sheet.ts'
export const texts = { fr: frTexts, sw: swTexts }
export const rare = { en, fr, sw }
