// Replaces extras.ts in the second legacy file (browsers without modules): contains the rare texts of all languages.
import * as en from './locales/en-rare.ts'
import * as fr from './locales/fr-rare.ts'
import * as sw from './locales/sw-rare.ts'

export { openSheet } from './views/sheet.ts'
export const rare = { en, fr, sw }
