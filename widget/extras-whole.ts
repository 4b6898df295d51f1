// Replaces extras.ts in the second legacy file (browsers without modules): contains the rare texts
// of its languages.
import * as en from './locales/en-more.ts'
import * as fr from './locales/fr-more.ts'
import * as sw from './locales/sw-more.ts'

export { openSheet } from './views/sheet.ts'
export const rare = { en, fr, sw }
