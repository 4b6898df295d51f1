// Replaces further.ts in the legacy files (browsers without modules), which would otherwise contain every language.
import type { further as all } from './further.ts'

export const further: typeof all = {}
