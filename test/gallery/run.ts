// Pictures of the card for people to look at: each state from the built bundle, with and without a
// shop's brand, light and dark, at 320, 360 and 1280 px, in every language. A sheet for each state,
// brand, light and width. `npm run gallery -- [folder] [part of a sheet's name] [--no-axe]`. Each
// card of the narrowest and the widest sheet is checked by axe, which takes longer than all else; a
// violation fails.
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import type { Frame, Page } from 'playwright-core'
import { buildWidgetIfStale } from '../../demo/widget-bundle.ts'
import { chromiumArgs, chromiumPath } from '../helpers/chromium.ts'
import { serveGallery, widths } from './server.ts'
import { states } from './states.ts'

await buildWidgetIfStale((line) => console.log(line))
const words = process.argv.slice(2).filter((word) => word !== '--no-axe')
const asksAxe = words.length === process.argv.length - 2
const [wanted, part = ''] = words
const folder = resolve(wanted ?? join(import.meta.dirname, '../../.hc/gallery'))
mkdirSync(folder, { recursive: true })
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const gallery = await serveGallery(join(import.meta.dirname, '../../widget/dist/bundle'))
const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
const violations: string[] = []
let asked = 0

const sheets = states.flatMap(({ name }, at) =>
  ['plain', 'brand'].flatMap((brand) => widths.map((width) => ({ name, at, brand, width }))),
)

for (const colorScheme of ['light', 'dark'] as const) {
  const context = await browser.newContext({
    viewport: { width: 2200, height: 1000 },
    colorScheme,
    timezoneId: 'Africa/Nairobi',
  })
  // A machine that does everything at once is slow, not wrong.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  for (const { name, at, brand, width } of sheets) {
    const sheet = `${String(at).padStart(2, '0')}-${name.replace(/\W+/g, '-')}-${brand}-${colorScheme}-${width}`
    if (!sheet.includes(part)) continue
    await page.goto(`${gallery.url}/sheet/${at}/${brand}/${width}`)
    await showWhole(page, sheet)
    const file = join(folder, `${sheet}.png`)
    await page.locator('body').screenshot({ path: file })
    console.log(file)
  }
  await context.close()
}
await browser.close()
gallery.close()
for (const each of violations) console.log(each)
console.log(`${asked} cards asked by axe, ${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1

/** Waits until each card shows its state, and gives it the room that it needs. */
async function showWhole(page: Page, where: string): Promise<void> {
  for (const element of await page.locator('iframe').elementHandles()) {
    const frame = await element.contentFrame()
    if (frame === null) throw new Error(`${where}: a card has no page.`)
    await frame.waitForFunction(`document.documentElement.dataset.ready === 'yes'`)
    const height = await frame.evaluate<number>('document.documentElement.scrollHeight')
    await element.evaluate((one, tall) => (one as Element).setAttribute('height', String(tall)), height)
    if (asksAxe && !frame.url().includes('/360/')) await askAxe(frame, where)
  }
}

/** The page around the element is only a frame for it. */
async function askAxe(frame: Frame, where: string): Promise<void> {
  const found = (await frame.evaluate(
    `(() => { ${axe}; return axe.run('hc-checkout', { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => String(target)).join(', '))) })()`,
  )) as string[]
  asked += 1
  violations.push(...found.map((each) => `${where} ${frame.url()}: ${each}`))
}
