// Group commit: the writes of one turn of the event loop share one transaction and one fsync, and
// its reads share one transaction.
import type { Answer, Job, Order, SqliteWork } from './work.ts'
import type { Row } from '../schema/tables.ts'

export interface Batcher {
  /** Reads now. @throws the driver's error */
  read(order: Order): Row[]
  /** Durable when it resolves; never rejects. */
  write(job: Job): Promise<Answer>
  /** Writes what is waiting now, and releases the locks. */
  flush(): void
}

interface Waiting {
  readonly job: Job
  readonly resolve: (answer: Answer) => void
}

export function createBatcher(work: SqliteWork): Batcher {
  let waiting: Waiting[] = []
  let isScheduled = false

  function flush(): void {
    const batch = waiting
    waiting = []
    if (batch.length > 0) {
      const answers = work.write(batch.map(({ job }) => job))
      batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
      // After the answers are sent.
      setImmediate(work.tidy)
    }
    work.endReads()
  }

  function endTurn(): void {
    isScheduled = false
    flush()
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(endTurn)
  }

  return {
    read(order) {
      schedule()
      return work.read(order)
    },
    write(job) {
      return new Promise((resolve) => {
        waiting.push({ job, resolve })
        schedule()
      })
    },
    flush,
  }
}
