// The companion over HTTP: the order of its middleware, every route and page.
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import type { Console } from './console/console.ts'
import type { BankLists } from './deposits/create/banks.ts'
import type { Callbacks } from './deposits/settle/callbacks.ts'
import type { Capabilities } from './deposits/identity.ts'
import type { Acts } from './deposits/merchant/acts.ts'
import type { Payments } from './deposits/merchant/payments.ts'
import type { Reconciler } from './deposits/settle/reconcile.ts'
import type { DepositService } from './deposits/create/service.ts'
import type { Sessions } from './deposits/merchant/sessions.ts'
import { requestScope } from './platform/logging/log.ts'
import { CompanionError } from './platform/errors.ts'
import type { Logger } from './platform/logging/logger.ts'
import type { Metrics } from './platform/metrics.ts'
import { payPages } from './pages/pay.ts'
import { addressSet } from './http/address.ts'
import { createCheckLimit, createStartLimit } from './http/caller-limits.ts'
import { cors } from './http/cors.ts'
import { consolePage } from './http/console-page.ts'
import { consoleRoutes } from './http/console.ts'
import type { Streams } from './http/deposit-events.ts'
import { deskRoutes } from './http/desk.ts'
import { depositRoutes } from './http/deposits.ts'
import { noTransform, safeHeaders } from './http/http.ts'
import type { Env } from './http/http.ts'
import { identify } from './http/identify.ts'
import { openapi } from './http/openapi.ts'
import { operationsRoutes } from './http/operations.ts'
import { paymentRoutes } from './http/payments.ts'
import { createReportProblem, errorHandler } from './http/problem-answers.ts'
import type { Readiness } from './operations/readiness.ts'
import { shopLogo } from './http/shop-logo.ts'
import { createStaff } from './http/staff.ts'
import { problemPages } from './http/problem-pages.ts'
import { webhookRoutes } from './http/webhook.ts'
import { exactName, type WidgetBundles, widgetFiles } from './http/widget-files.ts'
import type { Settings } from './settings/settings.ts'
import type { Store } from './deposits/ports/store.ts'

export interface AppParts {
  readonly settings: Settings
  readonly store: Store
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly logger: Logger
  readonly metrics: Metrics
  readonly capabilities: Capabilities
  readonly deposits: DepositService
  readonly sessions: Sessions
  readonly banks: BankLists
  readonly reconciler: Reconciler
  readonly callbacks: Callbacks
  readonly payments: Payments
  readonly acts: Acts
  readonly console: () => Promise<Console>
  /** The built pages of the console, if there are any. */
  readonly consolePages: URL | undefined
  readonly streams: Streams
  readonly readiness: Readiness
  /** Body of /metrics. */
  readonly readMetrics: () => Promise<string>
  /** Called after each callback that was stored. */
  readonly onCallback: () => void
  /** Without it /widget answers 404. */
  readonly widget?: WidgetBundles
}

export function createApp(parts: AppParts): Hono<Env> {
  const { settings, now, logger, metrics, callbacks, streams, widget } = parts
  const isTrusted = addressSet(settings.trustedProxies)
  const countStart = createStartLimit({ now })
  const countCheck = createCheckLimit({ store: parts.store, now, rate: settings.rate })
  const isAllowed = settings.webhookAllow.length === 0 ? () => true : addressSet(settings.webhookAllow)

  const app = new Hono<Env>()
  // No caller chooses its id: one that is longer than nothing is replaced.
  app.use(requestId({ limitLength: 0, headerName: 'X-Request-Id' }))
  app.use(noTransform)
  app.use(identify({ isTrusted, now, metrics, inScope: (scope, work) => requestScope.run(scope, work) }))
  app.use(safeHeaders('same-origin'))
  app.use('/v1/*', safeHeaders('cross-origin'))
  const report = createReportProblem(logger, metrics.count)
  const answerError = errorHandler(report)
  app.onError(answerError)
  const hasConsole = settings.consoleUsers.length > 0
  app.notFound((c) => answerError(notFound(c.req.path, hasConsole, widget !== undefined), c))
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: async (c, methods) => {
        const detail = `Use ${methods.join(' or ')}.`
        const answer = await answerError(new CompanionError('method_not_allowed', { detail }), c)
        answer.headers.set('allow', methods.join(', '))
        return answer
      },
    }),
  )

  // Compressed for slow networks. Not `/pay` itself, which may hold a link from a cookie beside
  // text from its address: its length would tell an observer which text is right (BREACH).
  const compressed = compress({ encoding: 'gzip', threshold: 1024 })
  for (const path of ['/v1/markets', '/v1/banks', '/pay/page.js', '/pay/:link{d.+}']) app.use(path, compressed)
  const answerWithCors = cors({
    origins: new Set([...settings.allowedOrigins, new URL(settings.publicUrl).origin]),
    loopback: settings.paymentMode === 'test',
    logger,
  })
  for (const path of ['/v1/markets', '/v1/banks', '/v1/session', '/v1/attempt', '/v1/deposits/*'])
    app.use(path, answerWithCors)
  app.route('/v1', streams.app)
  app.route('/v1', depositRoutes({ ...parts, countStart, countCheck }))
  app.route('/v1', webhookRoutes(callbacks, parts.onCallback, isAllowed))
  const staff = createStaff(parts)
  // Before /payments/:id.
  app.route('/v1', deskRoutes({ ...parts, staff, report }))
  app.route('/v1', paymentRoutes({ ...parts, staff, report }))
  app.route('/v1', consoleRoutes({ ...parts, staff }))
  // Not without users: /console may be a page of the shop that it is mounted in.
  if (hasConsole) app.route('/', consolePage(parts.consolePages))
  app.route('/v1', shopLogo(settings.shopLogo))
  if (widget !== undefined) app.route('/', widgetFiles(widget))
  app.route('/', payPages({ ...parts, report, countStart, countCheck, widgetName: widget && exactName(widget) }))
  app.route('/', problemPages())
  app.route(
    '/',
    operationsRoutes({
      isTrusted,
      readiness: parts.readiness.checks,
      metrics: parts.readMetrics,
      openapi: () => openapi(settings.publicUrl),
      opsToken: settings.opsToken,
    }),
  )
  return app
}

const NO_CONSOLE =
  'The console is off: this companion has no users for it. "hc-checkout-server user --name NAME --role owner" makes ' +
  'a line for HC_CONSOLE_USERS; under "hc-checkout-server dev" the setting is given in a file by --env-file.'

const NO_WIDGET =
  'The files of the package hc-checkout are not here: install it beside hc-checkout-server, start the companion anew, ' +
  'and keep both out of a bundle.'

/** Returned, not thrown: Hono does not run its error handling for what `notFound` throws. */
function notFound(path: string, hasConsole: boolean, hasWidget: boolean): CompanionError {
  if (!hasConsole && /^\/console\/?$/.test(path)) return new CompanionError('not_found', { detail: NO_CONSOLE })
  // With the files each address of theirs has an answer of its own.
  if (!hasWidget && path.startsWith('/widget/')) return new CompanionError('not_found', { detail: NO_WIDGET })
  const [, before] = /^(\/(?!widget\/).+?)\/(?:v1|pay|widget)\//.exec(path) ?? []
  const detail =
    before === undefined
      ? 'See /openapi.json for the endpoints of this companion.'
      : `The companion's addresses begin at the root of its host: /v1/…, not ${before}/v1/….`
  return new CompanionError('not_found', { detail })
}
