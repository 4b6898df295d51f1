// The whole payment service: joins its parts into one Hono app with a movable clock.
import { Hono, type Context } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { randomBytes } from 'node:crypto'
import { checkoutRoutes, unknownCheckout } from './checkout/routes.ts'
import { languagesOf } from './checkout/texts/index.ts'
import { createMovableClock } from './engine/clock.ts'
import { consoleApi } from './panel/api.ts'
import { consoleForms } from './panel/forms.ts'
import { guardConsole } from './panel/guard.ts'
import { consoleAssets, consolePages, unknownPage } from './panel/routes.ts'
import { createSettings, openDatabase } from './engine/database.ts'
import { createDeliveries } from './engine/deliveries.ts'
import { createDepositCreation } from './service/deposit-creation.ts'
import { refuse, ServiceError } from './engine/envelope.ts'
import { createFaults } from './engine/faults.ts'
import type { Random } from './engine/identifiers.ts'
import type { MerchantSeed } from './engine/merchant-seed.ts'
import { createMerchants } from './engine/merchants.ts'
import { describeService } from './service/openapi.ts'
import { createPlayer } from './engine/player.ts'
import { createRateLimit } from './service/rate.ts'
import { createRetention } from './engine/retention.ts'
import { serviceRoutes } from './service/routes.ts'
import { createTokens } from './engine/tokens.ts'
import { createTransactions } from './engine/transactions.ts'
import { createWaiting } from './engine/waiting.ts'
import { createWork } from './engine/work.ts'

/** Where the sandbox logs what it does; callers' data are never logged. */
export interface SandboxLogger {
  info(o: object, m?: string): void
  warn(o: object, m?: string): void
  error(o: object, m?: string): void
}

export interface SandboxOptions {
  /** `file:.hc/sandbox.db` or `:memory:`, the default. */
  readonly database?: string
  /**
   * The address under which customers reach the sandbox; redirect_url begins with it. Default
   * `http://127.0.0.1:8788`.
   */
  readonly publicUrl?: string
  /** Created at the first start; starting again with it changes nothing. */
  readonly merchant?: MerchantSeed
  /** Milliseconds since 1970; default: the system clock. */
  readonly now?: () => number
  /** Default `crypto.randomBytes`. */
  readonly random?: Random
  /** Sends the callbacks; default: the platform's. */
  readonly fetch?: typeof fetch
  /**
   * The automatic agent, which confirms paid orders; default after 4 seconds. false: people do it,
   * in the console.
   */
  readonly agent?: { afterSeconds: number } | false
  /** Requests a minute per merchant; false: no limit. Default 1500. */
  readonly rate?: number | false
  /** Also accept `http://` for result_url, to loopback only; default false. */
  readonly allowHttpResultUrl?: boolean
  /** Serve the console to other machines too; default false. */
  readonly openConsole?: boolean
  /**
   * Password of the console, under any name, or its bearer token. Once it is set, nobody sees the
   * console without it. Default: none.
   */
  readonly consolePassword?: string
  /**
   * Languages of the hosted checkout, as HC_LOCALES for the companion: the first is for customers
   * who speak none of them. Default en, fr, sw; also am, ha, rn, rw, so.
   */
  readonly locales?: readonly string[]
  readonly logger?: SandboxLogger
}

export interface Sandbox {
  readonly app: Hono
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): number
    /** Moves the clock forward and runs everything that becomes due on the way, in order. */
    advance(seconds: number): Promise<void>
  }
  /** Runs due work on real timers from now on. */
  start(): void
  /** Runs what is due now, and waits for its callbacks. */
  tick(): Promise<void>
  close(): Promise<void>
}

