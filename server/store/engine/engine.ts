// What a database must be able to do for the store; all differences between SQLite and PostgreSQL
// are behind this interface.
import type { Deposit } from '../../deposits/machine/deposit.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Query } from '../schema/query.ts'
import type { Applied, OnChange } from '../../deposits/ports/store.ts'
import type { Row, Values } from '../schema/tables.ts'

export interface Step {
  readonly query: Query
  readonly values: Values
  /** The row must exist at the expected version: no row changed means a `version` conflict. */
  readonly mustChange?: boolean
}

export interface ChangedDeposit {
  readonly id: string
  readonly version: number
  /** The row as written, when this process wrote it. */
  readonly row?: Deposit
}

/**
 * Where a crash test may stop the process: just before or just after a change is made durable, and
 * before the log of a SQLite file is checkpointed. Never set in production.
 */
export type CrashPoint = (when: 'before' | 'after' | 'copy') => void

/** What both databases are opened with. */
export interface StoreOptions {
  readonly logger?: Logger
  /**
   * False for a command that runs beside a companion, perhaps of another release: creates nothing
   * and changes no schema, and throws when it is not that of this release. Default: true.
   */
  readonly migrate?: boolean
  /**
   * Whether the console looks for payments: what they are found by is then written with them.
   * Default: false.
   */
  readonly isSearchable?: boolean
  readonly crashPoint?: CrashPoint
}

export interface Engine {
  read(query: Query, values: Values): Promise<Row[]>
  /** Runs one durable statement and returns its rows. */
  write(query: Query, values: Values): Promise<Row[]>
  /**
   * Applies all steps or none, durably; then notifies the listeners of the deposit that changed.
   */
  apply(steps: readonly Step[], changed: ChangedDeposit | undefined): Promise<Applied>
  take(name: string, windowStart: number, want: number, limit: number): Promise<number>
  onChange(listener: OnChange): () => void
  /**
   * After an erasure: removes every copy of the erased data from the database's log. Returns false
   * when that was not possible now and must be retried; never throws.
   */
  emptyLog(): Promise<boolean>
  ping(): Promise<void>
  close(): Promise<void>
}
