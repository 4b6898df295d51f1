// Builds the shop's pages: files for browsers of today, and others for old ones, from Chromium 64
// on.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import legacy, { cspHashes } from '@vitejs/plugin-legacy'
import { defineConfig, type Plugin } from 'vite'

const here = import.meta.dirname
const bundle = join(here, '../../widget/dist/bundle')
/**
 * For a static host: the address of a companion elsewhere. Without it the shop's server writes its
 * own into the page.
 */
const companion = process.env['HC_DEMO_COMPANION']

const WEIGHT = 'virtual:widget-weight'

/** What the widget weighs: its form, its flow and its words in English, as they travel. */
function widgetWeight(): number {
  const names = readdirSync(bundle).filter((name) => /^hc-(checkout|(flow|en|en-more)-[0-9a-f]{8})\.js$/.test(name))
  const bytes = names.reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(bundle, name))).length, 0)
  return Math.round(bytes / 1024)
}

const shopPages: Plugin = {
  name: 'shop-pages',
  resolveId: (id) => (id === WEIGHT ? `\0${WEIGHT}` : undefined),
  load: (id) => (id === `\0${WEIGHT}` ? `export const weight = ${widgetWeight()}` : undefined),
  transformIndexHtml: (html) =>
    html
      .replaceAll('{{backend}}', companion === undefined ? 'shop' : 'none')
      .replaceAll('{{companion}}', companion ?? '{{companion}}'),
  // The hashes of the small scripts in the page, for the policy that the shop's server sends it
  // with.
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'policy.json', source: JSON.stringify(cspHashes) })
  },
}

export default defineConfig({
  root: here,
  base: './',
  logLevel: 'warn',
  plugins: [legacy({ targets: ['chrome >= 64', 'firefox >= 60', 'safari >= 11.1'] }), shopPages],
  build: {
    outDir: join(here, '../dist/shop'),
    emptyOutDir: true,
    cssTarget: 'chrome64',
    rolldownOptions: { input: ['index.html'].map((name) => join(here, name)) },
  },
})
