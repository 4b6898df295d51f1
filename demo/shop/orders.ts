// The shop's orders: each has its amount locked in a session of the companion before the customer
// can pay.
import { randomBytes } from 'node:crypto'
import type { CreateSession } from 'hc-checkout-server/contract'
import { Hono } from 'hono'
import { type DemoShop, products, type ShopMarket, shopMarkets, shopOf } from './catalogue.ts'
import type { PayClient } from './pay-client.ts'
import { bodyOf, type ShopEnv } from './request.ts'
import type { Order, ShopStore } from './store.ts'

export interface OrderOptions {
  readonly store: ShopStore
  readonly pay: Pick<PayClient, 'createSession'>
  readonly shopUrl: string
  readonly now: () => number
  /** Called after an order was stored. */
  readonly changed: () => void
}

/** Locks what a product costs in a market in a session, and stores the order. */
export type MakeOrder = (visitor: string, productId: unknown, market: ShopMarket) => Promise<Order | { error: string }>

export function orderMaker({ store, pay, shopUrl, now, changed }: OrderOptions): MakeOrder {
  return async (visitor, productId, market) => {
    const product = products.find(({ id }) => id === productId)
    if (product === undefined) return { error: 'There is no such product.' }
    const amount = product.prices[market.currency]
    const shop = shopOf(product.shop)
    const id = `${shop?.orders ?? ''}-${randomBytes(4).toString('hex').toUpperCase()}`
    const session = await pay.createSession({
      amount,
      currency: market.currency,
      country: market.country,
      orderId: id,
      description: product.name,
      metadata: { product: product.id },
      ...(shop && { shop: shown(shop, shopUrl), returnUrl: `${shopUrl}/#/${shop.id}` }),
    })
    if (!session.ok) return { error: session.why }
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
      kind: 'order',
      tone: 'plain',
      text: `Order ${id}: ${product.name}. The shop’s backend locked the amount in a session`,
      orderId: id,
      key: `order:${id}`,
    })
    changed()
    return order
  }
}

/** How the card names the shop that is paid. */
function shown({ id, name, accent, phone, email }: DemoShop, shopUrl: string): CreateSession['shop'] {
  return { name, accent, phone, email, logo: `${shopUrl}/logo-${id}.svg` }
}

/**
 * `POST /api/orders`: 201 with the order and the token of its session; 502 if the companion makes
 * none.
 */
export function shopOrders(makeOrder: MakeOrder): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()
  app.post('/api/orders', async (context) => {
    const body = await bodyOf(context)
    const isProduct = products.some(({ id }) => id === body.product)
    const market = shopMarkets.find(({ country }) => country === body.country)
    if (!isProduct || market === undefined) {
      return context.json({ error: 'There is no such product in that country.' }, 422)
    }
    const made = await makeOrder(context.get('visitor'), body.product, market)
    return 'error' in made ? context.json(made, 502) : context.json(orderView(made), 201)
  })
  return app
}

/** An order as its visitor may see it. */
export function orderView({ visitor: _, ...order }: Order): Omit<Order, 'visitor'> {
  return order
}
