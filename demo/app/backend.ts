// The shop's backend as the page sees it. Without one, on a static host, orders cannot be locked:
// the card then asks for the amount itself.
import { type ShopId, shopOf } from '../shop/catalogue.ts'
import { remember, remembered } from './memory.ts'

export interface Order {
  readonly id: string
  readonly product: string
  readonly country: string
  readonly currency: string
  readonly amount: number
  /** Without it, on a static host, the page itself names the amount. */
  readonly sessionToken?: string
  readonly payUrl: string
  readonly paidAt?: number | null
  readonly createdAt: number
}

export interface Happening {
  readonly id: number
  readonly at: number
  readonly source: string
  readonly kind: string
  readonly text: string
  readonly tone: string
  readonly orderId?: string | null
}

export interface Scenario {
  readonly title: string
  readonly does: string
  readonly number: string
}

/** What the shop tells about itself. */
export interface Offer {
  readonly companionUrl: string
  readonly customer: string
  readonly consoleUrl?: string
  readonly scenarios: readonly Scenario[]
  readonly orders: readonly Order[]
  /** What the shelf can break here. */
  readonly breakages: readonly string[]
  /** Where the shop's people look at their payments, and as whom in the demonstration. */
  readonly staff?: { readonly url: string; readonly name: string; readonly password: string }
}

/** What became of the money of an order that was broken on purpose. */
export interface Damage {
  readonly item: string
  readonly orderId: string
  readonly asked: number
  readonly paid: number
  readonly credited: number
  readonly isOpen: boolean
}

export interface News {
  readonly happenings: readonly Happening[]
  readonly orders: readonly Order[]
  readonly damages: readonly Damage[]
}

export interface Backend {
  /** Asked again on a weak network: without an answer nothing can be bought. */
  offer(): Promise<Offer>
  order(wish: { product: string; country: string; shop: ShopId; amount: number; currency: string }): Promise<Order>
  /** Makes an order and breaks it. @returns its id */
  breakIt(item: string, product: string, country: string): Promise<string>
  /** Tells the shop's backend what the page saw; the goods are never released by this. */
  report(type: string, orderId: string, paymentId?: string): void
  /** The card says that an order is paid. A shop's backend hears it by its notice alone. */
  seenPaid(orderId: string): void
  listen(heard: (news: News) => void): void
}

// Chromium before 72 sends no cookie unless it is told to.
const json = { 'content-type': 'application/json' }

export const shopBackend: Backend = {
  async offer() {
    for (;;) {
      try {
        return (await (await fetch('api/shop', { credentials: 'same-origin' })).json()) as Offer
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 2000))
      }
    }
  },
  async order({ product, country }) {
    const answer = await fetch('api/orders', {
      method: 'POST',
      credentials: 'same-origin',
      headers: json,
      body: JSON.stringify({ product, country }),
    })
    const body = (await answer.json()) as Order & { error?: string }
    if (!answer.ok) throw new Error(body.error)
    return body
  },
  async breakIt(item, product, country) {
    const body = JSON.stringify({ item, product, country })
    const answer = await fetch('api/breaks', { method: 'POST', credentials: 'same-origin', headers: json, body })
    const { orderId, error } = (await answer.json()) as { orderId?: string; error?: string }
    if (orderId === undefined) throw new Error(error)
    return orderId
  },
  report(type, orderId, paymentId) {
    const body = JSON.stringify({ type, orderId, paymentId })
    void fetch('api/events', {
      method: 'POST',
      credentials: 'same-origin',
      headers: json,
      keepalive: true,
      body,
    }).catch(() => {})
  },
  seenPaid() {},
  listen(heard) {
    const stream = new EventSource('api/happenings')
    stream.addEventListener('happenings', ({ data }) => heard(JSON.parse(data as string) as News))
  },
}

/** Of a page alone: more are not kept. */
const KEPT = 20

/**
 * For a static host: the companion is elsewhere and open. The orders are kept in this browser, and
 * what happened is what this page has seen.
 */
export function pageAlone(companionUrl: string): Backend {
  const happenings: Happening[] = []
  let orders = keptOrders()
  let tell: (news: News) => void = () => {}
  const keep = (changed: readonly Order[]): void => {
    orders = changed.slice(0, KEPT)
    remember('orders', JSON.stringify(orders))
    tell({ happenings, orders, damages: [] })
  }
  const seen = (kind: string, text: string, tone: Happening['tone']): void => {
    happenings.unshift({ source: 'page', kind, text, tone, id: happenings.length + 1, at: Date.now() })
    tell({ happenings, orders, damages: [] })
  }
  return {
    offer: () => Promise.resolve({ companionUrl, customer: keptCustomer(), scenarios: [], breakages: [], orders }),
    order({ product, country, shop, amount, currency }) {
      const id = `${shopOf(shop)?.orders ?? ''}-${randomName()}`
      const payUrl = `${companionUrl}/pay?country=${country}`
      const order = { id, product, country, currency, amount, payUrl, createdAt: Date.now() }
      keep([order, ...orders])
      seen('order-open', `Order ${id}`, 'plain')
      return Promise.resolve(order)
    },
    breakIt: () => Promise.reject(new Error('Nothing can be broken from here.')),
    report(type) {
      seen(type, type, type === 'hc-success' ? 'good' : type === 'hc-failure' || type === 'hc-error' ? 'bad' : 'plain')
    },
    seenPaid(orderId) {
      keep(orders.map((one) => (one.id === orderId ? { ...one, paidAt: one.paidAt ?? Date.now() } : one)))
    },
    listen(heard) {
      tell = heard
    },
  }
}

/** Those of an earlier visit. */
function keptOrders(): readonly Order[] {
  try {
    return JSON.parse(remembered('orders') ?? '[]') as readonly Order[]
  } catch {
    return []
  }
}

/** Two browsers that top up name two purchases. */
function keptCustomer(): string {
  const kept = remembered('customer') ?? randomName()
  remember('customer', kept)
  return kept
}

function randomName(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(4)))
  return bytes
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()
}
