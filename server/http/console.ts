// The routes of the merchant's console: signing in. The doors behind it are in payments.ts and
// desk.ts.
import { Hono } from 'hono'
import type { Console } from '../console/console.ts'
import { SignIn } from '../contract/index.ts'
import { bucketOf } from './address.ts'
import { createSignInLimit } from './caller-limits.ts'
import type { Env } from './http.ts'
import { readJson } from './read-request.ts'
import type { Staff } from './staff.ts'

export function consoleRoutes(parts: {
  readonly staff: Staff
  readonly console: () => Promise<Console>
  readonly now: () => number
}): Hono<Env> {
  const { staff } = parts
  const limit = createSignInLimit(parts)
  const app = new Hono<Env>()

  app.post('/console/sign-in', async (c) => {
    staff.mayBegin(c)
    const given = await readJson(c, SignIn)
    const address = c.get('address')
    limit.use(address)
    const { signIns } = await parts.console()
    const { token, user } = await signIns.begin(given, address, bucketOf(address) ?? address)
    staff.setCookie(c, token)
    return c.json(signIns.me(user))
  })
  app.post('/console/sign-out', staff.signedIn, async (c) => {
    const { signIns } = await parts.console()
    await signIns.end(c.get('signedIn'))
    staff.removeCookie(c)
    return c.body(null, 204)
  })
  app.get('/console/me', staff.signedIn, async (c) => {
    const { signIns } = await parts.console()
    return c.json(signIns.me(c.get('signedIn')))
  })
  return app
}
