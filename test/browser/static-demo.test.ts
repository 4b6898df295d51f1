// The demo as a static host serves it: built for a companion elsewhere, with no shop's backend,
// under the policy that its documentation names.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { root, run } from '../helpers/run-quietly.ts'
import { axeFaults } from './axe.ts'
import { customer, openChromium, widgetOf } from './customer.ts'
import { type BrowserSystem, openSystem } from './fixture.ts'
import { type Listening, listen } from './sockets.ts'

/** Below the root, as many hosts have it. */
const UNDER = '/demo'

const folder = mkdtempSync(join(tmpdir(), 'hc-static-'))
let policy = ''
let site: Listening
let system: BrowserSystem
let browser: Browser
let context: BrowserContext
let page: Page
const faults: string[] = []

beforeAll(async () => {
  const host = new Hono()
  host.use(async (c, next) => {
    c.header('Content-Security-Policy', policy)
    return next()
  })
  host.use(`${UNDER}/*`, serveStatic({ root: folder, rewriteRequestPath: (path) => path.slice(UNDER.length) }))
  site = await listen((request) => host.fetch(request))
  system = await openSystem({ settings: { allowedOrigins: [site.url] } })
  const { code, output } = await run('npm', ['run', '--silent', 'build:demo', '--', '--outDir', folder], {
    env: { HC_DEMO_COMPANION: system.companionUrl },
  })
  expect(code, output).toBe(0)
  policy = documentedPolicy()
  browser = await openChromium()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await system?.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  context = await customer(browser)
  page = await context.newPage()
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${site.url}${UNDER}/`)
  await page.locator('[data-buy=lantern]:enabled').waitFor()
})
afterEach(async () => {
  await context.close()
  expect(faults.splice(0)).toEqual([])
})

test('what a test builds is what a person builds: Lit as it is for customers', () => {
  const scripts = globSync('**/*.js', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(scripts.length).toBeGreaterThan(10)
  expect(scripts.filter((text) => text.includes('Lit is in dev mode'))).toEqual([])
})

/** The policy of demo/docs/show.md, with this companion and the hashes of this build. */
function documentedPolicy(): string {
  const docs = readFileSync(join(root, 'demo/docs/show.md'), 'utf8')
  const written = /^default-src 'none'.*$/m.exec(docs)?.[0] ?? ''
  const hashes = JSON.parse(readFileSync(join(folder, 'policy.json'), 'utf8')) as readonly string[]
  expect(hashes.length).toBeGreaterThan(2)
  return written
    .replaceAll('https://pay.shop.example', system.companionUrl)
    .replace(`'sha256-…'`, hashes.map((hash) => `'sha256-${hash}'`).join(' '))
}

test('a lamp is paid at the companion elsewhere, and a reload finds it paid', async () => {
  await page.locator('[data-buy=lantern]').click()
  const widget = widgetOf(page)
  await widget.says('KSh 2,300')
  await widget.element.locator('#name').fill('Amina Otieno')
  const opening = context.waitForEvent('page')
  await widget.payButton.click()
  await (await opening).waitForURL(/\/checkout\//)
  const paid = page.getByText('Paid. Thank you! Your order is on its way.')
  // Whoever comes back while it is to be paid finds it, too.
  await page.reload()
  await widget.heading('Your payment is open')
  expect(await paid.isVisible()).toBe(false)
  await system.pays()
  await paid.waitFor()
  await page.reload()
  await paid.waitFor()
  const { clientReference, amount, currency } = await system.deposit()
  expect([page.url().endsWith(`/order/${clientReference}`), amount, currency]).toEqual([true, 2300, 'KES'])
  await widget.element.getByRole('link', { name: /^Back to/ }).click()
  await page.getByRole('heading', { name: 'The sun goes down.' }).waitFor()
  expect(await page.getByText('is waiting for payment').count()).toBe(0)
  expect(await axeFaults(page)).toEqual([])
})

test('two browsers that top up make two purchases', async () => {
  const references = await Promise.all(
    [page, await (await customer(browser)).newPage()].map(async (one) => {
      await one.goto(`${site.url}${UNDER}/#/nairobi/top-up`)
      const reference = await one.locator('hc-checkout').getAttribute('client-reference')
      await one.reload()
      expect(await one.locator('hc-checkout').getAttribute('client-reference')).toBe(reference)
      return reference
    }),
  )
  expect(new Set(references).size).toBe(2)
})

test('nothing is offered that needs a backend, in the presentation neither', async () => {
  expect(await page.locator('#breaks').isVisible()).toBe(false)
  const links = await page.locator('#links a, #links button').allTextContents()
  expect(links.map((text) => text.trim())).toEqual(['Playground', 'On your phone', 'Copy link', 'Present'])
  await page.getByRole('button', { name: 'Present' }).click()
  const said: string[] = []
  for (let step = 1; step <= 8; step += 1) {
    await page.locator('#presenter').getByText(`${step} / 8`).waitFor()
    said.push((await page.locator('#presenter strong').textContent()) ?? '')
    await page.keyboard.press('PageDown')
  }
  expect(said).not.toContain('Somebody writes: it is paid.')
  expect(said.at(-1)).toBe('All that a developer writes.')
  expect(await page.getByText('not available right now').isVisible()).toBe(false)
})

test('the playground has its card there, too', async () => {
  await page.getByRole('link', { name: 'Playground' }).click()
  await widgetOf(page).payButton.waitFor()
  expect(await page.locator('.links a:visible').allTextContents()).toEqual(['Shops'])
})
