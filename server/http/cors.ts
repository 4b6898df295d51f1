// CORS for the browser routes: an exact list of shop origins, never reflected, no credentials.
import type { MiddlewareHandler } from 'hono'
import { CompanionError } from '../platform/errors.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { isShopOrigin, type ShopOrigins } from '../platform/shop-origins.ts'
import type { Env } from './http.ts'
import { isTracingHeader } from './tracing-headers.ts'

interface CorsParts extends ShopOrigins {
  readonly logger: Pick<Logger, 'warn'>
}

/** Anyone can make up origins and header names, so only the first few are reported. */
const MOST_REPORTS = 20
/** As browsers write it. Other bytes include controls that some terminals obey. */
const PRINTABLE_ORIGIN = /^[\x21-\x7e]{1,200}$/
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
/** What the widget sends. */
const OWN_HEADERS = ['authorization', 'content-type', 'idempotency-key', 'last-event-id']
/**
 * One address serves all sessions, another all attempts. The cache of a page's service worker keeps
 * what may not be stored, and tells their answers apart by these headers alone.
 */
export const VARY = 'Origin, Authorization, Idempotency-Key'
/** Most header names of one preflight that are looked at. */
const MOST_ASKED = 50

/**
 * Lets the listed origins read the answers. Any other origin gets no CORS header and may not write.
 * Hono's own allows the same headers in every preflight, or all that are asked for, and lets any
 * page write.
 */
export function cors({ origins, loopback, logger }: CorsParts): MiddlewareHandler<Env> {
  const strangers = createOnce()
  const refusedHeaders = createOnce()

  function knows(origin: string | undefined): origin is string {
    return origin !== undefined && isShopOrigin({ origins, loopback }, origin)
  }

  function reportStranger(origin: string | undefined): void {
    if (origin === undefined || !PRINTABLE_ORIGIN.test(origin) || !strangers(origin)) return
    logger.warn(
      { origin, setting: 'HC_ALLOWED_ORIGINS' },
      `a page of ${origin} asked and gets no answer, because HC_ALLOWED_ORIGINS does not name this origin: ` +
        `add it there if the page is yours${loopback ? ` (hc-checkout-server dev: --origin ${origin})` : ''}`,
    )
  }

  function allowed(origin: string, name: string): boolean {
    if (OWN_HEADERS.includes(name) || isTracingHeader(name)) return true
    if (refusedHeaders(name))
      logger.warn(
        { header: name, origin },
        `a page of ${origin} adds the header ${name} to its requests, which the companion does not allow: ` +
          'the browser sends none of them until the page stops adding it',
      )
    return false
  }

  /** What the widget sends, and what else of the asked headers does no harm. */
  function headersFor(origin: string, asked = ''): string {
    const more = asked
      .toLowerCase()
      .split(',', MOST_ASKED)
      .map((name) => name.trim())
      .filter((name) => HEADER_NAME.test(name) && allowed(origin, name))
    return [...new Set([...OWN_HEADERS, ...more])].join(', ')
  }

  return async function answerWithCors(c, next) {
    const origin = c.req.header('origin')
    const { method } = c.req
    const isKnown = knows(origin)
    if (!isKnown) reportStranger(origin)
    if (method === 'OPTIONS') {
      c.header('vary', 'Origin, Access-Control-Request-Headers')
      if (isKnown) {
        c.header('access-control-allow-origin', origin)
        c.header('access-control-allow-methods', 'GET, POST')
        c.header('access-control-allow-headers', headersFor(origin, c.req.header('access-control-request-headers')))
        c.header('access-control-max-age', '7200')
      }
      return c.body(null, 204)
    }
    if (!isKnown && origin !== undefined && method !== 'GET' && method !== 'HEAD') throw notAllowed(origin)
    c.set('corsOrigin', isKnown ? origin : undefined)
    await next()
    const { headers } = c.res
    headers.append('vary', VARY)
    if (isKnown) {
      headers.set('access-control-allow-origin', origin)
      headers.set('access-control-expose-headers', 'etag, retry-after, x-request-id')
      headers.set('cross-origin-resource-policy', 'cross-origin')
    }
  }
}

function notAllowed(origin: string): CompanionError {
  const which = PRINTABLE_ORIGIN.test(origin) ? `${origin}, the origin of this page,` : 'the origin of this page'
  return new CompanionError('origin_not_allowed', { detail: `Add ${which} to HC_ALLOWED_ORIGINS of the companion.` })
}

/** True the first time that each of the first few texts is seen. */
function createOnce(): (text: string) => boolean {
  const seen = new Set<string>()
  return (text) => {
    if (seen.has(text) || seen.size === MOST_REPORTS) return false
    seen.add(text)
    return true
  }
}
