// The companion on Node: settings from the environment, a store, a companion, and a server with limits around it.
// One of the two places that touch `process`; `createCompanion` alone can be mounted in another server (README).
import { existsSync, readFileSync } from 'node:fs'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type Companion, createCompanion } from './companion.ts'
import { LOG_LEVELS, type LogLevel, createLog, secretsOf } from './log.ts'
import type { Logger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import { createAlerts } from './notices/alerts.ts'
import { misspeltSettings } from './settings-table.ts'
import { type Settings, SettingsError, readSettings } from './settings.ts'
import { openStore } from './store/open.ts'
import type { Store } from './store/store.ts'

export { createCompanion } from './companion.ts'
export { readSettings, SettingsError } from './settings.ts'
export { openStore } from './store/open.ts'

export interface StartOverrides {
  readonly logger?: Logger
  readonly now?: () => number
  /** Folder of the widget's bundles. Default: those of the package `hc-checkout`, when they are built. */
  readonly widget?: { readonly folder: URL; readonly version: string }
  /** Called when the disk fails under the database. Default: the process ends, since nothing can be promised any more. */
  readonly onBroken?: (error: Error) => void
}

export interface RunningCompanion {
  /** Where it listens, on this machine. */
  readonly url: string
  readonly companion: Companion
  readonly settings: Settings
  readonly store: Store
  readonly logger: Logger
  /** Takes no new connections, ends the streams, lets running work finish, closes the store. Safe to call twice. */
  close(): Promise<void>
}

/** What still runs after this many ms of a stop is cut; the payment service and browsers ask again, notices are sent again. */
const GRACE_MS = 10_000
/** Alerts on their way have this long besides. With the stores' and the log's own limits a stop ends within 20 s, whatever is silent. */
const ALERTS_MS = 3000

/** HC_PORT cannot be listened on. `code` is Node's own (`EADDRINUSE`, `EACCES`, …). */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code: string

  constructor(code: string, settings: Pick<Settings, 'host' | 'port'>) {
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${settings.port} is taken by another program: stop that one, or choose another HC_PORT.`,
      EACCES: `this user may not listen on port ${settings.port}: choose an HC_PORT above 1023.`,
      EADDRNOTAVAIL: `this machine has no address ${settings.host}: correct HC_HOST.`,
      ENOTFOUND: `this machine has no address ${settings.host}: correct HC_HOST.`,
    }
    super(`The companion cannot start: ${reasons[code] ?? `HC_PORT ${settings.port} cannot be listened on (${code}).`}`)
    this.code = code
  }
}

/**
 * Starts a whole companion from environment variables (see the settings reference).
 *
 * @throws SettingsError, ListenError, or the store's own error when the database cannot be used.
 */
export async function startCompanion(
  env: Readonly<Record<string, string | undefined>>,
  overrides: StartOverrides = {},
): Promise<RunningCompanion> {
  const settings = readSettings(env)
  const logger = overrides.logger ?? createLog({ level: readLogLevel(env), secrets: secretsOf(settings) })
  for (const { name, meant } of misspeltSettings(env)) {
    logger.warn({ name }, `${name} is not a setting${meant === undefined ? '' : `; did you mean ${meant}?`}`)
  }
  const now = overrides.now ?? Date.now
  const onBroken =
    overrides.onBroken ??
    ((error: Error) => {
      logger.error(
        { err: error },
        'the disk failed under the database; the process ends, and asks again after its restart',
      )
      flushLog(logger)
      process.exit(70)
    })
  const store = await openStore(settings.databaseUrl, { now, logger, onBroken })
  const metrics = createMetrics()
  const secrets = secretsOf(settings)
  const host = new URL(settings.publicUrl).host
  const alerts = createAlerts({
    settings: settings.alerts,
    now,
    fetch: globalThis.fetch,
    logger,
    metrics,
    secrets,
    installation: settings.paymentMode === 'test' ? `TEST ${host}` : host,
  })
  metrics.beforeRead(async () => {
    const stats = await store.stats()
    for (const [phase, count] of Object.entries(stats.depositsByPhase)) metrics.gauge('deposits', count, { phase })
    metrics.gauge('notices_waiting', stats.noticesWaiting)
    metrics.gauge('notices_dead', stats.noticesDead)
    metrics.gauge('inbox_unmatched', stats.inboxUnmatched)
    metrics.gauge('oldest_due', stats.oldestDueAt === undefined ? 0 : Math.max(0, (now() - stats.oldestDueAt) / 1000))
  })
  const widget = overrides.widget ?? findWidget()
  const companion = createCompanion({
    settings,
    store,
    now,
    logger,
    metrics,
    alerts,
    readMetrics: () => metrics.read(),
    ...(widget === undefined ? {} : { widget }),
  })

  let server: Server
  try {
    server = await listen(serverFor(companion), settings)
  } catch (error) {
    await companion.close()
    await store.close()
    throw error
  }
  companion.start()
  const url = addressOf(server)
  logger.info(
    { url, mode: settings.paymentMode, publicUrl: settings.publicUrl, pid: process.pid },
    'companion is listening',
  )

  let closing: Promise<void> | undefined
  let answering = 0
  let noneAnswering = (): void => {}
  server.on('request', (_request, response) => {
    answering += 1
    response.once('close', () => {
      answering -= 1
      if (answering === 0) noneAnswering()
    })
  })

  async function close(): Promise<void> {
    logger.info({}, 'companion is stopping')
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    if (!(await within(GRACE_MS, companion.close())))
      logger.warn({}, 'work was cut short by the stop; it is taken up after the next start')
    // A connection that has asked nothing yet is not idle to Node; a browser's or a balancer's may stay so for as long as it likes.
    noneAnswering = () => server.closeAllConnections()
    if (answering === 0) noneAnswering()
    else server.closeIdleConnections()
    await closed
    clearTimeout(cut)
    await within(ALERTS_MS, alerts.flush())
    await store.close()
    logger.info({}, 'companion has stopped; all acknowledged work is on disk')
    flushLog(logger)
  }
  return { url, companion, settings, store, logger, close: () => (closing ??= close()) }
}

/**
 * A Node request listener for any server that has one: `createServer(nodeListener(companion))`,
 * `app.use(nodeListener(companion))` in Express.
 */
export function nodeListener(
  companion: Pick<Companion, 'app' | 'nodeDoors'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const rest = getRequestListener(companion.app.fetch, { overrideGlobalObjects: false })
  return async (request, response) => {
    if (!companion.nodeDoors(request, response)) await rest(request, response)
  }
}

/** Writes what the log still holds, when it is one of ours. */
export function flushLog(logger: Logger): void {
  if ('flush' in logger && typeof logger.flush === 'function') logger.flush()
}

/** False when `work` is not done in time; it goes on then, unwatched. */
async function within(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)))
  const inTime = await Promise.race([work.then(() => true), late])
  clearTimeout(timer)
  return inTime
}

/** A log level that is none is a fault like any other wrong setting. */
function readLogLevel(env: Readonly<Record<string, string | undefined>>): LogLevel {
  const given = env['HC_LOG_LEVEL']?.trim() ?? ''
  if (given === '') return 'info'
  const level = LOG_LEVELS.find((known) => known === given)
  if (level === undefined) throw new SettingsError([`HC_LOG_LEVEL must be ${LOG_LEVELS.join(' or ')}.`])
  return level
}

/**
 * Limits against slow and huge requests. `requestTimeout` ends with the request's body, so that event streams,
 * which are answers, live as long as they like.
 */
function serverFor(companion: Companion): Server {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      // Above the 60 s of nginx, so that a proxy never writes into a connection that we are just closing.
      keepAliveTimeout: 65_000,
      maxHeaderSize: 8192,
      noDelay: true,
    },
    (request, response) => void nodeListenerOf(request, response),
  )
  const nodeListenerOf = nodeListener(companion)
  return server
}

function listen(server: Server, settings: Pick<Settings, 'host' | 'port'>): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new ListenError(error.code ?? 'unknown', settings)))
    server.listen({ port: settings.port, host: settings.host, backlog: 2048 }, () => resolve(server))
  })
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The bundles of the widget package beside us; without them /widget answers 404 and all else works. */
function findWidget(): { folder: URL; version: string } | undefined {
  try {
    const manifest = new URL(import.meta.resolve('hc-checkout/package.json'))
    const folder = new URL('dist/bundle/', manifest)
    if (!existsSync(folder)) return undefined
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
    return { folder, version }
  } catch {
    return undefined
  }
}
