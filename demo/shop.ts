// The demo shop and its backend: pages, orders with locked amounts, the receiver of notices, and the live list of what happened.
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { getCookie, setCookie } from 'hono/cookie'
import { streamSSE } from 'hono/streaming'
import { products, shopMarkets } from './catalogue.ts'
import type { Keys } from './credentials.ts'
import { createPayClient } from './pay-client.ts'
import { shopNotices } from './shop-notices.ts'
import { openShopStore, type Order } from './shop-store.ts'
import { pageEvents, timelineWords } from './shop-words.ts'

export interface ShopOptions {
  /** SQLite file of orders and credits. */
  readonly database: string
  readonly keys: Pick<Keys, 'companionUrl' | 'sandboxUrl' | 'shopUrl' | 'merchantKey' | 'notifySecret'>
  readonly now?: () => number
}

export interface Shop {
  readonly app: Hono
  close(): void
}

const files: Readonly<Record<string, string>> = {
  '/shop.css': 'text/css; charset=utf-8',
  '/shop.js': 'text/javascript; charset=utf-8',
  '/texts.js': 'text/javascript; charset=utf-8',
  '/code-panel.js': 'text/javascript; charset=utf-8',
  '/favicon.svg': 'image/svg+xml',
}
const ASK_EVERY_MS = 1_000

