// The first and last middleware of every request through Hono: request id, client address and metrics; also the error where no route matches.
import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { CompanionError } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import { clientAddress, peerOf } from './address.ts'
import type { Env } from './http.ts'
import { mountedBelow } from './mounted-below.ts'
import { methodsAt } from './methods.ts'

export function identify(parts: {
  readonly isTrusted: (address: string) => boolean
  readonly now: () => number
  readonly metrics: Pick<Metrics, 'count' | 'observe'>
  /** Runs the work so that each of its log lines carries the request id. */
  readonly inScope: (requestId: string, work: () => Promise<void>) => Promise<void>
}): MiddlewareHandler<Env> {
  const { isTrusted, now, metrics, inScope } = parts
  return async function identified(c, next) {
    const requestId = randomUUID()
    c.set('requestId', requestId)
    c.set('address', clientAddress(peerOf(c), c.req.header('x-forwarded-for'), isTrusted))
    const started = now()
    await inScope(requestId, () => {
      // Another Hono app has taken this one by `route('/payments', …)`.
      const at = routePath(c)
      if (at !== '/*') throw new Error(mountedBelow(at.replace(/\/\*$/, '')))
      return next()
    })
    const route = routePath(c, -1)
    metrics.count('http_requests', { route, status: String(c.res.status) })
    metrics.observe('http', (now() - started) / 1000, { route })
  }
}

/**
 * 405 when the address has a route for another method, else 404. Returned, not thrown: Hono does not run its error handling for what `notFound`
 * throws.
 */
export function noRoute(c: Context<Env>): CompanionError {
  const methods = methodsAt(c.req.path)
  const [, before] = /^(\/.+?)\/(?:v1|pay|widget)\//.exec(c.req.path) ?? []
  if (methods.length === 0 && before !== undefined)
    return new CompanionError('not_found', {
      detail: `The companion's addresses begin at the root of its host: /v1/…, not ${before}/v1/….`,
    })
  if (methods.length === 0 || methods.includes(c.req.method))
    return new CompanionError('not_found', { detail: 'See /openapi.json for the endpoints of this companion.' })
  c.header('allow', methods.join(', '))
  return new CompanionError('method_not_allowed', { detail: `Use ${methods.join(' or ')}.` })
}
