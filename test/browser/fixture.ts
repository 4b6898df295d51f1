// The system for browser tests: sandbox, companion and a shop's page on separate sockets, with one
// clock that tests move; each can be cut off, slowed down or restarted.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HttpBindings } from '@hono/node-server'
import { buildWidgetIfStale } from '../../demo/widget-bundle.ts'
import { createCompanion } from '../../server/companion.ts'
import type { Companion } from '../../server/companion.ts'
import type { CreatedSession, Notice } from '../../server/contract/index.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { createSandbox } from '../../demo/sandbox/sandbox.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import { testSettings, keys, merchant } from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'
import { root } from '../helpers/run-quietly.ts'
import { listen } from './sockets.ts'
import type { Answer, Listening } from './sockets.ts'

/**
 * Sees a request before its server does; may hold it, answer in its place, or fail, which cuts the
 * connection.
 */
type Between = (request: Request, next: () => Promise<Response>) => Answer

export interface BrowserSystem {
  readonly store: Store
  readonly companionUrl: string
  readonly sandboxUrl: string
  readonly shopUrl: string
  /** Method and path of every request that reached the companion over a socket. */
  readonly requests: string[]
  /** Method and path of every request of the companion that reached the payment service. */
  readonly upstream: string[]
  /** Between browser and companion. */
  between: Between
  /** Address of a shop's page with the widget, given these attributes. */
  shop(attributes?: Readonly<Record<string, string>>): string
  /** Puts a page at a path of the shop's. @returns its address */
  page(path: string, html: string, headers?: Readonly<Record<string, string>>): string
  /** A session, as the shop's backend makes it. */
  session(wish?: Readonly<Record<string, unknown>>): Promise<CreatedSession>
  /** How many times a payment was asked for. */
  creates(): number
  /** Every payment, newest first. */
  deposits(): Promise<readonly Deposit[]>
  /** The one payment there is; throws when there is none or a second one. */
  deposit(): Promise<Deposit>
  /** Customers who look at a status stream just now. */
  watching(): number
  /**
   * Moves the clock, by one second a step unless told otherwise; all that falls due on the way
   * happens.
   */
  advance(seconds: number, step?: number): Promise<void>
  /**
   * At the payment service: an order locked, paid, confirmed, or another ending. Tells nobody until
   * the clock moves.
   */
  act(what: 'lock' | 'paid' | 'confirm' | 'decline' | 'cancel' | 'expire', reference?: string): Promise<void>
  /** Moves the clock until the companion knows the payment to stand so. */
  until(phase: Deposit['phase'], reference?: string): Promise<void>
  /** The whole payment, until the companion knows it. */
  pays(reference?: string): Promise<void>
  /**
   * Moves the clock for as long as a notice, or one too many, may take. @returns all that the
   * shop's backend has received
   */
  told(): Promise<readonly Notice[]>
  /** Pulls the companion's plug: connections are cut, new ones refused. */
  stopCompanion(): Promise<void>
  /** A new companion process on the same store and port. */
  startCompanion(): Promise<void>
  close(): Promise<void>
}

let building: Promise<void> | undefined
/** HC_BUNDLES: another folder of bundles, to prove that these tests notice a broken widget. */
async function bundles(): Promise<URL> {
  const folder = process.env['HC_BUNDLES']
  if (folder !== undefined) return pathToFileURL(`${folder}/`)
  await (building ??= buildWidgetIfStale())
  return pathToFileURL(join(root, 'widget/dist/bundle/'))
}

export interface SystemOptions {
  readonly settings?: Parameters<typeof testSettings>[0]
  /** The built pages of the console, a folder. */
  readonly consolePages?: URL
}

