// What a database must be able to do for the store; all that differs between SQLite and PostgreSQL is behind this.
import type { Deposit } from '../deposits/deposit.ts'
import type { Query } from './query.ts'
import type { Applied, OnChange } from './store.ts'
import type { Row, Values } from './tables.ts'

export interface Step {
  readonly query: Query
  readonly values: Values
  /** The row must be there at the expected version: no row changed means a `version` conflict. */
  readonly mustChange?: boolean
}

export interface Ring {
  readonly id: string
  readonly version: number
  /** As it was written, when that was done here. */
  readonly row?: Deposit
}

/** Where a crash test may stop the process: just before or just after a change is made durable, and before the log of a SQLite file is copied.
 * Never set in production. */
export type CrashPoint = (when: 'before' | 'after' | 'copy') => void

export interface Engine {
  read(query: Query, values: Values): Promise<Row[]>
  /** One durable statement; answers the rows it returns. */
  write(query: Query, values: Values): Promise<Row[]>
  /** All steps or none, durable; then rings for each deposit named. */
  apply(steps: readonly Step[], rings: readonly Ring[]): Promise<Applied>
  take(name: string, windowStart: number, want: number, limit: number): Promise<number>
  onChange(listener: OnChange): () => void
  /**
   * After an erasure: leaves no copy of what was erased in the database's log. False when that could not be done now and is to be asked for
   * again; never throws.
   */
  emptyLog(): Promise<boolean>
  ping(): Promise<void>
  close(): Promise<void>
}
