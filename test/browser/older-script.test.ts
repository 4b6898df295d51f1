// A browser that still has the script of the release before the companion's upgrade: its later
// files are gone.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { context, eachTestAtTheShop, shop, system } from './at-the-shop.ts'
import { widgetOf } from './customer.ts'

eachTestAtTheShop()

const entry = readFileSync(new URL('../../widget/dist/bundle/hc-checkout.js', import.meta.url), 'utf8')

test('the customer and the shop hear of it, and the next visit has the present script', async () => {
  let isUpgraded = false
  system.between = async (request, next) => {
    if (isUpgraded || !request.url.endsWith('/widget/v1/hc-checkout.js')) return next()
    // Some proxies lengthen the time for which a browser keeps it.
    return new Response(entry.replace(/(?<="\+\w+\+")-[0-9a-f]{8}(?=\.js)/, '-00000000'), {
      headers: {
        'content-type': 'text/javascript',
        'cache-control': 'public, max-age=14400',
        'access-control-allow-origin': '*',
      },
    })
  }
  const page = `<!doctype html><html lang="en"><title>Shop</title>
    <hc-checkout companion="${system.companionUrl}" country="KE" amount="2500"></hc-checkout>
    <script>addEventListener('hc-error', ({ code, detail }) => (window.told ||= []).push(code + ' ' + detail))</script>
    <script type="module" src="${system.companionUrl}/widget/v1/hc-checkout.js"></script>`
  const address = system.page('/shop-page', page)
  await shop.goto(address)
  await widgetOf(shop).element.locator('#name').fill('Achieng Otieno')
  await widgetOf(shop).payButton.click()
  await widgetOf(shop).element.getByText('No connection. Trying again.').waitFor()
  expect(await shop.evaluate<string[]>('window.told')).toEqual([
    expect.stringMatching(/^network .*\/widget\/v1\/hc-flow-00000000\.js/),
  ])

  isUpgraded = true
  const renewed = await shop.waitForResponse(
    async (answer) => answer.url().endsWith('/v1/hc-checkout.js') && !(await answer.text()).includes('-00000000'),
  )
  await renewed.finished()
  await shop.goto(address)
  await widgetOf(shop).element.locator('#name').fill('Achieng Otieno')
  const opening = context.waitForEvent('page')
  await widgetOf(shop).payButton.click()
  await (await opening).close()
  await widgetOf(shop).element.locator('[part~=waiting]').waitFor()
  expect(system.creates()).toBe(1)
})
