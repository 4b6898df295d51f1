// Serves the built pages of the console, with a policy that lets nothing in but its own files.
import { readdir, readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { getMimeType } from 'hono/utils/mime'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from './http.ts'

/** One script and one style sheet of its own: no inline script, no inline style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
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

/** @param folder what Vite made of console/web; ends with a slash */
export function consolePage(folder: URL | undefined): Hono<Env> {
  let reading: ReturnType<typeof read> | undefined

  async function read(from: URL) {
    const index = await readFile(new URL('index.html', from), 'utf8')
    const assets = new Map<string, { bytes: Uint8Array<ArrayBuffer>; type: string }>()
    for (const name of await readdir(new URL('assets/', from))) {
      const type = getMimeType(name)
      if (type !== undefined)
        assets.set(name, { bytes: new Uint8Array(await readFile(new URL(`assets/${name}`, from))), type })
    }
    return { index, assets }
  }

  async function files() {
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
  // With the slash: the page names its files relative to its own address.
  app.get('/console', (c) => c.redirect('console/', 308))
  app.get('/console/', async (c) =>
    c.body((await files()).index, 200, {
      ...SAFE,
      'content-security-policy': POLICY,
      'content-type': 'text/html; charset=utf-8',
    }),
  )
  return app
}
