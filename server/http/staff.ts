// Who may use the doors of the shop: a backend with the merchant key, or a user of the console with
// a cookie.
import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Console } from '../console/console.ts'
import type { SignedIn } from '../console/sign-ins.ts'
import type { Role } from '../contract/index.ts'
import { KEY, READ_KEY } from '../deposits/merchant/acts.ts'
import { sameText } from '../deposits/identity.ts'
import { CompanionError } from '../platform/errors.ts'
import { isLoopbackHost } from '../platform/loopback.ts'
import type { Settings } from '../settings/settings.ts'
import { merchantOnly } from './bearer.ts'
import type { Env } from './http.ts'

const COOKIE = 'hc-console'
const RANKS: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, owner: 2, key: 2 }

type Least = 'viewer' | 'operator' | 'owner'

export function createStaff(parts: { readonly settings: Settings; readonly console: () => Promise<Console> }) {
  const { publicUrl, merchantKey, previousMerchantKey, readKey, consoleUsers } = parts.settings
  const isConsoleOn = consoleUsers.length > 0
  const { origin, protocol, hostname } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const isPrivate = isSecure || isLoopbackHost(hostname) || hostname.endsWith('.localhost')
  const isMerchantKey = (token: string): boolean =>
    sameText(token, merchantKey) || (previousMerchantKey !== undefined && sameText(token, previousMerchantKey))
  const merchant = merchantOnly(isMerchantKey)
  const reader = merchantOnly((token, c) => {
    if (isMerchantKey(token)) return true
    c.set('actor', READ_KEY)
    return readKey !== undefined && sameText(token, readKey)
  })
  const prefix = isSecure ? ({ prefix: 'host' } as const) : {}

  function mustBeOurs(c: Context<Env>): void {
    const given = c.req.header('origin')
    if (given !== origin)
      throw new CompanionError('origin_not_allowed', {
        detail: `The console works at ${origin}/console (HC_PUBLIC_URL) only: open it there.`,
      })
  }

  function mustBeOn(): void {
    if (!isConsoleOn)
      throw new CompanionError('not_found', { detail: 'The console is off: HC_CONSOLE_USERS names its users.' })
  }

  function mustBePrivate(): void {
    if (isPrivate) return
    throw new CompanionError('console_needs_https', {
      detail:
        'HC_PUBLIC_URL is plain http, and everybody on the network could read the password: give the companion an ' +
        'https address, or use the console on this machine.',
    })
  }

  async function userOf(c: Context<Env>, isUse: boolean): Promise<SignedIn> {
    const token = isPrivate ? getCookie(c, COOKIE, isSecure ? 'host' : undefined) : undefined
    const { signIns } = await parts.console()
    const user = token === undefined ? undefined : await signIns.byToken(token, isUse)
    if (user === undefined)
      throw new CompanionError('sign_in_missing', {
        detail: 'Sign in at /console; a backend sends Authorization: Bearer <the merchant key, HC_MERCHANT_KEY>.',
      })
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      mustBeOurs(c)
      if (!sameText(c.req.header('x-hc-csrf') ?? '', user.csrf))
        throw new CompanionError('csrf_wrong', {
          detail: 'Send the csrf of GET /v1/console/me as the header X-HC-CSRF.',
        })
    }
    c.set('signedIn', user)
    c.set('actor', user)
    return user
  }

  /** Lets through a user with a cookie: `c.get('signedIn')`. */
  const signedIn: MiddlewareHandler<Env> = async (c, next) => {
    mustBeOn()
    await userOf(c, true)
    return next()
  }

  return {
    /** Lets through the merchant's backend. */
    merchant,
    /** Lets through whoever has at least this role, and says who it is: `c.get('actor')`. */
    atLeast(least: Least, { isUse = true }: { readonly isUse?: boolean } = {}): MiddlewareHandler<Env> {
      return async function mayPass(c, next) {
        if (!isConsoleOn || c.req.header('authorization') !== undefined) {
          c.set('actor', KEY)
          return least !== 'owner' && c.req.method === 'GET' ? reader(c, next) : merchant(c, next)
        }
        const { role } = await userOf(c, isUse)
        if (RANKS[role] < RANKS[least])
          throw new CompanionError('role_too_low', { detail: `This takes the role ${least}; yours is ${role}.` })
        return next()
      }
    },
    signedIn,
    /** Of a request that `atLeast` let through: false once its user has signed out. */
    isStillIn: async (c: Context<Env>): Promise<boolean> =>
      c.get('actor').role === 'key' ||
      userOf(c, false).then(
        () => true,
        () => false,
      ),
    /** Of a sign-in: a page of our own address, on a connection that nobody reads. */
    mayBegin(c: Context<Env>): void {
      mustBeOn()
      mustBePrivate()
      mustBeOurs(c)
    },
    setCookie(c: Context<Env>, token: string): void {
      setCookie(c, COOKIE, token, { path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure, ...prefix })
    },
    removeCookie(c: Context<Env>): void {
      deleteCookie(c, COOKIE, { path: '/', secure: isSecure, ...prefix })
    },
  }
}

export type Staff = ReturnType<typeof createStaff>
