// What all routes share of Hono: what is known of a request before its route runs, safe headers and ETags of an answer.
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'

/** Set by identify.ts and cors.ts. `address` is the client's, behind trusted proxies. */
export type Env = { Variables: { requestId: string; address: string; corsOrigin: string | undefined } }

/** Node's own response below Hono's; undefined where another server serves. */
export function outgoingOf(c: Context): ServerResponse | undefined {
  const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing
  return typeof outgoing?.writeHead === 'function' ? outgoing : undefined
}

/** Default headers for every API response (the pages set their own policy on top). */
export function safeHeaders(options: { readonly https: boolean }): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(options.https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

export function securityHeaders(options: { readonly https: boolean }): MiddlewareHandler<Env> {
  const safe = Object.entries(safeHeaders(options))
  return async function secure(c, next) {
    await next()
    const { headers } = c.res
    for (const [name, value] of safe) if (!headers.has(name)) headers.set(name, value)
    headers.set('x-request-id', c.get('requestId'))
  }
}

/** Whether the caller already has this ETag; a proxy that compresses makes it a weak one (RFC 9110, 13.1.2). */
export function isHeld(c: Context<Env>, etag: string): boolean {
  const held = (c.req.header('if-none-match') ?? '').split(',').map((part) => part.trim().replace(/^W\//, ''))
  return held.includes(etag) || held.includes('*')
}

/** Answers with an ETag, or with 304 when the caller already has it. */
export function withEtag(c: Context<Env>, value: unknown, cacheControl: string): Response {
  const text = JSON.stringify(value)
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  c.header('cache-control', cacheControl)
  c.header('etag', etag)
  if (isHeld(c, etag)) return c.body(null, 304)
  return c.body(text, 200, { 'content-type': 'application/json' })
}