const RATE_A_MINUTE = 1500
const AGENT_AFTER_IN_SECONDS = 4
const SILENT: SandboxLogger = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Creates the payment service of service.md and open-points.md, usable without an account.
 * @throws if Node is too old, or the database cannot be used.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { agent, rate: usualRate = RATE_A_MINUTE, logger = SILENT, random = randomBytes } = options
  const locales = languagesOf(options.locales ?? ['en', 'fr', 'sw'])
  const publicUrl = (options.publicUrl ?? 'http://127.0.0.1:8788').replace(/\/+$/, '')
  const db = openDatabase(options.database ?? ':memory:')
  const settings = createSettings(db)
  const clock = createMovableClock(options.now ?? Date.now, settings)
  const now = (): number => clock.now()
  const work = createWork(db, clock, (error) => logger.error({ err: error }, 'sandbox work failed'))
  const waiting = createWaiting(now)
  const wait: typeof waiting.wait = (ms, signal) => waiting.wait(ms, signal)
  const closing = new AbortController()
  const faults = createFaults(settings)
  const merchants = createMerchants(db, now, random)
  const tokens = createTokens(db, now, random)
  const deliveries = createDeliveries({
    db,
    clock,
    random,
    work,
    fetch: options.fetch ?? fetch,
    closing: closing.signal,
    onAttempt: ({ id, transaction_id }, { status }) =>
      logger.info({ delivery: id, transaction_id, status }, 'callback sent'),
  })
  const agentAfter = (): number | undefined =>
    agent === false ? undefined : (agent?.afterSeconds ?? AGENT_AFTER_IN_SECONDS)
  const quirks = () => ({ extraField: faults.get().extra_field, decimalAmount: faults.get().decimal_amount })
  const transactions = createTransactions({ db, now, random, work, merchants, deliveries, quirks, agentAfter })
  const player = createPlayer({ db, now, work, transactions })
  const retention = createRetention(db, now)
  const creation = createDepositCreation({ db, tokens, transactions, player, work, deliveries, retention, wait })

  work.handle('expire', (row) => void transactions.end(transactions.get(row.subject), 'expire'))
  work.handle('close', (row) => void transactions.end(transactions.get(row.subject), 'close'))
  work.handle('agent', (row) => void transactions.end(transactions.get(row.subject), 'confirm'))
  if (options.merchant) merchants.seed(options.merchant)

  const advance = async (seconds: number): Promise<void> => {
    await work.advance(seconds)
    waiting.look()
  }
  const rate = createRateLimit(() => faults.get().rate ?? usualRate, now)
  const parts = { now, advance, publicUrl, merchants, tokens, transactions, deliveries, player, faults, random }

  const app = new Hono()
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        refuse(c, new ServiceError(405, 'Method not allowed.', { headers: { Allow: methods.join(', ') } })),
    }),
  )
  app.route(
    '/',
    serviceRoutes({
      ...parts,
      creation,
      rate,
      wait,
      allowHttpResultUrl: options.allowHttpResultUrl ?? false,
    }),
  )
  app.get('/openapi.json', (c) => c.json(describeService(publicUrl)))
  app.route('/', checkoutRoutes({ ...parts, locales }))
  app.route('/', consoleAssets())
  const guard = guardConsole({ publicUrl, open: options.openConsole ?? false, password: options.consolePassword })
  app.use('/console/*', guard)
  app.use('/console', guard)
  app.route('/console/api', consoleApi(parts))
  app.route('/console', consolePages(parts))
  app.route('/console', consoleForms(parts))
  for (const path of ['/', '/console/']) app.get(path, (c) => c.redirect('/console'))
  const unknown = (c: Context, error: ServiceError): Response | Promise<Response> =>
    unknownCheckout(c, locales) ?? unknownPage(c, error.message) ?? refuse(c, error)
  app.notFound((c) => unknown(c, new ServiceError(404, 'Not found.')))
  app.onError((error, c) => {
    if (error instanceof ServiceError) return error.status === 404 ? unknown(c, error) : refuse(c, error)
    logger.error({ err: error, path: c.req.routePath }, 'sandbox request failed')
    return refuse(c, new ServiceError(500, 'Internal server error.', { cause: error }))
  })

  return {
    app,
    clock: { now, advance },
    start: () => work.start(),
    tick: () => work.tick(),
    async close() {
      waiting.release()
      closing.abort()
      await work.close()
      db.close()
    },
  }
}
