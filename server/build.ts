// Builds the published package: modules and types for mounting the companion in a server of your
// own, and the program `hc-checkout-server` with its pure JavaScript libraries in it: a fifth less
// memory, and three quarters of the start time.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { license } from '../widget/build/license-plugin.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const program = `${here}dist/cli`

/** Not bundled: what is native, loaded on demand or starts threads by file name; the widget. */
const BESIDE = ['better-sqlite3', 'pg', 'nodemailer', 'pino', 'hc-checkout']

execFileSync('tsc', ['-p', `${here}tsconfig.build.json`], { stdio: 'inherit', cwd: here })
execFileSync(process.execPath, [`${here}console/build.ts`], { stdio: 'inherit', cwd: here })
// For generators of clients, which have no companion to ask.
const { openapi } = (await import(`${here}dist/http/openapi.js`)) as { openapi: (url: string) => object }
const described = openapi('https://pay.shop.example')
writeFileSync(`${here}dist/openapi.json`, `${JSON.stringify(described, undefined, 2)}\n`)
rmSync(program, { recursive: true, force: true })

await build({
  root: here,
  configFile: false,
  logLevel: 'warn',
  // The texts of the pay page, bundled: as they are published they are twenty modules to load.
  resolve: {
    conditions: [],
    alias: { 'hc-checkout/locales': fileURLToPath(import.meta.resolve('hc-checkout/locales')) },
  },
  ssr: { target: 'node', noExternal: true, external: BESIDE },
  build: {
    ssr: true,
    outDir: program,
    target: 'node22',
    // Stack traces in the log must name functions.
    minify: false,
    rolldownOptions: {
      cwd: here,
      input: { cli: 'cli/cli.ts' },
      // The widget loads a language on demand; the companion has them all.
      checks: { ineffectiveDynamicImport: false },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  plugins: [license(here, { thirdParty: { output: { file: `${program}/THIRD-PARTY-LICENSES.txt` } } })],
})