export function createShop({ database, keys, now = Date.now }: ShopOptions): Shop {
  const store = openShopStore(database)
  const pay = createPayClient(keys)
  const changes = new EventEmitter().setMaxListeners(0)
  const app = new Hono<{ Variables: { visitor: string } }>()

  app.use(bodyLimit({ maxSize: 64 * 1024 }))
  // The page is 56 kB as written: on 2G that is two seconds before the widget is asked for.
  app.use(compress())
  app.route(
    '/',
    shopNotices({
      store,
      secret: keys.notifySecret,
      now,
      heard: (paymentId) => {
        void look(paymentId).finally(() => changes.emit('change'))
      },
    }),
  )

  app.use(async (context, next) => {
    context.header('Content-Security-Policy', contentSecurityPolicy(keys.companionUrl))
    context.header('Referrer-Policy', 'strict-origin-when-cross-origin')
    context.header('X-Content-Type-Options', 'nosniff')
    // On Back from the payment page browsers use their cache, which would show the shop as it was before the order.
    if (context.req.path.startsWith('/api/')) context.header('Cache-Control', 'no-store')
    if (!['GET', 'HEAD'].includes(context.req.method) && context.req.header('origin') !== keys.shopUrl) {
      return context.json({ error: 'Open the shop at its own address.' }, 403)
    }
    const known = getCookie(context, 'visitor')
    const visitor = known !== undefined && /^[\w-]{22}$/.test(known) ? known : randomBytes(16).toString('base64url')
    if (visitor !== known)
      setCookie(context, 'visitor', visitor, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 30 * 86_400 })
    context.set('visitor', visitor)
    return next()
  })

  app.get('/', (context) => {
    // Another origin than the one that the companion allows: nothing could be paid there.
    if (context.req.header('host')?.startsWith('localhost')) return context.redirect(keys.shopUrl)
    return context.html(page(keys))
  })
  for (const [path, type] of Object.entries(files)) {
    app.get(path, (context) =>
      context.body(publicFile(path), 200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }),
    )
  }

  app.get('/api/shop', async (context) => {
    return context.json({
      companionUrl: keys.companionUrl,
      consoleUrl: `${keys.sandboxUrl}/console`,
      markets: shopMarkets,
      products,
      scenarios: await pay.scenarios(),
      orders: store.orders(context.get('visitor')).map(orderView),
    })
  })

  app.post('/api/orders', async (context) => {
    const body = await bodyOf(context)
    const product = products.find(({ id }) => id === body.product)
    const market = shopMarkets.find(({ country }) => country === body.country)
    const amount = market === undefined ? undefined : product?.prices[market.currency]
    if (product === undefined || market === undefined || amount === undefined) {
      return context.json({ error: 'There is no such product in that country.' }, 422)
    }
    const id = `NURU-${randomBytes(4).toString('hex').toUpperCase()}`
    const visitor = context.get('visitor')
    const session = await pay.createSession({
      amount,
      currency: market.currency,
      country: market.country,
      orderId: id,
      description: product.name,
      metadata: { product: product.id },
    })
    if (!session.ok) return context.json({ error: session.why }, 502)
    const order: Order = {
      id,
      visitor,
      product: product.id,
      country: market.country,
      currency: market.currency,
      amount,
      sessionToken: session.token,
      payUrl: session.payUrl,
      createdAt: now(),
    }
    store.addOrder(order)
    store.note(visitor, {
      at: order.createdAt,
      source: 'shop',
      tone: 'plain',
      text: `Order ${id}: ${product.name}. The shop’s backend locked the amount in a session`,
      orderId: id,
      key: `order:${id}`,
    })
    changes.emit('change')
    return context.json(orderView(order), 201)
  })

  app.post('/api/events', async (context) => {
    const body = await bodyOf(context)
    const words =
      typeof body.type === 'string' && Object.hasOwn(pageEvents, body.type) ? pageEvents[body.type] : undefined
    if (words === undefined) return context.json({ error: 'Unknown event.' }, 422)
    const visitor = context.get('visitor')
    const paymentId =
      typeof body.paymentId === 'string' && /^[\w-]{1,64}$/.test(body.paymentId) ? body.paymentId : undefined
    if (paymentId !== undefined) store.watch(paymentId, visitor)
    const key = `page:${String(body.type)}:${paymentId ?? now()}`
    store.note(visitor, { at: now(), ...words, ...(paymentId === undefined ? {} : { paymentId }), key })
    changes.emit('change')
    return context.body(null, 204)
  })

  app.get('/api/happenings', (context) => {
    const visitor = context.get('visitor')
    return streamSSE(context, async (stream) => {
      const gone = new AbortController()
      stream.onAbort(() => gone.abort())
      for (let sent = ''; !stream.closed && !stream.aborted;) {
        await Promise.all(store.unfinished(visitor).map(look))
        const data = JSON.stringify({
          happenings: store.happenings(visitor),
          orders: store.orders(visitor).map(orderView),
        })
        if (data !== sent) await stream.writeSSE({ event: 'happenings', data })
        sent = data
        const wait = AbortSignal.any([gone.signal, AbortSignal.timeout(ASK_EVERY_MS)])
        await once(changes, 'change', { signal: wait }).catch(() => {})
      }
    })
  })

  /** Reads a payment's timeline from the companion, and adds new entries to its visitor's list. */
  async function look(paymentId: string): Promise<void> {
    const visitor = store.visitorOf(paymentId)
    const payment = visitor === undefined ? undefined : await pay.payment(paymentId)
    if (visitor === undefined || payment === undefined) return
    for (const entry of payment.timeline) {
      store.note(visitor, {
        at: Date.parse(entry.at),
        ...timelineWords(entry, payment),
        paymentId,
        ...(payment.orderId === undefined ? {} : { orderId: payment.orderId }),
        key: `timeline:${paymentId}:${entry.version}:${entry.kind}:${entry.at}`,
      })
    }
    if (payment.status !== 'PENDING') store.setEnded(paymentId)
  }

  return { app: app as unknown as Hono, close: () => store.close() }
}

function orderView({ visitor: _, ...order }: Order): Omit<Order, 'visitor'> {
  return order
}

/** The JSON object of a request; empty for anything else. */
async function bodyOf(context: Context): Promise<Readonly<Record<string, unknown>>> {
  return ((await context.req.json().catch(() => undefined)) as Record<string, unknown> | null | undefined) ?? {}
}

function publicFile(path: string): string {
  return readFileSync(join(import.meta.dirname, 'public', path), 'utf8')
}

function page({ companionUrl }: { companionUrl: string }): string {
  return publicFile('/index.html').replaceAll('{{companion}}', companionUrl)
}

/** The policy that a page with the widget needs (docs/security.md): the companion as source of scripts and connections. */
function contentSecurityPolicy(companionUrl: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${companionUrl}`,
    `connect-src 'self' ${companionUrl}`,
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
