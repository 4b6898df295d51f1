// Restricts the console to this machine, under one of its own addresses, and to the console's own
// pages; with a password, to whoever has it. Foreign pages (by form or by script), DNS rebinding
// and other machines are refused, those behind a proxy on this machine too.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { refuse, ServiceError } from '../engine/envelope.ts'
import { isLoopback } from '../engine/payment-request.ts'
import { peerOf } from '../service/peer.ts'

/** What only proxies add: the caller is another machine, whatever the peer's address is. */
const PROXY_HEADERS = [
  'Forwarded',
  'Via',
  'X-Real-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Envoy-External-Address',
  'X-Original-Host',
  'True-Client-IP',
  'CF-Connecting-IP',
  'Fastly-Client-IP',
  'Fly-Client-IP',
]

const isFromProxy = (headers: Headers): boolean =>
  PROXY_HEADERS.some((name) => headers.has(name)) || [...headers.keys()].some((name) => /forwarded/.test(name))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** As a browser sends the password (Basic, under any name), or as a program does (Bearer). */
function passwordIn(header: string | undefined): string {
  const [, scheme = '', value = ''] = /^(basic|bearer) +(.+)$/i.exec(header ?? '') ?? []
  return scheme.toLowerCase() === 'basic'
    ? Buffer.from(value, 'base64')
        .toString()
        .replace(/^[^:]*:/, '')
    : value
}

export interface ConsoleAccess {
  readonly publicUrl: string
  /** Other machines may see it too. */
  readonly open: boolean
  /** Once it is set, nobody sees the console without it. */
  readonly password: string | undefined
}

export function guardConsole({ publicUrl, open, password }: ConsoleAccess): MiddlewareHandler {
  const publicHost = new URL(publicUrl).host
  return async function consoleGuard(c, next) {
    const no = (why: string): Response => refuse(c, new ServiceError(403, why))
    const address = peerOf(c)
    const isOther = address !== undefined && address !== '::1' && !address.startsWith('127.')
    if (password !== undefined) {
      if (!timingSafeEqual(digest(passwordIn(c.req.header('Authorization'))), digest(password))) {
        c.header('WWW-Authenticate', 'Basic realm="Sandbox console", charset="UTF-8"')
        return refuse(c, new ServiceError(401, 'The console needs HC_OPS_TOKEN as its password, under any name.'))
      }
    } else if (!open && (isOther || isFromProxy(c.req.raw.headers))) {
      return no('The console answers to this machine only.')
    }
    // DNS rebinding: a foreign name that resolves to this machine would make a foreign page
    // same-origin.
    const here = URL.parse(c.req.url)
    const host = URL.parse(`http://${c.req.header('Host') ?? here?.host ?? ''}`)
    // A proxy that adds no header is known by the public name that it hands on.
    const isPublic = host?.host === publicHost && (open || password !== undefined)
    if (!host || !(isLoopback(host.hostname) || isPublic)) {
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
    c.header('Referrer-Policy', 'strict-origin')
    c.header('Cache-Control', 'no-store')
    return undefined
  }
}
