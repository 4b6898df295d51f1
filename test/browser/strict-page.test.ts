// Shops with strict security policies: exactly the documented Content-Security-Policy, Trusted
// Types, cross-origin isolation.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from '../helpers/run-quietly.ts'
import { context, eachTestAtTheShop, system, shop } from './at-the-shop.ts'
import { widgetOf } from './customer.ts'

eachTestAtTheShop()

const complaints: string[] = []
beforeEach(async () => {
  shop.on('pageerror', (error) => complaints.push(error.message))
  shop.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await shop.exposeFunction('complain', (what: string) => void complaints.push(what))
  await shop.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    complain(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`)
})
afterEach(() => {
  complaints.length = 0
})

/** The policy that security.md tells a shop to send, for this system's companion. */
function documented(): string {
  const page = readFileSync(join(root, 'demo/docs/security.md'), 'utf8')
  const [, sources = ''] = /```\nContent-Security-Policy:\n([\s\S]*?)```/.exec(page) ?? []
  const [, types = ''] = /`(require-trusted-types-for [^`]*)`/.exec(page) ?? []
  expect(sources).toContain('https://pay.shop.example')
  expect(types).toContain('trusted-types')
  return `${sources.trim()}; ${types}`.replaceAll('https://pay.shop.example', system.companionUrl).replace(/\s+/g, ' ')
}

const embed = (before = ''): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
${before}<script type="module" src="${system.companionUrl}/widget/v1/hc-checkout.js"></script></head>
<body><hc-checkout companion="${system.companionUrl}"></hc-checkout></body></html>`

/** A whole payment, with all that a customer can touch on the way. */
async function wholePayment(): Promise<void> {
  const widget = widgetOf(shop)
  await widget.element.locator('#name').fill('A')
  await widget.payButton.click()
  await widget.says('Enter a whole amount, like 2500.')
  await widget.element.locator('#country').selectOption('KE')
  await widget.element.locator('#bank').fill('victoria')
  await widget.element.locator('[role=option]').first().click()
  await widget.fill()
  const opening = context.waitForEvent('page')
  await widget.payButton.click()
  const hosted = await opening
  await hosted.waitForURL(/\/checkout\//)
  expect(await hosted.evaluate('window.opener')).toBeNull()
  await widget.heading('Pay on the page that opened')
  // Who comes back may ask at once.
  await shop.reload()
  await widget.element.getByRole('button', { name: 'Check now' }).click()
  await system.pays()
  await widget.heading(/^Thank you/)
  await widget.says('We have received your payment.')
}

test('under default-src none, the documented sources and Trusted Types, a whole payment breaks no rule', async () => {
  const policy = `default-src 'none'; base-uri 'none'; ${documented()}`
  await shop.goto(system.page('/strict', embed(), { 'content-security-policy': policy }))
  await wholePayment()
  expect(complaints).toEqual([])
  // So that the line above can fail: the same page tells of what it refuses.
  await shop.evaluate(`(() => { try { document.body.innerHTML = '<b>text</b>' } catch {} })()`)
  await expect.poll(() => complaints.join()).toContain('require-trusted-types-for')
})

test('on an isolated page (COOP same-origin, COEP require-corp) a whole payment goes through', async () => {
  const isolated = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  }
  await shop.goto(system.page('/isolated', embed(), isolated))
  expect(await shop.evaluate('crossOriginIsolated')).toBe(true)
  await wholePayment()
  expect(complaints).toEqual([])
})

test('in a browser without style sheets made by script, the documented nonce lets the card have its looks', async () => {
  const page = readFileSync(join(root, 'demo/docs/security.md'), 'utf8')
  const section = page.slice(page.indexOf('**Older browsers.**'))
  const [, lines = ''] = /```\n([\s\S]*?)```/.exec(section) ?? []
  const [, script = ''] = /```html\n([\s\S]*?)```/.exec(section) ?? []
  const withNonce = lines.replaceAll('https://pay.shop.example', system.companionUrl).replace(/\s+/g, ' ')
  const policy = `default-src 'none'; base-uri 'none'; connect-src ${system.companionUrl}; ${withNonce}`
  await shop.addInitScript('delete Document.prototype.adoptedStyleSheets')
  await shop.goto(system.page('/older', embed(script), { 'content-security-policy': policy }))
  expect((await widgetOf(shop).payButton.boundingBox())?.height).toBeGreaterThan(43)
  await wholePayment()
  await widgetOf(shop).element.getByRole('button', { name: 'Receipt' }).click()
  await widgetOf(shop).element.getByRole('button', { name: 'Print' }).click()
  await expect.poll(() => shop.locator('hc-paper style').count()).toBe(1)
  expect(complaints).toEqual([])
  // So that the line above can fail: a page that does not tell the nonce is refused its looks.
  await shop.goto(system.page('/unsaid', embed(), { 'content-security-policy': policy }))
  await expect.poll(() => complaints.join()).toContain('style-src')
})
