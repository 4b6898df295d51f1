// Where the companion's parts are joined.
import type { Hono } from 'hono'
import type { Logger } from './logger.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store/store.ts'
import type { Upstream } from './upstream/upstream.ts'

export interface CompanionOptions {
  readonly settings: Settings
  readonly store: Store
  /** The payment service; made from the settings unless handed in. */
  readonly upstream?: Upstream
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
  /** Cryptographically strong bytes. Default: node:crypto. */
  readonly random?: (bytes: number) => Uint8Array
  /** Used for the payment service and for notices. Default: global fetch. */
  readonly fetch?: typeof fetch
  readonly logger?: Logger
}

export interface Companion {
  readonly app: Hono
}
