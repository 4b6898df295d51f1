// What is compressed for slow networks, and what is not, because its length would tell something.
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { COMPANION_URL, createSession, createTestSystem, kenyanDeposit, newKey } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import { visitor } from '../pages/visitor.ts'

let system: TestSystem
beforeEach(async () => {
  system = await createTestSystem({ agent: false })
})
afterEach(() => system.close())

const gzip = { 'accept-encoding': 'gzip, deflate, br, zstd' }
const pathOf = (url: string): string => url.slice(COMPANION_URL.length)

async function create(): Promise<CreatedDeposit> {
  const init = {
    method: 'POST',
    body: JSON.stringify(kenyanDeposit()),
    headers: { 'idempotency-key': newKey(), ...gzip },
  }
  const response = await system.browser('/v1/deposits', init)
  expect(response.headers.get('content-encoding')).toBeNull()
  return (await response.json()) as CreatedDeposit
}

it('the bank list of Nigeria takes a quarter of its bytes, and is not sent again to who has it', async () => {
  const path = '/v1/banks?country=NG'
  const plain = await (await system.browser(path)).text()
  const response = await system.browser(path, { headers: gzip })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(response.headers.get('vary')).toMatch(/Origin/i)
  expect(response.headers.get('vary')).toMatch(/Accept-Encoding/i)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(gunzipSync(bytes).toString()).toBe(plain)
  expect(bytes.length).toBeLessThan(plain.length / 4)
  const again = { headers: { ...gzip, 'if-none-match': response.headers.get('etag') ?? '' } }
  expect((await system.browser(path, again)).status).toBe(304)
})

it('the page of a payment, which reloads itself, is compressed', async () => {
  const path = pathOf((await create()).payUrl)
  const response = await system.browser(path, { headers: gzip })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  // For proxies, not for our own compression.
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  const html = gunzipSync(new Uint8Array(await response.arrayBuffer())).toString()
  expect(html).toContain('</html>')
  expect((await system.browser('/v1/markets', { headers: gzip })).headers.get('content-encoding')).toBe('gzip')
})

it('a form is not compressed: it may hold the link of an earlier payment beside text from its address', async () => {
  const person = visitor(system)
  const sent = await person.submit(await person.get('/pay?country=KE'), { amount: '2500', name: 'Achieng Otieno' })
  const [cookie = ''] = (sent.headers.get('set-cookie') ?? '').split('; ')
  const form = await system.browser('/pay?country=KE&amount=2500', { headers: { ...gzip, cookie } })
  expect(form.headers.get('content-encoding')).toBeNull()
  expect(await form.text()).toContain(cookie.slice('hc-started='.length).split('.')[0])
  const session = await createSession(system, { country: 'KE' })
  const own = await system.browser(pathOf(session.payUrl), { headers: { ...gzip, cookie } })
  expect(own.headers.get('content-encoding')).toBeNull()
})
