// Build plugins of the script tag's bundles. None of them runs for the npm modules.
import { basename, dirname, join } from 'node:path'
import { minify } from 'terser'
import { minifyTemplateLiterals } from 'rollup-plugin-minify-template-literals'
import type { Plugin } from 'vite'

/**
 * Takes white space and comments out of templates and style sheets. Spaces between elements stay
 * where they can be seen.
 */
export const shortTemplates = minifyTemplateLiterals({
  // A pattern that begins otherwise counts from the folder in which the build is started.
  include: '**/widget/**/*.ts',
  options: {
    minifyOptions: { conservativeCollapse: true, removeAttributeQuotes: true, minifyJS: false },
  },
}) as unknown as Plugin

/** One name for one member in all files of all builds: the two legacy files are two builds. */
const nameCache = {}

/**
 * Minifies with terser, which also shortens the names of private members (`_likeThis`). Vite's own
 * terser step leaves out library builds of ES modules.
 */
export const minified: Plugin = {
  name: 'minified',
  async generateBundle({ format }, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      const { code } = await minify(file.code, {
        ecma: 2017,
        module: format === 'es',
        compress: { passes: 2, unsafe_arrows: true, lhs_constants: false, keep_fargs: false },
        mangle: {
          properties: {
            regex: /^_[a-zA-Z$]/,
            // Preact keeps the listeners of an element that it made in the member `l`.
            reserved: ['l'],
          },
        },
        nameCache,
        format: { comments: false },
      })
      file.code = code ?? file.code
    }
  },
}

/** Imports `./hc-NAME.js`, and once more if that fails. `build-name.ts` puts the build into it. */
const importAgain = 'self.hcI||(self.hcI=e=>import(e="./hc-"+e+".js").catch(()=>import(e+"#"+Math.random())));'

/**
 * Retries failed dynamic imports. All but the newest browsers cache a failed module import and
 * never request that address again: after one moment without network the rest of the form would not
 * load until the page is reloaded. The retry uses another address of the same file. A second script
 * of another build on the page keeps the first one's function: the element is the first one's too,
 * and its parts lie beside it.
 */
export const askAgain: Plugin = {
  name: 'ask-again',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      file.code = file.code.replace(/\bimport\((["'`])\.\/hc-([a-z-]+)\.js\1\)/g, 'hcI("$2")')
      // Put first: the element may be on the page already, and imports at once.
      if (file.isEntry) file.code = importAgain + file.code
    }
  },
}

/** What several files that are loaded later need, and the first one does not. */
const shared = ['by-code.ts', 'clock.ts', 'in-app.ts', 'support.ts']

/**
 * Puts a copy of it into each of them instead of one file that they share. A shared file would be
 * asked for only once the others have come, and a browser that keeps failed imports would not ask
 * for it again.
 */
export const ownCopies: Plugin = {
  name: 'own-copies',
  enforce: 'pre',
  resolveId(id, from) {
    return from !== undefined && shared.includes(basename(id))
      ? `${join(dirname(from), id)}?${basename(from)}`
      : undefined
  },
}

/** What another file of `legacy/` takes the place of. */
const wholes = ['languages', 'load-extras']

/** For the legacy single file: bundles everything except what few people need. */
export const wholeFile: Plugin = {
  name: 'whole-file',
  enforce: 'pre',
  resolveId(id, from) {
    if (from === undefined) return undefined
    const name = basename(id, '.ts')
    return wholes.includes(name) ? join(import.meta.dirname, '../legacy', `${name}-legacy.ts`) : undefined
  },
}
