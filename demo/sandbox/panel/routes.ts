// The console's pages for people. They show what /console/api answers.
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import type { ConsoleParts } from './actions.ts'
import { CONSOLE_CSS, CONSOLE_JS } from './assets.ts'
import { consoleDocument, type Html } from './page.ts'
import { deliveriesPage, deliveryPage, inboxPage, transactionPage, transactionsPage } from './payments.ts'
import { clockPage, faultsPage, merchantsPage, scenariosPage } from './setup.ts'

export function consoleAssets(): Hono {
  const app = new Hono()
  app.get('/assets/console.css', (c) =>
    c.body(CONSOLE_CSS, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'max-age=300' }),
  )
  app.get('/assets/console.js', (c) =>
    c.body(CONSOLE_JS, 200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'max-age=300' }),
  )
  return app
}

/**
 * The page for a person at an unknown console address; undefined for a program, which gets the
 * envelope.
 */
export function unknownPage(c: Context, why: string): Response | Promise<Response> | undefined {
  if (!/^\/console(\/(?!api\/)|$)/.test(c.req.path) || !/\btext\/html\b/i.test(c.req.header('Accept') ?? ''))
    return undefined
  const main = html`<h1>${why}</h1>
    <p><a href="/console">All transactions</a></p>`
  return c.html(consoleDocument({ title: why, place: 'nowhere', main }), 404)
}

/** `?page=` of a list: 1, the newest, when missing or invalid. */
function pageOf(c: Context): number {
  const page = Number(c.req.query('page') ?? 1)
  return Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1
}

export function consolePages(parts: ConsoleParts): Hono {
  const { transactions, deliveries } = parts
  const app = new Hono()

  const show = (path: string, place: string, title: string, main: (c: Context) => Html): void =>
    void app.get(path, (c) => {
      const live = ['', 'inbox', 'deliveries'].includes(place)
      return c.html(consoleDocument({ title, place, said: c.req.query('said'), live, main: main(c) }))
    })

  show('/', '', 'Transactions', (c) => transactionsPage(parts, pageOf(c)))
  show('/inbox', 'inbox', 'Agents’ inbox', () => inboxPage(parts))
  app.get('/find', (c) => {
    const { transaction_id } = transactions.get((c.req.query('id') ?? '').trim())
    return c.redirect(`/console/transactions/${transaction_id}`)
  })
  show('/transactions/:id', '', 'Transaction', (c) => transactionPage(parts, transactions.get(c.req.param('id') ?? '')))
  show('/deliveries', 'deliveries', 'Callbacks', (c) => deliveriesPage(parts, pageOf(c)))
  show('/deliveries/:id', 'deliveries', 'Callback', (c) =>
    deliveryPage(parts, deliveries.get(Number(c.req.param('id')) || 0)),
  )
  show('/merchants', 'merchants', 'Merchants and keys', () => merchantsPage(parts))
  show('/scenarios', 'scenarios', 'Scenarios', () => scenariosPage(parts))
  show('/faults', 'faults', 'Faults', () => faultsPage(parts))
  show('/clock', 'clock', 'Clock', () => clockPage(parts))
  return app
}