export async function openSystem(options: SystemOptions = {}): Promise<BrowserSystem> {
  let clock = Date.now()
  const now = (): number => clock
  let sleepers: { until: number; wake: () => void }[] = []
  const sleep = (ms: number): Promise<void> =>
    new Promise((wake) => void sleepers.push({ until: clock + ms, wake: () => wake() }))
  const widget = { folder: await bundles(), version: '0.0.0-test' }
  const requests: string[] = []
  const upstream: string[] = []
  const notices: Notice[] = []
  const pages = new Map<string, { html: string; headers: Readonly<Record<string, string>> }>()
  const isSearchable = options.settings?.consoleUsers !== undefined
  const store = sqliteStore({ path: ':memory:', isSearchable })

  const shopServer = await listen((request) => {
    const { pathname, searchParams } = new URL(request.url)
    const html = { 'content-type': 'text/html; charset=utf-8' }
    const own = pages.get(pathname)
    if (own !== undefined) return new Response(own.html, { headers: { ...html, ...own.headers } })
    if (pathname === '/') return new Response(shopPage(companionUrl, searchParams), { headers: html })
    return new Response(null, { status: pathname === '/favicon.ico' ? 204 : 404 })
  })
  const sandboxServer = await listen((request, env) => sandbox.app.fetch(request, env))
  let companion: Companion | undefined
  let serving = { streams: 0 }
  const serve = (request: Request, env: HttpBindings): Answer => {
    const at = companion
    if (at === undefined) throw new Error('The companion is down.')
    const { pathname } = new URL(request.url)
    requests.push(`${request.method} ${pathname}`)
    const state = serving
    if (pathname.endsWith('/events')) {
      state.streams += 1
      env.outgoing.once('close', () => void (state.streams -= 1))
    }
    return system.between(request, async () => at.app.fetch(request, env))
  }
  // It comes back to its port.
  let companionServer: Listening | undefined = await listen(serve, await freePort())
  const shopUrl = shopServer.url
  const sandboxUrl = sandboxServer.url
  const companionUrl = companionServer.url
  const { port } = companionServer

  const settings = testSettings({
    authUrl: sandboxUrl,
    baseUrl: sandboxUrl,
    publicUrl: companionUrl,
    allowedOrigins: [shopUrl],
    checkoutOrigins: [sandboxUrl],
    notifyUrl: `${shopUrl}/notices`,
    ...options.settings,
  })
  /** Between the servers there are no sockets: what the clock brings is done when `advance` is. */
  const network: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { origin } = new URL(request.url)
    if (origin === sandboxUrl) {
      upstream.push(`${request.method} ${new URL(request.url).pathname}`)
      return sandbox.app.request(request)
    }
    if (origin === companionUrl && companion !== undefined) return companion.app.request(request)
    if (origin === shopUrl) {
      notices.push((await request.json()) as Notice)
      return new Response(null, { status: 204 })
    }
    throw new TypeError(`fetch failed: ${origin}`)
  }
  const sandbox = createSandbox({
    database: ':memory:',
    publicUrl: sandboxUrl,
    merchant,
    now,
    random: (bytes) => randomBytes(bytes),
    fetch: network,
    agent: false,
    allowHttpResultUrl: true,
  })
  const newCompanion = (): Companion =>
    createCompanion({
      settings,
      store,
      now,
      sleep,
      fetch: network,
      widget,
      ...(options.consolePages === undefined ? {} : { consolePages: options.consolePages }),
    })
  companion = newCompanion()

  async function theOne(reference: string | undefined): Promise<Deposit> {
    const all = await store.payments({ limit: 100 })
    const wanted = reference === undefined ? all : all.filter((one) => one.reference === reference)
    const [only] = wanted
    if (only === undefined || wanted.length > 1) throw new Error(`There are ${wanted.length} payments, not one.`)
    return only
  }

  const system: BrowserSystem = {
    store,
    companionUrl,
    sandboxUrl,
    shopUrl,
    requests,
    upstream,
    between: (_, next) => next(),
    shop: (attributes = {}) => `${shopUrl}/?${new URLSearchParams(attributes).toString()}`,
    page(path, html, headers = {}) {
      pages.set(path, { html, headers })
      return `${shopUrl}${path}`
    },
    async session(wish = {}) {
      const response = await network(`${companionUrl}/v1/sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.merchantKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          amount: 2500,
          currency: 'KES',
          country: 'KE',
          orderId: 'ORDER-7',
          description: 'A lantern',
          ...wish,
        }),
      })
      if (response.status !== 201) throw new Error(`No session: ${await response.text()}`)
      return (await response.json()) as CreatedSession
    },
    creates: () => requests.filter((one) => one === 'POST /v1/deposits').length,
    deposits: () => store.payments({ limit: 100 }),
    deposit: () => theOne(undefined),
    watching: () => serving.streams,
    async advance(seconds, step = 1) {
      for (let second = 0; second < seconds; second += step) {
        clock += step * 1000
        const due = sleepers.filter(({ until }) => until <= clock)
        sleepers = sleepers.filter(({ until }) => until > clock)
        for (const sleeper of due) sleeper.wake()
        await sandbox.tick()
        await companion?.tick()
        for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve))
        await companion?.idle()
      }
    },
    async act(what, reference) {
      const one = await theOne(reference)
      const list = (await (await sandbox.app.request(`${sandboxUrl}/console/api/transactions`)).json()) as {
        data: { transaction_id: string; reference: string }[]
      }
      const id = list.data.find((transaction) => transaction.reference === one.reference)?.transaction_id
      const done = await sandbox.app.request(`${sandboxUrl}/console/api/transactions/${id}/${what}`, { method: 'POST' })
      if (!done.ok) throw new Error(`${what}: ${await done.text()}`)
    },
    async until(phase, reference) {
      // The clock may be moved by a test's other hand too: the store is asked, not counted.
      for (let second = 0; second < 120; second += 1) {
        if ((await theOne(reference)).phase === phase) return
        await system.advance(1)
      }
      throw new Error(`Two minutes later the companion does not know it as ${phase}.`)
    },
    async pays(reference) {
      for (const what of ['lock', 'paid', 'confirm'] as const) await system.act(what, reference)
      await system.until('succeeded', reference)
    },
    async told() {
      // The payment may be known some seconds before its notice leaves, and what a companion took
      // along when it was cut off is free after 75 s.
      await system.advance(120, 5)
      return notices
    },
    async stopCompanion() {
      const [down, server] = [companion, companionServer]
      companion = undefined
      companionServer = undefined
      serving = { streams: 0 }
      await server?.close()
      await down?.close()
    },
    async startCompanion() {
      if (companion !== undefined) throw new Error('The companion runs.')
      companion = newCompanion()
      companionServer = await listen(serve, port)
    },
    async close() {
      await shopServer.close()
      await sandboxServer.close()
      await system.stopCompanion()
      await sandbox.close()
      await store.close()
    },
  }
  return system
}

function shopPage(companionUrl: string, attributes: URLSearchParams): string {
  const given = Object.entries({ companion: companionUrl, ...Object.fromEntries(attributes) })
    .map(([name, value]) => ` ${name}="${value.replace(/["&<]/g, '')}"`)
    .join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Duka la Jua</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script type="module" src="${companionUrl}/widget/v1/hc-checkout.js"></script></head>
<body><h1>Duka la Jua</h1><hc-checkout${given}></hc-checkout></body></html>`
}
