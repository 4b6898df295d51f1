// The shelf "break it": each item makes an order, lets a customer pay it, and does the damage for
// real, by the sandbox's scenario of that name or by hand. What the payment service took and what
// the shop's books hold is then read from both, not concluded.
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import { type ShopMarket, shopMarkets } from './catalogue.ts'
import type { PayClient } from './pay-client.ts'
import { bodyOf, type ShopEnv } from './request.ts'
import type { Order, ShopStore } from './store.ts'
import type { MakeOrder } from './orders.ts'
import { breakWords } from './words.ts'

/** By item, the number of the scenario that the sandbox plays. */
const scenarios = {
  /** The callback never comes. */
  drop: '09',
  /** It comes twice, and so does the notice to the shop. */
  twice: '08',
  /** A stranger's callbacks and notice say that it is paid. */
  forge: '12',
  /** The answer to the call that creates the payment never comes, though it was processed. */
  cut: '14',
  /** The companion is closed and opened again while the payment is under way. */
  restart: '01',
  /** Two presses of Pay arrive at the same moment. */
  double: '01',
  /** Time runs out, and then the money comes after all. */
  expire: '13',
} as const
export type Breakage = keyof typeof scenarios

/** What became of the money of one broken order. */
export interface Damage {
  readonly item: Breakage
  readonly orderId: string
  /** Payments that the service was asked for, and those of them that it took money for. */
  readonly asked: number
  readonly paid: number
  /** Times that the order stands in the shop's books. */
  readonly credited: number
  /** A payment may still be paid, or the sandbox has not played to its end yet. */
  readonly isOpen: boolean
}

export interface BreakOptions {
  readonly store: ShopStore
  readonly pay: PayClient
  readonly makeOrder: MakeOrder
  readonly now: () => number
  readonly changed: () => void
  /** Closes the companion and opens it again. Without it, it runs elsewhere. */
  readonly restartCompanion: (() => Promise<void>) | undefined
}

export interface Breaks {
  /**
   * `POST /api/breaks`: 201 with the order that is broken, 404 where nothing is offered.
   */
  readonly routes: Hono<ShopEnv>
  /** What can be broken here. Nothing where the sandbox does not show its scenarios to the shop. */
  offered(): Promise<readonly Breakage[]>
  /** A visitor's, newest first. */
  damages(visitor: string): Promise<Damage[]>
}

/** How long the shop waits for what has to happen first. */
const PATIENCE_MS = 30_000
/** Longer than the slowest scenario: from then on what was found stays. */
const SETTLED_MS = 90_000

export function shopBreaks({ store, pay, makeOrder, now, changed, restartCompanion }: BreakOptions): Breaks {
  const routes = new Hono<ShopEnv>()
  const items = (Object.keys(scenarios) as Breakage[]).filter((item) => item !== 'restart' || restartCompanion)
  const found = new Map<string, Damage>()
  let restarting: Promise<void> | undefined

  routes.post('/api/breaks', async (context) => {
    if ((await offered()).length === 0) return context.json({ error: 'Nothing can be broken here.' }, 404)
    const body = await bodyOf(context)
    const item = items.find((one) => one === body.item)
    const market = shopMarkets.find(({ country }) => country === body.country)
    if (item === undefined || market === undefined) return context.json({ error: 'That cannot be broken here.' }, 422)
    const visitor = context.get('visitor')
    const made = await makeOrder(visitor, body.product, market)
    if ('error' in made) return context.json(made, 502)
    store.addBreak(made.id, item)
    note(made, item)
    void work(item, made, market).catch(() => note(made, 'failed'))
    // The page finds the payment with its order.
    await until(async () => {
      const [payment] = await pay.paymentsOf(made.id)
      if (payment !== undefined) store.watch(payment.id, visitor)
      return payment !== undefined
    })
    return context.json({ orderId: made.id }, 201)
  })

  async function offered(): Promise<readonly Breakage[]> {
    return (await pay.scenarios()).length > 0 ? items : []
  }

  /** One at a time: who asks while it runs waits for that one. */
  function restart(): Promise<void> | undefined {
    restarting ??= restartCompanion?.().finally(() => (restarting = undefined))
    return restarting
  }

  async function work(item: Breakage, order: Order, market: ShopMarket): Promise<void> {
    const phone = `+${market.phonePrefix}0000${scenarios[item]}`
    const press = (): Promise<string | undefined> => pay.start(order, phone)
    const [paymentId] = await Promise.all(item === 'double' ? [press(), press()] : [press()])
    if (item === 'forge') await forgeNotice(order)
    if (item === 'restart') {
      note(order, 'stopped')
      await restart()
      note(order, 'started')
    }
    if (item === 'twice' && paymentId !== undefined) {
      await until(async () => store.order(order.id)?.paidAt != null)
      await pay.tellAgain(paymentId)
    }
  }

  /** As a stranger would, who knows the order but not the secret. */
  async function forgeNotice(order: Order): Promise<void> {
    const status = await pay.sendForgedNotice(order)
    if (status === 401) note(order, 'forged-notice')
  }

  async function until(is: () => Promise<boolean>): Promise<void> {
    for (const end = now() + PATIENCE_MS; now() < end && !(await is().catch(() => false));) await pause(100)
  }

  function note({ id, visitor }: Order, what: keyof typeof breakWords): void {
    const words = { kind: `break-${what}`, source: 'shop', tone: 'wait', text: breakWords[what] } as const
    store.note(visitor, { ...words, at: now(), orderId: id, key: `break:${id}:${what}` })
    changed()
  }

  async function damageOf(order: Order, item: Breakage): Promise<Damage> {
    const known = found.get(order.id)
    const isPlayed = now() - order.createdAt > SETTLED_MS
    if (known !== undefined && !known.isOpen && isPlayed) return known
    const payments = await pay.paymentsOf(order.id)
    const statuses = await pay.statusesAtService(payments.map(({ reference }) => reference))
    const played = (await pay.scenarios()).find(({ number }) => number === scenarios[item])
    // An expired payment looks ended, and its money is still to come.
    const isToCome = !isPlayed && played !== undefined && !statuses.includes(played.ending)
    const damage: Damage = {
      item,
      orderId: order.id,
      asked: statuses.length,
      paid: statuses.filter((status) => status === 'SUCCESS').length,
      credited: store.creditsOf(order.id),
      isOpen: isToCome || payments.length === 0 || payments.some(({ status }) => status === 'PENDING'),
    }
    found.set(order.id, damage)
    return damage
  }

  return {
    routes,
    offered,
    async damages(visitor) {
      const broken = store.breaks(visitor)
      const read = broken.map(({ order, item }) => damageOf(order, item as Breakage).catch(() => found.get(order.id)))
      return (await Promise.all(read)).filter((damage) => damage !== undefined)
    },
  }
}
