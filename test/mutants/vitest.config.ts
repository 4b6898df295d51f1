// The house's test configuration with one file replaced by its mutant, so that the source itself is never touched.
import { readFileSync } from 'node:fs'
import { defineConfig, mergeConfig } from 'vitest/config'
import house from '../../vite.config.ts'

const file = process.env['HC_MUTANT_OF']
const mutant = process.env['HC_MUTANT']

export default mergeConfig(
  house,
  defineConfig({
    // Kept transforms would hide every mutant but the first.
    test: { fsModuleCache: false },
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load: (id) => (mutant !== undefined && id === file ? readFileSync(mutant, 'utf8') : undefined),
      },
    ],
  }),
)
