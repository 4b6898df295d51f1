// Runs jobs on the file: on the event loop (sqlite-loop.ts) or in a thread (sqlite-threaded.ts).
import type { Answer, Job } from './sqlite-work.ts'

export interface SqliteExecutor {
  /** Called once, before the first order that refers to it. */
  define(statement: number, sql: string): void
  read(job: Job): Promise<Answer>
  /** Durable when it resolves. */
  write(job: Job): Promise<Answer>
  /** As `emptyLog` of sqlite-erasure.ts; throws when the disk fails. */
  emptyLog(): Promise<boolean>
  /** Answers all pending jobs, then closes the file. */
  close(): Promise<void>
}
