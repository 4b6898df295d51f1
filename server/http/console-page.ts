// Serves the built pages of the console, with a policy that lets nothing in but its own files.
import { readdir, readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from './http.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  json: 'application/json',
}

/** In index.html: what a `<style>` of its scripts needs where a browser has no adopted style sheets. */
const NONCE = '__NONCE__'

const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ')

/** Nobody shows the page in a frame, and no other window holds on to it. */
const SAFE = {
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
}

interface Files {
  readonly index: string
  readonly assets: ReadonlyMap<string, { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string }>
}

/** @param folder what Vite made of console/web; ends with a slash */
export function consolePage(parts: {
  readonly folder: URL | undefined
  readonly random: (bytes: number) => Uint8Array
}): Hono<Env> {
  const { folder, random } = parts
  let reading: Promise<Files> | undefined

  async function read(from: URL): Promise<Files> {
    const index = await readFile(new URL('index.html', from), 'utf8')
    const assets = new Map<string, { bytes: Uint8Array<ArrayBuffer>; type: string }>()
    for (const name of await readdir(new URL('assets/', from))) {
      const type = types[name.slice(name.lastIndexOf('.') + 1)]
      if (type !== undefined)
        assets.set(name, { bytes: new Uint8Array(await readFile(new URL(`assets/${name}`, from))), type })
    }
    return { index, assets }
  }

  async function files(): Promise<Files> {
    const missing = new CompanionError('not_found', {
      detail: 'The pages of the console are not built: npm run build:server makes them.',
    })
    if (folder === undefined) throw missing
    reading ??= read(folder).catch(() => {
      reading = undefined
      throw missing
    })
    return reading
  }

  const app = new Hono<Env>()
  app.use('/console/assets/*', compress({ threshold: 1024 }))
  app.get('/console/assets/:file', async (c) => {
    const file = (await files()).assets.get(c.req.param('file'))
    if (file === undefined) throw new CompanionError('not_found', { detail: 'There is no such file.' })
    c.header('cache-control', 'public, max-age=31536000, immutable')
    return c.body(file.bytes, 200, { 'content-type': file.type })
  })
  for (const path of ['/console', '/console/', '/console/:view', '/console/:view/:id'])
    app.get(path, async (c) => {
      const nonce = Buffer.from(random(18)).toString('base64url')
      const { index } = await files()
      return c.body(index.replaceAll(NONCE, nonce), 200, {
        ...SAFE,
        'content-security-policy': policyWith(nonce),
        'content-type': 'text/html; charset=utf-8',
      })
    })
  return app
}
