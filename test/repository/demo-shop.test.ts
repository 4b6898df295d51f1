// The demo shop at the addresses that people and scripts try.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createShop } from '../../demo/shop.ts'
import type { Shop } from '../../demo/shop.ts'

const shopUrl = 'http://127.0.0.1:8080'
let shop: Shop

beforeEach(() => {
  shop = createShop({
    database: ':memory:',
    keys: {
      companionUrl: 'http://127.0.0.1:8787',
      sandboxUrl: 'http://127.0.0.1:8788',
      shopUrl,
      merchantKey: 'mk_test',
      notifySecret: `whsec_${Buffer.alloc(32).toString('base64')}`,
    },
  })
})
afterEach(() => shop.close())

const at = (host: string, init?: RequestInit) => shop.app.request('/', { ...init, headers: { host } })

it('is led from localhost to its own address, since the companion allows no other origin', async () => {
  const answer = await at('localhost:8080')
  expect([answer.status, answer.headers.get('location')]).toEqual([302, shopUrl])
  expect((await at('127.0.0.1:8080')).status).toBe(200)
})

it('answers HEAD, and refuses a form of another site', async () => {
  expect((await at('127.0.0.1:8080', { method: 'HEAD' })).status).toBe(200)
  expect((await at('127.0.0.1:8080', { method: 'POST' })).status).toBe(403)
})

it.each([
  ['null', 422],
  ['{"type":"constructor"}', 422],
  ['{"type":"__proto__"}', 422],
  ['{"type":["hc-success"]}', 422],
  ['{"type":"click"}', 204],
])('an event of the page with the body %s is answered with %i', async (body, status) => {
  const answer = await shop.app.request('/api/events', { method: 'POST', headers: { origin: shopUrl }, body })
  expect(answer.status).toBe(status)
})

it('sends a phone on a slow network its page, its files and its catalogue compressed, and the live list as it happens', async () => {
  for (const path of ['/', '/shop.css', '/shop.js', '/texts.js', '/code-panel.js', '/api/happenings']) {
    const answer = await shop.app.request(path, { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers.get('content-encoding'), path).toBe(path === '/api/happenings' ? null : 'gzip')
    await answer.body?.cancel()
  }
})

it('reads no endless order and no endless notice', async () => {
  const headers = { origin: shopUrl }
  expect((await shop.app.request('/api/orders', { method: 'POST', headers, body: 'null' })).status).toBe(422)
  for (const path of ['/api/events', '/api/orders', '/notices'])
    expect((await shop.app.request(path, { method: 'POST', headers, body: 'x'.repeat(65_537) })).status).toBe(413)
})
