// Builds the pages of the console, which the companion serves: one page, one script, one style
// sheet, no inline script.
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { license } from '../../widget/build/license-plugin.ts'

const here = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('web/', import.meta.url))
const place = fileURLToPath(new URL('../dist/console/', import.meta.url))

// The same output wherever it is built: under a test runner Lit would be bundled in development
// mode.
process.env['NODE_ENV'] = 'production'

// Built in a folder of its own, then moved: two builds may run at once and must not mix their
// files.
const making = `${place}web-${process.pid}`
mkdirSync(place, { recursive: true })
await build({
  root,
  // The companion may be mounted below a path.
  base: './',
  configFile: false,
  logLevel: 'warn',
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: making,
    emptyOutDir: true,
    target: ['chrome87', 'firefox78', 'safari14'],
    // These browsers know it all; the policy of the page allows no data: script.
    modulePreload: false,
    assetsInlineLimit: 0,
  },
  plugins: [license(here, { thirdParty: { output: { file: `${making}/THIRD-PARTY-LICENSES.txt` } } })],
})
rmSync(`${place}web`, { recursive: true, force: true })
renameSync(making, `${place}web`)
