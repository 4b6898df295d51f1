// What all routes share of Hono: what is known of a request before its route runs, safe headers,
// ETags and streams.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Context, MiddlewareHandler } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'
import type { SignedIn } from '../console/sign-ins.ts'
import type { Actor } from '../deposits/merchant/acts.ts'

/** Set by identify.ts, cors.ts, bearer.ts and staff.ts. `address` is that of the client. */
export type Env = {
  Variables: {
    requestId: string
    address: string
    corsOrigin: string | undefined
    token: string
    actor: Actor
    signedIn: SignedIn
  }
}

/** Node's own response below Hono's; undefined where another server serves. */
export function outgoingOf(c: Context): ServerResponse | undefined {
  const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing
  return typeof outgoing?.writeHead === 'function' ? outgoing : undefined
}

/** `no-transform` and the third keep proxies from holding events back. */
export const EVENT_STREAM = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * Tells proxies to leave pages as they are. By default Cloudflare takes e-mail addresses out of
 * them, for a script of its own to put back, and the policy of our pages stops that script. Added
 * after our own compression, which passes over what must not be transformed.
 */
export const noTransform: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  if (c.res.headers.get('content-type')?.startsWith('text/html')) c.res.headers.append('cache-control', 'no-transform')
}

/** A body of texts that are sent as they come. */
export function streamOf(texts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(encoded(texts))) as ReadableStream<Uint8Array>
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}

/** Headers of every answer that sets none of its own. The pages set their own policy. */
export function safeHeaders(crossOriginResourcePolicy: 'same-origin' | 'cross-origin'): MiddlewareHandler<Env> {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    crossOriginResourcePolicy,
    referrerPolicy: 'no-referrer',
    xContentTypeOptions: true,
    // It belongs to the proxy that ends TLS, and may concern other programs of the same host.
    strictTransportSecurity: false,
    // `frame-ancestors` says the same, and the others have no meaning for data.
    xFrameOptions: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    removePoweredBy: false,
  })
}

/** ETags, and 304 for a caller that has the answer. A page of a shop can read a 304 too. */
export const withEtag: MiddlewareHandler<Env> = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    'access-control-allow-origin',
    'access-control-expose-headers',
    'x-request-id',
  ],
})
