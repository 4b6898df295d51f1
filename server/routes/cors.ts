// CORS for the browser's doors: an exact list of shops, never reflected, no credentials.
import type { MiddlewareHandler } from 'hono'
import { CompanionError } from '../errors.ts'
import type { Env } from './http.ts'

/**
 * Lets the listed origins read the answers; any other origin gets no CORS header, and no write.
 * @param origins exact origins of shops (HC_ALLOWED_ORIGINS) and the companion's own
 */
export function corsFor(origins: ReadonlySet<string>): MiddlewareHandler<Env> {
  return async function cors(c, next) {
    const origin = c.req.header('origin')
    const known = origin !== undefined && origins.has(origin)
    if (c.req.method === 'OPTIONS') {
      const headers: Record<string, string> = { vary: 'Origin, Access-Control-Request-Headers' }
      if (known) {
        headers['access-control-allow-origin'] = origin
        headers['access-control-allow-methods'] = 'GET, POST'
        headers['access-control-allow-headers'] = 'authorization, content-type, idempotency-key, last-event-id'
        headers['access-control-max-age'] = '7200'
      }
      return c.body(null, 204, headers)
    }
    if (origin !== undefined && !known && c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      throw new CompanionError('origin_not_allowed', {
        detail: 'Add the origin of this page to HC_ALLOWED_ORIGINS of the companion.',
      })
    }
    c.set('corsOrigin', known ? origin : undefined)
    await next()
    c.res.headers.append('vary', 'Origin')
    if (known) {
      c.res.headers.set('access-control-allow-origin', origin)
      c.res.headers.set('access-control-expose-headers', 'etag, retry-after, x-request-id')
      c.res.headers.set('cross-origin-resource-policy', 'cross-origin')
    }
  }
}
