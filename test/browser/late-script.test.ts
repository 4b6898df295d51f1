// A shop's page that does something with the element while the script comes: before it, and before
// the first render.
import { expect, test } from 'vitest'
import { eachTestAtTheShop, shop, system } from './at-the-shop.ts'
import { widgetOf } from './customer.ts'

eachTestAtTheShop()

/**
 * @param act what the page does as soon as the element is known, which is a task before its first
 *   render
 */
async function openPage(before: string, act: string): Promise<void> {
  await shop.goto(
    system.page(
      '/late',
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Duka la Jua</title></head>
<body><hc-checkout companion="${system.companionUrl}"></hc-checkout>
<script>
const card = document.querySelector('hc-checkout')
window.heard = []
document.addEventListener('hc-ready', () => heard.push('ready'))
${before}
customElements.whenDefined('hc-checkout').then(() => {
  heard.push(card.hasUpdated ? 'too late' : 'in between')
  ${act}
})
</script>
<script type="module" src="${system.companionUrl}/widget/v1/hc-checkout.js"></script></body></html>`,
    ),
  )
}

test('what the page set before the script came gives way to what it has set since', async () => {
  await openPage('card.amount = 100; card.disabled = true', 'card.amount = 2500; card.disabled = false')
  const { payButton } = widgetOf(shop)
  await expect.poll(() => payButton.textContent()).toContain('KSh 2,500')
  expect(await payButton.isEnabled()).toBe(true)
  expect(await shop.evaluate('heard')).toEqual(['in between', 'ready'])
})

test('an element that is taken out before its first render asks for nothing and is not ready until it is back', async () => {
  await openPage('', 'card.remove(); setTimeout(() => heard.push("gone"))')
  await expect.poll(() => shop.evaluate('heard')).toEqual(['in between', 'gone'])
  expect(system.requests.filter((one) => one.includes('/v1/') && !one.includes('/widget/'))).toEqual([])
  await shop.evaluate('document.body.append(card)')
  await widgetOf(shop).payButton.waitFor()
  expect(await shop.evaluate('heard')).toEqual(['in between', 'gone', 'ready'])
})
