// What the shop's API takes of a request: only from its own page, under a visitor's cookie, with a
// JSON object as its body.
import { createHash, randomBytes } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

/** `visitor`: 128 random bits, known to one browser. */
export type ShopEnv = { Variables: { visitor: string } }

/** Answers 403 to another site's page; gives a browser without the cookie a new visitor. */
export function visitors(shopUrl: string): MiddlewareHandler<ShopEnv> {
  return async function visit(context, next) {
    if (!['GET', 'HEAD'].includes(context.req.method) && context.req.header('origin') !== shopUrl) {
      return context.json({ error: 'Open the shop at its own address.' }, 403)
    }
    const known = getCookie(context, 'visitor')
    const visitor = known !== undefined && /^[\w-]{22}$/.test(known) ? known : randomBytes(16).toString('base64url')
    if (visitor !== known)
      setCookie(context, 'visitor', visitor, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 30 * 86_400 })
    context.set('visitor', visitor)
    return next()
  }
}

/** A visitor's customer number: scripts may read it, and it says nothing of the cookie. */
export function customerOf(visitor: string): string {
  return createHash('sha256').update(`customer ${visitor}`).digest('hex').slice(0, 16)
}

/** The JSON object of a request; empty for anything else. */
export async function bodyOf(context: Context): Promise<Readonly<Record<string, unknown>>> {
  return ((await context.req.json().catch(() => undefined)) as Record<string, unknown> | null | undefined) ?? {}
}
