// The demo shop and its backend: pages, orders with locked amounts, the receiver of notices, and
// the live list of what happened.
import { EventEmitter } from 'node:events'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import type { Keys } from '../credentials.ts'
import { pageFolder } from '../page-build.ts'
import { createPayClient } from './pay-client.ts'
import { shopBreaks } from './breaks.ts'
import { shopHappenings } from './happenings.ts'
import { shopNotices } from './notices.ts'
import { orderMaker, orderView, shopOrders } from './orders.ts'
import { shopHeaders, shopPages } from './pages.ts'
import { customerOf, type ShopEnv, visitors } from './request.ts'
import { openShopStore } from './store.ts'

export interface ShopOptions {
  /** SQLite file of orders and credits. */
  readonly database: string
  readonly keys: Pick<Keys, 'companionUrl' | 'sandboxUrl' | 'shopUrl' | 'merchantKey' | 'notifySecret'>
  readonly now?: () => number
  /** Where Vite has put the pages. */
  readonly folder?: string
  /** Where the shop's people look at their payments, and the demonstration's user there. */
  readonly staff?: { readonly url: string; readonly name: string; readonly password: string }
  /** For the shelf; without it the companion runs elsewhere. */
  readonly restartCompanion?: () => Promise<void>
}

export interface Shop {
  readonly app: Hono
  close(): void
}

export function createShop({
  database,
  keys,
  now = Date.now,
  folder = pageFolder,
  staff,
  restartCompanion,
}: ShopOptions): Shop {
  const pages = { folder, companionUrl: keys.companionUrl }
  const store = openShopStore(database)
  const pay = createPayClient(keys)
  const changes = new EventEmitter().setMaxListeners(0)
  const changed = (): void => void changes.emit('change')
  const makeOrder = orderMaker({ store, pay, shopUrl: keys.shopUrl, now, changed })
  const breaks = shopBreaks({ store, pay, makeOrder, now, changed, restartCompanion })
  const { routes: happenings, look } = shopHappenings({ store, pay, now, changes, damages: breaks.damages })
  const app = new Hono<ShopEnv>()

  app.use(bodyLimit({ maxSize: 64 * 1024 }))
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

  app.use(shopHeaders(pages))
  app.use(async (context, next) => {
    // On Back from the payment page browsers use their cache, which would show the shop as it was
    // before the order.
    if (context.req.path.startsWith('/api/')) context.header('Cache-Control', 'no-store')
    return next()
  })
  app.use(visitors(keys.shopUrl))

  app.get('/', (context, next) => {
    // Another origin than the one that the companion allows: nothing could be paid there.
    if (context.req.header('host')?.startsWith('localhost')) return Promise.resolve(context.redirect(keys.shopUrl))
    return next()
  })
  app.route('/', shopPages(pages))

  app.get('/api/shop', async (context) => {
    return context.json({
      companionUrl: keys.companionUrl,
      customer: customerOf(context.get('visitor')),
      staff,
      consoleUrl: `${keys.sandboxUrl}/console`,
      scenarios: await pay.scenarios(),
      breakages: await breaks.offered(),
      orders: store.orders(context.get('visitor')).map(orderView),
    })
  })
  app.route('/', shopOrders(makeOrder))
  app.route('/', breaks.routes)
  app.route('/', happenings)

  return { app: app as unknown as Hono, close: () => store.close() }
}
