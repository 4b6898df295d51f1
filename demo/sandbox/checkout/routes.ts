// The hosted checkout's routes: the page of a session, its form, its state for the script, and its
// two assets.
import { Hono, type Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { CHECKOUT_CSS, CHECKOUT_JS } from './assets.ts'
import { deadEndPage } from './document.ts'
import { checkoutPage } from './page.ts'
import { languageOf, type Language } from './texts/index.ts'
import { ServiceError } from '../engine/envelope.ts'
import type { FaultSwitches } from '../engine/faults.ts'
import { secretText, type Random } from '../engine/identifiers.ts'
import { MARKETS } from '../engine/markets.ts'
import type { Merchants } from '../engine/merchants.ts'
import { readBody } from '../service/request-body.ts'
import type { Transaction } from '../engine/transaction.ts'
import { BY_NOBODY, type Transactions } from '../engine/transactions.ts'

interface Parts {
  readonly now: () => number
  readonly publicUrl: string
  readonly random: Random
  readonly merchants: Merchants
  readonly transactions: Transactions
  readonly faults: FaultSwitches
  /** The languages offered to customers; the first is for those who speak none of them. */
  readonly locales: readonly Language[]
}

const CSP =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

function safely(c: Context): void {
  c.header('Content-Security-Policy', CSP)
  c.header('X-Frame-Options', 'DENY')
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Referrer-Policy', 'strict-origin')
  c.header('Cache-Control', 'no-store')
}

/**
 * True when nobody has locked the order or this browser has; an order locked by a scenario or the
 * console belongs to the browser that opened the page first.
 */
function isMine({ locked_by, opened_by }: Transaction, browser: string): boolean {
  return locked_by === null || locked_by === browser || (locked_by === BY_NOBODY && opened_by === browser)
}

/**
 * The page for a person at an unknown checkout address; undefined for a program, which gets the
 * envelope.
 */
export function unknownCheckout(c: Context, locales: readonly Language[]): Response | Promise<Response> | undefined {
  if (!c.req.path.startsWith('/checkout/') || !/\btext\/html\b/i.test(c.req.header('Accept') ?? '')) return undefined
  safely(c)
  const language = languageOf(locales, c.req.query('lang'), c.req.header('Accept-Language'))
  return c.html(deadEndPage('unknown', language, locales), 404)
}

export function checkoutRoutes(parts: Parts): Hono {
  const { now, publicUrl, random, merchants, transactions, faults, locales } = parts
  const app = new Hono()

  const find = (c: Context): Transaction => {
    const transaction = transactions.bySession(c.req.param('session') ?? '')
    if (!transaction) throw new ServiceError(404, 'Not found.')
    return transaction
  }
  const cookie = (c: Context, transaction: Transaction, name: string, value: string): void =>
    setCookie(c, name, value, {
      path: `/checkout/${transaction.session}`,
      httpOnly: true,
      sameSite: 'Lax',
      secure: publicUrl.startsWith('https:'),
      maxAge: 7 * 86_400,
    })
  /** Identifies this browser by a cookie limited to this session. */
  const browserOf = (c: Context, transaction: Transaction): string => {
    const known = getCookie(c, 'browser')
    if (known !== undefined && /^[\w-]{32}$/.test(known)) return known
    const fresh = secretText(random)
    cookie(c, transaction, 'browser', fresh)
    return fresh
  }
  /** With the strict fault, the browser that opened the page first is the only one that has it. */
  const isShut = ({ opened_by }: Transaction, browser: string): boolean =>
    faults.get().strict_session && opened_by !== null && opened_by !== browser
  app.get('/assets/checkout.css', (c) =>
    c.body(CHECKOUT_CSS, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'max-age=300' }),
  )
  app.get('/assets/checkout.js', (c) =>
    c.body(CHECKOUT_JS, 200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'max-age=300' }),
  )

  app.get('/checkout/:session', (c) => {
    safely(c)
    let transaction = find(c)
    const asked = c.req.query('lang')
    const language = languageOf(locales, asked ?? getCookie(c, 'lang'), c.req.header('Accept-Language'))
    if (asked === language) cookie(c, transaction, 'lang', language)
    const browser = browserOf(c, transaction)
    if (isShut(transaction, browser)) {
      return c.html(deadEndPage('gone', language, locales), 410)
    }
    // Whoever asks for the head alone has not seen the page.
    if (c.req.method !== 'HEAD') transactions.opened(transaction, browser)
    transaction = find(c)
    const ask = c.req.query('ask')
    return c.html(
      checkoutPage({
        transaction,
        merchant: merchants.get(transaction.business_id).name,
        language,
        offered: locales,
        now: now(),
        mine: isMine(transaction, browser),
        ask: ask === 'cancel' || ask === 'operator' || ask === 'country' ? ask : undefined,
      }),
    )
  })

  app.get('/checkout/:session/state', (c) => {
    safely(c)
    const { version, status, step } = find(c)
    return c.json({ version, status, ended: step === 'ended' })
  })

  app.post('/checkout/:session', async (c) => {
    safely(c)
    const transaction = find(c)
    const origin = c.req.header('Origin')
    // Not every proxy hands on the name by which the browser called.
    const hosts = [c.req.header('Host') ?? new URL(c.req.url).host, new URL(publicUrl).host]
    const site = c.req.header('Sec-Fetch-Site')
    if (
      (origin !== undefined && !hosts.includes(URL.parse(origin)?.host ?? '')) ||
      (site !== undefined && site !== 'same-origin' && site !== 'none')
    ) {
      throw new ServiceError(403, 'This form was sent from another site.')
    }
    const browser = browserOf(c, transaction)
    const form = new URLSearchParams(Buffer.from(await readBody(c)).toString('utf8'))
    try {
      if (!isShut(transaction, browser) && isMine(transaction, browser)) act(transactions, transaction, form, browser)
    } catch (error) {
      // The form came from an outdated page: the fresh page shows the present state.
      if (!(error instanceof ServiceError) || (error.status !== 409 && error.status !== 404)) throw error
    }
    return c.redirect(`/checkout/${transaction.session}`, 303)
  })

  return app
}

/**
 * Does what a form of the page asks for.
 * @throws {ServiceError} 409 when the payment has gone on meanwhile, 404 for an unknown agent
 */
function act(transactions: Transactions, transaction: Transaction, form: URLSearchParams, browser: string): void {
  const action = form.get('action')
  if (action === 'country') {
    const market = MARKETS.get(form.get('country') ?? '')
    if (market?.currency === transaction.currency) transactions.choose(transaction, market.country, null)
  } else if (action === 'operator') {
    const market = MARKETS.get(transaction.country ?? '')
    const operator = market?.operators.find((name) => name === form.get('operator'))
    if (market && operator) transactions.choose(transaction, market.country, operator)
  } else if (action === 'lock') {
    if (transaction.operator) transactions.lock(transaction, { agent: form.get('agent') ?? '', browser })
  } else if (action === 'paid') {
    transactions.pay(transaction)
  } else if (action === 'cancel' && transaction.step !== 'paid') {
    transactions.end(transaction, 'cancel')
  }
}
