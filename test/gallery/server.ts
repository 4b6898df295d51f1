// Serves the gallery: the built bundle, a card in each state, and the companion that answers it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { sampleBanks, sampleMarkets, sampleSession } from '../helpers/sample-payment.ts'
import { actions } from './actions.ts'
import { galleryPayment, states } from './states.ts'
import type { State } from './states.ts'

const languages = ['en', 'fr', 'sw', 'am', 'ha', 'rn', 'rw', 'so'] as const
export const widths = [320, 360, 1280] as const

const shop = {
  name: 'Nuru Solar Lights',
  logo: '/logo.svg',
  accent: '#b5432a',
  onAccent: '#ffffff',
  phone: '+254 700 000 123',
  email: 'help@nuru.example',
  helpUrl: 'https://nuru.example/help',
}
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="#f2b134"/></svg>`

/** @param bundles folder of the built widget */
export function serveGallery(bundles: string): Promise<{ readonly url: string; close(): void }> {
  const app = new Hono()
  const files = new Map(readdirSync(bundles).map((name) => [name, readFileSync(join(bundles, name), 'utf8')]))

  app.get('/widget/:file', (c) => {
    const headers = { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' }
    return c.body(files.get(c.req.param('file')) ?? '', 200, headers)
  })
  app.get('/logo.svg', (c) => c.body(logo, 200, { 'content-type': 'image/svg+xml' }))
  app.get('/sheet/:state/:brand/:width', (c) => {
    const { state, brand, width } = c.req.param()
    return c.html(sheetPage(state, brand, Number(width)))
  })
  app.get('/card/:state/:brand/:width/:locale', (c) => {
    const { state, brand, width, locale } = c.req.param()
    return c.html(cardPage(stateOf(state), { base: `/c/${state}/${brand}`, locale, order: `${width}-${locale}` }))
  })

  // The companion, with an address for each state and brand.
  app.all('/c/:state/:brand/v1/:door{.+}', async (c) => {
    const { state: at, brand, door } = c.req.param()
    const state = stateOf(at)
    const code = refusalOf(state, `${c.req.method} /v1/${door}`)
    if (code === 'blocked') return c.html('<h1>403 Forbidden</h1>', 403)
    if (code === 'cut') return c.body('', 503)
    if (code !== undefined)
      return c.json({ type: `/problems/${code}`, code, title: code, status: 409, detail: code, retryAfter: 60 }, 409)
    const own = brand === 'brand' ? { shop } : {}
    const [kind, id = 'dep_1', more] = door.split('/')
    if (kind === 'markets') return c.json({ ...sampleMarkets, ...own })
    if (kind === 'banks') return c.json(sampleBanks)
    if (kind === 'session') return c.json({ ...sampleSession, payer: {}, ...own })
    if (kind !== 'deposits' || more === 'events') return c.body('', 503)
    const view = { ...galleryPayment, id, ...state.view }
    return c.req.method === 'POST' && more === undefined
      ? c.json({ ...view, id: `dep_${crypto.randomUUID()}`, token: 't' }, 201)
      : c.json(view)
  })

  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ url: `http://127.0.0.1:${port}`, close: () => server.close() }),
    )
  })
}

const stateOf = (at: string): State => states[Number(at)]!

/** Also of one payment: `GET /v1/deposits` refuses `GET /v1/deposits/dep_1`. */
function refusalOf({ refused = {} }: State, door: string): string | undefined {
  const found = Object.keys(refused).find(
    (one) => door === one || (one.startsWith('GET') && door.startsWith(`${one}/`)),
  )
  return found === undefined ? undefined : refused[found]
}

/** All languages at one width, four in a row: so few that their text can be read on a screen. */
function sheetPage(state: string, brand: string, width: number): string {
  const frames = languages.map((locale) => {
    // Of a wide page, what is near the card.
    const cut = width > 600 ? ` style="margin-left:-${(width - 520) / 2}px"` : ''
    return `<div class="w${width}"><iframe width="${width}" height="700" src="/card/${state}/${brand}/${width}/${locale}"${cut}></iframe></div>`
  })
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 8px; display: inline-grid; grid-template-columns: repeat(4, max-content); gap: 8px; background: #888 }
    div { overflow: hidden } iframe { border: 0; display: block } .w1280 { width: 520px }
  </style>${frames.join('')}`
}

function cardPage(state: State, at: { base: string; locale: string; order: string }): string {
  const order = state.isLocked ? `session="session-of-${at.order}"` : `client-reference="${at.order}"`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Gallery</title>
<meta name="viewport" content="width=device-width">
<style>:root { color-scheme: light dark } body { margin: 16px; background: light-dark(#f3f6f4, #0c100e) }</style></head>
<body><main><hc-checkout companion="${at.base}" locale="${at.locale}" presentation="tab" ${order} ${state.attributes ?? ''}></hc-checkout></main>
<script>const state = ${JSON.stringify({ ...state, order: at.order, base: at.base })}</script>
<script>${actions}</script>
<script type="module" src="/widget/hc-checkout.js"></script></body></html>`
}
