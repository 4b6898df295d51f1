// The dependencies that are handed to the domain: store, clock, randomness, logger, metrics, alert,
// background work.
import type { AlertKind } from '../machine/alerts.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Store } from './store.ts'
import type { CreateOutcome, QueryOutcome } from './upstream.ts'
import type { Deposit } from '../machine/deposit.ts'
import type { Random } from '../identity.ts'

/** Events worth counting. */
export type Count = Metrics['count']

/**
 * Alerts a person. Deduplicated by kind in its handler. `detail` must hold no secret, token or
 * payer detail.
 */
export type Alert = (kind: AlertKind, detail: string) => void

/**
 * Hears what the service answered. What of it a person must know is judged elsewhere
 * (operations/answers.ts).
 */
export type HearAnswer = (
  deposit: Pick<Deposit, 'walletNo' | 'currency' | 'reference'>,
  answer:
    | { readonly call: 'create'; readonly outcome: CreateOutcome }
    | { readonly call: 'query'; readonly outcome: QueryOutcome },
) => void

export interface Tools {
  readonly store: Store
  readonly now: () => number
  /**
   * Milliseconds since 1970 by the trusted clock (clock-watch.ts), used for everything
   * irreversible.
   */
  readonly trustedNow: () => number
  readonly random: Random
  readonly logger: Logger
  readonly count: Count
  readonly observe: Metrics['observe']
  readonly alert: Alert
  readonly hear: HearAnswer
  /** True while a browser listens to this deposit on this instance. */
  readonly isWatched: (depositId: string) => boolean
  /** Resolves after `ms` milliseconds. */
  readonly sleep: (ms: number) => Promise<void>
  /**
   * The trace of the request that is being answered, by W3C Trace Context; undefined where its
   * caller has none.
   */
  readonly traceparent: () => string | undefined
  /** Runs work without delaying the answer; `idle()` of the companion waits for it. */
  readonly background: (work: () => Promise<unknown>) => void
}
