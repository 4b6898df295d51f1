// Routes for operators: health, readiness, metrics and the API description.
import { Hono } from 'hono'
import type { Context } from 'hono'
import { sameText } from '../deposits/identity.ts'
import { CompanionError } from '../platform/errors.ts'
import { isForwarded, isOwnHost, peerOf } from './address.ts'
import type { Env } from './http.ts'

/** One condition that must hold before payments are safe. */
export interface ReadyCheck {
  readonly name: string
  readonly ok: boolean
  /** What is wrong and what to do. No secret. */
  readonly detail?: string
}

export interface OperationsParts {
  readonly opsToken?: string
  readonly readiness: () => Promise<readonly ReadyCheck[]>
  /** Body of /metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>
  readonly openapi: () => unknown
  /** Whether an address is in HC_TRUSTED_PROXIES. */
  readonly isTrusted: (address: string) => boolean
}

/**
 * With HC_OPS_TOKEN set, the token decides, also on this machine: a proxy there may add no header
 * at all, and then a stranger looks like a local caller. Without it, a caller on this machine may
 * look, unless the request was forwarded or names a foreign host (DNS rebinding).
 */
function mayLook(c: Context<Env>, opsToken: string | undefined): boolean {
  // Hono's bearer auth only refuses, and `/readyz` answers without a token too.
  if (opsToken !== undefined)
    return sameText(/^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '', opsToken)
  const address = c.get('address')
  const isHere = address === '127.0.0.1' || address === '::1'
  return isHere && !isForwarded((name) => c.req.header(name)) && isOwnHost(c.req.header('host'))
}

export function operationsRoutes(parts: OperationsParts): Hono<Env> {
  const { opsToken, readiness, metrics, openapi, isTrusted } = parts
  const app = new Hono<Env>()
  /** Built once: it takes milliseconds, and strangers may request it as often as they like. */
  let description: string | undefined

  app.get('/healthz', (c) => c.json({ ok: true }))

  app.get('/readyz', async (c) => {
    const checks = await readiness()
    const ok = checks.every((check) => check.ok)
    const peer = peerOf(c)
    const namesClient = c.req.header('x-forwarded-for') !== undefined
    const untrustedProxy = namesClient && peer !== undefined && !isTrusted(peer) ? { untrustedProxy: peer } : {}
    // Where Node itself ends TLS (the companion mounted in a shop), there is no proxy to set the
    // header.
    const forwardedFor = c.req.url.startsWith('https:') ? {} : { forwardedFor: namesClient }
    const body = mayLook(c, opsToken) ? { ok, checks, ...untrustedProxy, ...forwardedFor } : { ok }
    return c.json(body, ok ? 200 : 503, ok ? {} : { 'retry-after': '5' })
  })

  app.get('/metrics', async (c) => {
    if (!mayLook(c, opsToken)) {
      const code = c.req.header('authorization') === undefined ? 'bearer_missing' : 'bearer_wrong'
      const detail =
        opsToken === undefined
          ? 'Ask from this machine without a proxy, or set HC_OPS_TOKEN and ask with it as the bearer token.'
          : 'Ask with HC_OPS_TOKEN as the bearer token.'
      throw new CompanionError(code, { detail })
    }
    return c.text(await metrics(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })

  app.get('/openapi.json', (c) => {
    description ??= JSON.stringify(openapi())
    return c.body(description, 200, {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    })
  })

  return app
}
