// Serves two origins on loopback: the shop, with the measured pages, and the companion, with the
// widget and the answers it needs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { widgetFiles } from '../../../server/http/widget-files.ts'
import { banks, markets } from './bank-list.ts'
import type { Builds, Files } from './builds.ts'
import type { Places } from './in-page.ts'

export type Name = 'blank' | 'field' | 'bare' | 'ours' | 'adyen' | 'adyen-list'

const bankOfOurs = { bank: '#bank', row: '[role=option]' }
export const places: Readonly<Record<Name, Places>> = {
  blank: { host: '', field: 'h1', pay: 'h1', bank: '', row: '' },
  field: { host: '', field: 'input', pay: 'input', bank: 'input', row: '' },
  bare: { host: 'bare-form', field: 'input, select', pay: '[part~=pay-button]', bank: '', row: '' },
  ours: { host: 'hc-checkout', field: 'input, select', pay: '[part~=pay-button]', ...bankOfOurs },
  adyen: { host: '', field: '#adyen input', pay: '.adyen-checkout__button--pay', bank: '', row: '' },
  'adyen-list': {
    host: '',
    field: 'h1',
    pay: 'h1',
    bank: '.adyen-checkout__filter-input',
    row: '.adyen-checkout__dropdown__list--active [role=option]',
  },
}

/** The same shop page around each: content below the checkout shows layout shift. */
const page = (head: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Your order</title>
<link rel="icon" href="data:,"><style>body{margin:16px;font:16px/1.4 system-ui,sans-serif}</style>
${head}</head>
<body><h1>Your order</h1><p>One solar lamp, KES 2,500</p>
${body}
<p>Questions? Call the shop. We open at eight.</p></body></html>`

const bundled = '<script type="module" src="main.js"></script>'

export interface Sites {
  address(name: Name): string
  close(): void
}

export async function openSites(builds: Builds): Promise<Sites> {
  const folder = mkdtempSync(join(tmpdir(), 'hc-bench-widget-'))
  for (const [name, text] of builds.widget) writeFileSync(join(folder, name), text)

  const companion = new Hono()
  companion.route('/', widgetFiles({ folder: pathToFileURL(`${folder}/`), version: 'bench' }))
  companion.use(async (c, next) => {
    await next()
    c.header('access-control-allow-origin', '*')
  })
  companion.get('/v1/markets', (c) => c.json(markets))
  companion.get('/v1/banks', (c) => c.json(banks))
  const companionServer = serve({ fetch: companion.fetch, port: 0, hostname: '127.0.0.1' })
  const companionUrl = await listening(companionServer)

  const shop = new Hono()
  shop.get('/v1/markets', (c) => c.json(markets))
  shop.get('/v1/banks', (c) => c.json(banks))
  const html: Readonly<Record<Name, string>> = {
    blank: page('', ''),
    // The cost of a keystroke without listeners.
    field: page('', '<label>Bank <input></label>'),
    bare: page(bundled, '<bare-form></bare-form>'),
    // As in demo/docs/widget.md.
    ours: page(
      `<script type="module" src="${companionUrl}/widget/v1/hc-checkout.js"></script>
<script nomodule src="${companionUrl}/widget/v1/hc-checkout-legacy.js"></script>
<style>hc-checkout{display:block;min-height:50rem}</style>`,
      `<hc-checkout companion="${companionUrl}"><a href="${companionUrl}/pay">Pay with mobile money</a></hc-checkout>`,
    ),
    adyen: page(`<link rel="stylesheet" href="main.css">${bundled}`, '<div id="adyen"></div>'),
    'adyen-list': page(`<link rel="stylesheet" href="main.css">${bundled}`, '<div id="adyen"></div>'),
  }
  for (const [name, text] of Object.entries(html))
    shop.get(`/${name}/`, (c) => c.body(compressed(text), 200, headers('text/html; charset=utf-8', 'no-cache')))
  const scripts: readonly (readonly [Name, Files])[] = [
    ['bare', builds.bare],
    ['adyen', builds.dropin],
    ['adyen-list', builds.list],
  ]
  for (const [name, files] of scripts)
    for (const [file, text] of files) {
      const bytes = compressed(text)
      const type = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
      shop.get(`/${name}/${file}`, (c) => c.body(bytes, 200, headers(type, 'public, max-age=31536000, immutable')))
    }
  const shopServer = serve({ fetch: shop.fetch, port: 0, hostname: '127.0.0.1' })
  const shopUrl = await listening(shopServer)

  // The companion compresses its files at the first request, which must not be measured.
  await fetch(`${companionUrl}/widget/v1/hc-checkout.js`)
  return {
    address: (name) => `${shopUrl}/${name}/`,
    close() {
      companionServer.close()
      shopServer.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const compressed = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(brotliCompressSync(text))
const headers = (type: string, cache: string): Record<string, string> => ({
  'content-type': type,
  'content-encoding': 'br',
  'cache-control': cache,
})

function listening(server: ReturnType<typeof serve>): Promise<string> {
  return new Promise((resolve) => {
    const told = (): void => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    if (server.listening) told()
    else server.once('listening', told)
  })
}
