// In place of further.ts in the files for browsers without modules, which stand alone: every language would come with them.
import type { further as all } from './further.ts'

export const further: typeof all = {}
