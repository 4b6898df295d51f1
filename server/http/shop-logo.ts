// The shop's logo, where the settings name a file: for the card on the shop's pages, and for
// `/pay`.
import { Hono } from 'hono'
import { logoVersion } from '../deposits/merchant/shop.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Env } from './http.ts'

/** `GET /v1/shop/logo`. Its address changes with the picture, so each is kept for good. */
export function shopLogo(logo: Settings['shopLogo']): Hono<Env> {
  const app = new Hono<Env>()
  app.get('/shop/logo', (c) => {
    if (logo === undefined || 'url' in logo)
      throw new CompanionError('not_found', { detail: 'HC_SHOP_LOGO names no file.' })
    const isPresent = c.req.query('v') === logoVersion(logo.bytes)
    c.header('cache-control', isPresent ? 'public, max-age=31536000, immutable' : 'public, max-age=300')
    // Opened by itself an SVG is a page of the companion's: nothing in it may run.
    c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    return c.body(new Uint8Array(logo.bytes), 200, { 'content-type': logo.type })
  })
  return app
}
