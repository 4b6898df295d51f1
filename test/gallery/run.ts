// Renders every step of <hc-checkout> from the built bundle, light and dark, 320 and 1280 px, in
// every language, into contact sheets for visual review: `node --conditions=hc-source
// test/gallery/run.ts [folder]`. Each is checked by axe; a violation fails.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { buildWidgetIfStale } from '../../demo/widget-bundle.ts'
import { chromiumArgs, chromiumPath } from '../helpers/chromium.ts'
import { sampleBanks, sampleMarkets, samplePayment, sampleSession } from '../helpers/sample-payment.ts'

await buildWidgetIfStale((line) => console.log(line))
const bundles = join(import.meta.dirname, '../../widget/dist/bundle')
const files = new Map(
  readdirSync(bundles).map((name) => [`/widget/${name}`, readFileSync(join(bundles, name), 'utf8')] as const),
)
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../.hc/gallery'))
mkdirSync(folder, { recursive: true })
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
let asked = 0
const violations: string[] = []

const deposit = {
  ...samplePayment,
  bank: { code: '76', name: 'UBA Kenya Bank Ltd' },
  payer: { name: 'A••• O•••', phone: '•••678' },
  payUrl: 'https://pay.example/pay/d0m8k2w6q4x9r1t5y7u3i0o2p4aZb3Nf7Kq9Lm2Xw5Vt8Rc1YsE',
}

interface Step {
  readonly name: string
  readonly view?: object
  readonly attributes?: string
  readonly act?: 'faults' | 'banks' | 'lost' | 'share' | 'help' | 'receipt'
}
const ended = { checkoutUrl: undefined, settledAt: '2030-01-01T11:25:00Z' }
const steps: readonly Step[] = [
  { name: 'form' },
  { name: 'faults', act: 'faults' },
  { name: 'banks', act: 'banks' },
  { name: 'session', attributes: 'session="s"' },
  { name: 'answer lost', act: 'lost' },
  { name: 'starting', view: { phase: 'unknown', checkoutUrl: undefined } },
  { name: 'waiting', view: {} },
  { name: 'how to pay', view: {}, act: 'help' },
  { name: 'another phone', view: {}, act: 'share' },
  { name: 'overdue', view: { overdue: true } },
  { name: 'confirming', view: { phase: 'confirming' } },
  { name: 'review', view: { phase: 'review', checkoutUrl: undefined } },
  { name: 'paid', view: { phase: 'succeeded', status: 'SUCCESS', ...ended } },
  { name: 'receipt', view: { phase: 'succeeded', status: 'SUCCESS', ...ended }, act: 'receipt' },
  { name: 'paid late', view: { phase: 'succeeded', status: 'SUCCESS', late: true, ...ended } },
  { name: 'paid twice', view: { phase: 'succeeded', status: 'SUCCESS', duplicate: true, ...ended } },
  { name: 'failed', view: { phase: 'failed', status: 'FAILED', result: { code: '1032', description: '' }, ...ended } },
  { name: 'expired', view: { phase: 'expired', status: 'FAILED', ...ended } },
  {
    name: 'rejected',
    view: { phase: 'rejected', status: 'FAILED', result: { code: 'upstream_unavailable', description: '' }, ...ended },
  },
  { name: 'abandoned', view: { phase: 'abandoned', ...ended } },
]

