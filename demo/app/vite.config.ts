// Builds the shop's pages: files for browsers of today, and others for old ones, from Chromium 64
// on.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import legacy, { cspHashes } from '@vitejs/plugin-legacy'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { analyzed } from '../../widget/build/element-manifest.ts'
import { buildWidgetIfStale } from '../widget-bundle.ts'

// The same output wherever it is built: under a test runner Lit would be bundled in development
// mode.
process.env['NODE_ENV'] = 'production'

const here = import.meta.dirname
const bundle = join(here, '../../widget/dist/bundle')
/**
 * For a static host: the address of a companion elsewhere. Without it the shop's backend writes its
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

interface Described {
  readonly name: string
  readonly description?: string
  readonly default?: string
  readonly type?: { readonly text: string }
}
interface Manifest {
  readonly modules: readonly {
    readonly declarations: readonly (Described & {
      readonly attributes?: readonly Described[]
      readonly cssProperties?: readonly Described[]
    })[]
  }[]
}

const ELEMENT = 'virtual:element'

/** Attributes and tokens, as the analyzer reads them from the element's source. */
function element(): string {
  const widget = join(here, '../../widget')
  // Of copies: the analyzer writes the place of the manifest into the package.json beside them.
  const cwd = mkdtempSync(join(tmpdir(), 'hc-element-'))
  try {
    for (const name of analyzed.filter((option) => option.endsWith('.ts'))) cpSync(join(widget, name), join(cwd, name))
    writeFileSync(join(cwd, 'package.json'), '{}')
    execFileSync('cem', ['analyze', ...analyzed, '--outdir', '.', '--quiet'], { cwd, stdio: 'ignore' })
    const { modules } = JSON.parse(readFileSync(join(cwd, 'custom-elements.json'), 'utf8')) as Manifest
    const found = modules.flatMap(({ declarations }) => declarations).find(({ name }) => name === 'HcCheckout')
    const attributes = found?.attributes?.map(({ name, description = '', type }) => ({
      name,
      description,
      type: type?.text ?? '',
    }))
    const tokens = found?.cssProperties?.map(({ name, description = '', default: fallback = '' }) => ({
      name,
      description,
      fallback,
    }))
    return `export const attributes = ${JSON.stringify(attributes)}, tokens = ${JSON.stringify(tokens)}`
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

const shopPages: Plugin = {
  name: 'shop-pages',
  resolveId: (id) => (id === WEIGHT || id === ELEMENT ? `\0${id}` : undefined),
  load(id) {
    if (id === `\0${WEIGHT}`) return `export const weight = ${widgetWeight()}`
    return id === `\0${ELEMENT}` ? element() : undefined
  },
  transformIndexHtml: (html) =>
    companion === undefined
      ? html.replaceAll('{{backend}}', 'shop')
      : // There is no shop to ask.
        html
          .replace(/<!-- Asked for at once[^]*?<link rel="preload"[^>]*>/, '')
          // Nor a server that could make a new nonce for each answer.
          .replace(/<meta property="csp-nonce"[^>]*>/, '')
          .replaceAll('{{backend}}', 'none')
          .replaceAll('{{companion}}', companion),
  // The hashes of the small scripts in the page, for the policy that the shop's backend sends it
  // with.
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'policy.json', source: JSON.stringify(cspHashes) })
  },
  // Compressed once and well: on a slow network each kilobyte takes 20 ms.
  writeBundle({ dir = '' }, files) {
    for (const name of Object.keys(files).filter((file) => /\.(js|css)$/.test(file)))
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(readFileSync(join(dir, name))))
  },
}

// Its weight stands in the page.
await buildWidgetIfStale()

export default defineConfig({
  root: here,
  base: './',
  // The words of the card, for the playground, from its sources.
  resolve: { conditions: ['hc-source', ...defaultClientConditions] },
  logLevel: 'warn',
  plugins: [
    legacy({
      targets: ['chrome >= 64', 'firefox >= 60', 'safari >= 11.1'],
      additionalLegacyPolyfills: [join(here, 'old-browsers.ts')],
    }),
    shopPages,
  ],
  build: {
    outDir: join(here, '../dist/shop'),
    emptyOutDir: true,
    cssTarget: 'chrome64',
    rolldownOptions: { input: ['index.html', 'playground.html'].map((name) => join(here, name)) },
  },
})
