// Group commit: the writes of one turn of the event loop share one transaction and one fsync, and
// its reads share one transaction.
import type { Row } from '../schema/tables.ts'
import type { Answer, Job, Order, SqliteWork } from './work.ts'

interface Waiting {
  readonly job: Job
  readonly resolve: (answer: Answer) => void
}

export function createBatcher(work: SqliteWork) {
  let waiting: Waiting[] = []
  let isScheduled = false

  /** Writes what is waiting now, and releases the file. */
  function flush(): void {
    work.endReads()
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    const answers = work.write(batch.map(({ job }) => job))
    batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
    // After the answers are sent.
    setImmediate(work.tidy)
  }

  function flushAfterTurn(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      flush()
    })
  }

  return {
    flush,
    /** Reads now. @throws the driver's error */
    read(order: Order): Row[] {
      flushAfterTurn()
      return work.read(order)
    },
    /** Durable when it resolves; never rejects. */
    write(job: Job): Promise<Answer> {
      flushAfterTurn()
      return new Promise((resolve) => waiting.push({ job, resolve }))
    },
  }
}
