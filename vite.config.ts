// The tests of server, house and pure widget code.
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/helpers/longest-first.ts'

export default defineConfig({
  resolve: { conditions: ['hc-source'] },
  ssr: { resolve: { conditions: ['hc-source'], externalConditions: ['hc-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    // Element tests need a real browser: web-test-runner runs them.
    exclude: ['test/element/**', '**/node_modules/**'],
    // Many files wait for a browser, a deadline or a disk: with two workers a third of two cores
    // was idle.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A machine that runs everything at once is slow, not wrong: to start one program may take it
    // seconds.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // For `expect.poll`, which waits a second unless told otherwise. (`vi.waitFor` knows no
    // setting: the linter refuses it.)
    expect: { poll: { timeout: 150_000 } },
  },
})
