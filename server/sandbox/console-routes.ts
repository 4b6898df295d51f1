// The console's routes for people: pages and their forms. Each does what /console/api does.
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { Bodies, createConsoleActions, parseBody, TRANSACTION_ACTIONS, type ConsoleParts } from './console-actions.ts'
import { CONSOLE_CSS, CONSOLE_JS } from './console-assets.ts'
import { consoleDocument, type Html } from './console-page.ts'
import {
  ACTION_NAMES,
  deliveriesPage,
  deliveryPage,
  inboxPage,
  transactionPage,
  transactionsPage,
} from './console-payments.ts'
import { clockPage, faultsPage, merchantsPage, scenariosPage } from './console-setup.ts'
import { ServiceError } from './envelope.ts'
import { NO_FAULTS } from './faults.ts'
import { readBody } from './request-body.ts'

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

/** The page for a person at an unknown console address; undefined for a program, which gets the envelope. */
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
  const { merchants, tokens, transactions, deliveries, faults, advance } = parts
  const actions = createConsoleActions(parts)
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
  show('/scenarios', 'scenarios', 'Scenarios', () => scenariosPage())
  show('/faults', 'faults', 'Faults', () => faultsPage(parts))
  show('/clock', 'clock', 'Clock', () => clockPage(parts))

  /** Handles a form: does the work, then redirects to the page it came from with a message. */
  const form = (
    path: string,
    back: (c: Context) => string,
    work: (c: Context, fields: URLSearchParams) => string | Promise<string>,
  ): void =>
    void app.post(path, async (c) => {
      const fields = new URLSearchParams(Buffer.from(await readBody(c)).toString('utf8'))
      let said: string
      try {
        said = await work(c, fields)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        said = saidOf(error)
      }
      return c.redirect(`/console${back(c)}?said=${encodeURIComponent(said)}`, 303)
    })
  const id = (c: Context): string => c.req.param('id') ?? ''
  const toTransaction = (c: Context): string => `/transactions/${encodeURIComponent(id(c))}`

  for (const action of TRANSACTION_ACTIONS) {
    form(`/transactions/:id/${action}`, toTransaction, (c) => {
      actions.act(id(c), action)
      return `Done: ${ACTION_NAMES[action]}.`
    })
  }
  form('/transactions/:id/scenario', toTransaction, (c, fields) => {
    actions.play(id(c), fields.get('scenario') ?? '')
    return 'The scenario plays.'
  })
  form(
    '/deliveries/:id/resend',
    (c) => `/deliveries/${encodeURIComponent(id(c))}`,
    (c) => {
      deliveries.resend(Number(id(c)) || 0)
      return 'It is being sent again.'
    },
  )
  const toMerchants = (): string => '/merchants'
  form(
    '/merchants',
    toMerchants,
    (_c, fields) =>
      `Created ${merchants.create(fields.get('name') ? { name: fields.get('name') ?? '' } : {}).business_id}.`,
  )
  form('/merchants/:id/rotate', toMerchants, (c) => {
    actions.rotate(id(c))
    return 'New keys: give them to your companion. The old ones and their tokens no longer work.'
  })
  form('/merchants/:id/disable', toMerchants, (c) => `Disabled: ${actions.enable(id(c), false).name}.`)
  form('/merchants/:id/enable', toMerchants, (c) => `Enabled: ${actions.enable(id(c), true).name}.`)
  form('/merchants/:id/public-key', toMerchants, (c, fields) => {
    merchants.uploadPublicKey(id(c), fields.get('public_key') ?? '')
    return 'The public key is in use.'
  })
  form('/wallets', toMerchants, (_c, fields) => {
    const wish = Object.fromEntries(
      [...fields].map(([name, value]) => [name, name === 'allocated' ? value === 'yes' : value]),
    )
    return `Wallet ${actions.putWallet(parseBody(Bodies.wallet, wish)).wallet_no} is saved.`
  })
  form('/tokens/:id/revoke', toMerchants, (c) => {
    tokens.revoke(id(c))
    return 'The token is revoked.'
  })
  form(
    '/clock',
    () => '/clock',
    async (_c, fields) => {
      const seconds = parseBody(Bodies.clock, { advance: Number(fields.get('advance') || Number.NaN) }).advance
      await advance(seconds)
      return `The clock was moved ${seconds} seconds forward.`
    },
  )
  form(
    '/faults/clear',
    () => '/faults',
    () => {
      faults.set(NO_FAULTS)
      return 'All faults are off.'
    },
  )
  form(
    '/faults',
    () => '/faults',
    (_c, fields) => {
      faults.set(parseBody(Bodies.faults, faultsOf(fields)) as Partial<typeof NO_FAULTS>)
      return 'The faults are set.'
    },
  )
  return app
}

/** The message and what is wrong with each field; one that names a single fault is not said twice. */
function saidOf({ message, errors = {} }: ServiceError): string {
  const faults = Object.entries(errors).flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`))
  return Object.values(errors).flat().includes(message) ? message : [message, ...faults].join(' ')
}

function faultsOf(fields: URLSearchParams): Record<string, unknown> {
  const text = (name: string): string => (fields.get(name) ?? '').trim()
  const hits = (name: string): unknown => (text(name) === 'all' ? true : Number(text(name) || 0))
  return {
    latency_ms: Number(text('latency_ms') || 0),
    server_error: hits('server_error'),
    rate_limited: hits('rate_limited'),
    timeout: hits('timeout'),
    cut: hits('cut'),
    on: fields.getAll('on'),
    query_path_missing: text('query_path_missing') === 'no' ? false : Number(text('query_path_missing')),
    rate: text('rate') ? Number(text('rate')) : null,
    ip_allow_list: text('ip_allow_list')
      .split(/[\s,]+/)
      .filter(Boolean),
    extra_field: fields.has('extra_field'),
    decimal_amount: fields.has('decimal_amount'),
    date_24_hours: fields.has('date_24_hours'),
    strict_session: fields.has('strict_session'),
  }
}
