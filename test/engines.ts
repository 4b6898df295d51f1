// `npm run test:engines`: the browser tests in other engines. Installs them by apt and npm if
// possible, and says what it skipped and why.
import { existsSync } from 'node:fs'
import { buildPagesIfStale } from '../demo/page-build.ts'
import { buildWidgetIfStale } from '../demo/widget-bundle.ts'
import { signInAndLook } from './engines/console.ts'
import { buyAtTheDemo } from './engines/demo-shop.ts'
import type { EnginePage, Found } from './engines/engine-page.ts'
import { openFirefox } from './engines/firefox.ts'
import { CONSOLE_CHROMIUM, oldChromium, oldChromiums, openOldChromium } from './engines/old-chromium.ts'
import { findMiniBrowser, openWebkit, webkitDriver } from './engines/webkit.ts'
import { earlyPresses, wholePayment } from './engines/whole-payment.ts'
import { addCounts, countsLine, elementCounts, type Counts } from './helpers/test-counts.ts'
import { bin, run, SUITE_PATIENCE_MS } from './helpers/run-quietly.ts'

type Flow = (open: (address: string) => Promise<EnginePage>) => Promise<void>
type Open = (path: string, address: string) => Promise<EnginePage>
const CONSOLE: Readonly<Record<string, Flow>> = { 'the console': signInAndLook }

const total: Counts = { passed: 0, failed: 0, skipped: 0 }

await buildWidgetIfStale((line) => console.log(line))
await buildPagesIfStale((line) => console.log(line))

const firefox = await obtain(['firefox-esr'], ['/usr/bin/firefox-esr', '/usr/bin/firefox'])
const driver = await obtain(['webkit2gtk-driver', 'xvfb', 'xauth'], [webkitDriver])
const webkit = 'path' in driver ? findMiniBrowser() : driver

async function inFirefox(): Promise<void> {
  await elementTestsIn('Firefox', 'firefox', firefox)
  await payIn('Firefox', firefox, openFirefox)
  await playIn('Firefox', firefox, openFirefox, CONSOLE)
}

async function inTheOthers(): Promise<void> {
  await elementTestsIn('WebKit', 'webkit', webkit)
  await payIn('WebKit', webkit, openWebkit)
  await playIn('WebKit', webkit, openWebkit, CONSOLE)
  for (const [version, carrier] of oldChromiums)
    await payIn(`Chromium ${version}`, await oldChromium(version, carrier), openOldChromium, true)
  // The oldest one that the console is for.
  const [version, carrier] = CONSOLE_CHROMIUM
  await playIn(`Chromium ${version}`, await oldChromium(version, carrier), openOldChromium, CONSOLE)
}

// Two at once, which mostly wait.
await Promise.all([inFirefox(), inTheOthers()])

console.log(countsLine(total))
process.exitCode = total.failed > 0 ? 1 : 0

function skip(name: string, why: string): void {
  total.skipped++
  console.log(`skipped ${name}: ${why}`)
}

/** The element tests in another engine, by the suite's own configuration with `HC_BROWSER`. */
async function elementTestsIn(engineName: string, engine: string, found: Found): Promise<void> {
  const name = `${engineName}: element tests`
  if ('why' in found) return skip(name, found.why)
  const { code, output } = await run(bin('wtr'), [], {
    env: { HC_BROWSER: engine, HC_BROWSER_PATH: found.path },
    patience: SUITE_PATIENCE_MS,
  })
  const counts = elementCounts(output)
  addCounts(total, counts)
  // A fault outside the tests, or no test at all: never green.
  const unsaid = code === 0 ? counts.passed === 0 : counts.failed === 0
  if (unsaid) total.failed++
  const ok = code === 0 && !unsaid
  if (!ok) console.error(output)
  console.log(`${ok ? 'ok     ' : 'FAILED '} ${name}`)
}

/** One of the executables: the machine's own, or from its distribution's packages. */
async function obtain(packages: readonly string[], executables: readonly string[]): Promise<Found> {
  const installed = (): string | undefined => executables.find((path) => existsSync(path))
  const path = installed() ?? ((await install(packages)) ? installed() : undefined)
  return path === undefined
    ? { why: `not installed, and apt may not install ${packages.join(' and ')} here` }
    : { path }
}

async function install(packages: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env, patience: 120_000 })
  return (
    (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, patience: 300_000 }))
      .code === 0
  )
}

/**
 * Whole flows to SUCCESS: with the lines that the documentation gives for a page, and in the demo.
 */
async function payIn(engineName: string, found: Found, open: Open, isOld = false): Promise<void> {
  await playIn(engineName, found, open, {
    'a whole payment': wholePayment,
    'two presses before the amount is known': earlyPresses,
    'a purchase in the demo': (at) => buyAtTheDemo(at, isOld),
  })
}

async function playIn(
  engineName: string,
  found: Found,
  open: Open,
  flows: Readonly<Record<string, Flow>>,
): Promise<void> {
  for (const [flow, play] of Object.entries(flows)) {
    const name = `${engineName}: ${flow}`
    if ('why' in found) {
      skip(name, found.why)
      continue
    }
    try {
      await play((address) => open(found.path, address))
      total.passed++
      console.log(`ok      ${name}`)
    } catch (error) {
      total.failed++
      console.log(`FAILED  ${name}: ${(error as Error).message}`)
    }
  }
}
