// The routes of the merchant's console: signing in. The doors behind it are in payments.ts and
// desk.ts.
import { Hono } from 'hono'
import type { Console } from '../console/console.ts'
import { SignIn } from '../contract/index.ts'
import { bucketOf, networkOf } from './address.ts'
import type { Env } from './http.ts'
import { readJson } from './read-request.ts'
import type { Staff } from './staff.ts'

export function consoleRoutes(parts: { readonly staff: Staff; readonly console: () => Promise<Console> }): Hono<Env> {
  const { staff } = parts
  const app = new Hono<Env>()

  app.post('/console/sign-in', async (c) => {
    staff.mayBegin(c)
    const given = await readJson(c, SignIn)
    const address = c.get('address')
    const { signIns } = await parts.console()
    const from = { address, bucket: bucketOf(address), network: networkOf(address) }
    const { token, user } = await signIns.begin(given, from)
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
