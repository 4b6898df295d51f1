// The shop's receiver of notices: accepts only those whose signature verifies, and credits each
// payment once.
import { Notice } from 'hc-checkout-server/contract'
import { Hono } from 'hono'
import { Webhook } from 'standardwebhooks'
import type { ShopStore } from './store.ts'
import { noticeWords, type Outcome } from './words.ts'

export interface NoticeOptions {
  readonly store: ShopStore
  /** Standard Webhooks secret, the companion's HC_NOTIFY_SECRET. */
  readonly secret: string
  readonly now: () => number
  /** Called after a notice was stored. */
  readonly heard: (paymentId: string) => void
}

/**
 * `POST /notices`: 204 once it is durable, 401 for a wrong signature. The companion retries
 * anything but 2xx.
 */
export function shopNotices({ store, secret, now, heard }: NoticeOptions): Hono {
  const verifier = new Webhook(secret)
  return new Hono().post('/notices', async (context) => {
    const body = await context.req.text()
    const id = context.req.header('webhook-id') ?? ''
    let notice: Notice
    try {
      notice = Notice.parse(
        verifier.verify(body, {
          'webhook-id': id,
          'webhook-timestamp': context.req.header('webhook-timestamp') ?? '',
          'webhook-signature': context.req.header('webhook-signature') ?? '',
        }),
      )
    } catch {
      return context.text('The signature does not verify.', 401)
    }
    store.transaction(() => {
      const did = take(store, notice, now())
      const visitor = visitorOf(store, notice)
      if (visitor === undefined) return
      store.watch(notice.data.paymentId, visitor)
      store.note(visitor, {
        at: now(),
        ...noticeWords({ notice, did }),
        paymentId: notice.data.paymentId,
        orderId: notice.data.orderId,
        // A repeated notice is listed again only if it was handled differently.
        key: `notice:${id}:${did}`,
      })
    })
    heard(notice.data.paymentId)
    return context.body(null, 204)
  })
}

/**
 * The rules of a receiver: the highest version wins, an order is credited once, and only with what
 * it costs. After a restore the two payments of one order may be reported the other way round, so
 * that `payment.duplicate` can name the credited one.
 */
function take(store: ShopStore, { type, data }: Notice, at: number): Outcome['did'] {
  const { paymentId, orderId, phase, version, amount, currency } = data
  const payment = { paymentId, phase, version, amount, currency, orderId }
  const isNews = store.hear(payment)
  if (type === 'payment.succeeded' || type === 'payment.duplicate') {
    const credited = store.creditOf(payment)
    if (credited === paymentId) return 'credited-before'
    if (credited !== undefined || type === 'payment.duplicate') return 'second'
    const order = orderId === undefined ? undefined : store.order(orderId)
    if (orderId !== undefined && (order?.amount !== amount || order.currency !== currency)) return 'mismatch'
    store.credit(payment, at)
    return 'credited'
  }
  return isNews ? 'nothing' : 'old'
}

function visitorOf(store: ShopStore, { data }: Notice): string | undefined {
  return (
    (data.orderId === undefined ? undefined : store.order(data.orderId)?.visitor) ?? store.visitorOf(data.paymentId)
  )
}
