// `npm run test:engines`: the same product in other browsers. Installs them by apt and npm where it may, names what it skips and why.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { oldChromium, oldChromiums, openPage } from './engines/old-chromium.ts'
import { root, run } from './helpers/run-quietly.ts'
import { type LocalHouse, startLocalHouse } from './helpers/start-house.ts'

const total = { passed: 0, failed: 0, skipped: 0 }
const PATIENCE_MS = 30_000

await elementTestsIn('Firefox', 'firefox', ['firefox-esr'], ['/usr/bin/firefox', '/usr/bin/firefox-esr'])
await elementTestsIn('WebKit', 'webkit', ['webkit2gtk-driver', 'xvfb'], ['/usr/bin/WebKitWebDriver'])

const house = await startLocalHouse({ patience: 120_000 })
try {
  for (const [version, carrier] of oldChromiums) await payIn(version, carrier, house)
} finally {
  await house.remove()
}

const { passed, failed, skipped } = total
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 ? 1 : 0

function skip(name: string, why: string): void {
  total.skipped++
  console.log(`skipped ${name}: ${why}`)
}

/** The element tests in another engine, by the suite's own configuration with `HC_BROWSER`. */
async function elementTestsIn(
  name: string,
  engine: string,
  packages: readonly string[],
  executables: readonly string[],
): Promise<void> {
  if (!existsSync(join(root, 'web-test-runner.config.js'))) return skip(name, 'there are no element tests')
  if (!executables.some((path) => existsSync(path)) && !(await install(packages))) {
    return skip(name, `not installed, and apt may not install ${packages.join(' and ')} here`)
  }
  const { code, output } = await run(join(root, 'node_modules/.bin/wtr'), [], {
    env: { HC_BROWSER: engine },
    patience: 300_000,
  })
  const counts = [...output.matchAll(/test files \| (\d+) passed, (\d+) failed(?:, (\d+) skipped)?/g)]
  if (/HC_BROWSER/.test(output) && counts.length === 0) return skip(name, output.trim().split('\n').at(-1) ?? '')
  for (const [, passed, failed, skipped] of counts) {
    total.passed += Number(passed)
    total.failed += Number(failed)
    total.skipped += Number(skipped ?? 0)
  }
  const unsaid = code !== 0 && !counts.some(([, , failed]) => Number(failed) > 0)
  if (unsaid) total.failed++
  if (code !== 0) console.error(output)
  console.log(`${code === 0 ? 'ok     ' : 'FAILED '} ${name}: element tests`)
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

/** Opens the companion's own page, fills the form as a person would, presses Pay, and arrives at the hosted checkout. */
async function payIn(version: number, carrier: string, { credentials }: LocalHouse): Promise<void> {
  const name = `Chromium ${version}`
  const browser = await oldChromium(version, carrier)
  if ('why' in browser) return skip(name, browser.why)
  const page = await openPage(browser.path, `${credentials.companionUrl}/pay`).catch((error: Error) => error)
  if (page instanceof Error) return skip(name, page.message)
  try {
    await until((expression) => page.evaluate(expression), `!!${part('pay-button')}`, 'the form is there')
    await page.evaluate(type('name', 'Amina Otieno'))
    await page.evaluate(type('phone', '0712345678'))
    await page.evaluate(type('amount', '2500'))
    await page.evaluate(`${part('pay-button')}.scrollIntoView()`)
    const box = (await page.evaluate(
      `(function () { var r = ${part('pay-button')}.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2] })()`,
    )) as [number, number]
    await page.click(...box)
    await until(
      async () => (await page.addresses()).some((address) => address.includes('/checkout/')),
      '',
      'the hosted checkout opened',
    )
    total.passed++
    console.log(`ok      ${name}: pays`)
  } catch (error) {
    total.failed++
    console.log(`FAILED  ${name}: ${(error as Error).message}`)
  } finally {
    await page.close()
  }
}

/** Written for the oldest engine: no optional chaining, no arrow needed. */
function part(name: string): string {
  return `(document.querySelector('hc-checkout') && document.querySelector('hc-checkout').shadowRoot && document.querySelector('hc-checkout').shadowRoot.querySelector('[part~="${name}"]'))`
}

function type(id: string, text: string): string {
  return `(function () {
    var field = document.querySelector('hc-checkout').shadowRoot.querySelector('#${id}')
    if (!field) return
    field.value = ${JSON.stringify(text)}
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    field.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
  })()`
}

async function until(ask: (expression: string) => Promise<unknown>, expression: string, what: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(200)) {
    if ((await ask(expression)) === true) return
  }
  throw new Error(`waited ${PATIENCE_MS / 1000} s in vain until ${what}`)
}
