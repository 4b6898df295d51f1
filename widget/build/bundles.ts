// What each of the widget's builds makes, and from what: the script tag's modules (bundle), the one
// file for browsers without modules (legacy) and what it loads later (extras), and the npm modules.
import type { InlineConfig } from 'vite'
import { askAgain, minified, ownCopies, shortTemplates, wholeFile } from './build-plugins.ts'

type Mode = 'bundle' | 'legacy' | 'extras' | 'npm'

/** One Chromium of 2018 must run it. */
const OLDEST = 'chrome64'

const builds: Readonly<Record<Mode, NonNullable<InlineConfig['build']>>> = {
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

/** Where each of them reads and writes is the caller's. */
export function configOf(mode: Mode): InlineConfig {
  const define = { 'process.env.NODE_ENV': '"production"' }
  // They must also load where there is no `self`.
  if (mode === 'npm') return { mode, build: builds[mode], define }
  return {
    mode,
    build: builds[mode],
    plugins: [
      mode === 'bundle' ? ownCopies : wholeFile,
      shortTemplates,
      minified,
      ...(mode === 'bundle' ? [askAgain] : []),
    ],
    // The oldest browser has no globalThis.
    define: { ...define, globalThis: 'self' },
  }
}
