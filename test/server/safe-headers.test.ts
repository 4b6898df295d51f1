// The headers that keep a browser from misusing an answer: on every answer of the API, a refusal too, unless the answer has its own.
import { expect, it } from 'vitest'
import { createTestSystem } from '../helpers/create-test-system.ts'

it.each([
  ['https://pay.shop.example', 'max-age=31536000'],
  ['http://127.0.0.1:8787', undefined],
])('of a companion at %s', async (publicUrl, transport) => {
  const system = await createTestSystem({ settings: { publicUrl } })
  const get = async (path: string) => {
    const { headers } = await system.companion.app.request(`${publicUrl}${path}`)
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    return Object.fromEntries(headers)
  }
  const safe = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    ...(transport === undefined ? {} : { 'strict-transport-security': transport }),
  }
  for (const path of ['/v1/session', '/v1/nothing', '/v1/payments'])
    expect(await get(path)).toMatchObject({ ...safe, 'cache-control': 'no-store' })
  const markets = await get('/v1/markets')
  expect(markets).toMatchObject({ ...safe, 'cache-control': 'public, max-age=60' })
  expect('strict-transport-security' in markets).toBe(transport !== undefined)
  // A page has a policy of its own, and the same word about https.
  const page = await get('/pay?country=KE')
  expect(page['referrer-policy']).toBe('strict-origin')
  expect(page['strict-transport-security']).toBe(transport)
  await system.close()
})
