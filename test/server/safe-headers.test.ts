// The headers of each door: what keeps a browser from misusing an answer, who may read it, and how
// long it may be kept.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COMPANION_URL, createTestSystem, SHOP_URL } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await createTestSystem({ settings: { publicUrl: 'https://pay.shop.example' } })
})
afterAll(() => system.close())

const DATA = "default-src 'none'; frame-ancestors 'none'"

it.each([
  // door, status, may a shop's page read it, cross-origin-resource-policy, referrer-policy,
  // cache-control
  ['GET /v1/markets', 200, true, 'cross-origin', 'no-referrer', 'public, max-age=60'],
  ['GET /v1/banks?country=KE', 200, true, 'cross-origin', 'no-referrer', 'public, max-age=3600'],
  ['GET /v1/session', 401, true, 'cross-origin', 'no-referrer', 'no-store'],
  ['GET /v1/attempt', 400, true, 'cross-origin', 'no-referrer', 'no-store'],
  ['POST /v1/deposits', 400, true, 'cross-origin', 'no-referrer', 'no-store'],
  ['PUT /v1/deposits', 405, true, 'cross-origin', 'no-referrer', 'no-store'],
  ['GET /v1/deposits/dep_x', 401, true, 'cross-origin', 'no-referrer', 'no-store'],
  ['GET /v1/deposits/dep_x/events', 401, true, 'cross-origin', 'no-referrer', 'no-store'],
  ['POST /v1/deposits/dep_x/check', 401, true, 'cross-origin', 'no-referrer', 'no-store'],
  ['GET /v1/payments', 401, false, 'cross-origin', 'no-referrer', 'no-store'],
  ['POST /v1/sessions', 401, false, 'cross-origin', 'no-referrer', 'no-store'],
  ['POST /v1/webhook/key', 401, false, 'cross-origin', 'no-referrer', 'no-store'],
  ['GET /v1/nothing', 404, false, 'cross-origin', 'no-referrer', 'no-store'],
  ['GET /healthz', 200, false, 'same-origin', 'no-referrer', 'no-store'],
  ['GET /readyz', 200, false, 'same-origin', 'no-referrer', 'no-store'],
  ['GET /nothing', 404, false, 'same-origin', 'no-referrer', 'no-store'],
] as const)('%s has its headers', async (door, status, isForShops, resourcePolicy, referrerPolicy, caching) => {
  const [method = '', path = ''] = door.split(' ')
  const answer = await system.companion.app.request(`${COMPANION_URL}${path}`, {
    method,
    headers: { origin: SHOP_URL },
  })
  const headers = Object.fromEntries(answer.headers)
  expect(answer.status).toBe(status)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': DATA,
    'cross-origin-resource-policy': resourcePolicy,
    'referrer-policy': referrerPolicy,
    'cache-control': caching,
  })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers['access-control-allow-origin']).toBe(isForShops ? SHOP_URL : undefined)
  // It belongs to the proxy that ends TLS.
  expect(headers).not.toHaveProperty('strict-transport-security')
  if (status >= 400 && path !== '/readyz') expect(headers['content-type']).toBe('application/problem+json')
})

it('an answer that the page of a shop has already is still readable as 304', async () => {
  const ask = (more = {}) =>
    system.companion.app.request(`${COMPANION_URL}/v1/markets`, { headers: { origin: SHOP_URL, ...more } })
  const etag = (await ask()).headers.get('etag') ?? ''
  const again = await ask({ 'if-none-match': etag })
  expect(again.status).toBe(304)
  expect(again.headers.get('access-control-allow-origin')).toBe(SHOP_URL)
  expect(again.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

it('no caller chooses the id of its request', async () => {
  const answer = await system.companion.app.request(`${COMPANION_URL}/healthz`, { headers: { 'x-request-id': 'mine' } })
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

it('a page has a policy of its own', async () => {
  const page = await system.companion.app.request(`${COMPANION_URL}/pay?country=KE`)
  expect(page.headers.get('referrer-policy')).toBe('strict-origin')
})

it.each([
  ['/pay?country=KE', 200],
  ['/pay/dnothing', 404],
  ['/problems/rate_limited', 200],
])('the page %s is to be left as it is by every proxy', async (path, status) => {
  const page = await system.companion.app.request(`${COMPANION_URL}${path}`)
  expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=UTF-8'])
  expect(page.headers.get('cache-control')).toMatch(/, no-transform$/)
  const script = await system.companion.app.request(`${COMPANION_URL}/pay/page.js`)
  expect(script.headers.get('cache-control')).not.toContain('no-transform')
})
