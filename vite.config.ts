// The widget's bundles (modes bundle, legacy, npm: see widget/build.ts), and the tests of server, house and pure widget code.
import { dirname, join } from 'node:path'
import { defineConfig } from 'vitest/config'
import type { ViteUserConfig } from 'vitest/config'

/** One Chromium of 2018 must run it (DESIGN.md "The widget's doors"). */
const OLDEST = 'chrome64'

/**
 * Line breaks of a minified chunk stand inside templates and styles only: there one space says the same.
 * (So the widget's code names a line break in regular expressions only, never in a text.)
 */
const short: Record<string, string> = {}

/** One short name for each private member of our own classes (`_likeThis`); none of them is a door. */
function shortNames(code: string): string {
  return code.replace(
    /(?<=[.{,;}\s(])_(?!blank\b)[a-z][A-Za-z]+\b/g,
    (name) => (short[name] ??= `_${Object.keys(short).length.toString(36)}`),
  )
}

const tightTemplates = {
  name: 'tight-templates',
  /**
   * Style sheets are kept readable and sent without their blanks. They are whole when they are built, so Lit's `css`, which puts
   * sheets together and carries long words for the developer who does it wrongly, gives way to its plain sibling.
   */
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith('.styles.ts')) return undefined
    return code.replace('import { css }', 'import { unsafeCSS }').replace(
      /css`([^`]*)`/g,
      (_, sheet: string) =>
        `unsafeCSS(\`${sheet
          .replace(/\/\*[^]*?\*\//g, '')
          .replace(/\s*([{};,>])\s*/g, '$1')
          .replace(/:\s+/g, ':')
          .replace(/;}/g, '}')
          .trim()}\`)`,
    )
  },
  generateBundle(_options: unknown, bundle: Record<string, { type: string; code?: string }>): void {
    for (const file of Object.values(bundle)) {
      if (file.code !== undefined)
        file.code = shortNames(
          file.code
            .replace(/\/\* @__PURE__ \*\/ ?/g, '')
            .replace(/>\s*\n\s*</g, '><')
            .replace(/\s*\n\s*/g, ' '),
        )
    }
  },
}

/** Lit reads globalThis (Chromium 71) and calls toggleAttribute (69); the oldest browser has neither. */
const SHIM =
  'self.globalThis||(self.globalThis=self);Element.prototype.toggleAttribute||(Element.prototype.toggleAttribute=function(n,f){return f?this.setAttribute(n,""):this.removeAttribute(n),f});'

const wholeFile = {
  name: 'whole-file',
  enforce: 'pre' as const,
  /** A file that stands alone has its parts from the start. */
  resolveId(id: string, from: string | undefined): string | undefined {
    return id === './load-flow.ts' && from !== undefined ? join(dirname(from), 'load-flow-whole.ts') : undefined
  },
}

const builds: Readonly<Record<string, NonNullable<ViteUserConfig['build']>>> = {
  bundle: {
    target: OLDEST,
    outDir: 'dist/bundle',
    lib: { entry: 'define.ts', formats: ['es'] },
    rollupOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        minify: true,
        banner: (chunk: { isEntry: boolean }) => (chunk.isEntry ? SHIM : ''),
        entryFileNames: 'hc-checkout.js',
        chunkFileNames: 'hc-[name].js',
      },
    },
  },
  legacy: {
    target: OLDEST,
    outDir: 'dist/bundle',
    emptyOutDir: false,
    lib: { entry: 'define.ts', formats: ['iife'], name: 'HcCheckout' },
    rollupOptions: {
      output: {
        minify: true,
        codeSplitting: false,
        entryFileNames: 'hc-checkout-legacy.js',
        banner: SHIM,
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
  if (build !== undefined)
    return {
      build,
      plugins: mode === 'npm' ? [] : mode === 'legacy' ? [wholeFile, tightTemplates] : [tightTemplates],
      define: { 'process.env.NODE_ENV': '"production"' },
    }
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
