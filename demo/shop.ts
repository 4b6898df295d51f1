// The demo shop and its backend: pages, orders with locked amounts, the receiver of notices, and the live list of what happened.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { products, shopMarkets } from './catalogue.ts'
import type { Keys } from './credentials.ts'
import { createPayClient } from './pay-client.ts'
import { shopHappenings } from './shop-happenings.ts'
import { shopNotices } from './shop-notices.ts'
import { orderView, shopOrders } from './shop-orders.ts'
import { customerOf, type ShopEnv, visitors } from './shop-request.ts'
import { openShopStore } from './shop-store.ts'

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

export function createShop({ database, keys, now = Date.now }: ShopOptions): Shop {
  const store = openShopStore(database)
  const pay = createPayClient(keys)
  const { routes: happenings, changed, look } = shopHappenings({ store, pay, now })
  const app = new Hono<ShopEnv>()

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
        void look(paymentId).finally(changed)
      },
    }),
  )

  app.use(async (context, next) => {
    context.header('Content-Security-Policy', contentSecurityPolicy(keys.companionUrl))
    context.header('Referrer-Policy', 'strict-origin')
    context.header('X-Content-Type-Options', 'nosniff')
    // On Back from the payment page browsers use their cache, which would show the shop as it was before the order.
    if (context.req.path.startsWith('/api/')) context.header('Cache-Control', 'no-store')
    return next()
  })
  app.use(visitors(keys.shopUrl))

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
      customer: customerOf(context.get('visitor')),
      consoleUrl: `${keys.sandboxUrl}/console`,
      markets: shopMarkets,
      products,
      scenarios: await pay.scenarios(),
      orders: store.orders(context.get('visitor')).map(orderView),
    })
  })
  app.route('/', shopOrders({ store, pay, now, changed }))
  app.route('/', happenings)

  return { app: app as unknown as Hono, close: () => store.close() }
}

function publicFile(path: string): string {
  return readFileSync(join(import.meta.dirname, 'public', path), 'utf8')
}

function page({ companionUrl }: { companionUrl: string }): string {
  return publicFile('/index.html').replaceAll('{{companion}}', companionUrl)
}

/** The policy that a page with the widget needs (demo/docs/security.md): the companion as source of scripts and connections. */
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
