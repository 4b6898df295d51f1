// CORS for the browser routes: an exact list of shop origins, never reflected, no credentials.
import type { MiddlewareHandler } from 'hono'
import { CompanionError } from '../errors.ts'
import type { Env } from './http.ts'

export interface Cors {
  /** Response headers for a page of this origin. Throws `origin_not_allowed` for a write from an unlisted origin. */
  headers(origin: string | undefined, method: string): Readonly<Record<string, string>>
  /** True for the origin of a shop. */
  knows(origin: string | undefined): origin is string
}

/** Anyone can make up origins, so only the first few are reported. */
const MOST_STRANGERS = 20
/** As browsers write it: a header's other bytes include U+009B, at which some terminals begin to obey. */
const PRINTABLE_ORIGIN = /^[\x21-\x7e]{1,200}$/

/**
 * @param origins exact origins of shops (HC_ALLOWED_ORIGINS) and the companion's own
 * @param onStranger called once for each of the first few other origins: the developer of such a page sees only that the request failed
 */
export function createCors(origins: ReadonlySet<string>, onStranger: (origin: string) => void): Cors {
  const strangers = new Set<string>()

  function knows(origin: string | undefined): origin is string {
    return origin !== undefined && origins.has(origin)
  }

  function tell(origin: string | undefined): void {
    if (origin === undefined || !PRINTABLE_ORIGIN.test(origin)) return
    if (strangers.has(origin) || strangers.size === MOST_STRANGERS) return
    strangers.add(origin)
    onStranger(origin)
  }

  return {
    knows,
    headers(origin, method) {
      if (knows(origin))
        return {
          vary: 'Origin',
          'access-control-allow-origin': origin,
          'access-control-expose-headers': 'etag, retry-after, x-request-id',
          'cross-origin-resource-policy': 'cross-origin',
        }
      tell(origin)
      if (origin !== undefined && method !== 'GET' && method !== 'HEAD')
        throw new CompanionError('origin_not_allowed', {
          detail: 'Add the origin of this page to HC_ALLOWED_ORIGINS of the companion.',
        })
      return { vary: 'Origin' }
    },
  }
}

/** Lets the listed origins read the responses; any other origin gets no CORS header and may not write. */
export function corsFor(cors: Cors): MiddlewareHandler<Env> {
  return async function answerWithCors(c, next) {
    const origin = c.req.header('origin')
    if (c.req.method === 'OPTIONS') {
      const headers: Record<string, string> = { vary: 'Origin, Access-Control-Request-Headers' }
      if (cors.knows(origin)) {
        headers['access-control-allow-origin'] = origin
        headers['access-control-allow-methods'] = 'GET, POST'
        headers['access-control-allow-headers'] = 'authorization, content-type, idempotency-key, last-event-id'
        headers['access-control-max-age'] = '7200'
      }
      return c.body(null, 204, headers)
    }
    const { vary = 'Origin', ...headers } = cors.headers(origin, c.req.method)
    c.set('corsOrigin', cors.knows(origin) ? origin : undefined)
    await next()
    c.res.headers.append('vary', vary)
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
  }
}
