// What a companion is made of and what it gives: the types of `createCompanion` (companion.ts).
import type { Hono } from 'hono'
import type { Logger } from './platform/logging/logger.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Alerts } from './operations/alerts/alerts.ts'
import type { Outbox } from './notices/outbox.ts'
import type { Env } from './http/http.ts'
import type { WidgetBundles } from './http/widget-files.ts'
import type { Settings } from './settings/settings.ts'
import type { Store } from './deposits/ports/store.ts'
import type { Upstream } from './deposits/ports/upstream.ts'

/** Only settings and store are required; everything else defaults to the machine's own. */
export interface CompanionOptions {
  /** From `readSettings`. */
  readonly settings: Settings
  /** From `openStore`; the caller closes it, after the companion. */
  readonly store: Store
  /** Client of the payment service. Default: made from the settings. */
  readonly upstream?: Upstream
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
  /** Resolves after `ms` milliseconds. Default: the machine's timers. */
  readonly sleep?: (ms: number) => Promise<void>
  /** Cryptographically strong bytes. Default: node:crypto. */
  readonly random?: (bytes: number) => Uint8Array
  /**
   * Used for notices, alerts and the payment service, which is then not reached through
   * HC_UPSTREAM_PROXY. Default: node:http for notices and alerts; for the payment service undici
   * with the settings' proxy.
   */
  readonly fetch?: typeof fetch
  /** Default: none. */
  readonly logger?: Logger
  /** Default: nothing is counted. */
  readonly metrics?: Metrics
  /** Body of /metrics; empty unless given. */
  readonly readMetrics?: () => Promise<string>
  /** Default: made from the settings. */
  readonly alerts?: Alerts
  /** Without it /widget answers 404. */
  readonly widget?: WidgetBundles
  /** The built pages of the console, a folder; without it /console answers 404. */
  readonly consolePages?: URL
  /** Most event streams open at once in this process. Default 15,000. */
  readonly mostStreams?: number
}

/** A companion answers requests at once, and does background work after `start()`. */
export interface Companion {
  /** Mount it in any long-lived Node server, or serve it with `startCompanion`. */
  readonly app: Hono<Env>
  /** In-process notices, with the same at-least-once guarantee as the outgoing ones. */
  readonly notices: Pick<Outbox, 'on'>
  /** The metrics from the options. */
  readonly metrics: Metrics
  /** Starts background work: status queries, notices, heartbeats. */
  start(): void
  /** One round of background work, for a cron. Resolves when it is done. */
  tick(): Promise<void>
  /** Resolves when no background work started by requests is running. */
  idle(): Promise<void>
  /** Ends streams and background work; the store stays open, because it belongs to the caller. */
  close(): Promise<void>
}
