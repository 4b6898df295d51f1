// The small things the domain is handed: clock, chance, a listener's presence, an alarm and a counter.
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import type { Store } from '../store/store.ts'
import type { Random } from './identity.ts'

/** Events worth counting. */
export type Count = Metrics['count']

/** Tells a person. Deduplicated by kind where it is handled. No secret, token or payer detail in `detail`. */
export type Alarm = (kind: string, detail: string) => void

export interface Tools {
  readonly store: Store
  readonly now: () => number
  /** The clock as far as it is believed (clock-watch.ts): what cannot be undone goes by it. */
  readonly sure: () => number
  readonly random: Random
  readonly logger: Logger
  readonly count: Count
  readonly observe: Metrics['observe']
  readonly alarm: Alarm
  /** True while a browser listens to this deposit on this instance. */
  readonly isWatched: (depositId: string) => boolean
  /** Waits that many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>
  /** Runs work beside the answer; `idle()` of the companion waits for it. */
  readonly background: (work: () => Promise<unknown>) => void
}
