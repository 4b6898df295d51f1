// What stands between a customer's browser and the companion: a proxy with its defaults, one that
// buffers streams, a network that loses answers.
import { afterEach, describe, expect, test } from 'vitest'
import { nginxMissing, startDefaultNginx, startNginx } from '../helpers/nginx.ts'
import type { Nginx } from '../helpers/nginx.ts'
import { context, eachTestAtTheShop, system, shop, toThePaymentPage } from './at-the-shop.ts'
import { STANDING_TIMERS, standTimersAtTheForm, widgetOf } from './customer.ts'

eachTestAtTheShop()

/** How often the payment's state was asked for, other than by the stream. */
function asked(): number {
  return system.requests.filter((one) => /^GET \/v1\/deposits\/[^/]+$/.test(one)).length
}

const missing = await nginxMissing()
describe.skipIf(missing)(`behind nginx${missing ? ` (${missing})` : ''}`, () => {
  let nginx: Nginx | undefined
  afterEach(async () => {
    await nginx?.stop()
    nginx = undefined
  })

  test('as it is packaged, the result comes by the stream, and nobody has to ask for it', async () => {
    nginx = await startDefaultNginx(system.companionUrl)
    await shop.addInitScript(STANDING_TIMERS)
    await shop.goto(system.shop({ companion: nginx.url }))
    // A machine that needs nine seconds for the stream's answer is no reason to ask.
    await standTimersAtTheForm(shop)
    await toThePaymentPage()
    await expect.poll(() => system.watching()).toBe(1)
    // The snapshot before the stream is on its way when the stream is there; from here on only the
    // stream speaks.
    const before = asked()
    await system.pays()
    await widgetOf(shop).heading(/^Thank you/)
    expect(asked()).toBe(before)
  })

  test('that holds the stream back, the result is asked for', async () => {
    const to = system.companionUrl
    nginx = await startNginx(
      (port) => `events {}
http {
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${to}; proxy_ignore_headers X-Accel-Buffering; } }
}
`,
    )
    await shop.goto(system.shop({ companion: nginx.url }))
    await toThePaymentPage()
    await expect.poll(() => system.watching()).toBe(1)
    const before = asked()
    await system.act('decline')
    await system.until('failed')
    // The stream stays open after such an end, since money may still come: nothing flushes the
    // proxy.
    await widgetOf(shop).heading('Not paid')
    expect(asked()).toBeGreaterThan(before)
  })
})

test('a lost answer to "pay" is asked for again: the same payment is found, and there is one', async () => {
  let losing = true
  system.between = async (request, next) => {
    const answer = await next()
    if (losing && request.method === 'POST' && new URL(request.url).pathname === '/v1/deposits')
      throw new Error('The line is cut when the companion has answered.')
    return answer
  }
  await shop.goto(system.shop())
  const widget = widgetOf(shop)
  await widget.fill()
  const opening = context.waitForEvent('page')
  await widget.payButton.click()
  await widget.heading('We are checking')
  await widget.says('you will not be charged twice')
  expect(await system.deposits()).toHaveLength(1)
  losing = false
  const hosted = await opening
  await hosted.waitForURL(/\/checkout\//)
  await widget.heading('Pay on the page that opened')
  const { reference, checkoutUrl } = await system.deposit()
  expect(hosted.url()).toBe(checkoutUrl)
  await widget.says(reference)
  // Browsers send again by themselves what was cut, which is one more reason for the key.
  expect(system.creates()).toBeGreaterThan(1)
  expect(system.upstream.filter((one) => one === 'POST /api/v2/payment/')).toHaveLength(1)
  expect(context.pages()).toHaveLength(2)
  await system.pays()
  await widget.heading(/^Thank you/)
  expect((await system.told()).map(({ type }) => type)).toEqual(['payment.succeeded'])
})

test('the browser sends one preflight for requests that are repeated, which saves a round trip each on a slow network', async () => {
  await shop.goto(system.shop())
  await toThePaymentPage()
  const { id } = await system.deposit()
  // Who comes back may ask at once.
  await shop.reload()
  const sent = (method: string): number =>
    system.requests.filter((one) => one === `${method} /v1/deposits/${id}/check`).length
  for (const checks of [1, 2]) {
    await widgetOf(shop).element.getByRole('button', { name: 'Check now' }).click()
    await expect.poll(() => sent('POST')).toBe(checks)
  }
  expect(sent('OPTIONS')).toBe(1)
})
