// The demo shop's receiver, which the docs name as a complete one: an order is credited once,
// whichever of its payments is reported how.
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openShopStore, type ShopStore } from '../../demo/shop/store.ts'
import { shopNotices } from '../../demo/shop/notices.ts'
import type { NoticeType } from '../../server/contract/index.ts'
import { signatureHeaders } from '../../server/notices/send-notice.ts'

const secret = `whsec_${Buffer.alloc(32, 21).toString('base64')}`

let store: ShopStore
beforeEach(() => {
  store = openShopStore(':memory:')
  const order = { id: 'NURU-1', visitor: 'v', product: 'lantern', country: 'KE', currency: 'KES', amount: 2300 }
  store.addOrder({ ...order, sessionToken: '', payUrl: '', createdAt: Date.now() })
})
afterEach(() => store.close())

/** Posts a notice of `paymentId` and returns what the shop says that it did. */
async function told(type: NoticeType, paymentId: string, version: number): Promise<string | undefined> {
  const data = {
    paymentId, version, reference: `HCT${paymentId}`, orderId: 'NURU-1', amount: 2300, currency: 'KES', country: 'KE', phase: 'succeeded',
    late: false, duplicate: type === 'payment.duplicate', mode: 'test', metadata: {},
  } // prettier-ignore
  const notice = {
    id: randomBytes(8).toString('hex'),
    body: JSON.stringify({ type, timestamp: new Date().toISOString(), data }),
  }
  const shop = shopNotices({ store, secret, now: Date.now, heard: () => {} })
  const headers = signatureHeaders(notice, [secret], Date.now())
  const answered = await shop.request('/notices', { method: 'POST', body: notice.body, headers })
  expect(answered.status).toBe(204)
  return store.happenings('v')[0]?.text
}

it('credits an order once when two sessions of it are paid', async () => {
  expect(await told('payment.succeeded', 'dep_a', 3)).toMatch(/KES 2,300 credited to order NURU-1/)
  expect(await told('payment.succeeded', 'dep_b', 3)).toMatch(/paid a second time for order NURU-1: refund it/)
})

it('refunds one of two payments of an order, not both, when a restore reports them the other way round', async () => {
  expect(await told('payment.succeeded', 'dep_a', 3)).toMatch(/credited/)
  expect(await told('payment.duplicate', 'dep_b', 3)).toMatch(/refund it/)
  expect(await told('payment.duplicate', 'dep_a', 1003)).toMatch(/Already credited, nothing added/)
  expect(await told('payment.succeeded', 'dep_b', 1003)).toMatch(/refund it/)
})
