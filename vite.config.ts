// The widget's bundles (modes bundle, legacy, extras, npm, and where they go: see widget/build.ts),
// and the tests of server, house and pure widget code.
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { askAgain, minified, ownCopies, shortTemplates, wholeFile } from './widget/build/build-plugins.ts'

/** One Chromium of 2018 must run it. */
const OLDEST = 'chrome64'

const builds: Readonly<Record<string, NonNullable<ViteUserConfig['build']>>> = {
  bundle: {
    target: OLDEST,
    lib: { entry: 'define.ts', formats: ['es'] },
    rollupOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        minify: true,
        entryFileNames: 'hc-checkout.js',
        chunkFileNames: 'hc-[name].js',
      },
    },
  },
  legacy: {
    target: OLDEST,
    emptyOutDir: false,
    lib: { entry: 'define.ts', formats: ['iife'], name: 'HcCheckout' },
    rollupOptions: {
      output: {
        minify: true,
        codeSplitting: false,
        entryFileNames: 'hc-checkout-legacy.js',
      },
    },
  },
  extras: {
    target: OLDEST,
    emptyOutDir: false,
    lib: { entry: 'legacy/extras-whole.ts', formats: ['iife'], name: 'HcExtras' },
    rollupOptions: { output: { minify: true, codeSplitting: false, entryFileNames: 'hc-extras-legacy.js' } },
  },
  npm: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    minify: false,
    // For the error trackers of shops, whose bundlers read them.
    sourcemap: true,
    // As a library: as an application it would wrap every import() into Vite's own preloading,
    // which no other bundler takes, Vite least of all.
    lib: {
      entry: { index: 'index.ts', define: 'define.ts', react: 'react.ts', 'locales/index': 'locales/index.ts' },
      formats: ['es'],
    },
    rollupOptions: {
      // 'use client' of react.ts stays the first line of its file, which a test asserts.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      external: [/^(lean-qr|lit|@lit\/react|react)(\/|$)/],
      preserveEntrySignatures: 'exports-only',
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
}

export default defineConfig(async ({ mode }) => {
  const build = builds[mode]
  if (build !== undefined)
    return {
      build,
      plugins:
        mode === 'npm'
          ? []
          : [
              mode === 'bundle' ? ownCopies : wholeFile,
              shortTemplates,
              minified,
              ...(mode === 'bundle' ? [askAgain] : []),
            ],
      define: {
        'process.env.NODE_ENV': '"production"',
        // The oldest browser has no globalThis; the npm modules must also load where there is no
        // `self`.
        ...(mode !== 'npm' && { globalThis: 'self' }),
      },
    }
  // Here alone, because a build needs no test runner.
  const { LongestFirst } = await import('./test/helpers/longest-first.ts')
  return {
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
  }
})
