// Tests of server, house and pure widget code; the widget's bundles are built from the same file.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['hc-source'] },
  ssr: { resolve: { conditions: ['hc-source'], externalConditions: ['hc-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    // Element tests need a real browser: web-test-runner runs them.
    exclude: ['test/element/**', '**/node_modules/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
