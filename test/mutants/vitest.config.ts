// Tests with one file replaced by its mutant, so that the source itself is never touched.
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const file = process.env['HC_MUTANT_OF']
const mutant = process.env['HC_MUTANT']

export default defineConfig({
  resolve: { conditions: ['hc-source'] },
  ssr: { resolve: { conditions: ['hc-source'], externalConditions: ['hc-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    // Kept transforms would hide every mutant but the first.
    fsModuleCache: false,
  },
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load: (id) => (mutant !== undefined && id === file ? readFileSync(mutant, 'utf8') : undefined),
    },
  ],
})
