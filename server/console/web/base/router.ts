// Which view the address names. The part behind the # never leaves the browser, so no payment's id
// reaches a log of requests; what was searched for is not in it at all: it stays in no history of a
// shared computer.
export type Route =
  | { readonly view: 'payments' }
  | { readonly view: 'payment'; readonly id: string }
  | { readonly view: 'owed' | 'links' | 'figures' | 'books' | 'health' | 'audit' }

const PLAIN = ['owed', 'links', 'figures', 'books', 'health', 'audit'] as const

/** Views that the navigation leads to, in its order. */
export const VIEWS = ['payments', ...PLAIN] as const

export function routeOf(hash: string): Route {
  const [view = '', id] = hash.replace(/^#\/?/, '').split('/')
  if (view === 'payments' && id !== undefined && id !== '') return { view: 'payment', id: decodeURIComponent(id) }
  const plain = PLAIN.find((one) => one === view)
  return plain === undefined ? { view: 'payments' } : { view: plain }
}

export function hrefOf(route: Route): string {
  return route.view === 'payment' ? `#/payments/${encodeURIComponent(route.id)}` : `#/${route.view}`
}
