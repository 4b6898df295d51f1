// The browser routes: markets, banks, sessions as the widget sees them, deposits.
import { Hono } from 'hono'
import { z } from 'zod'
import { CountryCode, CreateDeposit } from '../contract/index.ts'
import type { BankLists } from '../deposits/create/banks.ts'
import type { Capabilities } from '../deposits/identity.ts'
import { countries, marketsOnOffer } from '../deposits/markets.ts'
import type { Reconciler } from '../deposits/settle/reconcile.ts'
import type { DepositService } from '../deposits/create/service.ts'
import type { Sessions } from '../deposits/merchant/sessions.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Settings } from '../settings/settings.ts'
import { withToken } from './bearer.ts'
import { type CountCheck, type CountStart, createReadLimit } from './caller-limits.ts'
import { withEtag } from './http.ts'
import type { Env } from './http.ts'
import { queryOf, readJson } from './read-request.ts'

/** Of every session today. A token of a later one would be counted by address. */
const FIRST_GENERATION = 1

export interface DepositRouteParts {
  readonly settings: Settings
  readonly deposits: DepositService
  readonly sessions: Sessions
  readonly banks: BankLists
  readonly capabilities: Pick<Capabilities, 'sessionIdOf' | 'isSessionToken'>
  readonly reconciler: Reconciler
  /** Both are shared with the pages. */
  readonly countStart: CountStart
  readonly countCheck: CountCheck
  readonly now: () => number
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/**
 * The key alone gives the token of its payment (`/v1/attempt`), so it must be a secret. That it
 * holds 128 random bits is the caller's promise; a key that cannot hold them, for example an order
 * number, is refused.
 */
function idempotencyKey(header: string | undefined): string {
  if (header === undefined || header === '')
    throw new CompanionError('idempotency_key_missing', {
      detail: 'Send a new random Idempotency-Key for each purchase, and the same one for each repeat.',
    })
  const key = header.replace(/^"(.*)"$/, '$1')
  const fault = faultOfKey(key)
  if (fault !== undefined)
    throw new CompanionError('idempotency_key_invalid', {
      detail:
        `${fault} The key is a secret that gives access to its payment: make it at random, for example by ` +
        'crypto.randomUUID().',
    })
  return key
}

function faultOfKey(key: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(key)) return 'The key has spaces or characters that are not printable ASCII.'
  if (key.length > 255) return 'The key has more than 255 characters.'
  if (UUID_V4.test(key)) return undefined
  if (key.length < 22) return 'The key has fewer than 22 characters, so it can be guessed.'
  if (new Set(key).size < 8) return 'The key has fewer than 8 different characters, so it can be guessed.'
  return undefined
}

export function depositRoutes(parts: DepositRouteParts): Hono<Env> {
  const { settings, deposits, sessions, banks, capabilities, reconciler, countStart, countCheck, now } = parts
  const reads = createReadLimit({ now })
  const app = new Hono<Env>()

  /**
   * For counting only, before the session's row is read. A made-up token, which can name another
   * session each time, must not bypass the limit per address.
   */
  function genuineSession(token: string): string | undefined {
    const id = capabilities.sessionIdOf(token)
    return id !== undefined && capabilities.isSessionToken(token, id, FIRST_GENERATION) ? id : undefined
  }

  app.get('/markets', withEtag, (c) => {
    c.header('cache-control', 'public, max-age=60')
    return c.json({
      mode: settings.paymentMode,
      markets: marketsOnOffer(settings.wallets, settings.limits, deposits.isMarketOff),
      ...(settings.mode === 'sessions' ? { sessionsOnly: true } : {}),
      shop: sessions.shop(),
    })
  })

  app.get('/banks', withEtag, queryOf(z.object({ country: CountryCode })), async (c) => {
    reads.read(c.get('address'))
    const { country } = c.req.valid('query')
    if (settings.wallets[countries[country][1]] === undefined) {
      throw new CompanionError('country_not_offered', {
        detail: 'This shop does not take payments from this country.',
        issues: [{ path: 'country', code: 'country_not_offered', message: 'Not on offer.' }],
      })
    }
    c.header('cache-control', 'public, max-age=3600')
    return c.json(await banks.list(country))
  })

  app.get('/session', withToken, async (c) => {
    const session = await reads.opened(c.get('address'), async () => sessions.byToken(c.get('token')))
    return c.json(await sessions.view(session))
  })

  app.post('/deposits', async (c) => {
    const key = idempotencyKey(c.req.header('idempotency-key'))
    const body = await readJson(c, CreateDeposit)
    const deposit = await deposits.create(body, key, () =>
      countStart(c.get('address'), genuineSession(body.session ?? '')),
    )
    c.header('location', `/v1/deposits/${deposit.id}`)
    return c.json(deposit, 201)
  })

  // A page that was reloaded between click and answer has only the key; payer details are never
  // stored there.
  app.get('/attempt', async (c) => {
    return c.json(
      await reads.opened(c.get('address'), async () =>
        deposits.recover(idempotencyKey(c.req.header('idempotency-key'))),
      ),
    )
  })

  const opened = async (address: string, id: string, token: string) =>
    reads.opened(address, async () => deposits.open(id, token))

  app.get('/deposits/:id', withToken, async (c) =>
    c.json(deposits.view(await opened(c.get('address'), c.req.param('id'), c.get('token')))),
  )

  app.post('/deposits/:id/check', withToken, async (c) => {
    const deposit = await opened(c.get('address'), c.req.param('id'), c.get('token'))
    await countCheck(c.get('address'), deposit)
    return c.json(deposits.view(await reconciler.ask(deposit, 'check')))
  })

  return app
}
