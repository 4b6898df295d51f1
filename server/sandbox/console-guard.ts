// Restricts the console to this machine, under one of its own addresses, and to the console's own pages. It has no password, so foreign pages (by
// form or by script), DNS rebinding and other machines are refused, those behind a proxy on this machine too.
import type { MiddlewareHandler } from 'hono'
import { refuse, ServiceError } from './envelope.ts'
import { isLoopback } from './payment-request.ts'
import { peerOf } from './peer.ts'

/** What only proxies add: the caller is another machine, whatever the peer's address is. */
const PROXY_HEADERS = ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Host', 'X-Forwarded-Proto']

export function guardConsole(publicUrl: string, open: boolean): MiddlewareHandler {
  const publicHost = new URL(publicUrl).host
  return async function consoleGuard(c, next) {
    const no = (why: string): Response => refuse(c, new ServiceError(403, why))
    const address = peerOf(c)
    const isOther = address !== undefined && address !== '::1' && !address.startsWith('127.')
    if (!open && (isOther || PROXY_HEADERS.some((name) => c.req.header(name) !== undefined))) {
      return no('The console answers to this machine only.')
    }
    // DNS rebinding: a foreign name that resolves to this machine would make a foreign page same-origin.
    const here = URL.parse(c.req.url)
    const host = URL.parse(`http://${c.req.header('Host') ?? here?.host ?? ''}`)
    if (!host || (!isLoopback(host.hostname) && host.host !== publicHost)) {
      return no('The console does not answer to this host name.')
    }
    const site = c.req.header('Sec-Fetch-Site')
    const origin = c.req.header('Origin')
    // Not every proxy hands on the name by which the browser called.
    const foreign = origin !== undefined && ![host.host, publicHost].includes(URL.parse(origin)?.host ?? '')
    if (foreign || (c.req.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none')) {
      return no('The console takes no requests from other sites.')
    }
    await next()
    c.header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    c.header('X-Frame-Options', 'DENY')
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Referrer-Policy', 'same-origin')
    c.header('Cache-Control', 'no-store')
    return undefined
  }
}
