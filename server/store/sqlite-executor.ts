// What runs jobs on the file: the event loop (sqlite-loop.ts), or a thread of its own (sqlite-threaded.ts).
import type { Answer, Job } from './sqlite-work.ts'

export interface SqliteExecutor {
  /** Once, before the first order that names it. */
  define(statement: number, sql: string): void
  read(job: Job): Promise<Answer>
  /** Durable when it resolves. */
  write(job: Job): Promise<Answer>
  /** As `emptyLog` of sqlite-erasure.ts; a fault of the disk is thrown. */
  emptyLog(): Promise<boolean>
  /** Answers all that was asked, and gives back the file. */
  close(): Promise<void>
}
