// The demo shop at the addresses that people and scripts try.
import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createShop } from '../../demo/shop/shop.ts'
import type { Shop } from '../../demo/shop/shop.ts'
import { shopBreaks } from '../../demo/shop/breaks.ts'
import type { PayClient } from '../../demo/shop/pay-client.ts'
import type { PaymentView } from 'hc-checkout-server/contract'
import type { Order, ShopStore } from '../../demo/shop/store.ts'
import { breakWords } from '../../demo/shop/words.ts'

const shopUrl = 'http://127.0.0.1:8080'
const keys = {
  companionUrl: 'http://127.0.0.1:8787',
  sandboxUrl: 'http://127.0.0.1:8788',
  shopUrl,
  merchantKey: 'mk_test',
  notifySecret: `whsec_${Buffer.alloc(32).toString('base64')}`,
}
let shop: Shop

beforeEach(() => {
  shop = createShop({ database: ':memory:', keys })
})
afterEach(() => {
  vi.unstubAllGlobals()
  shop.close()
})

const at = (host: string, init?: RequestInit) => shop.app.request('/', { ...init, headers: { host } })

it('is led from localhost to its own address, since the companion allows no other origin', async () => {
  const answer = await at('localhost:8080')
  expect([answer.status, answer.headers.get('location')]).toEqual([302, shopUrl])
  expect((await at('127.0.0.1:8080')).status).toBe(200)
})

it('names no more of a page than its origin in the Referer of a request', async () => {
  for (const path of ['/', '/api/shop', '/nowhere'])
    expect((await shop.app.request(path)).headers.get('referrer-policy'), path).toBe('strict-origin')
})

it('lets the scripts in its page run, each by its hash, and no other', async () => {
  const page = await at('127.0.0.1:8080')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).not.toContain('unsafe')
  const inline = [...(await page.text()).matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, text]) => text ?? '')
  expect(inline.length).toBeGreaterThan(2)
  for (const text of inline) expect(policy).toContain(createHash('sha256').update(text).digest('base64'))
})

it.each(['/', '/playground.html'])(
  'gives %s a nonce for the looks of the card, and each answer another',
  async (path) => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const page = await shop.app.request(path)
        const [, nonce = ''] = /<meta property="csp-nonce" nonce="([\w+/]{22}==)"/.exec(await page.text()) ?? []
        expect(page.headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}';`)
        return nonce
      }),
    )
    expect(nonces[0]).not.toBe(nonces[1])
  },
)

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
  const html = await (await at('127.0.0.1:8080')).text()
  const files = [...html.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(files.length).toBeGreaterThan(2)
  for (const path of ['/', ...files, '/api/happenings']) {
    const answer = await shop.app.request(path, { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.status, path).toBe(200)
    expect(answer.headers.get('content-encoding'), path).toBe(path === '/api/happenings' ? null : 'gzip')
    await answer.body?.cancel()
  }
  // As the build has compressed them, where the browser can.
  for (const path of files) {
    const answer = await shop.app.request(path, { headers: { 'accept-encoding': 'gzip, deflate, br' } })
    expect(answer.headers.get('content-encoding'), path).toBe('br')
    const plain = await shop.app.request(path, { headers: { 'accept-encoding': 'identity' } })
    expect(brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString(), path).toBe(await plain.text())
  }
})

it('reads no endless order and no endless notice', async () => {
  const headers = { origin: shopUrl }
  expect((await shop.app.request('/api/orders', { method: 'POST', headers, body: 'null' })).status).toBe(422)
  for (const path of ['/api/events', '/api/orders', '/notices'])
    expect((await shop.app.request(path, { method: 'POST', headers, body: 'x'.repeat(65_537) })).status).toBe(413)
})

describe('two visitors', () => {
  const payments = new Map<string, Record<string, unknown>>()
  const json = (body: unknown, status = 200) => Response.json(body, { status })

  beforeEach(() => {
    payments.clear()
    vi.stubGlobal('fetch', async (address: string) => {
      const { pathname } = new URL(address)
      if (pathname === '/v1/sessions') return json({ token: 'ses_token', payUrl: 'http://127.0.0.1:8787/pay/s1' }, 201)
      const payment = payments.get(pathname.replace('/v1/payments/', ''))
      return payment === undefined ? json({}, 404) : json(payment)
    })
  })

  /** A browser with its cookie. Everything that it has read is in `heard`. */
  async function visitor() {
    const first = await shop.app.request('/api/shop')
    const cookie = /visitor=([^;]+)/.exec(first.headers.get('set-cookie') ?? '')?.[1] ?? ''
    const heard = [await first.text()]
    const send = async (path: string, body?: unknown) => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      return shop.app.request(path, { ...init, headers: { origin: shopUrl, cookie: `visitor=${cookie}` } })
    }
    return {
      cookie,
      heard,
      customer: (JSON.parse(heard[0] ?? '') as { customer: string }).customer,
      async order(): Promise<string> {
        const answer = await send('/api/orders', { product: 'lantern', country: 'KE' })
        heard.push(await answer.text())
        return (JSON.parse(heard.at(-1) ?? '') as { id: string }).id
      },
      report: (paymentId: string, orderId?: string) =>
        send('/api/events', { type: 'hc-deposit-created', paymentId, orderId }),
      /** The live list as it stands. */
      async list(): Promise<string> {
        const reader = (await send('/api/happenings')).body?.getReader()
        const text = Buffer.from((await reader?.read())?.value ?? []).toString()
        await reader?.cancel()
        heard.push(text, await (await send('/api/shop')).text())
        return text
      },
    }
  }

  function pay(id: string, of: { orderId?: string; clientReference?: string }): void {
    payments.set(id, {
      ...of, id, reference: `HCT-${id}`, status: 'SUCCESS', phase: 'succeeded', amount: 2300, currency: 'KES', country: 'KE', mode: 'test',
      description: 'Nuru Lantern', metadata: {}, createdAt: '2026-11-21T09:00:00.000Z', expiresAt: '2026-11-22T09:00:00.000Z',
      late: false, duplicate: false, version: 3, reported: {}, notices: [],
      evidence: {
        request: { at: '2026-11-21T09:00:00.000Z', walletNo: '1', reference: `HCT-${id}`, amount: 2300, currency: 'KES', description: 'Nuru Lantern' },
        callbacks: [],
      },
      timeline: [{ at: '2026-11-21T09:00:00.000Z', kind: 'created', phase: 'creating', version: 1 }],
    }) // prettier-ignore
  }

  it('see their own payments, and nobody else’s by its id', async () => {
    const [owner, other] = [await visitor(), await visitor()]
    const orderId = await owner.order()
    pay('dep_order', { orderId })
    pay('dep_top_up', { clientReference: `meter-${owner.customer}-1` })
    pay('dep_nameless', {})
    const all = ['dep_order', 'dep_top_up', 'dep_nameless', 'dep_unknown']
    // The stranger is first.
    for (const who of [other, owner]) for (const id of all) expect((await who.report(id, orderId)).status).toBe(204)
    const seen = (text: string) => all.filter((id) => text.includes(id))
    expect(seen(await other.list())).toEqual([])
    expect(seen(await owner.list())).toEqual(['dep_order', 'dep_top_up'])
    expect(await other.list()).not.toMatch(/NURU-/)
  })

  it('learn nothing of a cookie, their own neither: scripts read what the shop answers', async () => {
    const one = await visitor()
    const id = await one.order()
    pay('dep_order', { orderId: id })
    await one.report('dep_order')
    expect(await one.list()).toContain(id)
    expect(one.cookie).toMatch(/^[\w-]{22}$/)
    expect(one.heard.join()).not.toContain(one.cookie)
  })
})

