// Takes one sample in a fresh browser context: a cold load on a slow phone and network, or the list
// of banks on a slow phone.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { banks } from './bank-list.ts'
import { holdBanks, preparePage, timeElement, timeList, watchKeys, watchLoad } from './in-page.ts'
import type { KeyTime, Listed, Places } from './in-page.ts'
import { BEGUN, watchMainThread } from './main-thread.ts'
import type { MainThread } from './main-thread.ts'
import { places } from './sites.ts'
import type { Name } from './sites.ts'

/** A cheap phone at the edge of the network. */
export const SLOWER = 6
export const KBIT = 400
export const LATENCY_MS = 400
/** A page is done after this time without network activity. */
const QUIET_MS = 1500

export interface Load extends MainThread {
  /** Milliseconds since navigation. */
  readonly usable: number
  readonly shift: number
  readonly moved: readonly string[]
  /** Bytes of the JavaScript heap after a collection. */
  readonly heap: number
  /** Bytes transferred including headers, until the end of the load. */
  readonly bytes: number
  readonly requests: number
  /** Requests started before the form was usable. */
  readonly requestsFirst: number
}

async function open(browser: Browser): Promise<{ page: Page; cdp: CDPSession; close: () => Promise<void> }> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    locale: 'en-KE',
    timezoneId: 'Africa/Nairobi',
  })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await page.addInitScript(preparePage, BEGUN)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  return { page, cdp, close: () => context.close() }
}

export async function measureLoad(browser: Browser, name: Name, address: string): Promise<Load> {
  const { page, cdp, close } = await open(browser)
  try {
    await cdp.send('Network.enable')
    const bytesASecond = (KBIT * 1000) / 8
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: bytesASecond,
      uploadThroughput: bytesASecond,
    })
    const onItsWay = new Set<string>()
    const begun: number[] = []
    let bytes = 0
    let last = performance.now()
    cdp.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
      last = performance.now()
      if (!request.url.startsWith('http://127.0.0.1')) return
      onItsWay.add(requestId)
      begun.push(timestamp)
    })
    cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      last = performance.now()
      onItsWay.delete(requestId)
      bytes += encodedDataLength
    })
    cdp.on('Network.loadingFailed', ({ requestId }) => onItsWay.delete(requestId))
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.addInitScript(watchLoad, places[name])
    const threadWork = await watchMainThread(browser)
    await page.goto(address, { waitUntil: 'commit' })
    const usable = await Promise.race([
      page.evaluate(() => window.hcMarks.usable),
      new Promise<never>((_, reject) => {
        setTimeout(
          () => reject(new Error(`${name} was not usable within a minute. ${faults.join(' ')}`)),
          60_000,
        ).unref()
      }),
    ])
    while (onItsWay.size > 0 || performance.now() - last < QUIET_MS) await page.waitForTimeout(100)
    const thread = await threadWork()
    const marks = await page.evaluate(() => ({ shift: window.hcMarks.shift, moved: window.hcMarks.moved }))
    const heap = await heapOf(cdp)
    if (name !== 'blank') await typeInto(page, name)
    const start = begun[0] ?? 0
    const requestsFirst = begun.filter((at) => (at - start) * 1000 < usable).length
    return { usable, ...thread, ...marks, heap, bytes, requests: begun.length, requestsFirst }
  } finally {
    await close()
  }
}

async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('Performance.enable')
  for (let round = 0; round < 2; round++) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find((metric) => metric.name === 'JSHeapUsedSize')?.value ?? 0
}

/** Proves that the page is usable: a field accepts typed text. */
async function typeInto(page: Page, name: Name): Promise<void> {
  const { host, field } = places[name]
  const input = page.locator(`${host} ${field.includes('select') ? 'input' : field}`).first()
  await input.click()
  await page.keyboard.press('m')
  const value = await input.inputValue()
  if (!value.includes('m')) throw new Error(`The field of ${name} took no letter: "${value}".`)
}

export interface List extends Listed {
  /** The part before the list; for ours, rendering the whole form again. */
  readonly form: number
  readonly keys: readonly KeyTime[]
}

const words = ['bank', 'mombasa', 'commercial']

export async function measureList(browser: Browser, name: 'ours' | 'adyen-list', address: string): Promise<List> {
  const { page, close } = await open(browser)
  const where = places[name]
  try {
    if (name === 'ours') await page.addInitScript(holdBanks, JSON.stringify(banks))
    await page.addInitScript(watchKeys)
    await page.goto(address, { waitUntil: 'load' })
    if (name === 'ours') await page.locator(`${where.host} [role=combobox]`).waitFor()
    else await page.waitForFunction(() => typeof window.hcMount === 'function')
    await page.waitForTimeout(1000)
    let form = 0
    if (name === 'ours') {
      form = await page.evaluate(timeElement, where.host)
      await page.locator(`${where.host} ${where.bank}`).click()
      await page.waitForTimeout(500)
    }
    const listed = await page.evaluate(timeList, { places: where, wanted: banks.banks.length })
    await page.waitForTimeout(1000)
    const row = page.locator(`${where.host} ${where.row}`)
    const keys = await typeWords(page, where, async (word) => {
      if ((await row.count()) === 0) throw new Error(`${name} found no bank for "${word}".`)
    })
    return { ...listed, form, keys }
  } finally {
    await close()
  }
}

/** The same keys in a field without listeners: the lower bound for every page. */
export async function measureField(browser: Browser, address: string): Promise<readonly KeyTime[]> {
  const { page, close } = await open(browser)
  try {
    await page.addInitScript(watchKeys)
    await page.goto(address, { waitUntil: 'load' })
    await page.waitForTimeout(1000)
    return await typeWords(page, places.field, async () => {})
  } finally {
    await close()
  }
}

/** Types each word and deletes it again, letter by letter. */
async function typeWords(
  page: Page,
  { host, bank }: Places,
  whole: (word: string) => Promise<void>,
): Promise<readonly KeyTime[]> {
  await page.locator(`${host} ${bank}`).focus()
  for (const word of words)
    for (const key of [...Array.from(word), ...Array.from(word, () => 'Backspace')]) {
      await page.keyboard.press(key)
      await page.waitForTimeout(150)
      if (key === word.at(-1)) await whole(word)
    }
  return page.evaluate(() => window.hcKeys)
}