const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
for (const scheme of ['light', 'dark'] as const) {
  for (const width of [320, 1280]) {
    for (const locale of ['en', 'fr', 'sw', 'am', 'ha', 'rn', 'rw', 'so']) {
      const shots: { name: string; png: string }[] = []
      for (const step of steps) {
        // A context each: what one step keeps in the browser is not the next one's.
        const context = await browser.newContext({
          viewport: { width, height: 700 },
          colorScheme: scheme,
          timezoneId: 'Africa/Nairobi',
        })
        // A machine that does everything at once is slow, not wrong.
        context.setDefaultTimeout(120_000)
        const page = await context.newPage()
        await page.route('**/*', async (route) => {
          const { pathname } = new URL(route.request().url())
          const json = (value: unknown) => route.fulfill({ json: value })
          if (pathname.startsWith('/widget/'))
            return route.fulfill({
              contentType: 'text/javascript',
              body: files.get(pathname as `/widget/${string}`) ?? '',
            })
          if (pathname === '/v1/markets') return json(sampleMarkets)
          if (pathname === '/v1/banks') return json(sampleBanks)
          if (pathname === '/v1/session') return json(sampleSession)
          if (pathname === '/v1/deposits') return route.abort()
          if (pathname === '/v1/deposits/dep_1') return json({ ...deposit, ...step.view })
          if (pathname.startsWith('/v1/')) return route.fulfill({ status: 503, body: '' })
          return route.fulfill({
            contentType: 'text/html',
            body: `<!doctype html><meta name=viewport content="width=device-width"><style>body{margin:16px;background:${scheme === 'dark' ? '#0c100e' : '#f3f6f4'}}</style><hc-checkout companion="http://shop.test" locale="${locale}" ${step.attributes ?? ''}></hc-checkout><script type="module" src="/widget/hc-checkout.js"></script>`,
          })
        })
        await page.goto('http://shop.test/')
        const element = page.locator('hc-checkout')
        await element.locator(step.attributes ? '[part~=locked]' : '[role=combobox]').waitFor()
        if (step.act === 'faults') await element.locator('[part~=pay-button]').click()
        if (step.act === 'banks')
          await element
            .locator('#bank')
            .focus()
            .then(() => page.keyboard.press('ArrowDown'))
        if (step.act === 'lost') {
          await element.locator('#amount').fill('2500')
          await element.locator('#name').fill('Achieng Otieno')
          await page.evaluate('window.open = () => null')
          await element.locator('[part~=pay-button]').click()
          await element.locator('.stack p').waitFor()
        }
        if (step.view) {
          await element.evaluate((node) =>
            (node as unknown as { resume(id: string, token: string): void }).resume('dep_1', 't'),
          )
          await element.locator('.mark').waitFor()
        }
        if (step.act === 'share' || step.act === 'help' || step.act === 'receipt') {
          await element.locator(`button[value=${step.act}]`).click()
          await element.locator('dialog').waitFor()
        }
        await page.waitForTimeout(step.act ? 300 : 120)
        // The page around the element is only a frame for it.
        const found = (await page.evaluate(
          `(() => { ${axe}; return axe.run('hc-checkout', { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => String(target)).join(', '))) })()`,
        )) as string[]
        asked += 1
        violations.push(...found.map((each) => `${scheme} ${width} ${locale} ${step.name}: ${each}`))
        shots.push({ name: step.name, png: (await page.screenshot({ fullPage: true })).toString('base64') })
        await context.close()
      }
      const wide = width > 600
      const sheet = await browser.newPage({ viewport: { width: wide ? 2000 : 1800, height: 800 } })
      await sheet.setContent(
        `<style>body{margin:12px;display:grid;grid-template-columns:repeat(${wide ? 4 : 6},1fr);gap:12px;align-items:start;font:13px system-ui;background:#888}figure{margin:0}img{width:100%;display:block}</style>${shots.map(({ name, png }) => `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${png}"></figure>`).join('')}`,
      )
      const file = join(folder, `${scheme}-${width}-${locale}.png`)
      await sheet.screenshot({ path: file, fullPage: true })
      await sheet.close()
      console.log(file)
      if (process.env['HC_GALLERY'] === 'one') await end()
    }
  }
}
await end()

async function end(): Promise<never> {
  await browser.close()
  for (const each of violations) console.log(each)
  console.log(`${asked} states asked by axe, ${violations.length} violations`)
  process.exit(violations.length === 0 ? 0 : 1)
}
