// A companion with its console, sandbox and shop, and browsers of the staff; every complaint of a
// browser about the page's policy is kept.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { buildConsoleIfStale } from '../../demo/console-pages.ts'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { openSystem, type BrowserSystem } from '../browser/fixture.ts'
import { customer, openChromium } from '../browser/customer.ts'
import { consoleUsers, PASSWORD } from '../helpers/console-users.ts'
import { root } from '../helpers/run-quietly.ts'

let browser: Browser
/** Of the running test. */
export let system: BrowserSystem
const complaints: string[] = []

/** For the head of a file. */
export function eachTestAtTheConsole(): void {
  beforeAll(async () => {
    await buildConsoleIfStale()
    browser = await openChromium()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    complaints.length = 0
    system = await openSystem({
      settings: {
        consoleUsers: await consoleUsers(),
        timeZone: 'Africa/Nairobi',
        consoleContact: 'Amina, 0700 000 000',
      },
      consolePages: pathToFileURL(join(root, 'server/dist/console/web/')),
    })
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((one) => one.close()))
    await system.close()
    // No script, style, address or Trusted Type that the page's policy does not allow.
    expect(complaints).toEqual([])
  })
}

/** A tab of a browser with nothing in it, at the console. */
export async function atTheConsole(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await customer(browser, options)
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refusal of a door that a test asks for is written there by Chromium itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  await page.exposeFunction('complain', (what: string) => void complaints.push(what))
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    complain(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`)
  await page.goto(`${system.companionUrl}/console`)
  return page
}

export async function signIn(page: Page, role: 'viewer' | 'operator' | 'owner'): Promise<void> {
  await page.getByLabel('User name').fill(`the.${role}`)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor()
}

/** A payment as the shop's page starts it. */
export async function start(wish: Readonly<Record<string, unknown>> = {}): Promise<CreatedDeposit> {
  const response = await fetch(`${system.companionUrl}/v1/deposits`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: system.shopUrl,
      'idempotency-key': `${crypto.randomUUID()}${crypto.randomUUID()}`,
    },
    body: JSON.stringify({
      country: 'KE',
      currency: 'KES',
      amount: 2500,
      payer: { name: 'Achieng Otieno', phone: '254712345678' },
      ...wish,
    }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as CreatedDeposit
}
