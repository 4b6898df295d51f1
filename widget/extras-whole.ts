// In place of extras.ts in the second file for browsers without modules: the rare words of all languages come with it.
import * as en from './locales/en-rare.ts'
import * as fr from './locales/fr-rare.ts'
import * as sw from './locales/sw-rare.ts'

export { openSheet } from './views/sheet.ts'
export const rare = { en, fr, sw }
