// The shelf "break it": each item is really done to a payment, and afterwards what was paid stands
// in the shop's books, once.
import { beforeEach, expect, test } from 'vitest'
import { eachTestAtTheDemo, shop, system } from './at-the-demo.ts'
import { axeFaults } from './axe.ts'

eachTestAtTheDemo()
beforeEach(() => shop.goto(system.credentials.shopUrl))

const once = { asked: '1 ×', paid: '1 ×', credited: '1 ×' }
const never = { asked: '1 ×', paid: '0 ×', credited: '0 ×' }

test.each([
  ['drop', once, ['nobody will tell us', 'We asked the payment service ourselves, and it says: paid']],
  ['twice', once, ['A message says how it ended', 'the same news again']],
  ['forge', never, ['A message says how it ended', 'The shop saw that the signature is wrong', 'it says: not paid']],
  ['cut', once, ['the line dies in the middle', 'Written down safely', 'it says: paid']],
  ['restart', once, ['Our server is down', 'Our server is up again', 'it says: paid']],
  ['double', once, ['Pay is pressed twice', 'it says: paid']],
  ['expire', once, ['it says: not paid', 'it says: paid', 'wrote it into its books, once']],
] as const)('%s: no money goes wrong', async (item, money, happened) => {
  await shop.locator(`[data-break=${item}]`).click()
  await shop.locator('#verdict').waitFor()
  for (const words of happened) await shop.locator('#happenings').getByText(words).first().waitFor()
  await shop.locator('#verdict [data-state=right]').waitFor()
  for (const [what, times] of Object.entries(money))
    expect(await shop.locator(`[data-damage=${what}]`).textContent(), what).toMatch(new RegExp(`^${times}.KES.2,300$`))
  // The customer's card says the same.
  await shop.locator(`hc-checkout [part~=${money.paid === once.paid ? 'success' : 'failure'}]`).waitFor()
  await shop.locator(`[data-break=${item}] [data-state=right]`).waitFor()
})

test('breaks a payment of the shown shop and country, and says so in French', async () => {
  await shop.goto(`${system.credentials.shopUrl}/#/dakar?lang=fr`)
  await shop.getByRole('button', { name: /^Le falsifier/ }).click()
  await shop.getByText('Aucun argent ne s’est égaré.').first().waitFor()
  expect(await shop.locator('#summary-order').textContent()).toMatch(/^Commande TERA-/)
  expect(await shop.locator('[data-damage=credited]').textContent()).toMatch(/0.×.45.000.XOF/)
  expect(await axeFaults(shop)).toEqual([])
})

test('nothing is broken from another site, and nothing that is not on the shelf', async () => {
  const { shopUrl } = system.credentials
  const post = (body: string, origin: string) =>
    fetch(`${shopUrl}/api/breaks`, { method: 'POST', body, headers: { origin, 'content-type': 'application/json' } })
  const wish = { item: 'forge', product: 'lantern', country: 'KE' }
  expect((await post(JSON.stringify(wish), 'https://elsewhere.example')).status).toBe(403)
  for (const other of [{ item: 'constructor' }, { country: 'XX' }])
    expect((await post(JSON.stringify({ ...wish, ...other }), shopUrl)).status).toBe(422)
})
