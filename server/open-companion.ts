// Opens a companion from the environment, with log, store, metrics, alerts and the widget's files,
// to mount in a server of your own; `startCompanion` (node.ts) adds the server.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { PLAIN_ALERT_KINDS } from './deposits/machine/alerts.ts'
import { type Companion, createCompanion } from './companion.ts'
import { DepositPhase, type DepositStatus } from './contract/index.ts'
import { REFUSALS } from './deposits/settle/callbacks.ts'
import { statusOf } from './deposits/machine/phases.ts'
import { createLog } from './platform/logging/log.ts'
import type { Logger } from './platform/logging/logger.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { nodeFault } from './platform/node-version.ts'
import { alertsOf } from './operations/alerts/alerts.ts'
import type { WidgetBundles } from './http/widget-files.ts'
import { meantEnvironment } from './settings/environment.ts'
import { secretsOf } from './settings/secrets.ts'
import { type Settings, readSettings } from './settings/settings.ts'
import { misspeltSettings } from './settings/table.ts'
import { diskFault, missingDatabase, openStore } from './store/open.ts'
import type { Store } from './deposits/ports/store.ts'
import { unusable } from './store/schema/unfit-database.ts'
import type { CreateOutcome, QueryOutcome } from './deposits/ports/upstream.ts'

/** Replacements for the program's defaults. */
export interface OpenOverrides {
  /** Default: one JSON line per event on standard output. */
  readonly logger?: Logger
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
  /** Default: those of the package `hc-checkout`, if they are built. */
  readonly widget?: WidgetBundles
  /** Called when the disk of the database fails. Default: the process exits with 70. */
  readonly onBroken?: (error: Error) => void
}

/** A companion with the resources that were opened for it. */
export interface OpenedCompanion {
  /** Does nothing until its `start()`. */
  readonly companion: Companion
  readonly settings: Settings
  readonly store: Store
  readonly logger: Logger
  /**
   * Shuts down in order, within 20 s even if something hangs: `server`, the one it is mounted in,
   * stops accepting connections; streams and background work end; running requests finish; the
   * store closes; the log is flushed. Idempotent.
   */
  close(server?: Server): Promise<void>
}

/**
 * Grace period of a stop, in ms. Then connections are cut: service and browsers try again, and
 * notices are sent again.
 */
export const GRACE_MS = 10_000
/**
 * How long /metrics waits for the store. Prometheus gives up after 10 s, and would have no figure
 * at all just while the database is away.
 */
const GAUGES_MS = 3000
/**
 * Extra time for alerts. With the limits of store and log a stop ends within 20 s, even if
 * something hangs.
 */
const ALERTS_MS = 3000

/**
 * Opens a companion with the settings of the environment (see the settings reference), to be
 * mounted in a server of your own.
 *
 * @throws SettingsError; an Error that names HC_DATABASE_URL if the database cannot be used, or one
 * if Node is too old.
 */
export async function openCompanion(
  env: Readonly<Record<string, string | undefined>>,
  overrides: OpenOverrides = {},
): Promise<OpenedCompanion> {
  const fault = nodeFault(process.versions.node)
  if (fault !== undefined) throw new Error(fault)
  const settings = readSettings(env)
  const logger = overrides.logger ?? createLog({ level: settings.logLevel, secrets: secretsOf(settings) })
  const meant = meantEnvironment(env)
  for (const { name, says } of [...meant.notes, ...misspeltSettings(meant.env)]) logger.warn({ name }, says)
  const now = overrides.now ?? Date.now
  const { onBroken = exitOnBrokenDisk(logger) } = overrides
  const missing = missingDatabase(settings.databaseUrl)
  const store = await openStore(settings.databaseUrl, {
    now,
    logger,
    isSearchable: settings.consoleUsers.length > 0,
    onBroken,
  }).catch((error: unknown) => {
    throw unusable(error)
  })
  if (settings.paymentMode === 'live') warnOfDisk(settings.databaseUrl, missing, logger)
  const metrics = createMetrics()
  const alerts = alertsOf(settings, { now, fetch: globalThis.fetch, logger, metrics })
  beginAtZero(metrics, Object.keys(settings.wallets))
  metrics.beforeRead(storeGauges(store, metrics, now))
  const widget = overrides.widget ?? findWidget()
  if (widget === undefined)
    logger.warn(
      {},
      'The files of the package hc-checkout were not found: /widget/… answers 404, and a page that loads the script ' +
        'from here has no card. Install hc-checkout beside hc-checkout-server, and keep both out of a bundle.',
    )
  const made = createCompanion({
    settings,
    store,
    now,
    logger,
    metrics,
    alerts,
    readMetrics: () => metrics.read(),
    widget,
    ...(settings.consoleUsers.length === 0 ? {} : consolePages(logger)),
  })

  async function endWork(): Promise<void> {
    if (!(await within(GRACE_MS, made.close())))
      logger.warn({}, 'work was cut short by the stop; it is taken up after the next start')
  }
  let ending: Promise<void> | undefined
  const companion: Companion = { ...made, close: () => (ending ??= endWork()) }

  async function close(server?: Server): Promise<void> {
    const empty = server?.listening === true ? emptied(server) : undefined
    await companion.close()
    server?.closeIdleConnections()
    await empty
    await within(ALERTS_MS, alerts.flush())
    await store.close()
    logger.info({}, 'companion has stopped; all acknowledged work is on disk')
    flushLog(logger)
  }
  let closing: Promise<void> | undefined
  return { companion, settings, store, logger, close: (server) => (closing ??= close(server)) }
}

