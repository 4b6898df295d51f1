// The shop's live list: what happened to a visitor's payments, as the page, the companion's
// timeline and the notices tell it.
import { type EventEmitter, once } from 'node:events'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { PayClient } from './pay-client.ts'
import type { Damage } from './breaks.ts'
import { orderView } from './orders.ts'
import { bodyOf, customerOf, type ShopEnv } from './request.ts'
import type { ShopStore } from './store.ts'
import { pageEvents, timelineWords } from './words.ts'

/** How often the companion is asked about the payments of an open list that may still change. */
const ASK_EVERY_MS = 1_000

export interface HappeningOptions {
  readonly store: ShopStore
  readonly pay: Pick<PayClient, 'payment'>
  readonly now: () => number
  /** Emits `change` when something has been stored, and hears of it. */
  readonly changes: EventEmitter
  /** What became of a visitor's broken orders. */
  readonly damages: (visitor: string) => Promise<readonly Damage[]>
}

export interface Happenings {
  /**
   * `POST /api/events` for what the page reports, `GET /api/happenings` for the list as it happens.
   */
  readonly routes: Hono<ShopEnv>
  /** Reads a payment's timeline from the companion, and adds new entries to its visitor's list. */
  look(paymentId: string): Promise<void>
}

export function shopHappenings({ store, pay, now, changes, damages }: HappeningOptions): Happenings {
  const changed = (): void => void changes.emit('change')
  const routes = new Hono<ShopEnv>()

  routes.post('/api/events', async (context) => {
    const body = await bodyOf(context)
    const words =
      typeof body.type === 'string' && Object.hasOwn(pageEvents, body.type) ? pageEvents[body.type] : undefined
    if (words === undefined) return context.json({ error: 'Unknown event.' }, 422)
    const visitor = context.get('visitor')
    const named =
      typeof body.paymentId === 'string' && /^[\w-]{1,64}$/.test(body.paymentId) ? body.paymentId : undefined
    const paymentId = named !== undefined && (await isOwn(named, visitor)) ? named : undefined
    if (paymentId !== undefined) store.watch(paymentId, visitor)
    const order = typeof body.orderId === 'string' ? store.order(body.orderId) : undefined
    const orderId = order?.visitor === visitor ? order.id : undefined
    const key = `page:${String(body.type)}:${paymentId ?? now()}`
    store.note(visitor, { at: now(), kind: String(body.type), ...words, paymentId, orderId, key })
    changed()
    return context.body(null, 204)
  })

  routes.get('/api/happenings', (context) => {
    const visitor = context.get('visitor')
    return streamSSE(context, async (stream) => {
      const gone = new AbortController()
      stream.onAbort(() => gone.abort())
      for (let sent = ''; !stream.closed && !stream.aborted;) {
        await Promise.all(store.unfinished(visitor).map(look))
        const data = JSON.stringify({
          happenings: store.happenings(visitor),
          orders: store.orders(visitor).map(orderView),
          damages: await damages(visitor),
        })
        if (data !== sent) await stream.writeSSE({ event: 'happenings', data })
        sent = data
        const wait = AbortSignal.any([gone.signal, AbortSignal.timeout(ASK_EVERY_MS)])
        await once(changes, 'change', { signal: wait }).catch(() => {})
      }
    })
  })

  /**
   * An id proves nothing: the payment must be for an order of this visitor, or carry their customer
   * number.
   */
  async function isOwn(paymentId: string, visitor: string): Promise<boolean> {
    const known = store.visitorOf(paymentId)
    if (known !== undefined) return known === visitor
    const { orderId, clientReference = '' } = (await pay.payment(paymentId)) ?? {}
    if (orderId !== undefined) return store.order(orderId)?.visitor === visitor
    return clientReference.split('-').includes(customerOf(visitor))
  }

  async function look(paymentId: string): Promise<void> {
    const visitor = store.visitorOf(paymentId)
    const payment = visitor === undefined ? undefined : await pay.payment(paymentId)
    if (visitor === undefined || payment === undefined) return
    for (const entry of payment.timeline) {
      store.note(visitor, {
        at: Date.parse(entry.at),
        ...timelineWords(entry, payment),
        paymentId,
        orderId: payment.orderId,
        key: `timeline:${paymentId}:${entry.version}:${entry.kind}:${entry.at}`,
      })
    }
    if (payment.status !== 'PENDING') store.setEnded(paymentId)
  }

  return { routes, look }
}
