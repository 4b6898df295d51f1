// The later files of the widget are missing: the browser has kept the script of an earlier release,
// or a file is blocked on its way.
import { expect, test } from 'vitest'
import { eachTestAtTheShop, shop, system } from './at-the-shop.ts'
import { widgetOf } from './customer.ts'

eachTestAtTheShop()

test.each(['before', 'after'])(
  'a press %s the reason is said brings it into view, and goes on by itself',
  async (when) => {
    let isMissing = true
    system.between = async (request, next) =>
      isMissing && request.url.includes('hc-flow') ? new Response('', { status: 404 }) : next()
    await shop.setViewportSize({ width: 360, height: 640 })
    const page = `<!doctype html><html lang="en"><title>Shop</title><meta name="viewport" content="width=device-width">
    <hc-checkout companion="${system.companionUrl}" country="KE"></hc-checkout>
    <script>addEventListener('hc-error', ({ code, detail }) => (window.told ||= []).push(code + ' ' + detail))</script>
    <script type="module" src="${system.companionUrl}/widget/v1/hc-checkout.js"></script>`
    await shop.goto(system.page('/shop-page', page))
    const widget = widgetOf(shop)
    const reason = widget.element.getByText('No connection. Trying again.')
    if (when === 'after') await reason.waitFor()
    await widget.element.locator('#amount').fill('2500')
    await widget.element.locator('#name').fill('Achieng Otieno')
    await widget.payButton.click()
    await reason.waitFor()
    const top = () => reason.evaluate((one) => one.getBoundingClientRect().top)
    await expect.poll(top).toBeGreaterThanOrEqual(0)
    expect(await top()).toBeLessThan(640)
    expect(await shop.evaluate<string[]>('window.told')).toEqual([
      expect.stringMatching(/^network .*\/widget\/v1\/hc-flow-[0-9a-f]{8}\.js/),
    ])
    expect(system.creates()).toBe(0)
    isMissing = false
    await expect.poll(() => system.creates()).toBe(1)
  },
)
