// What the page knows, and who draws it. Each part of the page draws itself anew after every
// change.
import { type Product, products, type ShopId, type ShopMarket, shopMarkets, shops } from '../shop/catalogue.ts'
import { type Address, readAddress, writeAddress } from './address.ts'
import { type Backend, type Damage, type Happening, type Offer, type Order, pageAlone, shopBackend } from './backend.ts'
import { guessCountry, guessLanguage } from './choices.ts'
import { remember, remembered } from './memory.ts'
import { hasWords, isLanguage, type Language, loadWords, money, shopWord } from './words/index.ts'

/** What the server, or the build for a static host, has written into the page. */
function given(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}

export const hasBackend = given('shop-backend') !== 'none'
export const backend: Backend = hasBackend ? shopBackend : pageAlone(given('companion'))

export const demo = {
  address: readAddress(location.hash),
  /** Undefined until the shop has answered. */
  offer: undefined as Offer | undefined,
  /** This visitor's, by id: each tab shows the one that its address names. */
  orders: new Map<string, Order>(),
  happenings: [] as readonly Happening[],
  damages: [] as readonly Damage[],
  /** What the visitor has just pressed Buy of: its order is being made. */
  buying: undefined as Product | undefined,
  /** An order could not be made. */
  isUnavailable: false,
  /** A part of the page could not be loaded. */
  isIncomplete: false,
}

const parts: (() => void)[] = []

/** `part` draws its piece of the page. */
export function drawnBy(part: () => void): void {
  parts.push(part)
}

export function draw(): void {
  const chosen = chosenLanguage()
  if (hasWords(chosen)) spoken = chosen
  // What could not be had is not asked for with each drawing.
  else if (chosen !== asked) void wordsCome(chosen).then(draw)
  for (const part of parts) part()
}

/**
 * Leads to another view; what is not given stays. It is shown at once: what comes before the
 * browser tells of the new address is meant for the new view.
 */
export function go(to: Partial<Address>): void {
  const { shop, choices } = demo.address
  demo.isUnavailable = false
  demo.buying = undefined
  demo.address = { shop, choices, ...to }
  location.hash = writeAddress(demo.address)
  draw()
}

/** Keeps a choice in this browser and in the address, which a link to this view is made of. */
export function choose(name: string, value: string, key = name): void {
  remember(key, value)
  const choices = { ...demo.address.choices, [name]: value }
  demo.address = { ...demo.address, choices }
  history.replaceState(history.state, '', writeAddress(demo.address))
  draw()
}

export function chosenLanguage(): Language {
  const chosen = demo.address.choices['lang'] ?? remembered('lang')
  return isLanguage(chosen) ? chosen : guessLanguage()
}

let spoken: Language = 'en'
let asked: Language = 'en'

/** That of the page: the last that was chosen and whose words have come. */
export function language(): Language {
  return spoken
}

/** Resolves when the words are there, or cannot be had. */
export async function wordsCome(chosen: Language): Promise<void> {
  asked = chosen
  await come(loadWords(chosen))
}

/**
 * A part that is loaded late. Without it things can still be bought, and the page says that it
 * lacks one.
 */
export async function come<Part>(part: Promise<Part>): Promise<Part | undefined> {
  try {
    return await part
  } catch {
    demo.isIncomplete = true
    return undefined
  }
}

export function theme(): string {
  return demo.address.choices['theme'] ?? remembered('theme') ?? 'auto'
}

/** The list is in the developers' words. */
export function isTechnical(): boolean {
  return (demo.address.choices['technical'] ?? remembered('technical')) === 'yes'
}

/**
 * What is being paid for keeps its country; otherwise each shop has the one that was last chosen
 * there.
 */
export function market(): ShopMarket {
  const { shop, choices } = demo.address
  const country = choices['country'] ?? remembered(`country-${shop}`)
  const found = shopMarkets.find((one) => one.country === country)
  return found ?? shopMarkets.find((one) => one.country === guessCountry(shop)) ?? shopMarkets[0]!
}

export function shopNow(): (typeof shops)[number] {
  return shops.find(({ id }) => id === demo.address.shop) ?? shops[0]
}

export function goods(): readonly Product[] {
  return products.filter(({ shop }) => shop === demo.address.shop)
}

/** The order that the address names. */
export function shownOrder(): Order | undefined {
  return demo.orders.get(demo.address.order ?? '')
}

export function keepOrders(orders: readonly Order[]): void {
  for (const order of orders) demo.orders.set(order.id, order)
}

export function productOf(order: Order): Product | undefined {
  return products.find(({ id }) => id === order.product)
}

export function word(key: string, shop: ShopId = demo.address.shop): string {
  return shopWord(shop, language(), key)
}

export function sum(amount: number, currency: string): string {
  return money(language(), amount, currency)
}