describe('the shelf', () => {
  /** Whether the sandbox shows its scenarios. */
  let isShown = true
  let released = (): void => {}
  let restarts = 0
  let running = 0

  beforeEach(() => {
    const json = (body: unknown, status = 200) => Response.json(body, { status })
    isShown = true
    restarts = 0
    running = 0
    vi.stubGlobal('fetch', async (address: string) => {
      const { pathname } = new URL(address)
      if (pathname === '/console/api/scenarios') return isShown ? json({ data: [{ name: 'paid' }] }) : json({}, 403)
      if (pathname === '/v1/sessions') return json({ token: 'ses_token', payUrl: 'http://127.0.0.1:8787/pay/s1' }, 201)
      return json({ id: 'dep_1', payments: [], data: [] })
    })
    let clock = 0
    shop.close()
    shop = createShop({
      database: ':memory:',
      keys,
      // No payment appears, and each look at the clock finds the patience ended.
      now: () => (clock += 60_000),
      async restartCompanion() {
        restarts += 1
        running += 1
        await new Promise<void>((resolve) => (released = resolve))
        running -= 1
      },
    })
  })

  const cookie = `visitor=${'v'.repeat(22)}`
  const press = () =>
    shop.app.request('/api/breaks', {
      method: 'POST',
      headers: { origin: shopUrl, cookie },
      body: JSON.stringify({ item: 'restart', product: 'lantern', country: 'KE' }),
    })
  /** How often the live list says it. */
  async function said(words: string): Promise<number> {
    const reader = (await shop.app.request('/api/happenings', { headers: { cookie } })).body?.getReader()
    const text = Buffer.from((await reader?.read())?.value ?? []).toString()
    await reader?.cancel()
    return text.split(words).length - 1
  }

  it('breaks nothing where it is not offered, though it is asked by hand', async () => {
    isShown = false
    expect(await (await shop.app.request('/api/shop')).json()).toMatchObject({ breakages: [] })
    expect((await press()).status).toBe(404)
    expect(await said('"orderId"')).toBe(0)
  })

  it('restarts the companion once for two who ask at the same time', async () => {
    expect((await Promise.all([press(), press()])).map(({ status }) => status)).toEqual([201, 201])
    await expect.poll(() => said(breakWords.stopped)).toBe(2)
    expect(running).toBe(1)
    released()
    await expect.poll(() => said(breakWords.started)).toBe(2)
    expect(restarts).toBe(1)
    await press()
    await expect.poll(() => restarts).toBe(2)
    released()
    await expect.poll(() => said(breakWords.started)).toBe(3)
  })

  it('calls nothing settled while the money of an expired payment is still to come, and not for ever', async () => {
    let at = 5000
    const order = { id: 'NURU-1', createdAt: 0 } as Order
    const store = { breaks: () => [{ order, item: 'expire' }], creditsOf: () => 0 } as Partial<ShopStore> as ShopStore
    let status = 'FAILED'
    const pay: Partial<PayClient> = {
      paymentsOf: async () => [{ reference: 'HCT-1', status } as PaymentView],
      statusesAtService: async () => [status],
      scenarios: async () => [{ name: 'late', title: '', does: '', number: '13', ending: 'SUCCESS' }],
    }
    const { damages } = shopBreaks({
      store,
      pay: pay as PayClient,
      now: () => at,
      changed: () => {},
      restartCompanion: undefined,
      makeOrder: async () => ({ error: 'none' }),
    })
    const isOpen = async () => (await damages('v')).map((damage) => damage.isOpen)
    expect(await isOpen()).toEqual([true])
    // The sandbox was started anew meanwhile: nothing more comes.
    at = 100_000
    expect(await isOpen()).toEqual([false])
    at = 7000
    status = 'SUCCESS'
    expect(await isOpen()).toEqual([false])
  })
})
