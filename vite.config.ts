// The widget's bundles (modes bundle, legacy, npm: see widget/build.ts), and the tests of server, house and pure widget code.
import { defineConfig } from 'vitest/config'
import type { ViteUserConfig } from 'vitest/config'

/** One Chromium of 2018 must run it (DESIGN.md "The widget's doors"). */
const OLDEST = 'chrome64'

const builds: Readonly<Record<string, NonNullable<ViteUserConfig['build']>>> = {
  bundle: {
    target: OLDEST,
    outDir: 'dist/bundle',
    modulePreload: false,
    rollupOptions: { input: 'define.ts', output: { format: 'es', entryFileNames: 'hc-checkout.js', chunkFileNames: 'hc-[name].js' } },
  },
  legacy: {
    target: OLDEST,
    outDir: 'dist/bundle',
    emptyOutDir: false,
    modulePreload: false,
    rollupOptions: {
      input: 'define.ts',
      output: {
        format: 'iife',
        entryFileNames: 'hc-checkout-legacy.js',
        // Lit reads globalThis, which came with Chromium 71.
        banner: 'if(typeof globalThis==="undefined")self.globalThis=self;',
      },
    },
  },
  npm: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    minify: false,
    modulePreload: false,
    rollupOptions: {
      input: { index: 'index.ts', define: 'define.ts', 'locales/index': 'locales/index.ts' },
      external: [/^lit(\/|$)/],
      preserveEntrySignatures: 'exports-only',
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
}

export default defineConfig(({ mode }) => {
  const build = builds[mode]
  if (build !== undefined) return { build, define: { 'process.env.NODE_ENV': '"production"' } }
  return {
    resolve: { conditions: ['hc-source'] },
    ssr: { resolve: { conditions: ['hc-source'], externalConditions: ['hc-source'] } },
    test: {
      include: ['test/**/*.test.ts'],
      // Element tests need a real browser: web-test-runner runs them.
      exclude: ['test/element/**', '**/node_modules/**'],
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  }
})