/**
 * A hosting platform may take the disk away at each deployment, and nothing else would say so.
 *
 * @param made the SQLite file, if it was not there before
 */
function warnOfDisk(databaseUrl: string, made: string | undefined, logger: Logger): void {
  const name = 'HC_DATABASE_URL'
  const loss = diskFault(databaseUrl)
  if (loss !== undefined) logger.warn({ name }, loss)
  if (made === undefined) return
  logger.warn(
    { name },
    `${made} was not there: a new, empty database was made. At the first start that is right. Later it means that ` +
      'the disk was not kept, or that another file is named, and that earlier payments are missing: stop, and ' +
      'restore a backup.',
  )
}

/** Nothing can be promised without the disk: a supervisor starts the process again. */
function exitOnBrokenDisk(logger: Logger): (error: Error) => void {
  return (error) => {
    logger.error(
      { err: error },
      'the disk failed under the database; the process ends, and asks again after its restart',
    )
    flushLog(logger)
    process.exit(70)
  }
}

const CREATES: Record<CreateOutcome['kind'], true> = {
  created: true,
  refused: true,
  not_processed: true,
  unknown: true,
}
/** Of one that is found its status is counted. */
const QUERIES: Record<Exclude<QueryOutcome['kind'], 'found'> | DepositStatus, true> = {
  PENDING: true,
  SUCCESS: true,
  FAILED: true,
  not_found: true,
  path_missing: true,
  failed: true,
}

/** What a deposit moves to: none goes back to its beginning. */
const movedTo = DepositPhase.options.filter((phase) => phase !== 'creating')

/**
 * Starts counters that people alert on at 0. Prometheus cannot see an increase of a series that
 * first appears at 1.
 */
function beginAtZero(metrics: Metrics, currencies: readonly string[]): void {
  for (const currency of currencies) {
    for (const outcome of Object.keys(CREATES)) metrics.count('deposits_created', { currency, outcome }, 0)
    for (const phase of movedTo) metrics.count('deposits_moved', { phase, currency }, 0)
  }
  for (const outcome of Object.keys(CREATES)) metrics.count('upstream_calls', { call: 'create', outcome }, 0)
  for (const outcome of Object.keys(QUERIES)) metrics.count('upstream_calls', { call: 'query', outcome }, 0)
  metrics.count('faults', { where: 'http' }, 0)
  for (const call of ['http', 'updateNotice']) metrics.count('store_failures', { call }, 0)
  for (const reason of Object.keys(REFUSALS)) metrics.count('webhook_refused', { reason }, 0)
  for (const verdict of ['rang', 'after_the_end', 'extra_fields', 'unmatched'])
    metrics.count('webhook_received', { verdict }, 0)
  for (const outcome of ['delivered', 'failed', 'dead']) metrics.count('notices', { outcome }, 0)
  for (const kind of PLAIN_ALERT_KINDS) metrics.count('alerts', { kind }, 0)
}

/** Only phases that the store counts. To export the others would report a misleading 0. */
const notEnded = DepositPhase.options.filter((phase) => statusOf(phase) === 'PENDING')

/** Sets the gauges that are counted in the store. While it is silent they stay as they were. */
function storeGauges(store: Store, metrics: Metrics, now: () => number): () => Promise<void> {
  /** One in flight: those that wait for a silent database would take connections from payments. */
  let asking: Promise<void> | undefined
  return async () => {
    asking ??= set().finally(() => (asking = undefined))
    await within(GAUGES_MS, asking)
  }

  async function set(): Promise<void> {
    const { depositsByPhase, noticesWaiting, noticesDead, inboxUnmatched, oldestDueAt } = await store.stats()
    // Each phase, also an empty one: it has no count, and its gauge would stay as it was.
    for (const phase of notEnded) metrics.gauge('deposits', depositsByPhase[phase] ?? 0, { phase })
    metrics.gauge('notices_waiting', noticesWaiting)
    metrics.gauge('notices_dead', noticesDead)
    metrics.gauge('inbox_unmatched', inboxUnmatched)
    metrics.gauge('oldest_due', oldestDueAt === undefined ? 0 : Math.max(0, (now() - oldestDueAt) / 1000))
  }
}

/** Resolves when the last connection has ended; after the grace period they are cut. */
async function emptied(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearTimeout(cut)
}

/** Flushes the log, if it is one of ours. */
export function flushLog(logger: Logger): void {
  if ('flush' in logger && typeof logger.flush === 'function') logger.flush()
}

/** False if `work` is not done in time; it then continues unobserved. */
async function within(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)))
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}

/** The pages of the console, as the build of this package makes them. */
function consolePages(logger: Logger): { consolePages?: URL } {
  try {
    const pages = new URL('dist/console/web/', import.meta.resolve('hc-checkout-server/package.json'))
    if (existsSync(new URL('index.html', pages))) return { consolePages: pages }
  } catch {
    // Bundled into another program.
  }
  logger.warn({}, 'The pages of the console were not found: /console answers 404. Its endpoints work.')
  return {}
}

/** The bundles of the installed widget package. Without them /widget answers 404. */
function findWidget(): WidgetBundles | undefined {
  try {
    const manifest = new URL(import.meta.resolve('hc-checkout/package.json'))
    const folder = new URL('dist/bundle/', manifest)
    if (!existsSync(folder)) return undefined
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
    // A package that was built from a clone has the version of the last release.
    const [, build] = /\bhc-flow-([0-9a-f]{8})\.js/.exec(readdirSync(folder).join()) ?? []
    return { folder, version, ...(build !== undefined && { build }) }
  } catch {
    return undefined
  }
}
