// What the page shows is in its address, so that reload, Back and a link all lead to the same view:
// `#/kampala/order/HILL-1A2B3C4D?lang=fr&theme=dark&country=UG`.
import { shopOf, type ShopId } from '../shop/catalogue.ts'

export interface Address {
  readonly shop: ShopId
  /** Undefined: the goods. */
  readonly view?: 'top-up' | 'order'
  readonly order?: string
  /** Choices that are written into the address: `lang`, `theme`, `country`, `present`. */
  readonly choices: Readonly<Record<string, string>>
}

export function readAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [shop, view, order] = path.split('/')
  const found = shopOf(shop)?.id ?? 'nairobi'
  const choices = Object.fromEntries(new URLSearchParams(query))
  if (view === 'top-up') return { shop: found, view, choices }
  if (view === 'order' && order) return { shop: found, view, order, choices }
  return { shop: found, choices }
}

export function writeAddress({ shop, view, order, choices }: Address): string {
  const path = [shop, view, order].filter(Boolean).join('/')
  const query = new URLSearchParams(choices).toString()
  return `#/${path}${query ? `?${query}` : ''}`
}
