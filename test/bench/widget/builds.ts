// Builds the contestants: the published widget, Adyen Drop-in from npm, and the bare Lit form; each
// minified, in memory.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { buildWidgetIfStale } from '../../../demo/widget-bundle.ts'
import { root, run } from '../../helpers/run-quietly.ts'
import { banks } from './bank-list.ts'

export const ADYEN = '6.45.2'
/** Outside the repository: a peer is no dependency of ours. */
const cache = join(tmpdir(), `hc-bench-widget-adyen-${ADYEN}`)

/** A list of issuers without images, and one method: the smallest Drop-in with a list of banks. */
const adyenSetUp = `import { AdyenCheckout, BillDeskOnline, Dropin } from '@adyen/adyen-web'
import '@adyen/adyen-web/styles/adyen.css'
const issuers = ${JSON.stringify(banks.banks.map(({ name, code }) => ({ id: code, name })))}
const checkout = await AdyenCheckout({
  environment: 'test', clientKey: 'test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', locale: 'en-US', countryCode: 'KE',
  amount: { value: 250000, currency: 'KES' }, analytics: { enabled: false }, showPayButton: true,
  paymentMethodsResponse: { paymentMethods: [{ type: 'billdesk_online', name: 'Bank', issuers }] },
  onSubmit() {}, onAdditionalDetails() {}, onError() {},
})
`
/** As Adyen's documentation mounts it. */
const adyenDropin = `${adyenSetUp}new Dropin(checkout, { paymentMethodComponents: [BillDeskOnline] }).mount('#adyen')\n`
/** Only the list, created and opened when the benchmark starts it. */
const adyenList = `${adyenSetUp}window.hcMount = () => {
  new BillDeskOnline(checkout, { issuers }).mount('#adyen')
  document.querySelector('.adyen-checkout__dropdown__button').click()
}\n`

/** Name and text of each file of a page. */
export type Files = ReadonlyMap<string, string>

async function bundle(entry: string, folder: string): Promise<Files> {
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: entry, output: { entryFileNames: 'main.js', assetFileNames: 'main[extname]' } },
    },
  })
  const [first] = Array.isArray(result) ? result : [result]
  if (first === undefined || !('output' in first)) throw new Error(`Nothing was built from ${entry}.`)
  return new Map(first.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]))
}

export interface Builds {
  readonly widget: Files
  readonly bare: Files
  readonly dropin: Files
  readonly list: Files
}

export async function buildAll(say: (line: string) => void): Promise<Builds> {
  await buildWidgetIfStale(say)
  if (!existsSync(join(cache, 'node_modules/@adyen/adyen-web/package.json'))) {
    say(`Installing @adyen/adyen-web ${ADYEN} into ${cache} …`)
    mkdirSync(cache, { recursive: true })
    const wanted = [
      'install',
      '--prefix',
      cache,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `@adyen/adyen-web@${ADYEN}`,
    ]
    const { code, output } = await run('npm', wanted, { patience: 180_000 })
    if (code !== 0) throw new Error(`Adyen Drop-in could not be installed:\n${output}`)
  }
  writeFileSync(join(cache, 'dropin.js'), adyenDropin)
  writeFileSync(join(cache, 'list.js'), adyenList)
  const published = join(root, 'widget/dist/bundle')
  return {
    // Read once: another build may run during the measurement.
    widget: new Map(
      readdirSync(published)
        .filter((name) => name.endsWith('.js'))
        .map((name) => [name, readFileSync(join(published, name), 'utf8')]),
    ),
    bare: await bundle(join(import.meta.dirname, 'bare-form.ts'), root),
    dropin: await bundle(join(cache, 'dropin.js'), cache),
    list: await bundle(join(cache, 'list.js'), cache),
  }
}
