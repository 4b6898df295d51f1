// The widget's bundle on a page that is being translated: each text node becomes a <font> again and
// again, through a whole payment.
import { expect, test } from 'vitest'
import { eachTestAtTheShop, shop, system, toThePaymentPage } from './at-the-shop.ts'
import { widgetOf } from './customer.ts'

eachTestAtTheShop()

/**
 * Puts every text node of the card into a <font>; what may be translated becomes another language.
 */
const TRANSLATE = `{
  const root = document.querySelector('hc-checkout').shadowRoot
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes = []
  while (walker.nextNode()) nodes.push(walker.currentNode)
  for (const node of nodes) {
    const font = document.createElement('font')
    const isFixed = !node.data.trim() || node.parentElement?.closest('[translate=no],style')
    font.textContent = isFixed ? node.data : 'translated'
    node.replaceWith(font)
  }
}`

test('a page that is being translated shows each step of a payment, and its sum', async () => {
  const { element, heading, says } = widgetOf(shop)
  const live = (): Promise<string | null> => element.locator('[role=status]').first().textContent()
  const errors: unknown[] = []
  shop.on('pageerror', (error) => errors.push(error))
  await shop.goto(system.shop())
  await element.locator('#name').waitFor()
  await shop.evaluate(TRANSLATE)
  await toThePaymentPage()
  await says(/^Pay on the page that opened/)
  const amount = await element.locator('dd').first().textContent()
  expect(amount).toMatch(/KSh\s[\d,]+/)
  await shop.evaluate(TRANSLATE)
  await system.act('lock')
  await system.act('paid')
  await system.act('confirm')
  await system.until('succeeded')
  await heading(/^Thank you/)
  // The title has the focus, and is read for that.
  expect(await live()).toBe('KSh 2,500. We have received your payment.')
  expect(await element.locator('.sum').textContent()).toBe(amount)
  // The mark of a test payment stays as it was translated: it says the same.
  expect(await element.locator('[part~=success]').textContent()).not.toContain('translated')
  expect(errors).toEqual([])
})
