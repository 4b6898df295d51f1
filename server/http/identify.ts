// The first and last middleware of every request: client address, log scope, metrics, and no
// caching unless a route says so.
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Metrics } from '../platform/metrics.ts'
import { clientAddress, peerOf } from './address.ts'
import type { Env } from './http.ts'
import { mountedBelow } from './mounted-below.ts'
import { readTraceparent } from './traceparent.ts'

export function identify(parts: {
  readonly isTrusted: (address: string) => boolean
  readonly now: () => number
  readonly metrics: Pick<Metrics, 'count' | 'observe'>
  /** Runs the work so that each of its log lines says of which request and trace it is. */
  readonly inScope: (
    scope: { readonly requestId: string; readonly traceparent: string | undefined },
    work: () => Promise<void>,
  ) => Promise<void>
}): MiddlewareHandler<Env> {
  const { isTrusted, now, metrics, inScope } = parts
  return async function identified(c, next) {
    c.set('address', clientAddress(peerOf(c), c.req.header('x-forwarded-for'), isTrusted))
    const started = now()
    const traceparent = readTraceparent(c.req.header('traceparent'))
    await inScope({ requestId: c.get('requestId'), traceparent }, () => {
      // Another Hono app has taken this one by `route('/payments', …)`.
      const at = routePath(c)
      if (at !== '/*') throw new Error(mountedBelow(at.replace(/\/\*$/, '')))
      return next()
    })
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
    const route = routePath(c, -1)
    metrics.count('http_requests', { route, status: String(c.res.status) })
    metrics.observe('http', (now() - started) / 1000, { route })
  }
}
