// `npm run bench:demo`: until when the demo can be used on a slow phone and network: 400 kbit/s,
// 400 ms for each answer, the processor slowed six times. It starts what `npm start` starts, and
// opens the shop in a browser that has never seen it. The demo is usable when its first Buy button
// can be pressed; that press must lead to the card's Pay button, whose time is printed too.
import { chromium } from 'playwright-core'
import { chromiumArgs, chromiumPath } from '../helpers/chromium.ts'
import { startLocalSystem } from '../helpers/start-local-system.ts'
import { KBIT, LATENCY_MS, SLOWER } from './widget/measure.ts'

const ROUNDS = Number(process.argv[2] ?? 7)

declare global {
  interface Window {
    /** When the first Buy button stood on the screen and could be pressed. */
    hcBuy: Promise<number>
    /** The same of the card's Pay button, since Buy was pressed. */
    hcPay: Promise<number>
  }
}

interface Sample {
  readonly painted: number
  readonly buy: number
  readonly pay: number
  readonly bytes: number
}

const system = await startLocalSystem()
const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
try {
  const samples: Sample[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const sample = await measure()
    // The first one is not counted: the servers compress and compile what they have not used yet.
    if (round > 0) samples.push(sample)
  }
  const median = (of: (sample: Sample) => number): number =>
    samples.map(of).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
  const seconds = (of: (sample: Sample) => number): string => {
    const all = samples.map(of)
    const range = [Math.min(...all), Math.max(...all)].map((ms) => (ms / 1000).toFixed(2)).join(' to ')
    return `${(median(of) / 1000).toFixed(2)} s (${range})`
  }
  console.log(`The demo at ${KBIT} kbit/s, ${LATENCY_MS} ms, processor slowed ${SLOWER} times; median of ${ROUNDS}:`)
  console.log(`first paint             ${seconds(({ painted }) => painted)}`)
  console.log(`Buy can be pressed      ${seconds(({ buy }) => buy)}`)
  console.log(`from Buy to Pay         ${seconds(({ pay }) => pay)}`)
  console.log(`transferred before Buy  ${(median(({ bytes }) => bytes) / 1000).toFixed(1)} kB`)
} finally {
  await browser.close()
  await system.remove()
}

async function measure(): Promise<Sample> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    locale: 'en-KE',
    timezoneId: 'Africa/Nairobi',
  })
  context.setDefaultTimeout(120_000)
  try {
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.enable')
    const bytesASecond = (KBIT * 1000) / 8
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: bytesASecond,
      uploadThroughput: bytesASecond,
    })
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    let bytes = 0
    cdp.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength))
    await page.addInitScript(watch)
    await page.goto(system.credentials.shopUrl, { waitUntil: 'commit' })
    const buy = await page.evaluate(() => window.hcBuy)
    const before = bytes
    const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
    await page.locator('[data-buy]').first().click()
    const pay = await page.evaluate(() => window.hcPay)
    return { painted, buy, pay, bytes: before }
  } finally {
    await context.close()
  }
}

/** Runs in the page before its own scripts. */
function watch(): void {
  const painted = (): Promise<number> =>
    new Promise((resolve) => {
      // A message posted within a frame arrives after the frame was painted.
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => resolve(performance.now()))
      port1.start()
      port2.postMessage(undefined)
    })
  const usable = (find: () => Element | null | undefined): Promise<number> =>
    new Promise((resolve) => {
      const look = (): void => {
        const button = find()
        if (button && !button.matches(':disabled') && button.getBoundingClientRect().height > 0) {
          void painted().then(resolve)
        } else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  window.hcBuy = usable(() => document.querySelector('[data-buy]'))
  window.hcPay = new Promise((resolve) => {
    addEventListener(
      'click',
      () => {
        const pressed = performance.now()
        void usable(() => document.querySelector('hc-checkout')?.shadowRoot?.querySelector('[part~=pay-button]')).then(
          (at) => resolve(at - pressed),
        )
      },
      { once: true, capture: true },
    )
  })
}
